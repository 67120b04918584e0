/* Distances as pixels of a raster, a piece of a row at a time, in loops that compilers turn into
 * SIMD. Where no target is in reach a distance is INFINITY. */
#ifndef PREDT__ENCODE_ROW_H
#define PREDT__ENCODE_ROW_H

#include <string.h>

#include "encode.h"

/* Pixel i lies at column col + i * step of the raster. */
typedef struct predt__piece {
    int64_t col, row, step;
    int count;
} predt__piece;

/* Notes the farthest distance of a piece, of which pixel i is the first. */
static inline void see_farthest(predt__seen *seen, double distance, const predt__piece *piece,
                                int i) {
    predt__seen here = {distance, piece->col + i * piece->step, piece->row, 0, 0};
    if (distance >= 0) predt__tally_add(seen, &here);
}

static inline bool may_be_farthest(const predt__seen *seen, double distance) {
    return distance >= 0 && distance >= seen->farthest;
}

/* ---- Float32 ---- */

/* Floats that are not negative are ordered as their bits are, and integers have a SIMD maximum
 * without more ado. */
typedef int32_t __attribute__((may_alias)) float_bits;
#define INFINITY_BITS 0x7f800000

static inline void see_farthest_float(const predt__piece *piece, const float *distance,
                                      predt__seen *seen) {
    const float_bits *bits = (const float_bits *)distance;
    int32_t max = -1;
    for (int i = 0; i < piece->count; i++) {
        int32_t reached = bits[i] < INFINITY_BITS ? bits[i] : -1;
        max = reached > max ? reached : max;
    }
    float farthest = -1;
    if (max >= 0) memcpy(&farthest, &max, sizeof farthest);
    if (!may_be_farthest(seen, (double)farthest)) return;
    int at = 0;
    while (distance[at] != farthest) at++;
    see_farthest(seen, (double)farthest, piece, at);
}

/* From float32 distances, which may lie where the values go. */
static inline void encode_float32(const predt__encoding *e, const predt__piece *piece,
                                  const float *distance, float *values, predt__seen *seen) {
    float none = (float)e->none.f, fixed = (float)e->fixed.f;
    int like_none = 0;
    see_farthest_float(piece, distance, seen);
    for (int i = 0; i < piece->count; i++) {
        bool reached = distance[i] < INFINITY;
        float value = e->is_fixed ? fixed : distance[i];
        value = reached ? value : none;
        like_none += reached & (value == none);
        values[i] = value;
    }
    seen->like_none += like_none;
}

/* ---- Other types: from squared distances ---- */

static inline void see_farthest_square(const predt__encoding *e, const predt__piece *piece,
                                       const double *square, predt__seen *seen) {
    double max = -1;
    for (int i = 0; i < piece->count; i++) {
        double reached = square[i] < (double)INFINITY ? square[i] : -1;
        max = reached > max ? reached : max;
    }
    double farthest = max < 0 ? -1 : sqrt(max) * e->scale;
    if (!may_be_farthest(seen, farthest)) return;
    int at = 0;
    while (!(square[at] < (double)INFINITY && sqrt(square[at]) * e->scale == farthest)) at++;
    see_farthest(seen, farthest, piece, at);
}

static inline void encode_float64(const predt__encoding *e, const predt__piece *piece,
                                  const double *square, double *values, predt__seen *seen) {
    double none = e->none.f;
    int like_none = 0;
    for (int i = 0; i < piece->count; i++) {
        bool reached = square[i] < (double)INFINITY;
        double distance = sqrt(square[i]) * e->scale, value = e->is_fixed ? e->fixed.f : distance;
        value = reached ? value : none;
        like_none += reached & (value == none);
        values[i] = value;
    }
    seen->like_none += like_none;
}

/* ---- Integers of 1 and 2 bytes: rounded distances first, -1 where no target is in reach ---- */

static inline void round_squares(const predt__encoding *e, int count, const double *square,
                                 int32_t *whole) {
    double over = (double)e->max.i + 1, scale = e->scale;
    for (int i = 0; i < count; i++) {
        double distance = sqrt(square[i]) * scale;
        distance = distance < over ? distance : over;
        int32_t below = (int32_t)distance;
        int32_t rounded = below + (distance - (double)below >= 0.5);
        whole[i] = square[i] < (double)INFINITY ? rounded : -1;
    }
}

