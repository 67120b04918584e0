"""The allocation: values carried bit by bit, and everything that gives them a meaning."""
import unittest

import numpy as np
from osgeo import gdal
from raster_case import RasterCase, targets

KINDS = {np.uint8: [1, 255], np.uint16: [1, 65535], np.int16: [-32768, 32767], np.uint32: [1, 4294967295],
         np.int32: [-(2**31), 2**31 - 1], np.int64: [-(2**63), 2**53 + 1], np.uint64: [2**64 - 1, 2**53 + 1],
         np.float32: [0.1, -1e30], np.float64: [0.1, 1e-300]}


class Allocation(RasterCase):
    def test_every_type_carries_its_values_unchanged(self):
        for kind, (west, east) in KINDS.items():
            with self.subTest(type=kind.__name__):
                source = self.make(f"{kind.__name__}.tif", np.array([[west, 0, 0, 0, east]], kind), kind)
                got = self.allocation(source)
                self.assertEqual(got.dtype, kind)
                self.assert_same(got, np.array([[west, west, west, east, east]], kind))

    def test_out_of_reach_is_a_nodata_that_no_target_has(self):
        for kind, (west, east) in KINDS.items():
            with self.subTest(type=kind.__name__):
                source = self.make(f"{kind.__name__}.tif", np.array([[west, 0, 0, 0, 0, 0, east]], kind), kind)
                out = self.path("a.tif")
                self.predt("-q", "--overwrite", "-maxdist", "1", "-allocation", out, source)
                nodata, got = self.nodata(out), self.read(out)
                self.assertIsNotNone(nodata)
                self.assertNotIn(nodata, (west, east))
                reached = np.array([1, 1, 0, 0, 0, 1, 1], bool)
                self.assert_same(got[0][reached], np.array([west, west, east, east], kind))
                rest = got[0][~reached]
                self.assertTrue(np.isnan(rest).all() if nodata != nodata else (rest == kind(nodata)).all())

    def test_the_nodata_of_the_source_is_kept(self):
        source, out = self.make("in.tif", [[9, 3, 0, 0]], nodata=9), self.path("a.tif")
        self.predt("-q", "-maxdist", "1", "-allocation", out, source)
        self.assertEqual(self.nodata(out), 9)
        self.assert_same(self.read(out), [[3, 3, 3, 9]])

    def test_zero_as_a_target_is_no_nodata(self):
        source, out = self.make("in.tif", [[0, 5, 5, 5]]), self.path("a.tif")
        self.predt("-q", "-values", "0", "-maxdist", "1", "-allocation", out, source)
        self.assertNotEqual(self.nodata(out), 0)
        self.assert_same(self.read(out)[0, :2], [0, 0])

    def test_a_target_of_the_nodata_value_gets_another_nodata(self):
        source, out = self.make("in.tif", [[9, 0, 0, 0]], nodata=9), self.path("a.tif")
        self.predt("-q", "-values", "9", "-maxdist", "1", "-allocation", out, source)
        self.assertNotEqual(self.nodata(out), 9)
        self.assert_same(self.read(out)[0, :2], [9, 9])

    def test_input_nodata_is_nodata_on_request(self):
        source = self.make("in.tif", [[9, 3, 0, 4]], nodata=9)
        self.assert_same(self.allocation(source, "-use_input_nodata", "YES"), [[9, 3, 3, 4]])

    def test_colours_names_and_attributes_are_copied(self):
        source, out = self.make("in.tif", targets(2, 4, (0, 0, 1), (1, 3, 2))), self.path("a.tif")
        opened = gdal.Open(source, gdal.GA_Update)
        band = opened.GetRasterBand(1)
        colours = gdal.ColorTable()
        colours.SetColorEntry(1, (10, 20, 30, 255))
        colours.SetColorEntry(2, (200, 100, 50, 255))
        band.SetColorTable(colours)
        band.SetCategoryNames(["none", "north", "south"])
        table = gdal.RasterAttributeTable()
        table.CreateColumn("Value", gdal.GFT_Integer, gdal.GFU_MinMax)
        table.CreateColumn("Name", gdal.GFT_String, gdal.GFU_Name)
        table.SetValueAsInt(0, 0, 1)
        table.SetValueAsString(0, 1, "north hospital")
        band.SetDefaultRAT(table)
        band = opened = None
        self.predt("-q", "-allocation", out, source)
        opened = gdal.Open(out)
        band = opened.GetRasterBand(1)
        self.assertEqual(band.GetColorTable().GetColorEntry(2), (200, 100, 50, 255))
        self.assertEqual(band.GetCategoryNames()[:3], ["none", "north", "south"])
        self.assertEqual(band.GetDefaultRAT().GetValueAsString(0, 1), "north hospital")

    def test_scale_and_offset_are_copied_with_the_unit(self):
        source, out = self.make("in.tif", targets(1, 4, (0, 0, 30)), np.int16), self.path("a.tif")
        opened = gdal.Open(source, gdal.GA_Update)
        band = opened.GetRasterBand(1)
        band.SetScale(0.1)
        band.SetOffset(-5)
        band.SetUnitType("m")
        band = opened = None
        self.predt("-q", "-allocation", out, "-direction", self.path("w.tif"), source, self.path("d.tif"))
        opened = gdal.Open(out)
        band = opened.GetRasterBand(1)
        self.assertEqual((band.GetScale(), band.GetOffset(), band.GetUnitType()), (0.1, -5, "m"))
        self.assert_same(band.ReadAsArray(), [[30, 30, 30, 30]])
        for other in ("d.tif", "w.tif"):
            opened = gdal.Open(self.path(other))
            self.assertIn(opened.GetRasterBand(1).GetScale(), (None, 1))
            self.assertIn(opened.GetRasterBand(1).GetOffset(), (None, 0))

    def test_nan_as_a_target_is_not_nodata(self):
        for kind, bits, nans in ((np.float32, np.uint32, (0x7FC00000, 0xFFC01234)),
                                 (np.float64, np.uint64, (0x7FF8000000000000, 0xFFF8000000001234))):
            for nan in nans:
                pixels = np.array([[0, 0, 3, 0, 0, 0, 0]], kind)
                pixels.view(bits)[0, 6] = nan
                source, out = self.make("in.tif", pixels, kind), self.path("a.tif")
                self.predt("-q", "--overwrite", "-values", "nan,3", "-maxdist", "1", "-allocation", out, source)
                got, nodata = self.read(out), self.nodata(out)
                self.assertEqual(nodata, 0)
                self.assert_same(got, np.array([[0, 3, 3, 3, 0, np.nan, np.nan]], kind))
                self.assertEqual(got.view(bits)[0, 6], nan)

    def test_both_zeros_are_one_number(self):
        for kind in (np.float32, np.float64):
            source, out = self.make("in.tif", [[-0.0, 5, 5, 5]], kind, nodata=0), self.path("a.tif")
            run = self.predt("-q", "--overwrite", "-values", "0", "-maxdist", "1", "-allocation", out, source)
            self.assertNotEqual(self.nodata(out), 0)
            self.assertIn("nodata", run.stderr)

    def test_the_last_value_of_a_byte_that_is_free(self):
        for free in (0, 1, 126, 127, 128, 254, 255):
            pixels = [[value for value in range(256) if value != free] + [free] * 3]
            source, out = self.make("in.tif", pixels, nodata=9), self.path("a.tif")
            values = ",".join(f"{a}:{b}" for a, b in ((0, free - 1), (free + 1, 255)) if a <= b) + (",9" if free != 9 else "")
            self.predt("-q", "--overwrite", "-nodata", "7", "-values", values, "-maxdist", "1", "-allocation", out, source)
            self.assertEqual(self.nodata(out), free)
            self.assert_same(self.read(out)[0, -2:], [free, free])

    def test_no_value_is_left(self):
        source = self.make("in.tif", [list(range(256))])
        self.refuse("-values", "0:255", "-allocation", self.path("a.tif"), source, words=["no value is left"])
        self.assert_only("in.tif")

    def test_nodata_of_the_user_and_of_the_type(self):
        for kind in (np.int16, np.uint32, np.int64, np.float32):
            source, out = self.make("in.tif", [[0, 5, 5, 5]], kind), self.path("a.tif")
            self.predt("-q", "--overwrite", "-values", "0", "-nodata", "77", "-maxdist", "1", "-allocation", out, source)
            self.assertEqual(self.nodata(out), 77)
            self.assert_same(self.read(out), [[0, 0, 77, 77]])
            run = self.predt("-q", "--overwrite", "-values", "0,5", "-nodata", "5", "-allocation", out, source)
            self.assertNotIn(self.nodata(out), (0, 5))
            self.assertIn("the value asked for is a target's", run.stderr)

    def test_pixels_that_are_cleared_get_the_nodata(self):
        for kind in KINDS:
            pixels = [[9, 3, 0, 9, 4, 0]]
            source, out = self.make("in.tif", pixels, kind, nodata=9), self.path("a.tif")
            self.predt("-q", "--overwrite", "-use_input_nodata", "YES", "-min-dist", "0.5", "-allocation", out, source)
            self.assert_same(self.read(out), np.array([[9, 9, 3, 9, 9, 4]], kind))

    def test_one_bit_rasters(self):
        source = self.make("in.tif", targets(3, 9, (1, 4, 1)), options=["NBITS=1"])
        self.assert_same(self.allocation(source), np.ones((3, 9), np.uint8))

    def test_all_three_outputs_in_one_pass(self):
        source = self.make("in.tif", targets(1, 3, (0, 0, 6)))
        names = [self.path(name) for name in ("d.tif", "a.tif", "w.tif")]
        self.predt("-q", "-allocation", names[1], "-direction", names[2], source, names[0])
        self.assert_same(self.read(names[0]), [[0, 1, 2]])
        self.assert_same(self.read(names[1]), [[6, 6, 6]])
        self.assert_same(self.read(names[2]), [[0, 270, 270]])


