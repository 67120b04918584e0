"""`gdal raster predt`, where the GDAL in use is 3.11 or newer: the command's answers under another command's options."""
import os
import subprocess
import sys
import unittest

from driver_case import DriverCase
from osgeo import gdal

if int(gdal.VersionInfo()) < 3110000:
    print("SKIP: GDAL has no `gdal` command that could be added to")
    sys.exit(77)


class Algorithm(DriverCase):
    def gdal(self, *arguments, code=0):
        run = subprocess.run(["gdal", "raster", "predt", *map(str, arguments)], capture_output=True, text=True)
        self.assertEqual(run.returncode, code, run.stderr)
        return run.stdout + run.stderr

    def test_the_same_bytes(self):
        source, _ = self.scattered(nodata=9)
        d, a, r = (self.path(name) for name in ("d.tif", "a.tif", "r.tif"))
        self.gdal(source, d, "--allocation", a, "--direction", r, "--distance-units", "km", "--max-distance", 1.5,
                  "--target-values", "1:50", "--target-values", 77, "--use-input-nodata")
        options = ["-distunits", "KM", "-maxdist", 1.5, "-values", "1:50,77", "-use_input_nodata", "YES"]
        for path, product in ((d, "distance"), (a, "allocation"), (r, "direction")):
            self.assert_same(self.read(path), self.command_answers(source, *options, product=product))

    def test_it_is_listed(self):
        run = subprocess.run(["gdal", "raster", "--help"], capture_output=True, text=True)
        self.assertIn("predt:", run.stdout)

    def test_outputs_are_not_overwritten_unasked(self):
        source, _ = self.scattered()
        out = self.path("out.tif")
        self.gdal(source, out)
        self.assertIn("overwrite", self.gdal(source, out, code=1))
        self.gdal(source, out, "--overwrite", "--ot", "Int16")
        self.assert_same(self.read(out), self.command_answers(source, "-ot", "Int16"))

    def test_bad_input(self):
        source, _ = self.scattered()
        out = self.path("out.tif")
        self.assertIn("--distance-units does not take 'league'", self.gdal(source, out, "--distance-units", "league", code=1))
        self.assertIn("/no/such.tif", self.gdal("/no/such.tif", out, code=1))
        self.assertIn("no output is named", self.gdal(source, code=1))
        self.assertFalse(os.path.exists(out))


if __name__ == "__main__":
    unittest.main()
