"""Bad input: one line that says what is wrong, and never a crash."""
import unittest

import numpy as np
from driver_case import DriverCase, targets
from osgeo import gdal


class Refusals(DriverCase):
    def setUp(self):
        super().setUp()
        self.source = self.make("in.tif", targets(5, 5, (1, 1, 3)))

    def test_no_such_source(self):
        for name in ("PREDT:distance:/no/such.tif", "PREDT:/no/such.tif", "PREDT:/no/such.tif?product=direction"):
            self.refuse_open(name, "/no/such.tif")
        self.refuse_open(self.write_file("a.predt", {"source": "gone.tif"}), "gone.tif")

    def test_nothing_after_the_prefix(self):
        for name in ("PREDT:", "PREDT:distance:", "PREDT:?product=distance"):
            self.refuse_open(name, "no source is named")

    def test_an_unknown_product(self):
        self.refuse_open(f"PREDT:nearness:{self.source}", "'nearness' is no product")
        self.refuse_open(f"PREDT:{self.source}?product=nearness", "PRODUCT does not take 'nearness'")
        self.refuse_open(f"PREDT:{self.source}", "PRODUCT does not take 'x'", PRODUCT="x")

    def test_an_unknown_option(self):
        self.refuse_open(f"PREDT:{self.source}?maxdistt=5", "there is no option 'maxdistt'")
        self.refuse_open(f"PREDT:{self.source}", "there is no option 'FOO'", FOO=1)
        self.refuse_open(self.write_file("a.predt", {"source": "in.tif", "foo": 1}), "there is no option 'foo'")
        self.refuse_open(f"PREDT:{self.source}?maxdist", "'maxdist' after the last '?' is not NAME=VALUE")

    def test_values_that_make_no_sense(self):
        for name, value in (("BAND", "0"), ("BAND", "1.5"), ("MAXDIST", "-1"), ("MAXDIST", "x"), ("MAXDIST", "nan"),
                            ("MINDIST", ""),
                            ("DISTUNITS", "LEAGUE"), ("NODATA", "none"), ("USE_INPUT_NODATA", "perhaps"), ("OT", "CFloat32"),
                            ("OT", "Int7"), ("FIXED_BUF_VAL", "x"), ("THREADS", "0"), ("MEMORY", "-4G"), ("DEVICE", "-1"),
                            ("GPU_MEMORY", "much"), ("ENGINE", "")):
            self.refuse_open(f"PREDT:{self.source}", f"{name} does not take '{value}'", **{name: value})
        self.refuse_open(f"PREDT:{self.source}", "minimum distance is larger than the maximum", MINDIST=3, MAXDIST=2)
        self.refuse_open(f"PREDT:{self.source}", "no band 2", BAND=2)
        self.refuse_open(f"PREDT:{self.source}", "values: 'x' is not a number", VALUES="x")
        self.refuse_open(f"PREDT:{self.source}", "engine warp: no such engine", ENGINE="warp")
        self.refuse_open(f"PREDT:{self.source}", "nodata 300 does not fit", OT="Byte", NODATA=300)
        self.refuse_open(f"PREDT:{self.source}", "fixed value", OT="Byte", FIXED_BUF_VAL=300)

    def test_lengths_without_a_crs(self):
        bare = self.make("bare.tif", targets(5, 5, (1, 1, 3)), transform=None, epsg=None)
        self.refuse_open(f"PREDT:{bare}", "no CRS", DISTUNITS="METRE")
        self.assertEqual(self.pixels(f"PREDT:{bare}")[1, 4], 3)
        degrees = self.make("degrees.tif", targets(5, 5, (1, 1, 3)), epsg=4326)
        self.refuse_open(f"PREDT:{degrees}", "geographic CRS", DISTUNITS="KM", METRIC="plane")
        self.refuse_open(f"PREDT:{self.source}", "gdalwarp", DISTUNITS="KM", METRIC="geodesic")

    def test_a_sheared_grid(self):
        sheared = self.make("s.tif", targets(3, 3, (0, 0, 1)), transform=(0, 10, 5, 0, 0, -10))
        self.refuse_open(f"PREDT:{sheared}", "gdalwarp", DISTUNITS="GEO")

    def test_files_that_are_no_predt_files(self):
        for text, words in (("{", "is not a JSON object"), ("{}", "names no \"source\""),
                            ('{"source": 5}', "is not a file name"),
                            ('{"source": ["in.tif"]}', "is not a file name"), ('{"source": ""}', "is not a file name"),
                            ('{"source": "in.tif", "maxdist": {}}', "neither a text nor a number"),
                            ('{"source": "in.tif", "maxdist": null}', "neither a text nor a number"),
                            ('{"source": "in.tif"', "is not a JSON object"),
                            ('{"source": "in.tif", "values": [[1]]}', "neither a text nor a number")):
            self.refuse_open(self.write_file("a.predt", text), words)
        self.refuse_open(self.write_file("a.predt", '{"source": "in.tif", "x": "' + "x" * (1 << 21) + '"}'), "cannot read")

    def test_no_writing(self):
        for name in (f"PREDT:distance:{self.source}", self.write_file("a.predt", {"source": "in.tif"})):
            with self.assertRaisesRegex(RuntimeError, "read-only"):
                gdal.OpenEx(name, gdal.OF_RASTER | gdal.OF_UPDATE | gdal.OF_VERBOSE_ERROR)
        self.assertIsNone(gdal.GetDriverByName("PREDT").GetMetadataItem("DCAP_CREATE"))

    def test_no_target_is_a_warning(self):
        empty, heard = self.make("empty.tif", np.zeros((4, 4))), []
        gdal.PushErrorHandler(lambda level, number, message: heard.append((level, message)))
        try:
            got = self.pixels(f"PREDT:distance:{empty}")
        finally:
            gdal.PopErrorHandler()
        self.assertEqual(heard, [(gdal.CE_Warning, "there is no target: every pixel is nodata")])
        self.assert_same(got, np.full((4, 4), np.nan))

    def test_a_source_that_cannot_be_read(self):
        """The pixels are cut off: the header still opens."""
        random = np.random.default_rng(1)
        path = self.make("cut.tif", random.integers(0, 2, (200, 200)))
        with open(path, "r+b") as file:
            file.truncate(5000)
        opened = self.open(f"PREDT:distance:{path}")
        for _ in range(2):
            with self.assertRaisesRegex(RuntimeError, "cannot read"):
                opened.ReadAsArray()

    def test_what_does_not_fit_a_type_is_a_warning(self):
        wide, heard = self.make("wide.tif", targets(1, 400, (0, 0, 1))), []
        gdal.PushErrorHandler(lambda level, number, message: heard.append(message))
        try:
            got = self.pixels(f"PREDT:distance:{wide}", OT="Byte")
        finally:
            gdal.PopErrorHandler()
        self.assertEqual(len(heard), 1, heard)
        self.assertIn("larger than type Byte can hold", heard[0])
        self.assert_same(got, [np.minimum(np.arange(400), 254)])

    def test_all_nodata_values_taken(self):
        taken = self.make("all.tif", [np.arange(256)])
        opened = self.open(f"PREDT:allocation:{taken}", VALUES="notnodata")
        with self.assertRaisesRegex(RuntimeError, "no value is left"):
            opened.ReadAsArray()


if __name__ == "__main__":
    unittest.main()
