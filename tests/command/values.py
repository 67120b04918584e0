"""-values: numbers with fractions, ranges, notnodata; compared in the band's own type."""
import unittest

import numpy as np
from osgeo import gdal
from raster_case import RasterCase


class Values(RasterCase):
    def found(self, pixels, values, dtype=np.uint8, **more):
        """Which pixels of one row are targets."""
        source = self.make("in.tif", [pixels], dtype=dtype, **more)
        return list(np.flatnonzero(self.distance(source, *(["-values", values] if values else []))[0] == 0))

    def test_a_list(self):
        self.assertEqual(self.found([1, 2, 3, 4, 5], "2,5"), [1, 4])

    def test_zero_may_be_a_target(self):
        self.assertEqual(self.found([1, 0, 3], "0"), [1])

    def test_ranges_and_numbers_mixed(self):
        self.assertEqual(self.found([9, 10, 15, 20, 21, 40], "10:20,40"), [1, 2, 3, 5])

    def test_ranges_with_fractions_and_signs(self):
        self.assertEqual(self.found([-2, -1.5, 0, 1.25, 1.5], "-1.5:1.25", np.float32), [1, 2, 3])

    def test_ends_with_fractions_beyond_what_a_double_holds(self):
        pixels = [2**54, 2**54 + 1, 2**54 + 2, 2002070955163524, 2002070955163525]
        self.assertEqual(self.found(pixels, "5:2002070955163524.5", np.uint64), [3])
        self.assertEqual(self.found(pixels, "18014398509481984.5:18014398509481985.5", np.int64), [1])
        self.assertEqual(self.found([-5, -4, 0], "-4.5:-0.5", np.int64), [1])

    def test_fractions_in_float32(self):
        self.assertEqual(self.found([2, 2.5, 0.1, 3], "2.5", np.float32), [1])
        self.assertEqual(self.found([2, 2.5, 0.1, 3], "0.1", np.float32), [2])

    def test_fractions_in_float64(self):
        self.assertEqual(self.found([0.1, 0.1 + 2**-56, 0.5], "0.1", np.float64), [0])

    def test_a_fraction_is_no_value_of_an_integer_band(self):
        source = self.make("in.tif", [[2, 3]])
        self.predt("-q", "-values", "2,2.5", source, self.path("out.tif"))
        self.assert_same(self.read(self.path("out.tif")), [[0, 1]])

    def test_whole_numbers_spelt_with_a_point_or_an_exponent(self):
        for kind in (np.uint8, np.int16, np.uint32, np.int64):
            self.assertEqual(self.found([10, 1, 100, 0], "1e1", kind), [0])
            self.assertEqual(self.found([10, 1, 100, 0], "10.0,1.00", kind), [0, 1])
        self.assertEqual(self.found([-10, 10, 0], "-1e1", np.int16), [0])
        self.assertEqual(self.found([2**54 + 1, 2**54, 0], f"{2**54 + 1}.0", np.int64), [0])

    def test_large_uint32(self):
        self.assertEqual(self.found([4000000000, 4000000001, 5], "4000000000", np.uint32), [0])

    def test_negative_int16_and_int32(self):
        self.assertEqual(self.found([-5, 5, 0], "-5", np.int16), [0])
        self.assertEqual(self.found([-(2**31), 2**31 - 1, 0], "-2147483648", np.int32), [0])

    def test_int64_beyond_2_to_the_53(self):
        self.assertEqual(self.found([2**53, 2**53 + 1, 2**53 + 2], str(2**53 + 1), np.int64), [1])
        self.assertEqual(self.found([-(2**63), -(2**63) + 1, 0], str(-(2**63)), np.int64), [0])

    def test_uint64_up_to_its_end(self):
        self.assertEqual(self.found([2**64 - 1, 2**64 - 2, 7], str(2**64 - 1), np.uint64), [0])

    def test_notnodata_takes_zero(self):
        self.assertEqual(self.found([0, 1, 9, 0], "notnodata", nodata=9), [0, 1, 3])
        self.assertEqual(self.found([0, 1, np.nan], "notnodata", np.float32), [0, 1])

    def test_a_nodata_value_asked_for_by_name_is_a_target(self):
        self.assertEqual(self.found([0, 255, 0], "255", nodata=255), [1])

    def test_default_is_every_non_zero_pixel(self):
        self.assertEqual(self.found([0, 0.4, -1, 0], None, np.float32), [1, 2])

    def test_nan_asked_for_by_name(self):
        for kind in (np.float32, np.float64):
            self.assertEqual(self.found([0, np.nan, 3, 5], "nan", kind), [1])
            self.assertEqual(self.found([0, np.nan, 3, 5], "NaN,3", kind), [1, 2])
            self.assertEqual(self.found([0, np.nan, 3, 5], "notnodata,nan", kind), [0, 1, 2, 3])
            self.assertEqual(self.found([0, np.nan, 3, 5], "nan", kind, nodata=np.nan), [1])
            many = ",".join(str(number) for number in range(3, 60, 2))
            self.assertEqual(self.found([0, np.nan, 3, 4], many, kind), [2])
            self.assertEqual(self.found([0, np.nan, 3, 4], many + ",nan", kind), [1, 2])

    def test_nan_never_occurs_in_integers(self):
        source = self.make("in.tif", [[2, 3]])
        self.assertIn("'nan' cannot occur", self.predt("-q", "-values", "3,nan", source, self.path("out.tif")).stderr)
        self.assert_same(self.read(self.path("out.tif")), [[1, 0]])
        self.refuse("-values", "nan", source, self.path("other.tif"), words=["Byte"])
        self.assert_only("in.tif", "out.tif")

    def test_what_cannot_be_found_in_a_band_with_a_scale_is_raw(self):
        source = self.make("in.tif", [[20, 30]])
        opened = gdal.Open(source, gdal.GA_Update)
        opened.GetRasterBand(1).SetScale(0.1)
        opened.GetRasterBand(1).SetOffset(-1)
        opened = None
        for values in ("2", "7"):
            told = self.predt("-q", "--overwrite", "-values", values, source, self.path("out.tif")).stderr
            for word in ("no target", "raw values", "0.1", "-1"):
                self.assertIn(word, told)
        self.refuse("-values", "2.5", source, self.path("other.tif"), words=["cannot occur", "raw values", "0.1"])
        self.assertIn("raw values", self.predt("-q", "--overwrite", "-values", "20,2.5", source, self.path("out.tif")).stderr)
        zeros = self.make("zeros.tif", [[0, 0]])
        self.assertNotIn("raw", self.predt("-q", "--overwrite", zeros, self.path("out.tif")).stderr)

    def test_values_that_make_no_sense_are_refused(self):
        source = self.make("in.tif", [[2, 3]])
        for values in ("", ",", "abc", "1,,2", "1:2:3", "20:10", "5x", "nanx", ":", "1:", "nan:3", "3:nan", "a\nb"):
            with self.subTest(values=values):
                run = self.predt("-q", "-values", values, source, self.path("out.tif"), code=(1, 2))
                self.assertEqual(len(run.stderr.strip().splitlines()), 1)
                self.assert_only("in.tif")

    def test_long_and_odd_texts_are_shown_in_part_on_one_line(self):
        source = self.make("in.tif", [[2, 3]])
        for values in ("x" * 9000, "\u00e4" * 9000, "3," + "y\n" * 5000, "1:" + "9" * 9000):
            line = self.refuse("-values", values, source, self.path("out.tif"))
            self.assertLess(len(line), 400)
            self.assertNotIn("CPLSPrintf", line)
        self.assert_only("in.tif")


if __name__ == "__main__":
    unittest.main()
