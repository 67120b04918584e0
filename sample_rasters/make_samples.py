#!/usr/bin/python3
"""Makes the rasters of this folder, and with --expected their right answers too.

    /usr/bin/python3 make_samples.py             the .tif files and hospitals.geojson
    /usr/bin/python3 make_samples.py --world FILE  world.tif, from Natural Earth's countries (polygons; 1:50 million)
    /usr/bin/python3 make_samples.py --expected  expected.json, from the files that are there

The world's coast is real. Everything else is drawn from seeded noise with plain arithmetic, so a second run makes the same
pixels. The answers are computed here by trying every candidate; no distance tool, predt included, has a say in them."""
import ctypes
import ctypes.util
import json
import os
import sys

import numpy as np
from osgeo import gdal, osr

gdal.UseExceptions()
HERE = os.path.dirname(os.path.abspath(__file__))

UTM33 = osr.SpatialReference()
UTM33.ImportFromEPSG(32633)

HOSPITAL_NAMES = [
    "Aldermoor General", "Brackwater Infirmary", "Cinder Hill", "Dunmarrow", "Eastfen Children's", "Foxholt", "Gullhaven",
    "Harrowdene", "Isenford", "Juniper Cross", "Kestrel Bay", "Larkminster", "Marram Point", "Northey Royal", "Osterly",
    "Pellwick", "Quarrington", "Rushmere", "Saltby Memorial", "Thornlea", "Underwood", "Vennacombe", "Wether Fell", "Yarrowby"]
SEA = 255  # nodata of hospitals.tif


