/* One tile of a sub-block: its targets row by row, and their labels. */
#ifndef PREDT__TILE_H
#define PREDT__TILE_H

#include <string.h>

#include "bits.h"
#include "simd.h"

/* The targets of one row of a tile as bits, from the words of its columns. */
static inline uint32_t tile_row(const uint32_t columns[32], int row) {
    uint32_t bits = 0;
#ifdef __AVX2__
    for (int i = 0; i < 32; i += 8) {
        __m256i signs = _mm256_sll_epi32(_mm256_loadu_si256((const __m256i *)(columns + i)),
                                         _mm_cvtsi32_si128(31 - row));
        bits |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(signs)) << i;
    }
#else
    for (int i = 0; i < 32; i++) bits |= (columns[i] >> row & 1) << i;
#endif
    return bits;
}

/* The rows of a tile that have targets, as bits. */
static inline uint32_t tile_union(const uint32_t columns[32]) {
    uint32_t rows = 0;
    for (int i = 0; i < 32; i++) rows |= columns[i];
    return rows;
}

/* The words of a tile's columns: where they lie, or a copy filled up with zeros where the tile
 * reaches beyond the raster. */
static inline const uint32_t *tile_columns(const uint32_t *words, int64_t width, int64_t tile,
                                           uint32_t copy[32]) {
    int64_t begin = tile * PREDT__TILE;
    if (begin + PREDT__TILE <= width) return words + begin;
    memset(copy, 0, 32 * sizeof *copy);
    memcpy(copy, words + begin, (size_t)(width - begin) * sizeof *copy);
    return copy;
}

/* Labels of a tile before one of its rows. */
static inline uint32_t tile_rank(const uint32_t columns[32], int row) {
    uint32_t rank = 0;
    for (int i = 0; row > 0 && i < 32; i++)
        rank += (uint32_t)__builtin_popcount(columns[i] << (32 - row));
    return rank;
}

/* ---- Labels of one row of a tile: all 32 pixels <-> its targets only ---- */

#define LABEL uint32_t
#define LABEL_(name) name##_uint32_t
#include "tile_labels.h"

#define LABEL uint64_t
#define LABEL_(name) name##_uint64_t
#include "tile_labels.h"

#ifdef __AVX2__
/* up to this many in a row, one by one is faster; more would make the branch hard to foretell */
#define FEW_TARGETS 1

/* One byte a pixel, all ones at a target. */
static inline uint64_t target_bytes(uint32_t row, int from) {
    return _pdep_u64(row >> from & 0xff, 0x0101010101010101) * 0xff;
}

static inline __m256i lanes_of(uint64_t bytes) {
    return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)bytes));
}

/* Eight pixels at a time; reads all 32 pixels, stores up to 8 elements beyond. */
static inline uint32_t *gather_row(uint32_t *to, const uint32_t *from, uint32_t row) {
    if (__builtin_popcount(row) <= FEW_TARGETS) {
        for (; row; row &= row - 1) *to++ = from[__builtin_ctz(row)];
        return to;
    }
    for (int i = 0; i < PREDT__TILE; i += 8) {
        __m256i pixels = _mm256_loadu_si256((const __m256i *)(from + i));
        __m256i lanes = lanes_of(_pext_u64(0x0706050403020100, target_bytes(row, i)));
        _mm256_storeu_si256((__m256i *)to, _mm256_permutevar8x32_epi32(pixels, lanes));
        to += __builtin_popcount(row >> i & 0xff);
    }
    return to;
}

static inline const uint32_t *spread_row(uint32_t *to, const uint32_t *from, uint32_t row) {
    if (__builtin_popcount(row) <= FEW_TARGETS) {
        for (; row; row &= row - 1) to[__builtin_ctz(row)] = *from++;
        return from;
    }
    for (int i = 0; i < PREDT__TILE; i += 8) {
        __m256i labels = _mm256_loadu_si256((const __m256i *)from);
        __m256i lanes = lanes_of(_pdep_u64(0x0706050403020100, target_bytes(row, i)));
        _mm256_storeu_si256((__m256i *)(to + i), _mm256_permutevar8x32_epi32(labels, lanes));
        from += __builtin_popcount(row >> i & 0xff);
    }
    return from;
}
#else
#define gather_row gather_uint32_t
#define spread_row spread_uint32_t
#endif

#endif
