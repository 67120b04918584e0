"""-memory: kept, and where it cannot be kept the run is refused before any work, with what it would take."""
import os
import re
import subprocess
import time
import unittest

import numpy as np
from osgeo import gdal
from raster_case import COMMAND, RasterCase, crs


def sparse(path, cols, rows, *options):
    """A raster of zeros that takes no room, with one target in its middle."""
    made = gdal.GetDriverByName("GTiff").Create(path, cols, rows, 1, gdal.GDT_Byte,
                                                ["TILED=YES", "COMPRESS=DEFLATE", "SPARSE_OK=TRUE", *options])
    made.GetRasterBand(1).WriteArray(np.ones((1, 1), np.uint8), cols // 2, rows // 2)
    made = None
    return path


class Memory(RasterCase):
    def run_in(self, *arguments):
        """Runs the command; its exit status and the most memory it had, in MiB."""
        child = os.fork()
        if child == 0:
            os.execv(COMMAND, [COMMAND, "-q", "--overwrite", *map(str, arguments)])
        _, status, used = os.wait4(child, 0)
        return os.waitstatus_to_exitcode(status), used.ru_maxrss / 1024

    def strip(self, cols, rows):
        """A VRT of any shape: zeros, and one target in its middle."""
        self.make("one.tif", [[1]], epsg=None, transform=None)
        with open(self.path("shape.vrt"), "w") as vrt:
            vrt.write(f'<VRTDataset rasterXSize="{cols}" rasterYSize="{rows}"><VRTRasterBand dataType="Byte" '
                      f'band="1"><SimpleSource>'
                      '<SourceFilename relativeToVRT="1">one.tif</SourceFilename><SourceBand>1</SourceBand>'
                      '<SrcRect xOff="0" yOff="0" xSize="1" ySize="1"/>'
                      f'<DstRect xOff="{cols // 2}" yOff="{rows // 2}" xSize="1" ySize="1"/>'
                      "</SimpleSource></VRTRasterBand></VRTDataset>")
        return self.path("shape.vrt")

    def test_what_cannot_be_done_is_refused_with_the_figure(self):
        source = self.strip(2000000000, 1)
        start = time.monotonic()
        line = self.refuse("-memory", "64M", source, self.path("out.tif"),
                           words=["2000000000 x 1", "the limit is 64M", "-memory"])
        self.assertLess(time.monotonic() - start, 5)
        self.assertGreater(float(re.search(r"-memory ([0-9.]+)G", line).group(1)), 20)
        self.assertFalse(os.path.exists(self.path("out.tif")))
        for more in (["-allocation", self.path("a.tif")], ["-ot", "Int16"], ["-use_input_nodata", "YES"]):
            self.refuse("-memory", "1G", *more, source, self.path("out.tif"), words=["need at least"])

    def test_the_figure_is_enough_and_is_kept(self):
        """A wide raster with several outputs; 110 MB are the libraries, and the file of the index that is mapped."""
        source = self.strip(300000, 300)
        outputs = ["-allocation", self.path("a.tif"), "-ot", "Int32", source, self.path("out.tif")]
        line = self.refuse("-memory", "16M", *outputs, words=["need at least"])
        enough = int(re.search(r"-memory ([0-9]+)M", line).group(1))
        self.assertLess(enough, 400)
        status, most = self.run_in("-memory", f"{enough}M", *outputs)
        self.assertEqual(status, 0)
        self.assertLess(most, enough + 130)
        self.assertEqual(self.read_pixel(self.path("out.tif"), 100, 150), 150000 - 100)
        self.refuse("-memory", f"{enough - 1}M", *outputs, words=["need at least"])

    def test_a_block_of_the_source_that_is_decoded_whole(self):
        options = ["BLOCKXSIZE=8192", "BLOCKYSIZE=8192"]
        source = sparse(self.path("in.tif"), 8192, 8192, *options)
        line = self.refuse("-memory", "64M", source, self.path("out.tif"), words=["need at least"])
        enough = int(re.search(r"-memory ([0-9]+)M", line).group(1))
        status, most = self.run_in("-memory", f"{enough}M", source, self.path("out.tif"))
        self.assertEqual(status, 0)
        self.assertLess(most, enough + 110)

    def test_a_block_of_an_output_that_is_made_whole(self):
        source = sparse(self.path("in.tif"), 8192, 8192)
        options = "-co TILED=YES -co BLOCKXSIZE=8192 -co BLOCKYSIZE=8192".split()
        self.refuse("-memory", "64M", *options, source, self.path("out.tif"), words=["need at least"])
        self.assert_only("in.tif")

    def test_fewer_threads_rather_than_a_refusal(self):
        source = sparse(self.path("in.tif"), 20000, 2000)
        status, most = self.run_in("-memory", "32M", "-threads", "60", source, self.path("out.tif"))
        self.assertEqual(status, 0)
        self.assertLess(most, 32 + 110)

    def test_a_hundred_thousand_threads_are_not_started(self):
        source = sparse(self.path("in.tif"), 3000, 3000)
        child = subprocess.Popen([COMMAND, "-q", "-threads", "100000", source, self.path("out.tif")])
        most = 0
        while child.poll() is None:
            try:
                most = max(most, len(os.listdir(f"/proc/{child.pid}/task")))
            except OSError:
                pass
            time.sleep(0.001)
        self.assertEqual(child.returncode, 0)
        self.assertLess(most, 64 * max(4, os.cpu_count()))

    def test_answers_do_not_depend_on_the_limit(self):
        random = np.random.default_rng(9)
        pixels = np.where(random.random((700, 900)) < 0.002, random.integers(1, 9, (700, 900)), 0)
        source = self.make("in.tif", pixels, nodata=7, options=["TILED=YES"])
        for more in ([], ["-ot", "Int16"], ["-use_input_nodata", "YES"]):
            right = self.distance(source, *more)
            for limit in ("16M", "20M", "24M", "40M"):
                for threads in (1, 7):
                    self.assert_same(self.distance(source, "-memory", limit, "-threads", threads, *more), right)

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

    def test_a_small_limit_is_kept_on_a_globe(self):
        """32 million pixels: 128 MB of output in 24 MB, from rows and from tiles."""
        source = sparse(self.path("in.tif"), 8000, 4000)
        made = gdal.Open(source, gdal.GA_Update)
        made.SetGeoTransform((-180, 0.045, 0, 90, 0, -0.045))
        made.SetProjection(crs(4326))
        made = None
        for layout in ([], ["-co", "TILED=YES"], ["-allocation", self.path("a.tif")]):
            status, most = self.run_in("-memory", "24M", "-distunits", "KM", "-maxdist", "90", *layout, source,
                                       self.path("out.tif"))
            self.assertEqual(status, 0)
            self.assertLess(most, 24 + 110)
            self.assertAlmostEqual(self.read_pixel(self.path("out.tif"), 4010, 2000), 50.094, places=3)

    def read_pixel(self, path, col, row):
        return gdal.Open(path).ReadAsArray(col, row, 1, 1)[0, 0]


if __name__ == "__main__":
    unittest.main()
