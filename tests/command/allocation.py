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
