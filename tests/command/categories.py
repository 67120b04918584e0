"""Allocations and directions are classes and angles: no mean of them is taken, and nothing makes them inexact."""
import unittest

import numpy as np
from osgeo import gdal
from raster_case import RasterCase


class Categories(RasterCase):
    def setUp(self):
        super().setUp()
        random = np.random.default_rng(3)
        self.pixels = np.where(random.random((1100, 900)) < 0.0005, random.integers(1, 250, (1100, 900)), 0).astype(np.uint8)
        self.source = self.make("in.tif", self.pixels)

    def values(self, path):
        opened = gdal.Open(path)
        band = opened.GetRasterBand(1)
        return set(np.unique(band.ReadAsArray())), [set(np.unique(band.GetOverview(i).ReadAsArray()))
                                                    for i in range(band.GetOverviewCount())]

    def test_overviews_hold_no_value_that_the_raster_has_not(self):
        nearest, direction = self.path("a.tif"), self.path("w.tif")
        self.predt("-q", "-of", "COG", "-allocation", nearest, "-direction", direction, self.source)
        for path in (nearest, direction):
            whole, overviews = self.values(path)
            self.assertGreater(len(overviews), 0)
            for overview in overviews:
                self.assertLessEqual(overview, whole)

    def test_the_user_may_name_another_method(self):
        self.predt("-q", "-of", "COG", "-co", "OVERVIEW_RESAMPLING=AVERAGE", "-direction", self.path("w.tif"), self.source)
        whole, overviews = self.values(self.path("w.tif"))
        self.assertFalse(overviews[0] <= whole)

    def test_options_that_change_values_are_for_distances(self):
        """One command line for both outputs: the allocation stays exact, with a word."""
        right = self.allocation(self.source, "-maxdist", 12)
        for option in ("NBITS=4", "COMPRESS=JPEG", "DISCARD_LSB=4"):
            with self.subTest(option=option):
                told = self.predt("-q", "--overwrite", "-ot", "Byte", "-maxdist", 12, "-co", option, "-co", "TILED=YES",
                                  "-allocation", self.path("a.tif"), self.source, self.path("d.tif")).stderr
                self.assertIn(option, told)
                self.assert_same(self.read(self.path("a.tif")), right)

    def test_changed_distances_are_told(self):
        told = self.predt("-q", "-ot", "Byte", "-co", "COMPRESS=JPEG", self.source, self.path("d.tif")).stderr
        self.assertIn("pixels read back differ", told)

    def test_a_format_that_only_holds_pictures_takes_no_allocation(self):
        self.refuse("-allocation", self.path("a.jpg"), self.source, words=["JPEG"])
        self.assert_only("in.tif")

    def test_tiles_of_a_geopackage_are_not_made_jpegs(self):
        self.predt("-q", "-allocation", self.path("a.gpkg"), self.source)
        _, rows, cols = brute_force_of_some(self.pixels)
        self.assert_same(self.read(self.path("a.gpkg"))[:40, :40], self.pixels[rows, cols])


def brute_force_of_some(pixels):
    """Of the first 40 x 40 pixels."""
    at_rows, at_cols = np.nonzero(pixels)
    order = np.lexsort((at_rows, at_cols))
    at_rows, at_cols = at_rows[order], at_cols[order]
    y, x = np.mgrid[0:40, 0:40]
    d2 = (x[..., None] - at_cols) ** 2 + (y[..., None] - at_rows) ** 2
    nearest = d2.argmin(axis=2)
    return d2.min(axis=2), at_rows[nearest], at_cols[nearest]


if __name__ == "__main__":
    unittest.main()
