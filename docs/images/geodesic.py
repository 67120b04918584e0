#!/usr/bin/env python3
"""Draws the pictures of docs/geodesic.md: python3 docs/images/geodesic.py"""
import math
import os

HERE = os.path.dirname(os.path.abspath(__file__))
INK, SOFT, TARGET, OTHER, PIXEL = "#333", "#bbb", "#c33", "#e9b4b4", "#26c"


def svg(name, width, height, parts):
    with open(os.path.join(HERE, name), "w") as f:
        f.write('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" '
                'font-size="13" fill="%s">\n' % (width, height, width, height, INK))
        f.write('<rect width="100%" height="100%" fill="white"/>\n')
        f.write("\n".join(parts) + "\n</svg>\n")


def box(x, y, w, h, fill, stroke="none"):
    return '<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s" stroke="%s"/>' % (x, y, w, h, fill, stroke)


def line(x, y, x2, y2, stroke, width=1.0, more=""):
    return '<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="%.1f" %s/>' % (
        x, y, x2, y2, stroke, width, more)


def text(x, y, words, more=""):
    return '<text x="%.1f" y="%.1f" %s>%s</text>' % (x, y, more, words)


# ---- Rows first ----

ROWS = ["..#......#....#.", "................", ".#....#.......#.", "...........#....", "##..............", "..............##",
        ".....#..#......."]
COLUMN = 9


def nearest(row):
    """Of the targets of a row that goes around the globe: columns away."""
    found = [c for c, mark in enumerate(row) if mark == "#"]
    away = [min(((c - COLUMN) % len(row)), (c - COLUMN) % len(row) - len(row), key=abs) for c in found]
    return min(away, key=abs) if away else None


def rows_first():
    size, left, top = 26, 20, 30
    width = left * 2 + size * len(ROWS[0]) + 250
    parts = []
    for r, row in enumerate(ROWS):
        away = nearest(row)
        for c, mark in enumerate(row):
            chosen = away is not None and (COLUMN + away) % len(row) == c
            fill = TARGET if chosen else OTHER if mark == "#" else "#f6f6f6"
            parts.append(box(left + c * size, top + r * size, size - 2, size - 2, fill))
        if away is None:
            continue
        x, y = left + COLUMN * size + size / 2 - 1, top + r * size + size / 2 - 1
        end = x + away * size
        turn = len(row) * size
        for shift in (0, turn if end < left else -turn):
            parts.append(line(x + shift, y, end + shift, y, INK, 1.2, 'clip-path="url(#raster)"'))
    parts.append(box(left + COLUMN * size - 1, top - 1, size, size * len(ROWS), "none", PIXEL))
    whole = box(left, top, size * len(ROWS[0]) - 2, size * len(ROWS), INK)
    parts.insert(0, '<clipPath id="raster">%s</clipPath>' % whole)
    x = left * 2 + size * len(ROWS[0])
    for i, words in enumerate(["One column of pixels (blue),", "one candidate for each row (red):",
                               "the target fewest columns away,", "across the edge as well.", "A row without targets has none.",
                               "Pale targets matter to other", "columns only."]):
        parts.append(text(x, top + 14 + i * 22, words))
    svg("geodesic-rows.svg", width, top * 2 + size * len(ROWS), parts)


# ---- One crossing ----

def distance(latitude, target, apart):
    a, b, k = math.radians(latitude), math.radians(target), math.radians(apart)
    along = math.cos(a) * math.sin(b) - math.sin(a) * math.cos(b) * math.cos(k)
    return 6371 * math.atan2(math.hypot(math.cos(b) * math.sin(k), along), math.sin(a) * math.sin(b) +
                             math.cos(a) * math.cos(b) * math.cos(k))


def polyline(points, stroke, width=2.0):
    return '<polyline fill="none" stroke="%s" stroke-width="%.1f" points="%s"/>' % (
        stroke, width, " ".join("%.1f,%.1f" % p for p in points))


def one_crossing():
    width, height, left, bottom = 700, 300, 60, 260
    north, south = (48, 70), (-12, 40)  # latitude, degrees of longitude from the meridian

    def at(latitude, km):
        return left + (latitude + 90) / 180 * 600, bottom - km / 16000 * 230

    latitudes = range(-90, 91)
    parts = [line(left, bottom, left + 600, bottom, SOFT), line(left, bottom - 230, left, bottom, SOFT)]
    curves = [[at(b, distance(b, *target)) for b in latitudes] for target in (north, south)]
    parts += [polyline(curves[0], TARGET), polyline(curves[1], PIXEL)]
    border = next(b for b in latitudes if distance(b, *north) <= distance(b, *south))
    x, y = at(border, distance(border, *north))
    parts += [line(x, y, x, bottom, INK, 1, 'stroke-dasharray="4 3"'),
              '<circle cx="%.1f" cy="%.1f" r="4"/>' % (x, y),
              text(x + 6, bottom - 8, "the only border: %d degrees north" % border),
              text(at(-88, 0)[0], 24, "distance from the pixels of a meridian, km"),
              text(at(40, 0)[0], curves[0][130][1] + 42, "to the northern target", 'fill="%s"' % TARGET),
              text(at(-80, 0)[0], curves[1][10][1] + 66, "to the southern target", 'fill="%s"' % PIXEL)]
    for b in (-90, -45, 0, 45, 90):
        parts.append(text(at(b, 0)[0], bottom + 18, "%d°" % b, 'text-anchor="middle"'))
    for km in (0, 5000, 10000, 15000):
        parts.append(text(left - 6, at(0, km)[1] + 4, "%d" % km, 'text-anchor="end"'))
    svg("geodesic-crossing.svg", width, height, parts)


if __name__ == "__main__":
    rows_first()
    one_crossing()