class Direction(RasterCase):
    def direction(self, *arguments, **more):
        source, out = self.make("in.tif", targets(3, 3, (1, 1, 1)), **more), self.path("w.tif")
        self.predt("-q", *arguments, "-direction", out, source)
        return out

    def test_azimuth_from_the_pixel_to_its_target(self):
        out = self.direction()
        self.assert_same(self.read(out), [[135, 180, 225], [90, 0, 270], [45, 360, 315]])
        self.assertTrue(np.isnan(self.nodata(out)))

    def test_a_south_up_raster(self):
        out = self.direction(transform=(0, 1, 0, 0, 0, 1))
        self.assert_same(self.read(out), [[45, 360, 315], [90, 0, 270], [135, 180, 225]])

    def test_a_rotated_raster(self):
        c, s = 10 * np.cos(np.pi / 6), 5.0
        out = self.direction(transform=(0, c, s, 0, s, -c))
        np.testing.assert_allclose(self.read(out), [[105, 150, 195], [60, 0, 240], [15, 330, 285]], atol=1e-4)

    def test_out_of_reach_is_nan(self):
        out = self.direction("-maxdist", "1")
        self.assert_same(np.isnan(self.read(out)), [[True, False, True], [False, False, False], [True, False, True]])


if __name__ == "__main__":
    unittest.main()
