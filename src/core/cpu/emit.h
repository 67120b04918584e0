/* From (d2, column, row) of the nearest target to the outputs that were asked for. */
#ifndef PREDT__EMIT_H
#define PREDT__EMIT_H

#include <float.h>

#include "block.h"
#include "simd.h"

/* The answers of `count` pixels of one row: pixel i lies at column col + i * step. d2 in one of two types, the other NULL;
 * owner_col and owner_row are not read where d2 exceeds the limit, or where no output needs them. */
typedef struct answers {
    int32_t row, col, count;
    const int32_t *d2_int;
    const double *d2_real;
    const int32_t *owner_col, *owner_row;
    const void *tiles; /* label_tiles, if they hold the labels of all owners inside the sub-block; else NULL */
    int32_t tiles_col; /* their first column */
} answers;

static inline bool needs_owner(const predt_outputs *outputs) {
    return outputs->label || outputs->nearest_col || outputs->nearest_row || outputs->direction;
}

/* ---- Distances ---- */

/* A float32 root is the correctly rounded one where d2 itself is a float32, that is up to 2^24. */
#define EXACT_FLOAT (1 << 24)

static void emit_distance_int(float *to, const int32_t *d2, int count, double unit, int32_t limit) {
    int32_t bits = 0;
    for (int i = 0; i < count; i++) bits |= d2[i] > limit ? 0 : d2[i];
    if (unit == 1.0 && bits < EXACT_FLOAT)
        for (int i = 0; i < count; i++) to[i] = d2[i] > limit ? INFINITY : sqrtf((float)d2[i]);
    else
        for (int i = 0; i < count; i++) to[i] = d2[i] > limit ? INFINITY : predt__distance(d2[i], unit);
}

static void emit_distance_real(float *to, const double *d2, int count, double unit, double limit) {
    for (int i = 0; i < count; i++) to[i] = d2[i] > limit ? INFINITY : predt__distance(d2[i], unit);
}

static void emit_distance2(double *to, const answers *a, double unit, double limit) {
    if (a->d2_int)
        for (int i = 0; i < a->count; i++) to[i] = a->d2_int[i] > limit ? INFINITY : predt__distance2(a->d2_int[i], unit);
    else
        for (int i = 0; i < a->count; i++) to[i] = a->d2_real[i] > limit ? INFINITY : predt__distance2(a->d2_real[i], unit);
}

/* ---- Owners ---- */

static inline bool in_reach(const answers *a, int i, double limit) {
    return a->d2_int ? a->d2_int[i] <= limit : a->d2_real[i] <= limit;
}

/* Label of a target: found by its rank, and kept for the column's other pixels. side: 0 at or above the pixel's row, 1 below. */
static inline uint64_t find_label(const predt__block *block, predt__scratch *scratch, int side, int32_t col, int32_t row) {
    label_cache *cache = &scratch->labels[side][col];
    int32_t raster_row = (int32_t)(block->first_row + row);
    if (cache->row != raster_row) *cache = (label_cache){raster_row, predt__label_at(block->index, col, raster_row)};
    return cache->label;
}

/* True if the vector of pixels from i on has one owner. */
static inline bool one_owner(const answers *a, int i) {
    v32i col = LOAD(v32i, a->owner_col + i), row = LOAD(v32i, a->owner_row + i);
    return !ANY((col ^ col[0]) | (row ^ row[0]));
}

/* Labels are looked up one by one, except where a whole vector of pixels has the same owner. */
#define EMIT_LABELS(name, type)                                                                                         \
    static inline type name##_of(const predt__block *block, predt__scratch *scratch, const answers *a, int i) {         \
        int32_t col = a->owner_col[i], row = a->owner_row[i];                                                           \
        uint32_t tile_row = (uint32_t)row + (uint32_t)block->skew;                                                      \
        if (a->tiles && tile_row < PREDT_SUBBLOCK_ROWS)                                                                 \
            return ((const type *)a->tiles)[(int32_t)tile_row * LABEL_ROW + col - a->tiles_col];                        \
        return (type)find_label(block, scratch, row > a->row, col, row);                                                \
    }                                                                                                                   \
    static void name(type *restrict to, const predt__block *block, predt__scratch *scratch, const answers *all,         \
                     double limit) {                                                                                    \
        const answers a = *all;                                                                                         \
        bool reached = block->all_reached;                                                                              \
        for (int i = 0, end; i < a.count; i = end) {                                                                    \
            end = i + LANES(v32i) < a.count ? i + LANES(v32i) : a.count;                                                \
            if (reached && end == i + LANES(v32i) && one_owner(&a, i)) {                                                \
                type label = name##_of(block, scratch, &a, i);                                                          \
                for (int lane = 0; lane < LANES(v32i); lane++) to[i + lane] = label;                                    \
                continue;                                                                                               \
            }                                                                                                           \
            for (int j = i; j < end; j++)                                                                               \
                to[j] = reached || in_reach(&a, j, limit) ? name##_of(block, scratch, &a, j)                            \
                                                          : (type)block->outputs.no_label;                              \
        }                                                                                                               \
    }

