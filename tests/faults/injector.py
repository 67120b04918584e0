#!/usr/bin/python3
"""What predt_inject and predt_no_memory do themselves, on small programs whose calls are known."""
import os
import subprocess
import sys
import tempfile
import unittest

from case import COMMAND, INJECTOR, NO_MEMORY, SKIP

WRITES = """
import os, sys
file = os.open("file", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
for piece in (b"aaaa", b"bbbb", b"cccc"):
    try: print(os.write(file, piece), end=" ")
    except OSError as error: print(error.errno, end=" ")
try: os.close(file)
except OSError as error: print("close", error.errno, end=" ")
try: os.close(file)
except OSError as error: print(error.errno)
"""
THREADS = """
import threading
open("begun", "w").close()
for _ in range(3):
    try: threading.Thread(target=str).start(); print("started", end=" ")
    except RuntimeError: print("none", end=" ")
"""


class Injector(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="predt-injector-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.report = self.folder + "-report"
        self.addCleanup(lambda: os.path.exists(self.report) and os.remove(self.report))

    def inject(self, options, *command):
        run = subprocess.run([INJECTOR, *options.split(), "--below", self.folder, "--report", self.report, "--", *command],
                             capture_output=True, text=True, cwd=self.folder, timeout=60)
        if run.returncode == SKIP:
            self.skipTest("ptrace or seccomp are not to be had here")
        with open(self.report) as file:
            lines = [line.split(" ", 1) for line in file.read().splitlines()]
        self.told, self.met = dict(lines), [value for what, value in lines if what == "met"]
        return run

    def python(self, options, program):
        """-I: Python 3.13 looks for modules in the current folder before it runs anything."""
        return self.inject(options, sys.executable, "-I", "-c", program).stdout.split()

    def file(self):
        with open(os.path.join(self.folder, "file"), "rb") as file:
            return file.read()

    def test_counts_the_calls_below_the_folder_alone(self):
        self.assertEqual(self.python("--calls write", WRITES), ["4", "4", "4", "9"])
        self.assertEqual((self.told["calls"], self.told["failed"], self.told["end"]), ("3", "0", "exit 0"))

    def test_says_which_calls_there_are(self):
        self.python("--calls open", WRITES)
        self.assertEqual(self.met, ["openat r " + os.path.join(self.folder, "file")])

    def test_one_write_fails_and_is_not_made(self):
        self.assertEqual(self.python("--calls write --nth 2 --error ENOSPC", WRITES), ["4", "28", "4", "9"])
        self.assertEqual(self.file(), b"aaaacccc")
        self.assertEqual(self.told["call"], "write rw " + os.path.join(self.folder, "file"))

    def test_all_writes_fail_from_the_second_on(self):
        self.assertEqual(self.python("--calls write --nth 2 --error EIO --mode on", WRITES), ["4", "5", "5", "9"])
        self.assertEqual(self.told["failed"], "2")

    def test_a_short_write_moves_half(self):
        self.assertEqual(self.python("--calls write --nth 2 --mode short", WRITES), ["4", "2", "4", "9"])
        self.assertEqual(self.file(), b"aaaabbcccc")

    def test_after_a_short_write_all_fail(self):
        self.assertEqual(self.python("--calls write --nth 2 --mode short-on --error ENOSPC", WRITES), ["4", "2", "28", "9"])

    def test_a_close_that_fails_has_closed(self):
        self.assertEqual(self.python("--calls close --nth 1 --error EIO", WRITES), ["4", "4", "4", "close", "5", "9"])

    def test_a_call_kills_before_it_is_made(self):
        self.python("--calls write --nth 2 --mode kill", WRITES)
        self.assertEqual((self.file(), self.told["end"]), (b"aaaa", "signal 9"))

    def test_threads_cannot_be_started(self):
        self.assertEqual(self.python("--calls thread --nth 2 --error EAGAIN", THREADS), ["started", "none", "started"])

    def test_children_are_followed(self):
        run = self.inject("--calls mkdir --nth 1 --error EACCES", "sh", "-c", "mkdir one; sh -c 'mkdir two; true'")
        self.assertIn("Permission denied", run.stderr)
        self.assertEqual(os.listdir(self.folder), ["two"])

    def test_a_command_that_hangs_is_killed(self):
        self.assertEqual(self.inject("--calls write --limit 1", "sleep", "30").returncode, 124)
        self.assertEqual(self.told["end"], "hang")

    def test_the_status_of_the_command_is_passed_on(self):
        self.assertEqual(self.inject("--calls write", "sh", "-c", "exit 3").returncode, 3)
        self.assertEqual(self.inject("--calls write", "sh", "-c", "kill -15 $$").returncode, 128 + 15)


class NoMemory(unittest.TestCase):
    def test_nothing_fails_before_gdal_has_started(self):
        program = ("import ctypes; malloc = ctypes.CDLL(None).malloc; malloc.restype = ctypes.c_void_p; "
                   "print(all(malloc(10) for _ in range(300)))")
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                             env={**os.environ, "LD_PRELOAD": NO_MEMORY, "PREDT_FAULT_NTH": "1", "PREDT_FAULT_ON": "1"})
        self.assertEqual(run.stdout.strip(), "True")

    def test_the_program_meets_the_allocation_that_is_to_fail(self):
        with tempfile.NamedTemporaryFile() as report:
            environment = {**os.environ, "LD_PRELOAD": NO_MEMORY, "PREDT_FAULT_NTH": "1", "PREDT_FAULT_REPORT": report.name}
            run = subprocess.run([COMMAND, "a", "b"], env=environment, capture_output=True)
            self.assertNotEqual(run.returncode, 0)
            self.assertTrue(report.read().startswith(b"1 /"))


if __name__ == "__main__":
    unittest.main()
