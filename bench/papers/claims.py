"""The papers' claims, each judged by a rule from the measured values."""

import math
import statistics

import experiments
from results import time_of

HOLDS, PART, NOT, UNKNOWN = "holds", "holds in part", "does not hold", "not measured here"


def judge_share(good, all_of_them):
    return HOLDS if good == all_of_them else PART if good else NOT


def pairs(results, first, second):
    """(side, percent, ms of both), wherever both were measured."""
    found = []
    for side in results.sides():
        for percent in results.percents():
            a, b = (time_of(results.pr_edt(engine, side, percent)) for engine in (first, second))
            if a and b:
                found.append((side, percent, a, b))
    return found


def slope(points):
    """Exponent of y over x, least squares over the logarithms."""
    x, y = [math.log(a) for a, _ in points], [math.log(b) for _, b in points]
    middle_x, middle_y = statistics.fmean(x), statistics.fmean(y)
    return sum((a - middle_x) * (b - middle_y) for a, b in zip(x, y)) / sum(
        (a - middle_x) ** 2 for a in x
    )


# ---- PR-EDT ----


def fastest(results):
    told, good, count = [], 0, 0
    for rival in ("breu", "cuda-man", "cuda-black"):
        found = pairs(results, "cuda-pr-edt", rival)
        won = sum(mine < theirs for _, _, mine, theirs in found)
        good, count = good + won, count + len(found)
        told.append(f"ahead of {rival} in {won} of {len(found)} rasters")
    return (judge_share(good, count), "; ".join(told)) if count else None


def speedup(results):
    found = pairs(results, "cuda-pr-edt", "breu")
    if not found:
        return None
    most = max(found, key=lambda pair: pair[3] / pair[2])
    others = pairs(results, "cuda-pr-edt", "cpu")
    against = max(theirs / mine for _, _, mine, theirs in others)
    best = most[3] / most[2]
    return (
        HOLDS if best >= 52 else NOT,
        f"at most {best:.0f} times, at {most[0]} x {most[0]} with {most[1]:g} % (another device and another processor); "
        f"against engine cpu on all threads at most {against:.1f} times",
    )


def denser(results):
    told, good, count = [], 0, 0
    for side in results.sides():
        times = [
            time_of(results.pr_edt(engine, side, percent))
            for percent in (1, 99)
            for engine in ("breu", "cuda-pr-edt")
        ]
        if None in times:
            continue
        sparse, dense = times[0] / times[1], times[2] / times[3]
        good, count = good + (dense > sparse), count + 1
        told.append(f"{side}: {sparse:.1f} and {dense:.1f}")
    return (judge_share(good, count), "1 % and 99 %: " + "; ".join(told)) if count else None


def shares(results):
    side = results.sides()[-1]
    found = [
        share
        for share in (
            results.shares(side, percent) for percent in results.percents() if 10 <= percent <= 90
        )
        if share
    ]
    if not found:
        return None
    mean = {name: 100 * statistics.fmean(share[name] for share in found) for name in found[0]}
    near = abs(mean["proximate sets"] - 88.59) < 10
    order = mean["proximate sets"] > mean["distances"] > mean["candidates"]
    return (
        HOLDS if near and order else PART if mean["proximate sets"] > 50 else NOT,
        ", ".join(f"{name} {value:.1f} %" for name, value in mean.items()) + f" ({side} x {side})",
    )


def peak(results):
    side, sets = results.sides()[-1], {}
    for percent in results.percents():
        row = results.pr_edt("cuda-pr-edt", side, percent)
        if row and row["device_ms"] and results.shares(side, percent):
            sets[percent] = row["device_ms"] * results.shares(side, percent)["proximate sets"]
    if len(sets) < 3:
        return None
    at = max(sets, key=sets.get)
    return (
        HOLDS if 50 <= at <= 60 else PART if 40 <= at <= 70 else NOT,
        f"longest at {at:g} %: {sets[at]:.2f} ms; at 10 % {sets.get(10, 0):.2f}, at 90 % {sets.get(90, 0):.2f}",
    )


def set_sizes(results):
    side = results.sides()[-1]
    rows = [results.pr_edt("breu", side, percent) for percent in (1, 57)]
    if side != 8192 or None in rows or any(row["listed_down"] is None for row in rows):
        return None
    sparse, dense = (row["listed_down"] for row in rows)
    grows = [results.pr_edt("breu", side, percent)["listed_down"] for percent in results.percents()]
    near = abs(sparse / 2623 - 1) < 0.05 and abs(dense / 7187 - 1) < 0.05
    return (
        HOLDS if near else PART if grows == sorted(grows) else NOT,
        f"a row's upper set has {sparse:,.0f} members at 1 % and {dense:,.0f} at 57 % on average; it grows with the ratio up "
        f"to {max(grows):,.0f}",
    )


