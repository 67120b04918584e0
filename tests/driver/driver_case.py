"""What the driver's tests share: rasters made in a folder that goes away, PREDT datasets over them, and the command's answers
to compare with."""
import json
import os
import sys

import numpy as np
from osgeo import gdal

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "command"))
from raster_case import RasterCase, brute_force, targets  # noqa: E402,F401  (the command's helpers serve here too)

UTM = (500000.0, 30.0, 0.0, 4000000.0, 0.0, -30.0)


class DriverCase(RasterCase):
    def open(self, name, **options):
        """Opens a dataset with open options."""
        return gdal.OpenEx(name, gdal.OF_RASTER | gdal.OF_VERBOSE_ERROR, open_options=[f"{k}={v}" for k, v in options.items()])

    def band(self, name, **options):
        """The band of a dataset, which is kept open: in Python a band does not keep its dataset."""
        self.kept = [*getattr(self, "kept", []), self.open(name, **options)]
        return self.kept[-1].GetRasterBand(1)

    def pixels(self, name, **options):
        return self.open(name, **options).ReadAsArray()

    def refuse_open(self, name, *words, **options):
        """Expects that opening fails with one line that holds these words; returns the line."""
        heard = []
        gdal.PushErrorHandler(lambda level, number, message: heard.append((level, message)))
        try:
            try:
                opened = self.open(name, **options)
            except RuntimeError as error:
                opened = None
                if not any(level == gdal.CE_Failure for level, _ in heard):
                    heard.append((gdal.CE_Failure, str(error)))
        finally:
            gdal.PopErrorHandler()
        self.assertIsNone(opened)
        failures = [message for level, message in heard if level >= gdal.CE_Failure]
        self.assertTrue(failures, "nothing was said")
        self.assertNotIn("\n", failures[-1].strip())
        for word in words:
            self.assertIn(word, failures[-1])
        return failures[-1]

    def write_file(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text if isinstance(text, str) else json.dumps(text))
        return self.path(name)

    def scattered(self, name="in.tif", rows=300, cols=401, seed=1, density=0.004, **more):
        """A raster with random targets of values 1 to 200; returns path and pixels."""
        random = np.random.default_rng(seed)
        pixels = np.where(random.random((rows, cols)) < density, random.integers(1, 201, (rows, cols)), 0)
        pixels[random.integers(rows), random.integers(cols)] = 5
        return self.make(name, pixels, transform=more.pop("transform", UTM), **more), pixels

    def command_answers(self, source, *options, product="distance"):
        """What the command writes for the product."""
        out = self.path("command-out.tif")
        named = [] if product == "distance" else [f"-{product}"]
        self.predt("-q", "--overwrite", *options, *(named + [out, source] if named else [source, out]))
        return self.read(out)


def centres(size, shown):
    """Which pixels nearest sampling takes of `size` when `shown` are shown: those at the centres of the shown ones."""
    return (2 * np.arange(shown) + 1) * size // (2 * shown)
