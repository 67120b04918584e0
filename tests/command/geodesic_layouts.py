"""Distances along the ellipsoid come in columns, as high as the memory allows: the same pixels in every layout of the files."""
import json
import os
import unittest

import numpy as np
from geodesics import WGS84, Places, nearest
from osgeo import gdal
from raster_case import RasterCase, crs, targets

ROWS, COLS = 801, 1602
WORLD = (-180, 360 / COLS, 0, 90, 0, -180 / ROWS)
NARROW = ("-memory", "16M")  # a quarter of that are answers: less than all distances


class Layouts(RasterCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        random = np.random.default_rng(8)
        cls.pixels = np.zeros((ROWS, COLS), np.uint16)
        cls.pixels[random.integers(0, ROWS, 60), random.integers(0, COLS, 60)] = np.arange(1, 61)

    def setUp(self):
        super().setUp()
        self.source = self.make("in.tif", self.pixels, np.uint16, transform=WORLD, epsg=4326, nodata=7)
        self.predt("-q", "-distunits", "METRE", "-memory", "1G", "-allocation", self.path("a.tif"), "-direction",
                   self.path("n.tif"), self.source, self.path("d.tif"))
        self.right = {name: self.read(self.path(name + ".tif")) for name in "dan"}

    def check(self, *options, suffix="tif", source=None):
        """All three products in that layout and little memory."""
        paths = {name: self.path(f"{name}2.{suffix}") for name in "dan"}
        self.predt("-q", "--overwrite", *NARROW, "-distunits", "METRE", *options, "-allocation", paths["a"], "-direction",
                   paths["n"], source or self.source, paths["d"])
        for name, path in paths.items():
            self.assert_same(self.read(path), self.right[name])
        return paths

    def test_they_are_right(self):
        random = np.random.default_rng(9)
        rows, cols = random.integers(0, ROWS, 500), random.integers(0, COLS, 500)
        places = Places((ROWS, COLS), WORLD)
        left = np.where(self.pixels == 7, 0, self.pixels)
        right = nearest(WGS84, places.at(*np.nonzero(left)), places.at(rows, cols))
        self.assert_same(self.right["d"][rows, cols], right.astype(np.float32))

    def test_rows(self):
        paths = self.check()
        made = gdal.Open(paths["d"])  # a band does not keep its dataset
        self.assertEqual(made.GetRasterBand(1).GetBlockSize()[0], COLS)
        self.assert_only("in.tif", *(name + number + ".tif" for name in "dan" for number in ("", "2")))

    def test_rows_that_are_compressed(self):
        self.check("-co", "COMPRESS=DEFLATE", "-co", "PREDICTOR=2", "-co", "BLOCKYSIZE=50")

    def test_tiles(self):
        for cols, rows in ((256, 256), (512, 64), (48, 80), (1024, 512), (512, 1024), (4096, 16)):
            with self.subTest(cols=cols, rows=rows):
                self.check("-co", "TILED=YES", "-co", f"BLOCKXSIZE={cols}", "-co", f"BLOCKYSIZE={rows}")

    def test_tiles_that_are_compressed_on_other_threads(self):
        self.check("-co", "TILED=YES", "-co", "COMPRESS=ZSTD", "-threads", "3")

    def test_other_formats(self):
        self.check("-of", "HFA", suffix="img")
        self.check("-of", "ENVI", suffix="dat")
        self.check("-of", "COG")

    def test_a_band_that_is_there(self):
        for options in ([], ["TILED=YES"]):
            path = self.path("there.tif")
            made = gdal.GetDriverByName("GTiff").Create(path, COLS, ROWS, 2, gdal.GDT_Float32, options)
            made.SetGeoTransform(WORLD)
            made.SetProjection(crs(4326))
            made = None
            self.predt("-q", *NARROW, "-distunits", "METRE", "-dstband", "2", self.source, path)
            self.assert_same(self.read(path, 2), self.right["d"])
            os.remove(path)

    def test_nodata_of_the_source_is_read_again(self):
        self.pixels = np.where(np.arange(COLS) % 300 == 1, 7, self.pixels).astype(np.uint16)
        for layout in ([], ["TILED=YES"], ["TILED=YES", "BLOCKXSIZE=1024"]):
            source = self.make("in.tif", self.pixels, np.uint16, transform=WORLD, epsg=4326, nodata=7, options=layout)
            for options in ([], ["-co", "TILED=YES"]):
                self.predt("-q", "--overwrite", *NARROW, "-distunits", "METRE", "-use_input_nodata", "YES", *options, source,
                           self.path("o.tif"))
                whole = self.read(self.path("o.tif"))
                self.assert_same(np.isnan(whole), self.pixels == 7)
                self.predt("-q", "--overwrite", "-distunits", "METRE", source, self.path("p.tif"))
                self.assert_same(whole, np.where(self.pixels == 7, np.nan, self.read(self.path("p.tif"))))

    def test_the_farthest_pixel_is_the_first_of_its_distance(self):
        pixels = targets(ROWS, COLS, (600, 0, 1))
        source = self.make("one.tif", pixels, transform=WORLD, epsg=4326)
        told = [json.loads(self.predt("-q", "-json", "--overwrite", *options, "-distunits", "METRE", "-ot", "Int32", source,
                                      self.path("o.tif")).stdout)["max_distance"]
                for options in (["-memory", "1G"], NARROW, [*NARROW, "-co", "TILED=YES"], [*NARROW, "-threads", "1"])]
        self.assertEqual(told, [told[0]] * 4)
        self.assertGreater(told[0]["value"], 2e7)


if __name__ == "__main__":
    unittest.main()
