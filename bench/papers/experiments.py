"""What is measured: the rasters, engines and repeats of both papers' experiments."""

import runs

SIDES = [1024, 2048, 4096, 8192]
QUICK_SIDES = [256, 1024]
PERCENTS = [1, 10, 20, 30, 40, 50, 57, 60, 70, 80, 90, 99]
HEIGHTS = [4, 8, 12, 16, 20, 24, 32, 48, 64, 96, 128]  # rows of a sub-block

COLUMNS = [
    "breu",
    "cuda-man",
    "cuda-black",
    "cuda-pr-edt",
    "cuda",
    "cpu",
]  # of PR-EDT's table 1, and ours
ONE_THREAD = "cpu, 1 thread"
SERIAL = [
    "voronoi-points",
    "voronoi-cityblock",
    "voronoi-octagonal",
    "voronoi-chessboard",
    "voronoi-circles",
    "voronoi-dilate",
]
SHARES = [
    "cuda-voronoi-all:share=strided",
    "cuda-voronoi-all:share=contiguous",
    "cuda-voronoi-grow:share=strided",
    "cuda-voronoi-grow:share=contiguous",
]
FAST = ["cuda", "cpu"]
REPEATS = {"cuda": 1}  # its device time comes from predt_gpu_bench

TARGETS = 100
VORONOI_SIDES = [256, 512, 1024, 2048, 4096, 8192, 16384]
TARGET_COUNTS = [32, 100, 316, 1000, 3162, 10000]
TARGETS_SIDE = 2048
LONGEST = 4  # seconds that a run may be expected to take


def pattern(percent):
    return f"random-{percent:g}%"


def add_device_time(programs, side, rows):
    """Engine cuda says nothing of its device; its own bench does."""
    fast = [row for row in rows if row["engine"] == "cuda" and not row["missing"]]
    found = programs.fast_engine(side, [row["pattern"] for row in fast], 20) if fast else {}
    for row in fast:
        row.update(found.get(row["pattern"], {"missing": "predt_gpu_bench has not measured it"}))


def one_thread(programs, side, percent):
    """Engine cpu as a serial program, to compare breu with."""
    rows = programs.measure(side, pattern(percent), [("cpu", 20, 2)], threads=1)
    return [{**row, "engine": ONE_THREAD} for row in rows]


def pr_edt(programs, quick):
    """Table 1, table 2, figures 7 and 8, and the lengths of the lists."""
    rows = []
    for side in QUICK_SIDES if quick else SIDES:
        new = []
        for percent in [1, 57, 99] if quick else PERCENTS:
            in_table = percent in (
                1,
                99,
            )  # up to 20 repeats; the figures make do with fewer where they would take long
            serial, device = (0, 0) if quick else (4, 5) if in_table else (0, 0.4)
            engines = [
                (engine, REPEATS.get(engine, 20), serial if engine == "breu" else device)
                for engine in COLUMNS
            ]
            new += programs.measure(side, pattern(percent), engines)
            new += one_thread(programs, side, percent) if in_table else []
        add_device_time(programs, side, new)
        rows += new
    return rows


def pr_edt_rows(programs, quick):
    """Figure 9."""
    rows = []
    for side in QUICK_SIDES if quick else SIDES:
        rows += programs.measure(
            side,
            pattern(1),
            [(f"cuda-pr-edt:rows={height}", 20, 0 if quick else 1) for height in HEIGHTS],
        )
    return rows


def left_out(engine, side, counted):
    row = dict.fromkeys(runs.FIELDS)
    return {
        **row,
        "engine": engine,
        "side": side,
        "pattern": counted,
        "targets": int(counted.split("-")[1]),
        "missing": f"left out: over {LONGEST} s expected",
    }


def grow(programs, steps, engines, factor):
    """steps: (side, pattern). Leaves out what is likely to take too long, with a run `factor` times
    as long as on the raster before."""
    rows, last = [], {}
    for side, counted in steps:
        expected = {engine: last.get(engine, 0) * factor(engine) for engine in engines}
        run = [engine for engine in expected if expected[engine] <= LONGEST * 1e3]
        new = programs.measure(
            side, counted, [(engine, REPEATS.get(engine, 5), 1) for engine in run]
        )
        last.update({row["engine"]: row["wall_ms"] or 0 for row in new})
        last.update({engine: expected[engine] for engine in expected if engine not in run})
        add_device_time(programs, side, new)
        rows += new + [left_out(engine, side, counted) for engine in expected if engine not in run]
    return rows


def voronoi(programs, quick):
    """The raster Voronoi paper's experiment: a hundred targets, growing rasters. A side twice as
    long has four times the pixels, and for those that look around or grow the distances are twice
    as long, too."""
    sides = [64, 128, 256] if quick else VORONOI_SIDES
    wider = {"voronoi-dilate": 8}
    return grow(
        programs,
        [(side, f"random-{TARGETS}") for side in sides],
        SERIAL + SHARES + FAST,
        lambda engine: 16 if "grow" in engine else wider.get(engine, 4),
    )


def voronoi_targets(programs, quick):
    """One raster, more and more targets. Those that try all of them take longer for each, those
    that look around find one sooner; scans and dilation, which take minutes while targets are few,
    are left out."""
    counts = TARGET_COUNTS[:3] if quick else TARGET_COUNTS
    return grow(
        programs,
        [(128 if quick else TARGETS_SIDE, f"random-{count}") for count in counts],
        ["voronoi-points", "voronoi-circles", *SHARES, *FAST],
        lambda engine: (
            3.2 if engine in ("voronoi-points", *SHARES[:2]) else 0.5 if "grow" in engine else 1
        ),
    )


ALL = {
    "pr_edt": pr_edt,
    "pr_edt_rows": pr_edt_rows,
    "voronoi": voronoi,
    "voronoi_targets": voronoi_targets,
}
