/* Distances of some pixels, in float32 or in the type of an encoding. */
#ifndef PREDT__EMIT_DISTANCES_H
#define PREDT__EMIT_DISTANCES_H

#include "../encode_row.h"
#include "answers.h"

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
            to[i] = a->d2_int[i] > limit ? (double)INFINITY : predt__distance2(a->d2_int[i], unit);
    else
        for (int i = 0; i < a->count; i++)
            to[i] =
                a->d2_real[i] > limit ? (double)INFINITY : predt__distance2(a->d2_real[i], unit);
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

#endif
