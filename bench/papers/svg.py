"""Plots as SVG text: lines on logarithmic or linear axes, and stacked bars. No library is
needed."""

import math
from html import escape

COLOURS = [
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#56b4e9",
    "#e69f00",
    "#000000",
    "#999999",
    "#661100",
    "#44aa99",
    "#332288",
    "#ddcc77",
]
FONT = 'font-family="sans-serif" font-size="12"'
WIDTH, HEIGHT = 460, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 30, 48


def text(x, y, words, anchor="middle", more=""):
    start = f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {FONT} {more}>'
    return f"{start}{escape(str(words))}</text>"


def line(x1, y1, x2, y2, colour="#ddd"):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def short(value):
    return f"{value:,.0f}" if value >= 10 else f"{value:g}"


class Axis:
    """From values to pixels. ticks: where to write a number; None: powers of ten, for a logarithmic
    axis."""

    def __init__(self, values, log, first, last, ticks=None):
        self.log, self.first, self.last = log, first, last
        values = values or ticks or [1, 10]
        low, high = min(values), max(values)
        if ticks is None:
            ticks = [
                10**k
                for k in range(math.floor(math.log10(low)), math.ceil(math.log10(high * 1.001)) + 1)
            ]
        self.low, self.high, self.ticks = min(low, *ticks), max(high, *ticks), ticks

    def __call__(self, value):
        scale = math.log10 if self.log else float
        low, high = scale(self.low), scale(self.high)
        return self.first + (self.last - self.first) * (scale(value) - low) / ((high - low) or 1)


def frame(title, x_axis, y_axis, x_name, y_name):
    parts = [text(WIDTH / 2, 18, title, more='font-weight="bold"')]
    for tick in x_axis.ticks:
        parts += [
            line(x_axis(tick), TOP, x_axis(tick), HEIGHT - BOTTOM),
            text(x_axis(tick), HEIGHT - BOTTOM + 16, short(tick)),
        ]
    for tick in y_axis.ticks:
        parts += [
            line(LEFT, y_axis(tick), WIDTH - RIGHT, y_axis(tick)),
            text(LEFT - 6, y_axis(tick) + 4, short(tick), "end"),
        ]
    parts += [
        text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x_name),
        text(
            0,
            0,
            y_name,
            more=f'transform="translate(14 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)"',
        ),
    ]
    return parts


def lines(title, series, x_name, y_name, log_x=False, x_ticks=None, colours=None):
    """series: {name: [(x, y), ...]}; y is logarithmic. A series without points is left out; the
    legend says so."""
    points = [point for values in series.values() for point in values]
    x_axis = Axis([x for x, _ in points], log_x, LEFT, WIDTH - RIGHT, x_ticks)
    y_axis = Axis([y for _, y in points], True, HEIGHT - BOTTOM, TOP)
    parts = frame(title, x_axis, y_axis, x_name, y_name)
    for name, values in series.items():
        colour = colours[name]
        path = " ".join(f"{x_axis(x):.1f},{y_axis(y):.1f}" for x, y in values)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>'
        )
        parts += [
            f'<circle cx="{x_axis(x):.1f}" cy="{y_axis(y):.1f}" r="2.6" fill="{colour}"/>'
            for x, y in values
        ]
    if not points:
        parts.append(text(WIDTH / 2, HEIGHT / 2, "not measured on this machine"))
    return parts


def bars(title, columns, x_name, y_name, colours):
    """columns: {label: {name: share}}, stacked to 1."""
    y_axis = Axis([0, 100], False, HEIGHT - BOTTOM, TOP, [0, 20, 40, 60, 80, 100])
    parts = [text(WIDTH / 2, 18, title, more='font-weight="bold"')]
    for tick in y_axis.ticks:
        parts += [
            line(LEFT, y_axis(tick), WIDTH - RIGHT, y_axis(tick)),
            text(LEFT - 6, y_axis(tick) + 4, short(tick), "end"),
        ]
    column = (WIDTH - RIGHT - LEFT) / max(len(columns), 1)
    for place, (label, shares) in enumerate(columns.items()):
        below = 0
        for name, share in shares.items():
            top, bottom = y_axis(100 * (below + share)), y_axis(100 * below)
            parts.append(
                f'<rect x="{LEFT + column * (place + 0.15):.1f}" y="{top:.1f}" '
                f'width="{column * 0.7:.1f}" '
                f'height="{bottom - top:.1f}" fill="{colours[name]}"/>'
            )
            below += share
        parts.append(text(LEFT + column * (place + 0.5), HEIGHT - BOTTOM + 16, label))
    if not columns:
        parts.append(text(WIDTH / 2, HEIGHT / 2, "not measured on this machine"))
    return parts + [
        text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x_name),
        text(
            0,
            0,
            y_name,
            more=f'transform="translate(14 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)"',
        ),
    ]


def colours_of(names):
    return {name: COLOURS[k % len(COLOURS)] for k, name in enumerate(names)}


def page(panels, colours, empty=()):
    """Panels two a line, the legend below, two names to a panel's width; those in `empty`, which
    have no value, struck through."""
    across = min(len(panels), 2)
    down, legend = math.ceil(len(panels) / across), math.ceil(len(colours) / (2 * across)) * 18 + 12
    width, height = across * WIDTH, down * HEIGHT + legend
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for k, panel in enumerate(panels):
        parts += [
            f'<g transform="translate({k % across * WIDTH} {k // across * HEIGHT})">',
            *panel,
            "</g>",
        ]
    for k, (name, colour) in enumerate(colours.items()):
        x, y = 20 + k % (2 * across) * WIDTH / 2, down * HEIGHT + 16 + k // (2 * across) * 18
        fill = f'fill="none" stroke="{colour}"' if name in empty else f'fill="{colour}"'
        more = 'fill="#888" text-decoration="line-through"' if name in empty else ""
        parts += [
            f'<rect x="{x}" y="{y - 9}" width="14" height="8" {fill}/>',
            text(x + 20, y, name, "start", more),
        ]
    return "\n".join([*parts, "</svg>", ""])
