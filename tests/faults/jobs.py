"""The jobs that are made to fail: small, so that one run takes some hundredths of a second, and each of another kind."""
import os

import numpy as np
from osgeo import gdal, gdal_array, osr

gdal.UseExceptions()


def crs():
    made = osr.SpatialReference()
    made.ImportFromEPSG(32633)
    return made.ExportToWkt()


def raster(path, pixels, driver="GTiff", options=(), overviews=False):
    """Writes pixels (bands x rows x columns, or rows x columns) to a raster of that name."""
    bands = pixels if pixels.ndim == 3 else pixels[None]
    kind = gdal_array.NumericTypeCodeToGDALTypeCode(bands.dtype.type)
    made = gdal.GetDriverByName(driver).Create(path, bands.shape[2], bands.shape[1], len(bands), kind, list(options))
    made.SetGeoTransform((500000.0, 10.0, 0.0, 6000000.0, 0.0, -10.0))
    made.SetProjection(crs())
    for number, band in enumerate(bands, 1):
        made.GetRasterBand(number).WriteArray(band)
    made = None
    if overviews:
        opened = gdal.Open(path)
        opened.BuildOverviews("NEAREST", [2])


def targets(rows=120, cols=150):
    pixels = np.zeros((rows, cols), np.uint8)
    for row, col, value in ((5, 7, 1), (rows - 9, 20, 2), (rows // 2, cols - 4, 3)):
        pixels[row, col] = value
    return pixels


def source(folder):
    raster(os.path.join(folder, "in.tif"), targets())


def old(folder, name, driver="GTiff"):
    """A raster that is to be replaced, with statistics and overviews in files of their own; not for everybody to read."""
    path = os.path.join(folder, name)
    raster(path, np.full((40, 50), 7, np.float32), driver, overviews=True)
    opened = gdal.Open(path)
    opened.GetRasterBand(1).GetStatistics(False, True)
    opened = None
    os.chmod(path, 0o640)


class Job:
    """A command over a folder: `make` fills it, `outputs` are the names that the run is to make or replace."""

    def __init__(self, name, arguments, outputs, make=source, environment=None):
        self.name, self.arguments, self.outputs, self.make = name, arguments.split(), outputs, make
        self.environment = environment or {}

    def command(self, program, folder):
        """{} in an argument is the folder."""
        return [program, "-q", *(argument.replace("{}", folder) for argument in self.arguments)]


def spilled_source(folder):
    """A target with a label of its own in every pixel: the index takes more than its half of 16M, and goes to TMPDIR."""
    pixels = np.add.outer(np.arange(1060) % 7, np.arange(1100) % 11) + 1.0
    raster(os.path.join(folder, "in.tif"), pixels, options=["COMPRESS=DEFLATE", "TILED=YES"])
    os.mkdir(os.path.join(folder, "tmp"))


def old_one(folder):
    source(folder)
    old(folder, "out.tif")


def old_behind_link(folder):
    """The name that is given is a link: the file that it leads to is replaced, in its own folder."""
    source(folder)
    os.mkdir(os.path.join(folder, "store"))
    old(folder, "store/out.tif")
    os.symlink("store/out.tif", os.path.join(folder, "link.tif"))


def old_three(folder):
    source(folder)
    for name in ("out.tif", "a.tif", "w.tif"):
        old(folder, name)


def old_envi(folder):
    source(folder)
    old(folder, "out.img", "ENVI")


def same_size(folder):
    """A raster of two bands whose first is to be written, with what depends on its pixels beside it."""
    source(folder)
    path = os.path.join(folder, "out.tif")
    raster(path, np.stack([np.full((120, 150), value, np.float32) for value in (7, 8)]), overviews=True)
    opened = gdal.Open(path, gdal.GA_Update)
    opened.GetRasterBand(1).SetNoDataValue(float("nan"))
    opened = None


def container(folder):
    """A GeoPackage that holds another raster."""
    source(folder)
    raster(os.path.join(folder, "out.gpkg"), np.full((40, 50), 9, np.uint8), "GPKG", ["RASTER_TABLE=other"])


def taller(folder):
    """Several strips, so that blocks are compressed while others are solved."""
    raster(os.path.join(folder, "in.tif"), targets(400, 300))


JOBS = [
    Job("distance", "{}/in.tif {}/out.tif", ["out.tif"]),
    Job("three", "-allocation {}/a.tif -direction {}/w.tif {}/in.tif {}/out.tif", ["out.tif", "a.tif", "w.tif"]),
    Job("spilled", "-memory 16M -co COMPRESS=DEFLATE -allocation {}/a.tif {}/in.tif", ["a.tif"], spilled_source,
        {"TMPDIR": "{}/tmp"}),
    Job("overwrite", "--overwrite {}/in.tif {}/out.tif", ["out.tif"], old_one),
    Job("overwrite-three", "--overwrite -allocation {}/a.tif -direction {}/w.tif {}/in.tif {}/out.tif",
        ["out.tif", "a.tif", "w.tif"], old_three),
    Job("overwrite-envi", "--overwrite -of ENVI {}/in.tif {}/out.img", ["out.img"], old_envi),
    Job("update", "{}/in.tif {}/out.tif", ["out.tif"], same_size),
    Job("deflate", "-threads 2 -co COMPRESS=DEFLATE {}/in.tif {}/out.tif", ["out.tif"], taller),
    Job("deflate-two", "-threads 2 -co COMPRESS=DEFLATE -direction {}/w.tif {}/in.tif {}/out.tif", ["out.tif", "w.tif"],
        taller),
    Job("cog", "-of COG {}/in.tif {}/out.tif", ["out.tif"]),
    Job("png", "-of PNG -ot UInt16 {}/in.tif {}/out.png", ["out.png"]),
    Job("envi", "-of ENVI {}/in.tif {}/out.img", ["out.img"]),
    Job("hfa", "-of HFA {}/in.tif {}/out.img", ["out.img"]),
    Job("ascii", "-of AAIGrid {}/in.tif {}/out.asc", ["out.asc"]),
    Job("folder", "-of Zarr {}/in.tif {}/out.zarr", ["out.zarr"]),
    Job("link", "--overwrite {}/in.tif {}/link.tif", ["store/out.tif"], old_behind_link),
    Job("container", "-of GPKG -ot Byte -co APPEND_SUBDATASET=YES -co RASTER_TABLE=x {}/in.tif {}/out.gpkg", ["out.gpkg"],
        container),
]
