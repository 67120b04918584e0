"""predt:nearestfacility against brute force: points, lines, polygons, other CRS, study area, ids of every kind, the table."""
import csv
import os

import numpy as np
from osgeo import gdal, osr
from qgis_case import InsideCase, brute_force, crs, main

WIDTH, HEIGHT, SIZE = 53, 41, 20.0
WEST, NORTH = 500000.0, 5400000.0
TRANSFORM = (WEST, SIZE, 0.0, NORTH, 0.0, -SIZE)


def layer_of(shapes, epsg=32633, fields=("id:integer",)):
    """A layer in memory of (WKT, attributes) pairs."""
    from qgis.core import QgsFeature, QgsGeometry, QgsVectorLayer
    kind = QgsGeometry.fromWkt(shapes[0][0]).type()
    geometry = ("Point", "LineString", "Polygon")[int(kind)]
    made = QgsVectorLayer(f"{geometry}?crs=EPSG:{epsg}" + "".join("&field=" + field for field in fields), "facilities", "memory")
    for wkt, attributes in shapes:
        feature = QgsFeature(made.fields())
        feature.setAttributes(list(attributes))
        if wkt:
            feature.setGeometry(QgsGeometry.fromWkt(wkt))
        assert made.dataProvider().addFeature(feature)
    made.updateExtents()
    return made


def at(col, row):
    """Map coordinates of a place in the raster; whole numbers are corners of pixels."""
    return WEST + col * SIZE, NORTH - row * SIZE


def point(col, row):
    return "POINT({!r} {!r})".format(*at(col, row))


def shape(kind, corners):
    text = ", ".join("{!r} {!r}".format(*at(*corner)) for corner in corners)
    return f"LINESTRING({text})" if kind == "line" else f"POLYGON(({text}, {text.split(', ')[0]}))"


def random_points(seed, count, margin=0.0):
    """(column, row, id): ids are not in the order of the points."""
    random = np.random.RandomState(seed)
    places = random.uniform((-margin, -margin), (WIDTH + margin, HEIGHT + margin), (count, 2))
    return [(col, row, int(number)) for (col, row), number in zip(places, random.permutation(count) + 1)]


def burn(points):
    """The raster of ids that brute force starts from: of two in one pixel the first stays."""
    pixels = np.zeros((HEIGHT, WIDTH), np.int64)
    for col, row, number in points:
        if 0 <= col < WIDTH and 0 <= row < HEIGHT and not pixels[int(row), int(col)]:
            pixels[int(row), int(col)] = number
    return pixels


class Case(InsideCase):
    def setUp(self):
        super().setUp()
        self.reference = self.make("reference.tif", np.zeros((HEIGHT, WIDTH)), transform=TRANSFORM)

    def nearest(self, layer, **parameters):
        """Returns (distance, allocation, table rows by id, what was told)."""
        grid = {} if "EXTENT" in parameters else {"REFERENCE": self.reference}
        names = {"DISTANCE": self.path("distance.tif"), "ALLOCATION": self.path("allocation.tif"), "TABLE": self.path("table.csv")}
        for name in names.values():
            if os.path.exists(name):
                os.remove(name)
        fields = layer.fields().names() if hasattr(layer, "fields") else []
        chosen = {"ID_FIELD": "id"} if "id" in fields else {}
        results, log = self.log_of("predt:nearestfacility", {"FACILITIES": layer, **chosen, **grid, **names, **parameters})
        with open(results["TABLE"], newline="", encoding="utf-8") as file:
            table = {row["id"]: row for row in csv.DictReader(file)}
        self.assertFalse([name for name in os.listdir(self.folder) if name.startswith(".predt")])
        return self.read(results["DISTANCE"]), self.read(results["ALLOCATION"]), table, log

    def check(self, got, pixels, area=None, size=SIZE, nodata=0):
        """Every pixel of distance and allocation, every line of the table."""
        distance, allocation, table, _ = got
        d2, rows, cols = brute_force(pixels != 0)
        right = (np.sqrt(d2) * size).astype(np.float32)
        owner = pixels[rows, cols]
        if area is not None:
            right[~area], owner[~area] = np.nan, nodata
        self.assert_same(distance, right)
        self.assert_same(allocation, owner)
        for number in np.unique(pixels[pixels != 0]):
            line, served = table[str(number)], owner == number
            self.assertEqual(int(line["pixels"]), served.sum())
            self.assertAlmostEqual(float(line["area"]), served.sum() * size * size, places=5)
            if served.any():
                self.assertAlmostEqual(float(line["mean_dist"]), right[served].mean(dtype=np.float64), places=5)
                self.assertAlmostEqual(float(line["max_dist"]), float(right[served].max()), places=5)


