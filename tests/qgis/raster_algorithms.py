"""predt:proximity, predt:allocation and predt:direction inside QGIS: parameters become options, layers become sources."""
import os

import numpy as np
from osgeo import gdal
from qgis_case import SAMPLES, InsideCase, main, targets


class Options(InsideCase):
    def setUp(self):
        super().setUp()
        self.source = self.make("in.tif", targets(5, 7, (0, 0, 3), (4, 6, 200)), transform=(0, 10, 0, 0, 0, -10))

    def proximity(self, **parameters):
        out = self.run_inside("predt:proximity", {"INPUT": self.source, "OUTPUT": self.path("out.tif"), **parameters})
        self.assertEqual(out["OUTPUT"], self.path("out.tif"))
        return self.read(out["OUTPUT"])

    def command(self, *arguments):
        self.predt("-q", "--overwrite", *arguments, self.source, self.path("right.tif"))
        return self.read(self.path("right.tif"))

    def test_each_parameter(self):
        for parameters, options in (
                ({}, []),
                ({"UNITS": 0}, ["-distunits", "GEO"]), ({"UNITS": 1}, ["-distunits", "PIXEL"]),
                ({"UNITS": 2}, ["-distunits", "METRE"]), ({"UNITS": 7}, ["-distunits", "NMI"]),
                ({"VALUES": "200"}, ["-values", "200"]), ({"VALUES": "1:5,200"}, ["-values", "1:5,200"]),
                ({"MAX_DISTANCE": 2.5}, ["-maxdist", "2.5"]), ({"MAX_DISTANCE": 0}, []),
                ({"REPLACE": 1, "MAX_DISTANCE": 2}, ["-fixed-buf-val", "1", "-maxdist", "2"]), ({"REPLACE": 0}, []),
                ({"NODATA": -1, "MAX_DISTANCE": 2}, ["-nodata", "-1", "-maxdist", "2"]),
                ({"DATA_TYPE": 0}, ["-ot", "Byte"]), ({"DATA_TYPE": 6}, ["-ot", "Float64"]),
                ({"DATA_TYPE": 0, "NODATA": 77, "MAX_DISTANCE": 1}, ["-ot", "Byte", "-nodata", "77", "-maxdist", "1"]),
                ({"EXTRA": "-min-dist 2 -threads '1'"}, ["-min-dist", "2"])):
            with self.subTest(parameters):
                self.assert_same(self.proximity(**parameters), self.command(*options))
                self.assertEqual(str(self.nodata(self.path("out.tif"))), str(self.nodata(self.path("right.tif"))))

    def test_targets_are_no_nodata_by_default(self):
        self.assertEqual(self.proximity()[0, 0], 0)
        self.assertTrue(np.isnan(self.nodata(self.path("out.tif"))))

    def test_creation_options_under_both_names(self):
        for name in ("OPTIONS", "CREATION_OPTIONS"):
            self.proximity(**{name: "COMPRESS=DEFLATE|TILED=YES"})
            self.assertEqual(gdal.Open(self.path("out.tif")).GetMetadata("IMAGE_STRUCTURE")["COMPRESSION"], "DEFLATE")

    def test_input_nodata_stays(self):
        self.source = self.make("nodata.tif", [[9, 0, 3]], nodata=9)
        self.assert_same(self.proximity(INPUT_NODATA=True), [[np.nan, 1, 0]])
        self.assert_same(self.proximity(), [[2, 1, 0]])

    def test_the_format_follows_the_name(self):
        for name, driver in (("a.img", "HFA"), ("b.asc", "AAIGrid"), ("c.sdat", "SAGA")):
            self.run_inside("predt:proximity", {"INPUT": self.source, "OUTPUT": self.path(name)})
            self.assertEqual(gdal.Open(self.path(name)).GetDriver().ShortName, driver)

    def test_three_outputs_in_one_run(self):
        results, log = self.log_of("predt:proximity", {"INPUT": self.source, "OUTPUT": "TEMPORARY_OUTPUT",
                                                       "ALLOCATION": "TEMPORARY_OUTPUT", "DIRECTION": self.path("d.tif")})
        self.assertEqual(log.count("gdal_predt -json"), 1)
        self.assert_same(self.read(results["OUTPUT"]), self.command())
        self.assertEqual(set(np.unique(self.read(results["ALLOCATION"]))), {3, 200})
        self.assertEqual(self.read(results["DIRECTION"])[0, 1], 270)

    def test_an_old_output_is_replaced(self):
        self.make("out.tif", [[1, 2]])
        self.assertEqual(self.proximity().shape, (5, 7))

    def test_allocation_and_direction_take_a_limit(self):
        for kind, nothing in (("allocation", 0), ("direction", np.nan)):
            out = self.run_inside("predt:" + kind, {"INPUT": self.source, "MAX_DISTANCE": 1, "OUTPUT": "TEMPORARY_OUTPUT"})
            self.assert_same(self.read(out["OUTPUT"])[2, 3:4], [nothing])

    def test_nodata_of_an_allocation(self):
        self.run_inside("predt:allocation", {"INPUT": self.source, "MAX_DISTANCE": 1, "NODATA": 99,
                                             "OUTPUT": self.path("a.tif")})
        self.assertEqual(self.nodata(self.path("a.tif")), 99)


