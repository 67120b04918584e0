"""What each facility serves: pixels, area, mean and largest distance; and which facilities are neighbours.

One read of the two rasters, strip by strip. Rows are taken apart into runs of one facility: the work is then per run."""
import numpy as np
from osgeo import gdal

from .burn import read


class Survey:
    """Arrays in the order of `values`; distances are NaN where nothing is served. neighbours: a set of places for each."""

    def __init__(self, values):
        self.values = np.array(sorted(values), np.int64)
        count = len(self.values)
        self.pixels = np.zeros(count, np.int64)
        self.area = np.zeros(count)
        self.measured = np.zeros(count, np.int64)
        self.total = np.zeros(count)
        self.largest = np.full(count, -np.inf)
        self.neighbours = [set() for _ in range(count)]

    def mean(self, place):
        return float(self.total[place] / self.measured[place]) if self.measured[place] else float("nan")

    def maximum(self, place):
        return float(self.largest[place]) if self.measured[place] else float("nan")


def survey(grid, distance_path, allocation_path, values, areas, feedback):
    """areas: area of a pixel in each row. Returns None if the feedback was cancelled."""
    found = Survey(values)
    opened = [gdal.Open(path) for path in (distance_path, allocation_path)]  # a band does not keep its dataset
    distances, allocations = (one.GetRasterBand(1) for one in opened)
    for col, row, cols, rows in grid.strips():
        if feedback.isCanceled():
            return None
        feedback.setProgress(100.0 * row / grid.height)
        left, top = int(col > 0), int(row > 0)  # a pixel more, to see the neighbours there
        served = read(allocations, col - left, row - top, cols + left, rows + top).astype(np.int64)
        add_runs(found, served[top:, left:], read(distances, col, row, cols, rows), areas[row:row + rows])
        add_neighbours(found, served)
    return found


def places_of(found, values):
    """Place of each value among the facilities, -1 for nodata."""
    places = np.minimum(np.searchsorted(found.values, values), len(found.values) - 1)
    return np.where(found.values[places] == values, places, -1)


def add_runs(found, served, distance, areas):
    width = served.shape[1]
    starts = np.ones(served.shape, bool)
    starts[:, 1:] = served[:, 1:] != served[:, :-1]
    first = np.flatnonzero(starts)
    lengths = np.diff(np.append(first, served.size))
    places = places_of(found, served.ravel()[first])
    known = ~np.isnan(distance)
    flat = np.where(known, distance, 0).ravel().astype(np.float64)
    sums, measured = np.add.reduceat(flat, first), np.add.reduceat(known.ravel().astype(np.int64), first)
    largest = np.maximum.reduceat(flat, first)
    is_served, at = places >= 0, places[places >= 0]
    np.add.at(found.pixels, at, lengths[is_served])
    np.add.at(found.area, at, (lengths * areas[first // width])[is_served])
    np.add.at(found.measured, at, measured[is_served])
    np.add.at(found.total, at, sums[is_served])
    np.maximum.at(found.largest, at, largest[is_served])


def add_neighbours(found, served):
    """Pixels that share a side and differ."""
    count = len(found.values)
    for one, other in ((served[:, :-1], served[:, 1:]), (served[:-1], served[1:])):
        differ = one != other
        a, b = places_of(found, one[differ]), places_of(found, other[differ])
        both = (a >= 0) & (b >= 0)
        for pair in np.unique(a[both] * count + b[both]).tolist():
            first, second = divmod(pair, count)
            found.neighbours[first].add(second)
            found.neighbours[second].add(first)
