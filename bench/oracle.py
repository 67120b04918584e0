"""Brute force on some pixels: the nearest target among all, with predt's rule for ties."""

import math

import numpy as np

# Up to this number of targets all of them are tried; beyond, windows around the pixel are searched.
FEW = 1_000_000


class Oracle:
    def __init__(self, is_target):
        self.is_target = is_target
        few = np.count_nonzero(is_target) <= FEW
        self.listed = np.nonzero(is_target) if few else None

    def nearest(self, row, col):
        """(squared distance, column, row) of the winner: the smallest of these triples over all
        targets."""
        if self.listed:
            return winner(row, col, *self.listed)
        half, height, width = 16, *self.is_target.shape
        while True:
            r0, c0 = max(row - half, 0), max(col - half, 0)
            rows, cols = np.nonzero(self.is_target[r0 : row + half + 1, c0 : col + half + 1])
            whole = half >= max(height, width)
            if len(rows):
                best = winner(row, col, rows + r0, cols + c0)
                if whole or best[0] <= half * half:  # nothing outside the window is as near
                    return best
                half = math.isqrt(best[0]) + 1
            else:
                half *= 2

    def sample(self, count, seed):
        """`count` random pixels with their winners."""
        height, width = self.is_target.shape
        rng = np.random.default_rng(seed)
        rows = rng.integers(height, size=count).tolist()
        cols = rng.integers(width, size=count).tolist()
        pixels = zip(rows, cols, strict=True)
        return [(row, col, *self.nearest(row, col)) for row, col in pixels]


def winner(row, col, rows, cols):
    d2 = (rows - row) ** 2 + (cols - col) ** 2
    tied = np.nonzero(d2 == d2.min())[0]
    best = tied[np.lexsort((rows[tied], cols[tied]))[0]]
    return int(d2[best]), int(cols[best]), int(rows[best])
