"""What is right on an ellipsoid, by brute force over all targets with PROJ's geodesics; and rasters whose pixels have a
latitude and a longitude."""
import os
import subprocess

import numpy as np
from osgeo import osr

PROGRAM = os.environ["PREDT_GEODESICS"]
WGS84 = (6378137.0, 1 / 298.257223563)
AIRY = (6377563.396, 1 / 299.3249646)
CLARKE_IGN = (6378249.2, 1 / 293.466021293627)


def run(mode, ellipsoid, first, second, counts):
    numbers = np.concatenate([[*ellipsoid, *counts], np.ravel(first), np.ravel(second)]).astype(float)
    done = subprocess.run([PROGRAM, mode], input=numbers.tobytes(), capture_output=True, check=True)
    return np.frombuffer(done.stdout)


def nearest(ellipsoid, targets, pixels):
    """Lengths of the shortest ways from pixels to targets, each an array of (latitude, longitude)."""
    return run("nearest", ellipsoid, targets, pixels, (len(targets), len(pixels)))


def pairs(ellipsoid, starts, ends):
    """Length and azimuth at the start, for each pair."""
    return run("pairs", ellipsoid, starts, ends, (len(starts), 0)).reshape(-1, 2).T


def in_unit(ellipsoid, metres):
    """The same ellipsoid measured in a unit of so many metres."""
    return ellipsoid[0] / metres, ellipsoid[1]


class Places:
    """(latitude, longitude) of pixel centres: of a raster in degrees (times `unit`), or with a latitude for each row and a step
    of longitude."""

    def __init__(self, shape, transform=None, unit=1.0, latitudes=None, longitude_step=None):
        rows, cols = np.arange(shape[0]), np.arange(shape[1])
        if transform:
            latitudes = (transform[3] + transform[5] / 2) * unit + rows * (transform[5] * unit)
            longitude_step = transform[1] * unit
        self.latitudes, self.longitudes = np.clip(latitudes, -90, 90), cols * longitude_step

    def at(self, rows, cols):
        return np.column_stack([self.latitudes[rows], self.longitudes[cols]])


def latitudes_of(srs, transform, rows):
    """Of a raster in a projected CRS: by PROJ, row by row, on its first column."""
    projected = osr.SpatialReference()
    projected.SetFromUserInput(srs)
    degrees = projected.CloneGeogCS()
    degrees.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    change = osr.CoordinateTransformation(projected, degrees)
    ys = transform[3] + (np.arange(rows) + 0.5) * transform[5]
    return np.array([change.TransformPoint(transform[0], y)[1] for y in ys])
