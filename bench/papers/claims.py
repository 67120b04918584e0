"""The papers' claims, each with the rule that judges it from the measured values.

A rule is text for docs/reproduction.md and a function that returns the cases that it looked at,
each true or false, and a sentence of measured values; None where too little was measured. The
verdict follows from the cases alone (judge.py), except that a claim about a particular machine is
"not comparable" on another one, whatever was measured."""

import statistics
from dataclasses import dataclass
from typing import Callable

import experiments
import judge
from results import memory_of, time_of

# What the description of a machine must name for its times to be compared with a paper's.
PR_EDT_MACHINE = ("A10", "Gold 5320")
VORONOI_MACHINE = ("C2075", "E5-2609")

NEAR = 0.05  # tolerance of a number that should not depend on the machine
NEAR_TIME = 0.1  # of a time or a ratio of times: runs differ by as much
NEAR_POINTS = 5  # of a share of the time, in percentage points
PEAK_POINTS = 10  # of a ratio of targets: those that are measured stand 10 % apart
LINEAR = (0.8, 1.2)  # exponents that count as linear growth
FLAT = 0.2  # an exponent below this counts as no growth: 4 times the pixels, 1.3 times the time


@dataclass(frozen=True)
class Claim:
    text: str
    published: str
    rule: str
    cases: Callable  # of the results: (cases, what was measured) or None
    machine: tuple = ()  # not empty: a claim about this machine


def pairs(results, first, second):
    """(side, percent, ms of both), wherever both were measured."""
    found = []
    for side in results.sides():
        for percent in results.percents():
            a, b = (time_of(results.pr_edt(engine, side, percent)) for engine in (first, second))
            if a and b:
                found.append((side, percent, a, b))
    return found


# ---- PR-EDT ----


def fastest(results):
    said, cases = [], []
    for rival in ("cuda-man", "cuda-black"):
        won = [mine < other for *_, mine, other in pairs(results, "cuda-pr-edt", rival)]
        cases += won
        said.append(f"ahead of {rival} in {sum(won)} of {len(won)} rasters")
    serial = [mine < other for *_, mine, other in pairs(results, "cuda-pr-edt", "breu")]
    said.append(f"not counted: ahead of breu in {sum(serial)} of {len(serial)}")
    return cases, "; ".join(said)


def speedup(results):
    found = pairs(results, "cuda-pr-edt", "breu")
    if not found:
        return None
    side, percent, mine, other = max(found, key=lambda pair: pair[3] / pair[2])
    best = other / mine
    said = f"at most {best:.0f} times, at {side} x {side} with {percent:g} %"
    cpu = [ours / mine for *_, mine, ours in pairs(results, "cuda-pr-edt", "cpu")]
    if cpu:
        said += f"; against engine cpu on all threads at most {max(cpu):.1f} times"
    return [judge.within(best, 52, 52, NEAR_TIME)], said


def denser(results):
    said, cases = [], []
    for side in results.sides():
        times = [
            time_of(results.pr_edt(engine, side, percent))
            for percent in (1, 99)
            for engine in ("breu", "cuda-pr-edt")
        ]
        if None in times:
            continue
        sparse, dense = times[0] / times[1], times[2] / times[3]
        cases.append(dense > sparse)
        said.append(f"{side}: {sparse:.1f} and {dense:.1f}")
    return cases, "1 % and 99 %: " + "; ".join(said)


PUBLISHED_SHARES = {"candidates": 1.69, "proximate sets": 88.59, "distances": 9.72}


def shares(results):
    side = results.sides()[-1]
    measured = [results.shares(side, p) for p in results.percents() if 10 <= p <= 90]
    measured = [share for share in measured if share]
    if not measured:
        return None
    mean = {
        name: 100 * statistics.fmean(share[name] for share in measured) for name in PUBLISHED_SHARES
    }
    cases = [abs(mean[name] - share) <= NEAR_POINTS for name, share in PUBLISHED_SHARES.items()]
    said = ", ".join(f"{name} {value:.1f} %" for name, value in mean.items())
    return cases, f"{said} ({side} x {side})"


