#!/usr/bin/python3
"""Runs each small job with every fault that inject.c and no_memory.c can make, one at a time, and judges what is left.

    suite.py                 the short form that the suite of tests runs: the likeliest faults, at some of the moments
    suite.py --long          every error at every call (an hour or two)
    suite.py --job three --calls rename --error EIO --mode on --nth 2     one case, told at length: what a finding prints
"""
import argparse
import concurrent.futures
import os
import shutil
import sys
import tempfile
import threading
import time

import case
from case import Fault, Place, Skip
from jobs import JOBS
from judge import Judge

# family: (error, mode)...; the first ones of each are in the short form too
FAULTS = {
    "write": [("ENOSPC", "on"), ("EIO", "once"), ("ENOSPC", "short-on"), ("EIO", "kill"),
              ("EIO", "short"), ("ENOSPC", "once"), ("EIO", "on"), ("EDQUOT", "on"), ("EFBIG", "on"), ("EIO", "term")],
    "sync": [("EIO", "once"), ("EIO", "kill"), ("EIO", "on"), ("ENOSPC", "once"), ("EDQUOT", "on"), ("EIO", "term")],
    "close": [("EIO", "once"), ("EIO", "on"), ("EDQUOT", "once"), ("EIO", "kill"), ("EIO", "term")],
    "rename": [("EIO", "once"), ("EACCES", "on"), ("EIO", "kill"), ("EIO", "term"),
               ("EACCES", "once"), ("ENOSPC", "once"), ("EXDEV", "once"), ("EIO", "on"), ("ENOSPC", "on")],
    "link": [("EPERM", "once"), ("EPERM", "on"), ("EIO", "kill"), ("EACCES", "once"), ("EMLINK", "on")],
    "unlink": [("EACCES", "once"), ("EIO", "kill"), ("EACCES", "on"), ("EIO", "once"), ("EIO", "on"), ("EIO", "term")],
    "mkdir": [("EACCES", "once"), ("ENOSPC", "on"), ("EIO", "kill"), ("EMLINK", "once")],
    "truncate": [("ENOSPC", "once"), ("ENOSPC", "on"), ("EIO", "once"), ("EIO", "on"), ("EOPNOTSUPP", "once"),
                 ("EOPNOTSUPP", "on"), ("EIO", "kill")],
    "open": [("EMFILE", "once"), ("EMFILE", "on"), ("EACCES", "once"), ("EACCES", "on"), ("ENOSPC", "once"), ("EIO", "once"),
             ("EIO", "kill"), ("EIO", "term")],
    "read": [("EIO", "once"), ("EIO", "on"), ("EIO", "short"), ("EIO", "short-on")],
    "stat": [("EIO", "once"), ("EACCES", "on"), ("EACCES", "once"), ("EIO", "on")],
    "list": [("EIO", "once"), ("EIO", "on"), ("ENOMEM", "once")],
    "mode": [("EPERM", "once"), ("EPERM", "on")],
    "lock": [("ENOLCK", "once"), ("ENOLCK", "on")],
    "map": [("ENOMEM", "once"), ("ENOMEM", "on")],
    "thread": [("EAGAIN", "once"), ("EAGAIN", "on")],
    "memory": [("ENOMEM", "once"), ("ENOMEM", "on")],
}
SHORT = {"write": 4, "sync": 2, "close": 1, "rename": 4, "link": 2, "unlink": 2, "mkdir": 1, "truncate": 1, "open": 1,
         "read": 1,
         "stat": 0, "list": 1, "mode": 1, "lock": 0, "map": 1, "thread": 1, "memory": 1}
# GDAL 3.6 drops a block's job when it cannot start one of its threads for it, and then waits for that job for ever: known,
# counted apart, and, as each takes its time limit, left to the long form.
GDAL_WAITS = {"spilled", "deflate", "deflate-two", "cog"}
THREADS_FAIL = {"thread", "map", "memory"}
SHORT_MOMENTS = 5
MANY_MOMENTS = 400  # of allocations, in the long form: every one of some thousands would take a day


def short_moments(calls, most=SHORT_MOMENTS):
    """Some of 1 to calls: the first, the last two, and those between at equal steps."""
    if calls <= most:
        return range(1, calls + 1)
    return sorted({1 + round(step * (calls - 2) / (most - 2)) for step in range(most - 1)} | {calls})


