#!/usr/bin/python3
"""Checks rasters that gdal_predt wrote, on random pixels against brute force: distances in pixels,
then an allocation.

check.py [--checks N] MASK.tif DISTANCE.tif [ALLOCATION.tif]
"""

import argparse
import sys

import numpy as np
from osgeo import gdal

from oracle import Oracle


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checks", type=int, default=64)
    parser.add_argument("mask")
    parser.add_argument("distance")
    parser.add_argument("allocation", nargs="?")
    args = parser.parse_args()
    gdal.UseExceptions()
    mask, distance = gdal.Open(args.mask), gdal.Open(args.distance)
    allocation = gdal.Open(args.allocation) if args.allocation else None
    values = mask.ReadAsArray()
    for row, col, d2, near_col, near_row in Oracle(values).sample(args.checks, seed=1):
        if distance.ReadAsArray(col, row, 1, 1)[0, 0] != np.float32(np.sqrt(np.float64(d2))):
            sys.exit(f"wrong distance at row {row}, column {col}: its square should be {d2}")
        if (
            allocation
            and allocation.ReadAsArray(col, row, 1, 1)[0, 0] != values[near_row, near_col]
        ):
            sys.exit(
                f"wrong allocation at row {row}, column {col}: "
                f"the nearest is row {near_row}, column {near_col}"
            )


if __name__ == "__main__":
    main()
