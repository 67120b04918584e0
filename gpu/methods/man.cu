/* Engine cuda-man: D. Man, K. Uda, H. Ueyama, Y. Ito and K. Nakano, "Implementations of a parallel
 * algorithm for computing Euclidean distance map in multicore processors and GPUs", International
 * Journal of Networking and Computing 1 (2011) 260-276, and its relatives (references [24-26] of
 * the PR-EDT paper, which it calls "the Man algorithm"). It makes the serial Voronoi intersection
 * of Breu and others [27] parallel by rows.
 *
 * Complexity, n x n pixels: O(n^2) work. Memory: a row number and two links a pixel.
 *
 *   1. Columns: for every pixel the nearest target of its column; a thread for each column walks
 *      down, then up.
 *   2. Proximate points: for each row the targets of step 1 whose Voronoi cells meet the row, as a
 *      linked list. A group of threads shares a row: each links the points of its run of columns, a
 *      point at a time, unlinking those that the new one dominates; then neighbouring lists are
 *      joined two by two, unlinking what is dominated at the seam.
 *   3. Distances: the thread of each proximate point gives itself to the pixels of its cell, which
 *      the links delimit.
 *
 * The rows are independent of each other. What of the publications was to hand were the abstracts,
 * PR-EDT's description (2.2, 3.6: rows by groups of threads, sets in linked lists) and Breu's
 * method; how a group divides its row is this file's choice.
 *
 * Departures. Targets equally far from a pixel are told apart (the western one wins), so a point
 * that only ties is unlinked. A strip of a large raster begins and ends with carry rows. Where
 * weights round, a few points too many stay linked, and a pixel near a border asks the neighbours
 * too. */
#include "emit.cuh"
#include "launch.cuh"
#include "methods.h"

#define NO_POINT (-1)
#define UNLINKED (-2) /* in next: not in the list of its row */

/* The lists of the wanted rows. A point is called by its column. */
typedef struct lists {
    int32_t *target_row;  /* wanted rows x width: row of the point, -1: none */
    int32_t *next, *prev; /* wanted rows x width */
    /* wanted rows x group: first and last point of each run of columns, or NO_POINT */
    int2 *ends;
    int32_t group, length; /* runs of a row, columns of a run */
} lists;

/* ---- Step 1: columns ---- */

__device__ static inline bool is_target(const predt__ref_strip &s, int32_t col, int64_t row) {
    int64_t bit = row - s.words_row;
    return s.words[bit / 32 * s.width + col] >> bit % 32 & 1;
}

/* Down: the last target above or at each wanted row. */
__device__ static void walk_down(const predt__ref_strip &s, int32_t *target_row, int32_t col) {
    int32_t last = s.above[col];
    for (int32_t at = 0; at < s.rows; at++) {
        if (is_target(s, col, s.first_row + at)) last = (int32_t)(s.first_row + at);
        if (at % s.step == 0) target_row[(int64_t)(at / s.step) * s.width + col] = last;
    }
}

/* Up: the first target below takes the place of the one above where it is nearer. */
__device__ static void walk_up(const predt__ref_strip &s, int32_t *target_row, int32_t col) {
    int32_t first = s.below[col];
    for (int32_t at = s.rows - 1; at >= 0; at--) {
        int64_t row = s.first_row + at;
        if (is_target(s, col, row)) first = (int32_t)row;
        if (at % s.step || first == INT32_MAX) continue;
        int32_t *target = &target_row[(int64_t)(at / s.step) * s.width + col];
        if (*target < 0 || first - row < row - *target) *target = first;
    }
}

__global__ void columns_kernel(predt__ref_strip s, lists l) {
    int64_t col = this_thread();
    if (col >= s.width) return;
    walk_down(s, l.target_row, (int32_t)col);
    walk_up(s, l.target_row, (int32_t)col);
}

/* ---- Step 2: proximate points ---- */

/* One row's list. */
typedef struct row_list {
    const int32_t *target_row;
    int32_t *next, *prev;
    int32_t row; /* of the raster */
} row_list;

__device__ static inline row_list list_of(const predt__ref_strip &s, const lists &l,
                                          int64_t wanted_row) {
    int64_t line = wanted_row * s.width;
    return {l.target_row + line, l.next + line, l.prev + line,
            (int32_t)(s.first_row + wanted_row * s.step)};
}

__device__ static inline int2 point(const row_list &l, int32_t col) {
    return make_int2(col, l.target_row[col]);
}

