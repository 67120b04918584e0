"""Colours of facilities: neighbours differ clearly; few facilities have a colour each; any graph is answered."""
import os
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "qgis", "predt_processing"))
from colours import CLEAR, PALETTE_SIZE, choose_colours, difference, palette  # noqa: E402


def grid_graph(rows, cols):
    """Each cell beside eight others, as in a map of irregular areas."""
    graph = []
    for row, col in np.ndindex(rows, cols):
        graph.append({r * cols + c for r in range(max(0, row - 1), min(rows, row + 2))
                      for c in range(max(0, col - 1), min(cols, col + 2)) if (r, c) != (row, col)})
    return graph


class Colours(unittest.TestCase):
    def test_the_palette_has_no_colour_twice(self):
        self.assertEqual(len(set(palette())), PALETTE_SIZE)

    def test_neighbours_differ_clearly(self):
        graph = grid_graph(40, 30)
        colours = choose_colours(graph)
        for node, beside in enumerate(graph):
            for other in beside:
                self.assertGreaterEqual(difference(colours[node], colours[other]), CLEAR)

    def test_few_have_a_colour_each(self):
        self.assertEqual(len(set(choose_colours(grid_graph(5, 5)))), 25)

    def test_a_node_beside_more_than_there_are_colours(self):
        star = [set(range(1, 200))] + [{0}] * 199
        colours = choose_colours(star)
        self.assertNotIn(colours[0], colours[1:])

    def test_all_beside_all(self):
        self.assertEqual(len(choose_colours([set(range(60)) - {node} for node in range(60)])), 60)

    def test_none(self):
        self.assertEqual(choose_colours([]), [])
        self.assertEqual(len(choose_colours([set()])), 1)


if __name__ == "__main__":
    unittest.main()