def peak(results):
    side, sets = results.sides()[-1], {}
    for percent in results.percents():
        row, share = results.pr_edt("cuda-pr-edt", side, percent), results.shares(side, percent)
        if row and row["device_ms"] and share:
            sets[percent] = row["device_ms"] * share["proximate sets"]
    if len(sets) < 3:
        return None
    at = max(sets, key=sets.get)
    first, last = min(sets), max(sets)
    said = f"longest at {at:g} %: {sets[at]:.2f} ms"
    said += f"; at {first:g} % {sets[first]:.2f}, at {last:g} % {sets[last]:.2f}"
    return [abs(at - 57) <= PEAK_POINTS], said


def set_sizes(results):
    if 8192 not in results.sides():
        return None
    sizes = {}
    for percent in results.percents():
        row = results.pr_edt("breu", 8192, percent)
        if row and row["listed_down"] is not None:
            sizes[percent] = row["listed_down"]
    if not {1, 57} <= sizes.keys():
        return None
    cases = [judge.within(sizes[1], 2623, 2623, NEAR), judge.within(sizes[57], 7187, 7187, NEAR)]
    said = f"a row's upper set has {sizes[1]:,.0f} members at 1 % and {sizes[57]:,.0f} at 57 %"
    return cases, f"{said} on average, at most {max(sizes.values()):,.0f}"


def twenty_rows(results):
    said, cases = [], []
    for side in results.sides("pr_edt_rows"):
        found = {
            int(row["engine"].split("=")[1]): row["device_ms"]
            for row in results.rows["pr_edt_rows"]
            if row["side"] == side and row["device_ms"]
        }
        if 20 not in found:
            continue
        best = min(found, key=found.get)
        cases.append(found[20] <= (1 + NEAR) * found[best])
        said.append(f"{side}: best {best} ({found[best]:.2f} ms), 20 rows {found[20]:.2f} ms")
    return cases, "; ".join(said)


def serial_time(results):
    def ns(engine):
        rows = [results.pr_edt(engine, side, percent) for side, percent in results.table1]
        return [1e6 * time_of(row) / row["side"] ** 2 for row in rows if time_of(row)]

    breu, ours = ns("breu"), ns(experiments.ONE_THREAD)
    if not breu:
        return None
    said = f"breu takes {min(breu):.0f} to {max(breu):.0f} ns a pixel"
    if ours:
        said += f", engine cpu on one thread {min(ours):.1f} to {max(ours):.1f}"
    return [judge.contained(breu, 57, 207, NEAR_TIME)], said


def dense_over_sparse(results, engine):
    """{side: time at 99 % over time at 1 %}, and the sentence that says so."""
    found = {}
    for side in results.sides():
        sparse, dense = (time_of(results.pr_edt(engine, side, percent)) for percent in (1, 99))
        if sparse and dense:
            found[side] = dense / sparse
    listed = "; ".join(f"{side}: {ratio:.2f}" for side, ratio in found.items())
    return found, "time at 99 % over time at 1 %: " + listed


def serial_dense(results):
    found, said = dense_over_sparse(results, "breu")
    return [judge.within(ratio, 3.1, 3.4, NEAR_TIME) for ratio in found.values()], said


def black_dense(results):
    found, said = dense_over_sparse(results, "cuda-black")
    return [ratio > 1 for ratio in found.values()], said


def memory_order(results):
    said, cases = [], []
    order = ("breu", "cuda-black", "cuda-pr-edt", "cuda-man")
    for side in results.sides():
        sizes = [memory_of(results, engine, side) for engine in order]
        if None in sizes:
            continue
        cases.append(sizes == sorted(sizes))
        said.append(f"{side}: " + " / ".join(f"{size:,.0f}" for size in sizes))
    return cases, f"{' / '.join(order)}, MiB: " + "; ".join(said)


