"""Nothing is left behind: no file beside the source, and the source itself survives whatever is done to the dataset."""
import os
import subprocess
import unittest

from driver_case import DriverCase
from osgeo import gdal


class Traces(DriverCase):
    def setUp(self):
        super().setUp()
        self.source, _ = self.scattered(rows=600, cols=700)
        self.named = self.write_file("a.predt", {"source": "in.tif"})
        with open(self.source, "rb") as file:
            self.bytes = file.read()
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)  # where a file without a name would go

    def tearDown(self):
        with open(self.source, "rb") as file:
            self.assertEqual(file.read(), self.bytes)

    def test_statistics_and_histograms_leave_no_file(self):
        for name in (f"PREDT:distance:{self.source}", self.named, "PREDT:allocation:in.tif"):
            opened = self.open(name)
            band = opened.GetRasterBand(1)
            full = band.ReadAsArray()
            least, most, mean, deviation = band.ComputeStatistics(False)
            self.assertEqual((least, most), (full.min(), full.max()))
            self.assertAlmostEqual(mean, full.mean(dtype=float), places=3)
            self.assertEqual(band.GetStatistics(False, False)[0], least)
            band.ComputeStatistics(True)
            band.GetHistogram()
            self.assertEqual(sum(band.GetDefaultHistogram()[3]), full.size)
            band.GetMaskBand().ReadAsArray()
            opened.FlushCache()
            opened = band = None
        self.assert_only("in.tif", "a.predt")

    def test_gdalinfo_stats_and_checksum(self):
        for option in ("-stats", "-hist", "-checksum", "-mm", "-approx_stats"):
            subprocess.run(["gdalinfo", option, f"PREDT:distance:{self.source}"], check=True, capture_output=True)
            subprocess.run(["gdalinfo", option, "a.predt"], check=True, capture_output=True)
        self.assert_only("in.tif", "a.predt")

    def test_metadata_set_by_a_program_is_not_kept(self):
        opened = self.open(self.named)
        opened.SetMetadataItem("A", "B")
        opened.GetRasterBand(1).SetMetadataItem("C", "D")
        opened = None
        self.assertIsNone(self.open(self.named).GetMetadataItem("A"))
        self.assert_only("in.tif", "a.predt")

    def test_overviews_are_not_built(self):
        subprocess.run(["gdaladdo", "a.predt", "2"], capture_output=True)
        subprocess.run(["gdaladdo", "-ro", f"PREDT:distance:{self.source}", "2"], capture_output=True)
        self.assert_only("in.tif", "a.predt")

    def test_deleting_spares_the_source(self):
        driver = gdal.GetDriverByName("PREDT")
        with self.assertRaises(RuntimeError):
            driver.Delete(f"PREDT:distance:{self.source}")
        subprocess.run(["gdalmanage", "delete", "PREDT:distance:in.tif"], capture_output=True)
        for verb in ("rename", "copy"):
            subprocess.run(["gdalmanage", verb, "a.predt", "b.predt"], capture_output=True)
            subprocess.run(["gdalmanage", verb, "PREDT:distance:in.tif", "b.tif"], capture_output=True)
        self.assert_only("in.tif", "a.predt")
        driver.Delete(self.named)
        self.assert_only("in.tif")

    def test_writing_to_the_name_of_a_predt_file_spares_the_source(self):
        subprocess.run(["gdal_translate", "-q", "-of", "GTiff", self.source, "a.predt"], check=True, capture_output=True)
        self.assert_only("in.tif", "a.predt")
        subprocess.run(["gdal_translate", "-q", "-of", "GTiff", self.source, "PREDT:distance:in.tif"], capture_output=True)
        os.remove("a.predt")


if __name__ == "__main__":
    unittest.main()
