"""A colour for each facility, so that neighbours on the map differ clearly."""
import colorsys

GOLDEN_ANGLE = 137.508 / 360.0  # successive hues never come close to an earlier one
PALETTE_SIZE = 48
# (saturation, value) by turns: hues that are near each other late in the palette still differ in lightness
TONES = ((0.55, 0.90), (0.75, 0.70), (0.35, 0.97))
# Distances between two colours go up to about 765 (black to white). Two pastel greens 60 apart are hard to tell on a map.
CLEAR = 150


def palette():
    colours = []
    for index in range(PALETTE_SIZE):
        tone = TONES[index % len(TONES)]
        colours.append(tuple(round(255 * part) for part in colorsys.hsv_to_rgb(index * GOLDEN_ANGLE % 1.0, *tone)))
    return colours


def difference(one, other):
    """Weighted distance in RGB: the eye sees green best, and red better in reddish colours, blue in bluish ones."""
    red = (one[0] + other[0]) / 512.0
    dr, dg, db = (a - b for a, b in zip(one, other))
    return ((2 + red) * dr * dr + 4 * dg * dg + (3 - red) * db * db) ** 0.5


def choose_colours(neighbours, stopped=lambda: False):
    """neighbours: for each node the set of those beside it. Returns an (r, g, b) for each node.

    Greedy, the node with most neighbours first: of the colours that differ clearly from all neighbours' the least used one,
    or else the one that differs most. So up to 48 nodes have colours of their own where that is possible at all.
    stopped() is asked now and then; once it is true the rest is left as it comes."""
    colours = palette()
    differences = [[difference(one, other) for other in colours] for one in colours]
    used, chosen = [0] * len(colours), [None] * len(neighbours)
    for count, node in enumerate(sorted(range(len(neighbours)), key=lambda node: -len(neighbours[node]))):
        if count % 1000 == 0 and stopped():
            break
        around = {chosen[other] for other in neighbours[node]} - {None}

        def worth(colour):
            apart = min((differences[colour][other] for other in around), default=CLEAR)
            return (1, -used[colour], -colour) if apart >= CLEAR else (0, apart, -colour)

        chosen[node] = max(range(len(colours)), key=worth)
        used[chosen[node]] += 1
    return [colours[colour or 0] for colour in chosen]