class Points(Case):
    def test_against_brute_force(self):
        for seed in range(4):
            points = random_points(seed, 3 + 20 * seed)
            self.check(self.nearest(layer_of([(point(col, row), [number]) for col, row, number in points])), burn(points))

    def test_other_crs(self):
        points = random_points(11, 30)
        here = osr.SpatialReference(crs(32633))
        for epsg in (4326, 3857, 25832):
            there = osr.SpatialReference(crs(epsg))
            there.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
            moved = osr.CoordinateTransformation(here, there)
            shapes = [("POINT({!r} {!r})".format(*moved.TransformPoint(*at(col, row))[:2]), [number])
                      for col, row, number in points]
            self.check(self.nearest(layer_of(shapes, epsg)), burn(points))

    def test_some_outside_and_some_in_one_pixel_are_named(self):
        points = [(5.5, 5.5, 1), (5.7, 5.2, 2), (60, 3, 3), (20.1, 30.9, 4)]
        layer = layer_of([(point(col, row), [number, name]) for (col, row, number), name in zip(points, "ABCD")],
                         fields=("id:integer", "name:string"))
        got = self.nearest(layer, NAME_FIELD="name")
        self.check(got, burn(points))
        self.assertIn("Outside the raster, not used: C", got[3])
        self.assertIn("B (with A)", got[3])
        self.assertEqual((got[2]["2"]["pixels"], got[2]["2"]["max_dist"]), ("0", ""))

    def test_none_inside_is_refused(self):
        self.refuse_inside("predt:nearestfacility", {
            "FACILITIES": layer_of([(point(60, 3), [1])]), "REFERENCE": self.reference, "DISTANCE": self.path("d.tif"),
            "ALLOCATION": self.path("a.tif")}, "No facility lies on a pixel")
        self.assert_only("reference.tif")

    def test_a_layer_that_was_given_another_crs(self):
        from qgis.core import QgsCoordinateReferenceSystem, QgsRasterLayer
        self.reference = QgsRasterLayer(self.reference, "reference")
        self.reference.setCrs(QgsCoordinateReferenceSystem("EPSG:32632"))
        points = random_points(47, 8)
        self.check(self.nearest(layer_of([(point(col, row), [number]) for col, row, number in points], 32632)), burn(points))
        self.assertIn("zone 32N", gdal.Open(self.path("distance.tif")).GetProjection())

    def test_units_and_maximum(self):
        points = random_points(13, 6)
        distance, allocation, table, _ = self.nearest(layer_of([(point(col, row), [number]) for col, row, number in points]),
                                                      UNITS=3, MAX_DISTANCE=0.2)
        d2, rows, cols = brute_force(burn(points) != 0)
        reached = d2 <= 100
        self.assert_same(distance, np.where(reached, np.sqrt(d2) * 0.02, np.nan))
        self.assert_same(allocation, np.where(reached, burn(points)[rows, cols], 0))
        self.assertEqual(sum(int(row["pixels"]) for row in table.values()), reached.sum())

    def test_selected_features_and_filters(self):
        from qgis.core import QgsProcessingFeatureSourceDefinition, QgsProject
        points = random_points(17, 12)
        layer = layer_of([(point(col, row), [number]) for col, row, number in points])
        few = [one for one in points if one[2] <= 4]
        layer.setSubsetString("id <= 4")
        if layer.subsetString():  # layers in memory take none before QGIS 3.28
            self.check(self.nearest(layer), burn(few))
            layer.setSubsetString("")
        layer.selectByExpression("id <= 4")
        QgsProject.instance().addMapLayer(layer)
        self.addCleanup(QgsProject.instance().removeMapLayer, layer.id())
        chosen = QgsProcessingFeatureSourceDefinition(layer.id(), selectedFeaturesOnly=True)
        self.check(self.nearest(chosen, ID_FIELD="id"), burn(few))

    def test_a_filtered_file(self):
        from qgis.core import QgsVectorFileWriter, QgsVectorLayer
        points = random_points(19, 12)
        whole = layer_of([(point(col, row), [number]) for col, row, number in points])
        QgsVectorFileWriter.writeAsVectorFormatV3(whole, self.path("all.gpkg"), whole.transformContext(),
                                                  QgsVectorFileWriter.SaveVectorOptions())
        layer = QgsVectorLayer(self.path("all.gpkg") + "|subset=\"id\" > 8", "some", "ogr")
        self.check(self.nearest(layer), burn([one for one in points if one[2] > 8]))

    def test_extent_and_pixel_size(self):
        points = random_points(23, 9)
        layer = layer_of([(point(col, row), [number]) for col, row, number in points])
        east, south = at(WIDTH - 0.4, HEIGHT - 0.6)
        got = self.nearest(layer, EXTENT=f"{WEST},{east},{south},{NORTH} [EPSG:32633]", PIXEL_SIZE=SIZE)
        self.check(got, burn(points))
        self.assertEqual(gdal.Open(self.path("distance.tif")).GetGeoTransform(), TRANSFORM)
        self.assertIn("32633", gdal.Open(self.path("distance.tif")).GetProjection())

    def test_features_without_geometry_or_id_are_left_out(self):
        points = random_points(29, 5)
        shapes = [(point(col, row), [number]) for col, row, number in points]
        got = self.nearest(layer_of([*shapes, ("", [77]), (point(3, 3), [None])]))
        self.check(got, burn(points))
        self.assertIn("no geometry in the CRS of the raster: 1", got[3])
        self.assertIn("no id: 1", got[3])

    def test_features_that_cannot_be_reprojected_are_left_out(self):
        here, there = osr.SpatialReference(crs(32633)), osr.SpatialReference(crs(4326))
        there.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
        x, y, _ = osr.CoordinateTransformation(here, there).TransformPoint(*at(7.5, 9.5))
        got = self.nearest(layer_of([(f"POINT({x!r} {y!r})", [1]), ("POINT(15 100)", [2])], 4326))
        self.check(got, burn([(7.5, 9.5, 1)]))
        self.assertIn("no geometry in the CRS of the raster: 1", got[3])

    def test_a_rotated_reference(self):
        turned = (WEST, 16.0, 12.0, NORTH, 12.0, -16.0)
        self.reference = self.make("turned.tif", np.zeros((HEIGHT, WIDTH)), transform=turned)
        points = random_points(31, 15)
        shapes = [(f"POINT({WEST + 16 * col + 12 * row!r} {NORTH + 12 * col - 16 * row!r})", [number])
                  for col, row, number in points]
        self.check(self.nearest(layer_of(shapes)), burn(points))


