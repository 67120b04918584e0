"""The sample rasters give the answers that stand beside them, which were found by brute force."""
import json
import os
import unittest

from osgeo import gdal
from raster_case import RasterCase

SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "sample_rasters")


class Samples(RasterCase):
    def check(self, name, expected):
        names = [self.path(f"{kind}-{name}") for kind in ("distance", "allocation")]
        run = self.predt("-q", "-json", *expected["options"], "-allocation", names[1], os.path.join(SAMPLES, name), names[0])
        told = json.loads(run.stdout)
        distance, allocation = (gdal.Open(path).ReadAsArray() for path in names)
        for key in ("width", "height", "targets"):
            self.assertEqual(told[key], expected[key])
        far = expected["farthest"]
        self.assertEqual((told["max_distance"]["row"], told["max_distance"]["col"]), (far["row"], far["col"]))
        for pixel in [far, *expected["pixels"]]:
            self.assertEqual(distance[pixel["row"], pixel["col"]], pixel["distance"], pixel)
            self.assertEqual(allocation[pixel["row"], pixel["col"]], pixel["allocation"], pixel)

    def test_every_sample(self):
        with open(os.path.join(SAMPLES, "expected.json")) as file:
            samples = json.load(file)
        self.assertGreaterEqual(len(samples), 6)
        for name, expected in samples.items():
            with self.subTest(sample=name):
                self.check(name, expected)

    def test_the_folder_stays_small(self):
        self.assertLess(sum(entry.stat().st_size for entry in os.scandir(SAMPLES) if entry.is_file()), 1 << 20)


if __name__ == "__main__":
    unittest.main()