EMIT_LABELS(emit_label_32, uint32_t)
EMIT_LABELS(emit_label_64, uint64_t)

static void emit_nearest(const predt__block *block, const answers *a, int64_t at, double limit) {
    int32_t *col = block->outputs.nearest_col, *row = block->outputs.nearest_row;
    for (int i = 0; col && i < a->count; i++) col[at + i] = in_reach(a, i, limit) ? a->owner_col[i] : -1;
    for (int i = 0; row && i < a->count; i++)
        row[at + i] = in_reach(a, i, limit) ? (int32_t)(block->first_row + a->owner_row[i]) : -1;
}

static void emit_direction(float *to, const predt__block *block, const answers *a, double limit) {
    for (int i = 0; i < a->count; i++) {
        double dcol = (double)a->owner_col[i] - ((double)a->col + (double)i * block->step);
        double drow = (double)a->owner_row[i] - a->row;
        to[i] = in_reach(a, i, limit) ? predt__azimuth(&block->index->metric, dcol, drow) : NAN;
    }
}

/* ---- All of it ---- */

static void emit(const predt__block *block, predt__scratch *scratch, const answers *a) {
    const predt__metric *metric = &block->index->metric;
    const predt_outputs *out = &block->outputs;
    double limit = fmin(metric->limit, a->d2_int ? INT32_MAX - 1 : DBL_MAX); /* one more means no target at all */
    int out_row = __builtin_popcount(block->wanted & ((UINT32_C(1) << a->row) - 1));
    int64_t at = out_row * out->stride + (a->col - block->col_begin) / block->step;
    if (out->distance && a->d2_int)
        emit_distance_int(out->distance + at, a->d2_int, a->count, metric->unit, (int32_t)limit);
    if (out->distance && a->d2_real)
        emit_distance_real(out->distance + at, a->d2_real, a->count, metric->unit, limit);
    if (out->distance2) emit_distance2(out->distance2 + at, a, metric->unit, limit);
    if (out->label && block->index->label_type == PREDT_LABEL_32)
        emit_label_32((uint32_t *)out->label + at, block, scratch, a, limit);
    if (out->label && block->index->label_type == PREDT_LABEL_64)
        emit_label_64((uint64_t *)out->label + at, block, scratch, a, limit);
    emit_nearest(block, a, at, limit);
    if (out->direction) emit_direction(out->direction + at, block, a, limit);
}

/* Cuts the answers of the columns [begin, end) of one row down to the columns asked for, and writes them. The arrays hold
 * column `base` first and are overwritten where the step is not 1. */
static void emit_columns(const predt__block *block, predt__scratch *scratch, int row, int32_t begin, int32_t end,
                         int32_t base, int32_t *d2_int, double *d2_real, int32_t *col, int32_t *owner_row,
                         const void *tiles, int32_t tiles_col) {
    if (begin < block->col_begin) begin = block->col_begin;
    if (end > block->col_end) end = block->col_end;
    int32_t step = block->step, skip = (begin - block->col_begin) % step;
    int64_t first = skip ? (int64_t)begin + step - skip : begin;
    if (first >= end) return;
    int32_t start = (int32_t)first - base, count = (end - (int32_t)first + step - 1) / step;
    for (int32_t i = 1; step > 1 && i < count; i++) {
        int32_t from = start + i * step;
        if (d2_int) d2_int[start + i] = d2_int[from];
        else d2_real[start + i] = d2_real[from];
        col[start + i] = col[from];
        owner_row[start + i] = owner_row[from];
    }
    emit(block, scratch,
         &(answers){row, (int32_t)first, count, d2_int ? d2_int + start : NULL, d2_real ? d2_real + start : NULL, col + start,
                    owner_row + start, tiles, tiles_col});
}

#endif