class Ids(Case):
    def burned_as(self, ids, kind, numbers, **more):
        """Runs with these ids; checks that the pixels hold these numbers."""
        places = [(3.5, 3.5), (40.5, 8.5), (20.5, 30.5), (50.5, 39.5)][:len(ids)]
        layer = layer_of([(point(*place), [one]) for place, one in zip(places, ids)], fields=(f"id:{kind}",))
        got = self.nearest(layer, **more)
        for (col, row), number in zip(places, numbers):
            self.assertEqual(got[1][int(row), int(col)], number)
        return got

    def test_whole_numbers_stay(self):
        for ids in ([1, 2, 255], [7, 300, 65535], [1, 70000, 2**31 - 1], [-5, 3, 4]):
            self.burned_as(ids, "integer", ids)

    def test_0_is_an_id_like_others(self):
        got = self.burned_as([0, 1, 2], "integer", [0, 1, 2])
        self.assertNotIn(self.nodata(self.path("allocation.tif")), (0, 1, 2))
        self.assertEqual(got[2]["0"]["value"], "0")

    def test_reals_that_are_whole(self):
        self.burned_as([4.0, 9.0], "double", [4, 9])

    def test_text_reals_and_large_numbers_are_numbered(self):
        for ids, kind in ((["north", "süd", "ost"], "string"), ([1.5, 2.5], "double"), ([2**40, 5], "int8")):
            got = self.burned_as(ids, kind, [1, 2, 3][:len(ids)])
            self.assertEqual(set(got[2]), set(map(str, ids)))
            self.assertIn("allocation holds 1 to", got[3])

    def test_one_id_several_features_one_facility(self):
        got = self.burned_as([5, 8, 5], "integer", [5, 8, 5])
        self.assertEqual(sorted(got[2]), ["5", "8"])
        self.assertEqual(sum(int(row["pixels"]) for row in got[2].values()), WIDTH * HEIGHT)

    def test_feature_ids_where_there_is_no_field(self):
        layer = layer_of([(point(3.5, 3.5), []), (point(30.5, 3.5), [])], fields=())
        got = self.nearest(layer)
        self.assertEqual(set(np.unique(got[1]).tolist()), {feature.id() for feature in layer.getFeatures()})
        self.assertIn("feature ids are used", got[3])

    def test_names_in_the_attribute_table_and_colours_in_both_places(self):
        from qgis.core import QgsRasterLayer
        layer = layer_of([(point(3.5, 3.5), [4, "Höhe"]), (point(30.5, 3.5), [9, None])], fields=("id:integer", "name:string"))
        self.nearest(layer, NAME_FIELD="name")
        opened = gdal.Open(self.path("allocation.tif"))
        table = opened.GetRasterBand(1).GetDefaultRAT()
        self.assertEqual([(table.GetValueAsInt(row, 0), table.GetValueAsString(row, 1)) for row in range(table.GetRowCount())],
                         [(4, "Höhe"), (9, "9")])
        colour = opened.GetRasterBand(1).GetColorTable().GetColorEntry(4)[:3]
        self.assertEqual(colour, tuple(table.GetValueAsInt(0, column) for column in (3, 4, 5)))
        shown = QgsRasterLayer(self.path("allocation.tif"))  # with the .qml beside it
        self.assertEqual([(one.value, one.label, one.color.getRgb()[:3]) for one in shown.renderer().classes()][0],
                         (4, "Höhe", colour))


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
        return np.array([[area.contains(QgsPointXY(*at(col + 0.5, row + 0.5))) for col in range(WIDTH)] for row in range(HEIGHT)])

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

    def test_lengths_are_refused(self):
        self.reference = self.make("degrees.tif", np.zeros((20, 30)), transform=(15.0, 0.01, 0, 48.0, 0, -0.01), epsg=4326)
        self.refuse_inside("predt:nearestfacility", {
            "FACILITIES": layer_of([("POINT(15.055 47.955)", [1])], 4326), "REFERENCE": self.reference, "UNITS": 2,
            "DISTANCE": self.path("d.tif"), "ALLOCATION": self.path("a.tif")}, "degree")
        self.assert_only("reference.tif", "degrees.tif")


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
