"""Destinations that are there already: updated in place, replaced, or left alone."""
import os
import unittest

import numpy as np
from osgeo import gdal
from raster_case import RasterCase, targets


class Existing(RasterCase):
    def setUp(self):
        super().setUp()
        self.source = self.make("in.tif", targets(3, 4, (0, 0, 1)))
        rows, cols = np.mgrid[0:3, 0:4]
        self.right = np.hypot(rows, cols)

    def test_a_dst_of_the_same_grid_is_updated_and_keeps_its_other_bands(self):
        out = self.make("out.tif", np.full((2, 3, 4), 77), np.float32)
        self.predt("-q", self.source, out)
        self.assert_same(self.read(out, 1), self.right)
        self.assert_same(self.read(out, 2), np.full((3, 4), 77))
        self.assert_only("in.tif", "out.tif")

    def test_who_has_the_old_file_open_keeps_seeing_it(self):
        """Updated is a copy, which takes the old one's place when it is complete: nobody ever sees half of it."""
        out = self.make("out.tif", np.full((3, 4), 77), np.float32)
        before = gdal.Open(out)
        self.predt("-q", self.source, out)
        self.assert_same(before.ReadAsArray(), np.full((3, 4), 77))
        self.assert_same(self.read(out), self.right)

    def test_dstband_picks_the_band(self):
        out = self.make("out.tif", np.full((2, 3, 4), 77), np.float32)
        self.predt("-q", "-dstband", 2, self.source, out)
        self.assert_same(self.read(out, 1), np.full((3, 4), 77))
        self.assert_same(self.read(out, 2), self.right)

    def test_a_band_that_is_not_there_is_refused(self):
        out = self.make("out.tif", np.full((2, 3, 4), 77), np.float32)
        self.refuse("-dstband", 3, self.source, out)
        self.assert_same(self.read(out, 1), np.full((3, 4), 77))

    def test_an_integer_band_is_rounded_into(self):
        out = self.make("out.tif", np.zeros((3, 4)), np.int16)
        self.predt("-q", self.source, out)
        self.assert_same(self.read(out), np.floor(self.right + 0.5).astype(np.int16))

    def test_another_size_is_refused_and_left_alone(self):
        out = self.make("out.tif", np.full((5, 5), 77), np.float32)
        self.refuse(self.source, out)
        self.assert_same(self.read(out), np.full((5, 5), 77))
        self.assert_only("in.tif", "out.tif")

    def test_another_grid_of_the_same_size_is_refused_with_both_named(self):
        elsewhere = self.make("out.tif", np.full((3, 4), 77), np.float32, transform=(100, 1, 0, 0, 0, -1))
        self.refuse(self.source, elsewhere, words=["(100, 1, 0, 0, 0, -1)", "(0, 1, 0, 0, 0, -1)"])
        self.assert_same(self.read(elsewhere), np.full((3, 4), 77))
        nowhere = self.make("nowhere.tif", np.full((3, 4), 77), np.float32, transform=None)
        self.refuse(self.source, nowhere, words=["none"])
        other = self.make("crs.tif", np.full((3, 4), 77), np.float32, epsg=32632)
        self.refuse(self.source, other, words=["EPSG:32632", "EPSG:32633"])
        self.assert_same(self.read(other), np.full((3, 4), 77))

    def test_overviews_and_statistics_of_the_old_values_go_with_a_word(self):
        source = self.make("large.tif", targets(700, 600, (0, 0, 1)))
        for way in ("inside", "beside"):
            out = self.make(f"{way}.tif", np.full((700, 600), 77), np.float32)
            opened = gdal.Open(out, gdal.GA_Update if way == "inside" else gdal.GA_ReadOnly)
            opened.BuildOverviews("NEAREST", [2, 4])
            opened.GetRasterBand(1).GetHistogram()
            opened.GetRasterBand(1).ComputeStatistics(False)
            opened = None
            self.assertIn("overviews", self.predt("-q", source, out).stderr)
            opened = gdal.Open(out)
            band = opened.GetRasterBand(1)
            self.assertEqual((band.GetOverviewCount(), band.GetMetadata().get("STATISTICS_MAXIMUM")), (0, None))
            self.assertFalse(os.path.exists(out + ".ovr"))

    def test_a_format_that_cannot_be_updated_names_overwrite(self):
        for name, options in (("out.png", ["-ot", "Byte"]), ("out.asc", [])):
            self.predt("-q", *options, self.source, self.path(name))
            before = self.read(self.path(name))
            self.refuse(*options, "-maxdist", 1, self.source, self.path(name), words=["--overwrite"])
            self.assert_same(self.read(self.path(name)), before)
            self.predt("-q", "--overwrite", *options, self.source, self.path(name))

    def test_overwrite_replaces_it(self):
        out = self.make("out.tif", np.full((5, 5), 77), np.float32)
        self.predt("-q", "--overwrite", self.source, out)
        self.assert_same(self.read(out), self.right)
        self.assert_only("in.tif", "out.tif")

    def test_a_file_that_is_no_raster_is_refused_and_left_alone(self):
        out = self.path("notes.txt")
        with open(out, "w") as notes:
            notes.write("not a raster")
        self.refuse(self.source, out)
        with open(out) as notes:
            self.assertEqual(notes.read(), "not a raster")

    def test_an_allocation_that_is_there_is_not_replaced_unasked(self):
        out = self.make("a.tif", np.full((3, 4), 77))
        self.refuse("-allocation", out, self.source)
        self.assert_same(self.read(out), np.full((3, 4), 77))
        self.predt("-q", "--overwrite", "-allocation", out, self.source)
        self.assert_same(self.read(out), np.ones((3, 4)))

    def test_a_failure_before_the_first_write_leaves_an_existing_dst_untouched(self):
        out = self.make("out.tif", np.full((3, 4), 77), np.float32)
        with open(out, "rb") as file:
            before = file.read()
        self.refuse("-values", "abc", self.source, out, code=(1, 2))
        self.refuse("-srcband", "9", self.source, out)
        with open(out, "rb") as file:
            self.assertEqual(file.read(), before)

    def test_overwrite_that_fails_keeps_the_old_file(self):
        out = self.make("out.tif", np.full((5, 5), 77), np.float32)
        broken = self.path("broken.tif")
        noise = np.random.default_rng(1).integers(0, 9, (500, 500))
        with open(self.make("big.tif", noise, options=["COMPRESS=DEFLATE"]), "rb") as whole:
            bytes_ = whole.read()
        with open(broken, "wb") as half:
            half.write(bytes_[: len(bytes_) // 2])
        self.refuse("--overwrite", broken, out)
        self.assert_same(self.read(out), np.full((5, 5), 77))

    def test_the_same_file_for_two_outputs_is_refused(self):
        self.refuse("-allocation", self.path("x.tif"), self.source, self.path("x.tif"), code=(1, 2))
        self.assert_only("in.tif")


if __name__ == "__main__":
    unittest.main()
