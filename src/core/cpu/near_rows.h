/* What both kinds of near.h share: the plan, the rows and columns around a chunk, the labels. */
#ifndef PREDT__NEAR_ROWS_H
#define PREDT__NEAR_ROWS_H

#include "../tile.h"
#include "emit.h"

/* Columns of one call: the rows' distances below (2 x 32 x 576 x 2 bytes) stay in the second-level
 * cache. */
#define NEAR_CHUNK 512
#define NEAR_HALO 32  /* >= NEAR_REACH, and a whole number of vectors */
#define NEAR_REACH 24 /* columns; beyond about this the lists are faster */
/* rows to a target that is not there: counters are int16 and grow by 32 in a sub-block */
#define NEAR_NO_ROW 16000
#define NEAR_SPAN (NEAR_CHUNK + 2 * NEAR_HALO)
_Static_assert(NEAR_SPAN == LABEL_ROW && NEAR_HALO % TILE == 0,
               "label_tiles holds a chunk and its halo");

/* How far the windows reach under a metric. */
typedef struct near_plan {
    int columns; /* largest k */
    int rows;    /* a target more rows away never counts */
    double d2;   /* a tile with a minimum beyond this is far */
    bool keys;   /* keys can be used, see near.h */
    /* the limit lies within d2: no tile is far, a pixel beyond has no target in reach */
    bool decides;
    double none; /* stands for the square of a distance that cannot count */
    double wx, wy;
    double step[NEAR_REACH + 2]; /* wx * k^2 */
    /* keys of a target k columns away in the same row */
    uint16_t west[NEAR_REACH + 2], east[NEAR_REACH + 2];
} near_plan;

/* A quotient that should be a square may come out a little below it. */
#define ROUNDED_UP (1 + 1e-12)

/* A minimum and the column it comes from share a key, d2 * 64 + column offset + NEAR_REACH, so that
 * one instruction keeps both, and the western of two equal ones. Keys that do not fit are
 * saturated: as good as none. */
#define NEAR_CODE_BITS 6
#define NEAR_WIDEST_KEY 1000      /* largest d2 of a plan with keys: 64 * (1000 + 1) + 48 < 2^16 */
#define NEAR_LARGEST_KEY_WEIGHT 6 /* with larger weights keys would reach too few columns */
_Static_assert(2 * NEAR_REACH < 1 << NEAR_CODE_BITS, "a key has room for the offset");

static uint16_t near_key(double d2, int offset) {
    return (uint16_t)(((int)fmin(d2, 1023) << NEAR_CODE_BITS) + NEAR_REACH + offset);
}

static near_plan plan_near(const predt__metric *metric) {
    near_plan plan = {.wx = metric->wx, .wy = metric->wy};
    plan.d2 = fmin(metric->wx * (NEAR_REACH * NEAR_REACH),
                   metric->wy * ((NEAR_NO_ROW - 100.0) * (NEAR_NO_ROW - 100.0)));
    plan.keys = metric->integer && metric->wx <= NEAR_LARGEST_KEY_WEIGHT;
    if (plan.keys) plan.d2 = fmin(plan.d2, NEAR_WIDEST_KEY);
    plan.decides = metric->limit <= plan.d2;
    if (plan.decides) plan.d2 = metric->limit;
    plan.none = plan.keys ? plan.d2 + 1 : (double)INFINITY;
    plan.columns = (int)sqrt(plan.d2 / metric->wx * ROUNDED_UP);
    for (int k = 0; k <= NEAR_REACH + 1; k++) {
        plan.step[k] = metric->wx * (k * k);
        /* the last one never wins */
        plan.west[k] = near_key(plan.step[k], k <= NEAR_REACH ? -k : 0);
        plan.east[k] = near_key(plan.step[k], k <= NEAR_REACH ? k : 0);
    }
    plan.rows = (int)sqrt(plan.d2 / metric->wy * ROUNDED_UP);
    return plan;
}

