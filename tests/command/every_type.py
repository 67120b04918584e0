"""-values in a band of every type: ends, ranges, many of them, and nodata cut out, against Python's own comparisons."""
import time
import unittest

import numpy as np
from osgeo import gdal
from raster_case import RasterCase

# Least and largest value of every type that a band of this GDAL may have.
ENDS = {kind: (np.iinfo(kind).min, np.iinfo(kind).max) for kind in
        (np.uint8, np.uint16, np.int16, np.uint32, np.int32, np.uint64, np.int64)}
REAL = (np.float32, np.float64)


class EveryType(RasterCase):
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
            for nodata in (30, 40, 35):
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
        if hasattr(gdal, "GDT_Int8"):  # GDAL 3.7
            source = self.make("in.tif", [[-1, -2, 0, 1, -128]], np.int8)
        else:
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
