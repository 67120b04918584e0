"""Integer outputs are rounded once, half away from zero; what does not fit never looks like nodata in silence."""
import unittest

import numpy as np
from raster_case import RasterCase, targets


class Integers(RasterCase):
    def test_half_is_rounded_up(self):
        source = self.make("in.tif", targets(1, 6, (0, 0, 1)), transform=(0, 0.5, 0, 0, 0, -0.5))
        self.assert_same(self.distance(source, "-distunits", "GEO", "-ot", "Int32"), np.array([[0, 1, 1, 2, 2, 3]], np.int32))

    def test_every_integer_type_rounds_alike(self):
        source = self.make("in.tif", targets(9, 9, (0, 0, 1)))
        rows, cols = np.mgrid[0:9, 0:9]
        right = np.floor(np.hypot(rows, cols) + 0.5)
        for name in ("Byte", "UInt16", "Int16", "UInt32", "Int32", "UInt64", "Int64"):
            got = self.distance(source, "-ot", name)
            self.assert_same(got, right.astype(got.dtype))

    def test_float64_is_not_rounded_to_float32(self):
        source = self.make("in.tif", targets(5, 5, (0, 0, 1)))
        rows, cols = np.mgrid[0:5, 0:5].astype(float)
        self.assert_same(self.distance(source, "-ot", "Float64"), np.sqrt(rows**2 + cols**2))

    def test_what_does_not_fit_is_cut_with_one_warning_and_is_not_nodata(self):
        source, out = self.make("in.tif", targets(1, 600, (0, 0, 1))), self.path("out.tif")
        run = self.predt("-q", "-ot", "Byte", source, out)
        self.assertEqual(len(run.stderr.strip().splitlines()), 1, run.stderr)
        self.assert_same(self.read(out), [np.minimum(np.arange(600), 254).astype(np.uint8)])
        self.assertEqual(self.nodata(out), 255)

    def test_out_of_reach_does_not_warn(self):
        source, out = self.make("in.tif", targets(1, 600, (0, 0, 1))), self.path("out.tif")
        self.assertEqual(self.predt("-q", "-ot", "Byte", "-maxdist", "200", source, out).stderr, "")

    def test_a_nodata_value_that_is_also_a_distance_is_told(self):
        source, out = self.make("in.tif", targets(1, 6, (0, 0, 1))), self.path("out.tif")
        run = self.predt("-q", "-ot", "Int16", "-nodata", "3", source, out)
        self.assertIn("nodata", run.stderr)

    def test_fixed_values_round_too(self):
        source = self.make("in.tif", targets(1, 4, (0, 0, 1)))
        self.assert_same(self.distance(source, "-ot", "Byte", "-fixed-buf-val", "1", "-maxdist", "1", "-nodata", "0"),
                         np.array([[1, 1, 0, 0]], np.uint8))


if __name__ == "__main__":
    unittest.main()
