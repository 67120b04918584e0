"""The line in the log, run in a shell: the same bytes. A PREDT layer with options as the input."""
import os
import subprocess

import numpy as np
from facility_case import Case, layer_of, point
from osgeo import gdal
from qgis_case import SAMPLES, ProcessCase, main, targets, telling_feedback


class Repeated(Case):
    def again(self, name, parameters, *outputs):
        """Runs, moves the outputs away, runs the logged line in a shell, compares."""
        commands = []
        feedback = telling_feedback()
        feedback.pushCommandInfo = commands.append
        self.run_inside(name, parameters, feedback)
        self.assertEqual(len(commands), 1)
        first = {output: self.bytes(output) for output in outputs}
        for output in outputs:
            os.remove(output)
        run = subprocess.run(commands[0], shell=True, capture_output=True, text=True, timeout=200, cwd="/")
        self.assertEqual(run.returncode, 0, f"{commands[0]}\n{run.stdout}\n{run.stderr}")
        for output in outputs:
            self.assertEqual(self.bytes(output), first[output], output)
        return commands[0]

    def bytes(self, path):
        with open(path, "rb") as file:
            return file.read()

    def test_of_the_raster_algorithms(self):
        source = self.make("it's a \"source\" $HOME é.tif", targets(5, 7, (0, 0, 3), (4, 6, 200)))
        out, other = self.path("out ü;.tif"), self.path("other*.tif")
        self.again("predt:proximity", {"INPUT": source, "OUTPUT": out, "ALLOCATION": other, "VALUES": "1:5, 200", "UNITS": 3,
                                       "OPTIONS": "COMPRESS=DEFLATE|TILED=YES", "EXTRA": "-min-dist 0.001 -co 'PREDICTOR=2'"},
                   out, other)
        for name in ("predt:allocation", "predt:direction"):
            self.again(name, {"INPUT": source, "OUTPUT": out, "MAX_DISTANCE": 2.5}, out)

    def test_with_paths_relative_to_where_qgis_runs(self):
        self.make("in.tif", targets(5, 7, (0, 0, 3)))
        before = os.getcwd()
        os.chdir(self.folder)
        try:
            self.again("predt:proximity", {"INPUT": "in.tif", "OUTPUT": "out.tif"}, self.path("out.tif"))
        finally:
            os.chdir(before)

    def test_of_nearest_facility(self):
        ProcessCase.setUp(ProcessCase("process"))  # the plug-in is enabled in this home folder
        outputs = [self.path(name) for name in ("d é.tif", "a.tif", "t.csv")]
        given = {"FACILITIES": os.path.join(SAMPLES, "hospitals.geojson"), "ID_FIELD": "id", "NAME_FIELD": "name", "UNITS": 3,
                 **dict(zip(("DISTANCE", "ALLOCATION", "TABLE"), outputs))}
        self.again("predt:nearestfacility", {**given, "REFERENCE": os.path.join(SAMPLES, "hospitals.tif"),
                                             "REFERENCE_NODATA": True, "MAX_DISTANCE": 2.5, "EXTRA": "-threads 1"}, *outputs)
        from qgis.core import QgsCoordinateReferenceSystem, QgsRectangle, QgsReferencedRectangle
        box = QgsReferencedRectangle(QgsRectangle(500000.1, 5376000.3, 530000 + 1 / 3, 5400000),
                                     QgsCoordinateReferenceSystem("EPSG:32633"))
        line = self.again("predt:nearestfacility", {**given, "EXTENT": box, "PIXEL_SIZE": 100 / 3, "ALL_TOUCHED": False},
                          *outputs)
        self.assertIn("run predt:nearestfacility -- ", line)

    def test_of_a_layer_in_memory_there_is_none_and_the_log_says_so(self):
        _, _, _, log = self.nearest(layer_of([(point(3.5, 3.5), [1])]))
        self.assertNotIn("qgis_process", log)
        self.assertIn("no line that would repeat", log)


class OfTheDriver(Case):
    """Layers of the GDAL driver PREDT, which QGIS and gdal_predt find in GDAL_DRIVER_PATH."""

    def setUp(self):
        super().setUp()
        if gdal.GetDriverByName("PREDT") is None:
            self.skipTest("GDAL does not find the driver PREDT")
        self.source = self.make("in & 50%.tif", targets(9, 11, (0, 0, 3), (4, 6, 200)), transform=(0, 10, 0, 0, 0, -10))

    def check(self, name, **options):
        """The layer with these open options, read by the command, is what QGIS reads."""
        from qgis.core import QgsRasterLayer
        layer = QgsRasterLayer("|option:".join([name, *(f"{key}={value}" for key, value in options.items())]), "predt layer")
        self.assertTrue(layer.isValid(), layer.source())
        opened = gdal.OpenEx(name, open_options=[f"{key}={value}" for key, value in options.items()])
        right = opened.ReadAsArray()
        out = self.run_inside("predt:allocation", {"INPUT": layer, "VALUES": "notnodata", "INPUT_NODATA": True,
                                                   "OUTPUT": self.path("copy.tif")})["OUTPUT"]
        self.assert_same(self.read(out), right)
        return right

    def test_options_in_the_name(self):
        self.check("PREDT:" + self.source + "?product=allocation&maxdist=4")

    def test_open_options(self):
        self.check("PREDT:distance:" + self.source, DISTUNITS="KM", MAXDIST="0.03")
        self.check("PREDT:allocation:" + self.source, VALUES="1:100", MAXDIST="3")
        self.check("PREDT:" + self.source, PRODUCT="direction")

    def test_open_options_of_a_file(self):
        with open(self.path("one.predt"), "w", encoding="utf-8") as file:
            file.write('{"source": "in & 50%.tif", "product": "distance", "Max_Dist": 5, "use_input_nodata": true, "values": '
                       '[3, 200]}')
        self.check(self.path("one.predt"))
        right = self.check(self.path("one.predt"), MAXDIST="2", DISTUNITS="PIXEL")
        self.assertEqual(np.nanmax(right), 2)


if __name__ == "__main__":
    main()
