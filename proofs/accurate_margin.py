#!/usr/bin/env python3
"""Proves how much accurate() (src/core/globe/ladder.h) leaves of a length, for every pair of points that it is used for.

    python3 proofs/accurate_margin.py        needs nothing; a minute

docs/geodesic.md, "Margins", derives the bounds. Between two latitudes let w be the longitude on the sphere of reduced
latitudes, s the arc there, g the sine of the azimuth at the equator, and turn(w) = f g J what the sphere's longitude has more
than the ellipsoid's. Derivatives are by w; the arc grows by g. All pairs are covered by boxes of the arc and of g, both at the
pair's true longitude, where Newton's method starts. Bounds are evaluated in binary64: its rounding, 1e-13 here, is nothing
beside what the results lack to 1. Not covered: rounding in accurate() itself, and that its series end with the fourth power
(printed apart)."""
import math
import re
import sys
from pathlib import Path

LADDER = (Path(__file__).resolve().parents[1] / "src/core/globe/ladder.h").read_text()
MARGIN = float(re.search(r"accurate_margin\(double distance\) \{ return distance \* (\S+)", LADDER)[1])
ARCS, SINES = 1000, 100  # boxes


def constant(name):
    return float(re.search(r"#define %s (\S+)" % name, LADDER)[1])


def mixed(a, b, g, c):
    """(1 - g^2) a + g^2 b, at most."""
    return min(c * a + g * g * b, max(a, b))


class Bounds:
    """Of derivatives, for arcs and sines g between two."""

    def __init__(self, f, arcs, sines):
        first, last = arcs
        ep2 = f * (2 - f) / (1 - f) ** 2
        g, c = sines[1], 1 - sines[0] ** 2  # c: of 1 - g^2
        p = ep2 * (1 - f) / (2 - f)  # of the integrand of J, by the sine of the latitude
        sine = min(math.sin(first), math.sin(last))
        per, half = last / sine, math.tan(last / 2)
        bent = p * math.sqrt(c) * half
        self.g1 = c / sine
        self.g2 = g * c * (1 + 3 / sine ** 2)
        self.slope = f * mixed(per, 1 + bent, g, c)
        self.wrong = f * mixed(f / 2 * per, f / 2 + bent, g, c)  # of the slope that is used
        long = (last - math.sin(last) * math.cos(last)) / (2 * sine ** 2)
        self.turn2 = f * (self.g2 * last + 2 * g * c / sine * (1 + bent) + g * c / sine
                          + p * g * (2 * half / sine + 1 + (1 + 2 * ep2) * long + (1 - math.cos(last)) / sine ** 2))


def around(f, arcs, sines):
    """All arcs and sines that Newton's method meets from there on."""
    turn = 1.1 * f * arcs[1] * sines[1]
    for _ in range(3):
        wide = (arcs[0] - 0.1 * turn, arcs[1] + turn)
        sine = min(math.sin(wide[0]), math.sin(wide[1]))
        moved = turn / sine * (1 - max(sines[0] - turn / sine, 0) ** 2)
        met = (max(sines[0] - moved, 0), min(sines[1] + moved, 1))
        turn = 1.1 * f * arcs[1] * met[1]
    return wide, met


def left_over(f, arcs, sines, rounds):
    """At most, relative to the length; infinite: the bounds do not say that the method converges."""
    wide, met = around(f, arcs, sines)
    start = f * wide[1] * met[1]
    bounds = Bounds(f, wide, met)
    if not bounds.slope < 0.9:
        return math.inf
    error = start
    for _ in range(rounds):
        error = (bounds.turn2 / 2 * error ** 2 + bounds.wrong * error) / (1 - bounds.slope)
        if not error < 0.1 * f * arcs[1] * sines[1]:
            return math.inf
    off = error * (1 + bounds.slope)
    second = bounds.g1 / 2 * off ** 2 * bounds.slope / (1 - bounds.slope)
    third = (bounds.g2 + bounds.g1 * bounds.turn2) / (1 - bounds.slope) ** 3 / 6 * off ** 3
    return (second + third) / (arcs[0] * (1 - f))


def worst(f, arcs, sines, rounds, depth=0):
    here = left_over(f, arcs, sines, rounds)
    if here < 0.5 * MARGIN or depth > 14:
        return here
    if depth % 2:
        middle = (arcs[0] + arcs[1]) / 2
        parts = (((arcs[0], middle), sines), ((middle, arcs[1]), sines))
    else:
        middle = (sines[0] + sines[1]) / 2
        parts = ((arcs, (sines[0], middle)), (arcs, (middle, sines[1])))
    return max(worst(f, *part, rounds, depth + 1) for part in parts)


def boxes(low, high, count):
    return [(low * (high / low) ** (i / count), low * (high / low) ** ((i + 1) / count)) for i in range(count)]


def series_rest(f):
    """What A1 and C1 leave of a length by ending with eps^4, relatively: the next coefficients, each times the number of its
    harmonic, doubled."""
    eps = f * (2 - f) / (1 - f) ** 2 / 4
    return 2 * eps ** 5 * 2 * (1 / 32 + 3 * 3 / 256 + 5 * 7 / 1280)


def main():
    failed = False
    for what, f, most, rounds in (("f <= 1/290, one round", 1 / 290, constant("ONE_ROUND_CHORD2"), 1),
                                  ("f <= 1/290, two rounds", 1 / 290, constant("FAR_CHORD2"), 2),
                                  ("f <= 1/150, two rounds", (1 + 1e-12) / 150, constant("FLAT_FAR_CHORD2"), 2)):
        found, at = 0.0, None
        for arcs in boxes(1e-6, 2 * math.asin(math.sqrt(most) / 2), ARCS):
            for i in range(SINES):
                here = worst(f, arcs, (i / SINES, (i + 1) / SINES), rounds)
                if here > found:
                    found, at = here, (math.degrees(arcs[1]), i / SINES)
        print("%s: at most %.4f of the margin is needed (arc %.2f, g %.2f), and %.4f for the end of the series%s" % (
            what, found / MARGIN, at[0], at[1], series_rest(f) / MARGIN, "" if found < MARGIN else ": NOT PROVEN"))
        failed |= not found < MARGIN
    return failed


if __name__ == "__main__":
    sys.exit(main())
