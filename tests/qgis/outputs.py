"""One rule for the outputs of all algorithms: formats by name, inputs never harmed, a user's style never overwritten, old
rasters replaced all or not at all."""
import os

import numpy as np
from facility_case import HEIGHT, TRANSFORM, WIDTH, Case, layer_of, point
from osgeo import gdal
from qgis_case import main

RASTERS = ("predt:proximity", "predt:allocation", "predt:direction")


class Outputs(Case):
    def setUp(self):
        super().setUp()
        self.layer = layer_of([(point(3.5, 3.5), [1, "A"]), (point(30.5, 20.5), [2, "B"])],
                              fields=("id:integer", "name:string"))

    def facility(self, **parameters):
        return {"FACILITIES": self.layer, "ID_FIELD": "id", "REFERENCE": self.reference, "DISTANCE": self.path("d.tif"),
                "ALLOCATION": self.path("a.tif"), **parameters}

    def targets(self):
        pixels = np.zeros((HEIGHT, WIDTH))
        pixels[3, 3], pixels[20, 30] = 1, 2
        return self.make("targets.tif", pixels, transform=TRANSFORM)

    def driver_or_words(self, name, parameters, output):
        """(driver, pixels) of the output, or what was said."""
        from qgis.core import QgsProcessingException
        try:
            self.run_inside(name, parameters)
        except QgsProcessingException as problem:
            self.assertFalse(os.path.exists(output))
            return str(problem).replace("Unable to execute algorithm\n", ""), None
        opened = gdal.Open(output)
        return opened.GetDriver().ShortName, opened.ReadAsArray().tolist()


class Formats(Outputs):
    ENDS = ("", ".vrt", ".png", ".jpg", ".foo", ".shp", ".img", ".asc", ".TIF")

    def test_nearest_facility_writes_what_the_others_write_or_refuses_in_their_words(self):
        source = self.targets()
        for end in self.ENDS:
            with self.subTest(end):
                out, given = self.path("one" + end), {"INPUT": source, "UNITS": 0}
                right = self.driver_or_words("predt:proximity", {**given, "OUTPUT": out}, out)
                self.drop("one")
                self.assertEqual(self.driver_or_words("predt:nearestfacility", self.facility(DISTANCE=out), out), right)
                self.drop("one")
                right = self.driver_or_words("predt:allocation", {**given, "OUTPUT": out}, out)
                self.drop("one")
                self.assertEqual(self.driver_or_words("predt:nearestfacility", self.facility(ALLOCATION=out), out), right)
                self.drop("one")

    def drop(self, stem):
        for name in os.listdir(self.folder):
            if name.startswith(stem):
                os.remove(self.path(name))

    def test_creation_options_that_are_wrong_are_told_before_the_work(self):
        from unittest import mock
        from predt_processing import nearest_facility
        with mock.patch.object(nearest_facility, "burn_facilities", side_effect=AssertionError("burned")):
            self.refuse_inside("predt:nearestfacility", self.facility(DISTANCE=self.path("d.png")), "d.png", "PNG")
            self.refuse_inside("predt:nearestfacility", self.facility(OPTIONS="COMPRESS"), "COMPRESS")


