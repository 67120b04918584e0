"""Where a GPU is faster from end to end: gdal_predt with engine cpu and with engine cuda, over
sizes and threads, and what -engine auto makes of each. Ends with the constants that gpu/plan.c
keeps."""

import os
import statistics

from report import Failure, Table, say


def add_options(parser):
    group = parser.add_argument_group("the rule of auto")
    group.add_argument(
        "--auto-sides",
        type=lambda text: [int(n) for n in text.split(",")],
        default=[512, 2048, 4096, 8192, 16384, 32768],
    )
    group.add_argument(
        "--auto-threads",
        type=lambda text: [int(n) for n in text.split(",")],
        default=sorted({1, 2, 4, len(os.sched_getaffinity(0))}),
    )
    group.add_argument("--auto-pattern", default="random-0.1%")
    group.add_argument("--auto-repeats", type=int, default=3, help="after one warm-up")


def timed(args, predt, engine, source, threads):
    """(median wall, seconds as -json has them in the run of that wall, the engine that answered
    last)."""
    predt(args, engine, source, "-threads", threads)
    runs = sorted(
        (predt(args, engine, source, "-threads", threads) for _ in range(args.auto_repeats)),
        key=lambda pair: pair[0],
    )
    wall, summary = runs[len(runs) // 2]
    return wall, summary["seconds"], summary["engine"]


def print_constants(runs, sides, threads):
    """runs: {(side, threads): {engine: what timed returns}}."""
    small, large, one = sides[0], sides[-1], threads[0]
    start = statistics.median(runs[small, n]["cuda"][0] - runs[small, n]["cpu"][0] for n in threads)
    ns = {
        engine: {
            stage: 1e9 * runs[large, one][engine][1][stage] / large**2
            for stage in ("solve", "write")
        }
        for engine in ("cpu", "cuda")
    }
    print(
        f"\nFor gpu/plan.c: START_NS {1e9 * start:.2g} (wall at {small} x {small}, cuda less "
        f"cpu); at {large} x {large} with {one} thread(s): CPU_NS {ns['cpu']['solve'] * one:.2f} "
        f"(solving, times threads), device {ns['cuda']['solve']:.2f} and "
        f"writing {ns['cuda']['write']:.2f} ns a pixel: HIDDEN_NS {max(ns['cuda'].values()):.2f}"
    )


def measure(args, engines, draw, predt):
    pair, sides, runs = ["cpu", "cuda"], sorted(args.auto_sides), {}
    if engines.get("cuda", "not built in"):
        raise Failure(f"nothing to compare: engine cuda: {engines.get('cuda', 'not built in')}")
    table = Table(
        "Wall seconds of gdal_predt, byte GeoTIFF to tiled Float32; medians",
        ["side", "threads", *pair, "auto", "faster", "auto ended on"],
    )
    for side in sides:
        source = draw(args.auto_pattern, side, args)
        for threads in args.auto_threads:
            say(f"{side}, {threads} threads")
            found = {name: timed(args, predt, name, source, threads) for name in pair}
            found["auto"] = timed(args, predt, "auto", source, threads)
            faster = min(pair, key=lambda name: found[name][0])
            table.row(
                side,
                threads,
                *(f"{found[name][0]:.3f}" for name in found),
                faster,
                found["auto"][2],
            )
            runs[side, threads] = found
        os.remove(source)
    print_constants(runs, sides, sorted(args.auto_threads))
    for threads in args.auto_threads:
        ahead = [
            side for side in sides if runs[side, threads]["cuda"][0] < runs[side, threads]["cpu"][0]
        ]
        print(f"{threads} threads: cuda is faster at {', '.join(map(str, ahead)) or 'no size'}")
