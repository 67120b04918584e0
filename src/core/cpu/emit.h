/* From (d2, column, row) of the nearest target to the outputs that were asked for. */
#ifndef PREDT__EMIT_H
#define PREDT__EMIT_H

#include <float.h>

#include "../encode_row.h"
#include "../simd.h"
#include "block.h"

/* The answers of `count` (up to LABEL_ROW) pixels of one row: pixel i lies at column col + i *
 * step. d2 in one of two types, the other NULL; owner_col and owner_row are not read where d2
 * exceeds the limit, or where no output needs them. */
typedef struct answers {
    int32_t row, col, count;
    const int32_t *d2_int;
    const double *d2_real;
    const int32_t *owner_col, *owner_row;
    void *labels;     /* of the owners, if they are known already; else NULL */
    bool provisional; /* see found */
} answers;

static inline bool needs_owner(const predt__outputs *outputs) {
    return outputs->nearest_col || outputs->nearest_row || outputs->direction;
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
        for (int i = 0; i < count; i++)
            to[i] = d2[i] > limit ? INFINITY : predt__distance(d2[i], unit);
}

static void emit_distance_real(float *to, const double *d2, int count, double unit, double limit) {
    for (int i = 0; i < count; i++) to[i] = d2[i] > limit ? INFINITY : predt__distance(d2[i], unit);
}

static void plain_distance(float *to, const predt__block *block, const answers *a, double limit) {
    double unit = block->index->metric.unit;
    if (a->d2_int) emit_distance_int(to, a->d2_int, a->count, unit, (int32_t)limit);
    else emit_distance_real(to, a->d2_real, a->count, unit, limit);
}

static void emit_distance(float *to, const predt__block *block, const answers *a, double limit) {
    float distance[LABEL_ROW];
    plain_distance(distance, block, a, limit);
    copy_out(to, distance, (size_t)a->count * sizeof *distance, block->stream);
}

static void emit_distance2(double *to, const answers *a, double unit, double limit) {
    if (a->d2_int)
        for (int i = 0; i < a->count; i++)
            to[i] = a->d2_int[i] > limit ? INFINITY : predt__distance2(a->d2_int[i], unit);
    else
        for (int i = 0; i < a->count; i++)
            to[i] = a->d2_real[i] > limit ? INFINITY : predt__distance2(a->d2_real[i], unit);
}

/* ---- Distances in another type ---- */

/* Rounded distances in pixels. A square root is never a half: k + 1/2 lies between the roots of
 * k * k + k and of the next integer. The float32 root may be off by one. */
static void round_pixels(const answers *a, int start, int count, int32_t limit, int32_t *whole) {
    const float largest = 46340; /* its square is an int32 */
    for (int i = 0; i < count; i++) {
        int32_t d2 = a->d2_int[start + i];
        float root = sqrtf((float)d2);
        int32_t k = (int32_t)((root < largest ? root : largest) + 0.5f);
        int32_t square = k * k, up = d2 - square > k, down = d2 - square <= -k;
        whole[i] = d2 <= limit ? k + up - (down & (d2 > 0)) : -1;
    }
}

/* The same where distances from `over` on do not matter. Up to 1448 the next root beside a half is
 * farther from it than a float32 root is off. */
#define SMALL_PIXELS 1448
static void round_small_pixels(const answers *a, int start, int count, int32_t limit, float over,
                               int32_t *whole) {
    for (int i = 0; i < count; i++) {
        int32_t d2 = a->d2_int[start + i];
        float root = sqrtf((float)d2);
        int32_t k = (int32_t)((root < over ? root : over) + 0.5f);
        whole[i] = d2 <= limit ? k : -1;
    }
}

/* The same by float32 roots times a scale, which are off by less than 4 units of 2^-24; false where
 * one of them is so near to a half that this could matter. over: more than the type holds. */
