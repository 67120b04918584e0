/* The lists regime: where targets are far, or so many and so far that windows do not pay.
 *
 * After PR-EDT (sub-blocks, row-recursive sets of proximate points): for each row keep the targets above it (at or above,
 * the upper list) and those below it (the lower list) that own some point of the row, sorted by column. From one row to the
 * next the list changes little: a member dies when its neighbours' border passes it (and then for good, since the
 * border of two targets moves linearly with the row), and the row's own targets join. Each list is walked once by the
 * pixels of a row: along a row the owner only moves right.
 *
 * What differs from the paper: the candidates come from carry rows and words instead of full-size matrices; a member's row
 * of death is computed when its neighbours change, so that a row without deaths costs one vector compare a member; only
 * tiles that the near regime gave up are filled, and only targets close to such tiles join the lists; targets inside a
 * run of targets do not join, since they are the nearest of themselves only.
 *
 * Both lists are made by the same code in *pass rows*: t counts the rows in the direction of the pass, downwards for the
 * upper list, upwards for the lower one, and a member's row is at most t.
 *
 * A template over the number type: NUMBER for d2, INTEGER of the same size, WIDE to decide dominance in. */

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

static inline NUMBER LISTS_(d2)(const LISTS_(measure) * m, const list *list, int32_t i, int32_t col, int32_t t) {
    NUMBER dcol = (NUMBER)col - (NUMBER)list->col[i], drow = (NUMBER)t - (NUMBER)list->row[i];
    return m->wx * (dcol * dcol) + m->wy * (drow * drow);
}

#if LISTS_ROUNDS
/* A member loses by more than the roundings of two values of d2 can hide when it loses by this much of their size. */
#define LISTS_MARGIN (64 * DBL_EPSILON)

/* As below, in binary64, with a margin. */
static bool LISTS_(clearly_dominated)(const LISTS_(measure) * m, double ha, double hb, double hc, double ab, double bc) {
    double excess = m->wy * ((hb - ha) * (hb + ha) * bc - (hc - hb) * (hc + hb) * ab) - m->wx * ab * bc * (ab + bc);
    if (excess <= 0) return false;
    double crossing = (m->wy * (hc - ha) * (hc + ha) / (m->wx * (ab + bc)) + bc - ab) / 2; /* of a and c, from b */
    crossing = fmin(fabs(crossing), m->width); /* beyond the raster nobody asks */
    double size = m->wx * (crossing * crossing + (ab + bc) * (ab + bc)) + m->wy * (ha * ha + hb * hb + hc * hc);
    return excess > LISTS_MARGIN * size * (ab + bc);
}
#endif

/* True if member ib, between ib - 1 and a target at (col, row), owns nothing on row t. With heights ga, gb, gc (wy * rows^2)
 * the borders a|b and b|c have met when (gb - ga) * bc - (gc - gb) * ab >= wx * ab * bc * (ab + bc). On equality all three
 * tie in one point, which is a's. */
static inline bool LISTS_(dominated)(const LISTS_(measure) * m, const list *list, int32_t ib, int32_t col, int32_t row,
                                     int32_t t) {
    WIDE ha = (WIDE)t - list->row[ib - 1], hb = (WIDE)t - list->row[ib], hc = (WIDE)t - row;
    WIDE ab = (WIDE)list->col[ib] - list->col[ib - 1], bc = (WIDE)col - list->col[ib];
#if LISTS_ROUNDS
    if (!m->exact) return LISTS_(clearly_dominated)(m, (double)ha, (double)hb, (double)hc, (double)ab, (double)bc);
#endif
    WIDE wx = (WIDE)m->wx, wy = (WIDE)m->wy;
    return wy * ((hb - ha) * (hb + ha) * bc - (hc - hb) * (hc + hb) * ab) >= wx * ab * bc * (ab + bc);
}

/* The first row after t on which the top but one of dst is dominated, the top being its right neighbour. */
static int32_t LISTS_(death)(const LISTS_(measure) * m, const list *dst, int32_t t) {
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

/* Puts a target behind the list's members, drops those that it dominates, and dates the death of its left neighbour. */
static inline void LISTS_(push)(const LISTS_(measure) * m, list *dst, int32_t col, int32_t row, int32_t t) {
    while (dst->n >= 2 && LISTS_(dominated)(m, dst, dst->n - 1, col, row, t)) dst->n--;
    dst->col[dst->n] = col;
    dst->row[dst->n] = row;
    dst->death[dst->n] = LISTS_NEVER;
    dst->n++;
    if (dst->n >= 3) dst->death[dst->n - 2] = LISTS_(death)(m, dst, t);
}

/* The list of pass row 0, from the candidates of the columns. */
static void LISTS_(start)(const LISTS_(measure) * m, list *dst, const list *candidates) {
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

/* Makes dst, the list of row t, from src, that of the row before, and the targets join[0 .. count) of pass row `row`. Where
 * nothing happens members are copied in bulk; after a death or a join they are pushed one by one until one is met whose
 * left neighbour is the old one: from there on the dates of death are still right. */
static void LISTS_(advance)(const LISTS_(measure) * m, list *dst, const list *src, int32_t t, const int32_t *join,
                            int32_t count, int32_t row) {
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
                bool same = before > 0 && i > 0 && dst->col[before - 1] == src->col[i - 1] && dst->row[before - 1] == src->row[i - 1];
                LISTS_(push)(m, dst, src->col[i], src->row[i], t);
                settled = same && dst->n == before + 1;
                if (settled) dst->death[dst->n - 1] = src->death[i];
            }
            i++;
        }
    }
}

