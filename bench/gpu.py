#!/usr/bin/python3
"""One table for the CUDA engines: times on the device beside PR-EDT and NPP (predt_gpu_bench), then
whole commands on a GeoTIFF beside engine cpu, an engine that only writes zeros, and gdal_translate.
--auto: where the engines cross. Markdown on stdout, progress on stderr. Needs python3 and GDAL's
commands, not its Python bindings. See README.md."""

import argparse
import hashlib
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time

import crossing
from report import Failure, Table, built, exit_with, machine, run, say, spread

COLUMNS = [
    "pattern",
    "size",
    "what",
    "ms",
    "spread",
    "ns/pixel",
    "times the floor",
    "times zeros",
    "peak MiB",
]
FLOOR = "gdal_translate"
OUTPUTS = {
    "distance": [],
    "distance, allocation": ["-allocation", "allocation.tif"],
    "distance as UInt16": ["-ot", "UInt16"],
}


def need(path, name):
    if not path or not shutil.which(path):
        raise Failure(
            f"{name} was not found: build with PREDT_BENCH=ON, or name it with "
            f"--{name.replace('_', '-')}"
        )
    return path


def draw(pattern, side, args):
    """A tiled byte GeoTIFF in the scratch folder."""
    raw, source = os.path.join(args.scratch, "raw"), os.path.join(args.scratch, "mask.tif")
    say(f"{pattern}, {side}: making the raster")
    run([need(args.predt_draw, "predt_draw"), pattern, str(side), raw])
    run([FLOOR, "-q", "-co", "TILED=YES", "-co", "BIGTIFF=IF_SAFER", raw, source])
    os.remove(raw)
    return source


def engines(args):
    """{engine: why it cannot run, or None}, as gdal_predt lists them."""
    lines = subprocess.run(
        [need(args.gdal_predt, "gdal_predt"), "-engines"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    listed = [line.split(maxsplit=3) for line in lines.splitlines()[1:]]
    return {name: None if available == "yes" else what for name, _, available, what in listed}


def predt(args, engine, source, *more):
    """(wall seconds, what -json says) of one run; outputs lie in the scratch folder's out/."""
    line = [
        args.gdal_predt,
        "-q",
        "-json",
        "-overwrite",
        "-engine",
        engine,
        "-co",
        "TILED=YES",
        *map(str, more),
        source,
        "out.tif",
    ]
    start = time.perf_counter()
    done = subprocess.run(
        line, capture_output=True, text=True, cwd=os.path.join(args.scratch, "out")
    )
    wall = time.perf_counter() - start
    if done.returncode:
        raise Failure(f"{' '.join(line)}: {done.stderr.strip()}")
    return wall, json.loads(done.stdout)


# ---- On the device ----


def device_rows(args, table):
    """predt_gpu_bench's rows, in the common columns; its first line names the device and the rate
    at which it copies."""
    line = [
        need(args.predt_gpu_bench, "predt_gpu_bench"),
        *args.device_options.split(),
        *args.patterns,
    ]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as child:
        for text in child.stdout:
            cells = [cell.strip() for cell in text.strip().strip("|").split("|")]
            if len(cells) == 8 and cells[0] != "pattern" and not set(cells[0]) <= {"-"}:
                table.row(*cells[:7], "", cells[7])
            elif text.strip() and not text.startswith("|"):
                say(text.strip())
    if child.returncode:
        raise Failure("predt_gpu_bench failed")


# ---- Whole commands ----


def command_lines(source, options, args):
    here = [name for name, why in engines(args).items() if why is None and name in args.engines]
    lines = {
        f"gdal_predt -engine {name}": [
            args.gdal_predt,
            "-q",
            "-overwrite",
            "-engine",
            name,
            "-co",
            "TILED=YES",
            *options,
            source,
            "out.tif",
        ]
        for name in here
    }
    kind = options[options.index("-ot") + 1] if "-ot" in options else "Float32"
    return {FLOOR: [FLOOR, "-q", "-ot", kind, "-co", "TILED=YES", source, "out.tif"], **lines}


def digest(folder):
    """Of all files in it."""
    total = hashlib.sha256()
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            while block := file.read(1 << 24):
                total.update(block)
    return total.hexdigest()


def clear(folder):
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))


