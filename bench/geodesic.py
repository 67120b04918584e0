#!/usr/bin/python3
"""Times predt on longitude/latitude rasters, on one thread and on all, and checks sampled pixels against PROJ; beside it a 3-D
k-d tree, and xarray-spatial, GRASS and GMT where they are installed. Markdown on stdout, progress on stderr. See README.md."""

import argparse
import ctypes
import ctypes.util
import os
import shutil
import statistics
import subprocess
import tempfile
import time

import numpy as np

import libpredt
from report import Failure, Table, built, exit_with, machine, say

PATTERNS = ["1", "100", "10000", "0.1%", "1%", "10%", "coast", "land", "fractal", "roads", "disc"]
STRIP = 512  # columns of a window: what the command asks for, too
A, F = 6378137.0, 1 / 298.257223563


# ---- Patterns: bytes, 1 for a target ----

def waves(height, octaves, seed):
    """True for land: the sum of waves on the unit sphere, of wavelengths that halve, exceeds a third."""
    random = np.random.default_rng(seed)
    directions = random.normal(size=(octaves, 3))
    phases = random.uniform(0, 2 * np.pi, octaves)
    longitude = (np.arange(2 * height) + 0.5) * np.pi / height
    land = np.empty((height, 2 * height), bool)
    for row in range(height):
        latitude = np.pi / 2 - (row + 0.5) * np.pi / height
        x, y, z = np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude), np.sin(latitude)
        total = np.zeros(2 * height)
        for i in range(octaves):
            f = 1.6 ** i
            total += np.sin(2 * f * (directions[i, 0] * x + directions[i, 1] * y + directions[i, 2] * z) + phases[i]) / f
        land[row] = total > 0.3
    return land


def shore(land):
    """Land pixels beside the sea."""
    sea = np.zeros_like(land)
    sea[1:] |= ~land[:-1]
    sea[:-1] |= ~land[1:]
    return land & (sea | ~np.roll(land, 1, 1) | ~np.roll(land, -1, 1))


def roads(height):
    """200 pieces of great circles, short ones mostly."""
    random = np.random.default_rng(7)
    raster = np.zeros((height, 2 * height), np.uint8)
    for _ in range(200):
        start, end = random.normal(size=3), random.normal(size=3)
        start /= np.linalg.norm(start)
        end -= end @ start * start
        end /= np.linalg.norm(end)
        s = np.arange(0, 10 ** random.uniform(-3.5, 0.2), np.pi / height / 2)[:, None]
        x, y, z = (np.cos(s) * start + np.sin(s) * end).T
        rows = np.clip(((np.pi / 2 - np.arcsin(z)) / np.pi * height).astype(int), 0, height - 1)
        raster[rows, (np.arctan2(y, x) / np.pi * height).astype(int) % (2 * height)] = 1
    return raster


def disc(height):
    """All within 1700 km of one point."""
    latitude = np.radians(90 - (np.arange(height) + 0.5) * 180 / height)[:, None]
    longitude = np.radians((np.arange(2 * height) + 0.5) * 180 / height - 172)
    return np.sin(latitude) * np.sin(0.5) + np.cos(latitude) * np.cos(0.5) * np.cos(longitude) > np.cos(np.radians(15.3))


def pattern(name, height):
    random = np.random.default_rng(42)
    if name in ("coast", "land"):
        land = waves(height, 9, 5)
        return (shore(land) if name == "coast" else land).astype(np.uint8)
    if name == "fractal":
        return shore(waves(height, 17, 5)).astype(np.uint8)
    if name in ("roads", "disc"):
        return (roads if name == "roads" else disc)(height).astype(np.uint8)
    if name.endswith("%"):
        return (random.random((height, 2 * height), np.float32) < float(name[:-1]) / 100).astype(np.uint8)
    raster = np.zeros(2 * height * height, np.uint8)
    raster[random.integers(0, raster.size, int(name))] = 1
    return raster.reshape(height, 2 * height)


# ---- predt ----

def index_of(raster, threads, args):
    """Of a whole world."""
    step = 180 / len(raster)
    return libpredt.GlobeIndex(args.library, threads, raster, 90 - step / 2, -step, step)


def solve(index, outputs, height):
    """Seconds by the clock and of all threads."""
    wall, cpu = time.perf_counter(), time.process_time()
    for col in range(0, 2 * height, STRIP):
        index.query(col, 0, min(STRIP, 2 * height - col), height, outputs, col, 2 * height)
    return time.perf_counter() - wall, time.process_time() - cpu


def timed(index, outputs, height, repeats):
    """Median ns a pixel, by the clock and of all threads, after a warm-up."""
    solve(index, outputs, height)
    times = [solve(index, outputs, height) for _ in range(repeats)]
    return [statistics.median(t[i] for t in times) / (2 * height * height) * 1e9 for i in (0, 1)]