class InsteadOfGdal(InsideCase):
    """What was made for gdal:proximity runs here with the name alone changed. Both are right on this raster."""

    def setUp(self):
        super().setUp()
        self.source = self.make("in.tif", targets(5, 7, (0, 0, 3), (4, 6, 200)), transform=(0, 10, 0, 0, 0, -10))

    def test_a_script(self):
        given = {"INPUT": self.source, "BAND": 1, "VALUES": "3", "UNITS": 0, "MAX_DISTANCE": 45, "REPLACE": 0, "NODATA": 0,
                 "OPTIONS": "COMPRESS=DEFLATE", "EXTRA": "", "DATA_TYPE": 5}
        made = {name: self.run_inside(name, {**given, "OUTPUT": self.path(name[:3] + "t.tif")})["OUTPUT"]
                for name in ("gdal:proximity", "predt:proximity")}
        self.assert_same(*map(self.read, made.values()))
        self.assertEqual(self.nodata(made["predt:proximity"]), 0)

    def test_a_model(self):
        from qgis.core import (QgsProcessingModelAlgorithm, QgsProcessingModelChildAlgorithm,
                               QgsProcessingModelChildParameterSource,
                               QgsProcessingModelOutput, QgsProcessingModelParameter, QgsProcessingParameterRasterLayer)
        model = QgsProcessingModelAlgorithm("a model", "models")
        model.addModelParameter(QgsProcessingParameterRasterLayer("raster"), QgsProcessingModelParameter("raster"))
        child = QgsProcessingModelChildAlgorithm("gdal:proximity")
        child.setChildId("near")
        child.addParameterSources("INPUT", [QgsProcessingModelChildParameterSource.fromModelParameter("raster")])
        for name, value in (("BAND", 1), ("UNITS", 0), ("MAX_DISTANCE", 0), ("REPLACE", 0), ("DATA_TYPE", 5), ("OPTIONS", "")):
            child.addParameterSources(name, [QgsProcessingModelChildParameterSource.fromStaticValue(value)])
        output = QgsProcessingModelOutput("result")
        output.setChildId("near")
        output.setChildOutputName("OUTPUT")
        child.setModelOutputs({"result": output})
        model.addChildAlgorithm(child)
        self.assertTrue(model.toFile(self.path("old.model3")))
        with open(self.path("old.model3")) as old, open(self.path("new.model3"), "w") as new:
            new.write(old.read().replace("gdal:proximity", "predt:proximity"))
        pixels = []
        for name in ("old", "new"):
            loaded = QgsProcessingModelAlgorithm()
            self.assertTrue(loaded.fromFile(self.path(name + ".model3")))
            loaded.initAlgorithm()
            results = self.run_inside(loaded, {"raster": self.source, "near:result": self.path(name + ".tif")})
            pixels.append(self.read(results["near:result"]))
        self.assert_same(*pixels)


