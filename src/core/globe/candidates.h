/* Which target of each row can matter to a column: the one that is nearest along the parallel, as
 * distances on one parallel grow with the difference of longitude. */
#ifndef PREDT__CANDIDATES_H
#define PREDT__CANDIDATES_H

#include "../tile.h"
#include "work.h"

/* ---- The sub-strip's own targets, and the next ones on either side ---- */

/* The targets' rows of a sub-block. */
typedef struct targets_range {
    int32_t begin, end;
} targets_range;

static inline targets_range targets_of(const predt__substrip *strip, int64_t block) {
    const int32_t *rank = strip->carries->rank;
    int64_t first = block * PREDT_SUBBLOCK_ROWS, end = first + PREDT_SUBBLOCK_ROWS,
            height = strip->globe->height;
    return (targets_range){rank[first], rank[end < height ? end : height]};
}

/* As bits from the sub-block's first row on. */
static uint32_t rows_with_targets(const predt__carries *carries, targets_range range) {
    uint32_t rows = 0;
    for (int32_t j = range.begin; j < range.end; j++)
        rows |= UINT32_C(1) << (carries->rows[j] % PREDT_SUBBLOCK_ROWS);
    return rows;
}

/* Columns of the nearest targets before (side -1) or after the tile within the strip, for the rows
 * that have one; returns the rows that have none. */
static uint32_t look_aside(const predt__substrip *strip, int64_t block, int side, uint32_t open,
                           int32_t columns[32]) {
    const predt__globe *globe = strip->globe;
    const uint32_t *words = predt__block_words(strip->index, block);
    int64_t tiles = (globe->cols + PREDT__TILE - 1) / PREDT__TILE,
            group = PREDT__STRIP / PREDT__TILE;
    int64_t first = strip->tile / group * group, last = first + group - 1;
    uint32_t tile_words[32];
    if (last >= tiles) last = tiles - 1;
    for (int64_t tile = strip->tile + side; tile >= first && tile <= last && open; tile += side) {
        predt__folded_tile(globe, words, strip->index->width, tile, tile_words);
        uint32_t found = tile_union(tile_words) & open;
        open &= ~found;
        for (; found; found &= found - 1) {
            int row = __builtin_ctz(found);
            uint32_t bits = tile_row(tile_words, row);
            columns[row] = (int32_t)(tile * PREDT__TILE) +
                           (side < 0 ? 31 - __builtin_clz(bits) : __builtin_ctz(bits));
        }
    }
    return open;
}

static void add_carried(const predt__substrip *strip, int64_t block, const int32_t *carried,
                        uint32_t open, int32_t columns[32]) {
    int64_t number = strip->tile / (PREDT__STRIP / PREDT__TILE);
    const int32_t *from = carried + number * strip->globe->height + block * PREDT_SUBBLOCK_ROWS;
    for (; open; open &= open - 1) columns[__builtin_ctz(open)] = from[__builtin_ctz(open)];
}

/* More columns than there are, where there is no target on that side. */
#define NONE_ASIDE (INT32_MAX / 2)

static void fill_bits(const predt__substrip *strip, predt__globe_scratch *s, int64_t block) {
    const predt__carries *carries = strip->carries;
    targets_range range = targets_of(strip, block);
    uint32_t words[32], rows = rows_with_targets(carries, range);
    int32_t before[32], after[32], first = strip->first_col;
    predt__folded_tile(strip->globe, predt__block_words(strip->index, block), strip->index->width,
                       strip->tile, words);
    add_carried(strip, block, carries->before, look_aside(strip, block, -1, rows, before), before);
    add_carried(strip, block, carries->after, look_aside(strip, block, 1, rows, after), after);
    for (int32_t j = range.begin; j < range.end; j++) {
        int row = carries->rows[j] % PREDT_SUBBLOCK_ROWS;
        s->bits[j] = tile_row(words, row);
        s->before[j] = before[row] == PREDT__NO_COLUMN_BEFORE ? NONE_ASIDE : first - before[row];
        s->after[j] = after[row] == PREDT__NO_COLUMN_AFTER ? NONE_ASIDE : after[row] - (first + 31);
    }
    s->have_bits[block] = 1;
}

