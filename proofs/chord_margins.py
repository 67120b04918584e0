#!/usr/bin/env python3
"""Proves the margins of chords (chord_margin and near_margin in src/core/globe/ladder.h) for every flattening up to 1/150.

    python3 proofs/chord_margins.py        needs mpmath; a minute

docs/geodesic.md, "Margins", derives the bounds that are evaluated here, in interval arithmetic, so that rounding cannot hide
a failure. In short: K and k are the largest and the smallest normal curvature of the ellipsoid, rho = k / K. The squared
chord t of a geodesic of length s lies between

    low(s) = s^2 - W(s)   and   up(s) = s^2 - rho^2 V(s),

W and V being 2 * integral of (s - h) * (1 - cos K h) from 0 to s, in W with cos K h = -1 where K h is beyond half a turn. Of
two targets that are both s away, or the one with the longer chord nearer, chords differ by at most up(s) - low(s); and a
longer margin belongs to a longer chord, so that it is enough that

    up(s) - low(s)  <=  chord_margin(low(s))                                                              (1)

For two targets that lie d apart the difference is at most d times the mean, along the way, of the gradient of t - G(D), G'
being the middle of its bounds: along the geodesic (1 - rho^2) (s - sin(K s) / K), across it 2 T min(K s^3 / 6, s^2 / 2), T
being the largest torsion. It is enough that

    d * mean of L(s + min(x, 1 - x) d)  <=  near_margin(low(s), a^2),   d = 2 / K asin(K a / 2)           (2)

for the largest a that is asked about, 0.3 sqrt(t): L and d / a grow with a.
"""
import sys

from mpmath import iv, mpf

iv.dps = 20
E2_WGS84 = mpf("0.0066943799901413165")
FLATTEST = mpf(1) / 150 * (1 + mpf(10) ** -12)
SHORT = mpf("1.5")  # up to here by the first terms of series, divided by the powers of s that both sides have


def upper(x):
    return mpf(x.b)


def lower(x):
    return mpf(x.a)


class Ellipsoid:
    """Of an interval of flattenings; the semi-major axis is 1."""

    def __init__(self, first, last):
        f = iv.mpf([first, last])
        self.e2 = f * (2 - f)
        self.K = 1 / (1 - self.e2)  # along the meridian, at the equator
        self.rho = (1 - f) * (1 - self.e2)  # the smallest is 1 - f, at the poles
        self.spread = 1 - self.rho ** 2
        self.torsion = self.e2 / (1 - self.e2) / 2
        self.ratio = iv.mpf(max(mpf(1), lower(self.e2) / E2_WGS84))
        self.longest = upper(iv.pi * (1 - f / 2 + f ** 2 / 8))  # half a meridian, at least


def chord_slack(e, t):
    """As in ladder.h, without the parts that are there for rounding."""
    past = t - 3 if lower(t) > 3 else iv.mpf(0)
    return e.ratio * (iv.mpf("1.9e-3") * t * (1 + iv.mpf("0.3") * t) + iv.mpf("0.024") * past ** 2)


def near_factor(e, t, power_of):
    """near_margin is this times the chord between the targets; with power_of for t where it is t^(3/2)."""
    return iv.mpf("5e-3") * e.ratio * power_of * iv.sqrt(power_of) * (1 + iv.mpf("0.1") * t + iv.mpf("0.033") * t ** 2)


def bent(e, s):
    """V(s)."""
    return s ** 2 - 2 / e.K ** 2 * (1 - iv.cos(e.K * s))


def bent_clamped(e, s):
    """W(s), enclosed where it is not known on which side of half a turn K s is."""
    past = e.K * s - iv.pi
    free = bent(e, s)
    if upper(past) <= 0:
        return free
    beyond = 2 * s * iv.pi / e.K - (iv.pi / e.K) ** 2 - 4 / e.K ** 2 + 2 * (past / e.K) ** 2
    return beyond if lower(past) >= 0 else iv.mpf([min(lower(free), lower(beyond)), max(upper(free), upper(beyond))])


