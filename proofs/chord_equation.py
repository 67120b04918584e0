#!/usr/bin/env python3
"""Proves the margins of chords a second time, in another way than chord_margins.py, and with more to spare.

    python3 proofs/chord_equation.py        needs numpy; ten seconds

docs/geodesic.md, "Margins", has the equation t'' = 2 - K t of a squared chord along its geodesic, with 1 - e2 <= K <= 1 / (1 -
e2)^2. What it bounds grows with t and with the flattening f, so that on a box of both the bound at its upper corner over the
margin at its lower one is an upper bound of the ratio. Bounds are evaluated in binary64: its rounding, 1e-12 here, is nothing
beside what the ratios lack to 1."""
import sys

import numpy as np

E2_WGS84 = 0.0066943799901413165
FLATTEST = (1 + 1e-12) / 150


def chord_slack(t, ratio):
    """As in ladder.h, without the parts that are there for rounding; and so below."""
    return ratio * (1.9e-3 * t * (1 + 0.3 * t) + 0.024 * np.maximum(t - 3, 0)**2)


def near_margin(t, apart2, ratio):
    return 5e-3 * ratio * t * (1 + t * (0.1 + 0.033 * t)) * np.sqrt(t * apart2)


def eccentricity2(f):
    return f * (2 - f)


def ratio_of(e2):
    return np.maximum(1, e2 / E2_WGS84)


def boxes(low, high, factor):
    """Ends of intervals that cover low to high, as a pair of arrays."""
    count = int(np.ceil(np.log(high / low) / np.log(factor)))
    ends = low * (high / low)**(np.arange(count + 1) / count)
    return ends[:-1], ends[1:]


def flattenings(factor=1.002):
    """Up to that of WGS 84 margins are the same and bounds grow: its end stands for them all."""
    low, high = boxes(1 / 298.3, FLATTEST, factor)
    return np.append(1 / 298.3, low), np.append(1 / 298.2, high)


def curvatures(e2):
    """The range of K."""
    return 1 - e2, 1 / (1 - e2)**2


def longest(e2):
    """Half a meridian, at most."""
    return np.pi * np.sqrt(1 - e2 / 2)


def report(what, ratio, where):
    worst = np.unravel_index(np.argmax(ratio), ratio.shape)
    at = ", ".join("%s %.4g" % (name, values[worst] if values.ndim == ratio.ndim else values)
                   for name, values in where.items())
    print("%-34s bound / margin %.4f  (%s)" % (what, ratio[worst], at))
    return bool(ratio[worst] < 1)


# ---- Chords ----

def chord_ratios(t_low, t_high, f_low, f_high):
    e2 = eccentricity2(f_high)
    low, high = curvatures(e2)
    half = np.arcsin(np.minimum(np.sqrt(low * t_high) / 2, 1))
    grown = half * np.sqrt(high / low)
    inside = np.minimum(grown, np.pi / 2)
    steep = 1 - inside / np.tan(inside)  # grows with the angle
    less = -np.expm1(-3 * -np.log1p(-e2) * steep)
    beyond = np.maximum(np.sqrt(high) * longest(e2) - np.pi, 0)
    least = 4 / high * np.cos(beyond / 2)**2 - (high - low) * beyond**4
    less = np.maximum(np.where(grown < np.pi / 2, less, 0), 1 - least / t_high)
    return less / chord_slack(t_low, ratio_of(eccentricity2(f_low)))


def prove_chords():
    f_low, f_high = (f[:, None] for f in flattenings())
    t_low, t_high = (t[None, :] for t in boxes(1e-9, 4.0, 1.001))
    ratios = chord_ratios(t_low, t_high, f_low, f_high)
    t, f = np.broadcast_arrays(t_high, f_high)
    return report("chord", ratios, {"t": t, "1/f": 1 / f})


# ---- Chords of neighbours ----

PIECES = 64


def sheared(r, e2):
    """How fast t may change along a path, beside what a sphere of curvature K0 would have: g(r)."""
    low, high = curvatures(e2)
    middle = 1 / (1 - e2 / 2)
    spread, root = np.maximum(high - middle, middle - low), np.sqrt(low)

    def area(x):  # the integral of the longest t
        return np.where(x * root > 0.05, 2 / low * (x - np.sin(root * x) / root), x**3 / 3)
    along = 0
    for i in range(PIECES):
        begin, end = r * i / PIECES, r * (i + 1) / PIECES
        a, b = np.sqrt(middle) * (r - end), np.sqrt(middle) * (r - begin)
        ends = np.maximum(abs(np.cos(a)), abs(np.cos(b)))
        cosine = np.where((a <= np.pi) & (b >= np.pi), 1, ends)
        along += cosine * (area(end) - area(begin)) * (1 + 1e-12)
    across = e2 / (1 - e2)**2 / 2 * area(r)
    steep = (spread + e2 / (1 - e2)**2 / 2) * r**2 + spread * 1.01 * area(r)
    return np.hypot(spread * along, across), steep


def near_ratios(t_low, t_high, f_low, f_high):
    e2 = eccentricity2(f_high)
    low, high = curvatures(e2)
    apart = 0.3 * np.sqrt(t_high)
    path = 2 / np.sqrt(high) * np.arcsin(np.sqrt(high) * apart / 2)
    far = np.minimum(2 / np.sqrt(high) * np.arcsin(np.minimum(np.sqrt(high * t_high) / 2, 1)), longest(e2))
    far = np.where(high * t_high >= 4, longest(e2), far)
    end = np.minimum(far + path, longest(e2))
    root = 1 / np.sqrt(1 - e2 / 2)
    pull = 2 / root * np.minimum(np.sin(root * far), np.sin(root * end))
    is_level = pull >= path * sheared(end, e2)[1]  # then equal distances are the worst
    reach = np.where(is_level, path / 2, path)
    mean = sum(sheared(np.minimum(far + reach * (i + 1) / 8, longest(e2)), e2)[0] for i in range(8)) / 8
    given = near_margin(t_low, 0.09 * t_low, ratio_of(eccentricity2(f_low)))
    return path * mean / given


def prove_near():
    f_low, f_high = (f[:, None] for f in flattenings(1.01))
    t_low, t_high = (t[None, :] for t in boxes(1e-9, 4.0, 1.005))
    ratios = near_ratios(t_low, t_high, f_low, f_high)
    t, f = np.broadcast_arrays(t_high, f_high)
    return report("chords of neighbours", ratios, {"t": t, "1/f": 1 / f})


def main():
    held = [prove_chords(), prove_near()]
    print("both hold" if all(held) else "NOT PROVEN")
    return not all(held)


if __name__ == "__main__":
    sys.exit(main())
