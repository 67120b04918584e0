"""QGIS killed in the middle of a nearest-facility run: nothing under a final name that is not whole, and the next run sweeps
what the killed one has left."""
import os
import signal
import subprocess
import sys
import time

import numpy as np
from facility_case import Case, layer_of
from osgeo import gdal
from qgis_case import main

SIDE = 6000
PREFIX = ".qgis-predt-"


def parameters(folder, side=SIDE):
    return {"FACILITIES": layer_of([("POINT(1000.5 -1000.5)", [1]), (f"POINT({side - 0.5} -0.5)", [2])]), "ID_FIELD": "id",
            "EXTENT": f"0,{side},-{side},0 [EPSG:32633]", "PIXEL_SIZE": 1, "EXTRA": "-threads 1", "OPTIONS": "COMPRESS=DEFLATE",
            "MASK": layer_of([(f"POLYGON((0 0,{side} 0,{side} -{side},0 -{side},0 0))", [1])]),
            "DISTANCE": os.path.join(folder, "d.tif"), "ALLOCATION": os.path.join(folder, "a.tif")}


class Killed(Case):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("out"))
        os.mkdir(self.path("tmp"))

    def left(self):
        return [name for place in ("out", "tmp") for name in os.listdir(self.path(place)) if name.startswith(PREFIX)]

    def held(self):
        return any(os.path.exists(self.path(os.path.join(place, name, ".held"))) for place in ("out", "tmp")
                   for name in os.listdir(self.path(place)) if name.startswith(PREFIX))

    def victim(self):
        return subprocess.Popen([sys.executable, "-B", os.path.abspath(__file__), "victim", self.path("out")],
                                env={**os.environ, "TMPDIR": self.path("tmp")}, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    def wait(self, until, seconds=60):
        last = time.monotonic() + seconds
        while not until():
            self.assertLess(time.monotonic(), last)
            time.sleep(0.01)

    def next_run(self):
        """As by a new QGIS with the same folder for temporary files."""
        from unittest import mock
        from qgis.core import QgsProcessingUtils
        with mock.patch.object(QgsProcessingUtils, "tempFolder", lambda: self.path("tmp/processing_x")):
            self.run_inside("predt:nearestfacility", parameters(self.path("out"), 2000))

    def test_the_next_run_sweeps(self):
        self.next_run()
        old = {name: os.stat(self.path("out/" + name)).st_ino for name in ("d.tif", "a.tif")}
        for delay in (0, 0.4, 1.2, 2.0):
            with self.subTest(delay):
                victim = self.victim()
                self.wait(self.held)
                time.sleep(delay)
                victim.send_signal(signal.SIGKILL)
                victim.wait()
                for name, inode in old.items():
                    if os.stat(self.path("out/" + name)).st_ino != inode:  # it was quicker
                        opened = gdal.Open(self.path("out/" + name))
                        self.assertEqual(opened.RasterXSize, SIDE)
                        self.assertTrue(np.isfinite(opened.ReadAsArray()).all())
                self.wait(lambda: not orphans(self.path("out")))
                time.sleep(0.5)  # a process that ends loses its command line first and its locks a little later
                self.next_run()
                self.assertEqual(self.left(), [])
                old = {name: os.stat(self.path("out/" + name)).st_ino for name in ("d.tif", "a.tif")}

    def test_files_that_were_taken_away_and_not_replaced_go_back(self):
        from predt_processing.working import sweep
        for name, replaced in (("kept", False), ("gone", True)):
            old = self.path(f"out/{PREFIX}{name}/old")
            os.makedirs(old)
            for file in ("d.tif", "d.tif.ovr"):
                with open(os.path.join(old, f"{name}-{file}"), "w") as opened:
                    opened.write("old")
            if replaced:
                with open(self.path(f"out/{name}-d.tif"), "w") as opened:
                    opened.write("new")
            else:
                os.link(os.path.join(old, "kept-d.tif"), self.path("out/kept-d.tif"))
            os.utime(os.path.dirname(old), (0, 0))
        sweep(self.path("out"))
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["gone-d.tif", "kept-d.tif", "kept-d.tif.ovr"])

    def test_what_a_living_run_holds_stays(self):
        from predt_processing.working import WorkingFolder, sweep
        with WorkingFolder(self.path("out")) as mine:
            process = subprocess.Popen([sys.executable, "-c", SWEEP,
                                        os.path.join(os.path.dirname(__file__), "..", "..", "qgis"),
                                        self.path("out")])
            self.assertEqual(process.wait(), 0)
            self.assertTrue(os.path.isdir(mine.path))
        self.assertEqual(self.left(), [])
        os.mkdir(self.path("out/" + PREFIX + "young"))
        os.mkdir(self.path("out/" + PREFIX + "old"))
        os.utime(self.path("out/" + PREFIX + "old"), (0, 0))
        os.symlink("/", self.path("out/" + PREFIX + "link"))
        sweep(self.path("out"))
        self.assertEqual(sorted(self.left()), [PREFIX + "link", PREFIX + "young"])


SWEEP = "import sys; sys.path.insert(0, sys.argv[1]); from predt_processing.working import sweep; sweep(sys.argv[2])"


def orphans(folder):
    """Processes whose command line names the folder."""
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/cmdline", "rb") as file:
                if folder.encode() in file.read() and int(process) != os.getpid():
                    found.append(process)
        except OSError:
            continue
    return found


def be_the_victim(folder):
    from qgis_case import start_qgis
    application = start_qgis()  # noqa: F841 (to be kept)
    import processing
    processing.run("predt:nearestfacility", parameters(folder))
    os._exit(0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["victim"]:
        be_the_victim(sys.argv[2])
    main()