# ---- (1) ----

def chord_ratio(e, s):
    """What is needed, as a part of what there is."""
    if upper(s) <= SHORT:  # both sides over s^4
        needed = e.spread * e.K ** 2 / 12
        t_per = 1 - e.K ** 2 * s ** 2 / 12
        return upper(needed / (t_per ** 2 * e.ratio * iv.mpf("1.9e-3") * (1 + iv.mpf("0.3") * t_per * s ** 2)))
    low = s ** 2 - bent_clamped(e, s)
    needed = e.spread * bent(e, s) + (bent_clamped(e, s) - bent(e, s) if upper(e.K * s - iv.pi) > 0 else 0)
    return upper(needed / (low * chord_slack(e, low)))


# ---- (2) ----

def gradient(e, s):
    """L(s), at most."""
    across = 2 * e.torsion * min(upper(e.K * s ** 3 / 6), upper(s ** 2 / 2))
    return iv.sqrt((e.spread * (s - iv.sin(e.K * s) / e.K)) ** 2 + across ** 2)


PARTS = 16  # of the way, of which both halves are alike; L grows


def near_ratio_short(e, s):
    """L is at most `per` times s^3."""
    per = iv.sqrt((e.spread * e.K ** 2 / 6) ** 2 + (e.torsion * e.K / 3) ** 2)
    half = iv.mpf(upper(e.K * s * iv.mpf("0.15")))
    stretch = arcsine(half) / half
    mean = sum((1 + iv.mpf("0.3") * stretch * (i + 1) / (2 * PARTS)) ** 3 for i in range(PARTS)) / PARTS
    t_per = 1 - e.K ** 2 * s ** 2 / 12
    return upper(per * mean * stretch / near_factor(e, t_per * s ** 2, t_per))


def near_ratio(e, s):
    if upper(s) <= SHORT:
        return near_ratio_short(e, s)
    low = s ** 2 - bent_clamped(e, s)
    if lower(low) >= mpf("3.8"):
        return mpf(0)
    a = iv.mpf("0.3") * iv.sqrt(s ** 2 - e.rho ** 2 * bent(e, s))
    d = iv.mpf(upper(2 / e.K * arcsine(e.K * iv.mpf(upper(a)) / 2)))
    mean = sum(gradient(e, s + d * (i + 1) / (2 * PARTS)) for i in range(PARTS)) / PARTS
    return upper(mean * (d / iv.mpf(upper(a))) / near_factor(e, low, low))


def arcsine(x):
    """Of at most 0.5, by its series; the rest is less than the next term over 1 - x^2."""
    term, total = x, x
    for n in range(1, 12):
        term = term * x ** 2 * (2 * n - 1) / (2 * n)
        total += term / (2 * n + 1)
    rest = upper(term) * upper(x) ** 2 / (1 - upper(x) ** 2)
    return total + iv.mpf([0, rest])


# ---- All flattenings and lengths ----

def pieces(first, last, count):
    return [(first + (last - first) * i / count, first + (last - first) * (i + 1) / count) for i in range(count)]


def lengths(e):
    return pieces(mpf(0), SHORT, 100) + pieces(SHORT, e.longest, 800)


def worst(ratio, flattenings):
    return max(ratio(e, iv.mpf(list(s))) for e in (Ellipsoid(*f) for f in flattenings) for s in lengths(e))


def main():
    wgs84 = mpf(1) / mpf("298.257223563")
    flattenings = pieces(mpf(0), wgs84, 24) + pieces(wgs84, FLATTEST, 48)
    failed = False
    for name, ratio in (("chord_margin", chord_ratio), ("near_margin", near_ratio)):
        found = worst(ratio, flattenings)
        print("%s: at most %.4f of it is needed%s" % (name, found, "" if found < 1 else ": NOT PROVEN"))
        failed |= not found < 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
