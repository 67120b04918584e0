"""predt:nearestfacility of lines and polygons, in study areas, in degrees, with wrong parameters: against geometry and brute
force."""
import numpy as np
from facility_case import HEIGHT, SIZE, TRANSFORM, WIDTH, Case, at, burn, layer_of, point, random_points, shape
from qgis_case import brute_force, main


class Shapes(Case):
    POLYGONS = [shape("polygon", corners) for corners in (
        ((3.1, 4.3), (14.7, 2.2), (9.4, 12.9)), ((8.3, 6.1), (25.2, 9.7), (22.4, 21.3), (11.7, 18.8)),
        ((40.3, 30.7), (57.3, 29.1), (45.6, 44.2)))]
    LINES = [shape("line", corners) for corners in (((1.3, 38.2), (17.9, 22.4), (30.3, 24.9)), ((28.7, 3.3), (28.9, 15.6)))]

    def touched(self, shapes, inside):
        """Ids where a pixel satisfies `inside`, of two the first: by geometry, not by GDAL."""
        from qgis.core import QgsGeometry, QgsPointXY, QgsRectangle
        pixels = np.zeros((HEIGHT, WIDTH), np.int64)
        geometries = [QgsGeometry.fromWkt(one) for one in shapes]
        for row in range(HEIGHT):
            for col in range(WIDTH):
                square = QgsGeometry.fromRect(QgsRectangle(*at(col, row + 1), *at(col + 1, row)))
                centre = QgsGeometry.fromPointXY(QgsPointXY(*at(col + 0.5, row + 0.5)))
                for number, geometry in enumerate(geometries, 1):
                    if not pixels[row, col] and geometry.intersects(square if inside == "touches" else centre):
                        pixels[row, col] = number
        return pixels

    def layer(self, shapes):
        return layer_of([(one, [number]) for number, one in enumerate(shapes, 1)])

    def test_polygons_take_the_pixels_whose_centres_they_hold(self):
        self.check(self.nearest(self.layer(self.POLYGONS)), self.touched(self.POLYGONS, "holds"))

    def test_polygons_that_take_every_pixel_they_touch(self):
        self.check(self.nearest(self.layer(self.POLYGONS), ALL_TOUCHED=True), self.touched(self.POLYGONS, "touches"))

    def test_lines_that_take_every_pixel_they_touch(self):
        self.check(self.nearest(self.layer(self.LINES), ALL_TOUCHED=True), self.touched(self.LINES, "touches"))

    def test_a_circle_of_arcs_takes_the_pixels_whose_centres_it_holds(self):
        x, y = at(20.3, 20.4)
        circle = f"CURVEPOLYGON(CIRCULARSTRING({x - 200} {y}, {x} {y + 200}, {x + 200} {y}, {x} {y - 200}, {x - 200} {y}))"
        rows, cols = np.mgrid[:HEIGHT, :WIDTH] + 0.5
        self.check(self.nearest(layer_of([(circle, [1])])), (np.hypot(cols - 20.3, rows - 20.4) < 10).astype(int))

    def test_lines_by_default_are_one_pixel_wide(self):
        from qgis.core import QgsGeometry, QgsPointXY
        got = self.nearest(self.layer(self.LINES))
        pixels = np.where(got[0] == 0, got[1].astype(np.int64), 0)
        for row, col in np.argwhere(pixels):
            line = QgsGeometry.fromWkt(self.LINES[pixels[row, col] - 1])
            centre = QgsGeometry.fromPointXY(QgsPointXY(*at(col + 0.5, row + 0.5)))
            self.assertLess(line.distance(centre), SIZE)
        self.assertIn((pixels == 1).sum(), range(29, 33))  # columns 1 to 30; a turn may take one twice
        self.check(got, pixels)

    def test_a_polygon_between_pixel_centres_is_named(self):
        small = shape("polygon", ((30.1, 10.1), (30.3, 10.1), (30.3, 10.3)))
        got = self.nearest(self.layer([self.POLYGONS[0], small]))
        self.assertIn("No pixel of their own", got[3])
        self.assertEqual(got[2]["2"]["pixels"], "0")
        self.assertIn(2, self.nearest(self.layer([self.POLYGONS[0], small]), ALL_TOUCHED=True)[1])


