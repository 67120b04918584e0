"""Formats and file systems other than a plain GeoTIFF on disk."""
import gzip
import os
import subprocess
import unittest
import zipfile

import numpy as np
from osgeo import gdal
from raster_case import COMMAND, RasterCase, brute_force


class Formats(RasterCase):
    def setUp(self):
        super().setUp()
        random = np.random.default_rng(7)
        self.pixels = np.where(random.random((301, 207)) < 0.01, random.integers(1, 250, (301, 207)), 0).astype(np.uint8)
        d2, rows, cols = brute_force(self.pixels != 0)
        self.right, self.labels = np.sqrt(d2), self.pixels[rows, cols]
        self.source = self.make("in.tif", self.pixels)

    def test_any_layout_of_the_source(self):
        layouts = ("TILED=YES", "TILED=YES BLOCKXSIZE=16 BLOCKYSIZE=48", "BLOCKYSIZE=1", "BLOCKYSIZE=77", "BLOCKYSIZE=301",
                   "COMPRESS=LZW PREDICTOR=2", "TILED=YES COMPRESS=DEFLATE BLOCKYSIZE=512")
        for number, options in enumerate(layouts):
            with self.subTest(options=options):
                source = self.make(f"{number}.tif", self.pixels, options=options.split())
                self.assert_same(self.distance(source), self.right)

    def test_other_formats_in(self):
        for driver, name in (("ENVI", "in.img"), ("HFA", "in.hfa")):
            self.assert_same(self.distance(self.make(name, self.pixels, driver=driver)), self.right)
        gdal.GetDriverByName("PNG").CreateCopy(self.path("in.png"), gdal.Open(self.source))
        self.assert_same(self.distance(self.path("in.png")), self.right)
        gdal.BuildVRT(self.path("in.vrt"), [self.source])
        self.assert_same(self.distance(self.path("in.vrt")), self.right)

    def test_formats_out_by_their_extension(self):
        for name, driver in (("out.img", "HFA"), ("out.tif", "GTiff"), ("out", "GTiff")):
            self.predt("-q", self.source, self.path(name))
            self.assertEqual(gdal.Open(self.path(name)).GetDriver().ShortName, driver)
            self.assert_same(self.read(self.path(name)), self.right)

    def test_cog(self):
        names = [self.path("d.tif"), self.path("a.tif")]
        self.predt("-q", "-of", "COG", "-co", "COMPRESS=DEFLATE", "-allocation", names[1], self.source, names[0])
        self.assertEqual(gdal.Open(names[0]).GetMetadataItem("LAYOUT", "IMAGE_STRUCTURE"), "COG")
        self.assert_same(self.read(names[0]), self.right)
        self.assert_same(self.read(names[1]), self.labels)
        self.assert_only("in.tif", "d.tif", "a.tif")

    def test_png_which_can_only_be_copied_to(self):
        out = self.path("d.png")
        self.predt("-q", "-of", "PNG", "-ot", "UInt16", self.source, out)
        self.assert_same(self.read(out), np.floor(self.right + 0.5).astype(np.uint16))

    def test_a_large_file_option_is_kept(self):
        out = self.path("big.tif")
        self.predt("-q", "-co", "BIGTIFF=YES", self.source, out)
        with open(out, "rb") as file:
            self.assertEqual(file.read(4)[2], 43)

    def test_zip_and_gzip_sources(self):
        with zipfile.ZipFile(self.path("in.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(self.source, "in.tif")
        with open(self.source, "rb") as plain, gzip.open(self.path("in.tif.gz"), "wb") as packed:
            packed.write(plain.read())
        self.assert_same(self.distance(f"/vsizip/{self.path('in.zip')}/in.tif"), self.right)
        self.assert_same(self.distance(f"/vsigzip/{self.path('in.tif.gz')}"), self.right)

    def test_vsimem_destination_ends_well(self):
        self.predt("-q", self.source, "/vsimem/out.tif")

    def test_names_with_blanks_and_letters_of_all_kinds(self):
        name = "in mit Länge, 'quoted' & co.tif"
        os.rename(self.source, self.path(name))
        self.assert_same(self.distance(self.path(name)), self.right)

    def test_a_relative_name(self):
        run = subprocess.run([COMMAND, "-q", "in.tif", "out.tif"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assert_same(self.read(self.path("out.tif")), self.right)

    def test_an_unknown_format_is_refused(self):
        self.refuse("-of", "NoSuchFormat", self.source, self.path("out.xyz"), words=["NoSuchFormat"])
        self.assert_only("in.tif")

    def test_a_raster_of_one_column(self):
        source = self.make("column.tif", self.pixels[:, :1])
        self.predt("-q", "-allocation", self.path("a.tif"), source, self.path("d.tif"))
        self.assert_same(self.read(self.path("a.tif")).ravel(), brute_allocation(self.pixels[:, 0]))

    def test_names_that_no_raster_can_have(self):
        for name in ("out.shp", "out.geojson", "out.zip", "out.nonsense"):
            self.refuse(self.source, self.path(name), words=["tif (GTiff)", "-of"])
        for place in ("/vsizip/" + self.path("a.zip") + "/out.tif", "/vsigzip/" + self.path("out.tif.gz"), "/vsistdout/",
                      "/vsicurl/http://localhost/out.tif"):
            self.refuse("-of", "GTiff", self.source, place, words=["no raster can be made"])
        self.assert_only("in.tif")

    def test_what_compressing_threads_say_is_heard(self):
        for more in ([], ["-threads", 1], ["-co", "NUM_THREADS=4"]):
            self.refuse("-co", "COMPRESS=JPEG", "-co", "TILED=YES", *more, self.source, self.path("out.tif"), words=["JPEG"])
        self.assert_only("in.tif")

    def test_nodata_is_what_is_tagged(self):
        told = self.predt("-q", "-of", "GSBG", "-nodata", -1, "-maxdist", 5, self.source, self.path("out.grd")).stderr
        self.assertIn("instead of -1", told)
        self.assert_same(self.read(self.path("out.grd")) == np.float32(self.nodata(self.path("out.grd"))), self.right > 5)


def brute_allocation(column):
    rows = np.nonzero(column)[0]
    return [column[rows[np.argmin(np.abs(rows - row))]] if len(rows) else 0 for row in range(len(column))]


if __name__ == "__main__":
    unittest.main()
