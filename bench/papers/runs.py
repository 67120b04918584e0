"""Runs the two measuring programs and turns what they print into rows: one for each engine on each
raster."""

import csv
import io
import os
import re
import statistics
import subprocess
import sys

FIELDS = [
    "engine",
    "side",
    "pattern",
    "targets",
    "repeats",
    "wall_ms",
    "wall_min",
    "wall_max",
    "device_ms",
    "device_min",
    "device_max",
    "steps",
    "device_bytes",
    "host_bytes",
    "different",
    "worst",
    "listed_down",
    "listed_up",
    "missing",
]
NUMBERS = set(FIELDS) - {"engine", "pattern", "steps", "missing"}


def say(text):
    print(text, file=sys.stderr, flush=True)


def steps_of(log):
    """Milliseconds of each step that an engine logs, summed over the queries of a run."""
    steps = {}
    for name, ms in re.findall(r"([A-Za-z][A-Za-z -]*?) ([0-9.]+) ms", log):
        steps[name] = steps.get(name, 0) + float(ms)
    return steps


def listed(log):
    """Mean number of targets in a row's list, going down and going up, that engine breu logs."""
    found = re.findall(r"(\d+) rows, (\d+) targets in their lists going down, (\d+) going up", log)
    rows = sum(int(line[0]) for line in found)
    return (
        [sum(int(line[side]) for line in found) / rows for side in (1, 2)] if rows else [None, None]
    )


def spread(values):
    """Mean, minimum and maximum."""
    return (statistics.fmean(values), min(values), max(values)) if values else (None, None, None)


def row_of(runs):
    """One row from all runs of an engine on a raster; the run 0 is the warm-up."""
    first = runs[0]
    row = dict.fromkeys(FIELDS)
    row.update(
        engine=first["engine"],
        side=int(first["side"]),
        pattern=first["pattern"],
        targets=int(first["targets"]),
    )
    if int(runs[-1]["run"]) < 0:
        return {**row, "missing": runs[-1]["log"]}
    timed = [run for run in runs if int(run["run"]) > 0]
    steps = [steps_of(run["log"]) for run in timed]
    row["repeats"] = len(timed)
    row["wall_ms"], row["wall_min"], row["wall_max"] = spread(
        [float(run["wall_ms"]) for run in timed]
    )
    row["device_ms"], row["device_min"], row["device_max"] = spread(
        [sum(step.values()) for step in steps if step]
    )
    row["steps"] = ";".join(
        f"{name}={statistics.fmean(step[name] for step in steps)}" for name in steps[0]
    )
    sizes = re.findall(r"(\d+) bytes on the device", first["log"])
    row["device_bytes"] = max(map(int, sizes)) if sizes else None
    row.update(
        host_bytes=int(first["host_bytes"]),
        different=int(first["different"]),
        worst=float(first["worst"]),
    )
    row["listed_down"], row["listed_up"] = listed(first["log"])
    return row


class Programs:
    def __init__(self, folder, threads):
        self.engines = os.path.join(folder, "predt_engine_bench")
        self.gpu = os.path.join(folder, "predt_gpu_bench")
        self.threads = threads

    def measure(self, side, pattern, engines, threads=None):
        """engines: (engine, max repeats, seconds after which no further repeat begins). The
        published methods get the raster as a whole."""
        command = [self.engines, "-n", str(side), "-p", pattern, "-t", str(threads or self.threads)]
        for engine, repeats, budget in engines:
            whole = int(engine not in ("cpu", "cuda"))
            command += ["-r", str(repeats), "-b", str(budget), "-w", str(whole), engine]
        say(f"{pattern} in {side} x {side}: {', '.join(engine for engine, _, _ in engines)}")
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}")
        names = [
            "engine",
            "pattern",
            "side",
            "targets",
            "run",
            "wall_ms",
            "host_bytes",
            "different",
            "worst",
            "log",
        ]
        runs = list(csv.DictReader(io.StringIO(done.stdout), names))
        return [
            row_of([run for run in runs if run["engine"] == engine]) for engine, _, _ in engines
        ]

    def fast_engine(self, side, patterns, repeats):
        """Median time on the device, labels included, and its memory, by pattern."""
        if not os.path.exists(self.gpu):
            return {}
        done = subprocess.run(
            [self.gpu, "-o", "-n", str(side), "-r", str(repeats), *patterns],
            capture_output=True,
            text=True,
        )
        if done.returncode:
            say(done.stderr.strip())
        found = {}
        for line in done.stdout.splitlines():
            cells = [cell.strip() for cell in line.strip("| ").split("|")]
            if len(cells) == 8 and cells[2] == "cuda":
                found[cells[0]] = {
                    "device_ms": float(cells[3]),
                    "device_bytes": float(cells[7]) * 2**20,
                    "repeats": repeats,
                }
        return found


def write(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        for row in rows:
            writer.writerow(
                {
                    key: f"{value:.6g}" if isinstance(value, float) else value
                    for key, value in row.items()
                }
            )


def read(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        for key in NUMBERS:
            row[key] = float(row[key]) if row[key] else None
    return rows
