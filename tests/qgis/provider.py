"""The provider: enabled and listed by qgis_process in a fresh home folder; and what QGIS inside this program sees of it."""
import configparser
import os
import unittest

import qgis_case
from qgis_case import PLUGINS, ProcessCase, main

ALGORITHMS = ("allocation", "direction", "nearestfacility", "proximity")


def algorithm(name):
    from qgis.core import QgsApplication
    return QgsApplication.processingRegistry().createAlgorithmById(name)


class Listed(ProcessCase):
    def test_the_four_algorithms_are_listed(self):
        listed, _ = self.process("list")
        for name in ALGORITHMS:
            self.assertIn("predt:" + name, listed)

    def test_help_is_words(self):
        shown, _ = self.process("help", "predt:nearestfacility")
        self.assertIn("ALL_TOUCHED", shown)
        self.assertNotIn("<img", shown)


class Parameters(unittest.TestCase):
    def test_those_of_gdal_proximity_are_the_same_here_but_nodata(self):
        theirs, ours = algorithm("gdal:proximity"), algorithm("predt:proximity")
        for parameter in theirs.parameterDefinitions():
            with self.subTest(parameter.name()):
                same = ours.parameterDefinition(parameter.name())
                self.assertEqual(same.type(), parameter.type())
                self.assertEqual(same.flags() & same.Flag.FlagOptional, parameter.flags() & parameter.Flag.FlagOptional)
                if parameter.name() != "NODATA":  # 0 there, which hides the targets
                    self.assertEqual(same.defaultValue(), parameter.defaultValue())

    def test_choices_of_gdal_proximity_keep_their_numbers(self):
        theirs, ours = algorithm("gdal:proximity"), algorithm("predt:proximity")
        for name, shared in (("UNITS", 2), ("DATA_TYPE", 7)):
            self.assertEqual(theirs.parameterDefinition(name).options()[:shared],
                             ours.parameterDefinition(name).options()[:shared])

    def test_every_algorithm_has_help_an_icon_and_a_picture(self):
        for name in ALGORITHMS:
            with self.subTest(name):
                made = algorithm("predt:" + name)
                self.assertGreater(len(made.shortHelpString()), 200)
                self.assertFalse(made.icon().pixmap(24, 24).isNull())
                self.assertTrue(os.path.exists(made.svgIconPath()))
                self.assertTrue(os.path.exists(os.path.join(PLUGINS, "predt_processing", "help", name + ".png")))
                self.assertTrue(made.tags() and made.group())


class Unloading(unittest.TestCase):
    def test_it_leaves_and_comes_back(self):
        from qgis.core import QgsApplication
        qgis_case.plugin.unload()
        self.assertIsNone(QgsApplication.processingRegistry().providerById("predt"))
        qgis_case.plugin.initGui()
        self.assertIsNotNone(algorithm("predt:proximity"))


class Metadata(unittest.TestCase):
    def test_it_is_complete(self):
        metadata = configparser.ConfigParser()
        metadata.read(os.path.join(PLUGINS, "predt_processing", "metadata.txt"))
        general = metadata["general"]
        for name in ("name", "description", "about", "version", "qgisMinimumVersion", "author", "tags"):
            self.assertTrue(general[name], name)
        self.assertIn(general["version"] + ":", general["changelog"])
        for name, value in general.items():  # QGIS shows them; addresses are added when the zip is made
            self.assertTrue(value, name)
        self.assertEqual(general["hasProcessingProvider"], "yes")
        self.assertTrue(os.path.exists(os.path.join(PLUGINS, "predt_processing", general["icon"])))

    def test_it_claims_the_versions_that_the_tests_have_run_with_and_no_others(self):
        """3.22 in Debian 12, 3.40 in Debian 13: this one is run in both. What is newer is not claimed."""
        from qgis.core import Qgis
        metadata = configparser.ConfigParser()
        metadata.read(os.path.join(PLUGINS, "predt_processing", "metadata.txt"))
        general, running = metadata["general"], (Qgis.QGIS_VERSION_INT // 10000, Qgis.QGIS_VERSION_INT // 100 % 100)
        self.assertEqual((general["qgisMinimumVersion"], general["qgisMaximumVersion"]), ("3.22", "3.40"))
        self.assertNotIn("supportsQt6", general)
        if running not in ((3, 22), (3, 40)):
            self.skipTest(f"QGIS {running[0]}.{running[1]}")


if __name__ == "__main__":
    main()
