/* What every kind of lists.h shares: the list itself, the candidates that it starts from, the
 * targets that join it. */
#ifndef PREDT__LIST_H
#define PREDT__LIST_H

#include "../simd.h"
#include "block.h"

#define LISTS_NEVER INT32_MAX
#define LISTS_GAPS 8  /* the widest gap of the sieve; a power of 2 */
#define LISTS_RUN 512 /* columns of far tiles that are answered together, at most */
/* columns between far tiles that are walked rather than jumped over */
#define LISTS_SHORT_WAY (8 * TILE)

/* Parallel arrays of n members; death: the first pass row of this sub-block on which the member
 * owns nothing. */
typedef struct target_list {
    int32_t n, *col, *row, *death;
} target_list;

static bool list_anyone_dies(const target_list *src, int32_t t) {
    int32_t i = 0;
    for (; i + LANES(v32i) <= src->n; i += LANES(v32i))
        if (ANY(LOAD(v32i, src->death + i) <= t)) return true;
    for (; i < src->n; i++)
        if (src->death[i] <= t) return true;
    return false;
}

/* Copies members from i on up to the first that dies by t or lies at or beyond column `until`;
 * returns its position. */
static int32_t list_copy(target_list *dst, const target_list *src, int32_t i, int32_t t,
                         int64_t until) {
    int32_t n = dst->n, limit = until > INT32_MAX ? INT32_MAX : (int32_t)until;
    for (; i + LANES(v32i) <= src->n; i += LANES(v32i), n += LANES(v32i)) {
        v32i col = LOAD(v32i, src->col + i), death = LOAD(v32i, src->death + i);
        if (ANY((death <= t) | (col >= limit))) break;
        STORE(dst->col + n, col);
        STORE(dst->row + n, LOAD(v32i, src->row + i));
        STORE(dst->death + n, death);
    }
    for (; i < src->n && src->death[i] > t && src->col[i] < limit; i++, n++) {
        dst->col[n] = src->col[i];
        dst->row[n] = src->row[i];
        dst->death[n] = src->death[i];
    }
    dst->n = n;
    return i;
}

/* ---- Far tiles ---- */

/* Columns of far tiles that lie together, from begin to end - 1. */
typedef struct far_run {
    int32_t begin, end;
} far_run;

/* The next ones after those of *run, which starts as {0, 0}; false if there are none. */
static bool list_next_run(const predt__block *block, const predt__scratch *scratch, far_run *run) {
    int32_t tiles = (block->width + TILE - 1) / TILE, tile = (run->end + TILE - 1) / TILE;
    while (tile < tiles && scratch->far[tile] != TILE_FAR) tile++;
    if (tile >= tiles) return false;
    run->begin = tile * TILE;
    for (int32_t most = tile + LISTS_RUN / TILE;
         tile < tiles && tile < most && scratch->far[tile] == TILE_FAR;)
        tile++;
    int64_t end = tile * (int64_t)TILE;
    run->end = end < block->width ? (int32_t)end : block->width;
    return true;
}

/* ---- Candidates ---- */

/* Tells which candidates can be left out of a list unseen: those dominated by the ones the same
 * number of columns to the left and right, for a few such numbers. With equal gaps s the test of
 * LISTS_(dominated) is 2 hb^2 - ha^2 - hc^2 >= 2 s^2 * wx / wy; in float32 it has to hold with room
 * to spare. `square` has INFINITY where there is no candidate. */
static inline v32i list_sieve(const float *square, float ratio) {
    v32f here = LOAD(v32f, square) * (2 - 1e-5f);
    v32i out = {0};
    for (int gap = 1; gap <= LISTS_GAPS; gap *= 2)
        out |= here >= (LOAD(v32f, square - gap) + LOAD(v32f, square + gap) +
                        2.0f * (float)(gap * gap) * ratio) *
                           1.00001f;
    return out;
}

/* Squared heights of the carry row over pass row 0, with a margin of LISTS_GAPS on either side. */
static void list_squares(const predt__block *block, float *square, bool down) {
    const int32_t *carry = down ? block->above : block->below;
    int32_t none = down ? NONE_ABOVE : NONE_BELOW, last = block->rows - 1;
    for (int i = -LISTS_GAPS; i < 0; i++) square[i] = INFINITY;
    for (int32_t col = 0; col < block->width; col++) {
        float height = down ? -(float)carry[col] : (float)carry[col] - (float)last;
        square[col] = carry[col] == none ? INFINITY : height * height;
    }
    for (int i = 0; i < LISTS_GAPS + 8; i++) square[block->width + i] = INFINITY;
}

