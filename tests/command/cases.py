"""Rasters with known right answers, most of them from public bug reports about other tools."""
import unittest

import numpy as np
from raster_case import RasterCase, targets

NAN = np.nan


class Cases(RasterCase):
    def test_e1_a_scan_answers_3_where_root_8_is_right(self):
        source = self.make("e1.tif", targets(6, 6, (0, 4, 1), (2, 3, 2), (3, 0, 3)))
        self.assertEqual(self.distance(source)[0, 1], np.float32(np.sqrt(8)))
        self.assertEqual(self.allocation(source)[0, 1], 2)

    def test_e2_far_corner_of_a_4_x_4(self):
        source = self.make("e2.tif", targets(4, 4, (0, 2, 1), (1, 1, 1), (3, 0, 1)))
        self.assertEqual(self.distance(source)[3, 3], np.float32(np.sqrt(8)))

    def test_e3_far_corner_of_an_8_x_8(self):
        source = self.make("e3.tif", targets(8, 8, (4, 0, 1), (6, 1, 2)))
        self.assertEqual(self.distance(source)[0, 7], np.float32(np.sqrt(65)))
        self.assertEqual(self.allocation(source)[0, 7], 1)

    def test_n1_pixels_that_are_not_square(self):
        source = self.make("n1.tif", targets(3, 3, (2, 2, 7), (1, 0, 9)), transform=(0, 1, 0, 0, 0, -3))
        right = np.sqrt([[9, 10, 13], [0, 1, 4], [4, 1, 0]])
        self.assert_same(self.distance(source, "-distunits", "GEO"), right)
        self.assert_same(self.allocation(source, "-distunits", "GEO"), [[9, 9, 9], [9, 9, 9], [7, 7, 7]])

    def test_r1_a_rotated_grid(self):
        source = self.make("r1.tif", targets(3, 3, (0, 0, 1)), transform=(100, 17.3205080757, 5, 200, 10, -8.66025403784))
        rows, cols = np.mgrid[0:3, 0:3]
        np.testing.assert_allclose(self.distance(source, "-distunits", "GEO"), np.hypot(20 * cols, 10 * rows), rtol=1e-7)

    def test_r2_a_sheared_grid_is_refused(self):
        source = self.make("r2.tif", targets(3, 3, (0, 0, 1)), transform=(0, 10, 5, 0, 0, -10))
        self.refuse("-distunits", "GEO", source, self.path("out.tif"), words=["gdalwarp"])
        self.assert_only("r2.tif")

    def test_d1_nodata_zero(self):
        source = self.make("d1.tif", [[0, 1, 0, 0]], nodata=0)
        self.assert_same(self.distance(source), [[1, 0, 1, 2]])
        self.assert_same(self.distance(source, "-use_input_nodata", "YES"), [[NAN, 0, NAN, NAN]])

    def test_d2_nodata_is_never_a_target_by_default(self):
        source = self.make("d2.tif", [[0, 255, 0, 0, 0]], nodata=255)
        self.assert_same(self.distance(source), [[NAN] * 5])

    def test_f1_nan_is_never_a_target(self):
        source = self.make("f1.tif", [[0, 0, NAN, 0, 0, 0, 2]], dtype=np.float32)
        self.assert_same(self.distance(source), [[6, 5, 4, 3, 2, 1, 0]])
        self.assert_same(self.distance(source, "-use_input_nodata", "YES"), [[6, 5, NAN, 3, 2, 1, 0]])

    def test_z1_no_target_is_a_warning(self):
        source, out = self.make("z1.tif", np.zeros((3, 3))), self.path("out.tif")
        run = self.predt("-q", source, out)
        self.assertIn("target", run.stderr)
        self.assert_same(self.read(out), np.full((3, 3), NAN))
        self.assertTrue(np.isnan(self.nodata(out)))

    def test_b1_65536_rows(self):
        got = self.distance(self.make("b1.tif", targets(65536, 2, (0, 0, 1))))
        self.assertEqual(got[65535, 0], 65535)
        self.assertEqual(got[65535, 1], np.float32(np.sqrt(65535.0**2 + 1)))

    def test_b2_65535_is_a_distance_like_any_other(self):
        source, out = self.make("b2.tif", targets(1, 65537, (0, 0, 1))), self.path("out.tif")
        self.predt("-q", source, out)
        self.assert_same(self.read(out), [np.arange(65537)])
        self.assertTrue(np.isnan(self.nodata(out)))

    def test_a1_a_million_to_one(self):
        source = self.make("a1.tif", targets(5, 5, (0, 0, 1)), transform=(0, 1, 0, 0, 0, -1e6))
        rows, cols = np.mgrid[0:5, 0:5].astype(float)
        self.assert_same(self.distance(source, "-distunits", "GEO"), np.sqrt(cols**2 + 1e12 * rows**2))

    def test_t1_west_wins(self):
        source = self.make("t1.tif", targets(3, 3, (1, 0, 1), (1, 2, 2)))
        self.assert_same(self.allocation(source), [[1, 1, 2]] * 3)

    def test_t2_west_wins_over_north(self):
        source = self.make("t2.tif", targets(5, 5, (0, 4, 1), (4, 0, 2)))
        self.assertEqual(self.allocation(source)[2, 2], 2)

    def test_t3_one_row_or_one_column(self):
        self.assert_same(self.distance(self.make("row.tif", targets(1, 8, (0, 0, 1)))), [np.arange(8)])
        self.assert_same(self.distance(self.make("col.tif", targets(8, 1, (0, 0, 1)))), np.arange(8)[:, None])
        self.assert_same(self.distance(self.make("one.tif", [[1]])), [[0]])

    def test_m1_the_maximum_is_inclusive(self):
        source = self.make("m1.tif", targets(1, 6, (0, 0, 1)))
        self.assert_same(self.distance(source, "-maxdist", "3"), [[0, 1, 2, 3, NAN, NAN]])

    def test_v1_ranges_take_both_ends(self):
        source = self.make("v1.tif", [[10, 0, 20, 0, 30, 0]])
        self.assert_same(self.distance(source, "-values", "10:20"), [[0, 1, 0, 1, 2, 3]])

    def test_a_tenth_of_a_metre_is_inclusive_too(self):
        source = self.make("tenth.tif", targets(1, 6, (0, 0, 1)), transform=(0, 0.1, 0, 0, 0, -0.1))
        got = self.distance(source, "-distunits", "GEO", "-maxdist", "0.3")
        self.assert_same(np.isnan(got), [[False, False, False, False, True, True]])

    def test_int16_with_geo_is_rounded_once(self):
        source = self.make("i.tif", targets(6, 6, (0, 0, 1)), transform=(0, 30, 0, 0, 0, -30))
        rows, cols = np.mgrid[0:6, 0:6]
        right = np.floor(30 * np.hypot(rows, cols) + 0.5)
        self.assert_same(self.distance(source, "-distunits", "GEO", "-ot", "Int16"), right.astype(np.int16))


if __name__ == "__main__":
    unittest.main()
