"""One run of a job with one fault in it, and what its folder is like afterwards."""
import os
import shutil
import subprocess

import folder as folders

BUILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "build")
COMMAND = os.environ.get("PREDT_COMMAND", os.path.join(BUILD, "cli", "gdal_predt"))
INJECTOR = os.environ.get("PREDT_INJECT", os.path.join(BUILD, "tests", "faults", "predt_inject"))
NO_MEMORY = os.environ.get("PREDT_NO_MEMORY", os.path.join(BUILD, "tests", "faults", "predt_no_memory.so"))
LIMIT = 20  # seconds: more than any run takes on a busy machine
SKIP = 77


class Fault:
    """The nth call of a family ends with this error; see inject.c for the modes."""

    def __init__(self, family, error="EIO", mode="once", nth=0):
        self.family, self.error, self.mode, self.nth = family, error, mode, nth

    def at(self, nth):
        return Fault(self.family, self.error, self.mode, nth)

    def options(self):
        return ["--calls", self.family, "--error", self.error, "--mode", self.mode, "--nth", str(self.nth)]

    def __str__(self):
        return " ".join(self.options())


class Run:
    """How a run ended: `exit` or `signal` or `hang`; `calls` of the family, `failed` ones, the first `call` that did;
    `met`: all of them, where none was to fail."""

    exit = signal = None
    hang = False
    calls = failed = 0
    call, stderr = "", ""

    def __init__(self):
        self.met = []

    def lines(self):
        """What was said, warnings apart."""
        return [line for line in self.stderr.splitlines() if not line.startswith("gdal_predt: warning: ")]

    def end(self):
        return "hangs" if self.hang else f"signal {self.signal}" if self.signal else f"exit {self.exit}"


class Place:
    """A folder that is filled anew for each run."""

    def __init__(self, root):
        self.root, self.folder, self.report = root, os.path.join(root, "case"), os.path.join(root, "report")
        os.makedirs(root, exist_ok=True)

    def empty(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.mkdir(self.folder)
        if os.path.exists(self.report):
            os.remove(self.report)

    def make(self, job):
        self.empty()
        job.make(self.folder)
        return folders.snapshot(self.folder)

    def refill(self, held):
        self.empty()
        folders.fill(self.folder, held)

    def state(self):
        return folders.snapshot(self.folder)

    def environment(self, job):
        own = {name: value.replace("{}", self.folder) for name, value in job.environment.items()}
        return {**os.environ, "PREDT_SYNC": "YES", "TMPDIR": self.folder, "GDAL_DRIVER_PATH": "disable", **own}

    def start(self, job, before=(), more=(), environment=()):
        command = [*before, *job.command(COMMAND, self.folder), *more]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace",
                                env={**self.environment(job), **dict(environment)})

    def run(self, job, fault=None, more=()):
        if fault is None or fault.family == "memory":
            return self.run_plain(job, fault, more)
        injector = [INJECTOR, *fault.options(), "--below", self.folder, "--limit", str(LIMIT), "--report", self.report, "--"]
        started = self.start(job, injector, more)
        run = Run()
        run.stderr = started.communicate()[1]
        if started.returncode == SKIP:
            raise Skip
        read_report(run, self.report)
        return run

    def run_plain(self, job, fault, more):
        environment = {}
        if fault:
            environment = {"LD_PRELOAD": NO_MEMORY, "PREDT_FAULT_NTH": str(fault.nth), "PREDT_FAULT_REPORT": self.report}
            if fault.mode == "on":
                environment["PREDT_FAULT_ON"] = "1"
        started = self.start(job, more=more, environment=environment)
        run = Run()
        try:
            run.stderr = started.communicate(timeout=LIMIT)[1]
            run.exit = started.returncode if started.returncode >= 0 else None
            run.signal = -started.returncode if started.returncode < 0 else None
        except subprocess.TimeoutExpired:
            started.kill()
            run.stderr, run.hang = started.communicate()[1], True
        if fault and os.path.exists(self.report):
            with open(self.report) as file:
                run.call = file.read().strip()
            run.failed = 1 if run.call else 0
        return run


class Skip(Exception):
    """ptrace or seccomp are not to be had here."""


def read_report(run, path):
    with open(path) as file:
        for line in file.read().splitlines():
            what, _, value = line.partition(" ")
            if what in ("calls", "failed"):
                setattr(run, what, int(value))
            elif what == "met":
                run.met.append(value)
            elif what == "call":
                run.call = value
            elif value == "hang":
                run.hang = True
            else:
                kind, number = value.split()
                setattr(run, kind, int(number))
