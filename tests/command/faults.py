"""Broken sources, full disks, places that cannot be written to: one clear line, exit 1, nothing half-written."""
import hashlib
import os
import subprocess
import unittest

import numpy as np
from raster_case import RasterCase, targets


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class BrokenSources(RasterCase):
    def whole(self, options):
        random = np.random.default_rng(3)
        return self.make("whole.tif", random.integers(0, 3, (700, 400)), options=options)

    def test_truncated_half_way(self):
        for options in ([], ["COMPRESS=DEFLATE"], ["TILED=YES", "COMPRESS=LZW"], ["COMPRESS=DEFLATE", "BLOCKYSIZE=1"]):
            with self.subTest(options=options):
                with open(self.whole(options), "rb") as file:
                    content = file.read()
                with open(self.path("half.tif"), "wb") as half:
                    half.write(content[: len(content) // 2])
                os.remove(self.path("whole.tif"))
                self.refuse("-allocation", self.path("a.tif"), self.path("half.tif"), self.path("out.tif"))
                self.assert_only("half.tif")

    def test_corrupted_in_the_middle(self):
        with open(self.whole(["COMPRESS=DEFLATE", "TILED=YES"]), "rb") as file:
            content = bytearray(file.read())
        content[len(content) // 2 : len(content) // 2 + 400] = bytes(400)
        with open(self.path("bad.tif"), "wb") as bad:
            bad.write(content)
        os.remove(self.path("whole.tif"))
        self.refuse(self.path("bad.tif"), self.path("out.tif"))
        self.assert_only("bad.tif")

    def test_no_file_no_raster_no_band(self):
        with open(self.path("notes.tif"), "w") as notes:
            notes.write("II*\0 and nothing more")
        with open(self.path("empty.tif"), "w"):
            pass
        source = self.make("in.tif", [[1, 0]])
        self.refuse(self.path("missing.tif"), self.path("out.tif"), words=["missing.tif"])
        self.refuse(self.path("notes.tif"), self.path("out.tif"))
        self.refuse(self.path("empty.tif"), self.path("out.tif"))
        self.refuse(self.folder, self.path("out.tif"))
        self.refuse("-srcband", "2", source, self.path("out.tif"))
        self.assert_only("in.tif", "notes.tif", "empty.tif")


class SourceAndDestination(RasterCase):
    def setUp(self):
        super().setUp()
        self.source = self.make("in.tif", targets(50, 60, (5, 5, 1)), options=["COMPRESS=DEFLATE"])
        self.before = digest(self.source)

    def refused(self, *arguments):
        self.refuse(*arguments)
        self.assertEqual(digest(self.source), self.before)

    def test_the_same_name(self):
        self.refused(self.source, self.source)
        self.refused("--overwrite", self.source, self.source)
        self.refused("-allocation", self.source, self.source, self.path("out.tif"))
        self.assert_only("in.tif")

    def test_through_links(self):
        os.symlink(self.source, self.path("soft.tif"))
        os.link(self.source, self.path("hard.tif"))
        os.symlink(self.folder, self.path("folder"))
        for name in ("soft.tif", "hard.tif", "folder/in.tif", "../" + os.path.basename(self.folder) + "/in.tif"):
            self.refused(self.source, self.path(name))
            self.refused("--overwrite", self.source, self.path(name))
            self.refused("--overwrite", self.path(name), self.source)

    def test_inside_a_vrt(self):
        from osgeo import gdal
        gdal.BuildVRT(self.path("in.vrt"), [self.source])
        self.refused("--overwrite", self.path("in.vrt"), self.source)


class BadPlaces(RasterCase):
    def setUp(self):
        super().setUp()
        self.source = self.make("in.tif", targets(300, 300, (5, 5, 1)))
        self.before = digest(self.source)

    def tearDown(self):
        self.assertEqual(digest(self.source), self.before)

    def test_a_folder_as_destination(self):
        os.mkdir(self.path("folder"))
        self.refuse(self.source, self.path("folder"))
        self.refuse("--overwrite", self.source, self.path("folder"))
        self.assertEqual(os.listdir(self.path("folder")), [])

    def test_a_path_below_a_file_or_in_no_folder(self):
        self.refuse(self.source, self.path("in.tif/out.tif"))
        self.refuse(self.source, self.path("nowhere/out.tif"))
        self.assert_only("in.tif")

    def test_one_good_and_one_bad_output_leave_none(self):
        self.refuse("-allocation", self.path("nowhere/a.tif"), self.source, self.path("out.tif"))
        self.assert_only("in.tif")

    def mount(self, options):
        place = self.path("mounted")
        os.mkdir(place)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", place], capture_output=True)
        if done.returncode:
            self.skipTest("this user may not mount a tmpfs")
        self.addCleanup(subprocess.run, ["umount", "-l", place], check=True)
        return place

    def test_a_full_disk(self):
        place = self.mount("size=100k")
        for more in ([], ["-of", "COG"], ["-co", "COMPRESS=DEFLATE", "-co", "ZLEVEL=1"], ["-co", "TILED=YES"], ["-of", "HFA"]):
            with self.subTest(options=more):
                self.refuse(*more, self.source, os.path.join(place, "out.tif"))
                self.assertEqual(os.listdir(place), [])

    def test_a_disk_that_fills_with_the_second_output(self):
        place = self.mount("size=400k")
        self.refuse("-direction", os.path.join(place, "w.tif"), self.source, os.path.join(place, "out.tif"))
        self.assertEqual(os.listdir(place), [])

    def test_a_read_only_folder(self):
        place = self.mount("size=100k,ro")
        self.refuse(self.source, os.path.join(place, "out.tif"))

    def test_no_room_for_the_temporary_index(self):
        place = self.mount("size=16k")
        big = self.make("big.tif", np.zeros((20000, 20000)), options=["SPARSE_OK=TRUE", "TILED=YES"])
        self.refuse("-memory", "16M", big, self.path("out.tif"), env={"TMPDIR": place})
        self.assertFalse(os.path.exists(self.path("out.tif")))


if __name__ == "__main__":
    unittest.main()