static inline void shorten(const int32_t *whole, int count, int bytes, void *values) {
    uint8_t *to8 = values;
    uint16_t *to16 = values;
    if (bytes == 1)
        for (int i = 0; i < count; i++) to8[i] = (uint8_t)whole[i];
    else
        for (int i = 0; i < count; i++) to16[i] = (uint16_t)whole[i];
}

/* Whether rounded distances are the values already: none is negative, too large, or `none`. As it
 * costs least: `bits` is at least as large as each of them. */
static inline bool are_values(const predt__encoding *e, int count, const int32_t *whole) {
    int32_t bits = 0;
    for (int i = 0; i < count; i++) bits |= whole[i];
    return bits >= 0 && bits <= e->max.i && (e->none.i < 0 || e->none.i > bits);
}

/* Values from rounded distances, in place. */
static inline void finish_small(const predt__encoding *e, int count, int32_t *whole,
                                predt__seen *seen) {
    int32_t none = (int32_t)e->none.i, max = (int32_t)e->max.i, clamped = 0, like_none = 0;
    for (int i = 0; i < count; i++) {
        int32_t value = whole[i];
        clamped += value > max;
        value = value > max ? max : value;
        like_none += value == none;
        whole[i] = value >= 0 ? value : none;
    }
    seen->clamped += clamped;
    if (none >= 0) seen->like_none += like_none; /* -1 is no distance */
}

static inline void fix_small(const predt__encoding *e, int count, int32_t *whole,
                             predt__seen *seen) {
    int32_t none = (int32_t)e->none.i, fixed = (int32_t)e->fixed.i;
    for (int i = 0; i < count; i++) {
        seen->like_none += whole[i] >= 0 && fixed == none;
        whole[i] = whole[i] >= 0 ? fixed : none;
    }
}

static inline void store_small(const predt__encoding *e, int count, int32_t *whole, void *values,
                               predt__seen *seen) {
    if (e->is_fixed) fix_small(e, count, whole, seen);
    else if (!are_values(e, count, whole)) finish_small(e, count, whole, seen);
    shorten(whole, count, e->bytes, values);
}

/* ---- Integers of 4 and 8 bytes ---- */

/* The bits of the value; a distance of 2^62 or more is a whole number already. */
static inline uint64_t large_value(const predt__encoding *e, double distance, predt__seen *seen) {
    bool is_unsigned = e->type == PREDT_UINT32 || e->type == PREDT_UINT64;
    double over = is_unsigned ? (double)e->max.u + 1 : (double)e->max.i + 1;
    if (e->is_fixed) return e->fixed.u;
    double whole = distance < 0x1p62 ? (double)predt__round(distance) : distance;
    if (whole < over)
        return distance < 0x1p62 ? (uint64_t)predt__round(distance) : (uint64_t)distance;
    seen->clamped++;
    return e->max.u;
}

static inline void encode_large(const predt__encoding *e, const predt__piece *piece,
                                const double *square, void *values, predt__seen *seen) {
    uint32_t *words = values;
    uint64_t *doubles = values;
    for (int i = 0; i < piece->count; i++) {
        bool reached = square[i] < (double)INFINITY;
        uint64_t value = reached ? large_value(e, sqrt(square[i]) * e->scale, seen) : e->none.u;
        seen->like_none += reached & (value == e->none.u);
        if (e->bytes == 4) words[i] = (uint32_t)value;
        else doubles[i] = value;
    }
}

/* ---- All types but float32 ---- */

#define ENCODE_CHUNK 64

static inline void encode_small(const predt__encoding *e, const predt__piece *piece,
                                const double *square, void *values, predt__seen *seen) {
    int32_t whole[ENCODE_CHUNK];
    for (int i = 0; i < piece->count; i += ENCODE_CHUNK) {
        int count = piece->count - i < ENCODE_CHUNK ? piece->count - i : ENCODE_CHUNK;
        round_squares(e, count, square + i, whole);
        store_small(e, count, whole, (char *)values + i * e->bytes, seen);
    }
}

/* From squared distances, which may lie where values of 8 bytes go. */
static inline void encode_squares(const predt__encoding *e, const predt__piece *piece,
                                  const double *square, void *values, predt__seen *seen) {
    see_farthest_square(e, piece, square, seen);
    if (e->type == PREDT_FLOAT64) encode_float64(e, piece, square, values, seen);
    else if (e->bytes <= 2) encode_small(e, piece, square, values, seen);
    else encode_large(e, piece, square, values, seen);
}

#endif
