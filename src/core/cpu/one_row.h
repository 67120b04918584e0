/* The far tiles of a single row, as when a raster is shown smaller than it is. There is no list to
 * carry from row to row, so each column counts with its nearest target alone. Most of these can be
 * left out unseen; of what two sieves leave, the envelope over the row is found with a stack. A
 * border between two columns is a quotient of integers, and the floor of a double division is its
 * exact floor, because numerators stay below 2^53 (and start * divisor below 2^54, an even number):
 * what lies between two integers is at least 1 / divisor away from the upper one, and the quotient
 * is rounded by less than numerator / divisor / 2^53. */
#ifndef PREDT__ONE_ROW_H
#define PREDT__ONE_ROW_H

#include "emit.h"
#include "list.h"

/* A column on the stack: its target is nearest from column `start` on, up to the start of the next
 * one. Integers, in the type that they are multiplied and divided in. */
typedef struct member {
    double col, start;
    double power; /* wx * col^2 + wy * row^2: d2 as seen from column 0 */
    int32_t row;
} member;

typedef struct envelope {
    int32_t n;
    member *members;
} envelope;

static bool one_row_suits(const predt__block *block) {
    const predt__metric *metric = &block->index->metric;
    return block->rows == 1 && metric->integer && metric->number != PREDT__INT64;
}

#define ONE_ROW_SAMPLE 16 /* of so many vectors of columns one is looked at */

/* True if so few columns have a target within the reach of windows that hardly a tile is near: the
 * envelope then answers all. */
static bool one_row_is_sparse(const predt__block *block, double most_d2) {
    int32_t rows = (int32_t)sqrt(most_d2 / block->index->metric.wy), looked = 0;
    v32i within = {0};
    for (int32_t col = 0; col + LANES(v32i) <= block->width;
         col += ONE_ROW_SAMPLE * LANES(v32i), looked += LANES(v32i)) {
        v32i above = LOAD(v32i, block->above + col), below = LOAD(v32i, block->below + col);
        within -= (above >= -rows) | (below <= rows) | ((LOAD(v32i, block->words + col) & 1) != 0);
    }
    int32_t count = 0;
    for (int lane = 0; lane < LANES(v32i); lane++) count += within[lane];
    return count < looked / 8;
}

/* Each column's nearest target, relative to the row; the northern one of two. `square` gets the
 * squared heights, INFINITY where there is none, with a margin of LISTS_GAPS on either side. */
static void one_row_nearest(const predt__block *block, int32_t *restrict nearest,
                            float *restrict square) {
    for (int i = -LISTS_GAPS; i < 0; i++) square[i] = INFINITY;
    for (int32_t col = 0; col < block->width; col++) {
        int64_t above = -(int64_t)block->above[col], below = block->below[col];
        bool none = block->above[col] == NONE_ABOVE && block->below[col] == NONE_BELOW;
        int32_t row = block->words[col] & 1 ? 0
                      : above <= below      ? block->above[col]
                                            : block->below[col];
        nearest[col] = row;
        square[col] = none && row != 0 ? INFINITY : (float)row * (float)row;
    }
    for (int i = 0; i < LISTS_GAPS + 8; i++) square[block->width + i] = INFINITY;
}

/* The last column that is as near to the target of a as to that of b, which lies east of it, is the
 * floor of (b.power - a.power) / (2 wx (b.col - a.col)). The members that the new one leaves
 * without a column are taken off: those that begin where it does, or later. That is a comparison of
 * integers, no division. */
static void one_row_push(const predt__block *block, envelope *e, int32_t col, int32_t row) {
    const predt__metric *m = &block->index->metric;
    double x = col, y = row, power = m->wx * (x * x) + m->wy * (y * y), start = 0;
    for (; e->n > 0; e->n--) {
        const member *top = &e->members[e->n - 1];
        double number = power - top->power, divisor = 2 * m->wx * (x - top->col);
        if (number < top->start * divisor) continue;
        start = floor(number / divisor) + 1;
        break;
    }
    if (start < block->width) e->members[e->n++] = (member){x, start, power, row};
}

/* ---- Two sieves ---- */

/* the farthest that the second one looks, in places among those left by the first */
#define ONE_ROW_PLACES 4
/* float32 errors of the test below are at most 2^-20 of the sum that this is multiplied with */
#define ONE_ROW_MARGIN 4e-6f

/* Candidates can be left out unseen if the steepest way down to a candidate on the left reaches the
 * flattest one on the right. With squared heights H and the neighbour g columns away these slopes
 * are (H - H_left) / g - g * wx / wy and (H_right - H) / g + g * wx / wy. All candidates are
 * targets, so it does no harm if the neighbours are left out themselves. */
static inline v32i one_row_shadowed(v32f left, v32f right, v32f here) {
    v32f sum = SELECT(left < 0, -left, left) + SELECT(right < 0, -right, right) + here;
    return (here == INFINITY) | (left >= right + ONE_ROW_MARGIN * sum);
}

/* The columns from `square` on that can be left out, against those 1, 2, 4, ... columns away. */
static v32i one_row_sieve(const float *square, float ratio) {
    v32f here = LOAD(v32f, square), zero = {0}, left = zero - INFINITY, right = zero + INFINITY;
    float inverse = 1, rise = ratio;
    for (int gap = 1; gap <= LISTS_GAPS; gap *= 2, inverse /= 2, rise *= 2) {
        v32f west = (here - LOAD(v32f, square - gap)) * inverse - rise,
             east = (LOAD(v32f, square + gap) - here) * inverse + rise;
        left = SELECT(west > left, west, left);
        right = SELECT(east < right, east, right);
    }
    return one_row_shadowed(left, right, here);
}

