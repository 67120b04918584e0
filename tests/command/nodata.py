"""What counts as no data in the source: nodata values, NaN, mask bands, alpha; and what the outputs do with it."""
import unittest

import numpy as np
from osgeo import gdal
from raster_case import RasterCase, brute_force, targets

NAN = np.nan


class Nodata(RasterCase):
    def test_nodata_pixels_get_a_distance_unless_asked_otherwise(self):
        source = self.make("in.tif", [[9, 1, 0, 9]], nodata=9)
        self.assert_same(self.distance(source), [[1, 0, 1, 2]])
        self.assert_same(self.distance(source, "-use_input_nodata", "NO"), [[1, 0, 1, 2]])
        self.assert_same(self.distance(source, "-use_input_nodata", "YES"), [[NAN, 0, 1, NAN]])

    def test_a_nodata_value_of_float32(self):
        source = self.make("in.tif", [[0, 1, -9999, 0]], np.float32, nodata=-9999)
        self.assert_same(self.distance(source), [[1, 0, 1, 2]])
        self.assert_same(self.distance(source, "-use_input_nodata", "YES"), [[1, 0, NAN, 2]])

    def test_a_nodata_value_that_float32_rounds(self):
        source = self.make("in.tif", [[0, 1, -3.4028234663852886e38]], np.float32, nodata=-3.4028234663852886e38)
        self.assert_same(self.distance(source, "-use_input_nodata", "YES"), [[1, 0, NAN]])

    def test_int64_nodata(self):
        source = self.make("in.tif", [[2**53 + 1, 2**53, 0]], np.int64)
        opened = gdal.Open(source, gdal.GA_Update)
        opened.GetRasterBand(1).SetNoDataValue(2**53 + 1)
        opened = None
        self.assert_same(self.distance(source), [[1, 0, 1]])

    def test_nan_as_nodata_value(self):
        source = self.make("in.tif", [[NAN, 1, 0]], np.float32, nodata=NAN)
        self.assert_same(self.distance(source, "-use_input_nodata", "YES"), [[NAN, 0, 1]])

    def test_infinity_is_a_value_like_any_other(self):
        self.assert_same(self.distance(self.make("in.tif", [[0, np.inf, 0]], np.float32)), [[1, 0, 1]])

    def masked(self, pixels, mask, internal):
        source = self.make("in.tif", pixels)
        gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", internal)
        opened = gdal.Open(source, gdal.GA_Update)
        opened.CreateMaskBand(gdal.GMF_PER_DATASET)
        opened.GetRasterBand(1).GetMaskBand().WriteArray(np.array(mask, np.uint8))
        opened = None
        return source

    def test_a_mask_band(self):
        for internal in ("YES", "NO"):
            source = self.masked([[1, 0, 1, 0]], [[255, 255, 0, 0]], internal)
            self.assert_same(self.distance(source), [[0, 1, 2, 3]])
            self.assert_same(self.distance(source, "-use_input_nodata", "YES"), [[0, 1, NAN, NAN]])

    def test_an_alpha_band(self):
        source = self.make("in.tif", [[[1, 0, 1, 0]], [[255, 255, 0, 255]]])
        opened = gdal.Open(source, gdal.GA_Update)
        opened.GetRasterBand(2).SetColorInterpretation(gdal.GCI_AlphaBand)
        opened = None
        self.assert_same(self.distance(source), [[0, 1, 2, 3]])
        self.assert_same(self.distance(source, "-use_input_nodata", "YES"), [[0, 1, NAN, 3]])

    def with_alpha(self, bands, alpha, kind=np.uint8, nodata=None):
        """Bands of one row, of which number `alpha` (from 1) is alpha."""
        source = self.make("in.tif", [[band] for band in bands], kind, nodata=nodata, options=["INTERLEAVE=BAND"])
        opened = gdal.Open(source, gdal.GA_Update)
        for number in range(1, opened.RasterCount + 1):
            opened.GetRasterBand(number).SetColorInterpretation(
                gdal.GCI_AlphaBand if number == alpha else gdal.GCI_Undefined)
        opened = None
        return source

    def test_alpha_in_any_band(self):
        for count in (2, 4, 5):
            for alpha in {1, 3, count} if count > 2 else {1, 2}:
                bands = [[1, 0, 1, 0, 0]] * count
                bands[alpha - 1] = [255, 255, 0, 1, 0]
                source = self.with_alpha(bands, alpha)
                for band in {1 if alpha > 1 else 2, count - 1 if alpha == count else count}:  # the first and the last other
                    with self.subTest(count=count, alpha=alpha, band=band):
                        self.assert_same(self.distance(source, "-b", band), [[0, 1, 2, 3, 4]])
                        got = self.distance(source, "-b", band, "-use_input_nodata", "YES")
                        self.assert_same(got, [[0, 1, NAN, 3, NAN]])

    def test_the_alpha_band_itself_is_data(self):
        for count in (2, 4, 5):
            source = self.with_alpha([[0, 0, 0, 0]] * (count - 1) + [[0, 255, 1, 0]], count)
            self.assert_same(self.distance(source, "-b", count, "-use_input_nodata", "YES"), [[1, 0, 0, 1]])
            self.assert_same(self.distance(source, "-b", count, "-values", "0"), [[0, 1, 1, 0]])

    def test_alpha_of_other_types(self):
        for kind, faint in ((np.uint16, 1), (np.uint16, 256), (np.int16, 7), (np.uint32, 2**32 - 1), (np.float32, 0.001),
                            (np.float64, 0.3)):
            for count in (2, 5):
                bands = [[1, 0, 1, 1]] * (count - 1) + [[1, 1, 0, faint]]
                source = self.with_alpha(bands, count, kind)
                with self.subTest(type=kind.__name__, faint=faint, bands=count):
                    self.assert_same(self.distance(source), [[0, 1, 1, 0]])
                    self.assert_same(self.distance(source, "-use_input_nodata", "YES"), [[0, 1, NAN, 0]])

    def test_alpha_beside_a_nodata_value(self):
        for count in (2, 4, 5):
            for kind in (np.uint8, np.uint16, np.float32):
                bands = [[1, 9, 1, 0, 0, 0]] * (count - 1) + [[1, 1, 0, 1, 1, 0]]
                source = self.with_alpha(bands, count, kind, nodata=9)
                with self.subTest(bands=count, type=kind.__name__):
                    self.assert_same(self.distance(source), [[0, 1, 2, 3, 4, 5]])
                    self.assert_same(self.distance(source, "-use_input_nodata", "YES"), [[0, NAN, NAN, 3, 4, NAN]])

    def test_a_mask_beside_a_nodata_value_and_beside_alpha(self):
        for kind in (np.uint8, np.float32):
            for count in (1, 2, 4, 5):
                bands = [[1, 9, 1, 1, 0, 0]] * max(1, count - 1) + [[1, 1, 1, 0, 1, 1]] * (count > 1)
                source = self.with_alpha(bands, count if count > 1 else 0, kind, nodata=9)
                opened = gdal.Open(source, gdal.GA_Update)
                opened.CreateMaskBand(gdal.GMF_PER_DATASET)
                opened.GetRasterBand(1).GetMaskBand().WriteArray(np.array([[255, 255, 0, 255, 255, 0]], np.uint8))
                opened = None
                with self.subTest(bands=count, type=kind.__name__):
                    right = [[0, 1, 2, 3, 4, 5]] if count > 1 else [[0, 1, 1, 0, 1, 2]]
                    self.assert_same(self.distance(source), right)
                    masked = [[0, NAN, NAN, NAN, 4, NAN]] if count > 1 else [[0, NAN, NAN, 0, 1, NAN]]
                    self.assert_same(self.distance(source, "-use_input_nodata", "YES"), masked)

    def test_alpha_in_large_rasters_and_allocations(self):
        random = np.random.default_rng(5)
        pixels, alpha = random.integers(0, 40, (150, 90)), random.integers(0, 3, (150, 90))
        source = self.make("in.tif", [pixels, pixels, pixels, pixels, alpha], options=["TILED=YES", "BLOCKXSIZE=16",
                                                                                       "BLOCKYSIZE=16"])
        opened = gdal.Open(source, gdal.GA_Update)
        opened.GetRasterBand(5).SetColorInterpretation(gdal.GCI_AlphaBand)
        opened = None
        d2, row, col = brute_force((pixels == 3) & (alpha > 0))
        self.assert_same(self.distance(source, "-b", 4, "-values", "3"), np.sqrt(d2))
        self.assert_same(self.distance(source, "-b", 4, "-values", "3", "-use_input_nodata", "YES"),
                         np.where(alpha > 0, np.sqrt(d2), NAN))
        d2, row, col = brute_force((pixels > 0) & (alpha > 0))
        self.assert_same(self.allocation(source, "-b", 4), pixels[row, col])

    def test_a_target_that_was_asked_for_by_name_is_data(self):
        source = self.make("in.tif", [[9, 0, 9, 1]], nodata=9)
        self.assert_same(self.distance(source, "-values", "9", "-use_input_nodata", "YES"), [[0, 1, 0, 1]])
        self.assert_same(self.distance(source, "-values", "1", "-use_input_nodata", "YES"), [[NAN, 2, NAN, 0]])
        source = self.make("in.tif", [[NAN, 0, NAN, 1]], np.float32)
        self.assert_same(self.distance(source, "-values", "nan", "-use_input_nodata", "YES"), [[0, 1, 0, 1]])
        self.assert_same(self.distance(source, "-values", "1", "-use_input_nodata", "YES"), [[NAN, 2, NAN, 0]])

    def test_complex_bands_are_refused(self):
        source = self.make("in.tif", [[1, 0]], np.complex64)
        self.refuse(source, self.path("out.tif"), words=["complex"])
        self.assert_only("in.tif")


