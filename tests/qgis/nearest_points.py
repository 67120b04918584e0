"""predt:nearestfacility of points, against brute force: other CRS, selections, grids, ids of every kind, names."""
import numpy as np
from facility_case import HEIGHT, NORTH, SIZE, TRANSFORM, WEST, WIDTH, Case, at, burn, layer_of, point, random_points
from osgeo import gdal, osr
from qgis_case import brute_force, crs, main


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


class Calls(Case):
    def test_none_is_deprecated_in_this_qgis(self):
        import warnings
        layer = layer_of([(point(3.5, 3.5), [1, "A"]), (point(9.5, 3.5), [2, "B"])], fields=("id:integer", "name:string"))
        mask = layer_of([("POLYGON((500000 5399000,501000 5399000,501000 5400000,500000 5399000))", [1])])
        with warnings.catch_warnings():
            warnings.filterwarnings("error", category=DeprecationWarning, module="predt_processing")
            self.nearest(layer, NAME_FIELD="name", MASK=mask)
            self.nearest(layer, EXTENT="500000,501000,5399000,5400000 [EPSG:32633]", PIXEL_SIZE=20)
            for name in ("predt:proximity", "predt:allocation", "predt:direction"):
                self.run_inside(name, {"INPUT": self.reference, "OUTPUT": self.path("o.tif")})


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


if __name__ == "__main__":
    main()
