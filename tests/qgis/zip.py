"""The zip of the target qgis-plugin: one folder, as QGIS wants it, with the version and the addresses that cmake was given."""
import configparser
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile

CMAKE, BUILD, VERSION = sys.argv[1:4]
PLUGIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "qgis")


def make(path, url="", email=""):
    subprocess.run([CMAKE, f"-DSOURCE={PLUGIN}/predt_processing", f"-DLICENSE={PLUGIN}/../LICENSE", f"-DVERSION={VERSION}",
                    f"-DURL={url}", f"-DEMAIL={email}", f"-DZIP={path}", "-P", f"{PLUGIN}/zip.cmake"], check=True,
                   capture_output=True)
    return zipfile.ZipFile(path)


def metadata_of(packed):
    metadata = configparser.ConfigParser()
    metadata.read_string(packed.read("predt_processing/metadata.txt").decode())
    return metadata["general"]


class Zip(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "plugin.zip")

    def test_the_target_makes_it(self):
        subprocess.run([CMAKE, "--build", BUILD, "--target", "qgis-plugin"], check=True, capture_output=True)
        packed = zipfile.ZipFile(os.path.join(BUILD, "qgis", f"predt_processing-{VERSION}.zip"))
        self.assertEqual(metadata_of(packed)["version"], VERSION)

    def test_it_holds_the_plugin_and_nothing_else(self):
        names = make(self.path).namelist()
        self.assertTrue(all(name.startswith("predt_processing/") for name in names), names)
        for name in ("__init__.py", "metadata.txt", "LICENSE", "icons/predt.svg", "styles/distance.qml"):
            self.assertIn("predt_processing/" + name, names)
        self.assertFalse([name for name in names if name.endswith((".pyc", ".so", ".exe"))])
        self.assertEqual(os.listdir(self.folder.name), ["plugin.zip"])

    def test_there_is_no_field_without_a_value(self):
        for name, value in metadata_of(make(self.path)).items():
            self.assertTrue(value, name)

    def test_addresses_are_filled_in(self):
        general = metadata_of(make(self.path, "https://example.org/predt", "someone@example.org"))
        self.assertEqual(general["repository"], "https://example.org/predt")
        self.assertEqual(general["tracker"], "https://example.org/predt/issues")
        self.assertEqual(general["email"], "someone@example.org")
        self.assertEqual(general["version"], VERSION)
        self.assertEqual(general["qgisminimumversion"], "3.22")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
