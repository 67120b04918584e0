#!/usr/bin/python3
"""One measurement in a process of its own: check a method's result on random pixels, then time it.
Prints JSON.

Called by cpu.py. Everything that the method reads or writes is allocated and touched before the
clock starts and before the peak of resident memory is reset, so `extra_bytes` is what the method
takes on top of its arrays."""

import argparse
import ctypes
import json
import resource
import sys
import time

import numpy as np

from oracle import Oracle


def resident(field):
    """VmRSS or VmHWM (the peak) of this process in bytes. ru_maxrss would do, had it not the
    parent's peak in it."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(field + ":"))


def reset_peak():
    """Also gives freed heap back, or the method would seem to take nothing when it takes that
    again."""
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/clear_refs", "w") as clear:
        clear.write("5")


def touched(shape, dtype):
    array = np.empty(shape, dtype)
    array.fill(1)
    return array


def make_labels(is_target):
    """int32, 1 + the target's running number modulo 1000; what stands at other pixels is never
    read."""
    labels, before = touched(is_target.shape, np.int32), 0
    for row in range(len(labels)):
        running = before + np.cumsum(is_target[row], dtype=np.int64) - 1
        labels[row] = 1 + running % 1000
        before = int(running[-1]) + 1
    return labels


class Predt:
    exact = True

    def __init__(self, is_target, args):
        from libpredt import Context

        self.context = Context(args.library, args.engine, args.threads)
        self.is_target = is_target
        self.labels = make_labels(is_target) if args.allocation else None
        self.label = touched(is_target.shape, np.int32) if args.allocation else None
        self.distance = touched(is_target.shape, np.float32)

    def run(self):
        self.context.transform(self.is_target, self.labels, self.distance, self.label)

    def is_right(self, row, col, d2, near_col, near_row):
        right = self.distance[row, col] == np.float32(np.sqrt(np.float64(d2)))
        return right and (
            self.label is None or self.label[row, col] == self.labels[near_row, near_col]
        )


class Gdal:
    exact = False

    def __init__(self, is_target, args):
        from osgeo import gdal

        gdal.UseExceptions()
        height, width = is_target.shape
        memory = gdal.GetDriverByName("MEM")
        self.source = memory.Create("", width, height, 1, gdal.GDT_Byte)
        self.result = memory.Create("", width, height, 1, gdal.GDT_Float32)
        self.source.WriteRaster(0, 0, width, height, is_target)
        self.result.GetRasterBand(1).Fill(1)
        self.compute = gdal.ComputeProximity

    def run(self):
        self.compute(self.source.GetRasterBand(1), self.result.GetRasterBand(1))

    def is_right(self, row, col, d2, *_):
        value = self.result.GetRasterBand(1).ReadAsArray(col, row, 1, 1)[0, 0]
        return value == np.float32(np.sqrt(np.float64(d2)))


class Scipy:
    exact = True

    def __init__(self, is_target, args):
        from scipy.ndimage import distance_transform_edt

        self.transform, self.background = distance_transform_edt, is_target == 0
        self.distance = touched(is_target.shape, np.float64)
        self.nearest = touched((2, *is_target.shape), np.int32) if args.allocation else None

    def run(self):
        self.transform(
            self.background,
            return_indices=self.nearest is not None,
            distances=self.distance,
            indices=self.nearest,
        )

    def is_right(self, row, col, d2, *_):
        right = self.distance[row, col] == np.sqrt(np.float64(d2))
        if self.nearest is not None:  # scipy promises a nearest one, and no rule for ties
            near_row, near_col = self.nearest[:, row, col].tolist()
            right = (
                right
                and not self.background[near_row, near_col]
                and (near_row - row) ** 2 + (near_col - col) ** 2 == d2
            )
        return right


METHODS = {"predt": Predt, "gdal": Gdal, "scipy": Scipy}


def timed(method):
    start = time.perf_counter()
    method.run()
    return time.perf_counter() - start


def measure(method, is_target, args):
    reset_peak()
    before = resident("VmRSS")
    first = timed(method)
    extra = max(resident("VmHWM") - before, 0)
    sample = Oracle(is_target).sample(args.checks, seed=1)
    wrong = [pixel for pixel in sample if not method.is_right(*pixel)]
    if wrong and method.exact:
        sys.exit(
            f"{args.method}: wrong at (row, col, squared distance, column and row of the nearest) "
            f"{wrong[0]}"
        )
    seconds = [timed(method) for _ in range(args.repeats)] or [first]
    return {
        "seconds": seconds,
        "extra_bytes": extra,
        "array_bytes": before,
        "wrong": len(wrong),
        "checked": len(sample),
        "ru_maxrss": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("method", choices=METHODS)
    parser.add_argument("pattern", help="an .npy file of patterns.py")
    parser.add_argument(
        "--allocation", action="store_true", help="labels (predt) or indices (scipy) as well"
    )
    parser.add_argument("--library", default="libpredt.so.0")
    parser.add_argument("--engine", default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument(
        "--repeats",
        type=int,
        default=5,
        help="after one warm-up; 0: the first run is the one that counts",
    )
    parser.add_argument("--checks", type=int, default=64)
    args = parser.parse_args()
    is_target = np.load(args.pattern)
    print(json.dumps(measure(METHODS[args.method](is_target, args), is_target, args)))


if __name__ == "__main__":
    main()