static bool round_by_floats(const answers *a, int start, int count, float scale, int32_t limit,
                            float over, int32_t *whole) {
    const float slack = 0x1p-22f;
    int32_t unsure = 0;
    for (int i = 0; i < count; i++) {
        int32_t d2 = a->d2_int[start + i];
        float distance = sqrtf((float)d2) * scale;
        distance = distance < over ? distance : over;
        int32_t below = (int32_t)distance;
        float rest = distance - (float)below - 0.5f;
        unsure |= fabsf(rest) <= distance * slack;
        whole[i] = d2 <= limit ? below + (rest >= 0) : -1;
    }
    return !unsure;
}

static void see_farthest_int(const answers *a, const predt__encoding *e, double unit2,
                             int32_t limit, const predt__piece *piece, predt__seen *seen) {
    int32_t max = -1;
    for (int i = 0; i < a->count; i++) {
        int32_t reached = a->d2_int[i] <= limit ? a->d2_int[i] : -1;
        max = reached > max ? reached : max;
    }
    double farthest = max < 0 ? -1 : sqrt((double)max * unit2) * e->scale;
    if (!may_be_farthest(seen, farthest)) return;
    int at = 0;
    while (a->d2_int[at] > limit || sqrt((double)a->d2_int[at] * unit2) * e->scale != farthest)
        at++;
    see_farthest(seen, farthest, piece, at);
}

static void round_ints(const predt__block *block, const answers *a, int start, int count,
                       double limit, int32_t *whole) {
    const predt__encoding *e = &block->outputs.encoding;
    double unit = block->index->metric.unit, square[ENCODE_CHUNK];
    answers some = {.count = count, .d2_int = a->d2_int + start};
    double scale = unit * e->scale;
    if (unit == 1 && scale == 1) {
        if (e->max.i < SMALL_PIXELS)
            round_small_pixels(a, start, count, (int32_t)limit, (float)(e->max.i + 1), whole);
        else round_pixels(a, start, count, (int32_t)limit, whole);
        return;
    }
    /* a scale that float32 holds well */
    if (scale > 1e-30 && scale < 1e30 &&
        round_by_floats(a, start, count, (float)scale, (int32_t)limit, (float)(e->max.i + 1),
                        whole))
        return;
    emit_distance2(square, &some, unit, limit);
    round_squares(e, count, square, whole);
}

/* Integers of 1 and 2 bytes from integer squares. */
static void encode_ints(const predt__block *block, const answers *a, double limit,
                        const predt__piece *piece, void *values, predt__seen *seen) {
    const predt__encoding *e = &block->outputs.encoding;
    double unit = block->index->metric.unit;
    int32_t whole[ENCODE_CHUNK];
    see_farthest_int(a, e, unit * unit, (int32_t)limit, piece, seen);
    for (int i = 0; i < a->count; i += ENCODE_CHUNK) {
        int count = a->count - i < ENCODE_CHUNK ? a->count - i : ENCODE_CHUNK;
        round_ints(block, a, i, count, limit, whole);
        store_small(e, count, whole, (char *)values + i * e->bytes, seen);
    }
}

/* values: aligned for any type. */
static void encode(const predt__block *block, const answers *a, double limit, void *values,
                   predt__seen *seen) {
    const predt__encoding *e = &block->outputs.encoding;
    predt__piece piece = {a->col, block->first_row + a->row, block->step, a->count};
    if (a->d2_int && e->bytes <= 2) encode_ints(block, a, limit, &piece, values, seen);
    else if (e->type == PREDT_FLOAT32) {
        plain_distance(values, block, a, limit);
        encode_float32(e, &piece, values, values, seen);
    } else {
        double square[LABEL_ROW];
        emit_distance2(square, a, block->index->metric.unit, limit);
        encode_squares(e, &piece, square, values, seen);
    }
}