class Inputs(Outputs):
    """None is written to: under other names, through links, part of a virtual raster, or as a table."""

    def unharmed(self, name, parameters, *files):
        before = [self.bytes(file) for file in files]
        self.refuse_inside(name, parameters, "")
        self.assertEqual([self.bytes(file) for file in files], before)
        self.assertFalse([left for left in os.listdir(self.folder) if left.startswith(".")])

    def bytes(self, path):
        with open(path, "rb") as file:
            return file.read()

    def names_of(self, path):
        os.symlink(path, self.path("symlink.tif"))
        os.link(path, self.path("hardlink.tif"))
        return path, self.path("symlink.tif"), self.path("hardlink.tif"), self.folder + "/./" + os.path.basename(path)

    def test_the_input_of_the_raster_algorithms(self):
        source = self.targets()
        for out in self.names_of(source):
            for name in RASTERS:
                with self.subTest(f"{name} {out}"):
                    self.unharmed(name, {"INPUT": source, "OUTPUT": out}, source)
        self.unharmed("predt:proximity", {"INPUT": source, "OUTPUT": self.path("o.tif"), "ALLOCATION": source}, source)

    def test_sources_of_a_virtual_raster_of_a_virtual_raster(self):
        source = self.targets()
        gdal.BuildVRT(self.path("one.vrt"), [source])
        gdal.BuildVRT(self.path("two.vrt"), [self.path("one.vrt")])
        for out in (source, self.path("one.vrt"), self.path("two.vrt")):
            for name in RASTERS:
                self.unharmed(name, {"INPUT": self.path("two.vrt"), "OUTPUT": out}, source, out)
            self.unharmed("predt:nearestfacility", self.facility(REFERENCE=self.path("two.vrt"), DISTANCE=out), source, out)

    def test_reference_and_mask(self):
        for out in self.names_of(self.reference):
            for output in ("DISTANCE", "ALLOCATION", "TABLE"):
                with self.subTest(f"{output} {out}"):
                    self.unharmed("predt:nearestfacility", self.facility(**{output: out}), self.reference)
        mask, facilities = self.path("mask.gpkg"), self.path("facilities.gpkg")
        gdal.VectorTranslate(mask, self.geojson("POLYGON((500000 5399000,501000 5399000,501000 5400000,500000 5399000))"))
        gdal.VectorTranslate(facilities, self.geojson("POINT(500070 5399930)"))
        for output in ("DISTANCE", "ALLOCATION", "TABLE"):
            for out in (mask, facilities):
                with self.subTest(f"{output} {out}"):
                    self.unharmed("predt:nearestfacility", self.facility(FACILITIES=facilities, MASK=mask, ID_FIELD="",
                                                                         **{output: out}), mask, facilities)

    def geojson(self, wkt):
        from osgeo import ogr
        path = self.path("shape.geojson")
        shape = ogr.CreateGeometryFromWkt(wkt).ExportToJson()
        with open(path, "w") as file:
            file.write('{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::32633"}},'
                       '"features":[{"type":"Feature","properties":{},"geometry":%s}]}' % shape)
        return path

    def test_files_beside_the_reference(self):
        """g.flt and g.bil share g.hdr."""
        gdal.Translate(self.path("g.flt"), self.reference, format="EHdr", outputType=gdal.GDT_Float32)
        self.unharmed("predt:nearestfacility", self.facility(REFERENCE=self.path("g.flt"), DISTANCE=self.path("g.bil")),
                      self.path("g.flt"), self.path("g.hdr"))
        self.assertFalse(os.path.exists(self.path("g.bil")))

    def test_outputs_are_different_files(self):
        for one, other in (("DISTANCE", "TABLE"), ("ALLOCATION", "TABLE"), ("DISTANCE", "ALLOCATION")):
            out = self.path("same.tif")
            self.refuse_inside("predt:nearestfacility", self.facility(**{one: out, other: out}), "same file")
        self.refuse_inside("predt:proximity", {"INPUT": self.targets(), "OUTPUT": self.path("o.tif"),
                                               "DIRECTION": self.folder + "/./o.tif"}, "same file")

    def test_a_table_beside_the_facilities_in_their_geopackage_is_added(self):
        facilities = self.path("facilities.gpkg")
        gdal.VectorTranslate(facilities, self.geojson("POINT(500070 5399930)"), layerName="homes")
        table = f"ogr:dbname='{facilities}' table=\"served\""
        self.run_inside("predt:nearestfacility",
                        self.facility(FACILITIES=facilities + "|layername=homes", ID_FIELD="", TABLE=table))
        opened = gdal.OpenEx(facilities)
        self.assertEqual(sorted(opened.GetLayer(one).GetName() for one in range(opened.GetLayerCount())), ["homes", "served"])
        self.assertEqual(opened.GetLayer("homes").GetFeatureCount(), 1)
        self.refuse_inside("predt:nearestfacility", self.facility(
            FACILITIES=facilities + "|layername=homes", ID_FIELD="", TABLE=table.replace("served", "homes")), "overwritten")

    def test_a_geopackage_with_layers_is_not_replaced_by_a_raster(self):
        facilities = self.path("old.gpkg")
        gdal.VectorTranslate(facilities, self.geojson("POINT(500070 5399930)"), layerName="homes")
        gdal.VectorTranslate(facilities, self.geojson("POINT(500070 5399930)"), layerName="more", accessMode="update")
        self.unharmed("predt:nearestfacility", self.facility(ALLOCATION=facilities), facilities)


