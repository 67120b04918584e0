"""What an output may take the place of, and what it leaves alone: neighbours of the same stem, companions, links, rights."""
import os
import stat
import subprocess
import time
import unittest

import numpy as np
from osgeo import gdal
from raster_case import COMMAND, RasterCase, targets


class Strangers(RasterCase):
    def setUp(self):
        super().setUp()
        self.source = self.make("in.tif", targets(6, 8, (0, 0, 1)))

    def write(self, name, text="somebody else's"):
        with open(self.path(name), "w") as file:
            file.write(text)

    def text(self, name):
        with open(self.path(name)) as file:
            return file.read()

    def test_the_header_of_another_raster(self):
        self.make("g.flt", np.ones((6, 8)), np.float32, driver="EHdr")
        for more in ([], ["--overwrite"]):
            self.refuse("-of", "EHdr", *more, self.source, self.path("g.bil"), words=["g.hdr"])
        self.assert_same(self.read(self.path("g.flt")), np.ones((6, 8), np.float32))
        self.assertFalse(os.path.exists(self.path("g.bil")))

    def test_a_header_that_two_rasters_share(self):
        self.make("g.flt", np.ones((6, 8)), np.float32, driver="EHdr")
        self.write("g.bil")
        self.refuse("-of", "EHdr", "--overwrite", self.source, self.path("g.bil"), words=["g.hdr"])
        self.assert_same(self.read(self.path("g.flt")), np.ones((6, 8), np.float32))

    def test_the_crs_of_a_shapefile(self):
        self.write("g.shp")
        self.write("g.prj")
        self.refuse("-of", "AAIGrid", self.source, self.path("g.asc"), words=["g.prj"])
        self.assertEqual(self.text("g.prj"), "somebody else's")

    def test_a_style_of_the_user_stays(self):
        self.write("out.qml")
        self.predt("-q", self.source, self.path("out.tif"))
        self.predt("-q", "--overwrite", self.source, self.path("out.tif"))
        self.assertEqual(self.text("out.qml"), "somebody else's")

    def test_a_companion_without_its_raster_is_named_and_goes_only_if_allowed(self):
        self.write("out.tif.aux.xml", "<PAMDataset><Metadata><MDI key='a'>b</MDI></Metadata></PAMDataset>")
        self.refuse(self.source, self.path("out.tif"), words=["out.tif.aux.xml", "--overwrite"])
        self.assertIn("MDI", self.text("out.tif.aux.xml"))
        self.predt("-q", "--overwrite", self.source, self.path("out.tif"))
        self.assert_only("in.tif", "out.tif")

    def test_companions_of_what_is_replaced_go(self):
        out = self.make("out.tif", np.zeros((600, 600)), np.float32)
        gdal.Open(out).BuildOverviews("NEAREST", [2])
        gdal.Info(out, stats=True)
        self.assertTrue(os.path.exists(out + ".ovr") and os.path.exists(out + ".aux.xml"))
        self.predt("-q", "--overwrite", self.source, out)
        self.assert_only("in.tif", "out.tif")

    def test_both_outputs_or_none(self):
        """The second output's header belongs to somebody: the first one, complete by then, does not appear either."""
        self.make("g.flt", np.ones((6, 8)), np.float32, driver="EHdr")
        old = self.make("d.bil", np.full((6, 8), 5), np.float32, driver="EHdr")
        before = self.read(old)
        self.refuse("-of", "EHdr", "--overwrite", "-allocation", self.path("g.bil"), self.source, old)
        self.assert_same(self.read(old), before)