def twenty_rows(results):
    told, good, count = [], 0, 0
    for side in results.sides("pr_edt_rows"):
        found = {
            int(row["engine"].split("=")[1]): row["device_ms"]
            for row in results.rows["pr_edt_rows"]
            if row["side"] == side and row["device_ms"]
        }
        if not found:
            continue
        best = min(found, key=found.get)
        good, count = good + (found[20] <= 1.1 * found[best]), count + 1
        told.append(f"{side}: best {best} ({found[best]:.2f} ms), 20 rows {found[20]:.2f} ms")
    return (judge_share(good, count), "; ".join(told)) if count else None


def serial_time(results):
    found = [
        (side, percent, 1e6 * time_of(row) / side**2)
        for side, percent in results.table1
        for row in [results.pr_edt("breu", side, percent)]
        if time_of(row)
    ]
    if not found:
        return None
    least, most = min(ns for _, _, ns in found), max(ns for _, _, ns in found)
    ours = [
        1e6 * time_of(row) / row["side"] ** 2
        for row in results.rows["pr_edt"]
        if row["engine"] == experiments.ONE_THREAD and time_of(row)
    ]
    if not ours:
        return None
    return (
        HOLDS if most >= 57 and least <= 207 and most / least > 2 else NOT if most < 57 else PART,
        f"breu takes {least:.0f} to {most:.0f} ns a pixel, engine cpu on one thread {min(ours):.1f} to {max(ours):.1f}",
    )


def serial_dense(results):
    told, good, count = [], 0, 0
    for side in results.sides():
        sparse, dense = (time_of(results.pr_edt("breu", side, percent)) for percent in (1, 99))
        if sparse and dense:
            good, count = good + (dense > 2 * sparse), count + 1
            told.append(f"{side}: {dense / sparse:.2f}")
    return (
        (judge_share(good, count), "time at 99 % over time at 1 %: " + "; ".join(told))
        if count
        else None
    )


def black_dense(results):
    told, good, count = [], 0, 0
    for side in results.sides():
        sparse, dense = (
            time_of(results.pr_edt("cuda-black", side, percent)) for percent in (1, 99)
        )
        if sparse and dense:
            good, count = good + (dense > sparse), count + 1
            told.append(f"{side}: {dense / sparse:.2f}")
    return (
        (judge_share(good, count), "time at 99 % over time at 1 %: " + "; ".join(told))
        if count
        else None
    )


def memory_order(results):
    from tables import memory_of

    told, good, count = [], 0, 0
    for side in results.sides():
        sizes = [
            memory_of(results, engine, side)
            for engine in ("breu", "cuda-black", "cuda-pr-edt", "cuda-man")
        ]
        if None in sizes:
            continue
        good, count = good + (sizes == sorted(sizes)), count + 1
        told.append(f"{side}: " + " / ".join(f"{size:,.0f}" for size in sizes))
    return (
        (
            judge_share(good, count),
            "breu / cuda-black / cuda-pr-edt / cuda-man, MiB: " + "; ".join(told),
        )
        if count
        else None
    )


# ---- Raster Voronoi ----


def same_result(results):
    engines = experiments.SERIAL + experiments.SHARES
    worst = {}
    for row in results.rows["voronoi"]:
        if row["engine"] in engines and row["different"] is not None:
            share, most = worst.get(row["engine"], (0, 1))
            worst[row["engine"]] = (
                max(share, row["different"] / row["side"] ** 2),
                max(most, row["worst"]),
            )
    inexact = {engine: value for engine, value in worst.items() if value[0]}
    if not worst:
        return None
    told = "; ".join(
        f"{engine}: up to {100 * share:.1f} % of the pixels, up to {most:.2f} times too far"
        for engine, (share, most) in inexact.items()
    )
    return judge_share(
        len(worst) - len(inexact), len(worst)
    ), f"{len(worst) - len(inexact)} of {len(worst)} are exact; {told}"


def exponents(results, engines, experiment, x):
    found = {}
    for engine in engines:
        points = results.times(experiment, engine, x)
        points = [(a * a if x == "side" else a, b) for a, b in points]
        if len(points) >= 3:
            found[engine] = slope(points)
    return found


def told_exponents(found):
    return "; ".join(
        f"{engine.replace(':share=', ', ')}: {exponent:.2f}" for engine, exponent in found.items()
    )


