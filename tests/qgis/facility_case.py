"""What the tests of predt:nearestfacility share: facilities on a small grid, and brute force over it."""
import csv
import os

import numpy as np
from qgis_case import InsideCase, brute_force

WIDTH, HEIGHT, SIZE = 53, 41, 20.0
WEST, NORTH = 500000.0, 5400000.0
TRANSFORM = (WEST, SIZE, 0.0, NORTH, 0.0, -SIZE)


def layer_of(shapes, epsg=32633, fields=("id:integer",)):
    """A layer in memory of (WKT, attributes) pairs."""
    from qgis.core import QgsFeature, QgsGeometry, QgsVectorLayer
    kind = QgsGeometry.fromWkt(shapes[0][0]).type()
    geometry = ("Point", "LineString", "Polygon")[getattr(kind, "value", kind)]
    made = QgsVectorLayer(f"{geometry}?crs=EPSG:{epsg}" + "".join("&field=" + field for field in fields), "facilities",
                          "memory")
    for wkt, attributes in shapes:
        feature = QgsFeature(made.fields())
        feature.setAttributes(list(attributes))
        if wkt:
            feature.setGeometry(QgsGeometry.fromWkt(wkt))
        assert made.dataProvider().addFeature(feature)
    made.updateExtents()
    return made


def at(col, row):
    """Map coordinates of a place in the raster; whole numbers are corners of pixels."""
    return float(WEST + col * SIZE), float(NORTH - row * SIZE)  # not numpy's, which writes itself otherwise


def point(col, row):
    return "POINT({!r} {!r})".format(*at(col, row))


def shape(kind, corners):
    text = ", ".join("{!r} {!r}".format(*at(*corner)) for corner in corners)
    return f"LINESTRING({text})" if kind == "line" else f"POLYGON(({text}, {text.split(', ')[0]}))"


def random_points(seed, count, margin=0.0):
    """(column, row, id): ids are not in the order of the points."""
    random = np.random.RandomState(seed)
    places = random.uniform((-margin, -margin), (WIDTH + margin, HEIGHT + margin), (count, 2))
    return [(col, row, int(number)) for (col, row), number in zip(places.tolist(), random.permutation(count) + 1)]


def burn(points):
    """The raster of ids that brute force starts from: of two in one pixel the first stays."""
    pixels = np.zeros((HEIGHT, WIDTH), np.int64)
    for col, row, number in points:
        if 0 <= col < WIDTH and 0 <= row < HEIGHT and not pixels[int(row), int(col)]:
            pixels[int(row), int(col)] = number
    return pixels


class Case(InsideCase):
    def setUp(self):
        super().setUp()
        self.reference = self.make("reference.tif", np.zeros((HEIGHT, WIDTH)), transform=TRANSFORM)

    def nearest(self, layer, **parameters):
        """Returns (distance, allocation, table rows by id, what was told)."""
        grid = {} if "EXTENT" in parameters else {"REFERENCE": self.reference}
        names = {"DISTANCE": self.path("distance.tif"), "ALLOCATION": self.path("allocation.tif"),
                 "TABLE": self.path("table.csv")}
        for name in names.values():
            if os.path.exists(name):
                os.remove(name)
        fields = layer.fields().names() if hasattr(layer, "fields") else []
        chosen = {"ID_FIELD": "id"} if "id" in fields else {}
        results, log = self.log_of("predt:nearestfacility", {"FACILITIES": layer, **chosen, **grid, **names, **parameters})
        with open(results["TABLE"], newline="", encoding="utf-8") as file:
            table = {row["id"]: row for row in csv.DictReader(file)}
        self.assertFalse([name for name in os.listdir(self.folder) if name.startswith(".predt")])
        return self.read(results["DISTANCE"]), self.read(results["ALLOCATION"]), table, log

    def check(self, got, pixels, area=None, size=SIZE, nodata=0):
        """Every pixel of distance and allocation, every line of the table."""
        distance, allocation, table, _ = got
        d2, rows, cols = brute_force(pixels != 0)
        right = (np.sqrt(d2) * size).astype(np.float32)
        owner = pixels[rows, cols]
        if area is not None:
            right[~area], owner[~area] = np.nan, nodata
        self.assert_same(distance, right)
        self.assert_same(allocation, owner)
        for number in np.unique(pixels[pixels != 0]):
            line, served = table[str(number)], owner == number
            self.assertEqual(int(line["pixels"]), served.sum())
            self.assertAlmostEqual(float(line["area"]), served.sum() * size * size, places=5)
            if served.any():
                self.assertAlmostEqual(float(line["mean_dist"]), right[served].mean(dtype=np.float64), places=5)
                self.assertAlmostEqual(float(line["max_dist"]), float(right[served].max()), places=5)
