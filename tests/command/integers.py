"""Integer outputs are rounded once, half away from zero; what does not fit never looks like nodata in silence."""
import json
import unittest

import numpy as np
from osgeo import gdal
from raster_case import RasterCase, brute_force, targets


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


# Types, their largest value, and a pixel size with which a row of 40 pixels reaches beyond it.
KINDS = {"Byte": (255, 10.3), "UInt16": (65535, 2000.7), "Int16": (32767, 1000.9), "UInt32": (2**32 - 1, 2e8 + 0.3),
         "Int32": (2**31 - 1, 1e8 + 0.7), "UInt64": (2**64 - 1, 1e18), "Int64": (2**63 - 1, 4e17)}
SIGNED_BYTE = (127, 5.3)


def whole(distances, most, nodata):
    """Half away from zero; what is too large is the largest value that is not nodata."""
    top = most - 1 if nodata == most else most
    return [top if np.floor(d + 0.5) >= float(top) + 1 else int(np.floor(d + 0.5)) if d < 2**52 else int(d) for d in distances]


class Encoders(RasterCase):
    """Every integer type, rounded by the core and, where pixels are taken out afterwards, by the command."""

    def row(self, step, nodata=None):
        pixels = targets(1, 40, (0, 0, 1))
        pixels[0, 5] = 7
        return self.make("in.tif", pixels, transform=(0, step, 0, 0, 0, -step), nodata=nodata)

    def signed_byte(self):
        """Only as an existing band can an output be of this type with GDAL before 3.7."""
        made = gdal.GetDriverByName("GTiff").Create(self.path("out.tif"), 40, 1, 1, gdal.GDT_Byte, ["PIXELTYPE=SIGNEDBYTE"])
        opened = gdal.Open(self.path("in.tif"))
        made.SetGeoTransform(opened.GetGeoTransform())
        made.SetProjection(opened.GetProjection())
        made = None

    def encoded(self, name, step, *arguments, nodata=None):
        """The row's pixels as Python numbers, the nodata value, and what was said."""
        source, out = self.row(step, nodata), self.path("out.tif")
        if name == "Int8":
            self.signed_byte()
            run = self.predt("-q", "-values", "1", "-distunits", "GEO", "-dstband", "1", *arguments, source, out)
        else:
            run = self.predt("-q", "--overwrite", "-values", "1", "-distunits", "GEO", "-ot", name, *arguments, source, out)
        opened = gdal.Open(out)
        got = opened.ReadAsArray()[0]
        if name == "Int8":
            got = got.astype(np.uint8).view(np.int8)
        return [int(value) for value in got], opened.GetRasterBand(1).GetNoDataValue(), run.stderr

    def check(self, arguments=(), cleared=(), nodata=None, told=("larger",)):
        for name, (most, step) in {**KINDS, "Int8": SIGNED_BYTE}.items():
            with self.subTest(type=name, arguments=arguments):
                got, tagged, said = self.encoded(name, step, *arguments, nodata=nodata)
                none = int(arguments[arguments.index("-nodata") + 1]) if "-nodata" in arguments else most
                right = whole([step * col for col in range(40)], most, none)
                for col in cleared:
                    right[col] = none
                self.assertEqual(got, right)
                self.assertEqual(float(tagged), float(none))
                for word in told:
                    self.assertIn(word, said)
                cut = sum(1 for col in range(40) if np.floor(step * col + 0.5) > (most - 1 if none == most else most))
                self.assertIn(f"{cut} distances are larger", said)

    def test_by_the_core(self):
        self.check()

    def test_with_a_minimum(self):
        self.check(("-min-dist", "0.001"), cleared=[0])

    def test_with_nodata_of_the_source(self):
        self.check(("-use_input_nodata", "YES"), cleared=[5], nodata=7)

    def test_where_nodata_is_not_the_largest_value(self):
        self.check(("-nodata", "1", "-min-dist", "0.001"), cleared=[0])
        self.check(("-nodata", "1",))
        self.check(("-nodata", "0",), told=["1 pixels with a target in reach have the value that means nodata"])
        self.check(("-nodata", "0", "-use_input_nodata", "YES"), cleared=[5], nodata=7,
                   told=["1 pixels with a target in reach"])

    def test_fixed_values_beside_a_minimum_and_out_of_reach(self):
        for name, (most, step) in {**KINDS, "Int8": SIGNED_BYTE}.items():
            for more, cleared in ((["-min-dist", "0.001"], [0]), ([], []), (["-use_input_nodata", "YES"], [5])):
                with self.subTest(type=name, more=more):
                    limit = step * 20.2
                    got, _, said = self.encoded(name, step, "-fixed-buf-val", "3.5", "-maxdist", limit, *more, nodata=7)
                    right = [4] * 21 + [most] * 19
                    for col in cleared:
                        right[col] = most
                    self.assertEqual(got, right)
                    self.assertEqual(said, "")

    def test_a_fixed_value_that_is_nodata_is_told(self):
        for name, (most, step) in {**KINDS, "Int8": SIGNED_BYTE}.items():
            for more in ([], ["-min-dist", "0.001"]):
                _, _, said = self.encoded(name, step, "-fixed-buf-val", "9", "-nodata", "9", *more)
                self.assertIn(f"{39 if more else 40} pixels with a target in reach have the value that means nodata", said)

    def test_fixed_values_at_the_ends_of_a_type(self):
        source = self.row(1)
        for name, least, most in (("Byte", 0, 255), ("Int16", -32768, 32767), ("UInt16", 0, 65535),
                                  ("Int32", -(2**31), 2**31 - 1),
                                  ("UInt32", 0, 2**32 - 1), ("Int64", -(2**63), 2**62), ("UInt64", 0, 2**63)):
            for value, right in ((least, least), (most, most), (least - 0.4, least), (most + 0.4, most)):
                got = self.distance(source, "-ot", name, "-fixed-buf-val", repr(value), "-nodata", "1")
                self.assertEqual(set(got[0].tolist()), {right})
            for value in (least - 1, most + 1, 1e30, -1e30) if abs(most) < 2**40 else (1e30, -1e30):
                self.refuse("-ot", name, "-fixed-buf-val", repr(value), source, self.path("no.tif"), words=["fixed value"])
        self.refuse("-ot", "Int64", "-fixed-buf-val", "9223372036854775808", source, self.path("no.tif"))
        self.refuse("-ot", "UInt64", "-fixed-buf-val", "18446744073709551616", source, self.path("no.tif"))
        self.refuse("-fixed-buf-val", "1e39", source, self.path("no.tif"), words=["fixed value"])

    def test_real_types(self):
        for name, kind in (("Float32", np.float32), ("Float64", np.float64)):
            for step in (1.0, 30.0, 0.1):
                source, right = self.row(step, 7), (step * np.arange(40.0)).astype(kind)
                for more, cleared in (([], []), (["-min-dist", str(step * 0.5)], [0]), (["-use_input_nodata", "YES"], [5])):
                    with self.subTest(type=name, step=step, more=more):
                        for none in (np.nan, -5.0):
                            expected = right.copy()
                            expected[cleared] = none
                            expected[step * np.arange(40) > 30.5 * step] = none
                            got = self.distance(source, "-values", "1", "-distunits", "GEO", "-ot", name, "-nodata", str(none),
                                                "-maxdist", str(step * 30.5), *more)
                            np.testing.assert_allclose(got[0], expected, rtol=1e-15 if kind is np.float64 else 0)

    def test_real_nodata_that_is_a_distance_is_counted(self):
        source = self.row(1.0)
        for name in ("Float32", "Float64"):
            for more, count in (([], 1), (["-min-dist", "0.5"], 1), (["-fixed-buf-val", "3"], 40)):
                out = self.path("out.tif")
                run = self.predt("-q", "--overwrite", "-values", "1", "-ot", name, "-nodata", "3", *more, source, out)
                self.assertIn(f"{count} pixels with a target in reach", run.stderr)

    def test_a_distance_equal_to_the_minimum_stays(self):
        for name in ("Float32", "Float64", "Int32"):
            got = self.distance(self.row(0.1), "-values", "1", "-distunits", "GEO", "-ot", name, "-min-dist", "0.7", "-nodata",
                                "99")
            self.assertEqual(int((got[0] == 99).sum()), 7)


