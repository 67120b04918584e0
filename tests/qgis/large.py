"""Cancel is answered within a second in every part of a nearest-facility run of 100,000 x 100,000 pixels; and what is burned in
pieces is what is burned in one."""
import os
import threading
import time
from unittest import mock

import numpy as np
from facility_case import HEIGHT, TRANSFORM, WIDTH, Case, layer_of, point, random_points, shape
from qgis_case import main, telling_feedback

SIDE = 100000
PATIENCE = 1.0 if os.environ.get("CI") is None else 3.0  # seconds; other people's machines do other things too


def squares(count, side, seed):
    random = np.random.RandomState(seed)
    for number, (x, y) in enumerate(random.uniform(0, SIDE - side, (count, 2)).tolist(), 1):
        yield f"POLYGON(({x} {-y},{x + side} {-y},{x + side} {-y - side},{x} {-y - side},{x} {-y}))", [number]


class Cancel(Case):
    def answer(self, seconds, **parameters):
        """Cancels after so long and returns how long the answer took."""
        feedback, pressed = telling_feedback(), []

        def press():
            pressed.append(time.monotonic())
            feedback.cancel()
        threading.Timer(seconds, press).start()
        results = self.run_inside("predt:nearestfacility", {
            "ID_FIELD": "id", "EXTENT": f"0,{SIDE},-{SIDE},0 [EPSG:32633]", "PIXEL_SIZE": 1,
            "OPTIONS": "COMPRESS=LZW|TILED=YES",
            "DISTANCE": self.path("d.tif"), "ALLOCATION": self.path("a.tif"), **parameters}, feedback)
        self.assertEqual(results, {})
        self.assert_only("reference.tif")
        return time.monotonic() - pressed[0], feedback

    def test_while_burning_points_and_while_solving(self):
        points = layer_of([(f"POINT({x} {-y})", [number]) for number, (x, y) in
                           enumerate(np.random.RandomState(1).uniform(0, SIDE, (1000, 2)).tolist(), 1)])
        for seconds in (1, 2.5, 6):
            self.assertLess(self.answer(seconds, FACILITIES=points)[0], PATIENCE)

    def test_while_burning_polygons(self):
        took, feedback = self.answer(4, FACILITIES=layer_of(list(squares(2000, 3000, 2))))
        self.assertLess(took, PATIENCE)
        self.assertEqual(feedback.percents, sorted(feedback.percents))
        self.assertGreater(len({round(percent, 3) for percent in feedback.percents}), 5)

    def test_while_burning_a_study_area(self):
        points = layer_of([("POINT(5 -5)", [1])])
        took, feedback = self.answer(3, FACILITIES=points, MASK=layer_of(list(squares(5, 60000, 3))))
        self.assertLess(took, PATIENCE)
        self.assertGreater(len([percent for percent in feedback.percents if 25 < percent < 50]), 5)


class Pieces(Case):
    """With pieces of 16 x 16 pixels there are many of them in the small raster of the tests."""

    def both(self, layer, **parameters):
        from predt_processing import grid
        whole = self.nearest(layer, **parameters)
        with mock.patch.object(grid, "TILE", 16), mock.patch.object(grid, "PIECE", 256):
            self.assertGreater(len(list(grid.Grid(WIDTH, HEIGHT, TRANSFORM, None, "any").pieces())), 9)
            cut = self.nearest(layer, **parameters)
        with mock.patch.object(grid, "PIECE", 40):  # not even a row of 53 pixels
            narrow = self.nearest(layer, **parameters)
        for other in (cut, narrow):
            self.assert_same(other[0], whole[0])
            self.assert_same(other[1], whole[1])
            self.assertEqual(other[2], whole[2])

    def test_points(self):
        self.both(layer_of([(point(col, row), [number]) for col, row, number in random_points(71, 90)]))

    def test_several_points_of_one_feature(self):
        points = [place for col, row, _ in random_points(72, 30) for place in [point(col, row)[5:]]]
        self.both(layer_of([("MULTIPOINT" + "(" + ",".join(points) + ")", [1]), (point(5.5, 5.5), [2])]))

    def test_lines_polygons_and_a_study_area(self):
        random = np.random.RandomState(73)
        for kind in ("line", "polygon"):
            shapes = [(shape(kind, random.uniform((0, 0), (WIDTH, HEIGHT), (3, 2)).tolist()), [number])
                      for number in range(1, 9)]
            mask = layer_of([(shape("polygon", ((4.2, 3.3), (46.1, 8.2), (38.4, 37.7), (9.9, 30.3))), [1])])
            for touched in (False, True):
                self.both(layer_of(shapes), ALL_TOUCHED=touched, MASK=mask)

    def test_a_rotated_grid(self):
        self.reference = self.make("turned.tif", np.zeros((HEIGHT, WIDTH)),
                                   transform=(500000.0, 16.0, 12.0, 5400000.0, 12.0, -16.0))
        self.both(layer_of([(shape("polygon", ((10, 2), (50, 8), (25, 30))), [1]),
                            (shape("polygon", ((30, 2), (70, 8), (45, 30))), [2])]))


if __name__ == "__main__":
    main()
