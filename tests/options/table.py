"""The command and the driver take what the table of options says that they take."""
import unittest
import xml.etree.ElementTree as xml

import numpy as np
from options_case import OPTIONS, ROOT, good_value, of, spellings
from osgeo import gdal
from raster_case import RasterCase, targets


class Table(RasterCase):
    def parse(self, *arguments, code=0):
        """The command with -help, so that it reads its arguments and does nothing."""
        return self.predt(*arguments, "-help", code=code)

    def test_every_spelling_is_taken(self):
        said = [text for option in of("command") for name in spellings(option)
                for text in ([name, good_value(option)] if option["value"] else [name])]
        self.assertGreater(len(said), 100)
        self.parse(*said)

    def test_no_spelling_is_an_option_twice(self):
        for who in ("command", "driver", "algorithm"):
            names = [name.lower() for option in of(who) for name in option[who].split()]
            self.assertEqual(sorted(names), sorted(set(names)))

    def test_every_choice_is_taken_and_others_are_not(self):
        self.parse(*[text for option in of("command") for choice in option["choices"]
                     for text in ("-" + option["command"].split()[0], choice)])
        for option in of("command"):
            name = "-" + option["command"].split()[0]
            if option["choices"]:
                line = self.refuse(name, "nonsense", code=2)
                for choice in option["choices"]:
                    self.assertIn(choice, line)

    def test_a_number_below_the_minimum_is_refused_with_it(self):
        tried = 0
        for option in of("command"):
            if option["kind"] not in ("whole", "number", "threads") or option["min"] is None:
                continue
            name, low = "-" + option["command"].split()[0], option["min"]
            self.parse(name, f"{low:g}")
            self.assertIn(f"from {low:g} on", self.refuse(name, f"{low - 1:g}", code=2))
            tried += 1
        self.assertGreaterEqual(tried, 5)

    def test_help_says_names_value_and_default(self):
        text = " ".join(self.parse().stdout.split())
        for option in of("command"):
            names = option["command"].split()
            self.assertIn(f"{names[-1]} {option['value']} " if option["value"] else f"{names[-1]} ", text)
            self.assertIn(option["help"], text)
            if option["preset_words"]:
                self.assertIn(f"(default: {option['preset_words']})", text)
            elif option["preset"]:
                self.assertIn(f"(default {option['preset']})", text)

    def test_saying_the_defaults_changes_nothing(self):
        source = self.make("in.tif", targets(9, 7, (2, 3, 5), (8, 0, 1)))
        said = [text for option in of("command") if option["preset"] and option["command"] != "dstband"
                for text in ("-" + option["command"].split()[0], option["preset"])]
        self.assertGreater(len(said), 14)
        right, got = self.distance(source), self.distance(source, *said)
        self.assertEqual(got.dtype, right.dtype)
        self.assert_same(got, right)

    def test_the_default_type_and_band_are_those_of_the_table(self):
        preset = {option["driver"]: option["preset"] for option in of("driver")}
        source, out = self.make("in.tif", np.stack([targets(3, 3, (0, 0, 1)), targets(3, 3, (2, 2, 1))])), self.path("out.tif")
        self.predt("-q", source, out)
        opened = gdal.Open(out)
        band = opened.GetRasterBand(1)
        self.assertEqual(gdal.GetDataTypeName(band.DataType), preset["OT"])
        self.assert_same(band.ReadAsArray(), self.distance(source, "-b", preset["BAND"]))

    def test_the_option_list_of_the_driver_is_well_formed_and_complete(self):
        with open(f"{ROOT}/gdal_driver/options_xml.h") as file:
            pieces = [line.strip().rstrip("\\").strip()[1:-1] for line in file if line.startswith('    "')]
        tree = xml.fromstring("".join(pieces))
        self.assertEqual([option.get("name") for option in tree], [option["driver"] for option in of("driver")])
        for option, element in zip(of("driver"), tree):
            listed = option["choices"] if option["kind"] == "choice" else []
            self.assertEqual([value.text for value in element.iter("Value")], listed)

    def test_every_option_concerns_a_product_unless_the_command_alone_has_it(self):
        for option in OPTIONS:
            if option["driver"] or option["algorithm"]:
                self.assertTrue(option["products"], option)


if __name__ == "__main__":
    unittest.main()
