#!/usr/bin/env python3
"""Derives the three leading rationals of flattening_term in src/core/globe/ladder.h: what is added to the circle's 3/640.

    python3 proofs/closed_form.py        needs sympy; seconds

On the sphere of reduced latitudes a great circle of length s has the height z(h) = m cos h + w sin h, h from -s/2 to s/2:
m is its height in the middle, w its slope there. The ellipsoid is that sphere, its heights times sqrt(1 - e2). To first order
in e2 (longer terms come from second order, and are in the other coefficients of flattening_term, which were fitted):

  length   D = s - e2/2 * integral of z'(h)^2   (of the great circle: another path of the same ends is longer by second order)
  chord    t = 4 sin^2(s/2) - e2 (z(s/2) - z(-s/2))^2

The closed form replaces D by the arc over t of a circle whose curvature is the normal section's at the mean latitude; what it
lacks is e2 t^(5/2) times a polynomial in m and w, which has to be what the three rationals make of q = e2 * (sine of the mean
geodetic latitude)^2 and of y, the part of t across the meridian.
"""
import sys

import sympy as sp

s, e2, m, w = sp.symbols("s e2 m w", positive=True)
ORDER = 6  # of s; the difference is of fifth order


def first_order(x):
    """Of e2, and of s as far as it matters."""
    zeroth = sp.series(x.subs(e2, 0), s, 0, ORDER).removeO()
    first = sp.series(sp.diff(x, e2).subs(e2, 0), s, 0, ORDER).removeO()
    return sp.expand(zeroth + e2 * first)


def main():
    h = sp.symbols("h")
    z = m * sp.cos(h) + w * sp.sin(h)
    length = s - e2 / 2 * sp.integrate(sp.expand(sp.diff(z, h) ** 2), (h, -s / 2, s / 2))
    one, other = z.subs(h, -s / 2), z.subs(h, s / 2)
    t = 4 * sp.sin(s / 2) ** 2 - e2 * (other - one) ** 2
    cosines = sp.sqrt(1 - one ** 2), sp.sqrt(1 - other ** 2)
    # sine^2 of the mean latitude from both ends'; what geodetic latitudes differ from reduced ones is of the next order
    mean2 = (1 - cosines[0] * cosines[1] + one * other) / 2
    along = (cosines[0] - cosines[1]) ** 2 + (other - one) ** 2
    q, y = e2 * mean2, 1 - along / (4 * sp.sin(s / 2) ** 2)
    curvature = 1 - q / 2 + (1 - y) * (e2 - q)  # first order of the mean of both principal ones, by the chord's parts
    v = first_order(curvature ** 2 * t)
    closed = sp.sqrt(t) * (1 + v / 24 + sp.Rational(3, 640) * v ** 2 + sp.Rational(5, 7168) * v ** 3)
    lacking = sp.expand(first_order(length) - first_order(closed))
    lacking = sp.simplify(lacking.coeff(e2, 1).coeff(s, 5))
    y0 = 1 - w ** 2 / (1 - m ** 2)  # of a short arc: a slope of w is one of w / cos(latitude) on the sphere
    rationals = (y0 - 1) / 160 + m ** 2 * (sp.Rational(1, 80) - y0 / 60)
    left = sp.simplify(lacking - rationals)
    lower = [sp.simplify((first_order(length) - first_order(closed)).expand().coeff(e2, 1).coeff(s, n)) for n in range(1, 5)]
    print("lacking beside e2 t^(5/2):", sp.factor(lacking))
    print("by the three rationals:   ", sp.factor(rationals))
    print("left:", left, " lower orders:", lower)
    return left != 0 or any(lower)


if __name__ == "__main__":
    sys.exit(main())
