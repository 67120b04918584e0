"""The ways in which a PREDT dataset can be named."""
import os
import unittest

import numpy as np
from driver_case import DriverCase
from osgeo import gdal


class Names(DriverCase):
    def setUp(self):
        super().setUp()
        self.source, _ = self.scattered()
        self.distance = self.command_answers(self.source)
        self.allocation = self.command_answers(self.source, product="allocation")
        self.direction = self.command_answers(self.source, product="direction")

    def test_each_product(self):
        for product in ("distance", "allocation", "direction"):
            self.assert_same(self.pixels(f"PREDT:{product}:{self.source}"), getattr(self, product))
            self.assert_same(self.pixels(f"predt:{product.upper()}:{self.source}"), getattr(self, product))
            self.assert_same(self.pixels(f"PREDT:{self.source}?product={product}"), getattr(self, product))
            self.assert_same(self.pixels(f"PREDT:{self.source}", PRODUCT=product), getattr(self, product))

    def test_without_a_product_it_is_the_distance_and_the_others_are_listed(self):
        opened = self.open(f"PREDT:{self.source}?values=1:100&distunits=KM", MAXDIST=3)
        listed = opened.GetSubDatasets()
        self.assertEqual([text for _, text in listed], [
            "distance to the nearest target", "value of the nearest target", "direction to the nearest target"])
        options = ["-values", "1:100", "-distunits", "KM", "-maxdist", 3]
        for (name, _), product in zip(listed, ("distance", "allocation", "direction")):
            self.assert_same(self.pixels(name), self.command_answers(self.source, *options, product=product))
        self.assertEqual(self.open(f"PREDT:distance:{self.source}").GetSubDatasets(), [])

    def test_a_path_after_a_product_is_taken_as_it_is(self):
        odd = self.path("what?a=1&b:c.tif")
        os.rename(self.source, odd)
        self.assert_same(self.pixels(f"PREDT:distance:{odd}"), self.distance)
        self.assert_same(self.pixels(f"PREDT:{odd}?product=direction"), self.direction)  # the last '?' counts

    def test_values_in_a_query_may_be_escaped(self):
        self.assert_same(self.pixels(f"PREDT:{self.source}?values=1%2C7%2C10:20"),
                         self.command_answers(self.source, "-values", "1,7,10:20"))

    def test_open_options_win(self):
        self.assert_same(self.pixels(f"PREDT:{self.source}?maxdist=5", MAXDIST=7),
                         self.command_answers(self.source, "-maxdist", 7))

    def test_names_of_options_are_known_in_every_spelling(self):
        right = self.command_answers(self.source, "-maxdist", 9, "-min-dist", 2)
        for query in ("maxdist=9&mindist=2", "MAX-DISTANCE=9&MIN_DISTANCE=2", "max_distance=9&min-dist=2"):
            self.assert_same(self.pixels(f"PREDT:{self.source}?{query}"), right)

    def test_every_option_that_is_declared_is_known(self):
        declared = gdal.GetDriverByName("PREDT").GetMetadataItem("DMD_OPENOPTIONLIST")
        names = [piece.split("'")[1] for piece in declared.split("<Option ")[1:]]
        values = {"PRODUCT": "distance", "BAND": "1", "VALUES": "1", "DISTUNITS": "KM", "METRIC": "plane", "MAXDIST": "9",
                  "MINDIST": "0", "NODATA": "-1",
                  "USE_INPUT_NODATA": "NO", "FIXED_BUF_VAL": "1", "OT": "Int16", "ENGINE": "cpu", "DEVICE": "0",
                  "GPU_MEMORY": "1G", "THREADS": "2", "MEMORY": "64M"}
        self.assertEqual(sorted(names), sorted(values))
        self.assertIsNotNone(self.open(f"PREDT:{self.source}", **values))

    # ---- .predt files ----

    def test_a_file_says_the_same(self):
        text = {"source": "in.tif", "product": "allocation", "values": "1:100", "maxdist": 12.5, "distunits": "GEO"}
        self.assert_same(self.pixels(self.write_file("a.predt", text)), self.command_answers(
            self.source, "-values", "1:100", "-maxdist", 12.5, "-distunits", "GEO", product="allocation"))

    def test_a_file_takes_lists_and_truths(self):
        path = self.make("n.tif", [[0, 1, 0, 255, 0, 2]], nodata=255)
        named = self.write_file("n.predt", {"source": path, "values": [1, "2"], "use_input_nodata": True})
        self.assert_same(self.pixels(named), [[1, 0, 1, np.nan, 1, 0]])

    def test_paths_in_a_file_count_from_its_folder(self):
        os.mkdir(self.path("deep"))
        named = self.write_file("deep/a.predt", {"source": "../in.tif"})
        self.assert_same(self.pixels(named), self.distance)
        before = os.getcwd()
        try:
            os.chdir(self.folder)
            self.assert_same(self.pixels("deep/a.predt"), self.distance)
            os.chdir("deep")
            self.assert_same(self.pixels("a.predt"), self.distance)
        finally:
            os.chdir(before)

    def test_a_file_lists_itself_among_its_files(self):
        named = self.write_file("a.predt", {"source": "in.tif"})
        self.assertEqual(self.open(named).GetFileList(), [named, self.path("in.tif")])
        self.assertEqual(self.open(f"PREDT:distance:{self.source}").GetFileList(), [self.source])

    def test_other_file_systems(self):
        with open(self.source, "rb") as file:
            files = {"/vsimem/in.tif": file.read(), "/vsimem/a.predt": b' \n{"source": "in.tif"}'}
        for name, data in files.items():
            gdal.FileFromMemBuffer(name, data)
            self.addCleanup(gdal.Unlink, name)
        self.assert_same(self.pixels("/vsimem/a.predt"), self.distance)
        self.assert_same(self.pixels("PREDT:distance:/vsimem/in.tif"), self.distance)

    def test_a_source_may_be_a_predt_dataset(self):
        far = self.pixels(f"PREDT:distance:PREDT:{self.source}?maxdist=3&fixedvalue=1&nodata=0")
        self.assert_same(far, self.command_answers(self.pixels_to_file(f"PREDT:{self.source}?maxdist=3&fixedvalue=1&nodata=0")))

    def pixels_to_file(self, name):
        gdal.Translate(self.path("inner.tif"), name)
        return self.path("inner.tif")

    # ---- What is not ours ----

    def test_others_files_are_left_alone(self):
        for name, text in (("plain.txt", "{}"), ("a.predt", "source"), ("b.predt", ""), ("c.json", '{"source": "in.tif"}')):
            driver = gdal.IdentifyDriver(self.write_file(name, text))
            self.assertTrue(driver is None or driver.ShortName != "PREDT", name)
        self.assertEqual(gdal.IdentifyDriver(self.write_file("d.predt", " {")).ShortName, "PREDT")
        self.assertEqual(gdal.IdentifyDriver("PREDT:nothing").ShortName, "PREDT")


if __name__ == "__main__":
    unittest.main()
