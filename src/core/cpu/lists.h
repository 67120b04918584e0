/* The lists regime: where targets are far, or so many and so far that windows do not pay.
 *
 * After PR-EDT (sub-blocks, row-recursive sets of proximate points): for each row keep the targets
 * above it (at or above, the upper list) and those below it (the lower list) that own some point of
 * the row, sorted by column. From one row to the next the list changes little: a member dies when
 * its neighbours' border passes it (and then for good, since the border of two targets moves
 * linearly with the row), and the row's own targets join. Each list is walked once by the pixels of
 * a row: along a row the owner only moves right.
 *
 * What differs from the paper: the candidates come from carry rows and words instead of full-size
 * matrices; a member's row of death is computed when its neighbours change, so that a row without
 * deaths costs one vector compare a member; only tiles that the near regime gave up are filled, and
 * only targets close to such tiles join the lists; targets inside a run of targets do not join,
 * since they are the nearest of themselves only.
 *
 * Both lists are made by the same code in *pass rows*: t counts the rows in the direction of the
 * pass, downwards for the upper list, upwards for the lower one, and a member's row is at most t.
 *
 * A template. Before each inclusion define
 *   NUMBER, NUMBERS      of d2, and a vector of them
 *   INTEGER, INTEGERS    of the same size
 *   WIDE                 to decide dominance in
 *   LISTS_ROUNDS         1: d2 may be rounded
 *   LISTS_SIEVE(m)       the ratio of the weights where the sieve may be used, else 0
 *   LISTS_INT32          1: NUMBER is int32_t
 *   LISTS_NONE           d2 without a target
 * All of them are undefined at the end. */

#define LISTS_(name) LISTS__(name, NUMBER)
#define LISTS__(name, number) LISTS___(name, number)
#define LISTS___(name, number) lists_##name##_##number

/* The weights in the types of this instance. */
typedef struct LISTS_(measure) {
    NUMBER wx, wy;
    int32_t last;     /* pass row of the sub-block's last row */
    int32_t last_col; /* of the raster */
#if LISTS_ROUNDS
    bool exact;   /* every d2 is an integer */
    double slack; /* else: columns around a border in which rounding may hide who is nearer */
    double width; /* of the raster */
#endif
} LISTS_(measure);

static inline NUMBER LISTS_(d2)(const LISTS_(measure) * m, const target_list *list, int32_t i,
                                int32_t col, int32_t t) {
    NUMBER dcol = (NUMBER)col - (NUMBER)list->col[i], drow = (NUMBER)t - (NUMBER)list->row[i];
    return m->wx * (dcol * dcol) + m->wy * (drow * drow);
}

#if LISTS_ROUNDS
/* A member loses by more than the roundings of two values of d2 can hide when it loses by this much
 * of their size. */
#define LISTS_MARGIN (64 * DBL_EPSILON)

/* As below, in binary64, with a margin. */
static bool LISTS_(clearly_dominated)(const LISTS_(measure) * m, double ha, double hb, double hc,
                                      double ab, double bc) {
    double excess = m->wy * ((hb - ha) * (hb + ha) * bc - (hc - hb) * (hc + hb) * ab) -
                    m->wx * ab * bc * (ab + bc);
    if (excess <= 0) return false;
    /* of a and c, from b */
    double crossing = (m->wy * (hc - ha) * (hc + ha) / (m->wx * (ab + bc)) + bc - ab) / 2;
    crossing = fmin(fabs(crossing), m->width); /* beyond the raster nobody asks */
    double size = m->wx * (crossing * crossing + (ab + bc) * (ab + bc)) +
                  m->wy * (ha * ha + hb * hb + hc * hc);
    return excess > LISTS_MARGIN * size * (ab + bc);
}
#endif

/* True if member ib, between ib - 1 and a target at (col, row), owns nothing on row t. With heights
 * ga, gb, gc (wy * rows^2) the borders a|b and b|c have met when (gb - ga) * bc - (gc - gb) * ab >=
 * wx * ab * bc * (ab + bc). On equality all three tie in one point, which is a's. */