class OutputNodata(RasterCase):
    MAXIMA = {"Byte": 255, "UInt16": 65535, "Int16": 32767, "UInt32": 2**32 - 1, "Int32": 2**31 - 1,
              "Int64": 2**63 - 1, "UInt64": 2**64 - 1}

    def test_the_maximum_of_an_integer_type_by_default(self):
        source = self.make("in.tif", targets(1, 4, (0, 0, 1)))
        for name, most in self.MAXIMA.items():
            with self.subTest(type=name):
                out = self.path(f"{name}.tif")
                self.predt("-q", "-ot", name, "-maxdist", "1", source, out)
                self.assertEqual(self.nodata(out), most)
                self.assert_same(self.read(out), np.array([[0, 1, most, most]], self.read(out).dtype))

    def test_nan_for_real_types(self):
        source = self.make("in.tif", targets(1, 4, (0, 0, 1)))
        for name in ("Float32", "Float64"):
            out = self.path(f"{name}.tif")
            self.predt("-q", "-ot", name, "-maxdist", "1", source, out)
            self.assertTrue(np.isnan(self.nodata(out)))
            self.assert_same(self.read(out), [[0, 1, NAN, NAN]])

    def test_the_value_asked_for(self):
        source, out = self.make("in.tif", targets(1, 4, (0, 0, 1))), self.path("out.tif")
        self.predt("-q", "-nodata", "-1", "-maxdist", "1", source, out)
        self.assertEqual(self.nodata(out), -1)
        self.assert_same(self.read(out), [[0, 1, -1, -1]])

    def test_a_value_that_does_not_fit_is_refused_before_work(self):
        source = self.make("in.tif", targets(1, 4, (0, 0, 1)))
        for kind, value in (("Byte", "-1"), ("Byte", "256"), ("Int16", "1.5"), ("UInt16", "nan")):
            self.refuse("-ot", kind, "-nodata", value, source, self.path("out.tif"))
        self.refuse("-ot", "Byte", "-fixed-buf-val", "300", source, self.path("out.tif"))
        self.assert_only("in.tif")

    def test_input_nodata_and_out_of_reach_look_alike(self):
        source = self.make("in.tif", [[0, 9, 1, 9, 0]], nodata=9)
        got = self.distance(source, "-use_input_nodata", "YES", "-nodata", "-5", "-maxdist", "1")
        self.assert_same(got, [[-5, -5, 0, -5, -5]])


if __name__ == "__main__":
    unittest.main()
