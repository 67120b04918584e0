"""Distances along the ellipsoid: what the driver shows is what the command writes, whole, in parts, reduced, as overviews."""
import unittest

import numpy as np
from driver_case import DriverCase, centres
from osgeo import gdal

METRES = {"DISTUNITS": "METRE"}
WORLD = (-180.0, 360 / 1280, 0.0, 90.0, 0.0, -180 / 1152)  # whole numbers of overviews' pixels
REGION = (10.0, 0.01, 0.0, 61.0, 0.0, -0.01)
MERCATOR = (1e6, 3000.0, 0.0, 7e6, 0.0, -3000.0)


class Geodesic(DriverCase):
    def world(self, **more):
        source, _ = self.scattered(rows=1152, cols=1280, density=0.0002, transform=WORLD, epsg=4326, **more)
        return source

    def answers(self, source, *options, product="distance"):
        return self.command_answers(source, "-distunits", "METRE", *options, product=product)

    def cases(self):
        for product in ("distance", "allocation", "direction"):
            yield product, self.world(nodata=9), [], {}
        region, _ = self.scattered("region.tif", rows=700, cols=650, transform=REGION, epsg=4277, nodata=9)
        yield ("distance", region, ["-use_input_nodata", "YES", "-maxdist", "9000"],
               {"USE_INPUT_NODATA": "YES", "MAXDIST": "9000"})
        yield "distance", region, ["-ot", "UInt16"], {"OT": "UInt16"}
        web, _ = self.scattered("web.tif", rows=600, cols=700, transform=MERCATOR, epsg=3857)
        yield "distance", web, ["-metric", "geodesic"], {"METRIC": "geodesic"}

    def test_the_command_writes_the_same(self):
        for product, source, options, open_options in self.cases():
            with self.subTest(product=product, options=options):
                right = self.answers(source, *options, product=product)
                self.assertEqual(self.pixels(f"PREDT:{product}:{source}", **METRES, **open_options).tobytes(), right.tobytes())

    def test_every_overview(self):
        for product, source, options, open_options in self.cases():
            full = self.answers(source, *options, product=product)
            band = self.band(f"PREDT:{product}:{source}", **METRES, **open_options)
            self.assertGreater(band.GetOverviewCount(), 0)
            for level in range(band.GetOverviewCount()):
                overview = band.GetOverview(level)
                right = full[np.ix_(centres(full.shape[0], overview.YSize), centres(full.shape[1], overview.XSize))]
                self.assertEqual(overview.ReadAsArray().tobytes(), right.tobytes(), (source, product, options, level))

    def test_reads_of_any_size(self):
        random = np.random.default_rng(5)
        for product, source, options, open_options in self.cases():
            full = self.answers(source, *options, product=product)
            band = self.band(f"PREDT:{product}:{source}", **METRES, **open_options)
            written = self.band(self.path("command-out.tif"))
            rows, cols = full.shape
            for _ in range(12):
                col, row = int(random.integers(cols)), int(random.integers(rows))
                wide, high = int(random.integers(1, cols - col + 1)), int(random.integers(1, rows - row + 1))
                shown = int(random.integers(1, wide + 1)), int(random.integers(1, high + 1))
                got, right = (b.ReadAsArray(col, row, wide, high, *shown) for b in (band, written))
                self.assertEqual(got.tobytes(), right.tobytes(), (source, product, col, row, wide, high, shown))

    def test_the_block_cache_may_be_too_small_for_a_column(self):
        source = self.world()
        right = self.answers(source)
        before = gdal.GetCacheMax()
        try:
            for size in (0, 3 << 20, 40 << 20):
                gdal.SetCacheMax(size)
                opened = self.open(f"PREDT:distance:{source}", **METRES)
                self.assertEqual(opened.ReadAsArray().tobytes(), right.tobytes())
                self.assertEqual(opened.ReadAsArray(1200, 1000, 80, 152).tobytes(), right[1000:, 1200:].tobytes())
        finally:
            gdal.SetCacheMax(before)

    def test_a_column_of_blocks_is_worked_out_once(self):
        """What a block has taken along is found by the next reads."""
        band = self.band(f"PREDT:distance:{self.world()}", **METRES)
        first = band.ReadAsArray(600, 0, 10, 10)
        used = gdal.GetCacheUsed()
        self.assertGreater(used, 3 * 512 * 512 * 4 - 1)
        band.ReadAsArray(520, 1000, 500, 152)
        self.assertEqual(gdal.GetCacheUsed(), used)
        self.assertEqual(first.shape, (10, 10))

    def test_lengths_on_the_plane_of_degrees_are_refused(self):
        self.refuse_open(f"PREDT:distance:{self.world()}", "geographic", DISTUNITS="KM", METRIC="plane")

    def test_indexes_of_other_units_and_ellipsoids_are_not_shared(self):
        source = self.world()
        metres, degrees = self.pixels(f"PREDT:{source}", **METRES), self.pixels(f"PREDT:{source}", DISTUNITS="GEO")
        feet = self.pixels(f"PREDT:{source}", DISTUNITS="FOOT")
        self.assertGreater(metres.max(), 100 * degrees.max())
        np.testing.assert_allclose(feet, metres / 0.3048, rtol=1e-6)


if __name__ == "__main__":
    unittest.main()