class LinksAndRights(RasterCase):
    def setUp(self):
        super().setUp()
        self.source = self.make("in.tif", targets(6, 8, (0, 0, 1)))

    def mode(self, name):
        return stat.S_IMODE(os.stat(self.path(name)).st_mode)

    def test_rights_of_what_is_replaced_are_kept(self):
        self.make("out.tif", np.zeros((6, 8)), np.float32)
        for more in ([], ["--overwrite"]):
            os.chmod(self.path("out.tif"), 0o600)
            self.predt("-q", *more, self.source, self.path("out.tif"))
            self.assertEqual(self.mode("out.tif"), 0o600)

    def test_a_new_file_has_the_usual_rights(self):
        self.predt("-q", self.source, self.path("out.tif"))
        before = os.umask(0)
        os.umask(before)
        self.assertEqual(self.mode("out.tif"), 0o666 & ~before)

    def test_a_file_that_is_protected_from_writing_is_not_replaced(self):
        out = self.make("out.tif", np.full((6, 8), 5), np.float32)
        os.chmod(out, 0o444)
        os.chmod(self.folder, 0o777)
        nobody = {"user": 65534} if os.geteuid() == 0 else {}
        for more in ([], ["--overwrite"]):
            try:
                run = subprocess.run([COMMAND, "-q", *more, self.source, out], capture_output=True, text=True, **nobody)
            except PermissionError:
                self.skipTest("the program lies where nobody else may run it")
            if run.returncode in (126, 127):
                self.skipTest("the program lies where nobody else may run it")
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertIn("may not be written to", run.stderr)
            self.assert_same(self.read(out), np.full((6, 8), 5))

    def test_a_link_stays_and_its_file_is_written(self):
        os.mkdir(self.path("there"))
        self.make("there/real.tif", np.zeros((3, 3)), np.float32)
        os.symlink("there/real.tif", self.path("out.tif"))
        self.predt("-q", "--overwrite", self.source, self.path("out.tif"))
        self.assertTrue(os.path.islink(self.path("out.tif")))
        self.assertEqual(gdal.Open(self.path("there/real.tif")).RasterXSize, 8)
        self.assertEqual(os.listdir(self.path("there")), ["real.tif"])

    def test_a_link_to_nothing_is_refused(self):
        os.symlink("nowhere.tif", self.path("out.tif"))
        self.refuse("--overwrite", self.source, self.path("out.tif"), words=["link"])
        self.assert_only("in.tif", "out.tif")

    def test_names_of_255_bytes(self):
        name = "n" * 251 + ".tif"
        self.predt("-q", self.source, self.path(name))
        self.assert_only("in.tif", name)

    def test_paths_that_are_too_long_are_told_in_one_line(self):
        deep = self.path("/".join(["d" * 200] * 11))
        os.makedirs(deep)
        self.refuse(self.source, os.path.join(deep, "out.tif"))

    def test_a_folder_that_can_be_written_to_and_not_read(self):
        folder = self.path("closed")
        os.mkdir(folder)
        os.chmod(folder, 0o300)
        self.predt("-q", "-of", "ENVI", self.source, os.path.join(folder, "out.dat"))
        os.chmod(folder, 0o700)
        self.assertLessEqual({"out.dat", "out.hdr"}, set(os.listdir(folder)))


class DeadRuns(RasterCase):
    def test_what_a_killed_run_has_left_goes_with_the_next_one(self):
        source = self.make("in.tif", np.eye(3000), options=["COMPRESS=DEFLATE"])
        run = subprocess.Popen([COMMAND, "-q", "-co", "COMPRESS=DEFLATE", "-co", "ZLEVEL=9", source, self.path("out.tif")])
        while not any(name.startswith(".predt-") for name in os.listdir(self.folder)):
            time.sleep(0.002)
        time.sleep(0.05)
        run.kill()
        run.wait()
        self.assertTrue(any(name.startswith(".predt-") for name in os.listdir(self.folder)))
        self.predt("-q", source, self.path("other.tif"))
        self.assert_only("in.tif", "other.tif")

    def test_a_run_that_lives_keeps_its_folder(self):
        source = self.make("in.tif", np.eye(5000), options=["COMPRESS=DEFLATE"])
        small = self.make("small.tif", np.eye(5))
        slow = subprocess.Popen([COMMAND, "-q", "-co", "COMPRESS=DEFLATE", "-co", "ZLEVEL=9", source, self.path("slow.tif")])
        while not any(name.startswith(".predt-") for name in os.listdir(self.folder)):
            time.sleep(0.002)
        self.predt("-q", small, self.path("quick.tif"))
        self.assertEqual(slow.wait(), 0)
        self.assert_only("in.tif", "small.tif", "quick.tif", "slow.tif")


if __name__ == "__main__":
    unittest.main()