/* Counts again, tile by tile. */
static void count_by_tiles(const predt__block *block, predt__scratch *scratch, const answers *a,
                           double limit) {
    double unused[LABEL_ROW];
    for (int i = 0, count; i < a->count; i += count) {
        int64_t col = a->col + (int64_t)i * block->step, tile = col / TILE;
        predt__seen seen = PREDT__SEEN_INIT;
        count = (int)(((tile + 1) * TILE - col + block->step - 1) / block->step);
        if (count > a->count - i) count = a->count - i;
        answers some = {.row = a->row,
                        .col = (int32_t)col,
                        .count = count,
                        .d2_int = a->d2_int ? a->d2_int + i : NULL,
                        .d2_real = a->d2_real ? a->d2_real + i : NULL};
        encode(block, &some, limit, unused, &seen);
        scratch->counts[tile].clamped += (int32_t)seen.clamped;
        scratch->counts[tile].like_none += (int32_t)seen.like_none;
    }
    scratch->counted = true;
}

static void emit_encoded(const predt__block *block, predt__scratch *scratch, const answers *a,
                         int64_t at, double limit) {
    const predt__encoding *e = &block->outputs.encoding;
    double values[LABEL_ROW];
    predt__seen seen = scratch->seen;
    seen.clamped = seen.like_none = 0;
    encode(block, a, limit, values, &seen);
    copy_out((char *)e->values + at * e->bytes, values, (size_t)(a->count * e->bytes),
             block->stream);
    if (a->provisional && (seen.clamped || seen.like_none)) {
        count_by_tiles(block, scratch, a, limit);
        seen.clamped = seen.like_none = 0;
    }
    predt__tally_add(&scratch->seen, &seen);
}

/* The tiles that have stayed near count. */
static void add_counts(const predt__block *block, predt__scratch *scratch) {
    int32_t first = block->col_begin / TILE, last = (block->col_end - 1) / TILE;
    if (!scratch->counted) return;
    for (int32_t tile = first; tile <= last; tile++) {
        tile_counts *counts = &scratch->counts[tile];
        if (scratch->far[tile] == TILE_NEAR) {
            scratch->seen.clamped += counts->clamped;
            scratch->seen.like_none += counts->like_none;
        }
        *counts = (tile_counts){0, 0};
    }
    scratch->counted = false;
}

/* ---- Owners ---- */

static inline bool in_reach(const answers *a, int i, double limit) {
    return a->d2_int ? a->d2_int[i] <= limit : a->d2_real[i] <= limit;
}

/* True if the vector of pixels from i on has one owner. */
static inline bool one_owner(const answers *a, int i) {
    v32i col = LOAD(v32i, a->owner_col + i), row = LOAD(v32i, a->owner_row + i);
    return !ANY((col ^ col[0]) | (row ^ row[0]));
}

/* Label of a target: found by its rank, and kept for the column's other pixels. side: 0 at or above
 * the pixel's row, 1 below. Labels of many pixels are looked up one by one, except where a whole
 * vector of pixels has the same owner. */