# ---- Raster Voronoi ----


def same_result(results):
    worst = {}
    for row in results.rows["voronoi"]:
        if (
            row["engine"] in experiments.SERIAL + experiments.SHARES
            and row["different"] is not None
        ):
            share, ratio = worst.get(row["engine"], (0, 1))
            share = max(share, row["different"] / row["side"] ** 2)
            worst[row["engine"]] = share, max(ratio, row["worst"])
    cases = [not share for share, _ in worst.values()]
    said = [f"{sum(cases)} of {len(cases)} are exact"] + [
        f"{engine}: up to {100 * share:.1f} % of the pixels, up to {ratio:.2f} times too far"
        for engine, (share, ratio) in worst.items()
        if share
    ]
    return cases, "; ".join(said)


def exponents(results, engines, experiment, x):
    """{engine: exponent of its time over the pixels (x: "side") or targets}, and the sentence."""
    found = {}
    for engine in engines:
        points = results.times(experiment, engine, x)
        points = [(a * a if x == "side" else a, b) for a, b in points]
        if len(points) >= 3:
            found[engine] = judge.slope(points)
    over = "pixels" if x == "side" else x
    listed = (f"{name.replace(':share=', ', ')}: {value:.2f}" for name, value in found.items())
    return found.values(), f"exponent of time over {over}: " + "; ".join(listed)


def serial_grows(results):
    found, said = exponents(results, experiments.SERIAL, "voronoi", "side")
    return [exponent > LINEAR[0] for exponent in found], said


def gpu_flat(results):
    found, said = exponents(results, experiments.SHARES, "voronoi", "side")
    return [abs(exponent) < FLAT for exponent in found], said


def gpu_linear(results):
    found, said = exponents(results, experiments.SHARES, "voronoi_targets", "targets")
    return [judge.within(exponent, *LINEAR) for exponent in found], said


def strided_first(results):
    said, cases = [], []
    for engine in ("cuda-voronoi-all", "cuda-voronoi-grow"):
        strided, contiguous = (
            dict(results.times("voronoi", f"{engine}:share={share}", "side"))
            for share in ("strided", "contiguous")
        )
        gain = [contiguous[side] / strided[side] for side in strided if side in contiguous]
        if not gain:
            continue
        won = [ratio > 1 for ratio in gain]
        cases += won
        said.append(
            f"{engine}: ahead on {sum(won)} of {len(won)} rasters, by up to {max(gain):.1f} times"
        )
    return cases, "; ".join(said)


def small_gains_nothing(results):
    """With index and transfers, which the paper's times may hold, too."""
    side = results.sides("voronoi")[0]
    row = results.find("voronoi", experiments.SHARES[0], side, f"random-{experiments.TARGETS}")
    serial = [
        (time_of(row), row["engine"])
        for row in results.rows["voronoi"]
        if row["engine"] in experiments.SERIAL and row["side"] == side and time_of(row)
    ]
    if not time_of(row) or not serial:
        return None
    best, engine = min(serial)
    return [row["wall_ms"] >= best], (
        f"{side} x {side}: {time_of(row):.3f} ms on the device, {row['wall_ms']:.2f} ms with index "
        f"and transfers; {engine} {best:.2f} ms"
    )


