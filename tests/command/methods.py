"""The published methods are engines of the command, unless PREDT_METHODS=OFF."""
import unittest

import numpy as np

from raster_case import RasterCase


class Methods(RasterCase):
    def engines(self):
        lines = self.predt("-engines").stdout.splitlines()[1:]
        return {line.split()[0]: line.split()[1] for line in lines if not line.startswith(" ")}

    def test_engines_lists_them_after_the_others_and_says_which_are_exact(self):
        exact = self.engines()
        names = [name for name in exact if not name.startswith("cuda") and name != "zeros"]  # which not every build has
        self.assertEqual(names,
                         ["cpu", "breu", "voronoi-points", "voronoi-circles", "voronoi-dilate", "voronoi-cityblock",
                          "voronoi-octagonal", "voronoi-chessboard"])
        self.assertEqual([name for name in names if exact[name] == "no"],
                         ["voronoi-cityblock", "voronoi-octagonal", "voronoi-chessboard"])

    def test_engines_lists_their_settings(self):
        self.assertIn("    step=1..1000  growth of the radius, in pixels (default 1)",
                      self.predt("-engines").stdout.splitlines())

    def test_they_answer_as_cpu_does(self):
        source = self.make("in.tif", np.eye(40, dtype=np.uint8))
        self.predt("-engine", "cpu", source, self.path("cpu.tif"))
        for engine in ("breu", "voronoi-circles:step=3"):
            self.predt("-engine", engine, source, self.path(engine[:4] + ".tif"))
            np.testing.assert_array_equal(self.read(self.path(engine[:4] + ".tif")), self.read(self.path("cpu.tif")))

    def test_a_wrong_setting_is_refused(self):
        source = self.make("in.tif", np.eye(40, dtype=np.uint8))
        self.refuse("-engine", "voronoi-circles:step=no", source, self.path("out.tif"), words=["step", "1000", "no"])

    def test_a_wrong_name_is_answered_with_theirs(self):
        source = self.make("in.tif", [[1, 0]])
        self.refuse("-engine", "abacus", source, self.path("out.tif"), words=["abacus", "breu"])


if __name__ == "__main__":
    unittest.main()
