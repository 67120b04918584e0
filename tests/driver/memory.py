"""Memory that runs out: an exception that left the driver would end the program, be it Python, QGIS or gdalinfo."""
import os
import subprocess
import sys
import unittest

from driver_case import DriverCase

FAILING = os.environ["PREDT_FAILING"]

# Uses a dataset in every way with the n-th allocation of the driver's own failing, for n = 1, 2, ... until none fails. Prints
# how many did.
EACH_ALLOCATION = """
import ctypes, sys
from osgeo import gdal
gdal.UseExceptions()
gdal.PushErrorHandler("CPLQuietErrorHandler")
name, folder = sys.argv[1:]
def use():
    opened = gdal.OpenEx(name, gdal.OF_RASTER | gdal.OF_VERBOSE_ERROR, open_options=["MAXDIST=50"])
    band = opened.GetRasterBand(1)
    band.GetNoDataValue(), opened.GetFileList(), opened.GetSubDatasets(), band.GetOverviewCount()
    band.ReadRaster(0, 0, 401, 300, 100, 70)
    band.ReadRaster(3, 3, 40, 30)
    band.GetOverview(0).ReadRaster(0, 0, 20, 20) if band.GetOverviewCount() else None
    return opened.ReadAsArray().tobytes()
right = use()
fail_at = ctypes.c_long.in_dll(ctypes.CDLL(folder + "/predt_gdal.so"), "predt_fail_at")
heard = 0
for n in range(1, 100000):
    fail_at.value = n
    try:
        got = use()
        if fail_at.value > 0: break
    except (RuntimeError, MemoryError) as error:
        heard += 1
        got = None
    assert got in (right, None), n
    fail_at.value = 0
    assert use() == right, n
print(heard)
"""

# A read whose buffers do not fit into what the process may take any more.
UNDER_A_LIMIT = """
import resource, sys
from osgeo import gdal
gdal.UseExceptions()
opened = gdal.OpenEx(sys.argv[1])
buffer = bytearray(4 * 5000 * 4000)
opened.GetRasterBand(1).ReadRaster(0, 0, 8, 8)
taken = int(open("/proc/self/statm").read().split()[0]) * 4096
resource.setrlimit(resource.RLIMIT_AS, (taken + (int(sys.argv[2]) << 20),) * 2)
try:
    opened.GetRasterBand(1).ReadRaster(0, 0, 6000, 5000, 5000, 4000, buf_obj=buffer)
    print("read")
except (RuntimeError, MemoryError):
    print("refused")
"""


class Memory(DriverCase):
    def run_python(self, code, *arguments, **environment):
        run = subprocess.run([sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True,
                             env={**os.environ, **environment})
        self.assertEqual(run.returncode, 0, (arguments, run.stderr))
        return run.stdout.strip()

    def test_each_allocation_of_the_driver_fails_in_turn(self):
        source, _ = self.scattered()
        named = self.write_file("a.predt", {"source": "in.tif", "values": [3, "5:90"], "product": "allocation"})
        environment = {"GDAL_DRIVER_PATH": FAILING, "LD_LIBRARY_PATH": FAILING}
        for name in (f"PREDT:{source}?values=1:90", named):
            heard = int(self.run_python(EACH_ALLOCATION, name, FAILING, **environment))
            self.assertGreater(heard, 10)

    def test_registering_with_each_allocation_failing(self):
        for n in range(1, 12):
            environment = {**os.environ, "GDAL_DRIVER_PATH": FAILING, "PREDT_FAIL_AT": str(n)}
            run = subprocess.run(["gdalinfo", "--formats"], capture_output=True, text=True, env=environment)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("GTiff", run.stdout)
            if n == 1:
                self.assertNotIn("PREDT", run.stdout)

    def test_a_reduced_read_under_ulimit(self):
        source, _ = self.scattered(rows=5000, cols=6000, density=0.0001)
        answers = {self.run_python(UNDER_A_LIMIT, f"PREDT:distance:{source}", more)
                   for more in (0, 1, 4, 8, 16, 24, 32, 64, 128, 512)}
        self.assertEqual(answers, {"read", "refused"})


if __name__ == "__main__":
    unittest.main()