class Layers(InsideCase):
    """Sources that are not a plain path."""

    def check(self, layer, right, **more):
        out = self.run_inside("predt:proximity", {"INPUT": layer, "OUTPUT": self.path("out é ü.tif"), **more})
        self.assert_same(self.read(out["OUTPUT"]), right)

    def layer(self, source, provider="gdal", name="a layer"):
        from qgis.core import QgsRasterLayer
        made = QgsRasterLayer(source, name, provider)
        self.assertTrue(made.isValid(), source)
        return made

    def test_names_with_spaces_quotes_and_other_letters(self):
        for name in ("with space.tif", "Höhe ä.tif", "it's.tif", 'say "so".tif', "$HOME;x.tif", "日本.tif"):
            with self.subTest(name):
                source = self.make(name, [[1, 0, 0]])
                self.check(self.layer(source), [[0, 1, 2]])

    def test_the_second_band(self):
        self.check(self.layer(self.make("two.tif", [[[1, 0, 0]], [[0, 0, 1]]])), [[2, 1, 0]], BAND=2)

    def test_a_vrt_and_a_vrt_without_a_file(self):
        source = self.make("in.tif", [[1, 0, 0]])
        gdal.Translate(self.path("in.vrt"), source)
        self.check(self.layer(self.path("in.vrt")), [[0, 1, 2]])
        with open(self.path("in.vrt")) as file:
            text = file.read().replace('relativeToVRT="1">in.tif', f'relativeToVRT="0">{source}')
        self.check(self.layer(text), [[0, 1, 2]])

    def test_a_subdataset(self):
        source = self.make("in.tif", [[1, 0, 0]])
        gdal.Translate(self.path("all.gpkg"), source, format="GPKG", creationOptions=["RASTER_TABLE=one"])
        gdal.Translate(self.path("all.gpkg"), self.make("other.tif", [[0, 1, 0]]), format="GPKG",
                       creationOptions=["RASTER_TABLE=two", "APPEND_SUBDATASET=YES"])
        for table, right in (("one", [0, 1, 2]), ("two", [1, 0, 1])):
            out = self.run_inside("predt:proximity", {"INPUT": self.layer(f"GPKG:{self.path('all.gpkg')}:{table}"),
                                                      "VALUES": "1", "OUTPUT": self.path(table + ".tif")})
            self.assert_same(self.read(out["OUTPUT"])[0, :3], right)

    def test_a_layer_in_the_memory_of_qgis_is_refused_in_one_line(self):
        gdal.Translate("/vsimem/in.tif", self.make("in.tif", [[1, 0, 0]]))
        self.addCleanup(gdal.Unlink, "/vsimem/in.tif")
        told = self.refuse_inside("predt:proximity", {"INPUT": self.layer("/vsimem/in.tif", name="dam"),
                                                      "OUTPUT": self.path("o.tif")}, "dam", "memory of QGIS", "save it")
        self.assertEqual(len(told.removeprefix("Unable to execute algorithm\n").splitlines()), 1)
        self.assert_only("in.tif")

    def test_another_provider_is_refused(self):
        source = self.make("in.tif", [[1, 0, 0]])
        formula = f"?crs=EPSG:32633&extent=0,-1,3,0&width=3&height=1&formula=%22in@1%22&in:uri={source}&in:provider=gdal"
        self.refuse_inside("predt:allocation", {"INPUT": self.layer(formula, "virtualraster"), "OUTPUT": self.path("o.tif")},
                           "virtualraster", "save it")

    def test_open_options_are_refused(self):
        source = self.make("in.tif", [[1, 0, 0]])
        self.refuse_inside("predt:direction", {"INPUT": self.layer(source + "|option:NUM_THREADS=1"),
                                               "OUTPUT": self.path("o.tif")},
                           "options of its own", "save it")


class Wrong(InsideCase):
    def setUp(self):
        super().setUp()
        self.source = self.make("in.tif", [[1, 0, 0]])

    def test_wrong_parameters_are_told_and_leave_nothing(self):
        for parameters, word in (({"VALUES": "5:x"}, "5:x"), ({"EXTRA": "-no-such-option"}, "-no-such-option"),
                                 ({"EXTRA": "-threads '2"}, "quotation mark"), ({"OPTIONS": "COMPRESS"}, "COMPRESS"),
                                 ({"BAND": 7}, "7"), ({"INPUT": "/no/such.tif"}, "INPUT"), ({"DATA_TYPE": 9}, "DATA_TYPE"),
                                 ({"UNITS": 99}, "UNITS"), ({"MAX_DISTANCE": -1}, "MAX_DISTANCE"),
                                 ({"OUTPUT": self.path("no such folder") + "/out.tif"}, "no such folder")):
            with self.subTest(parameters):
                self.refuse_inside("predt:proximity", {"INPUT": self.source, "OUTPUT": self.path("out.tif"), **parameters},
                                   word)
                self.assert_only("in.tif")

    def test_an_output_in_memory_is_refused(self):
        self.refuse_inside("predt:proximity", {"INPUT": self.source, "OUTPUT": "/vsimem/out.tif"}, "memory of QGIS")

    def test_lengths_in_degrees_are_measured_on_the_ellipsoid(self):
        source = self.make("degrees.tif", [[1, 0, 0]], epsg=4277, transform=(10, 0.5, 0, 0.25, 0, -0.5))
        results, log = self.log_of("predt:proximity", {"INPUT": source, "UNITS": 3, "OUTPUT": self.path("out.tif")})
        equator = 6377.563396 * np.radians([[0, 0.5, 1]])
        np.testing.assert_allclose(self.read(results["OUTPUT"]), equator, rtol=1e-7)
        self.assertIn("Distances: kilometres on Airy 1830", log)

    def test_web_mercator_on_the_ellipsoid(self):
        source = self.make("web.tif", [[1, 0, 0]], epsg=3857, transform=(0, 1000, 0, 500, 0, -1000))
        for metric, where in ((0, "the plane of EPSG:3857"), (1, "the plane of EPSG:3857"), (2, "WGS 84")):
            results, log = self.log_of("predt:proximity", {"INPUT": source, "UNITS": 2, "METRIC": metric,
                                                           "OUTPUT": self.path(f"out{metric}.tif")})
            np.testing.assert_allclose(self.read(results["OUTPUT"]), [[0, 1000, 2000]], rtol=1e-7)
            self.assertIn("Distances: metres on " + where, log)

    def test_a_warning_is_told_and_is_no_failure(self):
        source = self.make("empty.tif", [[0, 0, 0]])
        results, log = self.log_of("predt:proximity", {"INPUT": source, "OUTPUT": self.path("out.tif")})
        self.assertTrue(os.path.exists(results["OUTPUT"]))
        self.assertIn("target", log)

    def test_the_source_is_not_overwritten(self):
        self.refuse_inside("predt:proximity", {"INPUT": self.source, "OUTPUT": self.source}, "")
        self.assert_same(self.read(self.source), [[1, 0, 0]])


