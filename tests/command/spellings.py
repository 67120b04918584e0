"""Every option in both spellings, and the lines the command prints about itself."""
import json
import unittest

import numpy as np
from osgeo import gdal
from raster_case import RasterCase, targets


class Spellings(RasterCase):
    def setUp(self):
        super().setUp()
        self.bands = np.stack([targets(4, 9, (1, 1, 3), (2, 7, 5)), targets(4, 9, (3, 8, 3))])
        self.source = self.make("in.tif", self.bands, transform=(0, 30, 0, 0, 0, -30))

    def both(self, old, new):
        """The distance for two ways of saying the same, which must not differ; returns it."""
        first, second = self.distance(self.source, *old), self.distance(self.source, *new)
        self.assert_same(first, second)
        return first

    def test_band(self):
        self.assertEqual(self.both(["-srcband", 2], ["--band", 2])[3, 8], 0)

    def test_values(self):
        self.assertEqual(self.both(["-values", "5"], ["--target-values", "5"])[1, 1], np.float32(np.hypot(6, 1)))

    def test_units(self):
        self.assertEqual(self.both(["-distunits", "GEO"], ["--distance-units", "GEO"])[0, 1], 30)

    def test_maximum(self):
        self.assertTrue(np.isnan(self.both(["-maxdist", "2"], ["--max-distance", "2"])[0, 4]))

    def test_fixed_value(self):
        got = self.both(["-fixed-buf-val", "7", "-maxdist", "2"], ["--fixed-value", "7", "--max-distance", "2"])
        self.assertEqual(set(got[np.isfinite(got)]), {7.0})

    def test_nodata(self):
        for new in ("--nodata", "--output-nodata"):
            self.assertEqual(self.both(["-nodata", "-9", "-maxdist", "1"], [new, "-9", "--max-distance", "1"])[0, 4], -9)

    def test_type(self):
        self.assertEqual(self.both(["-ot", "UInt16"], ["--ot", "UInt16"]).dtype, np.uint16)

    def test_format(self):
        for spelling in (["-of", "HFA"], ["-f", "HFA"], ["--of", "HFA"]):
            out = self.path(f"{spelling[0]}.out")
            self.predt("-q", *spelling, self.source, out)
            self.assertEqual(gdal.Open(out).GetDriver().ShortName, "HFA")

    def test_creation_options(self):
        for spelling in ("-co", "--co"):
            out = self.path(f"{spelling}.tif")
            self.predt("-q", spelling, "COMPRESS=LZW", spelling, "TILED=YES", self.source, out)
            opened = gdal.Open(out)
            self.assertEqual(opened.GetMetadataItem("COMPRESSION", "IMAGE_STRUCTURE"), "LZW")
            self.assertEqual(opened.GetRasterBand(1).GetBlockSize(), [256, 256])

    def test_distance_is_the_same_as_dst(self):
        self.predt("-q", self.source, self.path("a.tif"))
        self.predt("-q", "-distance", self.path("b.tif"), self.source)
        self.assert_same(self.read(self.path("a.tif")), self.read(self.path("b.tif")))

    def test_threads_and_memory_and_engine(self):
        right = self.distance(self.source)
        for more in ("-threads 1", "-threads ALL_CPUS", "-memory 64M", "-memory 1G", "-engine auto", "-engine cpu",
                     "-device 3 -gpu-memory 1G"):
            self.assert_same(self.distance(self.source, *more.split()), right)

    def test_config(self):
        out = self.path("out.tif")
        self.predt("-q", "--config", "GDAL_NUM_THREADS", "1", self.source, out)
        self.assertEqual(self.read(out)[1, 1], 0)


