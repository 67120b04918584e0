"""What a dialog says beside the list of units: what distances will be there."""
from qgis_case import InsideCase, main


class Dialog(InsideCase):
    def wrappers(self, name):
        from processing.gui.AlgorithmDialog import AlgorithmDialog
        from qgis.core import QgsApplication
        self.dialog = AlgorithmDialog(QgsApplication.processingRegistry().createAlgorithmById(name))
        return self.dialog.mainWidget().wrappers

    def set(self, wrappers, **values):
        from qgis.core import QgsProcessingContext
        for name, value in values.items():
            wrappers[name].setParameterValue(value, QgsProcessingContext())
        return wrappers["UNITS"].wrappedLabel().text()

    def check(self, name, parameter):
        degrees = self.make("degrees.tif", [[1, 0, 0]], epsg=4277)
        web = self.make("web.tif", [[1, 0, 0]], epsg=3857)
        shown = self.wrappers(name)
        self.assertEqual(self.set(shown, UNITS=3), "Distance units")
        self.assertEqual(self.set(shown, **{parameter: degrees}), "Distance units: kilometres on Airy 1830")
        self.assertEqual(self.set(shown, UNITS=0), "Distance units: degrees")
        self.assertEqual(self.set(shown, UNITS=1), "Distance units: pixels")
        self.assertEqual(self.set(shown, UNITS=2, **{parameter: web}), "Distance units: metres on the plane of EPSG:3857")
        self.assertEqual(self.set(shown, METRIC=2), "Distance units: metres on WGS 84")

    def test_of_a_raster(self):
        for name in ("predt:proximity", "predt:allocation", "predt:direction"):
            self.check(name, "INPUT")

    def test_of_a_reference_raster(self):
        self.check("predt:nearestfacility", "REFERENCE")

    def test_of_an_extent(self):
        shown = self.wrappers("predt:nearestfacility")
        said = self.set(shown, UNITS=2, EXTENT="15,16,48,49 [EPSG:4326]", PIXEL_SIZE=0.01)
        self.assertEqual(said, "Distance units: metres on WGS 84")


if __name__ == "__main__":
    main()