static inline bool LISTS_(dominated)(const LISTS_(measure) * m, const target_list *list, int32_t ib,
                                     int32_t col, int32_t row, int32_t t) {
    WIDE ha = (WIDE)t - list->row[ib - 1], hb = (WIDE)t - list->row[ib], hc = (WIDE)t - row;
    WIDE ab = (WIDE)list->col[ib] - list->col[ib - 1], bc = (WIDE)col - list->col[ib];
#if LISTS_ROUNDS
    if (!m->exact)
        return LISTS_(clearly_dominated)(m, (double)ha, (double)hb, (double)hc, (double)ab,
                                         (double)bc);
#endif
    WIDE wx = (WIDE)m->wx, wy = (WIDE)m->wy;
    return wy * ((hb - ha) * (hb + ha) * bc - (hc - hb) * (hc + hb) * ab) >=
           wx * ab * bc * (ab + bc);
}

/* The first row after t on which the top but one of dst is dominated, the top being its right
 * neighbour. */
static int32_t LISTS_(death)(const LISTS_(measure) * m, const target_list *dst, int32_t t) {
    int32_t i = dst->n - 2, col = dst->col[i + 1], row = dst->row[i + 1];
    if (i < 1 || !LISTS_(dominated)(m, dst, i, col, row, m->last)) return LISTS_NEVER;
    int32_t alive = t, dead = m->last;
    while (dead - alive > 1) {
        int32_t middle = alive + (dead - alive) / 2;
        if (LISTS_(dominated)(m, dst, i, col, row, middle)) dead = middle;
        else alive = middle;
    }
    return dead;
}

/* Puts a target behind the list's members, drops those that it dominates, and dates the death of
 * its left neighbour. */
static inline void LISTS_(push)(const LISTS_(measure) * m, target_list *dst, int32_t col,
                                int32_t row, int32_t t) {
    while (dst->n >= 2 && LISTS_(dominated)(m, dst, dst->n - 1, col, row, t)) dst->n--;
    dst->col[dst->n] = col;
    dst->row[dst->n] = row;
    dst->death[dst->n] = LISTS_NEVER;
    dst->n++;
    if (dst->n >= 3) dst->death[dst->n - 2] = LISTS_(death)(m, dst, t);
}

/* The list of pass row 0, from the candidates of the columns. */
static void LISTS_(start)(const LISTS_(measure) * m, target_list *dst,
                          const target_list *candidates) {
    for (int32_t i = 0; i < candidates->n; i++) {
        int32_t col = candidates->col[i], row = candidates->row[i];
        while (dst->n >= 2 && LISTS_(dominated)(m, dst, dst->n - 1, col, row, 0)) dst->n--;
        dst->col[dst->n] = col;
        dst->row[dst->n++] = row;
    }
    int32_t n = dst->n;
    for (int32_t i = 0; i < n; i++) dst->death[i] = LISTS_NEVER;
    for (dst->n = 3; dst->n <= n; dst->n++) dst->death[dst->n - 2] = LISTS_(death)(m, dst, 0);
    dst->n = n;
}

/* Makes dst, the list of row t, from src, that of the row before, and the targets join[0 .. count)
 * of pass row `row`. Where nothing happens members are copied in bulk; after a death or a join they
 * are pushed one by one until one is met whose left neighbour is the old one: from there on the
 * dates of death are still right. */
static void LISTS_(advance)(const LISTS_(measure) * m, target_list *dst, const target_list *src,
                            int32_t t, const int32_t *join, int32_t count, int32_t row) {
    int32_t i = 0, j = 0;
    dst->n = 0;
    while (i < src->n || j < count) {
        i = list_copy(dst, src, i, t, j < count ? join[j] : INT64_MAX);
        bool settled = false;
        while (!settled && (i < src->n || j < count)) {
            if (j < count && (i == src->n || join[j] <= src->col[i])) {
                if (i < src->n && join[j] == src->col[i]) i++;
                LISTS_(push)(m, dst, join[j++], row, t);
                continue;
            }
            if (src->death[i] > t) {
                int32_t before = dst->n;
                bool same = before > 0 && i > 0 && dst->col[before - 1] == src->col[i - 1] &&
                            dst->row[before - 1] == src->row[i - 1];
                LISTS_(push)(m, dst, src->col[i], src->row[i], t);
                settled = same && dst->n == before + 1;
                if (settled) dst->death[dst->n - 1] = src->death[i];
            }
            i++;
        }
    }
}

#include "lists_fill.h"

/* ---- The two passes ---- */

/* The list under way. Its columns and rows lie where the caller keeps them, its dates of death in
 * one of two buffers. */