/* ---- Filling ---- */

/* The nearest members for one vector of pixels. */
typedef struct LISTS_(nearest) {
    NUMBERS d2;
    INTEGERS col, row;
} LISTS_(nearest);

#if LISTS_ROUNDS
/* How much the squared distances to members i and i + 1 differ m->slack columns from their border. */
static inline double LISTS_(slack)(const LISTS_(measure) * m, const list *list, int32_t i) {
    return 2 * m->wx * m->slack * ((double)list->col[i + 1] - list->col[i]);
}
#endif

/* True if member i + 1 is nearer to the pixel than member i, or rounding may hide that it is. */
static inline bool LISTS_(passed)(const LISTS_(measure) * m, const list *list, int32_t i, int32_t col, int32_t t) {
    NUMBER here = LISTS_(d2)(m, list, i, col, t), next = LISTS_(d2)(m, list, i + 1, col, t);
#if LISTS_ROUNDS
    if (!m->exact) return next <= here + LISTS_(slack)(m, list, i);
#endif
    return next < here;
}

/* Where rounding may hide who is nearer, goes back to the first member that may still win at the pixel or beyond. */
static inline int32_t LISTS_(go_back)(const LISTS_(measure) * m, const list *list, int32_t i, int32_t col, int32_t t) {
#if LISTS_ROUNDS
    while (!m->exact && i > 0 &&
           LISTS_(d2)(m, list, i - 1, col, t) <= LISTS_(d2)(m, list, i, col, t) + LISTS_(slack)(m, list, i - 1))
        i--;
#endif
    (void)m, (void)list, (void)col, (void)t;
    return i;
}

/* The first member that may own the pixel, not before member i: for short ways. */
static int32_t LISTS_(go_on)(const LISTS_(measure) * m, const list *list, int32_t i, int32_t col, int32_t t) {
    while (i + 1 < list->n && LISTS_(passed)(m, list, i, col, t)) i++;
    return LISTS_(go_back)(m, list, i, col, t);
}

/* The first member that may own the pixel: the borders of a list run from left to right, so bisection finds it. */
static int32_t LISTS_(seek)(const LISTS_(measure) * m, const list *list, int32_t col, int32_t t) {
    int32_t low = 0, high = list->n - 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (LISTS_(d2)(m, list, middle + 1, col, t) < LISTS_(d2)(m, list, middle, col, t)) low = middle + 1;
        else high = middle;
    }
    return LISTS_(go_back)(m, list, low, col, t);
}

static inline NUMBERS LISTS_(d2_vector)(const LISTS_(measure) * m, const list *list, int32_t i, NUMBERS cols, int32_t t) {
    NUMBER drow = (NUMBER)t - (NUMBER)list->row[i];
    NUMBERS dcol = cols - (NUMBER)list->col[i];
    return dcol * dcol * m->wx + m->wy * (drow * drow);
}

/* Takes member i for the pixels to which it is nearer. */
static inline void LISTS_(take)(LISTS_(nearest) * best, const list *list, int32_t i, NUMBERS d2, INTEGERS nearer) {
    INTEGERS zero = {0};
    best->d2 = SELECT(nearer, d2, best->d2);
    best->col = SELECT(nearer, zero + list->col[i], best->col);
    best->row = SELECT(nearer, zero + list->row[i], best->row);
}

/* The owners of a vector of pixels of row t, walking from member *at on, where it leaves off: the next member is tried as
 * long as the last pixel is nearer to it. Where rounding may hide that, it is asked more carefully. */
