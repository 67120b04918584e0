"""Each algorithm run by qgis_process: the bytes of the command."""
import filecmp
import os

from qgis_case import PATH_WITHOUT_PREDT, SAMPLES, ProcessCase, main

HOSPITALS = os.path.join(SAMPLES, "hospitals.tif")


class Process(ProcessCase):
    def same(self, one, other):
        self.assertTrue(filecmp.cmp(self.path(one), self.path(other), shallow=False), f"{one} differs from {other}")

    def test_proximity(self):
        self.run_algorithm("predt:proximity", INPUT=HOSPITALS, BAND=1, UNITS=3, MAX_DISTANCE=4, DATA_TYPE=6,
                           OPTIONS="COMPRESS=DEFLATE|TILED=YES", OUTPUT=self.path("by qgis é.tif"))
        self.predt("-q", "-distunits", "KM", "-maxdist", "4", "-ot", "Float64", "-co", "COMPRESS=DEFLATE", "-co", "TILED=YES",
                   HOSPITALS, self.path("right.tif"))
        self.same("by qgis é.tif", "right.tif")

    def test_allocation_and_direction(self):
        for kind in ("allocation", "direction"):
            self.run_algorithm("predt:" + kind, INPUT=HOSPITALS, BAND=1, OUTPUT=self.path(kind + ".tif"))
            self.predt("-q", "-" + kind, self.path("right.tif"), "--overwrite", HOSPITALS)
            self.same(kind + ".tif", "right.tif")

    def test_nearest_facility_of_the_sample_hospitals(self):
        self.run_algorithm("predt:nearestfacility", FACILITIES=os.path.join(SAMPLES, "hospitals.geojson"), ID_FIELD="id",
                           NAME_FIELD="name", REFERENCE=HOSPITALS, REFERENCE_NODATA="true", UNITS=3,
                           DISTANCE=self.path("in km é.tif"), ALLOCATION=self.path("nearest.tif"), TABLE=self.path("table.csv"))
        self.predt("-q", "-distunits", "KM", "-use_input_nodata", "YES", "-allocation", self.path("a.tif"), HOSPITALS,
                   self.path("d.tif"))
        self.assert_same(self.read(self.path("in km é.tif")), self.read(self.path("d.tif")))
        right = self.read(self.path("a.tif"))
        right[right == 255] = 0  # the sea: nodata is another number here
        self.assert_same(self.read(self.path("nearest.tif")), right)
        self.assertEqual(self.nodata(self.path("nearest.tif")), 0)
        with open(self.path("table.csv")) as table:
            self.assertEqual(len(table.readlines()), 1 + 24)

    def test_a_failure_is_told_and_leaves_nothing(self):
        _, told = self.run_algorithm("predt:proximity", code=None, INPUT=HOSPITALS, BAND=1, VALUES="none of these",
                                     OUTPUT=self.path("out.tif"))
        self.assertIn("none of these", told)
        self.assert_only()

    def test_without_the_command_it_says_how_to_get_it(self):
        said = self.run_algorithm("predt:proximity", code=None, env={"PATH": PATH_WITHOUT_PREDT}, INPUT=HOSPITALS, BAND=1,
                                  OUTPUT=self.path("out.tif"))
        self.assertIn("gdal_predt was not found", "".join(said))
        self.assert_only()


if __name__ == "__main__":
    main(inside=False)
