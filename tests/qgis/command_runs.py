"""One run of gdal_predt under the plug-in: where it is found, progress while it runs, cancel, a failure in words."""
import os
import shutil
import unittest
from unittest import mock

import numpy as np
from osgeo import gdal
from qgis_case import PATH_WITHOUT_PREDT, InsideCase, main, telling_feedback


class Reading(unittest.TestCase):
    """Standard error in pieces of any length."""
    TOLD = (b"0...10...20.\ngdal_predt: warning: caf\xc3\xa9 10...20\n..30...40...50...60...70...80...90...100 - done.\n"
            b"ERROR 1: something\n")

    def read(self, size):
        from predt_processing.command import Progress
        percents, lines = [], []
        reader = Progress(percents.append, lines.append)
        for start in range(0, len(self.TOLD), size):
            reader.feed(self.TOLD[start:start + size])
        reader.end_line()
        return percents, lines

    def test_in_pieces_of_every_length(self):
        for size in range(1, len(self.TOLD) + 1):
            percents, lines = self.read(size)
            self.assertEqual(lines, ["gdal_predt: warning: café 10...20", "ERROR 1: something"])
            self.assertEqual(percents[-1], 100)
            self.assertEqual(percents, sorted(percents))

    def test_byte_by_byte_every_mark_is_a_fortieth(self):
        percents, _ = self.read(1)
        self.assertEqual(percents, [2.5 * mark for mark in range(41)])


class Words(unittest.TestCase):
    def test_extra_is_split_as_by_a_shell(self):
        from predt_processing.command import split_extra
        self.assertEqual(split_extra("""-co 'A=b c' "-x" d\\ e #f"""), ["-co", "A=b c", "-x", "d e", "#f"])
        self.assertEqual(split_extra(None), [])
        self.assertRaises(ValueError, split_extra, "'open")


