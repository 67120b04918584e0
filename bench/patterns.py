#!/usr/bin/python3
"""Target patterns for the benchmarks: square rasters of n x n bytes, 1 for a target, by the same
rules as patterns.h.

Every random choice is a pure function of its number, draw(k), so that the two languages and any
order of filling give the same raster.

    patterns.py PATTERN SIDE FILE.npy     an array
    patterns.py PATTERN SIDE FILE.tif     a tiled byte GeoTIFF, EPSG:32633, 1 m pixels; creation
                                          options may follow. Targets are 1 to 250 in turn, so that
                                          an allocation can be checked
"""

import math
import sys

import numpy as np

RANDOM = [
    "random-1",
    "random-100",
    "random-10000",
    "random-0.1%",
    "random-1%",
    "random-10%",
    "random-50%",
    "random-99%",
]
STRUCTURED = ["diagonals", "circle", "coast", "roads", "polygon", "polygon-outside"]
ALL = RANDOM + STRUCTURED

SEED = 42


def draw(k):
    """The k-th numbers (k: an array) of the splitmix64 generator (Steele, Lea, Flood 2014) that
    starts from SEED."""
    z = np.uint64(SEED) + (k.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def draw_unit(k):
    return (draw(k) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def put(raster, row, col):
    n = len(raster)
    r, c = np.broadcast_arrays(np.floor(row + 0.5), np.floor(col + 0.5))
    inside = (r >= 0) & (r < n) & (c >= 0) & (c < n)
    raster[r[inside].astype(np.int64), c[inside].astype(np.int64)] = 1


def fill_count(raster, count):
    """The first `count` different pixels that draw() names."""
    pixels, named = raster.reshape(-1), count
    while True:
        drawn = draw(np.arange(named)) % np.uint64(pixels.size)
        first = np.sort(np.unique(drawn, return_index=True)[1])
        if len(first) >= count:
            pixels[drawn[first[:count]].astype(np.int64)] = 1
            return
        named += named // 2 + 1


def fill_share(raster, share):
    n = len(raster)
    for row in range(n):  # row by row: the temporaries stay small
        raster[row] = draw_unit(np.arange(row * n, (row + 1) * n)) < share


def fill_diagonals(raster):
    """Two lines through the north-west corner, of slopes 1 and 2."""
    row = np.arange(len(raster))
    raster[row, row] = raster[row, row // 2] = 1


def fill_circle(raster):
    """A closed line one pixel wide."""
    n = len(raster)
    middle, radius, t = (n - 1) / 2, 0.45 * n, np.arange(n)
    t = t[np.abs(t - middle) <= radius]
    half = np.sqrt(np.maximum(radius * radius - (t - middle) * (t - middle), 0))
    for side in -1, 1:
        put(raster, t, middle + side * half)
        put(raster, middle + side * half, t)


def fill_coast(raster):
    """A fractal line from west to east, three pixels wide: midpoint displacement, each halving
    moves the middle by 2^-0.7 of what the one before did."""
    n = len(raster)
    span, reach = 1 << max(n - 1, 0).bit_length(), n / 4
    line, step = np.full(span + 1, n / 2), span
    while step > 1:
        mid = np.arange(step // 2, span, step)
        line[mid] = (line[mid - step // 2] + line[mid + step // 2]) / 2 + reach * (
            2 * draw_unit(mid) - 1
        )
        step, reach = step // 2, reach * 0.6155722066724582
    low = np.floor(np.minimum(line[:-1], line[1:])) - 1
    high = np.floor(np.maximum(line[:-1], line[1:])) + 1
    for col in range(n):
        raster[max(int(low[col]), 0) : max(int(high[col]) + 1, 0), col] = 1


def fill_roads(raster):
    """Forty straight lines, one pixel wide, from edge to edge, each through two random points."""
    n = len(raster)
    t = np.arange(n)
    for r0, c0, r1, c1 in draw_unit(np.arange(160)).reshape(40, 4) * n:
        dr, dc = r1 - r0, c1 - c0
        if abs(dc) >= abs(dr):
            put(raster, r0 + (t - c0) * dr / dc, t)
        else:
            put(raster, t, c0 + (t - r0) * dc / dr)


CORNERS = 24


def fill_polygon(raster):
    """The inside of a star-shaped polygon (even-odd rule): each edge toggles all pixels east of
    it."""
    n = len(raster)
    angle = [2 * math.pi * k / CORNERS for k in range(CORNERS)]
    radius = n * (0.15 + 0.3 * draw_unit(np.arange(CORNERS)))
    corners = [
        (n / 2 + r * math.sin(a), n / 2 + r * math.cos(a))
        for r, a in zip(radius, angle, strict=True)
    ]
    y = np.arange(n)
    for (r0, c0), (r1, c1) in zip(corners, corners[1:] + corners[:1], strict=True):
        row = y[(r0 <= y) != (r1 <= y)]
        col = np.maximum(np.ceil(c0 + (row - r0) * (c1 - c0) / (r1 - r0)), 0).astype(np.int64)
        raster[row[col < n], col[col < n]] ^= 1
    for row in range(n):
        raster[row] = np.bitwise_xor.accumulate(raster[row])


def fill_polygon_outside(raster):
    fill_polygon(raster)
    raster ^= 1


def make(name, n):
    """The raster of a pattern: "random-100" is a number of targets, "random-0.1%" a share of the
    pixels. ValueError if there is no such pattern."""
    raster = np.zeros((n, n), np.uint8)
    kind, _, amount = name.partition("-")
    if kind == "random" and amount.endswith("%"):
        fill_share(raster, float(amount[:-1]) / 100)
    elif kind == "random" and 0 <= int(amount) <= n * n:
        fill_count(raster, int(amount))
    elif name in STRUCTURED:
        globals()["fill_" + name.replace("-", "_")](raster)
    else:
        raise ValueError(f"no such pattern: {name}")
    return raster


def write_tiff(path, raster, options):
    from osgeo import gdal, osr

    gdal.UseExceptions()
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32633)
    n = len(raster)
    dataset = gdal.GetDriverByName("GTiff").Create(
        path, n, n, 1, gdal.GDT_Byte, ["TILED=YES", *options]
    )
    dataset.SetProjection(srs.ExportToWkt())
    dataset.SetGeoTransform((400000, 1, 0, 6000000, 0, -1))
    before = 0
    for row in range(0, n, 256):
        strip = raster[row : row + 256]
        running = before + np.cumsum(strip, dtype=np.int64).reshape(
            strip.shape
        )  # 1 for the first target
        before = int(running[-1, -1])
        dataset.GetRasterBand(1).WriteArray(
            np.where(strip, (running - 1) % 250 + 1, 0).astype(np.uint8), 0, row
        )


def main(name, side, path, *options):
    raster = make(name, int(side))
    if path.endswith(".npy"):
        np.save(path, raster)
    else:
        write_tiff(path, raster, options)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