class Farthest(RasterCase):
    """The largest distance and its first pixel, as -json tells them, whoever rounds."""

    def test_for_every_type(self):
        pixels = targets(70, 50, (0, 0, 1), (69, 3, 1))
        source = self.make("in.tif", pixels, transform=(0, 2, 0, 0, 0, -2))
        d2, _, _ = brute_force(pixels != 0, 2.0, 2.0)
        row, col = np.unravel_index(d2.argmax(), d2.shape)
        for name in ("Byte", "UInt16", "Int16", "UInt32", "Int32", "UInt64", "Int64", "Float32", "Float64"):
            for more in ([], ["-min-dist", "1"], ["-fixed-buf-val", "3"]):
                run = self.predt("-q", "-json", "--overwrite", "-distunits", "GEO", "-ot", name, *more, source,
                                 self.path("out.tif"))
                told = json.loads(run.stdout)["max_distance"]
                with self.subTest(type=name, more=more):
                    self.assertEqual((told["row"], told["col"]), (row, col))
                    self.assertAlmostEqual(told["value"], np.sqrt(d2.max()), places=4)

    def test_of_equals_the_first_in_row_order(self):
        pixels = targets(64 * 3, 31, (96, 15, 1))
        source = self.make("in.tif", pixels)
        for name in ("Float32", "Float64", "Int32"):
            for more in ([], ["-min-dist", "1"]):
                run = self.predt("-q", "-json", "--overwrite", "-ot", name, *more, source, self.path("out.tif"))
                told = json.loads(run.stdout)["max_distance"]
                self.assertEqual((told["row"], told["col"]), (0, 0))


if __name__ == "__main__":
    unittest.main()
