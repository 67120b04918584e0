"""What the tables share: running a child, medians, Markdown and CSV rows, the line that names the
machine."""

import csv
import glob
import os
import platform
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = sys.executable


def script(name, *args):
    return [PYTHON, "-B", os.path.join(HERE, name), *map(str, args)]


def built(name, otherwise):
    """The newest file of that name under build*/ beside this folder."""
    found = glob.glob(os.path.join(os.path.dirname(HERE), "build*", "**", name), recursive=True)
    return max(found, key=os.path.getmtime) if found else otherwise


def say(text):
    print(text, file=sys.stderr, flush=True)


def machine():
    """The model as lscpu prints it, the CPUs this process may use, the memory."""
    listed = subprocess.run(
        ["lscpu"], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}
    ).stdout
    model = next(
        (
            line.split(":", 1)[1].strip()
            for line in listed.splitlines()
            if line.startswith("Model name")
        ),
        "?",
    )
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    cpus = len(os.sched_getaffinity(0))
    return f"{model}, {cpus} CPUs, {memory:.0f} GiB, Linux {platform.release()}"


class Failure(Exception):
    pass


def exit_with(main):
    """Ends the script with what its main returns, or with what failed in one line."""
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"{os.path.basename(sys.argv[0])}: {failure}")


def run(command):
    """(wall seconds, CPU seconds, peak resident bytes) of a command. Linux counts the caller's own
    peak into a child's, so the caller stays below what any of the commands needs: it makes no
    raster itself."""
    start = time.perf_counter()
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as child:
        errors = child.stderr.read().decode(errors="replace").strip()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    if child.returncode:
        raise Failure(
            f"{' '.join(command)}: exit {child.returncode}: "
            + (errors.splitlines()[-1] if errors else "")
        )
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def spread(values):
    """Half the range, as a share of the median, in percent."""
    return 50 * (max(values) - min(values)) / statistics.median(values)


class Table:
    """Markdown on stdout, a row as soon as it is known."""

    def __init__(self, title, columns, left=1):
        print(f"\n{title}\n\n| {' | '.join(columns)} |")
        print("|" + "---|" * left + "---:|" * (len(columns) - left), flush=True)

    def row(self, *cells):
        print(f"| {' | '.join(map(str, cells))} |", flush=True)


class Csv:
    """One line a measurement; nothing if no file is named."""

    FIELDS = [
        "table",
        "side",
        "pattern",
        "method",
        "threads",
        "ns_per_pixel",
        "seconds",
        "min",
        "max",
        "repeats",
        "cpu_seconds",
        "peak_bytes",
        "extra_bytes",
        "wrong",
        "checked",
    ]

    def __init__(self, path):
        self.file = open(path, "w", newline="") if path else None
        self.writer = csv.DictWriter(self.file, self.FIELDS) if path else None
        if path:
            self.writer.writeheader()

    def add(self, seconds, side, **fields):
        if not self.file:
            return
        median = statistics.median(seconds)
        self.writer.writerow(
            {
                "side": side,
                "ns_per_pixel": median * 1e9 / side**2,
                "seconds": median,
                "min": min(seconds),
                "max": max(seconds),
                "repeats": len(seconds),
                **fields,
            }
        )
        self.file.flush()
