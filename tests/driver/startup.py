"""What the plug-in costs a program that does not use it: nothing but its registration."""
import os
import re
import shutil
import subprocess
import sys
import unittest

from driver_case import DriverCase

PLUGINS = os.environ["GDAL_DRIVER_PATH"]

MAPPED = """
from osgeo import gdal
gdal.UseExceptions()
def mapped():
    parts = "gdal_PREDT", "predt_gdal", "libpredt", "libcuda"
    return sorted({part for line in open("/proc/self/maps") for part in parts if part in line})
assert gdal.GetDriverByName("PREDT")
print(mapped())
gdal.IdentifyDriver("PREDT:distance:x.tif")
gdal.Open(%r)
print(mapped())
gdal.Open("PREDT:distance:" + %r)
print(mapped())
"""


class Startup(DriverCase):
    def needed(self, library):
        out = subprocess.run(["readelf", "-d", os.path.join(PLUGINS, library)], capture_output=True, text=True,
                             check=True).stdout
        return re.findall(r"\(NEEDED\).*\[(.*)\]", out)

    def test_the_plug_in_needs_gdal_and_nothing_else_of_ours(self):
        for library in self.needed("gdal_PREDT.so"):
            self.assertRegex(library, r"^(libgdal|libstdc\+\+|libgcc_s|libc|libm|libdl|ld-linux.*)\.so")

    def test_the_rest_comes_with_the_first_dataset(self):
        source, _ = self.scattered()
        run = subprocess.run([sys.executable, "-c", MAPPED % (source, source)], capture_output=True, text=True)
        self.assertEqual(run.stdout.splitlines(),
                         ["['gdal_PREDT']", "['gdal_PREDT']", "['gdal_PREDT', 'libpredt', 'predt_gdal']"],
                         run.stderr)

    def test_a_plug_in_alone_says_so_when_it_is_used_and_not_before(self):
        alone = self.path("alone")
        os.mkdir(alone)
        shutil.copy(os.path.join(PLUGINS, "gdal_PREDT.so"), alone)
        env = {**os.environ, "GDAL_DRIVER_PATH": alone}
        source, _ = self.scattered()
        for command in (["gdalinfo", "--version"], ["gdalinfo", source]):
            run = subprocess.run(command, capture_output=True, text=True, env=env)
            self.assertEqual((run.returncode, run.stderr), (0, ""))
        run = subprocess.run(["gdalinfo", f"PREDT:distance:{source}"], capture_output=True, text=True, env=env)
        self.assertEqual(run.returncode, 1)
        self.assertIn("the driver is not complete", run.stdout + run.stderr)

    def test_registering_twice(self):
        code = "from osgeo import gdal; gdal.AllRegister(); gdal.AllRegister(); print(sum(" \
               "gdal.GetDriver(i).ShortName == 'PREDT' for i in range(gdal.GetDriverCount())))"
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual((run.stdout.strip(), run.stderr), ("1", ""))


if __name__ == "__main__":
    unittest.main()