class Finding(InsideCase):
    def find(self, setting="", path=PATH_WITHOUT_PREDT, beside=None):
        from predt_processing import command
        from processing.core.ProcessingConfig import ProcessingConfig
        with mock.patch.dict(os.environ, {"PATH": path}), mock.patch.object(command, "HERE", beside or self.folder), \
                mock.patch.object(ProcessingConfig.settings[command.SETTING], "value", setting):
            return command.find_command(), command.why_missing()

    def test_on_the_path(self):
        self.assertEqual(self.find(path=os.environ["PATH"])[0], os.environ["PREDT_COMMAND"])

    def test_in_the_setting_which_comes_first(self):
        mine = shutil.copy(os.environ["PREDT_COMMAND"], self.path("my predt"))
        self.assertEqual(self.find(setting=mine, path=os.environ["PATH"])[0], mine)

    def test_beside_the_plug_in(self):
        mine = shutil.copy(os.environ["PREDT_COMMAND"], self.path("gdal_predt"))
        self.assertEqual(self.find()[0], mine)

    def test_nowhere(self):
        found, why = self.find()
        self.assertIsNone(found)
        for word in ("not found", "cmake --install", "PATH", self.folder, "Processing"):
            self.assertIn(word, why)

    def test_a_setting_that_is_wrong_is_not_passed_over(self):
        found, why = self.find(setting="/no/such/program", path=os.environ["PATH"])
        self.assertIsNone(found)
        self.assertIn("/no/such/program", why)

    def test_a_file_that_cannot_be_run(self):
        with open(self.path("gdal_predt"), "w") as file:
            file.write("no program")
        self.assertIsNone(self.find()[0])

    def test_a_program_that_cannot_start_is_told_in_its_own_words(self):
        """As when a library that gdal_predt needs has gone: the linker writes a line and the exit code is 127."""
        from predt_processing import command
        from processing.core.ProcessingConfig import ProcessingConfig
        with open(self.path("gdal_predt"), "w") as file:
            file.write("#!/bin/sh\necho 'cannot open shared object file' >&2\nexit 127\n")
        os.chmod(self.path("gdal_predt"), 0o755)
        source = self.make("in.tif", [[1, 0]])
        with mock.patch.object(ProcessingConfig.settings[command.SETTING], "value", self.path("gdal_predt")):
            self.refuse_inside("predt:proximity", {"INPUT": source, "OUTPUT": self.path("out.tif")},
                               "cannot open shared object")

    def check_version(self, said, *words):
        """What the log of a run says with such a program in the setting, and canExecute() before it."""
        from predt_processing import command
        from processing.core.ProcessingConfig import ProcessingConfig
        from qgis.core import QgsApplication
        with open(self.path("gdal_predt"), "w") as file:
            file.write(f"#!/bin/sh\necho '{said}'\n")
        os.chmod(self.path("gdal_predt"), 0o755)
        with mock.patch.object(ProcessingConfig.settings[command.SETTING], "value", self.path("gdal_predt")):
            good, why = QgsApplication.processingRegistry().createAlgorithmById("predt:direction").canExecute()
            self.refuse_inside("predt:direction", {"INPUT": self.make("in.tif", [[1]]), "OUTPUT": self.path("o.tif")}, *words)
        self.assertFalse(good)
        for word in (self.path("gdal_predt"), *words):
            self.assertIn(word, why)
        self.assertEqual(len(why.splitlines()), 1)

    def test_a_program_that_is_not_gdal_predt(self):
        self.check_version("GNU bc 1.07", "cannot be used as gdal_predt", "GNU bc 1.07")

    def test_a_gdal_predt_that_is_too_old(self):
        self.check_version("gdal_predt 0.0.9, GDAL 3.6.2", "gdal_predt 0.0.9, too old", "needs 0.1")

    def test_one_that_was_replaced_is_asked_again(self):
        from predt_processing.command import why_unfit
        shutil.copy(os.environ["PREDT_COMMAND"], self.path("gdal_predt"))
        self.assertIsNone(why_unfit(self.path("gdal_predt")))
        with open(self.path("gdal_predt"), "w") as file:
            file.write("#!/bin/sh\necho no\n")
        self.assertIn("says: no", why_unfit(self.path("gdal_predt")))

    def test_an_algorithm_says_that_it_cannot_execute(self):
        from qgis.core import QgsApplication
        made = QgsApplication.processingRegistry().createAlgorithmById("predt:proximity")
        self.assertTrue(made.canExecute()[0])
        with mock.patch.dict(os.environ, {"PATH": PATH_WITHOUT_PREDT}):
            good, why = made.canExecute()
        self.assertFalse(good)
        self.assertIn("gdal_predt was not found", why)


