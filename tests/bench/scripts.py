"""Every script and program of bench/ runs, on rasters so small that it takes no time, with the
code as it is. Nothing is measured here; what a script checks of the results is checked.

What is built is found by environment variables, as tests/bench/CMakeLists.txt sets them:
PREDT_COMMAND, PREDT_LIBRARY, PREDT_BENCH_PROGRAMS (a folder), GDAL_DRIVER_PATH (a folder)."""

import csv
import glob
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BENCH = os.path.join(ROOT, "bench")
sys.dont_write_bytecode = True
sys.path.insert(0, BENCH)

import patterns  # noqa: E402

COMMAND = os.environ["PREDT_COMMAND"]
LIBRARY = os.environ["PREDT_LIBRARY"]
PROGRAMS = os.environ["PREDT_BENCH_PROGRAMS"]
PLUGINS = os.environ.get("GDAL_DRIVER_PATH", "")

# All files of bench/, so that a new one is not forgotten here.
SCRIPTS = {"check.py", "cpu.py", "driver.py", "geodesic.py", "gpu.py", "measure.py", "patterns.py"}
MODULES = {"commands.py", "crossing.py", "libpredt.py", "oracle.py", "report.py"}
SOURCES = {"draw.c", "engines.c", "gpu.c", "gpu_npp.c", "gpu_raster.c", "micro.c", "zeros.c"}

with open(LIBRARY, "rb") as file:
    SANITIZED = bool(re.search(rb"__[at]san_init", file.read()))

SCIPY = importlib.util.find_spec("scipy") is not None
GPU_BENCH = os.path.join(PROGRAMS, "predt_gpu_bench")


def run(command, expected=0, **more):
    """What a command prints on stdout and stderr; fails the test at another exit status."""
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, timeout=120, **more
    )
    if done.returncode != expected:
        words = " ".join(map(str, command))
        raise AssertionError(f"{words}: exit {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout, done.stderr


def script(name, *arguments, expected=0, **more):
    return run([sys.executable, "-B", os.path.join(BENCH, name), *arguments], expected, **more)


def program(name, *arguments, expected=0):
    return run([os.path.join(PROGRAMS, name), *arguments], expected)


def body(markdown):
    """Rows of the tables, without heads and rules."""
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    rules = [number for number, line in enumerate(lines) if line.startswith("|---")]
    heads = {number - 1 for number in rules} | set(rules)
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for number, line in enumerate(lines)
        if number not in heads
    ]


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="predt-bench-test-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)


class Everything(unittest.TestCase):
    def test_no_file_is_forgotten(self):
        def there(pattern):
            return {os.path.basename(path) for path in glob.glob(os.path.join(BENCH, pattern))}

        self.assertEqual(there("*.py"), SCRIPTS | MODULES)
        self.assertEqual(there("*.c"), SOURCES)

    def test_every_script_has_help(self):
        for name in SCRIPTS - {"patterns.py"} | {"papers"}:
            self.assertIn("usage:", script(name, "--help")[0], name)
        self.assertIn("patterns.py PATTERN SIDE FILE", script("patterns.py", expected=1)[1])

    def test_every_script_refuses_an_option_that_it_lacks(self):
        for name in SCRIPTS - {"patterns.py"} | {"papers"}:
            _, errors = script(name, "--no-such-option", expected=2)
            self.assertIn("usage:", errors, name)


class Patterns(InFolder):
    def test_c_and_python_draw_the_same_bytes(self):
        for name in [*patterns.STRUCTURED, "random-1", "random-100", "random-1%", "random-99%"]:
            for side in (1, 97):
                if name == "random-100" and side == 1:
                    continue
                program("predt_draw", name, side, self.path("raw"))
                with open(self.path("raw"), "rb") as file:
                    drawn = bytes(bool(value) for value in file.read())
                self.assertEqual(drawn, patterns.make(name, side).tobytes(), f"{name}, {side}")

    def test_both_refuse_a_pattern_that_there_is_not(self):
        self.assertIn("no such pattern", program("predt_draw", "no", 9, "raw", expected=1)[1])
        self.assertIn("no such pattern", script("patterns.py", "no", 9, "no.npy", expected=1)[1])

    def test_hard_patterns_are_drawn(self):
        for name in ("rows-8", "jitter-8", "circles-9", "rings-8", "fan-8", "waves-8", "arcs-9"):
            program("predt_draw", name, 64, self.path("raw"))
            with open(self.path("raw"), "rb") as file:
                self.assertTrue(any(file.read()), name)