class AboutItself(RasterCase):
    def test_help_names_every_option(self):
        text = self.predt("--help").stdout
        for option in ("srcband dstband of co ot values distunits maxdist nodata use_input_nodata fixed-buf-val allocation "
                       "direction distance min-dist threads memory engine engines device gpu-memory json target-values "
                       "distance-units max-distance fixed-value output-nodata band overwrite version").split():
            self.assertIn(f"-{option}", text)
        for unit in "PIXEL GEO METRE KM FOOT US_FOOT MILE NMI".split():
            self.assertIn(unit, text)

    def test_version(self):
        self.assertRegex(self.predt("--version").stdout, r"\d+\.\d+\.\d+")

    def test_formats(self):
        self.assertIn("GTiff", self.predt("--formats").stdout)

    def test_engines(self):
        lines = self.predt("-engines").stdout.splitlines()
        self.assertTrue(any(line.startswith("cpu") for line in lines), lines)

    def test_an_engine_refuses_settings_that_it_has_not(self):
        source = self.make("in.tif", np.eye(40, dtype=np.uint8))
        self.refuse("-engine", "cpu:step=3", source, self.path("out.tif"), words=["cpu", "step"])

    def test_usage_errors_end_with_2(self):
        source = self.make("in.tif", [[1, 0]])
        out = self.path("out.tif")
        for wrong in ([], [source], ["-no-such-option", source, out], [source, out, "third"], ["-maxdist"],
                      ["-maxdist", "far", source, out], ["-maxdist", "-1", source, out], ["-distunits", "LEAGUE", source, out],
                      ["-ot", "Float31", source, out], ["-threads", "0", source, out], ["-memory", "lots", source, out],
                      ["-device", "-1", source, out], ["-gpu-memory", "lots", source, out],
                      ["-use_input_nodata", "PERHAPS", source, out], ["-co", "COMPRESS", source, out],
                      ["-srcband", "0", source, out]):
            with self.subTest(arguments=wrong):
                run = self.predt(*wrong, code=2)
                self.assertTrue(run.stderr)
                self.assertFalse(run.stdout)
        self.assert_only("in.tif")

    def test_a_wrong_word_gets_the_right_ones(self):
        source, out = self.make("in.tif", [[1, 0]]), self.path("out.tif")
        for option, wrong, right in (("-distunits", "miles", "PIXEL GEO METRE KM FOOT US_FOOT MILE NMI"),
                                     ("-ot", "Float31", "Byte UInt16 Int16 UInt32 Int32 Float32 Float64 Int64 UInt64"),
                                     ("-use_input_nodata", "PERHAPS", "YES NO"), ("-threads", "some", "ALL_CPUS"),
                                     ("-memory", "lots", "512M"), ("-gpu-memory", "lots", "512M"), ("-nodata", "none", "nan"),
                                     ("-maxdist", "far", "number"), ("-co", "COMPRESS", "NAME=VALUE"), ("-b", "red", "number")):
            for arguments in ([option, wrong], [f"-{option}={wrong}"]):
                self.refuse(*arguments, source, out, code=2, words=[option, wrong, *right.split()])
        self.assertNotIn("CFloat32", self.refuse("-ot", "CInt16", source, out, code=2))
        self.assert_only("in.tif")

    def test_a_message_is_one_line_of_bounded_length(self):
        source, out = self.make("in.tif", [[1, 0]]), self.path("out.tif")
        for text in ("a\nb\r\nc\td", "x" * 20000, "\u00e9" * 9000, "\x1b[31mred\n"):
            for option in ("-distunits", "-ot", "-use_input_nodata", "-threads", "-memory", "-nodata", "-maxdist", "-min-dist",
                           "-co",
                           "-b", "-dstband", "-fixed-buf-val", "-device", "-values", "-engine", "-no-such-"):
                with self.subTest(option=option, text=text[:20]):
                    arguments = [option + text] if option.endswith("-") else [option, text]
                    line = self.refuse(*arguments, source, out, code=(1, 2))
                    self.assertLess(len(line), 700)
                    self.assertNotIn("CPLSPrintf", line)
                    self.assertNotIn("\x1b", line)
                    if not option.endswith("-"):
                        self.refuse(f"-{option}={text}", source, out, code=(1, 2))
            self.refuse(source, out, text, code=2)
            self.refuse("-ot", "Byte", "-nodata", "1" * 9000, source, out)
            self.refuse("--json=" + text, source, out, code=2)
        self.assert_only("in.tif")

    def test_an_unknown_engine_is_never_replaced(self):
        source = self.make("in.tif", [[1, 0]])
        self.refuse("-engine", "abacus", source, self.path("out.tif"), words=["abacus", "auto", "cpu"])
        self.assert_only("in.tif")

    def test_progress_goes_to_stderr_and_runs_to_100(self):
        source = self.make("in.tif", np.eye(300))
        run = self.predt(source, self.path("out.tif"))
        self.assertFalse(run.stdout)
        self.assertEqual(run.stderr.strip(), "0...10...20...30...40...50...60...70...80...90...100 - done.")
        self.assertFalse(self.predt("-q", source, self.path("quiet.tif")).stderr)
        self.assertFalse(self.predt("-quiet", source, self.path("quiet2.tif")).stderr)

    def test_json(self):
        source = self.make("in.tif", targets(5, 7, (0, 0, 1), (0, 1, 1)), transform=(0, 10, 0, 0, 0, -10))
        run = self.predt("-q", "-json", "-distunits", "GEO", source, self.path("out.tif"))
        told = json.loads(run.stdout)
        self.assertEqual((told["width"], told["height"], told["targets"]), (7, 5, 2))
        self.assertAlmostEqual(told["max_distance"]["value"], np.hypot(50, 40), places=4)
        self.assertEqual((told["max_distance"]["col"], told["max_distance"]["row"]), (6, 4))
        self.assertEqual(told["engine"], "cpu")
        for stage in ("index", "solve", "write", "total"):
            self.assertGreaterEqual(told["seconds"][stage], 0)
        self.assertEqual(told["bytes"], {"read": 35, "written": 140})

    def test_json_without_a_target(self):
        source = self.make("in.tif", np.zeros((2, 2)))
        told = json.loads(self.predt("-q", "-json", source, self.path("out.tif")).stdout)
        self.assertEqual(told["targets"], 0)
        self.assertIsNone(told["max_distance"])


if __name__ == "__main__":
    unittest.main()
