"""What QGIS paints: each of very many zones in a colour, a direction of 0 apart from north, the sample of the tutorial."""
import os
from unittest import mock

import numpy as np
from facility_case import Case, layer_of
from osgeo import gdal
from qgis_case import PLUGINS, SAMPLES, main, telling_feedback

SIDE = 600


def painted(layer):
    """Pixels of the map, one for each of the raster's: red, green, blue, alpha."""
    from qgis.core import QgsMapRendererSequentialJob, QgsMapSettings
    from qgis.PyQt.QtCore import QSize, Qt
    from qgis.PyQt.QtGui import QColor, QImage
    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setExtent(layer.extent())
    settings.setDestinationCrs(layer.crs())
    settings.setOutputSize(QSize(layer.width(), layer.height()))
    settings.setBackgroundColor(QColor(Qt.GlobalColor.transparent))
    job = QgsMapRendererSequentialJob(settings)
    job.start()
    job.waitForFinished()
    image = job.renderedImage().convertToFormat(QImage.Format.Format_RGBA8888)
    bits = image.constBits()
    bits.setsize(image.sizeInBytes())
    if os.environ.get("PREDT_PICTURES"):  # a folder, for those who want to see them
        image.save(os.path.join(os.environ["PREDT_PICTURES"], layer.name() + ".png"))
    return np.frombuffer(bits, np.uint8).reshape(layer.height(), image.bytesPerLine() // 4, 4)[:, :layer.width()].copy()


class VeryManyZones(Case):
    COUNT = 6000

    def zones(self, numbers):
        places = np.random.RandomState(81).permutation(SIDE * SIDE)[:self.COUNT]
        return layer_of([(f"POINT({place % SIDE + 0.5} {-(place // SIDE) - 0.5})", [number]) for place,
                         number in zip(places, numbers)])

    def check_colours(self, numbers):
        from qgis.core import QgsRasterLayer
        self.run_inside("predt:nearestfacility", {
            "FACILITIES": self.zones(numbers), "ID_FIELD": "id", "EXTENT": f"0,{SIDE},-{SIDE},0 [EPSG:32633]", "PIXEL_SIZE": 1,
            "DISTANCE": self.path("d.tif"), "ALLOCATION": self.path("a.tif")})
        shown, zones = painted(QgsRasterLayer(self.path("a.tif"), "zones")), self.read(self.path("a.tif"))
        self.assertTrue((shown[..., 3] == 255).all())
        _, place = np.unique(zones, return_inverse=True)
        place, shown = place.reshape(zones.shape), shown.astype(np.int64)
        first = np.zeros((place.max() + 1, 4), np.int64)
        first[place] = shown
        np.testing.assert_array_equal(first[place], shown)  # a zone has one colour
        for axis in (0, 1):  # and its neighbours another
            differ = np.diff(place, axis=axis) != 0
            self.assertGreater((np.abs(np.diff(shown, axis=axis)).sum(-1)[differ] > 0).mean(), 0.999)

    def test_each_facility_of_6000_has_a_colour(self):
        self.check_colours(range(1, self.COUNT + 1))

    def test_of_ids_far_apart_too(self):
        self.check_colours(range(-2**31 + 2, 2**31 - 2, 2**32 // self.COUNT))

    def test_an_allocation_of_as_many_values(self):
        from predt_processing import styles
        from qgis.core import QgsProcessingContext, QgsRasterLayer
        pixels = np.zeros((SIDE, SIDE), np.int32)
        pixels.ravel()[np.random.RandomState(82).permutation(SIDE * SIDE)[:self.COUNT]] = np.arange(1, self.COUNT + 1)
        source = self.make("in.tif", pixels, dtype=np.int32)
        self.run_inside("predt:allocation", {"INPUT": source, "OUTPUT": self.path("a.tif")})
        for most in (styles.MOST_PIXELS, 100):
            layer = QgsRasterLayer(self.path("a.tif"), "allocation")
            with mock.patch.object(styles, "MOST_PIXELS", most):
                styles.ByValue().postProcessLayer(layer, QgsProcessingContext(), telling_feedback())
            shown = painted(layer)
            self.assertTrue((shown[..., 3] == 255).all())
            self.assertGreater(len(np.unique(shown.reshape(-1, 4), axis=0)), 40)


class Directions(Case):
    def test_0_is_on_a_target_and_360_is_north(self):
        from qgis.core import QgsRasterLayer
        layer = QgsRasterLayer(self.make("d.tif", [[0, 0.0004, 90, 359.999, 360]], dtype=np.float32), "direction")
        layer.loadNamedStyle(os.path.join(PLUGINS, "predt_processing", "styles", "direction.qml"))
        shown = painted(layer)[0, :, :3].tolist()
        north = [0x2b, 0x6c, 0xb0]
        self.assertEqual(shown[0], [255, 255, 255])
        for place in (1, 3, 4):
            self.assertLess(np.abs(np.subtract(shown[place], north)).max(), 3, shown)
        self.assertEqual(shown[2], [0xe8, 0xe3, 0xd9])


class Samples(Case):
    def test_the_land_of_the_hospitals_is_seen_in_its_colours(self):
        """In QGIS 3.30 and later the rows of the attribute table are what is painted."""
        from qgis.core import QgsRasterLayer
        path = os.path.join(SAMPLES, "hospitals.tif")
        opened = gdal.Open(path)
        pixels, table = opened.ReadAsArray(), opened.GetRasterBand(1).GetColorTable()
        shown = painted(QgsRasterLayer(path, "hospitals"))
        for value in range(25):
            colours = np.unique(shown[pixels == value], axis=0)
            self.assertEqual(colours.tolist(), [[*table.GetColorEntry(value)[:3], 255]])
        self.assertTrue((shown[pixels == 255][:, 3] == 0).all())


if __name__ == "__main__":
    main()