class Running(InsideCase):
    SIDE = 6000

    def setUp(self):
        super().setUp()
        self.source = self.path("in.tif")
        made = gdal.GetDriverByName("GTiff").Create(self.source, self.SIDE, self.SIDE, 1, gdal.GDT_Byte,
                                                    ["TILED=YES", "COMPRESS=DEFLATE", "SPARSE_OK=TRUE"])
        made.SetGeoTransform((0, 1, 0, 0, 0, -1))
        made.GetRasterBand(1).WriteArray(np.eye(50, dtype=np.uint8), 4000, 5000)
        made = None

    def parameters(self, **more):
        return {"INPUT": self.source, "OPTIONS": "COMPRESS=DEFLATE", "EXTRA": "-threads 1", "OUTPUT": self.path("out.tif"),
                **more}

    def cancel_at(self, percent, name, parameters):
        feedback = telling_feedback()
        feedback.progressChanged.connect(lambda reached: reached >= percent and feedback.cancel())
        results = self.run_inside(name, parameters, feedback)
        self.assertEqual(results, {})
        self.assertLess(max(feedback.percents), 95)
        self.assertEqual(children(), [])
        return feedback

    def test_cancel_ends_the_child_and_leaves_nothing(self):
        feedback = self.cancel_at(20, "predt:proximity", self.parameters(ALLOCATION=self.path("a.tif")))
        self.assertIn("Cancelled", "\n".join(feedback.lines))
        self.assert_only("in.tif")

    def test_cancel_keeps_the_output_that_was_there(self):
        with open(self.path("out.tif"), "w") as old:
            old.write("the old one")
        self.cancel_at(20, "predt:proximity", self.parameters())
        with open(self.path("out.tif")) as old:
            self.assertEqual(old.read(), "the old one")
        self.assert_only("in.tif", "out.tif")

    def test_cancel_of_a_task_in_the_background(self):
        """As in QGIS Desktop: the algorithm on a thread of its own, the button on the main one."""
        import time
        from qgis.core import QgsApplication, QgsProcessingAlgRunnerTask, QgsProcessingContext
        feedback, context, ended = telling_feedback(), QgsProcessingContext(), []
        made = QgsApplication.processingRegistry().createAlgorithmById("predt:proximity")
        task = QgsProcessingAlgRunnerTask(made, self.parameters(BAND=1), context, feedback)
        task.executed.connect(lambda good, results: ended.append(results))
        QgsApplication.taskManager().addTask(task)
        last = time.monotonic() + 60
        while not ended and time.monotonic() < last:
            QgsApplication.processEvents()
            if any(0 < percent for percent in feedback.percents):
                feedback.cancel()
        self.assertEqual(ended, [{}])
        self.assertEqual(children(), [])
        self.assert_only("in.tif")

    def test_cancelled_before_it_starts(self):
        feedback = telling_feedback()
        feedback.cancel()
        self.assertEqual(self.run_inside("predt:proximity", self.parameters(), feedback), {})
        self.assert_only("in.tif")

    def test_cancel_during_a_nearest_facility_run(self):
        from qgis.core import QgsFeature, QgsGeometry, QgsPointXY, QgsVectorLayer
        layer = QgsVectorLayer("Point?crs=EPSG:32633", "facilities", "memory")
        point = QgsFeature()
        point.setGeometry(QgsGeometry.fromPointXY(QgsPointXY(4000.5, -4000.5)))
        layer.dataProvider().addFeature(point)
        for percent in (1, 30, 60, 80):  # reading, burning, gdal_predt, the survey
            with self.subTest(percent):
                self.cancel_at(percent, "predt:nearestfacility", {
                    "FACILITIES": layer, "EXTENT": f"0,{self.SIDE},-{self.SIDE},0 [EPSG:32633]", "PIXEL_SIZE": 1,
                    "EXTRA": "-threads 1", "OPTIONS": "COMPRESS=DEFLATE", "DISTANCE": self.path("d.tif"),
                    "ALLOCATION": self.path("a.tif"), "TABLE": self.path("t.csv")})
                self.assert_only("in.tif")
                self.assertEqual([name for name in os.listdir(scratch_of_qgis()) if name.startswith(".qgis-predt-")], [])

    def test_progress_goes_up_while_it_runs(self):
        feedback = telling_feedback()
        self.run_inside("predt:proximity", self.parameters(), feedback)
        self.assertEqual(feedback.percents, sorted(feedback.percents))
        self.assertGreater(len([percent for percent in feedback.percents if 0 < percent < 100]), 5)

    def test_a_child_that_is_killed_is_a_failure(self):
        import signal
        from qgis.core import QgsProcessingException
        feedback = telling_feedback()
        feedback.progressChanged.connect(lambda reached: [os.kill(child, signal.SIGKILL) for child in children()])
        with self.assertRaises(QgsProcessingException) as caught:
            self.run_inside("predt:proximity", self.parameters(), feedback)
        self.assertIn("unexpectedly", str(caught.exception))
        self.assertFalse(os.path.exists(self.path("out.tif")))
        self.run_inside("predt:proximity", self.parameters())  # sweeps what the killed one has left
        self.assert_only("in.tif", "out.tif")


def scratch_of_qgis():
    from qgis.core import QgsProcessingUtils
    return os.path.dirname(QgsProcessingUtils.tempFolder())


def children():
    """Processes that this one has started and that still run."""
    alive = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/stat") as file:
                state, parent = file.read().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == os.getpid() and state != "Z":
            alive.append(int(process))
    return alive


if __name__ == "__main__":
    main()
