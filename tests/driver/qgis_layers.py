"""PREDT datasets as layers of the real QGIS: loaded, measured, drawn. Prints SKIP and succeeds where there is no QGIS."""
import os
import sys
import unittest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
try:
    from qgis.core import (QgsApplication, QgsColorRampShader, QgsMapRendererParallelJob, QgsMapSettings, QgsProject,
                           QgsRasterBandStats,
                           QgsRasterLayer, QgsRasterShader, QgsSingleBandPseudoColorRenderer)
    from qgis.PyQt.QtCore import QSize
    from qgis.PyQt.QtGui import QColor, QImage
except ImportError:
    print("SKIP: QGIS is not installed")
    sys.exit(77)

import numpy as np  # noqa: E402
from driver_case import UTM, DriverCase, centres, targets  # noqa: E402

NEAR, FAR, NOWHERE = QColor(20, 160, 40), QColor(200, 30, 20), QColor(10, 20, 250)
LIMIT = 3000  # metres: NEAR up to here


class Layers(DriverCase):
    def setUp(self):
        super().setUp()
        self.source = self.make("in.tif", targets(400, 500, (100, 100, 3), (300, 420, 8)), transform=UTM)
        self.named = self.write_file("near.predt", {"source": "in.tif", "distunits": "METRE", "maxdist": 9000})
        self.strings = [self.named, f"PREDT:{self.source}?product=distance&distunits=METRE&maxdist=9000"]
        self.metres = self.command_answers(self.source, "-distunits", "METRE", "-maxdist", "9000")

    def layer(self, name):
        layer = QgsRasterLayer(name, "layer", "gdal")
        self.kept = [*getattr(self, "kept", []), layer]  # a provider does not keep its layer
        self.assertTrue(layer.isValid(), name)
        return layer

    def test_layers_are_valid_and_placed(self):
        for name in self.strings + [f"PREDT:allocation:{self.source}"]:
            layer = self.layer(name)
            self.assertEqual((layer.width(), layer.height(), layer.crs().authid()), (500, 400, "EPSG:32633"))
            self.assertEqual(layer.extent().xMinimum(), UTM[0])

    def test_statistics(self):
        for name in self.strings:
            stats = self.layer(name).dataProvider().bandStatistics(1, QgsRasterBandStats.All)
            self.assertEqual(stats.minimumValue, 0)
            self.assertAlmostEqual(stats.maximumValue, float(np.nanmax(self.metres)), places=3)
            self.assertAlmostEqual(stats.mean, float(np.nanmean(self.metres, dtype=float)), places=2)
        self.assert_only("in.tif", "near.predt", "command-out.tif")

    def test_values_under_the_pointer(self):
        from qgis.core import QgsPointXY
        provider = self.layer(self.named).dataProvider()
        for row, col in ((0, 0), (100, 100), (399, 20), (250, 333)):
            point = QgsPointXY(UTM[0] + 30 * (col + 0.5), UTM[3] - 30 * (row + 0.5))
            value, inside = provider.sample(point, 1)
            if np.isnan(self.metres[row, col]):
                self.assertFalse(inside and value == value)
            else:
                self.assertEqual(np.float32(value), self.metres[row, col])

    def draw(self, name, width, height):
        layer = self.layer(name)
        colours = QgsColorRampShader(0, 9000)
        colours.setColorRampType(QgsColorRampShader.Discrete)
        colours.setColorRampItemList([QgsColorRampShader.ColorRampItem(LIMIT, NEAR),
                                      QgsColorRampShader.ColorRampItem(float("inf"), FAR)])
        shader = QgsRasterShader()
        shader.setRasterShaderFunction(colours)
        layer.setRenderer(QgsSingleBandPseudoColorRenderer(layer.dataProvider(), 1, shader))
        QgsProject.instance().addMapLayer(layer)
        settings = QgsMapSettings()
        settings.setLayers([layer])
        settings.setBackgroundColor(NOWHERE)
        settings.setOutputSize(QSize(width, height))
        settings.setDestinationCrs(layer.crs())
        settings.setExtent(layer.extent())
        job = QgsMapRendererParallelJob(settings)
        job.start()
        job.waitForFinished()
        self.assertTrue(job.renderedImage().save(self.path("map.png")))
        QgsProject.instance().removeAllMapLayers()
        return QImage(self.path("map.png"))

    def colours(self, image):
        return np.array([[image.pixelColor(col, row).rgb() & 0xFFFFFF for col in range(image.width())]
                         for row in range(image.height())])

    def test_a_map(self):
        """Whole and reduced: every pixel of the picture has the colour of the distance there."""
        of = [colour.rgb() & 0xFFFFFF for colour in (NEAR, FAR, NOWHERE)]
        for name in self.strings:
            for width, height in ((500, 400), (125, 100)):
                right = self.metres[np.ix_(centres(400, height), centres(500, width))]
                right = np.where(np.isnan(right), of[2], np.where(right <= LIMIT, of[0], of[1]))
                got = self.colours(self.draw(name, width, height))
                self.assertEqual(set(np.unique(got)), set(of))
                self.assertEqual(int((got != right).sum()), 0, (name, width))

    def test_the_script_for_the_toolbox(self):
        sys.path.append("/usr/share/qgis/python/plugins")
        import processing
        from processing.core.Processing import Processing
        from processing.script import ScriptUtils
        Processing.initialize()
        script = os.path.join(os.path.dirname(__file__), "..", "..", "qgis", "scripts", "predt_distance_layer.py")
        made = ScriptUtils.loadAlgorithm("predt_distance_layer", script)
        out = processing.run(made, {"INPUT": self.source, "UNITS": 0, "MAX_DISTANCE": 9000, "OUTPUT": self.path("made.predt")})
        self.assert_same(self.pixels(out["OUTPUT"]), self.metres)


if __name__ == "__main__":
    application = QgsApplication([], False)
    application.initQgis()
    program = unittest.main(exit=False)
    application.exitQgis()
    sys.exit(not program.result.wasSuccessful())