class Styles(Outputs):
    MINE = "<!DOCTYPE qgis><qgis><mine/></qgis>\n"

    def keep(self, path):
        with open(path, "w") as file:
            file.write(self.MINE)
        return path

    def text(self, path):
        with open(path) as file:
            return file.read()

    def test_a_users_style_stays_and_the_log_says_so(self):
        style = self.keep(self.path("a.qml"))
        _, log = self.log_of("predt:nearestfacility", self.facility())
        self.assertEqual(self.text(style), self.MINE)
        self.assertIn(style, log)
        for name in RASTERS:
            _, log = self.log_of(name, {"INPUT": self.targets(), "OUTPUT": self.path("a.tif")})
            self.assertEqual(self.text(style), self.MINE)
            self.assertIn(style, log)

    def test_our_own_style_is_replaced(self):
        self.run_inside("predt:nearestfacility", self.facility())
        self.run_inside("predt:nearestfacility", self.facility(NAME_FIELD="name"))
        self.assertIn('label="B"', self.text(self.path("a.qml")))

    def test_our_own_style_that_the_user_has_changed_stays(self):
        self.run_inside("predt:nearestfacility", self.facility())
        changed = self.text(self.path("a.qml")).replace('label="1"', 'label="my home"')
        with open(self.path("a.qml"), "w") as file:
            file.write(changed)
        self.run_inside("predt:nearestfacility", self.facility(NAME_FIELD="name"))
        self.assertEqual(self.text(self.path("a.qml")), changed)

    def test_our_style_of_an_older_raster_goes_with_it(self):
        self.run_inside("predt:nearestfacility", self.facility())
        self.run_inside("predt:proximity", {"INPUT": self.targets(), "OUTPUT": self.path("a.tif")})
        self.assertFalse(os.path.exists(self.path("a.qml")))


class Replaced(Outputs):
    def test_all_or_nothing(self):
        """The second raster cannot be put in place: the first is the old one, with its old companions."""
        from unittest import mock
        from predt_processing import publish
        self.run_inside("predt:nearestfacility", self.facility())
        opened = gdal.Open(self.path("d.tif"))
        opened.GetRasterBand(1).ComputeStatistics(False)
        opened.BuildOverviews("NEAREST", [2])
        opened = None
        before = {name: self.bytes(name) for name in os.listdir(self.folder)}
        replace = os.replace

        def failing(old, new):
            if new == self.path("a.tif") and "made" in old:
                raise OSError(28, "No space left on device", old, None, new)
            replace(old, new)
        with mock.patch.object(publish.os, "replace", failing):
            self.refuse_inside("predt:nearestfacility", self.facility(UNITS=3), "a.tif", "No space left")
        self.assertEqual({name: self.bytes(name) for name in os.listdir(self.folder)}, before)

    def bytes(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def test_a_link_stays_one(self):
        os.mkdir(self.path("there"))
        os.symlink(self.path("there/real.tif"), self.path("d.tif"))
        self.run_inside("predt:nearestfacility", self.facility())
        self.assertTrue(os.path.islink(self.path("d.tif")))
        self.assertEqual(gdal.Open(self.path("there/real.tif")).RasterXSize, WIDTH)

    def test_what_belonged_to_the_old_raster_goes(self):
        self.make("d.tif", np.ones((HEIGHT, WIDTH)), transform=TRANSFORM)
        opened = gdal.Open(self.path("d.tif"))
        opened.BuildOverviews("NEAREST", [2])
        opened = None
        self.run_inside("predt:nearestfacility", self.facility())
        opened = gdal.Open(self.path("d.tif"))
        self.assertEqual(opened.GetRasterBand(1).GetOverviewCount(), 0)


if __name__ == "__main__":
    main()
