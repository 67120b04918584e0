"""Reduced reads and overviews: each pixel is the full raster's at the centre of what it stands for, byte for byte."""
import subprocess
import unittest

import numpy as np
from driver_case import DriverCase, centres
from osgeo import gdal

SIZES = [(512, 768), (999, 1001), (1031, 701), (1, 3000), (3000, 1), (640, 2049)]


class Reduced(DriverCase):
    def cases(self):
        for number, (rows, cols) in enumerate(SIZES):
            source, _ = self.scattered(f"s{number}.tif", rows=rows, cols=cols, seed=number,
                                       density=[0.0003, 0.01, 0.2][number % 3])
            for product in ("distance", "allocation", "direction"):
                yield source, product, self.command_answers(source, product=product)

    def test_every_overview(self):
        for source, product, full in self.cases():
            band = self.band(f"PREDT:{product}:{source}")
            rows, cols = full.shape
            self.assertEqual(band.GetOverviewCount() > 0, max(rows, cols) > 256)
            for level in range(band.GetOverviewCount()):
                overview = band.GetOverview(level)
                factor = 2 << level
                self.assertEqual((overview.YSize, overview.XSize), (-(-rows // factor), -(-cols // factor)))
                right = full[np.ix_(centres(rows, overview.YSize), centres(cols, overview.XSize))]
                self.assertEqual(overview.ReadAsArray().tobytes(), right.tobytes(), (source, product, level))
            self.assertLessEqual(max(overview.XSize, overview.YSize), 256)

    def test_reads_of_any_size_equal_those_of_the_written_raster(self):
        random = np.random.default_rng(3)
        for source, product, full in self.cases():
            band = self.band(f"PREDT:{product}:{source}")
            written = self.band(self.path("command-out.tif"))
            rows, cols = full.shape
            for _ in range(25):
                col, row = int(random.integers(cols)), int(random.integers(rows))
                wide, high = int(random.integers(1, cols - col + 1)), int(random.integers(1, rows - row + 1))
                shown = int(random.integers(1, wide + 1)), int(random.integers(1, high + 1))
                got, right = (b.ReadAsArray(col, row, wide, high, *shown) for b in (band, written))
                self.assertEqual(got.tobytes(), right.tobytes(), (source, product, col, row, wide, high, shown))
                got, right = (b.ReadAsArray(col + 0.25, row, max(wide - 0.6, 1), high, *shown) for b in (band, written))
                self.assertEqual(got.tobytes(), right.tobytes(), (source, product, col, row, wide, high, shown))

    def test_other_types_and_spacings_of_the_buffer(self):
        source, _ = self.scattered(rows=900, cols=700)
        full = self.command_answers(source)
        opened = self.open(f"PREDT:distance:{source}")
        right = full[np.ix_(centres(900, 90), centres(700, 70))]
        got = opened.GetRasterBand(1).ReadAsArray(buf_xsize=70, buf_ysize=90, buf_type=gdal.GDT_Float64)
        self.assert_same(got, right.astype(float))
        spread = np.frombuffer(opened.ReadRaster(buf_xsize=70, buf_ysize=90, buf_pixel_space=12, buf_line_space=1000), np.uint8)
        for row in (0, 45, 89):
            pixels = [spread[row * 1000 + 12 * i:row * 1000 + 12 * i + 4].tobytes() for i in range(70)]
            self.assertEqual(b"".join(pixels), right[row].tobytes())

    def test_gdal_translate_outsize(self):
        source, _ = self.scattered(rows=1003, cols=777)
        full, out = self.command_answers(source), self.path("out.tif")
        subprocess.run(["gdal_translate", "-q", "-outsize", "100", "130", f"PREDT:distance:{source}", out], check=True)
        self.assert_same(self.read(out), full[np.ix_(centres(1003, 130), centres(777, 100))])

    def test_other_resampling_goes_through_the_overviews(self):
        source, _ = self.scattered(rows=1024, cols=1024)
        full = self.command_answers(source).astype(float)
        band = self.band(f"PREDT:distance:{source}")
        got = band.ReadAsArray(buf_xsize=128, buf_ysize=128, resample_alg=gdal.GRIORA_Average)
        right = full.reshape(128, 8, 128, 8).mean(axis=(1, 3))
        self.assertLess(np.abs(got - right).max(), 8)  # pixels: averages of samples, not of all

    def test_a_mask_is_reduced_with_its_band(self):
        source, _ = self.scattered(rows=600, cols=600, density=0.00005)
        full = self.command_answers(source, "-maxdist", "40")
        band = self.band(f"PREDT:distance:{source}", MAXDIST=40)
        mask = band.GetMaskBand().ReadAsArray(buf_xsize=60, buf_ysize=60)
        self.assert_same(mask != 0, ~np.isnan(full[np.ix_(centres(600, 60), centres(600, 60))]))

    def test_nodata_of_the_source_and_a_minimum(self):
        source, pixels = self.scattered(rows=700, cols=500, nodata=7, density=0.05)
        options = ["-use_input_nodata", "YES", "-min-dist", "2"]
        full = self.command_answers(source, *options)
        band = self.band(f"PREDT:distance:{source}", USE_INPUT_NODATA="YES", MINDIST=2)
        got = band.ReadAsArray(buf_xsize=300, buf_ysize=333)
        self.assert_same(got, full[np.ix_(centres(700, 333), centres(500, 300))])
        self.assert_same(band.ReadAsArray(33, 44, 200, 300), full[44:344, 33:233])


if __name__ == "__main__":
    unittest.main()
