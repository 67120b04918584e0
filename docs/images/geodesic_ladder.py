#!/usr/bin/env python3
"""Draws two pictures of docs/geodesic.md, the ladder and the division: python3 docs/images/geodesic_ladder.py"""
import math
from pathlib import Path

INK, SOFT, FAINT = "#22303c", "#7d8d99", "#d5dde3"
ONE, OTHER, THIRD = "#c3416e", "#1f77b4", "#2e8b57"


class Picture:
    def __init__(self, title, width, height):
        self.parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" '
                      'font-size="13" fill="%s">' % (width, height, INK), "<title>%s</title>" % title,
                      '<rect width="%d" height="%d" fill="#ffffff"/>' % (width, height)]

    def line(self, points, colour=SOFT, width=1.0, dash=""):
        if len(points) > 1:
            path = "M" + "L".join("%.1f %.1f" % p for p in points)
            more = ' stroke-dasharray="%s"' % dash if dash else ""
            self.parts.append('<path d="%s" fill="none" stroke="%s" stroke-width="%g"%s/>' % (path, colour, width, more))

    def dot(self, at, colour, radius=4.5):
        self.parts.append('<circle cx="%.1f" cy="%.1f" r="%g" fill="%s"/>' % (at[0], at[1], radius, colour))

    def text(self, x, y, words, colour=INK, anchor="start", bold=False):
        self.parts.append('<text x="%.1f" y="%.1f" fill="%s" text-anchor="%s"%s>%s</text>' % (
            x, y, colour, anchor, ' font-weight="bold"' if bold else "", words))

    def save(self, path):
        path.write_text("\n".join(self.parts + ["</svg>", ""]))


def draw_ladder(folder):
    picture = Picture("The ladder of distances", 900, 380)
    left, bottom, wide, high = 90, 320, 620, 270

    def place(km, error):
        return (left + wide * (math.log10(km) + 1) / 5.3, bottom - high * (math.log10(error) + 16) / 15)
    for power in range(-16, 0, 2):
        y = place(1, 10.0**power)[1]
        picture.line([(left, y), (left + wide, y)], FAINT, 0.8)
        picture.text(left - 8, y + 4, "1e%d" % power, SOFT, "end")
    for km, name in ((0.1, "100 m"), (1, "1 km"), (10, "10"), (100, "100"), (1000, "1000"), (10000, "10,000 km")):
        picture.text(place(km, 1)[0], bottom + 18, name, SOFT, "middle")
    tall = {"chord": [], "closed": [], "accurate": [], "value": []}
    for step in range(0, 431):
        km = 0.1 * 10**(step / 81)
        s = km / 6378.137
        t = 4 * math.sin(min(s, math.pi) / 2)**2
        tall["chord"].append(place(km, (1.9e-3 * t * (1 + 0.3 * t) + 0.024 * max(t - 3, 0)**2 + 3e-19 / t) / 2 + 5e-12))
        if t < 2:
            tall["closed"].append(place(km, 3e-5 * t**3 * (1 + 0.3 * t) + 2e-12 + 2e-15 / s))
        if t < 3.99:
            tall["accurate"].append(place(km, 1e-12 + 2e-15 / s))
            tall["value"].append(place(km, 6e-12 + 1.5e-15 / s))
    for name, colour in (("chord", ONE), ("closed", OTHER), ("accurate", THIRD)):
        picture.line(tall[name], colour, 2)
    picture.line(tall["value"], INK, 1.2, "4 3")
    picture.line([place(0.1, 3e-8), place(20000, 3e-8)], SOFT, 1.2, "2 3")
    picture.text(left + wide + 6, place(1, 0.02)[1], "chord: 2 multiplications", ONE)
    picture.text(left + wide + 6, place(1, 6e-5)[1], "closed form: to 90°", OTHER)
    picture.text(left + wide + 6, place(1, 3e-8)[1], "half a Float32 step", SOFT)
    picture.text(left + wide + 6, place(1, 3e-11)[1], "what is stored: below this")
    picture.text(left + wide + 6, place(1, 7e-13)[1], "accurate: to 174°", THIRD)
    picture.text(left, 28, "how wrong a rung may be, relatively, by distance (WGS 84)", bold=True)
    picture.save(folder / "geodesic-ladder.svg")


def draw_divide(folder):
    picture = Picture("Divide and conquer", 920, 330)
    left, bottom, wide, high = 60, 280, 560, 220
    borders = [(0, 2), (70, 5), (118, 6), (190, 11), (300, 14), (352, 17), (470, 21), (560, 21)]
    picture.line([(left, bottom), (left + wide, bottom)])
    picture.line([(left, bottom), (left, bottom - high)])
    for row in range(0, 23):
        y = bottom - high * row / 23
        picture.line([(left, y), (left + wide, y)], FAINT, 0.6)
    for (begin, owner), (end, _) in zip(borders, borders[1:]):
        y = bottom - high * owner / 23
        picture.line([(left + begin, y), (left + end, y)], ONE, 3)
    asked = [(2, "first"), (558, "last"), (262, "1"), (150, "2"), (420, "2"), (92, "3"), (330, "3"), (500, "3")]
    for x, name in asked:
        owner = [o for b, o in borders if b <= x][-1]
        picture.line([(left + x, bottom), (left + x, bottom - high * owner / 23)], OTHER, 1, "3 3")
        picture.dot((left + x, bottom - high * owner / 23), OTHER, 4)
        picture.text(left + x, bottom + 16, name, OTHER, "middle")
    picture.text(left, 24, "rows of one column: whose row is nearest moves one way only", bold=True)
    picture.text(left + wide / 2, bottom + 34, "row of the pixel", SOFT, "middle")
    picture.parts.append('<text x="30" y="170" fill="%s" text-anchor="middle" '
                         'transform="rotate(-90 30 170)">row of its target</text>' % SOFT)
    picture.text(left + wide + 20, 90, "Both ends of a segment have one owner:")
    picture.text(left + wide + 20, 108, "so has all between. Else ask the row")
    picture.text(left + wide + 20, 126, "where the two are equally far, among")
    picture.text(left + wide + 20, 144, "the candidates between them.")
    picture.save(folder / "geodesic-divide.svg")


def main():
    folder = Path(__file__).resolve().parent
    for draw in (draw_ladder, draw_divide):
        draw(folder)


if __name__ == "__main__":
    main()
