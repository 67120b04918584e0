"""Measures the tables and figures of the two papers again, on this machine.

    python3 bench/papers          # everything, into docs/reproduction/ and docs/reproduction.md
    python3 bench/papers --draw   # figures and tables again, from the CSV files that are there
    python3 bench/papers --quick --out /tmp/try
                                  # does it all work? half a minute; /tmp/try/ and /tmp/try.md

Needs a Release build with PREDT_BENCH=ON and nothing else: no GDAL, no package. Without a GPU the
columns of the CPU are filled and the others stay visibly empty."""

import argparse
import glob
import os
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.join(ROOT, "bench")]
sys.dont_write_bytecode = True

import experiments  # noqa: E402
import figures  # noqa: E402
import report  # noqa: E402
import results  # noqa: E402
import runs  # noqa: E402
import tables  # noqa: E402


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--out",
        default=os.path.join(ROOT, "docs", "reproduction"),
        help="folder of CSV files and figures; the text goes to the file of this name with .md",
    )
    parser.add_argument(
        "--programs", help="folder of predt_engine_bench (default: the newest build*/bench)"
    )
    parser.add_argument(
        "--threads", type=int, default=0, help="threads of engine cpu (default: one a CPU)"
    )
    parser.add_argument("--only", nargs="+", choices=experiments.ALL, default=list(experiments.ALL))
    parser.add_argument("--quick", action="store_true", help="small rasters only; not for docs/")
    parser.add_argument("--draw", action="store_true", help="measure nothing")
    chosen = parser.parse_args()
    if chosen.quick and os.path.abspath(chosen.out).startswith(os.path.join(ROOT, "docs")):
        parser.error("--quick is for trying: name another folder with --out")
    return chosen


def programs(chosen):
    found = (
        [chosen.programs]
        if chosen.programs
        else sorted(
            map(
                os.path.dirname,
                glob.glob(os.path.join(ROOT, "build*", "bench", "predt_engine_bench")),
            ),
            key=os.path.getmtime,
        )
    )
    if not found or not os.path.exists(os.path.join(found[-1], "predt_engine_bench")):
        raise SystemExit(
            "predt_engine_bench is not built: configure with -DPREDT_BENCH=ON, or name its folder "
            "with --programs"
        )
    return runs.Programs(found[-1], chosen.threads)


def gpu():
    """The first device as nvidia-smi names it."""
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        done = subprocess.run(query, capture_output=True, text=True)
    except FileNotFoundError:
        return "no NVIDIA GPU"
    lines = done.stdout.strip().splitlines()
    return (
        lines[0].replace(", ", ", driver ") if done.returncode == 0 and lines else "no NVIDIA GPU"
    )


def busy(load):
    return (
        ": **the machine was busy with other work, and times are too long**"
        if load > 0.1 * os.cpu_count()
        else ""
    )


def measure_all(chosen):
    os.makedirs(chosen.out, exist_ok=True)
    run, start, load = programs(chosen), time.perf_counter(), os.getloadavg()[0]
    for name in chosen.only:
        runs.write(
            os.path.join(chosen.out, name + ".csv"), experiments.ALL[name](run, chosen.quick)
        )
    with open(os.path.join(chosen.out, "machine.txt"), "w") as file:
        threads = f"{chosen.threads} threads" if chosen.threads else "a thread for each CPU"
        file.write(
            f"{report.machine()}; {gpu()}. Engine cpu on {threads}. {time.strftime('%Y-%m-%d')}; "
            "load average before "
            f"the run {load:.1f}{busy(load)}\n"
        )
    runs.say(f"measured in {time.perf_counter() - start:.0f} s")


def main():
    chosen = options()
    text, page = os.path.abspath(chosen.out) + ".md", os.path.join(ROOT, "docs", "reproduction.md")
    if text != page:
        os.makedirs(os.path.dirname(text), exist_ok=True)
        shutil.copy(page, text)
    if not chosen.draw:
        measure_all(chosen)
    found = results.Results(chosen.out)
    figures.draw(found, chosen.out)
    tables.write(found, text)


main()