template <typename Measure>
__device__ static inline bool dominated(const Measure &m, const row_list &l, int32_t a, int32_t b,
                                        int32_t c) {
    return dominated(m, point(l, a), point(l, b), point(l, c), l.row);
}

/* Links the points of columns begin to end; returns the ends of their list. */
template <typename Measure>
__device__ static int2 link_run(const Measure &m, const row_list &l, int32_t begin, int32_t end) {
    int2 ends = make_int2(NO_POINT, NO_POINT);
    for (int32_t col = begin; col < end; col++) {
        l.next[col] = UNLINKED;
        if (l.target_row[col] < 0) continue;
        while (ends.y >= 0 && l.prev[ends.y] >= 0 && dominated(m, l, l.prev[ends.y], ends.y, col)) {
            l.next[ends.y] = UNLINKED;
            ends.y = l.prev[ends.y];
        }
        l.prev[col] = ends.y;
        l.next[col] = NO_POINT;
        if (ends.y >= 0) l.next[ends.y] = col;
        else ends.x = col;
        ends.y = col;
    }
    return ends;
}

template <typename Measure> __global__ void link_kernel(predt__ref_strip s, Measure m, lists l) {
    int64_t i = this_thread(), row = i / l.group, run = i % l.group, begin = run * l.length,
            end = begin + l.length;
    if (row >= s.wanted_rows) return;
    if (begin > s.width) begin = s.width;
    if (end > s.width) end = s.width;
    l.ends[i] = link_run(m, list_of(s, l, row), (int32_t)begin, (int32_t)end);
}

/* Joins two lists that follow each other; returns the ends of the one. On each side points are
 * unlinked from the seam on, until neither of the two that meet there is dominated: then no point
 * of the joint list is. */
template <typename Measure>
__device__ static int2 join(const Measure &m, const row_list &l, int2 west, int2 east) {
    if (west.x < 0 || east.x < 0) return west.x < 0 ? east : west;
    int32_t b = west.y, c = east.x;
    for (;;) {
        int32_t a = l.prev[b], d = l.next[c];
        if (a >= 0 && dominated(m, l, a, b, c)) {
            l.next[b] = UNLINKED;
            b = a;
        } else if (d >= 0 && dominated(m, l, b, c, d)) {
            l.next[c] = UNLINKED;
            c = d;
        } else break;
    }
    l.next[b] = c;
    l.prev[c] = b;
    return make_int2(west.x, east.y);
}

/* Runs have been joined to lists of `joined` runs each; joins those in pairs. */
template <typename Measure>
__global__ void join_kernel(predt__ref_strip s, Measure m, lists l, int32_t joined) {
    int64_t pairs = (l.group - 1) / (2 * (int64_t)joined) + 1, i = this_thread(), row = i / pairs;
    int64_t west = i % pairs * 2 * joined, east = west + joined;
    if (row >= s.wanted_rows || east >= l.group) return;
    int2 *ends = l.ends + row * l.group;
    ends[west] = join(m, list_of(s, l, row), ends[west], ends[east]);
}

template <typename Measure>
static cudaError_t proximate_points(const predt__ref_strip *s, const Measure &m, const lists *l,
                                    cudaStream_t stream) {
    cudaError_t error =
        launch(stream, (int64_t)s->wanted_rows * l->group, link_kernel<Measure>, *s, m, *l);
    for (int32_t joined = 1; joined < l->group && error == cudaSuccess; joined *= 2) {
        int64_t pairs = (l->group - 1) / (2 * (int64_t)joined) + 1;
        error = launch(stream, s->wanted_rows * pairs, join_kernel<Measure>, *s, m, *l, joined);
    }
    return error;
}

/* ---- Step 3: distances ---- */

template <typename Number, typename Wide>
__device__ static inline nearest<Number> nearest_of(const whole<Number, Wide> &m, const row_list &l,
                                                    int32_t owner, int32_t col) {
    return seen(m, point(l, owner), col, l.row);
}

/* Where weights round, the neighbours on both sides are asked as long as rounding may hide that
 * they are nearer. */
__device__ static nearest<double> nearest_of(const real &m, const row_list &l, int32_t owner,
                                             int32_t col) {
    nearest<double> best = seen(m, point(l, owner), col, l.row), here = best;
    for (int32_t i = l.prev[owner]; i >= 0; i = l.prev[i]) {
        nearest<double> west = seen(m, point(l, i), col, l.row);
        if (west.d2 > here.d2 + slack(m, west.point, here.point)) break;
        if (nearer(west, best, l.row)) best = west;
        here = west;
    }
    here = seen(m, point(l, owner), col, l.row);
    for (int32_t i = l.next[owner]; i >= 0; i = l.next[i]) {
        nearest<double> east = seen(m, point(l, i), col, l.row);
        if (east.d2 > here.d2 + slack(m, here.point, east.point)) break;
        if (nearer(east, best, l.row)) best = east;
        here = east;
    }
    return best;
}

