"""What the command's tests share: rasters made in a folder of their own, the real program, values read back."""
import os
import shutil
import subprocess
import tempfile
import unittest

import numpy as np
from osgeo import gdal, gdal_array, osr

gdal.UseExceptions()

COMMAND = os.environ["PREDT_COMMAND"]
os.environ.setdefault("PREDT_SYNC", "NO")  # thousands of runs need not wait for the disk; tests/faults look at that
NORTH_UP = (0.0, 1.0, 0.0, 0.0, 0.0, -1.0)


def crs(code):
    """Of an EPSG code, or of anything else that stands for a CRS."""
    made = osr.SpatialReference()
    made.SetFromUserInput(f"EPSG:{code}" if isinstance(code, int) else code)
    return made.ExportToWkt()


def brute_force(is_target, width=1.0, height=1.0):
    """Squared distances and the nearest target (row, column): westernmost, then northernmost among equals."""
    rows, cols = np.nonzero(is_target)
    order = np.lexsort((rows, cols))
    rows, cols = rows[order], cols[order]
    y, x = np.mgrid[0:is_target.shape[0], 0:is_target.shape[1]]
    d2 = ((x[..., None] - cols) * width) ** 2 + ((y[..., None] - rows) * height) ** 2
    nearest = d2.argmin(axis=2)
    return np.take_along_axis(d2, nearest[..., None], 2)[..., 0], rows[nearest], cols[nearest]


class RasterCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="predt-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def make(self, name, pixels, dtype=np.uint8, transform=NORTH_UP, epsg=32633, nodata=None, driver="GTiff", options=()):
        """Writes pixels (rows x columns, or bands x rows x columns) to a raster of that name; returns its path."""
        pixels = np.asarray(pixels, dtype=dtype)
        bands = pixels if pixels.ndim == 3 else pixels[None]
        kind = gdal_array.NumericTypeCodeToGDALTypeCode(bands.dtype.type)
        count, rows, cols = bands.shape
        made = gdal.GetDriverByName(driver).Create(self.path(name), cols, rows, count, kind, list(options))
        if transform:
            made.SetGeoTransform(transform)
        if epsg:
            made.SetProjection(crs(epsg))
        for number, band in enumerate(bands, 1):
            if nodata is not None:
                made.GetRasterBand(number).SetNoDataValue(nodata)
            made.GetRasterBand(number).WriteArray(band)
        made = None
        return self.path(name)

    def predt(self, *arguments, code=0, env=None):
        """Runs the command and expects this exit code, or one of these."""
        run = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=120,
                             env={**os.environ, **(env or {})})
        self.assertIn(run.returncode, code if isinstance(code, tuple) else (code,), f"{arguments}\n{run.stdout}\n{run.stderr}")
        return run

    def refuse(self, *arguments, code=1, words=(), env=None):
        """Expects a failure told in one line (warnings apart) that holds these words; returns the line."""
        run = self.predt("-q", *arguments, code=code, env=env)
        lines = [line for line in run.stderr.strip().splitlines() if not line.startswith("gdal_predt: warning: ")]
        self.assertEqual(len(lines), 1, run.stderr)
        for word in words:
            self.assertIn(word, lines[0])
        return lines[0]

    def read(self, path, band=1):
        opened = gdal.Open(path)
        return opened.GetRasterBand(band).ReadAsArray()

    def nodata(self, path, band=1):
        opened = gdal.Open(path)
        return opened.GetRasterBand(band).GetNoDataValue()

    def unit(self, path):
        opened = gdal.Open(path)
        return opened.GetRasterBand(1).GetUnitType()

    def distance(self, source, *arguments):
        """The distance raster of a source."""
        out = self.path("distance-of-this-test.tif")
        if os.path.exists(out):
            os.remove(out)
        self.predt("-q", *arguments, source, out)
        return self.read(out)

    def allocation(self, source, *arguments):
        out = self.path("allocation-of-this-test.tif")
        if os.path.exists(out):
            os.remove(out)
        self.predt("-q", *arguments, "-allocation", out, source)
        return self.read(out)

    def assert_same(self, got, expected):
        """Every pixel is the float32 (or integer) that is expected; NaN equals NaN."""
        expected = np.asarray(expected)
        if got.dtype.kind == "f":
            expected = expected.astype(got.dtype)
        np.testing.assert_array_equal(got, expected)

    def assert_only(self, *names):
        """The folder holds these files and nothing else."""
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(names))


def targets(rows, cols, *spots):
    """A raster of zeros with (row, column, value) set."""
    pixels = np.zeros((rows, cols), np.int64)
    for row, col, value in spots:
        pixels[row, col] = value
    return pixels
