/* The words of one tile, by columns and by rows. */
#ifndef PREDT__TILE_H
#define PREDT__TILE_H

#include <string.h>

#include "../index.h"

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

#endif
