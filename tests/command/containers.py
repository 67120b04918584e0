"""Files that hold more than one raster: the others stay, whatever happens to ours."""
import hashlib
import unittest

import numpy as np
from osgeo import gdal, ogr, osr
from raster_case import RasterCase, targets


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Containers(RasterCase):
    def setUp(self):
        super().setUp()
        self.source = self.make("in.tif", targets(30, 40, (5, 5, 7), (20, 30, 9)))
        rows, cols = np.mgrid[0:30, 0:40]
        self.right = np.minimum(np.hypot(rows - 5, cols - 5), np.hypot(rows - 20, cols - 30))
        self.package = self.path("c.gpkg")
        reference = osr.SpatialReference()
        reference.ImportFromEPSG(32633)
        made = ogr.GetDriverByName("GPKG").CreateDataSource(self.package)
        layer = made.CreateLayer("roads", reference)
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetGeometry(ogr.CreateGeometryFromWkt("LINESTRING(0 0, 5 5)"))
        layer.CreateFeature(feature)
        feature = layer = made = None

    def roads(self):
        opened = ogr.Open(self.package)
        return opened.GetLayerByName("roads").GetFeatureCount()

    def test_a_raster_is_added_to_a_geopackage(self):
        adding = ["-of", "GPKG", "-co", "APPEND_SUBDATASET=YES", "-co"]
        self.predt("-q", *adding, "RASTER_TABLE=distance", self.source, self.package)
        self.predt("-q", *adding, "RASTER_TABLE=nearest", "-allocation", self.package, self.source)
        self.assertEqual(self.roads(), 1)
        self.assert_same(self.read(f"GPKG:{self.package}:distance"), self.right)
        self.assertEqual(set(np.unique(self.read(f"GPKG:{self.package}:nearest"))), {7, 9})
        self.assert_only("in.tif", "c.gpkg")

    def test_a_table_that_is_there_is_not_touched(self):
        before = digest(self.package)
        for more in ([], ["--overwrite"]):
            self.refuse(*more, "-co", "APPEND_SUBDATASET=YES", "-co", "RASTER_TABLE=roads", self.source, self.package,
                        words=["roads"])
        self.assertEqual(digest(self.package), before)

    def test_an_addition_that_fails_leaves_the_file_as_it_was(self):
        before = digest(self.package)
        broken = self.path("broken.tif")
        noise = np.random.default_rng(1).integers(0, 9, (500, 500))
        with open(self.make("whole.tif", noise, options=["COMPRESS=DEFLATE"]), "rb") as whole:
            content = whole.read()
        with open(broken, "wb") as half:
            half.write(content[: len(content) // 2])
        self.refuse("-co", "APPEND_SUBDATASET=YES", "-co", "RASTER_TABLE=x", broken, self.package)
        self.assertEqual(digest(self.package), before)
        self.assert_only("in.tif", "c.gpkg", "whole.tif", "broken.tif")

    def test_other_layers_are_not_overwritten(self):
        before = digest(self.package)
        for more in ([], ["--overwrite"], ["-of", "GPKG", "--overwrite"], ["-of", "GTiff", "--overwrite"]):
            line = self.refuse(*more, self.source, self.package, words=["roads"])
            self.assertNotIn("--overwrite ", line)
        self.refuse("-allocation", self.package, self.source, words=["APPEND_SUBDATASET", "--overwrite-all"])
        self.assertEqual(digest(self.package), before)

    def test_all_of_it_goes_if_the_user_says_so(self):
        self.predt("-q", "--overwrite-all", self.source, self.package)
        with self.assertRaises(RuntimeError):
            gdal.OpenEx(self.package, gdal.OF_VECTOR)
        self.assert_same(self.read(self.package), self.right)

    def test_a_geopackage_of_one_raster_is_a_raster(self):
        self.predt("-q", self.source, self.path("one.gpkg"))
        self.refuse("-allocation", self.path("one.gpkg"), self.source, words=["--overwrite"])
        self.predt("-q", "--overwrite", self.source, self.path("one.gpkg"))
        self.assert_same(self.read(self.path("one.gpkg")), self.right)

    def test_pages_of_a_tiff_and_variables_of_a_netcdf(self):
        pages = self.make("pages.tif", np.ones((30, 40)))
        gdal.GetDriverByName("GTiff").CreateCopy(pages, gdal.Open(self.source), options=["APPEND_SUBDATASET=YES"])
        variables = self.path("two.nc")
        made = gdal.GetDriverByName("netCDF").CreateMultiDimensional(variables)
        root = made.GetRootGroup()
        sides = [root.CreateDimension(name, None, None, size) for name, size in (("y", 30), ("x", 40))]
        for name in ("a", "b"):
            root.CreateMDArray(name, sides, gdal.ExtendedDataType.Create(gdal.GDT_Byte)).Write(np.ones((30, 40), np.uint8))
        sides = root = made = None
        for path in (pages, variables):
            before = digest(path)
            self.refuse(self.source, path, words=["holds more than one raster"])
            self.refuse("--overwrite", self.source, path, words=["holds more than one raster"])
            self.assertEqual(digest(path), before)


if __name__ == "__main__":
    unittest.main()
