"""What the driver shows is what the command writes: pixels, type, nodata, unit, classes, place."""
import os
import subprocess
import unittest

import numpy as np
from driver_case import UTM, DriverCase
from osgeo import gdal

SETS = [  # options of the command, the same of the driver
    ([], {}),
    (["-distunits", "GEO"], {"DISTUNITS": "GEO"}),
    (["-distunits", "KM", "-maxdist", "1.5"], {"DISTUNITS": "KM", "MAXDIST": "1.5"}),
    (["-values", "1:60", "-nodata", "-1"], {"VALUES": "1:60", "NODATA": "-1"}),
    (["-min-dist", "3", "-maxdist", "20"], {"MINDIST": "3", "MAXDIST": "20"}),
    (["-ot", "Int16", "-distunits", "GEO"], {"OT": "Int16", "DISTUNITS": "GEO"}),
    (["-ot", "Byte", "-maxdist", "40", "-fixed-buf-val", "7"], {"OT": "Byte", "MAXDIST": "40", "FIXED_BUF_VAL": "7"}),
    (["-ot", "Float64"], {"OT": "Float64"}),
    (["-ot", "UInt64", "-distunits", "METRE"], {"OT": "UInt64", "DISTUNITS": "METRE"}),
    (["-use_input_nodata", "YES"], {"USE_INPUT_NODATA": "YES"}),
    (["-values", "notnodata", "-engine", "cpu", "-threads", "1"], {"VALUES": "notnodata", "ENGINE": "cpu", "THREADS": "1"}),
]


class SameBytes(DriverCase):
    def compare(self, source, options, open_options, product):
        out = self.path("command.tif")
        named = [source, out] if product == "distance" else [f"-{product}", out, source]
        self.predt("-q", "--overwrite", *options, *named)
        shown, written = self.open(f"PREDT:{product}:{source}", **open_options), gdal.Open(out)
        a, b = shown.GetRasterBand(1), written.GetRasterBand(1)
        with self.subTest(product=product, options=options):
            self.assertEqual(a.ReadAsArray().tobytes(), b.ReadAsArray().tobytes())
            self.assertEqual(a.DataType, b.DataType)
            self.assertEqual(repr(a.GetNoDataValue()), repr(b.GetNoDataValue()))
            self.assertEqual(a.GetUnitType(), b.GetUnitType())
            self.assertEqual(a.GetDescription(), b.GetDescription())
            self.assertEqual(a.GetMaskFlags(), b.GetMaskFlags())
            self.assertEqual(shown.GetGeoTransform(), written.GetGeoTransform())
            self.assertTrue(shown.GetSpatialRef().IsSame(written.GetSpatialRef()))
            self.assertEqual(shown.GetMetadataItem("AREA_OR_POINT"), written.GetMetadataItem("AREA_OR_POINT"))

    def test_every_option_and_product(self):
        source, _ = self.scattered(nodata=9, options=["TILED=YES", "BLOCKXSIZE=64", "BLOCKYSIZE=64"])
        for options, open_options in SETS:
            for product in ("distance", "allocation", "direction"):
                self.compare(source, options, open_options, product)

    def test_every_type_of_source(self):
        for dtype in (np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64):
            source, _ = self.scattered(f"{np.dtype(dtype).name}.tif", rows=70, cols=90, dtype=dtype)
            for product in ("distance", "allocation"):
                self.compare(source, [], {}, product)
                self.compare(source, ["-values", "0:30"], {"VALUES": "0:30"}, product)

    def test_nodata_of_an_allocation_that_hangs_on_the_targets(self):
        source = self.make("all.tif", [[0, 0, 3, 4]])
        self.compare(source, ["-values", "0,3"], {"VALUES": "0,3"}, "allocation")
        self.compare(source, ["-values", "0:2", "-maxdist", "1"], {"VALUES": "0:2", "MAXDIST": "1"}, "allocation")

    def test_other_bands_and_masks(self):
        source = self.make("two.tif", [[[1, 0, 0, 0]], [[0, 0, 0, 2]]])
        self.compare(source, ["-band", "2"], {"BAND": "2"}, "distance")
        masked = gdal.Open(source, gdal.GA_Update)
        masked.CreateMaskBand(gdal.GMF_PER_DATASET)
        masked.GetRasterBand(1).GetMaskBand().WriteArray(np.array([[0, 255, 255, 255]], np.uint8))
        masked = None
        self.compare(source, ["-values", "notnodata"], {"VALUES": "notnodata"}, "allocation")

    def test_classes_come_along(self):
        hospitals = os.path.join(os.path.dirname(__file__), "..", "..", "sample_rasters", "hospitals.tif")
        out = self.path("allocation.tif")
        self.predt("-q", "-allocation", out, hospitals)
        a, b = self.band(f"PREDT:allocation:{hospitals}"), self.band(out)
        self.assertEqual(a.GetColorTable().GetColorEntry(5), b.GetColorTable().GetColorEntry(5))
        self.assertEqual(a.GetDefaultRAT().GetRowCount(), b.GetDefaultRAT().GetRowCount())
        self.assertEqual(a.GetColorInterpretation(), b.GetColorInterpretation())
        self.assertIsNone(self.band(f"PREDT:distance:{hospitals}").GetColorTable())

    def test_gdal_translate(self):
        source, _ = self.scattered(rows=700, cols=611)
        whole, out = self.command_answers(source), self.path("out.tif")

        def translate(*options):
            subprocess.run(["gdal_translate", "-q", *options, f"PREDT:distance:{source}", out], check=True, capture_output=True)
            return self.read(out)

        self.assert_same(translate(), whole)
        self.assert_same(translate("-co", "TILED=YES", "-co", "COMPRESS=DEFLATE"), whole)
        self.assert_same(translate("-srcwin", "100", "250", "301", "77"), whole[250:327, 100:401])
        self.assert_same(translate("-projwin", str(UTM[0] + 300), str(UTM[3] - 600), str(UTM[0] + 900), str(UTM[3] - 3000)),
                         whole[20:100, 10:30])

    def test_200_random_windows(self):
        source, _ = self.scattered(rows=2100, cols=1537, density=0.0005)
        whole = self.command_answers(source, "-distunits", "GEO")
        band = self.band(f"PREDT:distance:{source}", DISTUNITS="GEO")
        random = np.random.default_rng(7)
        for _ in range(200):
            col, row = int(random.integers(1537)), int(random.integers(2100))
            cols, rows = int(random.integers(1, 1538 - col)), int(random.integers(1, 2101 - row))
            got = band.ReadAsArray(col, row, cols, rows)
            self.assertEqual(got.tobytes(), np.ascontiguousarray(whole[row:row + rows, col:col + cols]).tobytes(),
                             (col, row, cols, rows))

    def test_a_vrt_and_gdalwarp(self):
        source, _ = self.scattered(rows=500, cols=420)
        written, vrt = self.path("d.tif"), self.path("d.vrt")
        self.predt("-q", source, written)
        gdal.BuildVRT(vrt, f"PREDT:distance:{source}").FlushCache()
        self.assert_same(self.pixels(vrt), self.read(written))
        for method in ("near", "bilinear", "average"):
            answers = []
            for name in (f"PREDT:distance:{source}", written):
                out = self.path("warped.tif")
                subprocess.run(["gdalwarp", "-q", "-overwrite", "-ovr", "NONE", "-r", method, "-t_srs", "EPSG:4326", name, out],
                               check=True, capture_output=True)
                answers.append(self.read(out))
            self.assertEqual(answers[0].tobytes(), answers[1].tobytes(), method)


if __name__ == "__main__":
    unittest.main()
