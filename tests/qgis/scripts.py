"""The example scripts, where users put them: in processing/scripts of the profile."""
import glob
import os
import shutil

import numpy as np
from osgeo import gdal
from qgis_case import PLUGINS, SAMPLES, InsideCase, main

HOSPITALS = os.path.join(SAMPLES, "hospitals.tif")


class Scripts(InsideCase):
    @classmethod
    def setUpClass(cls):
        from processing.script import ScriptUtils
        from qgis.core import QgsApplication
        folder = ScriptUtils.defaultScriptsFolder()
        os.makedirs(folder, exist_ok=True)
        for script in glob.glob(os.path.join(PLUGINS, "scripts", "predt_*.py")):
            shutil.copy(script, folder)
        QgsApplication.processingRegistry().providerById("script").refreshAlgorithms()

    def test_buffer_with_alg(self):
        results = self.run_inside("script:predtbuffer", {"INPUT": HOSPITALS, "DISTANCE": 900, "OUTPUT": self.path("b.tif")})
        self.predt("-q", "-distunits", "METRE", HOSPITALS, self.path("d.tif"))
        opened = gdal.Open(results["OUTPUT"])
        within = opened.ReadAsArray() == 1
        self.assert_same(within, self.read(self.path("d.tif")) <= 900)

    def test_a_script_tells_what_the_command_says(self):
        source = self.make("turned.tif", [[1, 0, 0]], epsg=4326, transform=(10, 1, 0.5, 50, 0.5, -1))
        self.refuse_inside("script:predtbuffer", {"INPUT": source, "DISTANCE": 900, "OUTPUT": self.path("b.tif")}, "rotated")

    def test_distance_and_allocation_as_a_class(self):
        results = self.run_inside("script:predtnearandfar", {"INPUT": HOSPITALS, "DISTANCE": self.path("d.tif"),
                                                             "ALLOCATION": self.path("a.tif")})
        self.predt("-q", "-distunits", "KM", "-use_input_nodata", "YES", "-allocation", self.path("ra.tif"), HOSPITALS,
                   self.path("rd.tif"))
        for one, other in (("d.tif", "rd.tif"), ("a.tif", "ra.tif")):
            self.assert_same(self.read(self.path(one)), self.read(self.path(other)))
        self.assertAlmostEqual(results["FARTHEST"], float(np.nanmax(self.read(self.path("d.tif")))), places=5)


if __name__ == "__main__":
    main()