def serial_grows(results):
    found = exponents(results, experiments.SERIAL, "voronoi", "side")
    if not found:
        return None
    return (
        judge_share(sum(exponent > 0.8 for exponent in found.values()), len(found)),
        "exponent of time over pixels: " + told_exponents(found),
    )


def gpu_flat(results):
    found = exponents(results, experiments.SHARES, "voronoi", "side")
    if not found:
        return None
    return (
        judge_share(sum(exponent < 0.2 for exponent in found.values()), len(found)),
        "exponent of time over pixels: " + told_exponents(found),
    )


def gpu_linear(results):
    found = exponents(results, experiments.SHARES[:2], "voronoi_targets", "targets")
    if not found:
        return None
    return (
        judge_share(sum(0.8 < exponent < 1.2 for exponent in found.values()), len(found)),
        "exponent of time over targets: " + told_exponents(found),
    )


def strided_first(results):
    good, told, count = 0, [], 0
    for engine in ("cuda-voronoi-all", "cuda-voronoi-grow"):
        strided, contiguous = (
            dict(results.times("voronoi", f"{engine}:share={share}", "side"))
            for share in ("strided", "contiguous")
        )
        both = [side for side in strided if side in contiguous]
        won = sum(strided[side] < contiguous[side] for side in both)
        good, count = good + won, count + len(both)
        if both:
            most = max(contiguous[side] / strided[side] for side in both)
            told.append(
                f"{engine}: ahead on {won} of {len(both)} rasters, by up to {most:.1f} times"
            )
    return (judge_share(good, count), "; ".join(told)) if count else None


def small_gains_nothing(results):
    """The device's time alone counts here; the paper's may hold transfers."""
    side = results.sides("voronoi")[0]
    pattern = f"random-{experiments.TARGETS}"
    gpu = time_of(results.find("voronoi", experiments.SHARES[0], side, pattern))
    serial = [
        (time_of(row), row["engine"])
        for row in results.rows["voronoi"]
        if row["engine"] in experiments.SERIAL and row["side"] == side and time_of(row)
    ]
    if not gpu or not serial:
        return None
    best = min(serial)
    wall = results.find("voronoi", experiments.SHARES[0], side, pattern)["wall_ms"]
    return (
        HOLDS if wall >= best[0] else NOT,
        f"{side} x {side}: {gpu:.3f} ms on the device, {wall:.2f} ms with index and transfers; {best[1]} {best[0]:.2f} ms",
    )


CLAIMS = [
    (
        "PR-EDT consistently outperforms the serial, Man and Black algorithms",
        "yes, though Black is ahead at 1024 x 1024 with 99 %",
        fastest,
    ),
    ("up to 52 times the speed of the serial algorithm", "52.03", speedup),
    (
        "for any fixed resolution PR-EDT gains more on dense images",
        "not at 4096 (38.96, 29.83) and 8192 (52.03, 40.54)",
        denser,
    ),
    ("steps 2, 3 and 4 take this share of the time", "1.69 %, 88.59 %, 9.72 %", shares),
    ("step 3 takes longest at a ratio of about 57 %", "about 57 %", peak),
    ("candidate proximate points in 8192 x 8192", "2623 at 1 %, 7187 at 57 %", set_sizes),
    ("about 20 rows a sub-block are best for all sizes", "20", twenty_rows),
    ("time of the serial algorithm", "57 to 207 ns a pixel", serial_time),
    (
        "the serial algorithm takes several times as long on dense images",
        "3.1 to 3.4 times",
        serial_dense,
    ),
    ("Black's method takes longer on dense images", "at three sizes of four", black_dense),
    ("memory: serial, Black, PR-EDT, Man, from least to most", "at every size", memory_order),
    (
        "raster Voronoi: all methods give the same result",
        "yes: one definition of distance for all",
        same_result,
    ),
    ("raster Voronoi: serial times grow with the raster", "clearly", serial_grows),
    (
        "raster Voronoi: GPU time hardly depends on the size of the raster",
        "nearly constant",
        gpu_flat,
    ),
    ("raster Voronoi: GPU time is linear in the number of targets", "O(n)", gpu_linear),
    (
        "raster Voronoi: strided pixels are faster than contiguous ones",
        "yes, coalesced",
        strided_first,
    ),
    ("raster Voronoi: on small rasters the GPU gains nothing", "yes", small_gains_nothing),
]


def judge(results):
    """(claim, what the paper says, verdict, what was measured)."""
    judged = []
    for claim, told, rule in CLAIMS:
        found = rule(results)
        judged.append((claim, told, *(found or (UNKNOWN, "—"))))
    return judged
