#!/usr/bin/python3
"""Kills and signals at random moments of runs that take some tenths of a second, and what they leave. The moments at each
system call are suite.py's (modes kill and term); these fall between, in the middle of the computing as well.

    kills.py                           a few moments for each job and signal, as the suite of tests runs it
    kills.py --moments 100 --seed 7    as many as you like
"""
import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np

from case import COMMAND, LIMIT, Place, Run
from jobs import Job, old, raster
from judge import INTERRUPTED, Judge

SIZE = 900


def source(folder):
    spots = np.random.default_rng(3).random((SIZE, SIZE)) < 0.001
    raster(os.path.join(folder, "in.tif"), spots.astype(np.uint8), options=["COMPRESS=DEFLATE"])


def olds(*names):
    def make(folder):
        source(folder)
        for name in names:
            old(folder, name)
    return make


def same_size(folder):
    source(folder)
    raster(os.path.join(folder, "out.tif"), np.full((2, SIZE, SIZE), 7, np.float32), options=["COMPRESS=LZW"], overviews=True)


ALL = "-allocation {}/a.tif -direction {}/w.tif {}/in.tif {}/out.tif"
JOBS = [
    Job("overwrite", "--overwrite {}/in.tif {}/out.tif", ["out.tif"], olds("out.tif")),
    Job("overwrite-three", "--overwrite " + ALL, ["out.tif", "a.tif", "w.tif"], olds("out.tif", "a.tif", "w.tif")),
    Job("three", "-co COMPRESS=DEFLATE " + ALL, ["out.tif", "a.tif", "w.tif"], source),
    Job("update", "{}/in.tif {}/out.tif", ["out.tif"], same_size),
    Job("cog", "--overwrite -of COG {}/in.tif {}/out.tif", ["out.tif"], olds("out.tif")),
]


def duration(place, judge):
    place.refill(judge.before)
    start = time.monotonic()
    place.run(judge.job)
    return time.monotonic() - start


def stop(place, job, number, seconds):
    """Runs the job and sends it the signal then; a run that was sooner done has just ended."""
    started = place.start(job)
    time.sleep(seconds)
    started.send_signal(number)
    run = Run()
    try:
        run.stderr = started.communicate(timeout=LIMIT)[1]
    except subprocess.TimeoutExpired:
        started.kill()
        started.communicate()
        run.hang = True
    run.exit, run.signal = (started.returncode, None) if started.returncode >= 0 else (None, -started.returncode)
    return run


def after_kill(judge, place, run):
    if run.hang:
        return ["hangs"]
    state = place.state()
    if run.exit == 0:
        return judge.done(place, state, run, None)
    return judge.killed(place, state) + judge.next_run(place)


def after_signal(judge, place, run):
    """A signal before the program watches for it ends it as any other program, and nothing has begun."""
    if run.hang:
        return ["hangs"]
    state = place.state()
    if run.exit == 0:
        return judge.done(place, state, run, None)
    if run.signal:
        return [] if state == judge.before else [f"ended by signal {run.signal}: " + judge.difference(state, judge.before)]
    wrong = [] if run.exit == INTERRUPTED else [f"exit {run.exit}"]
    return wrong + judge.refused(place, state, run, None)


def second_signal_ends_at_once(place, number):
    """The program waits for a source that does not come, and cannot look up when it is told to stop."""
    place.empty()
    pipe_out, pipe_in = os.pipe()
    started = subprocess.Popen([COMMAND, "-q", "/vsistdin/", os.path.join(place.folder, "out.tif")], stdin=pipe_out,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(pipe_out)
    time.sleep(0.5)
    started.send_signal(number)
    time.sleep(0.2)
    started.send_signal(number)
    try:
        started.wait(2)
        found = []
    except subprocess.TimeoutExpired:
        started.kill()
        started.wait()
        found = [f"a second signal {number} does not end a run that waits"]
    os.close(pipe_in)
    return found + [f"a second signal {number}: {name} is left" for name in os.listdir(place.folder)]


class Kills:
    def __init__(self, options, place):
        self.options, self.place, self.random = options, place, random.Random(options.seed)
        self.cases, self.found = 0, 0

    def note(self, what, found):
        self.cases += 1
        for finding in found:
            self.found += 1
            print(f"{what}\n    {finding}", flush=True)

    def moments(self, judge, number, judgement):
        longest = duration(self.place, judge)
        for _ in range(self.options.moments):
            seconds = self.random.uniform(0.1, 1.02) * longest
            self.place.refill(judge.before)
            run = stop(self.place, judge.job, number, seconds)
            self.note(f"{judge.job.name}, signal {number} after {seconds:.4f} of {longest:.3f} s",
                      judgement(judge, self.place, run))

    def run(self):
        for job in JOBS:
            judge = Judge(job, self.place)
            self.note(job.name, judge.trouble)
            if not judge.clean:
                continue
            self.moments(judge, signal.SIGKILL, after_kill)
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                self.moments(judge, number, after_signal)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            self.note("two signals", second_signal_ends_at_once(self.place, number))
        print(f"{self.cases} cases, {self.found} findings (seed {self.options.seed})")
        return 1 if self.found else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moments", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    root = tempfile.mkdtemp(prefix="predt-kills-")
    try:
        return Kills(parser.parse_args(), Place(root)).run()
    finally:
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
