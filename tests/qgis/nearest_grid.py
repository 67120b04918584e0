"""predt:nearestfacility's grid where there is no reference raster: whose CRS, told before the work, absurd ones refused."""
from facility_case import HEIGHT, NORTH, SIZE, TRANSFORM, WEST, WIDTH, Case, at, burn, layer_of, point, random_points
from osgeo import gdal, osr
from qgis_case import crs, main, telling_feedback

EAST, SOUTH = at(WIDTH, HEIGHT)
METRIC = f"{WEST},{EAST},{SOUTH},{NORTH}"


def in_degrees(points):
    """A layer in EPSG:4326 of points that are given in pixels."""
    there = osr.SpatialReference(crs(4326))
    there.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    moved = osr.CoordinateTransformation(osr.SpatialReference(crs(32633)), there)
    return layer_of([("POINT({!r} {!r})".format(*moved.TransformPoint(*at(col, row))[:2]), [number])
                     for col, row, number in points], 4326)


class WhoseCrs(Case):
    def setUp(self):
        super().setUp()
        self.points = random_points(61, 9)
        self.layer = in_degrees(self.points)

    def test_the_extents_when_none_is_set(self):
        got = self.nearest(self.layer, EXTENT=METRIC + " [EPSG:32633]", PIXEL_SIZE=SIZE)
        self.check(got, burn(self.points))
        self.assertEqual(gdal.Open(self.path("distance.tif")).GetGeoTransform(), TRANSFORM)
        self.assertIn("EPSG:32633 (the extent's CRS)", got[3])

    def test_that_of_a_layer_whose_extent_it_is(self):
        from qgis.core import QgsProject, QgsRasterLayer
        metric = QgsRasterLayer(self.reference, "metric")
        QgsProject.instance().addMapLayer(metric)
        self.addCleanup(QgsProject.instance().removeMapLayer, metric.id())
        got = self.nearest(self.layer, EXTENT=metric, PIXEL_SIZE=SIZE)
        self.check(got, burn(self.points))

    def test_the_projects_where_the_extent_has_none(self):
        from qgis.core import QgsCoordinateReferenceSystem, QgsProject
        QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:32633"))
        self.addCleanup(QgsProject.instance().setCrs, QgsCoordinateReferenceSystem())
        self.check(self.nearest(self.layer, EXTENT=METRIC, PIXEL_SIZE=SIZE), burn(self.points))

    def test_the_facilities_where_there_is_no_other(self):
        layer = layer_of([(point(col, row), [number]) for col, row, number in self.points])
        got = self.nearest(layer, EXTENT=METRIC, PIXEL_SIZE=SIZE)
        self.check(got, burn(self.points))
        self.assertIn("the facilities' CRS", got[3])

    def test_the_parameter_before_all_others(self):
        got = self.nearest(self.layer, EXTENT="15,15.02,48.73,48.76 [EPSG:4326]", PIXEL_SIZE=SIZE, CRS="EPSG:32633")
        self.assertIn("EPSG:32633 (the parameter CRS)", got[3])


class Told(Case):
    def test_size_memory_and_time_come_before_the_work(self):
        layer = layer_of([(point(3.5, 3.5), [1])])
        _, _, _, log = self.nearest(layer, EXTENT=METRIC + " [EPSG:32633]", PIXEL_SIZE=2)
        self.assertIn("Grid: 530 x 410 pixels of 2 x 2 meters, EPSG:32633", log)
        self.assertIn("1.74 MB before compression", log)  # 217,300 pixels of 8 bytes
        self.assertIn("of memory and 1 s", log)
        self.assertLess(log.index("Grid:"), log.index("feature ids") if "feature ids" in log else log.index("gdal_predt works"))

    def test_that_of_a_reference_too(self):
        self.assertIn(f"Grid: {WIDTH} x {HEIGHT} pixels", self.nearest(layer_of([(point(3.5, 3.5), [1])]))[3])

    def test_sizes_and_times_are_words(self):
        from predt_processing.plan import duration, in_words
        self.assertEqual([in_words(size) for size in (999, 1500, 8e10, 5e12)], ["999 bytes", "1.5 kB", "80 GB", "5 TB"])
        self.assertEqual([duration(seconds) for seconds in (0, 90, 150, 7200, 4e5)], ["1 s", "90 s", "2 min", "2 h", "5 d"])


