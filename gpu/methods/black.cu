/* Engine cuda-black: the GPU transform of D. Black and others, published with DistanceTransforms.jl
 * (reference [29] of the PR-EDT paper, which speaks of "a hardware-agnostic GPU acceleration
 * framework" and calls this "the Black algorithm"). One thread a pixel; in each of the two
 * dimensions it searches outward and stops early.
 *
 * Complexity, n x n pixels: O(n^2 d) with d the distance to the nearest target, so O(n^3) where
 * targets are few. Memory: one row number a pixel.
 *
 *   1. Columns: the thread looks at 1, 2, 3, ... pixels up and down in its column and stops at the
 *      first target.
 *   2. Rows: it tries the columns at 1, 2, 3, ... pixels to one side, then to the other, and stops
 *      where the columns alone are as far as the best target so far.
 *
 * Departures. The picture is the index's words, a bit a pixel, where the original reads a float.
 * Step 1 leaves the row of the target, not the squared distance, which the outputs other than the
 * distance need and which is exact at any size. The order of the dimensions (columns first) and the
 * strictness of the second stop follow from the rule for ties: to the west an equally far target
 * wins, to the east it does not. A strip of a large raster begins and ends with carry rows. A
 * launch takes some of the pixels at a time, so that none lasts long where targets are few. */
#include "emit.cuh"
#include "launch.cuh"
#include "methods.h"

/* Pixels that one launch may visit at worst: a second at a rate that any GPU reaches. */
#ifndef LAUNCH_VISITS
#define LAUNCH_VISITS ((int64_t)1 << 35)
#endif

/* So many threads may start at once, each of which visits up to so many pixels. */
static int64_t launch_size(int64_t visits) {
    int64_t threads = LAUNCH_VISITS / visits;
    return threads < LAUNCH_THREADS ? LAUNCH_THREADS : threads;
}

/* ---- Step 1: columns ---- */

__device__ static inline bool is_target(const predt__ref_strip &s, int32_t col, int64_t row) {
    int64_t bit = row - s.words_row;
    return s.words[bit / 32 * s.width + col] >> bit % 32 & 1;
}

/* Row of the column's target that is nearest to row `at` of the strip, the northern one of two; -1:
 * the column has none. */
__device__ static int32_t search_column(const predt__ref_strip &s, int32_t col, int32_t at) {
    int64_t row = s.first_row + at, above = s.above[col], below = s.below[col], far = INT64_MAX;
    int64_t to_above = above < 0 ? far : row - above,
            to_below = below == INT32_MAX ? far : below - row;
    int32_t up = at, down = s.rows - 1 - at;
    for (int32_t gap = 0; gap <= up || gap <= down; gap++) {
        if (gap <= up && is_target(s, col, row - gap)) return (int32_t)(row - gap);
        if (gap == to_above) return (int32_t)above;
        if (gap <= down && is_target(s, col, row + gap)) return (int32_t)(row + gap);
        if (gap == to_below) return (int32_t)below;
    }
    if (to_above == far && to_below == far) return -1;
    return (int32_t)(to_above <= to_below ? above : below);
}

/* Pixels of the wanted rows, all columns, from number `first` on. */
__global__ void columns_kernel(predt__ref_strip s, int32_t *target_row, int64_t first) {
    int64_t i = first + this_thread(), row = i / s.width;
    if (row >= s.wanted_rows) return;
    target_row[i] = search_column(s, (int32_t)(i % s.width), (int32_t)(row * s.step));
}

static cudaError_t search_columns(const predt__ref_strip *s, int32_t *target_row,
                                  cudaStream_t stream) {
    cudaError_t error = cudaSuccess;
    int64_t pixels = (int64_t)s->wanted_rows * s->width, size = launch_size(s->rows);
    for (int64_t first = 0; first < pixels && error == cudaSuccess; first += size)
        error = launch(stream, pixels - first < size ? pixels - first : size, columns_kernel, *s,
                       target_row, first);
    return error;
}

/* ---- Step 2: rows ---- */

/* The nearest target of pixel col, from the targets of all columns. */
template <typename Measure>
__device__ static nearest<typename Measure::number>
search_row(const Measure &m, const int32_t *target_row, int32_t col, int32_t row) {
    nearest<typename Measure::number> best = {0, make_int2(-1, -1)};
    if (target_row[col] >= 0) best = seen(m, make_int2(col, target_row[col]), col, row);
    for (int32_t gap = 1; gap < m.width - col; gap++) {
        if (best.point.x >= 0 && columns_away(m, gap) >= best.d2) break;
        if (target_row[col + gap] < 0) continue;
        nearest<typename Measure::number> east =
            seen(m, make_int2(col + gap, target_row[col + gap]), col, row);
        if (nearer(east, best, row)) best = east;
    }
    for (int32_t gap = 1; gap <= col; gap++) {
        if (best.point.x >= 0 && columns_away(m, gap) > best.d2) break;
        if (target_row[col - gap] < 0) continue;
        nearest<typename Measure::number> west =
            seen(m, make_int2(col - gap, target_row[col - gap]), col, row);
        if (nearer(west, best, row)) best = west;
    }
    return best;
}

/* Wanted pixels from number `first` on. */
template <typename Measure>
__global__ void rows_kernel(predt__ref_strip s, Measure m, const int32_t *target_row,
                            int64_t first) {
    int64_t i = first + this_thread(), row = i / s.cols;
    if (row >= s.wanted_rows) return;
    int32_t col = (int32_t)(s.col + i % s.cols * s.step),
            raster_row = (int32_t)(s.first_row + row * s.step);
    emit_nearest(s, i, search_row(m, target_row + row * s.width, col, raster_row), col, raster_row);
}

template <typename Measure>
static cudaError_t search_rows(const predt__ref_strip *s, const Measure &m,
                               const int32_t *target_row, cudaStream_t stream) {
    cudaError_t error = cudaSuccess;
    int64_t pixels = (int64_t)s->wanted_rows * s->cols, size = launch_size(s->width);
    for (int64_t first = 0; first < pixels && error == cudaSuccess; first += size)
        error = launch(stream, pixels - first < size ? pixels - first : size, rows_kernel<Measure>,
                       *s, m, target_row, first);
    return error;
}

/* ---- All of it ---- */

static size_t workspace(const predt__ref_strip *strip) {
    return (size_t)strip->wanted_rows * (size_t)strip->width * sizeof(int32_t);
}

static cudaError_t run(const predt__ref_strip *strip, void *workspace, cudaStream_t stream,
                       const cudaEvent_t *marks) {
    int32_t *target_row = (int32_t *)workspace;
    cudaError_t error = record(marks, 0, stream);
    if (error == cudaSuccess) error = search_columns(strip, target_row, stream);
    if (error == cudaSuccess) error = record(marks, 1, stream);
    if (error == cudaSuccess)
        error = measured(strip, [=](const auto &measure) {
            return search_rows(strip, measure, target_row, stream);
        });
    return error == cudaSuccess ? record(marks, 2, stream) : error;
}

const predt__ref_method predt__black_method = {
    "cuda-black", PREDT__REF_STRIP, {"columns", "rows"}, workspace, run};