/* What the first sieve leaves: columns and squared heights, with ONE_ROW_PLACES places without a
 * target on either side. */
typedef struct candidate_list {
    int32_t n, *col;
    float *square;
} candidate_list;

static void one_row_bound(const candidate_list *c) {
    for (int i = 1; i <= ONE_ROW_PLACES; i++) c->col[-i] = 0, c->square[-i] = INFINITY;
    for (int i = 0; i < ONE_ROW_PLACES + LANES(v32i); i++)
        c->col[c->n + i] = INT32_MAX, c->square[c->n + i] = INFINITY;
}

static candidate_list one_row_candidates(const predt__block *block, predt__scratch *scratch,
                                         const float *square, float ratio) {
    size_t room = list_room((size_t)block->width);
    int32_t *memory = scratch->lower + 16 * room + 8; /* behind the envelope's members */
    candidate_list c = {0, memory, (float *)(memory + 16 * room)};
    for (int32_t begin = 0; begin < block->width; begin += LANES(v32i)) {
        int32_t kept[LANES(v32i)];
        STORE(kept, one_row_sieve(square + begin, ratio) + 1);
        /* a branch would be guessed wrong too often */
        for (int lane = 0; lane < LANES(v32i); lane++) {
            c.col[c.n] = begin + lane;
            c.square[c.n] = square[begin + lane];
            c.n += kept[lane];
        }
    }
    one_row_bound(&c);
    return c;
}

/* The candidates from number i on that can be left out, against those up to ONE_ROW_PLACES places
 * away. */
static v32i one_row_sieve_again(const candidate_list *c, int32_t i, float ratio) {
    v32i col = LOAD(v32i, c->col + i);
    v32f here = LOAD(v32f, c->square + i), zero = {0}, left = zero - INFINITY,
         right = zero + INFINITY;
    for (int place = 1; place <= ONE_ROW_PLACES; place++) {
        v32f gap = __builtin_convertvector(col - LOAD(v32i, c->col + i - place), v32f);
        v32f west = (here - LOAD(v32f, c->square + i - place)) / gap - gap * ratio;
        gap = __builtin_convertvector(LOAD(v32i, c->col + i + place) - col, v32f);
        v32f east = (LOAD(v32f, c->square + i + place) - here) / gap + gap * ratio;
        left = SELECT(west > left, west, left);
        right = SELECT(east < right, east, right);
    }
    return one_row_shadowed(left, right, here);
}

/* ---- The row ---- */

static envelope one_row_envelope(const predt__block *block, predt__scratch *scratch) {
    const predt__metric *metric = &block->index->metric;
    int32_t *nearest = scratch->death;
    float *square = scratch->squares + LISTS_GAPS, ratio = (float)(metric->wx / metric->wy);
    envelope e = {0, (member *)scratch->lower}; /* which has more room than that takes */
    one_row_nearest(block, nearest, square);
    candidate_list c = one_row_candidates(block, scratch, square, ratio);
    for (int32_t i = 0; i < c.n; i += LANES(v32i)) {
        v32i out = one_row_sieve_again(&c, i, ratio);
        if (!ANY(~out)) continue;
        for (int lane = 0; lane < LANES(v32i); lane++)
            if (!out[lane]) one_row_push(block, &e, c.col[i + lane], nearest[c.col[i + lane]]);
    }
    return e;
}

/* Answers the columns [begin, end), at most LISTS_RUN of them; *at is the envelope's member at
 * begin or west of it. */
static void one_row_fill(const predt__block *block, predt__scratch *scratch, const envelope *e,
                         int32_t *at, int32_t begin, int32_t end) {
    const predt__metric *m = &block->index->metric;
    double d2[LISTS_RUN + 8];
    int32_t owner_col[LISTS_RUN + 8], owner_row[LISTS_RUN + 8];
    for (int32_t col = begin; col < end;) {
        while (*at + 1 < e->n && e->members[*at + 1].start <= col) ++*at;
        int32_t until = *at + 1 < e->n && e->members[*at + 1].start < end
                            ? (int32_t)e->members[*at + 1].start
                            : end;
        int32_t owner = e->n ? (int32_t)e->members[*at].col : 0,
                row = e->n ? e->members[*at].row : 0;
        double height = e->n ? m->wy * ((double)row * row) : (double)INFINITY;
        for (; col < until; col++) {
            double columns = (double)col - owner;
            d2[col - begin] = m->wx * (columns * columns) + height;
            owner_col[col - begin] = owner;
            owner_row[col - begin] = row;
        }
    }
    emit_columns(
        block, scratch, 0, begin, end,
        &(found_row){.base = begin, .d2_real = d2, .owner_col = owner_col, .owner_row = owner_row});
}

static void one_row_solve_far(const predt__block *block, predt__scratch *scratch) {
    envelope e = one_row_envelope(block, scratch);
    far_run far = {0, 0};
    for (int32_t at = 0; list_next_run(block, scratch, &far);)
        one_row_fill(block, scratch, &e, &at, far.begin, far.end);
}

#endif