static inline LISTS_(nearest) LISTS_(walk)(const LISTS_(measure) * m, const list *list, int32_t *at, NUMBERS cols, int32_t t) {
    INTEGERS zero = {0};
    int32_t i = *at;
    LISTS_(nearest) best = {LISTS_(d2_vector)(m, list, i, cols, t), zero + list->col[i], zero + list->row[i]};
#if LISTS_ROUNDS
    if (!m->exact) {
        int32_t last_col = (int32_t)cols[LANES(NUMBERS) - 1];
        while (i + 1 < list->n && LISTS_(passed)(m, list, i, last_col, t)) {
            NUMBERS d2 = LISTS_(d2_vector)(m, list, ++i, cols, t);
            LISTS_(take)(&best, list, i, d2, d2 < best.d2);
        }
        *at = LISTS_(go_back)(m, list, i, last_col, t); /* members that tie there may tie further on */
        return best;
    }
#endif
    while (i + 1 < list->n) {
        NUMBERS d2 = LISTS_(d2_vector)(m, list, i + 1, cols, t);
        INTEGERS nearer = d2 < best.d2;
        if (!LAST_LANE(nearer)) break;
        LISTS_(take)(&best, list, ++i, d2, nearer);
    }
    *at = i;
    return best;
}

/* Where the two lists are walked on. */
typedef struct LISTS_(cursor) {
    const list *upper, *lower;
    int32_t upper_at, lower_at;
} LISTS_(cursor);

/* One vector of pixels of row `row`: the nearer of the two lists' members; rows relative to the sub-block. */
static inline LISTS_(nearest) LISTS_(solve)(const LISTS_(measure) * m, LISTS_(cursor) * cursor, int32_t col, int row,
                                            NUMBERS lanes) {
    INTEGERS zero = {0};
    NUMBERS cols = lanes + (NUMBER)col, last = (NUMBERS){0} + (NUMBER)m->last_col;
    cols = SELECT(cols > last, last, cols); /* what lies beyond the raster must not overflow */
    LISTS_(nearest) best = {(NUMBERS){0} + LISTS_NONE, zero + INT32_MAX, zero}, below;
    if (cursor->upper->n) best = LISTS_(walk)(m, cursor->upper, &cursor->upper_at, cols, row);
    if (!cursor->lower->n) return best;
    below = LISTS_(walk)(m, cursor->lower, &cursor->lower_at, cols, m->last - row);
    INTEGERS equal = below.d2 == best.d2, nearer = (below.d2 < best.d2) | (equal & (below.col < best.col));
#if LISTS_ROUNDS /* two targets of one column may round to the same square: the one fewer rows away wins */
    nearer |= equal & (below.col == best.col) & (zero + m->last - row - below.row < row - best.row);
#endif
    return (LISTS_(nearest)){SELECT(nearer, below.d2, best.d2), SELECT(nearer, below.col, best.col),
                             SELECT(nearer, zero + m->last - below.row, best.row)};
}

/* Answers of a run of far columns of one row; padded by a vector, since the last one may reach beyond. */
#define LISTS_RUN 512
typedef struct LISTS_(run) {
    NUMBER d2[LISTS_RUN + 8];
    int32_t col[LISTS_RUN + 8], owner_row[LISTS_RUN + 8];
} LISTS_(run);

static inline void LISTS_(store)(LISTS_(run) * run, int at, LISTS_(nearest) nearest) {
    STORE(run->d2 + at, nearest.d2);
    for (int lane = 0; lane < LANES(NUMBERS); lane++) {
        run->col[at + lane] = (int32_t)nearest.col[lane];
        run->owner_row[at + lane] = (int32_t)nearest.row[lane];
    }
}

/* Targets are their own nearest ones; the lists need not hold them. */
static void LISTS_(own)(LISTS_(run) * run, const predt__block *block, int row, int32_t begin, int count) {
    for (int i = -1; (i = list_next_own(block, row, begin, i + 1, count)) < count;) {
        run->d2[i] = 0;
        run->col[i] = begin + i;
        run->owner_row[i] = row;
    }
}

static void LISTS_(write)(LISTS_(run) * run, const predt__block *block, predt__scratch *scratch, int row, int32_t begin,
                          int count) {
#if LISTS_INT32
    emit_columns(block, scratch, row, begin, begin + count,
                 &(found){.base = begin, .d2_int = run->d2, .owner_col = run->col, .owner_row = run->owner_row});
#else
    double d2[LISTS_RUN];
    double limit = block->index->metric.limit;
    for (int i = 0; i < count; i++)
        d2[i] = run->d2[i] == LISTS_NONE || run->d2[i] > limit ? INFINITY : (double)run->d2[i];
    emit_columns(block, scratch, row, begin, begin + count,
                 &(found){.base = begin, .d2_real = d2, .owner_col = run->col, .owner_row = run->owner_row});
#endif
}

