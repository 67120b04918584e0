"""Verdicts: what may be said of a claim once its cases have been measured.

Nothing here knows a paper. A rule of claims.py turns measured values into cases, each true or
false, with the functions below; of_cases makes the verdict. The constants are part of the rules'
text in docs/reproduction.md, so that what is printed is what is applied."""

import math
import re

HOLDS = "holds"
PART = "holds in part"
NOT = "does not hold"
INCOMPARABLE = "not comparable"
UNKNOWN = "not measured here"

PART_SHARE = 0.5  # "in part" takes at least this share of the cases


def within(value, low, high, tolerance=0.0):
    """Whether a value lies in the claimed range, widened at both ends by a share of the end.

    False for NaN."""
    return low - tolerance * abs(low) <= value <= high + tolerance * abs(high)


def contained(values, low, high, tolerance=0.0):
    """Whether the whole measured range lies in the claimed one. That they overlap is not enough,
    and no value at all is contained in nothing."""
    values = list(values)
    return bool(values) and all(within(value, low, high, tolerance) for value in values)


def of_cases(cases):
    """The verdict on a claim about several cases; None if there was none."""
    cases = list(cases)
    if not cases:
        return None
    share = sum(map(bool, cases)) / len(cases)
    return HOLDS if share == 1 else PART if share >= PART_SHARE else NOT


def same_machine(machine, parts):
    """Whether the line that describes this machine names every part of the paper's, as words of
    their own: an A100 is no A10."""
    return all(re.search(rf"(?<!\w){re.escape(part)}(?!\w)", machine) for part in parts)


def slope(points):
    """Exponent of y over x: least squares over the logarithms."""
    x, y = [math.log(a) for a, _ in points], [math.log(b) for _, b in points]
    mean_x, mean_y = math.fsum(x) / len(x), math.fsum(y) / len(y)
    above = math.fsum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return above / math.fsum((a - mean_x) ** 2 for a in x)