class Micro(unittest.TestCase):
    def times(self, *arguments):
        return program("predt_micro", "-n", 70, "-r", 1, *arguments)[0]

    def test_every_output_is_timed(self):
        for output in "dDlnabwfF":
            out = self.times("-o", output)
            for stage in ("add", "seal", "query", "all", "sum"):
                self.assertRegex(out, rf"(?m)^{stage} +\S", output)

    def test_the_sum_depends_on_the_answer_and_on_nothing_else(self):
        def checksum(*arguments):
            return re.search(r"(?m)^sum +(\w+)", self.times("-o", "dDlna", *arguments))[1]

        self.assertEqual(checksum("-t", 1), checksum("-t", 2, "-s", 32, "-q"))
        self.assertEqual(checksum(), checksum("-e", "cpu"))
        self.assertNotEqual(checksum(), checksum("-p", "random-2%"))

    def test_help_is_no_mistake(self):
        self.assertIn("usage:", program("predt_micro", "-h")[0])
        self.assertIn("usage:", program("predt_micro", "-x", expected=2)[1])


class Engines(unittest.TestCase):
    def rows(self, *arguments):
        out = program("predt_engine_bench", "-n", 60, "-r", 1, *arguments)[0]
        return list(csv.reader(io.StringIO(out)))

    def test_exact_methods_differ_nowhere(self):
        for whole in (0, 1):
            rows = self.rows("-w", whole, "cpu", "breu", "voronoi-points", "voronoi-circles")
            self.assertEqual(len(rows), 8)
            self.assertEqual({row[7] for row in rows if row[4] == "0"}, {"0"})

    def test_settings_reach_an_engine(self):
        self.assertEqual([row[4] for row in self.rows("voronoi-circles:step=4")], ["0", "1"])

    def test_an_engine_that_cannot_run_says_why(self):
        (row,) = self.rows("no-such-engine")
        self.assertEqual(row[4], "-1")
        self.assertIn("no-such-engine", row[-1])

    def test_help_is_no_mistake(self):
        self.assertIn("usage:", program("predt_engine_bench", "-h")[0])
        self.assertIn("usage:", program("predt_engine_bench", expected=2)[1])


class Cpu(InFolder):
    TINY = ("--quick", "--checks", 8, "--patterns", "coast,random-1%", "--threads", 2)

    def cpu(self, *arguments, expected=0):
        common = ("--library", LIBRARY, "--gdal-predt", COMMAND, "--scratch", self.folder)
        out, errors = script("cpu.py", *common, *self.TINY, *arguments, expected=expected)
        return body(out), errors

    @unittest.skipIf(SANITIZED, "a sanitizer has to be loaded before Python")
    def test_arrays(self):
        methods = "predt,gdal" + (",scipy" if SCIPY else "")
        if not SCIPY:
            print("scipy is not installed: its columns are left out", file=sys.stderr)
        rows, _ = self.cpu(
            "--arrays", "--sides", "65,256", "--only", methods, "--csv", self.path("csv")
        )
        self.assertEqual([row[:2] for row in rows][::2], [["65", "coast"], ["256", "coast"]])
        for row in rows:
            for cell in row[2:]:
                self.assertRegex(cell, r"^[0-9.]+.* MB")
        with open(self.path("csv"), newline="") as file:
            listed = list(csv.DictReader(file))
        self.assertEqual(len(listed), sum(len(row) - 2 for row in rows))
        self.assertEqual(
            {row["wrong"] for row in listed if row["method"].startswith("predt")}, {"0"}
        )

    @unittest.skipIf(SANITIZED, "a sanitizer has to be loaded before Python")
    def test_a_method_that_fails_is_said_and_fails(self):
        rows, errors = self.cpu(
            "--arrays", "--sides", 9, "--only", "predt-dist", "--engine", "no", expected=1
        )
        self.assertIn("failed", rows[0])
        self.assertIn("FAILED", errors)

    @unittest.skipUnless(shutil.which("gdal_proximity.py"), "gdal_proximity.py is not installed")
    def test_commands(self):
        rows, _ = self.cpu("--commands", "--command-side", 200, "--command-patterns", "coast")
        self.assertEqual(len(rows), 4)
        self.assertFalse([row for row in rows if "failed" in row])

    def test_memory(self):
        rows, _ = self.cpu("--memory", "--memory-side", 300)
        self.assertEqual([row[0] for row in rows], ["gdal_predt", "gdal_predt -allocation"])
        self.assertFalse([row for row in rows if "failed" in row])


