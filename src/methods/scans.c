/* voronoi-cityblock, voronoi-octagonal, voronoi-chessboard: the distance-transform method, one of
 * the serial methods of the raster Voronoi paper. A. Rosenfeld, J. L. Pfaltz, "Sequential
 * operations in digital picture processing", Journal of the ACM 13 (4), 1966; for the octagonal
 * distance the same, "Distance functions on digital pictures", Pattern Recognition 1 (1), 1968. A
 * scan down (from top to bottom, from left to right) and a scan up hand the targets from neighbour
 * to neighbour. O(N).
 *
 * Inexact: the target found is the nearest one in steps from pixel to pixel, not in Euclidean
 * distance. The distance that the engine reports is the Euclidean one to the target found; with d
 * the true one it is
 *     city block, chessboard  at most sqrt(2) * d
 *     octagonal               at most sqrt(5) / 2 * ceil(d)
 * since |p|_chess <= |p| <= sqrt(2) |p|_chess, |p| <= |p|_city <= sqrt(2) |p|, and |p| <= sqrt(5) /
 * 2 * |p|_octagonal with |p|_octagonal <= ceil(|p|).
 *
 * Changed: a pixel asks how many steps it is to its neighbour's target, instead of adding one to
 * the neighbour's steps. Scans are repeated until nothing changes: two are enough for city block
 * and chessboard, but octagonal steps alternate between four and eight neighbours, and a path of
 * theirs need not fall into one part for each scan. Among targets at as many steps the westernmost
 * is kept, then the northernmost (octagonal: one of them). */
#include "methods.h"

typedef int64_t (*steps)(int64_t cols, int64_t rows);

static int64_t city_steps(int64_t cols, int64_t rows) { return cols + rows; }

static int64_t chess_steps(int64_t cols, int64_t rows) { return cols > rows ? cols : rows; }

/* Steps to four neighbours and to eight take turns, four first: two diagonal pixels on are three
 * steps. */
static int64_t octagonal_steps(int64_t cols, int64_t rows) {
    int64_t chess = chess_steps(cols, rows), turns = (2 * (cols + rows) + 2) / 3;
    return turns > chess ? turns : chess;
}

struct scan {
    const predt__task *task;
    steps steps;
    int neighbours; /* 2: those beside, above or below; 4: the diagonal ones too */
    bool changed;
};

static int64_t steps_to(const struct scan *scan, predt__site site, int32_t col, int32_t row) {
    return scan->steps(llabs((long long)site.col - col), llabs((long long)site.row - row));
}

static bool fewer(const struct scan *scan, predt__site a, predt__site b, int32_t col, int32_t row) {
    if (a.col < 0 || b.col < 0) return a.col >= 0 && b.col < 0;
    int64_t to_a = steps_to(scan, a, col, row), to_b = steps_to(scan, b, col, row);
    if (to_a != to_b) return to_a < to_b;
    return a.col != b.col ? a.col < b.col : a.row < b.row;
}

/* Takes the best target of the neighbours that the scan has been at: side -1 down, 1 up. */
static void ask(struct scan *scan, int32_t col, int32_t row, int side) {
    static const int beside[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}}; /* columns, rows */
    const predt__task *task = scan->task;
    predt__site *own = task->nearest + (int64_t)row * task->width + col;
    for (int i = 0; i < scan->neighbours; i++) {
        int32_t other_col = col + side * beside[i][0], other_row = row + side * beside[i][1];
        if (other_col < 0 || other_col >= task->width || other_row < 0 || other_row >= task->height)
            continue;
        predt__site site = task->nearest[(int64_t)other_row * task->width + other_col];
        if (!fewer(scan, site, *own, col, row)) continue;
        *own = site;
        scan->changed = true;
    }
}

static void scan_twice(struct scan *scan) {
    int32_t width = scan->task->width, height = scan->task->height;
    for (int32_t row = 0; row < height; row++)
        for (int32_t col = 0; col < width; col++) ask(scan, col, row, -1);
    for (int32_t row = height - 1; row >= 0; row--)
        for (int32_t col = width - 1; col >= 0; col--) ask(scan, col, row, 1);
}

static void start(const predt__task *task) {
    predt__site *nearest = task->nearest;
    for (int32_t row = 0; row < task->height; row++)
        for (int32_t col = 0; col < task->width; col++)
            *nearest++ =
                predt__is_target(task->index, col, row) ? (predt__site){col, row} : PREDT__NO_SITE;
}

static predt_status find_city(const predt__task *task) {
    struct scan scan = {.task = task, .steps = city_steps, .neighbours = 2};
    start(task);
    scan_twice(&scan);
    return PREDT_OK;
}

static predt_status find_chess(const predt__task *task) {
    struct scan scan = {.task = task, .steps = chess_steps, .neighbours = 4};
    start(task);
    scan_twice(&scan);
    return PREDT_OK;
}

static predt_status find_octagonal(const predt__task *task) {
    struct scan scan = {.task = task, .steps = octagonal_steps, .neighbours = 4};
    start(task);
    do scan.changed = false, scan_twice(&scan);
    while (scan.changed);
    return PREDT_OK;
}

static const predt__method city = {.refuses = predt__wants_squares, .find = find_city};
static const predt__method octagonal = {.refuses = predt__wants_squares, .find = find_octagonal};
static const predt__method chess = {.refuses = predt__wants_squares, .find = find_chess};

const predt__engine predt__voronoi_cityblock = {
    .name = "voronoi-cityblock",
    .summary = "reference: scans that hand targets on, city-block distance",
    .exact = 0,
    .method = &city,
    .open = predt__reference_open,
    .solve = predt__reference_solve,
    .close = predt__reference_close,
};

const predt__engine predt__voronoi_octagonal = {
    .name = "voronoi-octagonal",
    .summary = "reference: scans that hand targets on, octagonal distance",
    .exact = 0,
    .method = &octagonal,
    .open = predt__reference_open,
    .solve = predt__reference_solve,
    .close = predt__reference_close,
};

const predt__engine predt__voronoi_chessboard = {
    .name = "voronoi-chessboard",
    .summary = "reference: scans that hand targets on, chessboard distance",
    .exact = 0,
    .method = &chess,
    .open = predt__reference_open,
    .solve = predt__reference_solve,
    .close = predt__reference_close,
};
