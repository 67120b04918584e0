/* From (d2, column, row) of the nearest target to the outputs that were asked for. */
#ifndef PREDT__EMIT_H
#define PREDT__EMIT_H

#include <float.h>

#include "emit_distances.h"
#include "emit_labels.h"

static void emit_nearest(const predt__block *block, const answers *a, int64_t at, double limit) {
    int32_t *col = block->outputs.nearest_col, *row = block->outputs.nearest_row;
    for (int i = 0; col && i < a->count; i++)
        col[at + i] = in_reach(a, i, limit) ? a->owner_col[i] : -1;
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

/* Of a pixel in the outputs. */
static int64_t place_of(const predt__block *block, int row, int32_t col) {
    int out_row = __builtin_popcount(block->wanted & ((UINT32_C(1) << row) - 1));
    return out_row * block->outputs.stride + (col - block->col_begin) / block->step;
}

static void emit(const predt__block *block, predt__scratch *scratch, const answers *a) {
    const predt__metric *metric = &block->index->metric;
    const predt__outputs *out = &block->outputs;
    /* one more means no target at all */
    double limit = fmin(metric->limit, a->d2_int ? INT32_MAX - 1 : DBL_MAX);
    int64_t at = place_of(block, a->row, a->col);
    if (out->distance) emit_distance(out->distance + at, block, a, limit);
    if (out->encoding.values) emit_encoded(block, scratch, a, at, limit);
    if (out->distance2) emit_distance2(out->distance2 + at, a, metric->unit, limit);
    if (out->label) emit_label(block, scratch, a, at, limit);
    emit_nearest(block, a, at, limit);
    if (out->direction) emit_direction(out->direction + at, block, a, limit);
}

/* The answers of one row from column `base` on, as a regime finds them; overwritten by
 * emit_columns. */
typedef struct found_row {
    int32_t base;
    int32_t *d2_int;
    double *d2_real;
    int32_t *owner_col, *owner_row;
    void *labels;
    bool provisional; /* a tile of them may turn out to be far, and is answered again then */
} found_row;

/* Keeps every step-th of `count` elements from `start` on. */
#define THIN(array, start, count, step)                                                            \
    for (int32_t i_ = 1; i_ < (count); i_++) (array)[(start) + i_] = (array)[(start) + i_ * (step)]

static void thin(const predt__block *block, const found_row *f, int32_t start, int32_t count) {
    int32_t step = block->step;
    if (f->d2_int) THIN(f->d2_int, start, count, step);
    if (f->d2_real) THIN(f->d2_real, start, count, step);
    THIN(f->owner_col, start, count, step);
    THIN(f->owner_row, start, count, step);
    if (f->labels && block->index->label_type == PREDT_LABEL_32)
        THIN((uint32_t *)f->labels, start, count, step);
    if (f->labels && block->index->label_type == PREDT_LABEL_64)
        THIN((uint64_t *)f->labels, start, count, step);
}

/* ---- Pixels that are answered as if no target were in reach ---- */

static bool is_too_near(const predt__block *block, double d2) {
    const predt__outputs *out = &block->outputs;
    double unit = block->index->metric.unit, min = out->min_distance;
    bool as_float = !out->encoding.values || out->encoding.type == PREDT_FLOAT32;
    if (!(min > 0)) return false;
    return as_float ? predt__float_is_nearer(predt__distance(d2, unit), min)
                    : predt__square_is_nearer(predt__distance2(d2, unit), out->encoding.scale, min);
}

/* at: of the first pixel in the outputs. */
static void take_out(const predt__block *block, const found_row *f, int32_t start, int32_t count,
                     int64_t at) {
    const uint8_t *mask = block->outputs.mask;
    for (int32_t i = 0; i < count; i++) {
        int32_t *d2_int = f->d2_int ? f->d2_int + start + i : NULL;
        double *d2_real = f->d2_real ? f->d2_real + start + i : NULL;
        bool out = mask && mask[at + i];
        if (!out && !is_too_near(block, d2_int ? (double)*d2_int : *d2_real)) continue;
        if (d2_int) *d2_int = INT32_MAX;
        if (d2_real) *d2_real = (double)INFINITY;
    }
}

/* Cuts the answers of the columns [begin, end) of one row down to the columns asked for, and writes
 * them. */
static void emit_columns(const predt__block *block, predt__scratch *scratch, int row, int32_t begin,
                         int32_t end, const found_row *f) {
    if (begin < block->col_begin) begin = block->col_begin;
    if (end > block->col_end) end = block->col_end;
    int32_t step = block->step, skip = (begin - block->col_begin) % step;
    int64_t first = skip ? (int64_t)begin + step - skip : begin;
    if (first >= end) return;
    int32_t start = (int32_t)first - f->base, count = (end - (int32_t)first + step - 1) / step;
    if (step > 1) thin(block, f, start, count);
    if (predt__takes_out(&block->outputs))
        take_out(block, f, start, count, place_of(block, row, (int32_t)first));
    answers a = {.row = row, .col = (int32_t)first, .count = count, .provisional = f->provisional};
    if (f->d2_int) a.d2_int = f->d2_int + start;
    if (f->d2_real) a.d2_real = f->d2_real + start;
    a.owner_col = f->owner_col + start;
    a.owner_row = f->owner_row + start;
    if (f->labels) a.labels = (char *)f->labels + start * (int64_t)block->index->label_type;
    emit(block, scratch, &a);
}

#endif