#define FIND_LABELS(type)                                                                          \
    static __attribute__((noinline)) type rank_label_##type(                                       \
        const predt__block *block, label_cache_##type *cache, int32_t col, int32_t raster_row) {   \
        cache->row = raster_row;                                                                   \
        return cache->label = (type)predt__label_at(block->index, col, raster_row);                \
    }                                                                                              \
    static inline type find_label_##type(const predt__block *block, predt__scratch *scratch,       \
                                         int side, int32_t col, int32_t row) {                     \
        label_cache_##type *cache = (label_cache_##type *)scratch->labels[side] + col;             \
        int32_t raster_row = (int32_t)block->first_row + row;                                      \
        return cache->row == raster_row ? cache->label                                             \
                                        : rank_label_##type(block, cache, col, raster_row);        \
    }                                                                                              \
    static void find_labels_##type(type *restrict to, const predt__block *block,                   \
                                   predt__scratch *scratch, const answers *a, double limit) {      \
        const int32_t *restrict col = a->owner_col, *restrict row = a->owner_row;                  \
        int32_t here = a->row, i = 0;                                                              \
        for (; block->all_reached && i + LANES(v32i) <= a->count; i += LANES(v32i))                \
            if (one_owner(a, i)) {                                                                 \
                type label = find_label_##type(block, scratch, row[i] > here, col[i], row[i]);     \
                for (int lane = 0; lane < LANES(v32i); lane++) to[i + lane] = label;               \
            } else {                                                                               \
                for (int j = i; j < i + LANES(v32i); j++)                                          \
                    to[j] = find_label_##type(block, scratch, row[j] > here, col[j], row[j]);      \
            }                                                                                      \
        for (; i < a->count; i++)                                                                  \
            to[i] = in_reach(a, i, limit)                                                          \
                        ? find_label_##type(block, scratch, row[i] > here, col[i], row[i])         \
                        : (type)block->outputs.no_label;                                           \
    }

FIND_LABELS(uint32_t)
FIND_LABELS(uint64_t)

/* Pixels out of reach want another label. */
#define HIDE_LABELS(type)                                                                          \
    static void hide_labels_##type(type *labels, const predt__block *block, const answers *a,      \
                                   double limit) {                                                 \
        for (int i = 0; i < a->count; i++)                                                         \
            if (!in_reach(a, i, limit)) labels[i] = (type)block->outputs.no_label;                 \
    }

HIDE_LABELS(uint32_t)
HIDE_LABELS(uint64_t)

/* Keeps the low bytes, in place. */
static void shorten_labels(void *labels, int size, int bytes, int count) {
    const uint32_t *from32 = labels;
    const uint64_t *from64 = labels;
    uint8_t *to8 = labels;
    uint16_t *to16 = labels;
    uint32_t *to32 = labels;
    for (int i = 0; i < count; i++) {
        uint64_t label = size == 4 ? from32[i] : from64[i];
        if (bytes == 1) to8[i] = (uint8_t)label;
        else if (bytes == 2) to16[i] = (uint16_t)label;
        else to32[i] = (uint32_t)label;
    }
}

static void emit_label(const predt__block *block, predt__scratch *scratch, const answers *a,
                       int64_t at, double limit) {
    uint64_t found[LABEL_ROW];
    void *labels = a->labels ? a->labels : found;
    size_t size = (size_t)block->index->label_type;
    if (size == sizeof(uint32_t)) {
        if (!a->labels) find_labels_uint32_t(labels, block, scratch, a, limit);
        else if (!block->all_reached) hide_labels_uint32_t(labels, block, a, limit);
    } else {
        if (!a->labels) find_labels_uint64_t(labels, block, scratch, a, limit);
        else if (!block->all_reached) hide_labels_uint64_t(labels, block, a, limit);
    }
    int bytes = block->outputs.label_bytes ? block->outputs.label_bytes : (int)size;
    if (bytes < (int)size) shorten_labels(labels, (int)size, bytes, a->count);
    copy_out((char *)block->outputs.label + (int64_t)at * bytes, labels, (size_t)(a->count * bytes),
             block->stream);
}

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
typedef struct found {
    int32_t base;
    int32_t *d2_int;
    double *d2_real;
    int32_t *owner_col, *owner_row;
    void *labels;
    bool provisional; /* a tile of them may turn out to be far, and is answered again then */
} found;

/* Keeps every step-th of `count` elements from `start` on. */
#define THIN(array, start, count, step)                                                            \
    for (int32_t i_ = 1; i_ < (count); i_++) (array)[(start) + i_] = (array)[(start) + i_ * (step)]

static void thin(const predt__block *block, const found *f, int32_t start, int32_t count) {
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
static void take_out(const predt__block *block, const found *f, int32_t start, int32_t count,
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
                         int32_t end, const found *f) {
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
