#!/usr/bin/python3
"""What the GDAL driver costs: GDAL's start-up with and without the plug-in, a raster shown through
it, a whole one copied.

    driver.py [--plugins FOLDER] [--side 30000] [--pattern coast] [--scratch FOLDER]

Prints one Markdown table. Needs GDAL's Python bindings and numpy."""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

import patterns
from report import built

VIEW = 512
ZOOMS = (1, 2, 4, 8, 16)  # of the whole raster's side: what later views show


def seconds(command, env=None, repeats=1):
    best = []
    for _ in range(repeats):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=env)
        best.append(time.perf_counter() - start)
    return statistics.median(best)


def startup(plugins, scratch, pairs):
    """Milliseconds that gdalinfo --version takes longer with the plug-in: median of differences,
    runs taken in turn."""
    empty = os.path.join(scratch, "no-plugins")
    os.makedirs(empty, exist_ok=True)
    differences = []
    for _ in range(pairs):
        times = [
            seconds(["gdalinfo", "--version"], {**os.environ, "GDAL_DRIVER_PATH": path})
            for path in (empty, plugins)
        ]
        differences.append((times[1] - times[0]) * 1000)
    return statistics.median(differences), min(differences), max(differences)


def make_source(path, pattern, side):
    patterns.write_tiff(path, patterns.make(pattern, side), ["COMPRESS=DEFLATE"])


# Runs in a process of its own, so that neither the index nor blocks are cached: the first view,
# then others, each elsewhere.
VIEWS = """
import sys, time
from osgeo import gdal
gdal.UseExceptions()
name, view, zooms = sys.argv[1], int(sys.argv[2]), [int(z) for z in sys.argv[3].split(",")]
start = time.perf_counter()
opened = gdal.Open(name)
band = opened.GetRasterBand(1)
print(time.perf_counter() - start)
for zoom in [1] + zooms:
    side = opened.RasterXSize // zoom
    at = (opened.RasterXSize - side) // 3
    start = time.perf_counter()
    band.ReadAsArray(at, at, side, side, view, view)
    print(time.perf_counter() - start)
"""


def views(source, env):
    out = subprocess.run(
        [
            sys.executable,
            "-c",
            VIEWS,
            f"PREDT:distance:{source}",
            str(VIEW),
            ",".join(map(str, ZOOMS)),
        ],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env=env,
    ).stdout
    times = [float(line) for line in out.split()]
    return times[0], times[1], times[2:]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--plugins",
        default=os.path.dirname(
            built(os.path.join("gdal_driver", "gdal_PREDT.so"), "gdal_PREDT.so")
        ),
        type=os.path.abspath,
        help="the folder of gdal_PREDT.so",
    )
    parser.add_argument("--side", type=int, default=30000)
    parser.add_argument("--translate-side", type=int, default=8192)
    parser.add_argument("--pattern", default="coast")
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--scratch")
    args = parser.parse_args()
    env = {**os.environ, "GDAL_DRIVER_PATH": args.plugins}
    rows = []
    with tempfile.TemporaryDirectory(dir=args.scratch) as scratch:
        alone = os.path.join(scratch, "plugin")
        os.makedirs(alone)
        os.symlink(
            os.path.join(args.plugins, "gdal_PREDT.so"), os.path.join(alone, "gdal_PREDT.so")
        )
        rows.append(
            (
                "gdalinfo --version, longer by (ms; min, max)",
                "%.2f (%.2f, %.2f)" % startup(alone, scratch, args.pairs),
            )
        )
        source, small, out = (
            os.path.join(scratch, name) for name in ("large.tif", "small.tif", "out.tif")
        )
        make_source(source, args.pattern, args.side)
        read = seconds(["gdalinfo", "-checksum", source], env, 3)
        opened, first, later = views(source, env)
        rows += [
            (f"{args.side} a side: gdalinfo -checksum (s)", f"{read:.2f}"),
            ("opening (s)", f"{opened:.4f}"),
            (
                f"first view of {VIEW} x {VIEW} (s; times the checksum)",
                f"{first:.2f} ({first / read:.2f})",
            ),
        ]
        rows += [
            (f"next view, {zoom} times as near (s)", f"{t:.3f}")
            for zoom, t in zip(ZOOMS, later, strict=True)
        ]
        make_source(small, args.pattern, args.translate_side)
        copy = seconds(
            ["gdal_translate", "-q", "-co", "TILED=YES", f"PREDT:distance:{small}", out], env, 3
        )
        floor = seconds(
            ["gdal_translate", "-q", "-co", "TILED=YES", "-ot", "Float32", small, out], env, 3
        )
        rows += [
            (f"{args.translate_side} a side: gdal_translate PREDT:distance: (s)", f"{copy:.2f}"),
            ("gdal_translate -ot Float32 of the source (s)", f"{floor:.2f}"),
        ]
    print(f"| {args.pattern} | |\n|---|---:|")
    for name, value in rows:
        print(f"| {name} | {value} |")


if __name__ == "__main__":
    main()