# ---- What is right ----

class Proj:
    """geod_inverse, through ctypes."""

    def __init__(self):
        name = ctypes.util.find_library("proj")
        if not name:
            raise Failure("libproj is not installed")
        self.lib = ctypes.CDLL(name)
        self.geodesic = ctypes.create_string_buffer(4096)
        self.lib.geod_init.argtypes = [ctypes.c_void_p, ctypes.c_double, ctypes.c_double]
        self.lib.geod_inverse.argtypes = [ctypes.c_void_p] + [ctypes.c_double] * 4 + [ctypes.c_void_p] * 3
        self.lib.geod_init(self.geodesic, A, F)
        self.length = ctypes.c_double()

    def __call__(self, lat, lon, lat2, lon2):
        self.lib.geod_inverse(self.geodesic, lat, lon, lat2, lon2, ctypes.byref(self.length), None, None)
        return self.length.value


def latitude(height, row):
    return 90 - (row + 0.5) * 180 / height


def centres(height, rows, cols):
    return latitude(height, rows), (cols + 0.5) * 180 / height


def on_ellipsoid(lat, lon):
    lat, lon = np.radians(lat), np.radians(lon)
    n = A / np.sqrt(1 - F * (2 - F) * np.sin(lat) ** 2)
    return np.stack([n * np.cos(lat) * np.cos(lon), n * np.cos(lat) * np.sin(lon), n * (1 - F) ** 2 * np.sin(lat)], -1)


def truth(raster, rows, cols, proj):
    """Distances from pixels to their nearest targets: of each row the one that is nearest along the parallel, in the order of
    how far the rows are, until they alone are too far."""
    height, width = raster.shape
    listed = {row: np.flatnonzero(raster[row]) for row in np.flatnonzero(raster.any(1))}
    all_rows = np.array(sorted(listed))
    least = A * (1 - F) ** 2 * np.pi / height * 0.99  # of a step from row to row
    for row, col in zip(rows.tolist(), cols.tolist()):
        best = np.inf
        for other in all_rows[np.argsort(abs(all_rows - row), kind="stable")].tolist():
            if abs(other - row) * least > best:
                break
            apart = abs(listed[other] - col)
            k = int(np.minimum(apart, width - apart).min())
            best = min(best, proj(latitude(height, row), 0, latitude(height, other), k * 360 / width))
        yield best


def wrong_pixels(raster, distance, checks, proj):
    random = np.random.default_rng(3)
    rows, cols = random.integers(0, raster.shape[0], checks), random.integers(0, raster.shape[1], checks)
    right = np.fromiter(truth(raster, rows, cols, proj), np.float64, checks).astype(np.float32)
    return int((right != distance[rows, cols]).sum())


# ---- Others ----

def by_tree(raster, proj):
    """The nearest target by the straight line through the ellipsoid, then its geodesic; what PROJ costs is left out."""
    from scipy.spatial import cKDTree

    height = len(raster)
    rows, cols = np.nonzero(raster)
    start = time.perf_counter()
    tree = cKDTree(on_ellipsoid(*centres(height, rows, cols)))
    grid = np.indices(raster.shape)
    here = centres(height, grid[0].ravel(), grid[1].ravel())
    nearest = tree.query(on_ellipsoid(*here))[1]
    seconds = time.perf_counter() - start
    there = centres(height, rows[nearest], cols[nearest])
    found = [proj(*ends) for ends in zip(here[0].tolist(), here[1].tolist(), there[0].tolist(), there[1].tolist())]
    return seconds, np.array(found).reshape(raster.shape)


def by_xarray_spatial(raster, _):
    import xarray
    from xrspatial import proximity

    height = len(raster)
    lat, lon = centres(height, np.arange(height), np.arange(2 * height))
    array = xarray.DataArray(raster.astype(float), coords={"y": lat, "x": lon - 180}, dims=("y", "x"))
    start = time.perf_counter()
    found = proximity(array, distance_metric="GREAT_CIRCLE").values
    return time.perf_counter() - start, found


def by_grass(raster, _):
    if not shutil.which("grass"):
        raise ImportError
    from osgeo import gdal

    with tempfile.TemporaryDirectory() as folder:
        source, result = os.path.join(folder, "in.tif"), os.path.join(folder, "out.tif")
        height = len(raster)
        file = gdal.GetDriverByName("GTiff").Create(source, 2 * height, height, 1)
        file.SetGeoTransform((-180, 180 / height, 0, 90, 0, -180 / height))
        file.SetProjection("EPSG:4326")
        file.GetRasterBand(1).WriteArray(raster)
        file.GetRasterBand(1).SetNoDataValue(0)
        del file
        script = ("r.in.gdal input=%s output=t --q && g.region raster=t && date +%%s.%%N && "
                  "r.grow.distance input=t distance=d metric=geodesic --q && date +%%s.%%N && "
                  "r.out.gdal input=d output=%s --q") % (source, result)
        done = subprocess.run(["grass", "--tmp-location", "EPSG:4326", "--exec", "sh", "-c", script],
                              capture_output=True, text=True, check=True)
        times = [float(line) for line in done.stdout.split() if line.replace(".", "").isdigit()]
        return times[1] - times[0], gdal.Open(result).ReadAsArray()