/* The columns' targets above (below) the sub-block in pass rows; those that the sieve may drop are,
 * if ratio (wx / wy) is not 0. */
static target_list list_candidates(const predt__block *block, predt__scratch *scratch, float ratio,
                                   bool down) {
    const int32_t *carry = down ? block->above : block->below;
    target_list all = {0, scratch->candidates,
                       scratch->candidates + list_room((size_t)block->width), NULL};
    int32_t last = block->rows - 1;
    float *square = scratch->squares + LISTS_GAPS;
    list_squares(block, square, down);
    for (int32_t begin = 0; begin < block->width; begin += LANES(v32i)) {
        v32i out = LOAD(v32f, square + begin) == INFINITY;
        if (ratio > 0) out |= list_sieve(square + begin, ratio);
        if (!ANY(~out)) continue;
        for (int lane = 0; lane < LANES(v32i); lane++) {
            if (out[lane]) continue;
            int32_t col = begin + lane;
            all.col[all.n] = col;
            all.row[all.n++] = down ? carry[col] : last - carry[col];
        }
    }
    return all;
}

/* ---- Joins ---- */

/* Targets that join, sorted by row and column: those of row r are col[start[r]] to col[start[r + 1]
 * - 1]. */
typedef struct join_list {
    int32_t start[PREDT_SUBBLOCK_ROWS + 1];
    const int32_t *col;
} join_list;

/* Marks in scratch->insert the targets that may own a pixel of a far tile other than themselves.
 * `down` is the direction in which they will be looked at: a target followed by another one in its
 * column counts for its own row only, and there only if it ends a run of targets. */
static void joins_mark(const predt__block *block, predt__scratch *scratch, int32_t reach,
                       bool down) {
    int32_t tiles = (block->width + TILE - 1) / TILE, around = (reach + TILE - 1) / TILE;
    memset(scratch->insert, 0, (size_t)block->width * sizeof *scratch->insert);
    const uint32_t *words = block->words;
    for (int32_t tile = 0, done = 0; tile < tiles; tile++) {
        if (!scratch->far[tile]) continue;
        int32_t begin = tile > around ? (tile - around) * TILE : 0;
        int64_t end = ((int64_t)tile + around + 1) * TILE;
        if (end > block->width) end = block->width;
        for (int32_t col = begin > done ? begin : done; col < end; col++) {
            uint32_t word = words[col], left = col > 0 ? words[col - 1] : 0,
                     right = col + 1 < block->width ? words[col + 1] : 0;
            uint32_t next = down ? word >> 1 : word << 1;
            scratch->insert[col] = word & ~(left & right & next);
        }
        done = (int32_t)end;
    }
}

static join_list joins_sort(const predt__block *block, predt__scratch *scratch) {
    join_list joins = {.col = scratch->inserted};
    int32_t count[PREDT_SUBBLOCK_ROWS] = {0};
    for (int32_t col = 0; col < block->width; col++)
        for (uint32_t word = scratch->insert[col]; word; word &= word - 1)
            count[__builtin_ctz(word)]++;
    for (int row = 0; row < PREDT_SUBBLOCK_ROWS; row++)
        joins.start[row + 1] = joins.start[row] + count[row];
    memcpy(count, joins.start, sizeof count);
    for (int32_t col = 0; col < block->width; col++)
        for (uint32_t word = scratch->insert[col]; word; word &= word - 1)
            scratch->inserted[count[__builtin_ctz(word)]++] = col;
    return joins;
}

/* ---- Targets of the row itself ---- */

/* Position of the next target of a row among the columns from begin on, from position i; count if
 * there is none. */
static inline int list_next_own(const predt__block *block, int row, int32_t begin, int i,
                                int count) {
    for (; i + LANES(v32u) <= count; i += LANES(v32u))
        if (ANY(LOAD(v32u, block->words + begin + i) & UINT32_C(1) << row)) break;
    while (i < count && !(block->words[begin + i] >> row & 1)) i++;
    return i;
}

#endif