/* The wanted pixels of the cell of one point. Where weights round, two cells may share a pixel:
 * both find the same answer. */
template <typename Measure>
__device__ static void fill_cell(const predt__ref_strip &s, const Measure &m, const row_list &l,
                                 int64_t wanted_row, int32_t col) {
    int2 here = point(l, col);
    int32_t west = l.prev[col], east = l.next[col];
    int64_t begin = west < 0 ? 0 : first_column(m, point(l, west), here, l.row);
    int64_t end = east < 0 ? s.width : first_column(m, here, point(l, east), l.row);
    int64_t first = begin <= s.col ? 0 : (begin - s.col + s.step - 1) / s.step;
    for (int64_t i = first; i < s.cols && s.col + i * s.step < end; i++) {
        int32_t pixel = (int32_t)(s.col + i * s.step);
        emit_nearest(s, wanted_row * s.cols + i, nearest_of(m, l, col, pixel), pixel, l.row);
    }
}

template <typename Measure> __global__ void cells_kernel(predt__ref_strip s, Measure m, lists l) {
    int64_t i = this_thread(), row = i / s.width;
    int32_t col = (int32_t)(i % s.width);
    if (row >= s.wanted_rows) return;
    row_list list = list_of(s, l, row);
    bool empty = l.ends[row * l.group].x < 0; /* and so is the raster */
    if (!empty && list.next[col] != UNLINKED) fill_cell(s, m, list, row, col);
    if (empty && col < s.cols)
        emit(s, row * s.cols + col, INFINITY, make_int2(-1, -1), col, list.row);
}

template <typename Measure>
static cudaError_t distances(const predt__ref_strip *s, const Measure &m, const lists *l,
                             cudaStream_t stream) {
    return launch(stream, (int64_t)s->wanted_rows * s->width, cells_kernel<Measure>, *s, m, *l);
}

/* ---- All of it ---- */

/* Lays the lists out from base on, which may be NULL; returns their size. */
static size_t lay_out(lists *l, char *base, const predt__ref_strip *s) {
    size_t at = 0;
    int64_t points = (int64_t)s->wanted_rows * s->width;
    l->group = s->setting[0] < s->width ? (int32_t)s->setting[0] : s->width;
    l->length = (s->width - 1) / l->group + 1;
    l->target_row = (int32_t *)take_bytes(base, &at, points * (int64_t)sizeof(int32_t));
    l->next = (int32_t *)take_bytes(base, &at, points * (int64_t)sizeof(int32_t));
    l->prev = (int32_t *)take_bytes(base, &at, points * (int64_t)sizeof(int32_t));
    l->ends =
        (int2 *)take_bytes(base, &at, (int64_t)s->wanted_rows * l->group * (int64_t)sizeof(int2));
    return at;
}

static size_t workspace(const predt__ref_strip *strip) {
    lists unused;
    return lay_out(&unused, NULL, strip);
}

template <typename Measure>
static cudaError_t solve(const predt__ref_strip *s, const Measure &m, const lists *l,
                         cudaStream_t stream, const cudaEvent_t *marks) {
    cudaError_t error = record(marks, 0, stream);
    if (error == cudaSuccess) error = launch(stream, s->width, columns_kernel, *s, *l);
    if (error == cudaSuccess) error = record(marks, 1, stream);
    if (error == cudaSuccess) error = proximate_points(s, m, l, stream);
    if (error == cudaSuccess) error = record(marks, 2, stream);
    if (error == cudaSuccess) error = distances(s, m, l, stream);
    return error == cudaSuccess ? record(marks, 3, stream) : error;
}

static cudaError_t run(const predt__ref_strip *strip, void *workspace, cudaStream_t stream,
                       const cudaEvent_t *marks) {
    lists l;
    lay_out(&l, (char *)workspace, strip);
    return measured(strip,
                    [&](const auto &measure) { return solve(strip, measure, &l, stream, marks); });
}

const predt__ref_method predt__man_method = {
    "cuda-man", PREDT__REF_STRIP, {"columns", "proximate points", "distances"}, workspace, run};