CLAIMS = [
    Claim(
        "PR-EDT consistently outperforms the serial, Man and Black algorithms",
        "yes, though Black is ahead at 1024 x 1024 with 99 %",
        "case: a raster and one of Man and Black; true where PR-EDT takes less time. The serial "
        "algorithm runs on another processor and is not counted",
        fastest,
    ),
    Claim(
        "up to 52 times the speed of the serial algorithm",
        "52.03",
        f"one case: the largest ratio is 52, give or take {100 * NEAR_TIME:g} %",
        speedup,
        PR_EDT_MACHINE,
    ),
    Claim(
        "for any fixed resolution PR-EDT gains more on dense images",
        "not at 4096 (38.96, 29.83) and 8192 (52.03, 40.54)",
        "case: a size; true where breu's time over PR-EDT's is larger at 99 % than at 1 % (the "
        "processors' speeds cancel)",
        denser,
    ),
    Claim(
        "steps 2, 3 and 4 take this share of the time",
        "1.69 %, 88.59 %, 9.72 %",
        f"case: a step; true within {NEAR_POINTS} percentage points, mean of 10 to 90 % targets",
        shares,
        PR_EDT_MACHINE,
    ),
    Claim(
        "step 3 takes longest at a ratio of about 57 %",
        "about 57 %",
        f"one case: longest within {PEAK_POINTS} percentage points of 57 %, as far as the ratios "
        "measured stand apart",
        peak,
    ),
    Claim(
        "candidate proximate points in 8192 x 8192",
        "2623 at 1 %, 7187 at 57 %",
        f"case: one of the two numbers; true within {100 * NEAR:g} % of it",
        set_sizes,
    ),
    Claim(
        "about 20 rows a sub-block are best for all sizes",
        "20",
        f"case: a size; true where 20 rows take at most {100 * NEAR:g} % longer than the best",
        twenty_rows,
    ),
    Claim(
        "time of the serial algorithm",
        "57 to 207 ns a pixel",
        "one case: every time of breu on the rasters of table 1 lies in that range, give or take "
        f"{100 * NEAR_TIME:g} %",
        serial_time,
        PR_EDT_MACHINE,
    ),
    Claim(
        "the serial algorithm takes several times as long on dense images",
        "3.1 to 3.4 times",
        "case: a size; true where breu's ratio lies in that range, give or take "
        f"{100 * NEAR_TIME:g} %",
        serial_dense,
    ),
    Claim(
        "Black's method takes longer on dense images",
        "at three sizes of four",
        "case: a size; true where 99 % take longer than 1 %",
        black_dense,
    ),
    Claim(
        "memory: serial, Black, PR-EDT, Man, in ascending order",
        "at every size",
        "case: a size; true where all four stand in this order",
        memory_order,
    ),
    Claim(
        "raster Voronoi: all methods give the same result",
        "yes: one definition of distance for all",
        "case: a method; true where no pixel of any raster differs from engine cpu's",
        same_result,
    ),
    Claim(
        "raster Voronoi: serial times grow with the raster",
        "clearly",
        f"case: a serial method; true where the exponent is above {LINEAR[0]}",
        serial_grows,
    ),
    Claim(
        "raster Voronoi: GPU time hardly depends on the size of the raster",
        "nearly constant",
        f"case: a GPU method; true where the exponent is below {FLAT} either way",
        gpu_flat,
    ),
    Claim(
        "raster Voronoi: GPU time is linear in the number of targets",
        "O(n)",
        f"case: a GPU method; true where the exponent is {LINEAR[0]} to {LINEAR[1]}",
        gpu_linear,
    ),
    Claim(
        "raster Voronoi: strided pixels are faster than contiguous ones",
        "yes, coalesced",
        "case: a raster and one of the two GPU methods; true where strided takes less time",
        strided_first,
    ),
    Claim(
        "raster Voronoi: on small rasters the GPU gains nothing",
        "yes",
        "one case: on the smallest raster the GPU, with index and transfers, takes at least as "
        "long as the fastest serial method",
        small_gains_nothing,
        VORONOI_MACHINE,
    ),
]


def verdict_of(claim, results):
    """(verdict, what was measured)."""
    found = claim.cases(results)
    verdict = judge.of_cases(found[0]) if found else None
    if verdict is None:
        return judge.UNKNOWN, "—"
    if claim.machine and not judge.same_machine(results.machine, claim.machine):
        return judge.INCOMPARABLE, found[1]
    return verdict, found[1]


def verdicts(results):
    """[(claim, verdict, what was measured)]."""
    return [(claim, *verdict_of(claim, results)) for claim in CLAIMS]
