"""What an output says about itself and where it lies."""
import unittest

from osgeo import gdal
from raster_case import RasterCase, crs, targets


class Metadata(RasterCase):
    def run_all(self, source, *arguments):
        names = [self.path(name) for name in ("d.tif", "a.tif", "w.tif")]
        self.predt("-q", "--overwrite", *arguments, "-allocation", names[1], "-direction", names[2], source, names[0])
        return [gdal.Open(name) for name in names]

    def test_crs_and_geotransform_are_copied(self):
        transform = (500000.5, 30, 0, 4000000.25, 0, -30)
        for out in self.run_all(self.make("in.tif", targets(5, 5, (0, 0, 1)), transform=transform)):
            self.assertEqual(out.GetGeoTransform(), transform)
            self.assertTrue(out.GetSpatialRef().IsSame(gdal.Open(self.path("in.tif")).GetSpatialRef()))

    def test_no_crs_stays_no_crs(self):
        for out in self.run_all(self.make("in.tif", targets(5, 5, (0, 0, 1)), epsg=None, transform=None)):
            self.assertIsNone(out.GetSpatialRef())
            self.assertEqual(out.GetGeoTransform(can_return_null=True), None)

    def test_area_or_point_is_copied(self):
        for value in ("Point", "Area"):
            source = self.make("in.tif", targets(5, 5, (0, 0, 1)))
            opened = gdal.Open(source, gdal.GA_Update)
            opened.SetMetadataItem("AREA_OR_POINT", value)
            opened = None
            for out in self.run_all(source):
                self.assertEqual(out.GetMetadataItem("AREA_OR_POINT"), value)
                self.assertEqual(out.GetGeoTransform(), (0, 1, 0, 0, 0, -1))

    def test_gcps_are_copied_where_there_is_no_geotransform(self):
        source = self.make("in.tif", targets(5, 5, (0, 0, 1)), transform=None, epsg=None)
        opened = gdal.Open(source, gdal.GA_Update)
        opened.SetGCPs([gdal.GCP(10 * i, 20 * j, 0, i, j) for i in (0, 5) for j in (0, 5)], crs(32633))
        opened = None
        for out in self.run_all(source):
            self.assertEqual(out.GetGCPCount(), 4)

    def test_units_and_descriptions_are_set(self):
        distance, allocation, direction = self.run_all(self.make("in.tif", targets(5, 5, (0, 0, 1))), "-distunits", "KM")
        self.assertIn("k", distance.GetRasterBand(1).GetUnitType().lower())
        for out in (distance, allocation, direction):
            self.assertTrue(out.GetRasterBand(1).GetDescription())
            self.assertIsNotNone(out.GetRasterBand(1).GetNoDataValue())
        units = set()
        for unit in "PIXEL GEO METRE FOOT US_FOOT MILE NMI".split():
            distance = self.run_all(self.path("in.tif"), "-distunits", unit)[0]
            units.add(distance.GetRasterBand(1).GetUnitType())
        self.assertEqual(len(units), 6)  # GEO and METRE are the same here


if __name__ == "__main__":
    unittest.main()
