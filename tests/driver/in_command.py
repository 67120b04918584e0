"""The command opens a dataset of the driver: the core in the command and the one in libpredt.so share a process."""
import unittest

import numpy as np
from driver_case import DriverCase
from osgeo import gdal


class InCommand(DriverCase):
    def test_the_command_reads_a_layer_of_the_driver_as_it_reads_its_copy(self):
        source, _ = self.scattered(rows=60, cols=70)
        layer = f"PREDT:allocation:{source}"
        gdal.Translate(self.path("copy.tif"), layer).FlushCache()
        for engine in ("cpu", "breu") if self.has_methods() else ("cpu",):
            self.predt("-engine", engine, layer, self.path("layer.tif"), "-overwrite")
            self.predt("-engine", engine, self.path("copy.tif"), self.path("of_copy.tif"), "-overwrite")
            np.testing.assert_array_equal(self.read(self.path("layer.tif")), self.read(self.path("of_copy.tif")))

    def has_methods(self):
        return "breu" in self.predt("-engines").stdout


if __name__ == "__main__":
    unittest.main()