/* The targets around a chunk, 16 bits a column, and each row's distances to the nearest ones of its
 * column. */
typedef struct near_rows {
    uint16_t low[NEAR_SPAN], high[NEAR_SPAN]; /* rows 0 to 15 and 16 to 31 of the words */
    /* rows from row r to the nearest target at or above it, and below it */
    int16_t up[32][NEAR_SPAN], down[32][NEAR_SPAN];
} near_rows;

static inline v16i near_targets(const near_rows *rows, int row, int at) {
    v16u bits = LOAD(v16u, (row < 16 ? rows->low : rows->high) + at);
    return (v16i)(bits << (15 - (row & 15))) >> 15;
}

/* Fills scratch->label_tiles, from its row `to` on, with the labels of the rows [first, end) of one
 * sub-block. */
static void near_block_labels(const predt__block *block, predt__scratch *scratch, int64_t number,
                              int first, int end, int32_t base, int to) {
    const predt_index *index = block->index;
    if (number < 0 || number >= index->blocks || first == end) return;
    const predt__labels *labels = &index->labels[number];
    uint32_t copy[32], *to32 = scratch->label_tiles;
    uint64_t *to64 = scratch->label_tiles;
    for (int at = 0; at < LABEL_ROW; at += TILE) {
        int64_t col = (int64_t)base + at;
        if (col < 0 || col >= block->width) continue;
        const uint32_t *columns =
            tile_columns(predt__block_words(index, number), block->width, col / TILE, copy);
        uint32_t start = labels->starts[col / TILE] + tile_rank(columns, first);
        const uint32_t *from32 = (const uint32_t *)labels->values + start;
        const uint64_t *from64 = (const uint64_t *)labels->values + start;
        uint32_t rows = tile_union(columns) & UINT32_MAX << first & UINT32_MAX >> (32 - end);
        for (; rows; rows &= rows - 1) {
            int row = __builtin_ctz(rows), place = (to + row - first) * LABEL_ROW + at;
            uint32_t targets = tile_row(columns, row);
            if (index->label_type == PREDT_LABEL_32)
                from32 = spread_row(to32 + place, from32, targets);
            else from64 = spread_uint64_t(to64 + place, from64, targets);
        }
    }
}

/* Fills scratch->label_tiles from column base (a multiple of TILE) on. */
static void near_labels(const predt__block *block, predt__scratch *scratch, int32_t base,
                        int margin) {
    int64_t number = block->number;
    near_block_labels(block, scratch, number - 1, 32 - margin, 32, base, LABEL_MARGIN - margin);
    near_block_labels(block, scratch, number, 0, 32, base, LABEL_MARGIN);
    near_block_labels(block, scratch, number + 1, 0, margin, base, LABEL_MARGIN + 32);
}

/* A near tile with few targets next to a far one is left to the lists too: a few members more cost
 * them little, and long runs of tiles are filled and written faster than short ones. */
#define NEAR_FEW 4

static bool near_few(const predt__block *block, int32_t tile) {
    int64_t end =
        (tile + 1) * (int64_t)TILE < block->width ? (tile + 1) * (int64_t)TILE : block->width;
    int targets = 0;
    for (int64_t col = tile * (int64_t)TILE; col < end; col++)
        targets += __builtin_popcount(block->words[col]);
    return targets <= NEAR_FEW;
}

static void near_widen(const predt__block *block, predt__scratch *scratch, int32_t first,
                       int tiles) {
    uint8_t *far = scratch->far + first;
    if (!memchr(far, TILE_FAR, (size_t)tiles)) return;
    for (int i = 1; i < tiles; i++)
        if (far[i - 1] && !far[i]) far[i] = near_few(block, first + i);
    for (int i = tiles - 1; i > 0; i--)
        if (far[i] && !far[i - 1]) far[i - 1] = near_few(block, first + i - 1);
}

