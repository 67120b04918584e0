"""Whole commands, file to file: gdal_predt beside gdal_proximity.py and gdal_translate; and
gdal_predt's peak memory on a large raster."""

import os
import statistics

from report import Failure, Table, built, run, say, script, spread


def add_options(parser):
    group = parser.add_argument_group("whole commands")
    group.add_argument(
        "--gdal-predt",
        default=built("gdal_predt", "gdal_predt"),
        metavar="PATH",
        help="the newest under build*/, else the installed one",
    )
    group.add_argument("--command-side", type=int, default=8192)
    group.add_argument(
        "--command-patterns", type=lambda text: text.split(","), default=["random-1%", "coast"]
    )
    group.add_argument(
        "--command-repeats", type=int, default=5, help="rounds, after one warm-up round"
    )
    group.add_argument(
        "--proximity-repeats",
        type=int,
        default=1,
        help="rounds in which gdal_proximity.py takes part",
    )
    group.add_argument(
        "--co",
        action="append",
        metavar="NAME=VALUE",
        help="creation option of all outputs [TILED=YES]",
    )
    group.add_argument("--memory-side", type=int, default=30000)
    group.add_argument("--memory-limit", default="256M", help="what gdal_predt -memory is given")
    group.add_argument("--memory-pattern", default="coast")


FLOOR = "gdal_translate -ot Float32"
SLOW = "gdal_proximity.py"


def command_lines(source, folder, args):
    """Name and command of each; all write into the folder, with the same creation options."""
    co = [word for option in args.co or ["TILED=YES"] for word in ("-co", option)]
    out, allocation = os.path.join(folder, "out.tif"), os.path.join(folder, "allocation.tif")
    return {
        FLOOR: ["gdal_translate", "-q", "-ot", "Float32", *co, source, out],
        "gdal_predt": [args.gdal_predt, "-q", *co, source, out],
        "gdal_predt -allocation": [
            args.gdal_predt,
            "-q",
            *co,
            "-allocation",
            allocation,
            source,
            out,
        ],
        SLOW: ["gdal_proximity.py", "-q", "-ot", "Float32", *co, source, out],
    }


def clear(folder):
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))


def check(source, folder, args):
    """Exits non-zero, so raises, if a pixel of the outputs in the folder is wrong."""
    outputs = [os.path.join(folder, name) for name in ("out.tif", "allocation.tif")]
    run(script("check.py", "--checks", args.checks, source, *filter(os.path.exists, outputs)))


def rounds(lines, source, folder, args):
    """{name: [(wall, cpu, peak), ...]}: the commands take turns, so that a slow minute of the
    machine hits all alike. Round 0 warms up and checks what gdal_predt wrote. A command that fails
    is left out from there on."""
    runs = {name: [] for name in lines}
    for turn in range(args.command_repeats + 1):
        for name in list(runs):
            if name == SLOW and not 1 <= turn <= args.proximity_repeats:
                continue
            say(f"round {turn}: {name}")
            clear(folder)
            try:
                result = run(lines[name])
                if turn:
                    runs[name].append(result)
                elif name.startswith("gdal_predt"):
                    check(source, folder, args)
            except (Failure, OSError) as failure:
                say(f"FAILED: {failure}")
                del runs[name]
    clear(folder)
    return {name: results for name, results in runs.items() if results}


def print_rounds(pattern, lines, runs, table, args, sink):
    median = {
        name: [statistics.median(column) for column in zip(*results, strict=True)]
        for name, results in runs.items()
    }
    for name in lines:
        if name not in runs:
            table.row(pattern, name, "failed", "", "", "", "")
            continue
        wall, cpu, peak = median[name]
        walls = [result[0] for result in runs[name]]
        ratio = f"{wall / median[FLOOR][0]:.2f}" if FLOOR in median else ""
        table.row(
            pattern,
            name,
            f"{wall:.2f} ±{spread(walls):.0f}%",
            ratio,
            f"{cpu:.2f}",
            f"{peak / 1e6:.0f} MB",
            len(walls),
        )
        sink.add(
            walls,
            args.command_side,
            table="command",
            pattern=pattern,
            method=name,
            cpu_seconds=cpu,
            peak_bytes=peak,
        )


def compare(args, sink):
    """False if a command failed or a result was wrong."""
    source, folder = os.path.join(args.scratch, "mask.tif"), os.path.join(args.scratch, "out")
    os.makedirs(folder, exist_ok=True)
    lines, right = command_lines(source, folder, args), True
    table = Table(
        f"Whole commands, {args.command_side} x {args.command_side} byte raster, "
        + " ".join(args.co or ["TILED=YES"]),
        ["pattern", "command", "wall s", "times the floor", "CPU s", "peak memory", "runs"],
        left=2,
    )
    for pattern in args.command_patterns:
        run(script("patterns.py", pattern, args.command_side, source))
        runs = rounds(lines, source, folder, args)
        print_rounds(pattern, lines, runs, table, args, sink)
        right &= len(runs) == len(lines)
    os.remove(source)
    return right


def large(args, sink):
    """gdal_predt within a memory limit on a raster that is far larger."""
    source, folder = os.path.join(args.scratch, "large.tif"), os.path.join(args.scratch, "large")
    side, pattern = args.memory_side, args.memory_pattern
    os.makedirs(folder, exist_ok=True)
    say(f"{side}, {pattern}: making the raster")
    run(
        script(
            "patterns.py",
            pattern,
            side,
            source,
            "COMPRESS=DEFLATE",
            "BIGTIFF=YES",
            "NUM_THREADS=ALL_CPUS",
        )
    )
    table = Table(
        f"gdal_predt -memory {args.memory_limit}, {side} x {side} tiled DEFLATE raster ({pattern})",
        ["outputs", "wall s", "CPU s", "peak memory"],
    )
    lines, right = command_lines(source, folder, args), True
    for name in ("gdal_predt", "gdal_predt -allocation"):
        line = lines[name][:1] + ["-memory", args.memory_limit] + lines[name][1:]
        say(" ".join(line))
        try:
            wall, cpu, peak = run(line)
            check(source, folder, args)
            table.row(name, f"{wall:.1f}", f"{cpu:.1f}", f"{peak / 1e6:.0f} MB")
            sink.add(
                [wall],
                side,
                table="memory-limit",
                pattern=pattern,
                method=name,
                cpu_seconds=cpu,
                peak_bytes=peak,
            )
        except (Failure, OSError) as failure:
            say(f"FAILED: {failure}")
            table.row(name, "failed", "", "")
            right = False
        clear(folder)
    return right