def rounds(lines, args):
    """{name: [(wall, cpu, peak), ...]}: the commands take turns. Round 0 warms up and compares what
    the engines wrote."""
    folder, runs, wrote = os.path.join(args.scratch, "out"), {name: [] for name in lines}, {}
    os.chdir(folder)
    for turn in range(args.repeats + 1):
        for name, line in lines.items():
            say(f"round {turn}: {name}")
            clear(folder)
            result = run(line)
            if turn:
                runs[name].append(result)
            elif name != FLOOR and not name.endswith(" zeros"):
                wrote[name] = digest(folder)
    clear(folder)
    if len(set(wrote.values())) > 1:
        raise Failure(f"the engines' files differ: {wrote}")
    return runs


def command_rows(pattern, side, args, table):
    source = draw(pattern, side, args)
    for outputs, options in OUTPUTS.items():
        runs = rounds(command_lines(source, options, args), args)
        median = {
            name: statistics.median(wall for wall, *_ in results) for name, results in runs.items()
        }
        zeros = median.get("gdal_predt -engine zeros")
        for name, results in runs.items():
            peak = max(peak for *_, peak in results) / 2**20
            table.row(
                pattern,
                f"{side} x {side}",
                f"{name}: {outputs}",
                f"{1e3 * median[name]:.0f}",
                f"{spread([wall for wall, *_ in results]):.0f} %",
                f"{1e9 * median[name] / side**2:.2f}",
                f"{median[name] / median[FLOOR]:.2f}",
                f"{median[name] / zeros:.2f}" if zeros else "",
                f"{peak:.0f}",
            )
    os.remove(source)


# ---- All ----


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    what = parser.add_argument_group("what to run (without any of these: --device and --commands)")
    what.add_argument("--device", action="store_true", help="times on the device")
    what.add_argument("--commands", action="store_true", help="whole commands")
    what.add_argument(
        "--auto",
        action="store_true",
        help="both engines' commands over sizes and threads: the rule of -engine auto",
    )
    for name in ("predt_gpu_bench", "predt_draw", "gdal_predt"):
        parser.add_argument(
            "--" + name.replace("_", "-"), default=built(name, name), metavar="PATH"
        )
    parser.add_argument(
        "--device-options", default="", help="options of predt_gpu_bench, as one word"
    )
    parser.add_argument(
        "--patterns", type=lambda text: text.split(","), default=[], help="on the device; none: all"
    )
    parser.add_argument(
        "--sides",
        type=lambda text: [int(n) for n in text.split(",")],
        default=[8192, 32768],
        help="of commands",
    )
    parser.add_argument(
        "--command-patterns", type=lambda text: text.split(","), default=["random-0.1%"]
    )
    parser.add_argument(
        "--engines", type=lambda text: text.split(","), default=["cuda", "cpu", "zeros"]
    )
    parser.add_argument("--repeats", type=int, default=3, help="rounds, after one warm-up round")
    parser.add_argument(
        "--scratch", default="/dev/shm" if os.path.isdir("/dev/shm") else tempfile.gettempdir()
    )
    crossing.add_options(parser)
    args = parser.parse_args()
    if not (args.device or args.commands or args.auto):
        args.device = args.commands = True
    for name in ("predt_gpu_bench", "predt_draw", "gdal_predt"):
        setattr(
            args,
            name,
            shutil.which(getattr(args, name))
            and os.path.abspath(shutil.which(getattr(args, name))),
        )
    return args


def main():
    args = options()
    print(f"Machine: {machine()}.", flush=True)
    with tempfile.TemporaryDirectory(prefix="predt-bench-", dir=args.scratch) as args.scratch:
        os.mkdir(os.path.join(args.scratch, "out"))
        if args.device or args.commands:
            table = Table(
                "On the device: byte mask and int32 labels to float32 distance and int32 label, "
                "both there; the floor is 9 bytes a pixel at the rate of a copy; peak MiB of its "
                "memory. Commands: from start to exit; the "
                "floor is gdal_translate; peak MiB resident.",
                COLUMNS,
                left=3,
            )
        if args.device:
            device_rows(args, table)
        for side in args.sides if args.commands else []:
            for pattern in args.command_patterns:
                command_rows(pattern, side, args, table)
        if args.auto:
            crossing.measure(args, engines(args), draw, predt)


if __name__ == "__main__":
    exit_with(main)