def by_gmt(raster, _):
    if not shutil.which("gmt"):
        raise ImportError
    from osgeo import gdal

    height = len(raster)
    rows, cols = np.nonzero(raster)
    lat, lon = centres(height, rows, cols)
    with tempfile.TemporaryDirectory() as folder:
        result = os.path.join(folder, "out.nc")
        points = "".join("%.10f %.10f\n" % (x - 180, y) for x, y in zip(lon, lat))
        start = time.perf_counter()
        subprocess.run(["gmt", "sphdistance", "-Rd", "-I%.12g" % (180 / height), "-r", "-G" + result, "-Qn", "-Lk"],
                       input=points, text=True, capture_output=True, check=True)
        return time.perf_counter() - start, gdal.Open(result).ReadAsArray() * 1000


OTHERS = {"k-d tree": by_tree, "xarray-spatial": by_xarray_spatial, "GRASS": by_grass, "GMT": by_gmt}


# ---- Tables ----

def row_of(name, height, args, proj):
    say(f"{2 * height} x {height}, {name}")
    raster = pattern(name, height)
    distance = np.ones(raster.shape, np.float32)
    cells = []
    for threads in args.threads:
        index = index_of(raster, threads, args)
        wall, cpu = timed(index, {"distance": distance}, height, args.repeats)
        cells += [f"{cpu:.1f}", f"{wall:.1f}"]
        if threads == args.threads[0]:
            wrong = wrong_pixels(raster, distance, args.checks, proj)
            nearest = {"nearest_col": np.ones(raster.shape, np.int32), "nearest_row": np.ones(raster.shape, np.int32)}
            cells.append("%.1f" % timed(index, {"distance": distance, **nearest}, height, args.repeats)[1])
        index.close()
    return cells + [f"{wrong}/{args.checks}"], wrong == 0


def compare_others(args, proj):
    height = args.others_height
    table = Table(f"Others at {2 * height} x {height}: ns a pixel; largest error, km; pixels off by more than 1 %",
                  ["pattern", "method", "ns", "largest error", "off by > 1 %"], left=2)
    for name in args.others_patterns:
        raster = pattern(name, height)
        right = np.ones(raster.shape, np.float32)
        index = index_of(raster, 1, args)
        ns = timed(index, {"distance": right}, height, args.repeats)[1]
        index.close()
        table.row(name, "predt", f"{ns:.1f}", 0, "0 %")
        for method, run in OTHERS.items():
            try:
                seconds, found = run(raster, proj)
            except ImportError:
                say(f"{method} is not installed")
                continue
            error = abs(found - right)
            off = (error > 0.01 * right + 1).mean()
            table.row(name, method, f"{seconds / raster.size * 1e9:.0f}", f"{error.max() / 1000:.3g}", f"{100 * off:.2g} %")


def names(text):
    return text.split(",")


def numbers(text):
    return [int(number) for number in text.split(",")]


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--heights", type=numbers, default=[3600, 10800], help="rows of a world twice as wide")
    parser.add_argument("--patterns", type=names, default=PATTERNS)
    parser.add_argument("--threads", type=numbers, default=[1, len(os.sched_getaffinity(0))])
    parser.add_argument("--repeats", type=int, default=3, help="after one warm-up")
    parser.add_argument("--checks", type=int, default=1000, help="pixels compared with PROJ")
    parser.add_argument("--others-height", type=int, default=360, help="0: without the others")
    parser.add_argument("--others-patterns", type=names, default=["100", "1%", "coast"])
    parser.add_argument("--library", default=built("libpredt.so", "libpredt.so.0"))
    parser.add_argument("--quick", action="store_true", help="does it all work?")
    if parser.parse_args().quick:
        parser.set_defaults(heights=[90], repeats=1, checks=100, others_height=45)
    return parser.parse_args()


def main():
    args, proj, right = options(), Proj(), True
    print(f"Machine: {machine()}.")
    for height in args.heights:
        columns = ["pattern"]
        for i, threads in enumerate(args.threads):
            columns += [f"{threads} thr., CPU", "wall"] + (["CPU with nearest"] if i == 0 else [])
        table = Table(f"{2 * height} x {height}: ns a pixel, distances in metres", columns + ["wrong"])
        for name in args.patterns:
            cells, fine = row_of(name, height, args, proj)
            table.row(name, *cells)
            right &= fine
    if args.others_height:
        compare_others(args, proj)
    return 0 if right else 1


if __name__ == "__main__":
    exit_with(main)
