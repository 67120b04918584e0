"""-values: numbers with fractions, ranges, notnodata; compared in the band's own type."""
import time
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


# Least and largest value of every type that a band of this GDAL may have.
ENDS = {kind: (np.iinfo(kind).min, np.iinfo(kind).max) for kind in
        (np.uint8, np.uint16, np.int16, np.uint32, np.int32, np.uint64, np.int64)}
REAL = (np.float32, np.float64)


class EveryType(RasterCase):
    """Marks in every type, of few and of many ranges, against Python's own comparisons."""

    def check(self, kind, pixels, values, right, nodata=None):
        source = self.make("in.tif", [pixels], kind)
        if nodata is not None:
            opened = gdal.Open(source, gdal.GA_Update)
            opened.GetRasterBand(1).SetNoDataValue(nodata)
            opened = None
        self.predt("-q", "--overwrite", *(["-values", values] if values else []), source, self.path("out.tif"))
        with self.subTest(type=kind.__name__, values=values):
            self.assertEqual(list(np.flatnonzero(self.read(self.path("out.tif"))[0] == 0)),
                             [i for i, pixel in enumerate(pixels) if right(pixel)])

    def test_few_and_many_numbers_and_ranges(self):
        for kind in (*ENDS, *REAL):
            pixels = list(range(0, 120))
            self.check(kind, pixels, "7,30:33,99", lambda v: v in (7, 30, 31, 32, 33, 99))
            many = [number for number in range(118, 2, -3)]
            self.check(kind, pixels, ",".join(map(str, many)), lambda v: v in many)
            self.check(kind, pixels, "40:60,50:70,45,10:10,71,75:80,76:78", lambda v: 40 <= v <= 71 or v == 10 or 75 <= v <= 80)

    def test_ends_of_integers(self):
        for kind, (least, most) in ENDS.items():
            pixels = [least, least + 1, least + 2, 100, most - 2, most - 1, most]
            whole = 10**25
            self.check(kind, pixels, f"{most}", lambda v: v == most)
            self.check(kind, pixels, f"{least}", lambda v: v == least)
            self.check(kind, pixels, f"{most - 1}:{whole}", lambda v: v >= most - 1)
            self.check(kind, pixels, f"{-whole}:{least + 1}", lambda v: v <= least + 1)
            self.check(kind, pixels, f"{-whole}:{whole}", lambda v: True)
            self.check(kind, pixels, "99.5:100.5", lambda v: v == 100)
            self.check(kind, pixels, f"99.5:{whole}", lambda v: v >= 100)
            self.check(kind, pixels, f"{-whole}:100.5", lambda v: v <= 100)
            self.check(kind, pixels, "-0.5:0.5,100", lambda v: v in (0, 100))

    def test_a_range_beyond_an_end_selects_nothing(self):
        for kind, (least, most) in ENDS.items():
            source = self.make("in.tif", [[100, most, least]], kind)
            for values in (f"{most * 10 + 1}:{most * 20}", f"{-10**25}:{-10**21}", "100.2:100.8"):
                self.refuse("-values", values, source, self.path("out.tif"), words=["cannot occur"])
                told = self.predt("-q", "--overwrite", "-values", f"100,{values}", source, self.path("some.tif")).stderr
                self.assertIn("cannot occur", told)
                self.assert_same(self.read(self.path("some.tif")), [[0, 1, 2]])

    def test_nodata_is_cut_out_of_ranges(self):
        for kind in (*ENDS, *REAL):
            pixels = list(range(0, 100))
            for nodata in (30, 40, 35, 29, 41):
                self.check(kind, pixels, "30:40", lambda v: 30 <= v <= 40 and v != nodata, nodata)
            self.check(kind, pixels, f"30:40,{35}", lambda v: 30 <= v <= 40, 35)
            self.check(kind, pixels, "notnodata", lambda v: v != 55, 55)
            self.check(kind, pixels, None, lambda v: v not in (0, 55), 55)
            self.check(kind, pixels, None, lambda v: v != 0, 0)
        for kind, (least, most) in ENDS.items():
            pixels = [least, least + 1, 100, most - 1, most]
            for nodata in (least, most):
                if abs(nodata) < 2**53:
                    self.check(kind, pixels, "notnodata", lambda v: v != nodata, nodata)
                    self.check(kind, pixels, None, lambda v: v not in (0, nodata), nodata)

    def test_negative_numbers_by_default_and_in_ranges(self):
        for kind in (np.int16, np.int32, np.int64, *REAL):
            pixels = [-5, -4, -1, 0, 1, 4]
            self.check(kind, pixels, None, lambda v: v != 0)
            self.check(kind, pixels, None, lambda v: v not in (0, -4), -4)
            self.check(kind, pixels, "-4.5:-0.5", lambda v: v in (-4, -1))
            self.check(kind, pixels, "-10:-1", lambda v: v < 0)

    def test_bytes_with_signs(self):
        source = self.make("in.tif", [[255, 254, 0, 1, 128]], options=["PIXELTYPE=SIGNEDBYTE"])
        for values, right in (("-1", [0]), ("-128:-2", [1, 4]), ("-1:1", [0, 2, 3]), (None, [0, 1, 3, 4])):
            got = self.distance(source, *(["-values", values] if values else []))
            self.assertEqual(list(np.flatnonzero(got[0] == 0)), right)

    def test_ends_of_real_numbers(self):
        for kind in REAL:
            largest = float(np.finfo(kind).max)
            pixels = [-np.inf, -largest, 0, largest, np.inf]
            self.check(kind, pixels, "1:inf", lambda v: v >= 1)
            self.check(kind, pixels, "-inf:-1", lambda v: v <= -1)
            self.check(kind, pixels, "inf", lambda v: v == np.inf)
            self.check(kind, pixels, f"1:{largest!r}", lambda v: v == largest)
            self.check(kind, pixels, "1:1e999", lambda v: v >= 1)
            self.check(kind, pixels, "-1e999:-1", lambda v: v <= -1)

    def test_half_a_mebibyte_of_descending_values_is_quick(self):
        """A list as a .predt file may hold it; an optfile carries it past the limit of an argument."""
        source = self.make("in.tif", [[5, 165000, 0]], np.uint32)
        with open(self.path("options"), "w") as options:
            options.write("-values " + ",".join(str(i) for i in range(199999, 100000, -1)))
        start = time.monotonic()
        self.predt("-q", "--optfile", self.path("options"), source, self.path("out.tif"))
        self.assert_same(self.read(self.path("out.tif")), [[1, 0, 1]])
        self.assertLess(time.monotonic() - start, 20)


if __name__ == "__main__":
    unittest.main()