/* ---- The candidates of a column ---- */

/* Of words that are not 0: zero bits above the highest one and below the lowest one; by exponents
 * of floats, of which the compiler makes vectors. */
#if !defined(__SSE2__)
static inline int32_t zeros_above(uint32_t word) { return __builtin_clz(word); }
static inline int32_t zeros_below(uint32_t word) { return __builtin_ctz(word); }
#else
static inline int32_t exponent_of(uint32_t word) {
    float number = (float)(int32_t)word;
    int32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return (bits >> 23 & 255) - 127;
}
/* without the bit below the highest one the float is not rounded up */
static inline int32_t zeros_above(uint32_t word) {
    return (int32_t)word < 0 ? 0 : 31 - exponent_of(word & ~(word >> 1));
}
static inline int32_t zeros_below(uint32_t word) { return exponent_of(word & (0 - word)); }
#endif

/* Columns to the nearest target of a row, from the column `lane` of the tile: negative to the west.
 * Of two that are equally near the one of the smaller column. */
static inline int32_t nearest_apart(uint32_t bits, int32_t before, int32_t after, int32_t lane,
                                    int32_t col, int32_t cols, int32_t period) {
    uint32_t west = bits << (31 - lane), east = bits >> lane;
    int32_t to_west = west ? zeros_above(west) : before + lane,
            to_east = east ? zeros_below(east) : after + (31 - lane);
    int32_t west_col = col - to_west, east_col = col + to_east;
    west_col += west_col < 0 ? period : 0;
    east_col -= east_col >= cols ? period : 0;
    bool goes_east = to_east < to_west || (to_east == to_west && east_col < west_col);
    return goes_east ? to_east : -to_west;
}

static inline int32_t magnitude(int32_t a) { return a < 0 ? -a : a; }

/* In a loop of its own: the compiler makes vectors of it where it can count zeros in them. */
static void nearest_of_column(const predt__substrip *strip, predt__globe_scratch *s, int32_t lane,
                              int32_t begin, int32_t end) {
    int32_t col = strip->first_col + lane, cols = (int32_t)strip->globe->cols,
            period = (int32_t)strip->globe->period, *restrict apart = s->apart;
    const uint32_t *restrict bits = s->bits;
    const int32_t *restrict before = s->before, *restrict after = s->after;
    for (int32_t j = begin; j < end; j++)
        apart[j] = nearest_apart(bits[j], before[j], after[j], lane, col, cols, period);
}

static void fill_column(const predt__substrip *strip, predt__globe_scratch *s, int lane,
                        int64_t block) {
    targets_range range = targets_of(strip, block);
    const double *chord2 = strip->globe->apart.chord2;
    if (!s->have_bits[block]) fill_bits(strip, s, block);
    nearest_of_column(strip, s, strip->lane[lane], range.begin, range.end);
    for (int32_t j = range.begin; j < range.end; j++) s->chord2[j] = chord2[magnitude(s->apart[j])];
    s->have_column[block] = (uint8_t)(lane + 1);
}

/* The candidates of the targets' rows of a sub-block are there after that. */
static inline void need_column(const predt__substrip *strip, predt__globe_scratch *s, int lane,
                               int64_t block) {
    if (s->have_column[block] != lane + 1) fill_column(strip, s, lane, block);
}

static inline int64_t block_of(const predt__carries *carries, int32_t j) {
    return carries->rows[j] / PREDT_SUBBLOCK_ROWS;
}

/* Those of the targets' rows [begin, end) are. */
static inline void need_columns(const predt__substrip *strip, predt__globe_scratch *s, int lane,
                                int32_t begin, int32_t end) {
    int64_t last = block_of(strip->carries, end - 1);
    for (int64_t block = block_of(strip->carries, begin); block <= last; block++)
        need_column(strip, s, lane, block);
}

#endif
