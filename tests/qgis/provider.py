"""The provider: enabled and listed by qgis_process in a fresh home folder; help; parameters of gdal:proximity."""
import configparser
import os

from qgis_case import PLUGINS, ProcessCase, main

ALGORITHMS = ("predt:allocation", "predt:direction", "predt:nearestfacility", "predt:proximity")


class Provider(ProcessCase):
    def test_the_four_algorithms_are_listed(self):
        listed, _ = self.process("list")
        for name in ALGORITHMS:
            self.assertIn(name, listed)

    def test_help_names_the_parameters(self):
        for name in ALGORITHMS:
            with self.subTest(name):
                shown, _ = self.process("help", name)
                self.assertIn("UNITS", shown)
                self.assertNotIn("<img", shown)

    def test_a_parameter_of_gdal_proximity_means_the_same_here(self):
        theirs, ours = (self.process("help", name)[0] for name in ("gdal:proximity", "predt:proximity"))
        for name in ("INPUT", "BAND", "VALUES", "UNITS", "MAX_DISTANCE", "REPLACE", "NODATA", "OPTIONS", "EXTRA", "DATA_TYPE",
                     "OUTPUT"):
            with self.subTest(name):
                self.assertIn(f"\n{name}: ", theirs)
                self.assertEqual(kind(theirs, name), kind(ours, name))
        for choice in ("0: Georeferenced coordinates", "1: Pixel coordinates", "0: Byte", "5: Float32", "6: Float64"):
            self.assertIn(choice, theirs)
            self.assertIn(choice, ours)

    def test_metadata_is_complete(self):
        metadata = configparser.ConfigParser()
        metadata.read(os.path.join(PLUGINS, "predt_processing", "metadata.txt"))
        general = metadata["general"]
        for name in ("name", "description", "about", "version", "qgisMinimumVersion", "author", "tags"):
            self.assertTrue(general[name], name)
        for name in ("email", "homepage", "tracker", "repository"):  # filled in when the zip is made
            self.assertIn(name, general)
        self.assertEqual(general["hasProcessingProvider"], "yes")
        self.assertTrue(os.path.exists(os.path.join(PLUGINS, "predt_processing", general["icon"])))


def kind(help_text, name):
    """The line "Argument type" of a parameter."""
    return next(line for line in help_text.split(f"\n{name}: ")[1].splitlines() if "Argument type" in line)


if __name__ == "__main__":
    main(inside=False)