static int16_t near_clip(int32_t distance) {
    return (int16_t)(distance < NEAR_NO_ROW ? distance : NEAR_NO_ROW);
}

/* Fills rows for the columns from base on; columns outside the raster have no target. */
static void near_load(near_rows *rows, const predt__block *block, int32_t base) {
    int16_t first[NEAR_SPAN]; /* as if there were a row -1 */
    for (int i = 0; i < NEAR_SPAN; i++) {
        int64_t col = (int64_t)base + i;
        bool inside = col >= 0 && col < block->width;
        uint32_t word = inside ? block->words[col] : 0;
        rows->low[i] = (uint16_t)word;
        rows->high[i] = (uint16_t)(word >> 16);
        first[i] = near_clip(-1 - (inside ? block->above[col] : NONE_ABOVE));
        rows->down[block->rows - 1][i] =
            near_clip((inside ? block->below[col] : NONE_BELOW) - (block->rows - 1));
    }
    for (int row = block->rows - 1; row > 0; row--)
        for (int i = 0; i < NEAR_SPAN; i += LANES(v16i)) {
            v16i target = near_targets(rows, row, i), down = LOAD(v16i, rows->down[row] + i);
            STORE(rows->down[row - 1] + i, ((down + 1) & ~target) - target);
        }
    for (int row = 0; row < block->rows; row++)
        for (int i = 0; i < NEAR_SPAN; i += LANES(v16i)) {
            v16i up = LOAD(v16i, (row ? rows->up[row - 1] : first) + i);
            STORE(rows->up[row] + i, (up + 1) & ~near_targets(rows, row, i));
        }
}

#define NEAR_BEYOND (UINT32_C(1) << 31)

/* The nearest target of each column of a chunk and its halo, seen from one row. */
typedef struct near_columns {
    int16_t distance[NEAR_SPAN]; /* rows to it */
    int16_t offset[NEAR_SPAN];   /* its row less this one */
    /* its place in label_tiles; NEAR_BEYOND: in none of their rows that are filled */
    uint32_t slot[NEAR_SPAN];
    int label_margin; /* rows filled above and below the sub-block's own */
    bool labels;      /* they are filled for this chunk */
} near_columns;

static void near_look(const near_rows *rows, int row, near_columns *columns) {
    for (int i = 0; i < NEAR_SPAN; i += LANES(v16i)) {
        v16i up = LOAD(v16i, rows->up[row] + i), down = LOAD(v16i, rows->down[row] + i);
        STORE(columns->distance + i, min16(up, down));
        STORE(columns->offset + i, SELECT(down < up, down, -up));
    }
}

/* The slots of the same row; row: in the sub-block. */
static void near_slots(near_columns *columns, int row) {
    int first = -columns->label_margin, rows = 32 + 2 * columns->label_margin;
    for (int32_t i = 0; i < NEAR_SPAN; i++) {
        int32_t target = row + columns->offset[i];
        uint32_t slot = (uint32_t)((target + LABEL_MARGIN) * LABEL_ROW + i);
        columns->slot[i] = (uint32_t)(target - first) < (uint32_t)rows ? slot : NEAR_BEYOND;
    }
}

/* True if a vector of pixels of a row are targets themselves (lanes: 0, 1, 2, ...). */
static inline bool near_own(const near_columns *columns, const uint32_t *at, int i, v32i lanes) {
    v32i elsewhere = LOAD(v32i, at + i) - (NEAR_HALO + i) - lanes;
    /* as many again behind: harmless, only fewer hits */
    v32i offsets = LOAD(v32i, columns->offset + NEAR_HALO + i);
    return !ANY(elsewhere | offsets);
}

#define LABEL uint32_t
#define LABEL_(name) name##_uint32_t
#include "near_labels.h"

#define LABEL uint64_t
#define LABEL_(name) name##_uint64_t
#include "near_labels.h"

#endif
