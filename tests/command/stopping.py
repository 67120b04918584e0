"""Ctrl-C and SIGTERM: stopped within a second, exit 130, nothing left; and memory that stays where it was told."""
import os
import signal
import subprocess
import time
import unittest

import numpy as np
from osgeo import gdal
from raster_case import COMMAND, RasterCase


class Stopping(RasterCase):
    def setUp(self):
        super().setUp()
        self.source = self.path("in.tif")
        options = ["TILED=YES", "COMPRESS=DEFLATE", "ZLEVEL=1"]
        made = gdal.GetDriverByName("GTiff").Create(self.source, 12000, 12000, 1, gdal.GDT_Byte, options)
        made.GetRasterBand(1).WriteArray(np.eye(50, dtype=np.uint8), 4000, 7000)
        made = None

    def stop_after(self, number, seconds, *arguments):
        run = subprocess.Popen([COMMAND, "-co", "COMPRESS=DEFLATE", *arguments, self.source, self.path("out.tif")],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        time.sleep(seconds)
        self.assertIsNone(run.poll(), "the run ended before it could be stopped")
        start = time.monotonic()
        run.send_signal(number)
        told = run.communicate(timeout=20)[1]
        self.assertLess(time.monotonic() - start, 1.0)
        self.assertEqual(run.returncode, 130, told)
        self.assert_only("in.tif")

    def test_ctrl_c_at_several_moments(self):
        for seconds in (0.15, 0.5, 1.0):
            self.stop_after(signal.SIGINT, seconds)

    def test_sigterm_with_three_outputs(self):
        self.stop_after(signal.SIGTERM, 0.7, "-q", "-allocation", self.path("a.tif"), "-direction", self.path("w.tif"))

    def test_an_existing_file_is_kept_when_its_replacement_is_stopped(self):
        with open(self.path("out.tif"), "w") as old:
            old.write("the old one")
        run = subprocess.Popen([COMMAND, "-q", "--overwrite", "-co", "COMPRESS=DEFLATE", self.source, self.path("out.tif")])
        time.sleep(0.5)
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(20), 130)
        with open(self.path("out.tif")) as old:
            self.assertEqual(old.read(), "the old one")
        self.assert_only("in.tif", "out.tif")


class Memory(RasterCase):
    def test_a_small_limit_is_kept_on_a_larger_raster(self):
        """144 million pixels: 576 MB of output, 18 MB of index, in 64 MB and what the libraries take themselves."""
        source = self.path("in.tif")
        options = ["TILED=YES", "COMPRESS=DEFLATE", "SPARSE_OK=TRUE"]
        made = gdal.GetDriverByName("GTiff").Create(source, 12000, 12000, 1, gdal.GDT_Byte, options)
        made.GetRasterBand(1).WriteArray(np.ones((1, 1), np.uint8), 17, 11000)
        made = None
        out = self.path("out.tif")
        child = os.fork()
        if child == 0:
            options = "-q -memory 64M -co TILED=YES -co SPARSE_OK=TRUE -maxdist 500 -nodata -1".split()
            os.execv(COMMAND, [COMMAND, *options, source, out])
        _, status, used = os.wait4(child, 0)
        self.assertEqual(status, 0)
        self.assertLess(used.ru_maxrss, 160 * 1024)
        self.assertEqual(self.read_pixel(out, 17, 10600), 400)

    def read_pixel(self, path, col, row):
        return gdal.Open(path).ReadAsArray(col, row, 1, 1)[0, 0]


if __name__ == "__main__":
    unittest.main()