typedef struct LISTS_(pass) {
    const predt__block *block;
    const join_list *joins;
    target_list now;
    int32_t *death[2];
    int32_t *members; /* where the next list goes: 2 * list_room(width) */
    bool down;
} LISTS_(pass);

static LISTS_(pass)
    LISTS_(begin)(const LISTS_(measure) * m, const predt__block *block, predt__scratch *scratch,
                  const join_list *joins, int32_t *members, bool down) {
    size_t room = list_room((size_t)block->width);
    int32_t *death = scratch->death;
    LISTS_(pass)
    pass = {block,   joins, {0, members, members + room, death}, {death, death + room},
            members, down};
    target_list candidates = list_candidates(block, scratch, LISTS_SIEVE(m), down);
    LISTS_(start)(m, &pass.now, &candidates);
    return pass;
}

/* Brings the list to pass row t. Targets of relative row r join on row r downwards (at or above the
 * row), and one row later upwards (strictly below it). Returns whether a list was made anew, at
 * pass->members. */
static bool LISTS_(step)(const LISTS_(measure) * m, LISTS_(pass) * pass, int32_t t) {
    int target_row = pass->down ? t : m->last - t + 1;
    const int32_t *start = pass->joins->start, *join = NULL;
    int32_t count = 0;
    if (target_row <= m->last)
        join = pass->joins->col + start[target_row],
        count = start[target_row + 1] - start[target_row];
    if (count == 0 && !list_anyone_dies(&pass->now, t)) return false;
    size_t room = list_room((size_t)pass->block->width);
    int32_t *death = pass->death[pass->now.death == pass->death[0]];
    target_list next = {0, pass->members, pass->members + room, death};
    LISTS_(advance)(m, &next, &pass->now, t, join, count, pass->down ? t : t - 1);
    pass->now = next;
    return true;
}

static LISTS_(measure) LISTS_(measure_of)(const predt__block *block) {
    const predt__metric *metric = &block->index->metric;
    LISTS_(measure)
    m = {.wx = (NUMBER)metric->wx,
         .wy = (NUMBER)metric->wy,
         .last = block->rows - 1,
         .last_col = block->width - 1};
#if LISTS_ROUNDS
    /* A kept loser moves a border back by at most margin * d2 / (2 * wx) columns; allow for 64 of
     * them in a row. */
    double width = (double)block->index->width, height = (double)block->index->height;
    m.exact = metric->integer;
    m.width = width;
    m.slack = 1.0 / 64 + 64 * LISTS_MARGIN *
                             (metric->wx * width * width + metric->wy * height * height) /
                             (2 * metric->wx);
#endif
    return m;
}

/* Solves the far tiles: all lower lists first, from the last row up, then the upper list downwards,
 * filling row by row. */
static void LISTS_(solve_far)(const predt__block *block, predt__scratch *scratch, int32_t reach) {
    LISTS_(measure) m = LISTS_(measure_of)(block);
    size_t room = list_room((size_t)block->width);
    target_list lower[PREDT_SUBBLOCK_ROWS];
    joins_mark(block, scratch, reach, false);
    join_list joins = joins_sort(block, scratch);
    LISTS_(pass) pass = LISTS_(begin)(&m, block, scratch, &joins, scratch->lower, false);
    for (int32_t t = 0; t <= m.last; t++) {
        if (t == 0 || LISTS_(step)(&m, &pass, t)) pass.members += 2 * room;
        lower[m.last - t] = pass.now;
    }
    joins_mark(block, scratch, reach, true);
    joins = joins_sort(block, scratch);
    pass = LISTS_(begin)(&m, block, scratch, &joins, scratch->upper, true);
    for (int32_t t = 0; t <= m.last; t++) {
        pass.members = scratch->upper + (pass.now.col == scratch->upper ? 2 * room : 0);
        LISTS_(step)(&m, &pass, t);
        if (block->wanted >> t & 1) LISTS_(fill)(&m, block, scratch, t, &pass.now, &lower[t]);
    }
}

#undef NUMBER
#undef NUMBERS
#undef INTEGER
#undef INTEGERS
#undef WIDE
#undef LISTS_ROUNDS
#undef LISTS_SIEVE
#undef LISTS_INT32
#undef LISTS_NONE
#undef LISTS_
#undef LISTS__
#undef LISTS___
