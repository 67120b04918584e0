"""The tables of docs/reproduction.md, written between its marks."""

import re

import claims
import experiments
from results import memory_of, time_of

NOTHING = "—"
PAIRS = [
    ("serial", "breu"),
    ("man", "cuda-man"),
    ("black", "cuda-black"),
    ("pr_edt", "cuda-pr-edt"),
]  # published, here
OURS = ["cuda", "cpu", experiments.ONE_THREAD]
# The methods of PAIRS: the paper's name, then the engine.
PAIR_HEADS = ["serial", "breu", "Man", "cuda-man", "Black", "cuda-black", "PR-EDT", "cuda-pr-edt"]


def number(value):
    if value is None:
        return NOTHING
    digits = 0 if value >= 1000 else 1 if value >= 100 else 2 if value >= 1 else 3
    return f"{value:,.{digits}f}"


def ms(row):
    """The time, and of how many runs it is the mean if not of 20."""
    value = time_of(row)
    if value is None:
        return NOTHING
    return number(value) + ("" if row["repeats"] == 20 else f" ({row['repeats']:.0f})")


def ratio(above, below):
    return f"{above / below:,.1f}" if above and below else NOTHING


def table(heads, rows, left=1):
    marks = ["---"] * left + ["---:"] * (len(heads) - left)
    return "\n".join("| " + " | ".join(map(str, cells)) + " |" for cells in [heads, marks, *rows])


def why_missing(results, experiment):
    """A line for each reason why cells are empty."""
    reasons = {}
    for row in results.rows[experiment]:
        if row["missing"] and not row["missing"].startswith("left out"):
            reasons.setdefault(row["missing"].replace(f"engine {row['engine']}: ", ""), set()).add(
                row["engine"].split(":")[0]
            )
    lines = [
        f"{NOTHING} {', '.join(sorted(engines))}: not measured on this machine ({reason})."
        for reason, engines in reasons.items()
    ]
    return ("\n\n" + "\n\n".join(lines)) if lines else ""


def table1(results):
    rows = []
    for (side, percent), paper in results.table1.items():
        cells = [f"{side} x {side}, {percent} %"]
        for column, engine in PAIRS:
            cells += [number(paper[column]), f"**{ms(results.pr_edt(engine, side, percent))}**"]
        rows.append(cells + [f"**{ms(results.pr_edt(engine, side, percent))}**" for engine in OURS])
    return table(["raster, targets", *PAIR_HEADS, *OURS], rows) + why_missing(results, "pr_edt")


def speedups(results):
    rows = []
    for (side, percent), paper in results.table1.items():
        serial, cells = (
            time_of(results.pr_edt("breu", side, percent)),
            [f"{side} x {side}, {percent} %"],
        )
        for column, engine in PAIRS[1:]:
            cells += [
                ratio(paper["serial"], paper[column]),
                f"**{ratio(serial, time_of(results.pr_edt(engine, side, percent)))}**",
            ]
        rows.append(
            cells
            + [
                f"**{ratio(serial, time_of(results.pr_edt(engine, side, percent)))}**"
                for engine in OURS
            ]
        )
    return table(
        [
            "raster, targets",
            "S1, Man",
            "cuda-man",
            "S2, Black",
            "cuda-black",
            "S3, PR-EDT",
            "cuda-pr-edt",
            *OURS,
        ],
        rows,
    )


def table2(results):
    rows = []
    for (side,), paper in results.table2.items():
        cells = [f"{side} x {side}"]
        for column, engine in PAIRS:
            cells += [f"{paper[column]:,.0f}", f"**{number(memory_of(results, engine, side))}**"]
        rows.append(
            cells
            + [f"**{number(memory_of(results, engine, side))}**" for engine in ("cuda", "cpu")]
        )
    return table(["raster", *PAIR_HEADS, "cuda", "cpu"], rows) + why_missing(results, "pr_edt")


def lists(results):
    side, rows = results.sides()[-1], []
    for percent in results.percents():
        row = results.pr_edt("breu", side, percent)
        rows.append(
            [
                f"{percent:g} %",
                number(row["listed_down"]),
                number(row["listed_up"]),
                ms(row),
                ms(results.pr_edt("cuda-pr-edt", side, percent)),
            ]
        )
    return table(
        [
            f"targets in {side} x {side}",
            "upper set, mean of the rows",
            "lower set",
            "breu, ms",
            "cuda-pr-edt, ms",
        ],
        rows,
    )


def voronoi_table(results, experiment, key, label):
    values, rows = sorted(results.all(experiment, key)), []
    for engine in results.all(experiment, "engine"):
        found = {row[key]: row for row in results.rows[experiment] if row["engine"] == engine}
        cells = [found.get(value) for value in values]
        wrong = [
            row["different"] / row["side"] ** 2
            for row in cells
            if row and row["different"] is not None
        ]
        rows.append(
            [
                engine,
                *(number(time_of(row)) for row in cells),
                f"{100 * max(wrong):.2g} %" if wrong else NOTHING,
            ]
        )
    heads = ["engine, ms", *(label(value) for value in values), "pixels not exact, at most"]
    return table(heads, rows) + why_missing(results, experiment)


def voronoi(results):
    return voronoi_table(results, "voronoi", "side", lambda side: f"{side:.0f} x {side:.0f}")


def voronoi_targets(results):
    return voronoi_table(
        results, "voronoi_targets", "targets", lambda count: f"{count:.0f} targets"
    )


def claim_table(results):
    rows = [
        [claim.text, claim.published, claim.rule, f"**{verdict}**", measured]
        for claim, verdict, measured in claims.verdicts(results)
    ]
    return table(["claim", "published", "rule", "here", "measured here"], rows, 5)


def machine(results):
    return results.machine


TABLES = [machine, table1, speedups, table2, lists, voronoi, voronoi_targets, claim_table]


def write(results, path):
    with open(path) as file:
        text = file.read()
    for make in TABLES:
        marks = re.compile(
            f"(<!-- begin {make.__name__} -->\n).*?(<!-- end {make.__name__} -->)", re.DOTALL
        )
        found = marks.search(text)
        if not found:
            raise SystemExit(f"{path} has no place for {make.__name__}")
        new = f"{found[1]}\n{make(results)}\n\n{found[2]}"
        text = text[: found.start()] + new + text[found.end() :]
    with open(path, "w") as file:
        file.write(text)
