"""Seeded random rasters through the whole command, against brute force."""
import unittest

import numpy as np
from raster_case import RasterCase, brute_force


class RandomRasters(RasterCase):
    def check(self, seed):
        random = np.random.default_rng(seed)
        rows, cols = (int(random.integers(1, 130)) for _ in range(2))
        density = random.choice([0.003, 0.02, 0.3, 0.95])
        pixels = np.where(random.random((rows, cols)) < density, random.integers(1, 200, (rows, cols)), 0)
        pixels[random.integers(rows), random.integers(cols)] = 5
        width, height = [(1, 1), (30, 30), (2, 3), (10, 7)][seed % 4]
        options = [[], ["TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"], ["BLOCKYSIZE=5"], ["COMPRESS=DEFLATE"]][seed // 4 % 4]
        source = self.make("in.tif", pixels, transform=(500000, width, 0, 4000000, 0, -height), options=options)
        names = [self.path(name) for name in ("d.tif", "a.tif")]
        self.predt("-q", "--overwrite", "-distunits", "GEO", "-threads", 1 + seed % 3, "-allocation", names[1], source,
                   names[0])
        d2, row, col = brute_force(pixels != 0, width, height)
        with self.subTest(seed=seed, shape=(rows, cols), density=density):
            self.assert_same(self.read(names[0]), np.sqrt(d2))
            self.assert_same(self.read(names[1]), pixels[row, col])

    def test_60_of_them(self):
        for seed in range(60):
            self.check(seed)


if __name__ == "__main__":
    unittest.main()