class StudyArea(Case):
    AREA = shape("polygon", ((4.2, 3.3), (46.1, 8.2), (38.4, 37.7), (9.9, 30.3)))

    def inside(self):
        from qgis.core import QgsGeometry, QgsPointXY
        area = QgsGeometry.fromWkt(self.AREA)
        return np.array([[area.contains(QgsPointXY(*at(col + 0.5, row + 0.5))) for col in range(WIDTH)]
                         for row in range(HEIGHT)])

    def points(self, seed=37):
        points = random_points(seed, 25)
        return points, layer_of([(point(col, row), [number]) for col, row, number in points])

    def test_pixels_outside_are_nodata_and_facilities_outside_serve(self):
        points, layer = self.points()
        area = self.inside()
        outside = [number for col, row, number in points if not area[int(row), int(col)]]
        got = self.nearest(layer, MASK=layer_of([(self.AREA, [1])]))
        self.check(got, burn(points), area)
        self.assertTrue(set(outside) & set(np.unique(got[1])))

    def test_nodata_of_the_reference(self):
        points, layer = self.points(41)
        known = np.random.RandomState(1).uniform(size=(HEIGHT, WIDTH)) < 0.7
        self.reference = self.make("land.tif", np.where(known, 5, 9), transform=TRANSFORM, nodata=9)
        self.check(self.nearest(layer, REFERENCE_NODATA=True), burn(points), known)
        self.check(self.nearest(layer, REFERENCE_NODATA=True, MASK=layer_of([(self.AREA, [1])])), burn(points),
                   known & self.inside())

    def test_in_another_format(self):
        points, layer = self.points(43)
        for end in (".img", ".asc"):
            results = self.run_inside("predt:nearestfacility", {
                "FACILITIES": layer, "ID_FIELD": "id", "REFERENCE": self.reference, "MASK": layer_of([(self.AREA, [1])]),
                "DISTANCE": self.path("d" + end), "ALLOCATION": self.path("a" + end), "TABLE": "TEMPORARY_OUTPUT"})
            area = self.inside()
            d2, rows, cols = brute_force(burn(points) != 0)
            self.assert_same(self.read(results["ALLOCATION"])[area], burn(points)[rows, cols][area])
            self.assertTrue((self.read(results["ALLOCATION"])[~area] == self.nodata(results["ALLOCATION"])).all())


