/* The methods that the two papers compare with, on the CPU: readable first, each on one thread,
 * each in a file of its own that names its source. A method finds the nearest target of every pixel
 * of some rows; the rest of being an engine is shared (methods.c): which rows to find, and from
 * targets to the outputs of a window.
 *
 *   "PR-EDT": GPU-Based Parallel Euclidean Distance Transform Algorithm
 *   "raster Voronoi": the parallel raster method for Voronoi diagrams on CUDA, and the serial ones
 *     it compares with
 *
 * In complexities N is the number of pixels, T of targets, D the largest distance to a target in
 * pixels. */
#ifndef PREDT__METHODS_H
#define PREDT__METHODS_H

#include <stdlib.h>

#include "../core/context.h"
#include "../core/index.h"
#include "../core/nearer.h"

/* Every method is a row of the engine table. */
extern const predt__engine predt__breu;
extern const predt__engine predt__voronoi_points;
extern const predt__engine predt__voronoi_circles;
extern const predt__engine predt__voronoi_dilate;
extern const predt__engine predt__voronoi_cityblock; /* inexact, as the next two */
extern const predt__engine predt__voronoi_octagonal;
extern const predt__engine predt__voronoi_chessboard;

/* ---- What a method is asked ---- */

typedef struct predt__site {
    int32_t col, row; /* of a target; col -1: none */
} predt__site;

typedef struct predt__task {
    const predt_ctx *ctx; /* for predt__setting */
    const predt_index *index;
    const predt__metric *metric;
    int32_t width, height; /* of the raster */
    int32_t row, rows;     /* to find: all of them, unless the method solves rows alone */
    predt__site *nearest;  /* rows x width */
} predt__task;

typedef struct predt__method {
    /* can do with the rows that a window needs */
    bool rows_alone;
    /* optional: why it cannot do this raster, in words; NULL: it can */
    const char *(*refuses)(const predt_index *index);
    predt_status (*find)(const predt__task *task); /* fails for want of memory only */
} predt__method;

/* For the engine's open, solve and close; its `method` is a predt__method. Queries take turns. What
 * a method has found of a whole raster, 8 bytes a pixel, is kept for the next window of the same
 * index. */
predt_status predt__reference_open(predt_ctx *ctx, void **state);
predt_status predt__reference_solve(predt_ctx *ctx, void *state, const predt_index *index,
                                    const predt_window *window, const predt__outputs *outputs);
void predt__reference_close(void *state);

/* For `refuses`. Methods that count steps from pixel to pixel, and those whose arithmetic is that
 * of integers. */
const char *predt__wants_squares(const predt_index *index);
const char *predt__wants_integers(const predt_index *index);

/* ---- Targets ---- */

#define PREDT__NO_SITE ((predt__site){-1, -1})

static inline bool predt__is_target(const predt_index *index, int32_t col, int32_t row) {
    return predt__block_words(index, row / PREDT_SUBBLOCK_ROWS)[col] >> row % PREDT_SUBBLOCK_ROWS &
           1;
}

/* All targets by column, in a column by row; the caller frees them. NULL: no memory. */
predt__site *predt__sites(const predt_index *index);

/* ---- Who is nearer ---- */

/* Exact: integers stay below 2^53, and other pixel sides have this one expression. */
static inline double predt__site_d2(const predt__metric *metric, predt__site site, int32_t col,
                                    int32_t row) {
    return predt__d2_real(metric->wx, metric->wy, (double)col - site.col, (double)row - site.row);
}

/* True if target a answers a pixel of this row rather than b: the smaller (d2, column, distance in
 * rows, row). Distances in rows differ at the same d2 and column where d2 is rounded. */
static inline bool predt__wins(double a_d2, predt__site a, double b_d2, predt__site b,
                               int32_t row) {
    if (a_d2 != b_d2) return a_d2 < b_d2;
    if (a.col != b.col) return a.col < b.col;
    int64_t a_rows = llabs((long long)a.row - row), b_rows = llabs((long long)b.row - row);
    return a_rows != b_rows ? a_rows < b_rows : a.row < b.row;
}

#endif