class Suite:
    def __init__(self, options):
        self.options = options
        memory_is_shared = os.access("/dev/shm", os.W_OK)
        self.root = tempfile.mkdtemp(prefix="predt-faults-", dir="/dev/shm" if memory_is_shared else None)
        self.places, self.lock = threading.local(), threading.Lock()
        self.cases, self.found, self.aborted, self.waits = 0, [], 0, 0

    def place(self):
        if not hasattr(self.places, "own"):
            self.places.own = Place(tempfile.mkdtemp(dir=self.root))
        return self.places.own

    # ---- One sequence: a job, a family, an error and a mode; the moment moves

    def moments(self, judge, fault):
        """Without an end in the long form: the run that meets no fault any more is the last one."""
        if self.options.nth:
            return [self.options.nth]
        if self.options.long and fault.family != "memory":
            return range(1, 1000000)
        return short_moments(self.count(judge, fault), MANY_MOMENTS if self.options.long else SHORT_MOMENTS)

    def count(self, judge, fault):
        place = self.place()
        if fault.family != "memory":
            place.refill(judge.before)
            return place.run(judge.job, fault.at(0)).calls
        low, high = 0, 1
        while self.met(judge, fault.at(high)):
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.met(judge, fault.at(middle)) else (low, middle)
        return low

    def met(self, judge, fault):
        place = self.place()
        place.refill(judge.before)
        return place.run(judge.job, fault).failed > 0

    def sequence(self, judge, fault):
        place = self.place()
        for nth in self.moments(judge, fault):
            place.refill(judge.before)
            run = place.run(judge.job, fault.at(nth))
            self.note(judge, fault.at(nth), run, judge.findings(place, run, fault.at(nth)))
            if not run.failed:
                break

    def note(self, judge, fault, run, found):
        with self.lock:
            self.cases += 1
            self.aborted += bool(run.signal and fault.mode != "kill")
            if run.hang and judge.job.name in GDAL_WAITS and fault.family in THREADS_FAIL:
                self.waits += 1
                return
            for finding in found:
                self.found.append((judge.job.name, fault.family))
                print(f"--job {judge.job.name} {fault}\n    {finding}\n    at: {run.call}", flush=True)
            if self.options.nth:
                print(f"{run.end()}; call {fault.nth} of {run.calls}: {run.call}\n{run.stderr}", end="")

    # ---- All of them

    def faults(self):
        for family, cases in FAULTS.items():
            kept = cases if self.options.long or self.options.calls else cases[:SHORT[family]]
            for error, mode in kept:
                fault = Fault(family, error, mode)
                if self.options.calls in (None, family) and self.options.error in (None, error) and \
                        self.options.mode in (None, mode):
                    yield fault

    def unsynced(self, judge):
        """Outputs, and folders of theirs, that a clean run does not bring to the disk: a power cut would leave them empty."""
        place = self.place()
        place.refill(judge.before)
        synced = [call.split(" ", 2)[2] for call in place.run(judge.job, Fault("sync")).met]
        names = {os.path.basename(path) for path in synced}
        wanted = {name: os.path.basename(name) in names for name in judge.job.outputs}
        for name in judge.job.outputs:
            folder = os.path.dirname(os.path.join(place.folder, name))
            wanted["the folder of " + name] = folder in synced
        return [f"a clean run makes no fsync of {what}" for what, done in wanted.items() if not done]

    def prepare(self, job):
        judge = Judge(job, self.place())
        if judge.clean:
            judge.trouble += self.unsynced(judge)
        for trouble in judge.trouble:
            self.found.append((job.name, "clean"))
            print(f"--job {job.name}: {trouble}", flush=True)
        return judge if judge.clean else None

    def run(self):
        jobs = [job for job in JOBS if self.options.job in (None, job.name)]
        judges = [judge for judge in map(self.prepare, jobs) if judge]
        start = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(self.options.parallel) as pool:
            work = [pool.submit(self.sequence, judge, fault) for fault in self.faults() for judge in judges
                    if self.options.long or self.options.job or judge.job.name not in GDAL_WAITS
                    or fault.family not in THREADS_FAIL]
            for done in concurrent.futures.as_completed(work):
                done.result()
        self.tell(len(judges), time.monotonic() - start)
        return 1 if self.found else 0

    def tell(self, jobs, seconds):
        print(f"{jobs} jobs, {self.cases} cases of (job, call, n) in {seconds:.0f} s, {len(self.found)} findings; "
              f"{self.aborted} ended by a signal (GDAL without memory), {self.waits} known waits of GDAL for its threads")
        for key in sorted(set(self.found)):
            print(f"    {self.found.count(key):5} {key[0]} {key[1]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--job", choices=[job.name for job in JOBS])
    parser.add_argument("--calls", choices=FAULTS)
    parser.add_argument("--error")
    parser.add_argument("--mode")
    parser.add_argument("--nth", type=int)
    parser.add_argument("--parallel", type=int, default=len(os.sched_getaffinity(0)))
    suite = Suite(parser.parse_args())
    try:
        return suite.run()
    except Skip:
        print("ptrace or seccomp are not to be had here: skipped")
        return case.SKIP
    finally:
        shutil.rmtree(suite.root, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
