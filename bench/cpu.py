#!/usr/bin/python3
"""Times predt's CPU engine beside GDALComputeProximity and scipy.ndimage, in memory, and gdal_predt
beside gdal_proximity.py and gdal_translate, as whole commands. Markdown on stdout, progress on
stderr. See README.md."""

import argparse
import json
import os
import statistics
import subprocess
import tempfile

import commands
from patterns import ALL
from report import Csv, Failure, Table, built, exit_with, machine, run, say, script, spread


def methods(args):
    """(title, name for the CSV, threads, arguments of measure.py) of each column."""
    ours = ["--library", args.library, "--engine", args.engine, "--repeats", args.repeats]
    listed = [
        (f"predt {what}, {n} thr.", f"predt-{what}", n, ["predt", *ours, "--threads", n, *more])
        for what, more in (("dist", []), ("dist+alloc", ["--allocation"]))
        for n in args.threads
    ]
    listed += [
        ("GDAL", "gdal", 1, ["gdal", "--repeats", args.gdal_repeats]),
        ("scipy dist", "scipy-dist", 1, ["scipy", "--repeats", args.scipy_repeats]),
        (
            "scipy dist+indices",
            "scipy-indices",
            1,
            ["scipy", "--repeats", args.scipy_repeats, "--allocation"],
        ),
    ]
    return [method for method in listed if any(method[1].startswith(only) for only in args.only)]


def measured(arguments, file, args):
    done = subprocess.run(
        script("measure.py", *arguments, file, "--checks", args.checks),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise Failure(
            done.stderr.strip().splitlines()[-1]
            if done.stderr.strip()
            else f"exit {done.returncode}"
        )
    return json.loads(done.stdout)


def cell(result, side):
    ns = [1e9 * seconds / side**2 for seconds in result["seconds"]]
    text = f"{statistics.median(ns):.2f}"
    if len(ns) > 1:
        text += f" ±{spread(ns):.0f}%"
    text += f", {result['extra_bytes'] / 1e6:.0f} MB"
    return text + (f", {result['wrong']}/{result['checked']} wrong" if result["wrong"] else "")


def pattern_row(side, pattern, columns, args, table, sink):
    """False if a method failed; the row then says so."""
    cells, file = [], os.path.join(args.scratch, "pattern.npy")
    run(script("patterns.py", pattern, side, file))
    for title, name, threads, arguments in columns:
        say(f"{side}, {pattern}: {title}")
        try:
            result = measured(arguments, file, args)
            cells.append(cell(result, side))
            sink.add(
                result["seconds"],
                side,
                table="memory",
                pattern=pattern,
                method=name,
                threads=threads,
                **{key: result[key] for key in ("extra_bytes", "wrong", "checked")},
            )
        except Failure as failure:
            say(f"FAILED: {failure}")
            cells.append("failed")
    os.remove(file)
    table.row(side, pattern, *cells)
    return "failed" not in cells


def compare_in_memory(args, sink):
    columns = methods(args)
    if not columns:
        raise Failure("--only names no method")
    table = Table(
        "ns per pixel (median ± half the range), peak memory on top of the arrays",
        ["side", "pattern"] + [title for title, *_ in columns],
        left=2,
    )
    rows = [
        pattern_row(side, pattern, columns, args, table, sink)
        for side in args.sides
        for pattern in args.patterns
    ]
    return all(rows)


def numbers(text):
    return [int(number) for number in text.split(",")]


def names(text):
    return text.split(",")


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    what = parser.add_argument_group("what to run (without any of these: --arrays and --commands)")
    what.add_argument("--arrays", action="store_true", help="the methods, array to array")
    what.add_argument("--commands", action="store_true", help="whole commands, file to file")
    what.add_argument(
        "--memory", action="store_true", help="gdal_predt on a large DEFLATE raster with -memory"
    )
    what.add_argument(
        "--quick",
        action="store_true",
        help="other defaults: 1024 a side, three patterns, one repeat; does it all work?",
    )
    parser.add_argument("--sides", type=numbers, default=[4096, 8192])
    parser.add_argument("--patterns", type=names, default=ALL)
    parser.add_argument(
        "--only",
        type=names,
        default=[""],
        metavar="NAMES",
        help="methods that start so: predt, predt-dist+alloc, gdal, scipy, scipy-indices",
    )
    parser.add_argument("--threads", type=numbers, default=[1, 2])
    parser.add_argument("--engine", default="cpu")
    parser.add_argument(
        "--library",
        default=built("libpredt.so", "libpredt.so.0"),
        help="the newest under build*/, else the installed one",
    )
    parser.add_argument("--repeats", type=int, default=5, help="of predt, after one warm-up")
    parser.add_argument(
        "--gdal-repeats", type=int, default=1, help="after one warm-up; 0: the first run counts"
    )
    parser.add_argument("--scipy-repeats", type=int, default=0, help="likewise")
    parser.add_argument(
        "--checks", type=int, default=64, help="pixels compared with brute force before timing"
    )
    parser.add_argument(
        "--scratch",
        default="/dev/shm" if os.path.isdir("/dev/shm") else tempfile.gettempdir(),
        help="folder for patterns and rasters",
    )
    parser.add_argument("--csv", help="also one line a measurement here")
    commands.add_options(parser)
    if parser.parse_args().quick:
        parser.set_defaults(
            sides=[1024],
            patterns=["random-1", "random-1%", "coast"],
            repeats=1,
            command_side=1024,
            command_repeats=1,
            memory_side=2048,
        )
    args = parser.parse_args()
    if not (args.arrays or args.commands or args.memory):
        args.arrays = args.commands = True
    return args


def main():
    args, right = options(), True
    sink = Csv(args.csv)
    print(f"Machine: {machine()}.", flush=True)
    with tempfile.TemporaryDirectory(prefix="predt-bench-", dir=args.scratch) as args.scratch:
        if args.arrays:
            print(f"Library: {args.library}.")
            right &= compare_in_memory(args, sink)
        if args.commands:
            right &= commands.compare(args, sink)
        if args.memory:
            right &= commands.large(args, sink)
    return 0 if right else 1


if __name__ == "__main__":
    exit_with(main)