class Degrees(Case):
    def test_areas_are_square_metres_on_the_ellipsoid(self):
        self.reference = self.make("degrees.tif", np.zeros((20, 30)), transform=(15.0, 0.01, 0, 48.0, 0, -0.01), epsg=4326)
        got = self.nearest(layer_of([("POINT(15.055 47.955)", [1]), ("POINT(15.255 47.855)", [2])], 4326))
        self.assertIn("square metres on the ellipsoid", got[3])
        total = sum(float(row["area"]) for row in got[2].values())
        self.assertAlmostEqual(total / zone(47.8, 48.0, 0.3), 1, places=5)
        self.assertEqual(got[0][4, 6], np.float32(0.01))

    def test_lengths_are_those_along_the_ellipsoid(self):
        self.reference = self.make("degrees.tif", np.zeros((3, 30)), transform=(15.0, 0.01, 0, 0.015, 0, -0.01), epsg=4326)
        got = self.nearest(layer_of([("POINT(15.055 0)", [1])], 4326), UNITS=2)
        equator = 6378137 * np.radians(0.01 * np.abs(np.arange(30) - 5))
        np.testing.assert_allclose(got[0][1], equator, rtol=1e-7)
        self.assertIn("Distances: metres on WGS 84", got[3])
        self.assertAlmostEqual(float(got[2]["1"]["max_dist"]) / float(np.hypot(equator[-1], 1105.74)), 1, places=4)

    def test_large_pixels_are_between_parallels(self):
        """Between geodesics, as QGIS measures polygons, one of 5 degrees at latitude 80 is a tenth of a percent larger."""
        self.reference = self.make("world.tif", np.zeros((36, 72)), transform=(-180, 5, 0, 90, 0, -5), epsg=4326)
        got = self.nearest(layer_of([("POINT(2.5 82.5)", [1])], 4326), UNITS=3)
        self.assertAlmostEqual(float(got[2]["1"]["area"]) / zone(-90, 90, 360), 1, places=7)

    def test_web_mercator_measured_along_the_ellipsoid(self):
        self.reference = self.make("web.tif", np.zeros((20, 30)), transform=(0, 1000, 0, 8000000, 0, -1000), epsg=3857)
        layer = layer_of([("POINT(500 7999500)", [1])], 3857)
        flat, round_ = (self.nearest(layer, UNITS=2, METRIC=metric) for metric in (0, 2))
        south, north = (np.degrees(np.arctan(np.sinh(y / 6378137))) for y in (7980000, 8000000))
        width = np.degrees(30000 / 6378137)
        self.assertEqual(float(flat[2]["1"]["area"]), 600e6)
        self.assertAlmostEqual(float(round_[2]["1"]["area"]) / zone(south, north, width), 1, places=7)
        self.assertLess(round_[0][19, 29] / flat[0][19, 29], 0.6)


def zone(south, north, width):
    """Area in square metres between two parallels of WGS 84, `width` degrees wide: integrated, not taken from QGIS."""
    a, e2 = 6378137.0, 0.0066943799901413165
    phi = np.radians(np.linspace(south, north, 20001))
    density = a * a * (1 - e2) * np.cos(phi) / (1 - e2 * np.sin(phi) ** 2) ** 2
    return np.radians(width) * float(((density[1:] + density[:-1]) / 2 * np.diff(phi)).sum())


class Wrong(Case):
    def test_parameters_that_do_not_go_together(self):
        layer = layer_of([(point(3, 3), [1])])
        extent = {"EXTENT": "0,1,0,1 [EPSG:32633]", "PIXEL_SIZE": 1}
        for parameters, word in (({}, "Give a reference raster"), ({"EXTENT": extent["EXTENT"]}, "Give a reference raster"),
                                 ({"PIXEL_SIZE": 5}, "Give a reference raster"),
                                 ({"REFERENCE": self.reference, **extent}, "not both"),
                                 ({**extent, "REFERENCE_NODATA": True}, "no reference raster"),
                                 ({"REFERENCE": "/no/such.tif"}, "REFERENCE"),
                                 ({"REFERENCE": self.reference, "ID_FIELD": "nothing"}, "no field nothing"),
                                 ({**extent, "PIXEL_SIZE": 1e-12}, "too many"),
                                 ({"REFERENCE": self.reference, "ALLOCATION": self.path("d.tif")}, "same file"),
                                 ({"REFERENCE": self.reference, "ALLOCATION": self.path("none") + "/a.tif"}, "none"),
                                 ({"REFERENCE": self.reference, "EXTRA": "-no-such-option"}, "-no-such-option"),
                                 ({"REFERENCE": self.reference, "TABLE": self.path("none") + "/t.csv"}, "none/t.csv")):
            with self.subTest(parameters):
                self.refuse_inside("predt:nearestfacility", {
                    "FACILITIES": layer, "DISTANCE": self.path("d.tif"), "ALLOCATION": self.path("a.tif"), **parameters}, word)
                self.assert_only("reference.tif")


if __name__ == "__main__":
    main()
