/* The words of one tile, by columns and by rows. */
#ifndef PREDT__TILE_H
#define PREDT__TILE_H

#include <string.h>

#include "../index.h"
#include "simd.h"

/* Turns words of columns into words of rows: bit c of row r is bit r of column c. Swaps ever smaller squares on either side
 * of the diagonal: 16 x 16, 8 x 8, ... 1 x 1. */
static inline void transpose(uint32_t words[32]) {
    uint32_t mask = 0x0000ffff; /* the low half of each pair of squares */
    for (int size = 16; size > 0; size /= 2, mask ^= mask << size)
        for (int i = 0; i < 32; i = (i + size + 1) & ~size) {
            uint32_t swap = (words[i] >> size ^ words[i + size]) & mask;
            words[i] ^= swap << size;
            words[i + size] ^= swap;
        }
}

/* The targets of one tile, a word a row; none beyond the raster. */
static inline void tile_rows(const uint32_t *words, int64_t width, int64_t tile, uint32_t rows[32]) {
    int64_t begin = tile * PREDT__TILE, count = width - begin < PREDT__TILE ? width - begin : PREDT__TILE;
    memset(rows, 0, 32 * sizeof *rows);
    memcpy(rows, words + begin, (size_t)count * sizeof *rows);
    transpose(rows);
}

/* ---- Labels of one row of a tile: all 32 pixels <-> its targets only ---- */

/* Plainly: step over a label only where a target is. Stores one element more than there are targets. */
#define PLAIN_ROWS(type)                                                                      \
    static inline type *gather_##type(type *to, const type *from, uint32_t row) {             \
        for (; row; row >>= 1) {                                                              \
            *to = *from++;                                                                    \
            to += row & 1;                                                                    \
        }                                                                                     \
        return to;                                                                            \
    }                                                                                         \
    static inline const type *spread_##type(type *to, const type *from, uint32_t row) {       \
        for (; row; row >>= 1) {                                                              \
            *to++ = *from;                                                                    \
            from += row & 1;                                                                  \
        }                                                                                     \
        return from;                                                                          \
    }

PLAIN_ROWS(uint32_t)
PLAIN_ROWS(uint64_t)

#ifdef __AVX2__
/* One byte a pixel, all ones at a target. */
static inline uint64_t target_bytes(uint32_t row, int from) {
    return _pdep_u64(row >> from & 0xff, 0x0101010101010101) * 0xff;
}

static inline __m256i lanes_of(uint64_t bytes) { return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)bytes)); }

/* Eight pixels at a time; reads all 32 pixels, stores up to 8 elements beyond. */
static inline uint32_t *gather_row(uint32_t *to, const uint32_t *from, uint32_t row) {
    for (int i = 0; i < PREDT__TILE; i += 8) {
        __m256i pixels = _mm256_loadu_si256((const __m256i *)(from + i));
        __m256i lanes = lanes_of(_pext_u64(0x0706050403020100, target_bytes(row, i)));
        _mm256_storeu_si256((__m256i *)to, _mm256_permutevar8x32_epi32(pixels, lanes));
        to += __builtin_popcount(row >> i & 0xff);
    }
    return to;
}

static inline const uint32_t *spread_row(uint32_t *to, const uint32_t *from, uint32_t row) {
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
