"""What the tests of the plug-in share: a home and a temporary folder of their own, qgis_process, QGIS inside this Python."""
import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SAMPLES = os.path.join(ROOT, "sample_rasters")
PLUGINS = os.path.join(ROOT, "qgis")
QGIS_PROCESS = os.environ["PREDT_QGIS_PROCESS"]

HOME = tempfile.mkdtemp(prefix="predt-qgis-home-")
atexit.register(shutil.rmtree, HOME, ignore_errors=True)
tempfile.tempdir = os.path.join(HOME, "tmp")  # QGIS's scratch folder lies there, too: tests that run at once share none
os.mkdir(tempfile.tempdir)
os.makedirs(os.path.join(HOME, "run"), mode=0o700)
os.environ.update(HOME=HOME, TMPDIR=tempfile.tempdir, XDG_RUNTIME_DIR=os.path.join(HOME, "run"), QGIS_PLUGINPATH=PLUGINS,
                  PYTHONDONTWRITEBYTECODE="1")
for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
    os.environ.pop(name, None)
os.environ["PATH"] = os.path.dirname(os.environ["PREDT_COMMAND"]) + os.pathsep + os.environ["PATH"]
PATH_WITHOUT_PREDT = "/usr/bin:/bin"

sys.path.append(os.path.join(os.path.dirname(HERE), "command"))
from raster_case import RasterCase, brute_force, crs, targets  # noqa: E402, F401 (used by the tests)


plugin = None  # as QGIS holds it, once start_qgis() has been called


class ProcessCase(RasterCase):
    """Runs qgis_process. The plug-in is enabled once for each home folder."""
    enabled = False

    def setUp(self):
        super().setUp()
        if not ProcessCase.enabled:
            self.process("plugins", "enable", "predt_processing")
            ProcessCase.enabled = True

    def process(self, *arguments, code=0, env=None):
        """Returns (stdout, stderr). code None: any failure."""
        run = subprocess.run([QGIS_PROCESS, *arguments], capture_output=True, text=True, timeout=200, cwd=self.folder,
                             env={**os.environ, **(env or {})})
        good = run.returncode == code if code is not None else run.returncode > 0
        self.assertTrue(good, f"{run.returncode}: {arguments}\n{run.stdout}\n{run.stderr}")
        return run.stdout, run.stderr

    def run_algorithm(self, name, code=0, env=None, **parameters):
        words = [f"{key}={value}" for key, value in parameters.items()]
        return self.process("run", name, "--", *words, code=code, env=env)


def start_qgis():
    """QGIS with Processing and the plug-in's provider inside this program; returns the application, to be kept."""
    from qgis.core import QgsApplication
    application = QgsApplication([], True)
    application.initQgis()
    sys.path[:0] = [os.path.join(QgsApplication.pkgDataPath(), "python", "plugins"), PLUGINS]
    from processing.core.Processing import Processing
    Processing.initialize()
    from predt_processing import classFactory
    global plugin
    plugin = classFactory(None)
    plugin.initProcessing()
    return application


class InsideCase(RasterCase):
    """Runs algorithms inside this program."""

    def assert_only(self, *names):
        """As ever, but QGIS keeps statistics of the layers that it opens beside them."""
        self.assertEqual(sorted(name for name in os.listdir(self.folder) if name[-8:] != ".aux.xml"), sorted(names))

    def log_of(self, name, parameters, **more):
        """Runs an algorithm; returns (results, everything it told)."""
        feedback = telling_feedback()
        return self.run_inside(name, parameters, feedback, **more), "\n".join(feedback.lines)

    def run_inside(self, name, parameters, feedback=None, context=None):
        import processing
        if "INPUT" in parameters:  # QGIS 3.22 does not take a band's default on its own, in gdal:proximity neither
            parameters = {"BAND": 1, **parameters}
        return processing.run(name, parameters, feedback=feedback or telling_feedback(), context=context)

    def refuse_inside(self, name, parameters, *words):
        from qgis.core import QgsProcessingException
        with self.assertRaises(QgsProcessingException) as caught:
            self.run_inside(name, parameters)
        for word in words:
            self.assertIn(word, str(caught.exception))
        return str(caught.exception)


def telling_feedback():
    from qgis.core import QgsProcessingFeedback

    class Telling(QgsProcessingFeedback):
        """Keeps what is told, in self.lines, and the progress, in self.percents."""

        def __init__(self):
            super().__init__(False)
            self.lines, self.percents = [], []
            self.progressChanged.connect(self.percents.append)

        def keep(self, text, *unused):
            self.lines.append(text)

        pushInfo = pushWarning = pushCommandInfo = pushDebugInfo = pushConsoleInfo = reportError = keep

    return Telling()


def main(inside=True):
    """unittest.main(), with QGIS running if inside. Leaves without taking QGIS down: 3.22 crashes there now and then."""
    application = start_qgis() if inside else None
    program = unittest.main(module="__main__", exit=False)
    sys.stdout.flush()
    sys.stderr.flush()
    if application:
        shutil.rmtree(HOME, ignore_errors=True)
        os._exit(not program.result.wasSuccessful())
    sys.exit(not program.result.wasSuccessful())