class Geodesic(InFolder):
    @unittest.skipIf(SANITIZED, "a sanitizer has to be loaded before Python")
    def test_every_pattern_is_right(self):
        others = () if SCIPY else ("--others-height", 0)
        out, _ = script("geodesic.py", "--quick", "--library", LIBRARY, "--threads", "1,2", *others)
        rows = [row for row in body(out) if row[-1].endswith("/100")]
        self.assertEqual(len(rows), 11)
        for row in rows:
            self.assertEqual(row[-1], "0/100", row[0])
            self.assertTrue(all(float(cell) > 0 for cell in row[1:-1]))


class Build(InFolder):
    def test_bench_papers_builds_without_cmake(self):
        environment = {**os.environ, "NVCC": "", "CFLAGS": "-O0"}
        run(["sh", os.path.join(BENCH, "papers", "build.sh"), self.folder], env=environment)
        out, _ = run([self.path("predt_engine_bench"), "-n", 40, "-r", 1, "cpu", "breu"])
        self.assertEqual(len(out.splitlines()), 4)


class Check(InFolder):
    def setUp(self):
        super().setUp()
        script("patterns.py", "coast", 80, self.path("mask.tif"))
        self.command = [COMMAND, "-q", "-allocation", self.path("allocation.tif")]
        self.rasters = [self.path(name) for name in ("mask.tif", "distance.tif", "allocation.tif")]

    def test_right_rasters_pass(self):
        run([*self.command, *self.rasters[:2]])
        script("check.py", *self.rasters)

    def test_wrong_rasters_do_not(self):
        run([*self.command, "-maxdist", 1, *self.rasters[:2]])
        _, errors = script("check.py", *self.rasters, expected=1)
        self.assertIn("wrong distance", errors)


class Driver(InFolder):
    @unittest.skipUnless(PLUGINS, "the GDAL driver is not built")
    @unittest.skipIf(SANITIZED, "a sanitizer has to be loaded before GDAL")
    def test_every_row_has_a_value(self):
        out, _ = script(
            "driver.py", "--plugins", PLUGINS, "--side", 600, "--translate-side", 300,
            "--pairs", 2, "--scratch", self.folder,
        )  # fmt: skip
        rows = body(out)
        self.assertEqual(len(rows), 11)
        for name, value in rows:
            self.assertRegex(value, r"^-?[0-9.]+", name)


class Gpu(InFolder):
    def gpu(self, *arguments, expected=0):
        draw = os.path.join(PROGRAMS, "predt_draw")
        common = ("--predt-gpu-bench", GPU_BENCH, "--predt-draw", draw, "--gdal-predt", COMMAND)
        arguments = (*common, "--scratch", self.folder, *arguments)
        out, errors = script("gpu.py", *arguments, expected=expected)
        return body(out), errors

    def has_device(self):
        return "cuda" in self.engines()

    def engines(self):
        """Those that can run here."""
        return re.findall(r"(?m)^(\S+) +\S+ +yes", run([COMMAND, "-engines"])[0])

    def test_commands(self):
        rows, _ = self.gpu("--commands", "--sides", 200, "--repeats", 1)
        lines = 1 + len({"cuda", "cpu", "zeros"} & set(self.engines()))
        self.assertEqual(len(rows), 3 * lines)

    def test_on_the_device(self):
        if not os.path.exists(GPU_BENCH):
            self.skipTest("built without CUDA")
        if not self.has_device():
            _, errors = program("predt_gpu_bench", "-n", 64, expected=1)
            self.assertRegex(errors, "^predt_gpu_bench: .*: ")
            self.skipTest(f"no CUDA device: {errors.strip()}")
        rows, _ = self.gpu(
            "--device", "--device-options", "-n 256 -r 1", "--patterns", "random-1%,coast"
        )
        self.assertTrue(rows)

    def test_auto(self):
        sizes = ("--auto-sides", 100, "--auto-threads", 1, "--auto-repeats", 1)
        if self.has_device():
            self.assertEqual(len(self.gpu("--auto", *sizes)[0]), 1)
            return
        _, errors = self.gpu("--auto", *sizes, expected=1)
        self.assertIn("nothing to compare: engine cuda", errors)
        self.skipTest(errors.strip())

    @unittest.skipUnless(os.path.exists(GPU_BENCH), "built without CUDA")
    def test_help_is_no_mistake(self):
        self.assertIn("usage:", program("predt_gpu_bench", "-h")[0])
        self.assertIn("usage:", program("predt_gpu_bench", "-x", expected=2)[1])


if __name__ == "__main__":
    unittest.main(verbosity=2)
