"""What is said: of runs without a distance, of study areas without a pixel, of numbers that are none; and how values of fields
are written."""

import numpy as np
from facility_case import HEIGHT, TRANSFORM, WIDTH, Case, layer_of, point, shape
from osgeo import gdal
from qgis_case import main, targets


class Summary(Case):
    def log(self, name, **parameters):
        source = self.make("in.tif", targets(5, 7, (0, 0, 3), (4, 6, 200)), transform=(0, 10, 0, 0, 0, -10))
        return self.log_of(name, {"INPUT": source, "OUTPUT": self.path("out.tif"), **parameters})[1]

    def test_all_are_reached_by_an_allocation_and_a_direction(self):
        for name in ("predt:allocation", "predt:direction"):
            log = self.log(name)
            self.assertIn("2 targets; engine", log)
            self.assertNotIn("reach", log)

    def test_the_farthest_pixel_of_a_distance_in_words(self):
        for unit, words in ((0, "41.2311 meters"), (1, "4.12311 pixels"), (2, "41.2311 metres"),
                            (3, "0.0412311 kilometres"), (7, "0.022263 nautical miles")):
            log = self.log("predt:proximity", UNITS=unit)
            self.assertIn("farthest pixel ", log)
            self.assertIn(words, log)

    def test_no_distance_at_all(self):
        self.assertIn("no pixel has a distance", self.log("predt:proximity", VALUES="7"))

    def test_units_of_the_table_are_words(self):
        self.assertIn("Distances in the table are in kilometres, areas in square meters",
                      self.nearest(layer_of([(point(3.5, 3.5), [1])]), UNITS=3)[3])


class StudyAreas(Case):
    def warned(self, *words, **parameters):
        distance, allocation, _, log = self.nearest(layer_of([(point(3.5, 3.5), [1])]), **parameters)
        self.assertTrue(np.isnan(distance).all() and (allocation == 0).all())
        for word in ("study area has no pixel", *words):
            self.assertIn(word, log)

    def test_one_that_misses_the_grid(self):
        self.warned("outside the raster", MASK=layer_of([(shape("polygon", ((100, 0), (120, 0), (120, 9))), [1])]))

    def test_one_without_polygons(self):
        self.warned("no polygon", MASK=self.empty())

    def empty(self):
        from qgis.core import QgsVectorLayer
        return QgsVectorLayer("Polygon?crs=EPSG:32633", "empty", "memory")

    def test_one_between_pixel_centres(self):
        self.warned("no pixel centre", MASK=layer_of([(shape("polygon", ((3.1, 3.1), (3.3, 3.1), (3.3, 3.3))), [1])]))

    def test_a_reference_of_nodata(self):
        self.reference = self.make("nothing.tif", np.zeros((HEIGHT, WIDTH)), transform=TRANSFORM, nodata=0)
        self.warned("nothing but nodata", REFERENCE_NODATA=True)

    def test_one_that_has_pixels_is_not_warned_of(self):
        mask = layer_of([(shape("polygon", ((0, 0), (20, 0), (20, 20), (0, 20))), [1])])
        self.assertNotIn("study area", self.nearest(layer_of([(point(3.5, 3.5), [1])]), MASK=mask)[3])


class Numbers(Case):
    def test_nan_and_infinity_are_values_or_refused_in_words(self):
        source = self.make("in.tif", targets(5, 7, (0, 0, 3)))
        for given, word in (({"NODATA": "nan"}, None), ({"NODATA": float("nan")}, None),
                            ({"NODATA": float("nan"), "DATA_TYPE": 0}, "nan"),
                            ({"NODATA": float("inf"), "DATA_TYPE": 0}, "NODATA"), ({"MAX_DISTANCE": float("nan")}, "nan"),
                            ({"MAX_DISTANCE": float("inf")}, "inf"), ({"REPLACE": float("nan")}, "nan"),
                            ({"REPLACE": "nan"}, "nan")):
            with self.subTest(given):
                parameters = {"INPUT": source, "OUTPUT": self.path("out.tif"), **given}
                if word:
                    told = self.refuse_inside("predt:proximity", parameters, word)
                    self.assertNotIn("Traceback", told)
                else:
                    self.run_inside("predt:proximity", parameters)
                    self.assertTrue(np.isnan(self.nodata(self.path("out.tif"))))

    def test_measures_that_make_no_sense_are_told_before_the_work(self):
        source = self.make("degrees.tif", [[1, 0, 0]], epsg=4326)
        for name in ("predt:proximity", "predt:allocation", "predt:direction"):
            given = {"INPUT": source, "OUTPUT": self.path("o.tif")}
            self.refuse_inside(name, {**given, "UNITS": 6, "METRIC": 1}, "plane of a CRS in degrees", "Georeferenced")
            self.refuse_inside(name, {**given, "UNITS": 1, "METRIC": 2}, "unit of length")


class Fields(Case):
    def ids(self, kind, values):
        """As the table and the attribute table show them."""
        layer = layer_of([(point(3.5 + 9 * place, 3.5), [value]) for place, value in enumerate(values)], fields=(f"id:{kind}",))
        _, _, table, _ = self.nearest(layer, NAME_FIELD="id")
        opened = gdal.Open(self.path("allocation.tif"))
        rat = opened.GetRasterBand(1).GetDefaultRAT()
        names = {rat.GetValueAsString(row, 1) for row in range(rat.GetRowCount())}
        self.assertEqual(names, set(table))
        self.assertEqual({row["name"] for row in table.values()}, set(table))
        return set(table)

    def test_dates_and_times_are_iso(self):
        from qgis.PyQt.QtCore import QDate, QDateTime, QTime
        day, hour = QDate(2024, 2, 29), QTime(7, 5, 3)
        self.assertEqual(self.ids("date", [day, QDate(1999, 12, 31)]), {"2024-02-29", "1999-12-31"})
        self.assertEqual(self.ids("time", [hour]), {"07:05:03"})
        self.assertEqual(self.ids("datetime", [QDateTime(day, hour), QDateTime(day, hour.addMSecs(250))]),
                         {"2024-02-29T07:05:03", "2024-02-29T07:05:03.250"})

    def test_values_of_other_kinds(self):
        from qgis.PyQt.QtCore import QByteArray
        from predt_processing.facilities import text_of
        for value, text in ((True, "true"), (4.0, "4"), (2.5, "2.5"), (["a", 1], "a,1"), ({"a": [1]}, '{"a": [1]}'),
                            (QByteArray(b"\x01\xff"), "01ff"), ("süd", "süd")):
            self.assertEqual(text_of(value), text)


if __name__ == "__main__":
    main()