def noise(rng, shape, cell):
    """Smooth noise in [0, 1): random values `cell` pixels apart, blended by a cubic."""
    rows, cols = shape
    lattice = rng.random_sample((rows // cell + 2, cols // cell + 2))
    row, row_part = np.divmod(np.arange(rows), cell)
    col, col_part = np.divmod(np.arange(cols), cell)
    v, u = ((t / cell) ** 2 * (3 - 2 * t / cell) for t in (row_part[:, None], col_part[None, :]))
    at = lambda dr, dc: lattice[(row + dr)[:, None], (col + dc)[None, :]]
    return (at(0, 0) * (1 - u) + at(0, 1) * u) * (1 - v) + (at(1, 0) * (1 - u) + at(1, 1) * u) * v


def land(seed, shape, coarsest, level):
    """A coast: octaves of noise on a dome that falls off towards the edges, cut at a level. True is land."""
    rng = np.random.RandomState(seed)
    rows, cols = shape
    north = np.linspace(-1, 1, rows)[:, None]
    east = np.linspace(-1, 1, cols)[None, :]
    height = 0.9 * (1 - north ** 2) * (1 - east ** 2)
    weight, cell = 1.0, coarsest
    while cell >= 4:
        height = height + weight * noise(rng, shape, cell)
        weight, cell = weight * 0.55, cell // 2
    return height > level


def write(name, pixels, gdal_type, geotransform, description, options=(), nodata=None, decorate=None, crs=UTM33):
    path = os.path.join(HERE, name)
    for old in (path, path + ".aux.xml"):
        if os.path.exists(old):
            os.remove(old)
    rows, cols = pixels.shape
    dataset = gdal.GetDriverByName("GTiff").Create(path, cols, rows, 1, gdal_type, ["COMPRESS=DEFLATE", *options])
    dataset.SetGeoTransform(geotransform)
    dataset.SetProjection(crs.ExportToWkt())
    band = dataset.GetRasterBand(1)
    band.SetDescription(description)
    if nodata is not None:
        band.SetNoDataValue(nodata)
    if decorate:
        decorate(band)
    band.WriteArray(pixels)
    dataset.FlushCache()


def make_coast():
    mask = land(14, (800, 1000), 128, 1.68).astype(np.uint8)
    write("coast.tif", mask, gdal.GDT_Byte, (400000, 100, 0, 5900000, 0, -100), "land 1, sea 0", ["TILED=YES"])


def place_hospitals(is_land, count, spacing):
    """Random land pixels, none nearer to another than `spacing` pixels."""
    rng = np.random.RandomState(5)
    candidates = np.argwhere(is_land)
    chosen = []
    for row, col in candidates[rng.permutation(len(candidates))]:
        if all((row - r) ** 2 + (col - c) ** 2 >= spacing ** 2 for r, c in chosen):
            chosen.append((row, col))
            if len(chosen) == count:
                return chosen
    raise SystemExit("no room for the hospitals: lower the spacing")


def zone_colour(label):
    """Hues a golden angle apart, so that labels differ; two levels of lightness."""
    hue = (label * 0.381966) % 1.0 * 6
    ramp = [max(0.0, min(1.0, abs((hue - shift) % 6 - 3) - 1)) for shift in (0, 2, 4)]
    low, high = (108, 206) if label % 2 else (142, 232)
    return tuple(int(low + (high - low) * part) for part in ramp)


def hospital_beds():
    return np.random.RandomState(7).randint(4, 60, len(HOSPITAL_NAMES)) * 10


def name_hospitals(band):
    colours = gdal.ColorTable()
    colours.SetColorEntry(0, (236, 232, 222))
    for label in range(1, len(HOSPITAL_NAMES) + 1):
        colours.SetColorEntry(label, zone_colour(label))
    colours.SetColorEntry(SEA, (198, 216, 228))
    band.SetColorTable(colours)
    band.SetCategoryNames(["open land", *HOSPITAL_NAMES])
    beds = hospital_beds()
    table = gdal.RasterAttributeTable()
    table.CreateColumn("Value", gdal.GFT_Integer, gdal.GFU_MinMax)
    table.CreateColumn("Name", gdal.GFT_String, gdal.GFU_Name)
    table.CreateColumn("Beds", gdal.GFT_Integer, gdal.GFU_Generic)
    for name, usage in (("Red", gdal.GFU_Red), ("Green", gdal.GFU_Green), ("Blue", gdal.GFU_Blue)):
        table.CreateColumn(name, gdal.GFT_Integer, usage)
    # Open land too: QGIS 3.30 and later shows the rows of this table, in its colours, and leaves other values out.
    for row, name in enumerate(["open land", *HOSPITAL_NAMES]):
        table.SetValueAsInt(row, 0, row)
        table.SetValueAsString(row, 1, name)
        table.SetValueAsInt(row, 2, int(beds[row - 1]) if row else 0)
        for column, part in enumerate(colours.GetColorEntry(row)[:3], 3):
            table.SetValueAsInt(row, column, part)
    band.SetDefaultRAT(table)


def make_hospitals():
    is_land = land(23, (800, 1000), 256, 1.52)
    pixels = np.where(is_land, 0, SEA).astype(np.uint8)
    for label, (row, col) in enumerate(place_hospitals(is_land, len(HOSPITAL_NAMES), 75), 1):
        pixels[row, col] = label
    write("hospitals.tif", pixels, gdal.GDT_Byte, (500000, 30, 0, 5400000, 0, -30), "hospital id, 0 open land, 255 sea",
          ["TILED=YES"], SEA, name_hospitals)


def make_hospital_points():
    """The hospitals of hospitals.tif as points in longitude and latitude; 7 decimals are a centimetre."""
    dataset = gdal.Open(os.path.join(HERE, "hospitals.tif"))
    pixels, (x0, step, _, y0, _, _) = dataset.ReadAsArray(), dataset.GetGeoTransform()
    degrees = osr.SpatialReference()
    degrees.ImportFromEPSG(4326)
    degrees.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    to_degrees = osr.CoordinateTransformation(UTM33, degrees)
    lines = []
    for label, (name, beds) in enumerate(zip(HOSPITAL_NAMES, hospital_beds()), 1):
        (row, col), = np.argwhere(pixels == label)
        place = to_degrees.TransformPoint(x0 + (col + 0.5) * step, y0 - (row + 0.5) * step)
        lines.append(json.dumps({"type": "Feature", "properties": {"id": label, "name": name, "beds": int(beds)},
                                 "geometry": {"type": "Point", "coordinates": [round(part, 7) for part in place[:2]]}}))
    with open(os.path.join(HERE, "hospitals.geojson"), "w") as file:
        file.write('{"type": "FeatureCollection", "name": "hospitals", "features": [\n' + ",\n".join(lines) + "\n]}\n")


def make_nonsquare():
    rng = np.random.RandomState(31)
    pixels = np.where(rng.random_sample((150, 203)) < 0.002, rng.choice([10, 20, 30], (150, 203)), 0)
    write("nonsquare.tif", pixels.astype(np.uint8), gdal.GDT_Byte, (500000, 20, 0, 5100000, 0, -30), "class 10, 20 or 30")


def make_rotated():
    rng = np.random.RandomState(37)
    pixels = (rng.random_sample((120, 161)) < 0.001) * rng.randint(1, 30000, (120, 161))
    turned = (500000, 17.320508075688775, 5.0, 5200000, 10.0, -8.660254037844387)
    write("rotated.tif", pixels.astype(np.uint16), gdal.GDT_UInt16, turned, "20 x 10 m pixels turned by 30 degrees")


def make_onebit():
    """Roads: straight lines from edge to edge."""
    rng = np.random.RandomState(41)
    rows, cols = 230, 317
    pixels = np.zeros((rows, cols), np.uint8)
    for _ in range(5):
        left, right = rng.randint(0, rows, 2)
        pixels[left + (right - left) * np.arange(cols) // (cols - 1), np.arange(cols)] = 1
        top, bottom = rng.randint(0, cols, 2)
        pixels[np.arange(rows), top + (bottom - top) * np.arange(rows) // (rows - 1)] = 1
    write("onebit.tif", pixels, gdal.GDT_Byte, (500000, 10, 0, 5300000, 0, -10), "road 1", ["NBITS=1"])


def make_nan():
    """Depth of ponds, 0 on dry ground, NaN where nobody measured."""
    shape = (192, 257)
    depth = noise(np.random.RandomState(43), shape, 32) - 0.83
    unknown = noise(np.random.RandomState(47), shape, 64) > 0.75
    pixels = np.where(unknown, np.nan, np.maximum(depth, 0) * 20).astype(np.float32)
    write("nan.tif", pixels, gdal.GDT_Float32, (500000, 25, 0, 5000000, 0, -25), "depth of ponds in metres")


def make_world(source):
    """Half a degree a pixel; land is what a country touches."""
    options = gdal.RasterizeOptions(format="MEM", outputType=gdal.GDT_Byte, outputBounds=(-180, -90, 180, 90),
                                    width=720, height=360, burnValues=[1], allTouched=True)
    degrees = osr.SpatialReference()
    degrees.ImportFromEPSG(4326)
    write("world.tif", gdal.Rasterize("", source, options=options).ReadAsArray(), gdal.GDT_Byte, (-180, 0.5, 0, 90, 0, -0.5),
          "land 1, sea 0", ["TILED=YES", "BLOCKXSIZE=256", "BLOCKYSIZE=256"], crs=degrees)


# ---- Right answers ----

def nearest_rows(is_target):
    """For each pixel the nearest target row of its own column, the upper one on a tie; far away where there is none."""
    rows, cols = is_target.shape
    answer = np.full((rows, cols), 10 ** 6, np.int64)
    row = np.arange(rows)[:, None]
    for target_row in range(rows):  # downwards, and only what is strictly nearer replaces: the upper one wins
        nearer = is_target[target_row][None, :] & (np.abs(row - target_row) < np.abs(row - answer))
        answer[nearer] = target_row
    return answer


def nearest(is_target, col_weight, row_weight):
    """Column, row and squared distance of each pixel's nearest target: every column is tried for every pixel."""
    rows, cols = is_target.shape
    target_rows = nearest_rows(is_target)
    columns = np.arange(cols)
    across = col_weight * (columns[:, None] - columns[None, :]) ** 2
    best_col = np.empty((rows, cols), np.int64)
    d2 = np.empty((rows, cols), np.int64)
    for row in range(rows):
        tried = across + (row_weight * (target_rows[row] - row) ** 2)[None, :]
        best_col[row] = tried.argmin(axis=1)  # the first of equals: the westernmost
        d2[row] = tried.min(axis=1)
    return best_col, np.take_along_axis(target_rows, best_col, axis=1), d2


def check_against_all_targets(is_target, col_weight, row_weight, d2, samples):
    target_row, target_col = np.nonzero(is_target)
    for row, col in samples:
        every = col_weight * (target_col - col) ** 2 + row_weight * (target_row - row) ** 2
        assert every.min() == d2[row, col]


def answers(name, options, unit, weights=(1, 1)):
    """unit: length of one step whose squared weight is 1, in the unit of distance that the options ask for."""
    dataset = gdal.Open(os.path.join(HERE, name))
    band = dataset.GetRasterBand(1)
    pixels = band.ReadAsArray()
    is_target = (pixels != 0) & ~np.isnan(pixels.astype(np.float64))
    if band.GetNoDataValue() is not None:
        is_target &= pixels != band.GetNoDataValue()
    target_col, target_row, d2 = nearest(is_target, *weights)
    distance = (np.sqrt(d2.astype(np.float64)) * unit).astype(np.float32)
    away = np.argwhere(~is_target)
    samples = away[np.random.RandomState(53).randint(0, len(away), 8)].tolist()
    farthest = tuple(int(i) for i in np.unravel_index(d2.argmax(), d2.shape))  # the first in row order
    check_against_all_targets(is_target, *weights, d2, [farthest, *samples])
    describe = lambda row, col: {
        "row": row, "col": col, "distance": float(distance[row, col]),
        "allocation": pixels[target_row[row, col], target_col[row, col]].item(),
        "nearest_row": int(target_row[row, col]), "nearest_col": int(target_col[row, col])}
    return {"options": options, "width": pixels.shape[1], "height": pixels.shape[0], "targets": int(is_target.sum()),
            "farthest": describe(*farthest), "pixels": [describe(*sample) for sample in samples]}


class Geodesic:
    """PROJ's geod_inverse on WGS 84, in kilometres."""
    A, F = 6378.137, 1 / 298.257223563

    def __init__(self):
        self.lib = ctypes.CDLL(ctypes.util.find_library("proj"))
        self.solver, self.length = ctypes.create_string_buffer(4096), ctypes.c_double()
        self.lib.geod_init.argtypes = [ctypes.c_void_p, ctypes.c_double, ctypes.c_double]
        self.lib.geod_inverse.argtypes = [ctypes.c_void_p] + [ctypes.c_double] * 4 + [ctypes.c_void_p] * 3
        self.lib.geod_init(self.solver, self.A, self.F)

    def __call__(self, lat, lon, lat2, lon2):
        self.lib.geod_inverse(self.solver, lat, lon, lat2, lon2, ctypes.byref(self.length), None, None)
        return self.length.value


def world_latitude(row, rows):
    return 90 - (row + 0.5) * 180 / rows


def world_bounds(is_target):
    """For each pixel the angle to its nearest target on the sphere of reduced latitudes: of every row the target that is
    nearest along the parallel is tried. The geodesic is at most the semi-major axis times it, and at least the semi-minor
    axis times it."""
    rows, cols = is_target.shape
    reduced = np.arctan((1 - Geodesic.F) * np.tan(np.radians(world_latitude(np.arange(rows), rows))))
    best = np.full((rows, cols), np.pi)
    column = np.arange(cols)
    for target_row in np.flatnonzero(is_target.any(axis=1)):
        apart = np.abs(column[:, None] - np.flatnonzero(is_target[target_row])[None, :])
        half = np.minimum(apart, cols - apart).min(axis=1) * np.pi / cols
        across = np.cos(reduced)[:, None] * np.cos(reduced[target_row]) * np.sin(half) ** 2
        best = np.minimum(best, 2 * np.arcsin(np.sqrt(np.sin((reduced - reduced[target_row]) / 2)[:, None] ** 2 + across)))
    return best


def nearest_on_the_globe(is_target, row, col, angle, geodesic):
    """(km, column, row) of the nearest target; of equally near ones the smaller column, then the smaller row."""
    rows, cols = is_target.shape
    found = []
    for target_row in np.flatnonzero(is_target.any(axis=1)).tolist():
        if abs(target_row - row) * np.pi / rows * (1 - Geodesic.F) ** 2 > angle / (1 - Geodesic.F) * 1.0001:
            continue
        for target_col in np.flatnonzero(is_target[target_row]).tolist():
            apart = min(abs(target_col - col), cols - abs(target_col - col))
            found.append((apart, target_row, target_col))
    of_row = {}
    for apart, target_row, target_col in sorted(found):
        if apart <= of_row.get(target_row, (apart,))[0]:
            of_row.setdefault(target_row, (apart, []))[1].append(target_col)
    tried = [(geodesic(world_latitude(row, rows), 0, world_latitude(target_row, rows), apart * 360 / cols), min(columns),
              target_row)
             for target_row, (apart, columns) in of_row.items()]
    return min(tried)


def world_answers(name, options, is_chosen):
    pixels = gdal.Open(os.path.join(HERE, name)).ReadAsArray()
    is_target, geodesic = is_chosen(pixels), Geodesic()
    rows, cols = is_target.shape
    angle = world_bounds(is_target)
    away = np.argwhere(~is_target)
    samples = away[np.random.RandomState(53).randint(0, len(away), 8)].tolist()
    may_be = np.argwhere(angle >= angle.max() * (1 - Geodesic.F) * 0.9999).tolist()

    def nearest_of(row, col):
        return nearest_on_the_globe(is_target, row, col, angle[row, col], geodesic)

    farthest = max(may_be, key=lambda at: (nearest_of(*at)[0], [-i for i in at]))  # the first in row order
    describe = lambda row, col: dict(zip(
        ("row", "col", "distance", "allocation", "nearest_row", "nearest_col"),
        (row, col, float(np.float32(nearest_of(row, col)[0])), pixels[nearest_of(row, col)[:0:-1]].item(),
         nearest_of(row, col)[2], nearest_of(row, col)[1])))
    return {"options": options, "width": cols, "height": rows, "targets": int(is_target.sum()), "farthest": describe(*farthest),
            "pixels": [describe(*sample) for sample in samples]}


def write_expected():
    geo = ["-distunits", "GEO"]
    expected = {
        "coast.tif": answers("coast.tif", geo, 100.0),
        "hospitals.tif": answers("hospitals.tif", geo, 30.0),
        "nonsquare.tif": answers("nonsquare.tif", geo, 10.0, (4, 9)),
        "rotated.tif": answers("rotated.tif", geo, 10.0, (4, 1)),
        "onebit.tif": answers("onebit.tif", [], 1.0),
        "nan.tif": answers("nan.tif", geo, 25.0),
        "world.tif": world_answers("world.tif", ["-distunits", "KM"], lambda pixels: pixels == 1)}
    with open(os.path.join(HERE, "expected.json"), "w") as file:
        json.dump(expected, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["--expected"]:
        write_expected()
    elif sys.argv[1:2] == ["--world"] and len(sys.argv) == 3:
        make_world(sys.argv[2])
    elif not sys.argv[1:]:
        for make in (make_coast, make_hospitals, make_hospital_points, make_nonsquare, make_rotated, make_onebit, make_nan):
            make()
    else:
        raise SystemExit(__doc__)