class Looks(InsideCase):
    """What QGIS shows when it loads the outputs."""

    def load(self, name, parameters):
        from processing.gui.Postprocessing import handleAlgorithmResults
        from qgis.core import QgsApplication, QgsProcessingContext, QgsProcessingOutputLayerDefinition, QgsProject
        project = QgsProject()
        context, feedback = QgsProcessingContext(), self.feedback()
        context.setProject(project)
        made = QgsApplication.processingRegistry().createAlgorithmById(name)
        band = {"BAND": 1} if "INPUT" in parameters else {}
        outputs = {one.name(): QgsProcessingOutputLayerDefinition("TEMPORARY_OUTPUT", project)
                   for one in made.destinationParameterDefinitions()}
        results, good = made.run({**band, **parameters, **outputs}, context, feedback)
        self.assertTrue(good, feedback.lines)
        self.assertTrue(handleAlgorithmResults(made, context, feedback), feedback.lines)
        self.project = project
        return {key: next(layer for layer in project.mapLayers().values() if path in (layer.id(), layer.source()))
                for key, path in results.items()}

    @staticmethod
    def feedback():
        from qgis_case import telling_feedback
        return telling_feedback()

    def test_distance_is_spread_over_its_range_and_direction_is_a_circle(self):
        source = self.make("in.tif", targets(5, 7, (0, 0, 3)))
        layers = self.load("predt:proximity", {"INPUT": source})
        distance, direction = layers["OUTPUT"].renderer(), layers["DIRECTION"].renderer()
        self.assertEqual(distance.type(), "singlebandpseudocolor")
        self.assertAlmostEqual(distance.classificationMax(), np.hypot(4, 6), places=5)
        items = distance.shader().rasterShaderFunction().colorRampItemList()
        self.assertAlmostEqual(items[-1].value, np.hypot(4, 6), places=5)
        self.assertEqual(items[0].color.name(), "#fffacd")
        circle = direction.shader().rasterShaderFunction().colorRampItemList()
        self.assertEqual((circle[0].value, circle[-1].value), (0, 360))
        self.assertEqual(circle[1].color.name(), circle[-1].color.name())  # circle[0] is on a target

    def test_an_allocation_has_a_colour_for_each_value(self):
        source = self.make("in.tif", targets(5, 7, (0, 0, 3), (4, 6, 200), (2, 5, 9)))
        shown = self.load("predt:allocation", {"INPUT": source})["OUTPUT"].renderer()
        self.assertEqual([one.value for one in shown.classes()], [3, 9, 200])
        self.assertEqual(len({one.color.name() for one in shown.classes()}), 3)

    def test_an_allocation_keeps_the_colours_of_its_input(self):
        layer = self.load("predt:allocation", {"INPUT": os.path.join(SAMPLES, "hospitals.tif")})["OUTPUT"]
        colours = {one.value: one.color.getRgb()[:3] for one in layer.renderer().classes()}
        opened = gdal.Open(os.path.join(SAMPLES, "hospitals.tif"))
        right = opened.GetRasterBand(1).GetColorTable()
        for label in (1, 24):
            self.assertEqual(colours[label], right.GetColorEntry(label)[:3])

    def test_nearest_facilities_have_names_in_the_legend(self):
        layers = self.load("predt:nearestfacility", {
            "FACILITIES": os.path.join(SAMPLES, "hospitals.geojson"), "ID_FIELD": "id", "NAME_FIELD": "name",
            "REFERENCE": os.path.join(SAMPLES, "hospitals.tif"), "UNITS": 3})
        classes = layers["ALLOCATION"].renderer().classes()
        self.assertEqual((classes[0].value, classes[0].label), (1, "Aldermoor General"))
        self.assertAlmostEqual(layers["DISTANCE"].renderer().classificationMax(), 10.2141962, places=5)
        self.assertEqual(layers["TABLE"].featureCount(), 24)


if __name__ == "__main__":
    main()