class Refused(Case):
    def refused(self, *words, **parameters):
        """In the dialog, by a run, and by a run that nobody asked to check, as in a model."""
        from qgis.core import QgsApplication, QgsProcessingContext, QgsProcessingException
        given = {"FACILITIES": layer_of([(point(3.5, 3.5), [1])]), "DISTANCE": self.path("d.tif"),
                 "ALLOCATION": self.path("a.tif"),
                 **parameters}
        made = QgsApplication.processingRegistry().createAlgorithmById("predt:nearestfacility")
        context = QgsProcessingContext()
        good, told = made.checkParameterValues(given, context)
        self.assertFalse(good)
        self.assertEqual(len(told.splitlines()), 1)
        for word in words:
            self.assertIn(word, told)
        self.refuse_inside("predt:nearestfacility", given, *words)
        self.assertTrue(made.prepare(given, context, telling_feedback()))
        self.assertRaises(QgsProcessingException, made.runPrepared, given, context, telling_feedback())
        self.assert_only("reference.tif")

    def test_pixels_larger_than_the_extent(self):
        self.refused("larger than the extent", "degrees", "CRS", EXTENT="15,15.4,48.5,48.7 [EPSG:4326]", PIXEL_SIZE=30)
        self.refused("larger than the extent", EXTENT="0,1000,0,20 [EPSG:32633]", PIXEL_SIZE=30)

    def test_a_pixel_as_large_as_the_extent_is_none_too_many(self):
        self.assertEqual(self.nearest(layer_of([("POINT(5 5)", [7])]), EXTENT="0,30,0,30 [EPSG:32633]",
                                      PIXEL_SIZE=30)[1].tolist(), [[7]])

    def test_too_many_pixels(self):
        self.refused("too many", "1,000,000,000 x 1,000,000,000", EXTENT="0,1e6,0,1e6 [EPSG:32633]", PIXEL_SIZE=1e-3)
        self.refused("too many", EXTENT="0,1,0,1 [EPSG:32633]", PIXEL_SIZE=1e-12)

    def test_numbers_that_are_none(self):
        for extent in ("nan,nan,nan,nan", "0,nan,0,1", "0,inf,0,1", "-inf,inf,-inf,inf"):
            with self.subTest(extent):
                self.refused("xtent", EXTENT=extent + " [EPSG:32633]", PIXEL_SIZE=1)
        for size in (float("nan"), float("inf"), "nan"):
            with self.subTest(size):
                self.refused("ixel size", EXTENT="0,9,0,9 [EPSG:32633]", PIXEL_SIZE=size)
        self.refused("aximum distance", EXTENT="0,9,0,9 [EPSG:32633]", PIXEL_SIZE=1, MAX_DISTANCE=float("nan"))

    def test_extents_of_no_size(self):
        self.refused("xtent", EXTENT="5,5,0,9 [EPSG:32633]", PIXEL_SIZE=1)

    def test_lengths_on_the_plane_of_degrees(self):
        self.refused("plane of a CRS in degrees", EXTENT="15,15.4,48.5,48.7 [EPSG:4326]", PIXEL_SIZE=0.01, UNITS=3, METRIC=1)

    def test_a_disk_without_room(self):
        from unittest import mock
        from predt_processing import plan
        given = {"FACILITIES": layer_of([(point(3.5, 3.5), [1])]), "EXTENT": METRIC + " [EPSG:32633]", "PIXEL_SIZE": 1,
                 "DISTANCE": self.path("d.tif"), "ALLOCATION": self.path("a.tif")}
        free = mock.Mock(free=10**6)  # 869,200 pixels of 4 + 1 bytes
        with mock.patch.object(plan.shutil, "disk_usage", lambda folder: free):
            self.refuse_inside("predt:nearestfacility", given, "1,060 x 820 pixels need about 4.35 MB", "1 MB are free")
            self.run_inside("predt:nearestfacility", {**given, "OPTIONS": "COMPRESS=LZW"})


if __name__ == "__main__":
    main()