/* Fills the far tiles of one row. */
static void LISTS_(fill)(const LISTS_(measure) * m, const predt__block *block, predt__scratch *scratch, int row,
                         const list *upper, const list *lower) {
    NUMBERS lanes;
    for (int lane = 0; lane < LANES(NUMBERS); lane++) lanes[lane] = lane;
    LISTS_(cursor) cursor = {upper, lower, 0, 0};
    LISTS_(run) run;
    int32_t tiles = (block->width + TILE - 1) / TILE, reached = 0;
    for (int32_t tile = 0; tile < tiles; tile++) {
        if (scratch->far[tile] != TILE_FAR) continue;
        int32_t begin = tile * TILE;
        while (tile + 1 < tiles && scratch->far[tile + 1] == TILE_FAR && (tile + 2) * (int64_t)TILE - begin <= LISTS_RUN) tile++;
        int64_t end = (tile + 1) * (int64_t)TILE < block->width ? (tile + 1) * (int64_t)TILE : block->width;
        if (begin > reached + LISTS_SHORT_WAY) {
            if (upper->n) cursor.upper_at = LISTS_(seek)(m, upper, begin, row);
            if (lower->n) cursor.lower_at = LISTS_(seek)(m, lower, begin, m->last - row);
        } else if (begin > reached) {
            if (upper->n) cursor.upper_at = LISTS_(go_on)(m, upper, cursor.upper_at, begin, row);
            if (lower->n) cursor.lower_at = LISTS_(go_on)(m, lower, cursor.lower_at, begin, m->last - row);
        }
        int count = (int)(end - begin);
        for (int i = 0; i < count; i += LANES(NUMBERS))
            LISTS_(store)(&run, i, LISTS_(solve)(m, &cursor, begin + i, row, lanes));
        LISTS_(own)(&run, block, row, begin, count);
        LISTS_(write)(&run, block, scratch, row, begin, count);
        reached = (int32_t)end;
    }
}

/* ---- The two passes ---- */

/* The list under way. Its columns and rows lie where the caller keeps them, its dates of death in one of two buffers. */
typedef struct LISTS_(pass) {
    const predt__block *block;
    const joins *joins;
    list now;
    int32_t *death[2];
    int32_t *members; /* where the next list goes: 2 * list_room(width) */
    bool down;
} LISTS_(pass);

static LISTS_(pass) LISTS_(begin)(const LISTS_(measure) * m, const predt__block *block, predt__scratch *scratch,
                                  const joins *joins, int32_t *members, bool down) {
    size_t room = list_room((size_t)block->width);
    int32_t *death = scratch->death;
    LISTS_(pass) pass = {block, joins, {0, members, members + room, death}, {death, death + room}, members, down};
    list candidates = list_candidates(block, scratch, LISTS_SIEVE(m), down);
    LISTS_(start)(m, &pass.now, &candidates);
    return pass;
}

/* Brings the list to pass row t. Targets of relative row r join on row r downwards (at or above the row), and one row later
 * upwards (strictly below it). Returns whether a list was made anew, at pass->members. */
static bool LISTS_(step)(const LISTS_(measure) * m, LISTS_(pass) * pass, int32_t t) {
    int target_row = pass->down ? t : m->last - t + 1;
    const int32_t *start = pass->joins->start, *join = NULL;
    int32_t count = 0;
    if (target_row <= m->last) join = pass->joins->col + start[target_row], count = start[target_row + 1] - start[target_row];
    if (count == 0 && !list_anyone_dies(&pass->now, t)) return false;
    size_t room = list_room((size_t)pass->block->width);
    int32_t *death = pass->death[pass->now.death == pass->death[0]];
    list next = {0, pass->members, pass->members + room, death};
    LISTS_(advance)(m, &next, &pass->now, t, join, count, pass->down ? t : t - 1);
    pass->now = next;
    return true;
}

static LISTS_(measure) LISTS_(measure_of)(const predt__block *block) {
    const predt__metric *metric = &block->index->metric;
    LISTS_(measure) m = {.wx = (NUMBER)metric->wx, .wy = (NUMBER)metric->wy, .last = block->rows - 1,
                         .last_col = block->width - 1};
#if LISTS_ROUNDS
    /* A kept loser moves a border back by at most margin * d2 / (2 * wx) columns; allow for 64 of them in a row. */
    double width = (double)block->index->width, height = (double)block->index->height;
    m.exact = metric->integer;
    m.width = width;
    m.slack = 1.0 / 64 + 64 * LISTS_MARGIN * (metric->wx * width * width + metric->wy * height * height) / (2 * metric->wx);
#endif
    return m;
}

/* Solves the far tiles: all lower lists first, from the last row up, then the upper list downwards, filling row by row. */
static void LISTS_(solve_far)(const predt__block *block, predt__scratch *scratch, int32_t reach) {
    LISTS_(measure) m = LISTS_(measure_of)(block);
    size_t room = list_room((size_t)block->width);
    list lower[PREDT_SUBBLOCK_ROWS];
    joins_mark(block, scratch, reach, false);
    joins joins = joins_sort(block, scratch);
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
