"""The figures, drawn from the CSV files."""

import os

import experiments
import svg


def save(folder, name, page):
    with open(os.path.join(folder, name + ".svg"), "w") as file:
        file.write(page)


def percent_of(value):
    return f"{value:g}"


def step_shares(results):
    """PR-EDT's figure 7, on the largest raster."""
    side, names = results.sides()[-1], ["candidates", "proximate sets", "distances"]
    colours = svg.colours_of(names)
    columns = {percent_of(percent): results.shares(side, percent) for percent in results.percents()}
    columns = {label: shares for label, shares in columns.items() if shares}
    panel = svg.bars(
        f"Steps of cuda-pr-edt, {side} x {side}",
        columns,
        "targets, % of the pixels",
        "share of the time, %",
        colours,
    )
    return svg.page([panel], colours, () if columns else names)


def by_percent(results):
    """PR-EDT's figure 8."""
    colours, panels = svg.colours_of(experiments.COLUMNS), []
    measured = set()
    for side in results.sides():
        series = {}
        for engine in experiments.COLUMNS:
            points = [
                (float(row["pattern"][7:-1]), row)
                for row in results.rows["pr_edt"]
                if row["engine"] == engine and row["side"] == side
            ]
            points = [
                (x, row["device_ms"] if engine.startswith("cuda") else row["wall_ms"])
                for x, row in points
            ]
            series[engine] = [(x, ms) for x, ms in points if ms]
            measured |= {engine} if series[engine] else set()
        panels.append(
            svg.lines(
                f"{side} x {side}",
                series,
                "targets, % of the pixels",
                "ms",
                colours=colours,
                x_ticks=[0, 20, 40, 60, 80, 100],
            )
        )
    return svg.page(panels, colours, set(colours) - measured)


def by_height(results):
    """PR-EDT's figure 9."""
    series = {}
    for side in results.sides("pr_edt_rows"):
        rows = [
            row for row in results.rows["pr_edt_rows"] if row["side"] == side and row["device_ms"]
        ]
        series[f"{side} x {side}"] = [
            (int(row["engine"].split("=")[1]), row["device_ms"]) for row in rows
        ]
    colours = svg.colours_of(series)
    panel = svg.lines(
        "cuda-pr-edt, 1 % targets",
        series,
        "rows of a sub-block",
        "ms",
        True,
        [4, 8, 16, 32, 64, 128],
        colours,
    )
    return svg.page([panel], colours, {name for name, points in series.items() if not points})


def voronoi(results, experiment, x, title, x_name):
    engines = experiments.SERIAL + experiments.SHARES + experiments.FAST
    colours = svg.colours_of(engine.replace(":share=", ", ") for engine in engines)
    series = {
        engine.replace(":share=", ", "): results.times(experiment, engine, x)
        for engine in results.all(experiment, "engine")
    }
    colours = {name: colour for name, colour in colours.items() if name in series}
    ticks = [int(value) for value in sorted(results.all(experiment, x))] if x == "side" else None
    panel = svg.lines(title, series, x_name, "ms", True, ticks, colours)
    return svg.page([panel], colours, {name for name, points in series.items() if not points})


def draw(results, folder):
    save(folder, "figure7", step_shares(results))
    save(folder, "figure8", by_percent(results))
    save(folder, "figure9", by_height(results))
    save(
        folder,
        "voronoi_sides",
        voronoi(results, "voronoi", "side", f"{experiments.TARGETS} targets", "side of the raster"),
    )
    side = results.sides("voronoi_targets")[0]
    save(
        folder,
        "voronoi_targets",
        voronoi(results, "voronoi_targets", "targets", f"{side} x {side}", "targets"),
    )
