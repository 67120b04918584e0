"""Ctrl-C, SIGTERM and SIGHUP: stopped within a second, exit 130, nothing left; a second signal does not wait for anything."""
import os
import re
import signal
import subprocess
import time
import unittest

import numpy as np
from osgeo import gdal
from raster_case import COMMAND, RasterCase, crs


def wait_for_handlers(run):
    """Until then a signal would just end the run; on a busy machine it takes a while."""
    end = time.monotonic() + 20
    while run.poll() is None and time.monotonic() < end:
        with open(f"/proc/{run.pid}/status") as file:
            caught = int(re.search(r"SigCgt:\s*(\w+)", file.read())[1], 16)
        if caught >> (signal.SIGTERM - 1) & 1:
            return
        time.sleep(0.01)


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
        wait_for_handlers(run)
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

    def test_in_the_columns_of_a_globe(self):
        made = gdal.Open(self.source, gdal.GA_Update)
        made.SetGeoTransform((-180, 0.03, 0, 90, 0, -0.015))
        made.SetProjection(crs(4326))
        made = None
        for layout in ((), ("-co", "TILED=YES")):
            self.stop_after(signal.SIGINT, 0.7, "-memory", "256M", "-distunits", "KM", *layout)

    def test_sigterm_with_three_outputs(self):
        self.stop_after(signal.SIGTERM, 0.7, "-q", "-allocation", self.path("a.tif"), "-direction", self.path("w.tif"))

    def test_a_terminal_that_closes(self):
        for seconds in (0.3, 0.8):
            self.stop_after(signal.SIGHUP, seconds, "-allocation", self.path("a.tif"))

    def test_nohup_outlives_the_terminal(self):
        run = subprocess.Popen([COMMAND, "-q", "-co", "COMPRESS=DEFLATE", self.source, self.path("out.tif")],
                               preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        wait_for_handlers(run)
        time.sleep(0.5)
        run.send_signal(signal.SIGHUP)
        self.assertEqual(run.wait(60), 0)
        self.assertEqual(gdal.Open(self.path("out.tif")).ReadAsArray(4000, 7000, 1, 1)[0, 0], 0)

    def test_the_reader_of_the_progress_goes_away(self):
        for more in ([], ["-json"]):
            run = subprocess.Popen([COMMAND, "--overwrite", *more, self.source, self.path("out.tif")], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
            run.stdout.close()
            run.stderr.close()
            self.assertEqual(run.wait(60), 1 if more else 0)  # the summary has reached nobody
            self.assertEqual(gdal.Open(self.path("out.tif")).ReadAsArray(4000, 7000, 1, 1)[0, 0], 0)
            self.assert_only("in.tif", "out.tif")

    def test_one_wish_that_comes_twice_is_one(self):
        """As `timeout` and shells send it, to the process and to its group."""
        run = subprocess.Popen([COMMAND, "-q", "-co", "COMPRESS=DEFLATE", self.source, self.path("out.tif")])
        wait_for_handlers(run)
        time.sleep(0.5)
        run.send_signal(signal.SIGTERM)
        run.send_signal(signal.SIGHUP)
        self.assertEqual(run.wait(20), 130)
        self.assert_only("in.tif")

    def test_a_second_signal_ends_a_process_that_hangs(self):
        os.mkfifo(self.path("nobody-writes.tif"))
        for first, second in ((signal.SIGINT, signal.SIGINT), (signal.SIGINT, signal.SIGTERM), (signal.SIGTERM, signal.SIGHUP)):
            run = subprocess.Popen([COMMAND, "-q", self.path("nobody-writes.tif"), self.path("out.tif")])
            wait_for_handlers(run)
            time.sleep(0.4)
            run.send_signal(first)
            time.sleep(0.3)
            self.assertIsNone(run.poll(), "the run did not hang")
            run.send_signal(second)
            self.assertEqual(run.wait(5), 128 + second)
            self.assertFalse(os.path.exists(self.path("out.tif")))

    def test_an_existing_file_is_kept_when_its_replacement_is_stopped(self):
        with open(self.path("out.tif"), "w") as old:
            old.write("the old one")
        run = subprocess.Popen([COMMAND, "-q", "--overwrite", "-co", "COMPRESS=DEFLATE", self.source, self.path("out.tif")])
        wait_for_handlers(run)
        time.sleep(0.5)
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(20), 130)
        with open(self.path("out.tif")) as old:
            self.assertEqual(old.read(), "the old one")
        self.assert_only("in.tif", "out.tif")


if __name__ == "__main__":
    unittest.main()
