/* The far tiles of one row from its two lists: a vector of pixels walks along each, and the nearer
 * of the two members wins. A part of lists.h, compiled as often as that for its number types. */

/* The nearest members for one vector of pixels. */
typedef struct LISTS_(nearest) {
    NUMBERS d2;
    INTEGERS col, row;
} LISTS_(nearest);

#if LISTS_ROUNDS
/* How much the squared distances to members i and i + 1 differ m->slack columns from their
 * border. */
static inline double LISTS_(slack)(const LISTS_(measure) * m, const target_list *list, int32_t i) {
    return 2 * m->wx * m->slack * ((double)list->col[i + 1] - list->col[i]);
}
#endif

/* True if member i + 1 is nearer to the pixel than member i, or rounding may hide that it is. */
static inline bool LISTS_(passed)(const LISTS_(measure) * m, const target_list *list, int32_t i,
                                  int32_t col, int32_t t) {
    NUMBER here = LISTS_(d2)(m, list, i, col, t), next = LISTS_(d2)(m, list, i + 1, col, t);
#if LISTS_ROUNDS
    if (!m->exact) return next <= here + LISTS_(slack)(m, list, i);
#endif
    return next < here;
}

/* Where rounding may hide who is nearer, goes back to the first member that may still win at the
 * pixel or beyond. */
static inline int32_t LISTS_(go_back)(const LISTS_(measure) * m, const target_list *list, int32_t i,
                                      int32_t col, int32_t t) {
#if LISTS_ROUNDS
    while (!m->exact && i > 0 &&
           LISTS_(d2)(m, list, i - 1, col, t) <=
               LISTS_(d2)(m, list, i, col, t) + LISTS_(slack)(m, list, i - 1))
        i--;
#endif
    (void)m, (void)list, (void)col, (void)t;
    return i;
}

/* The first member that may own the pixel, not before member i: for short ways. */
static int32_t LISTS_(go_on)(const LISTS_(measure) * m, const target_list *list, int32_t i,
                             int32_t col, int32_t t) {
    while (i + 1 < list->n && LISTS_(passed)(m, list, i, col, t)) i++;
    return LISTS_(go_back)(m, list, i, col, t);
}

/* The first member that may own the pixel: the borders of a list run from left to right, so
 * bisection finds it. */
static int32_t LISTS_(seek)(const LISTS_(measure) * m, const target_list *list, int32_t col,
                            int32_t t) {
    int32_t low = 0, high = list->n - 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (LISTS_(d2)(m, list, middle + 1, col, t) < LISTS_(d2)(m, list, middle, col, t))
            low = middle + 1;
        else high = middle;
    }
    return LISTS_(go_back)(m, list, low, col, t);
}

static inline NUMBERS LISTS_(d2_vector)(const LISTS_(measure) * m, const target_list *list,
                                        int32_t i, NUMBERS cols, int32_t t) {
    NUMBER drow = (NUMBER)t - (NUMBER)list->row[i];
    NUMBERS dcol = cols - (NUMBER)list->col[i];
    return dcol * dcol * m->wx + m->wy * (drow * drow);
}

/* Takes member i for the pixels to which it is nearer. */
static inline void LISTS_(take)(LISTS_(nearest) * best, const target_list *list, int32_t i,
                                NUMBERS d2, INTEGERS nearer) {
    INTEGERS zero = {0};
    best->d2 = SELECT(nearer, d2, best->d2);
    best->col = SELECT(nearer, zero + list->col[i], best->col);
    best->row = SELECT(nearer, zero + list->row[i], best->row);
}

/* The owners of a vector of pixels of row t, walking from member *at on, where it leaves off: the
 * next member is tried as long as the last pixel is nearer to it. Where rounding may hide that, it
 * is asked more carefully. */
static inline LISTS_(nearest) LISTS_(walk)(const LISTS_(measure) * m, const target_list *list,
                                           int32_t *at, NUMBERS cols, int32_t t) {
    INTEGERS zero = {0};
    int32_t i = *at;
    LISTS_(nearest)
    best = {LISTS_(d2_vector)(m, list, i, cols, t), zero + list->col[i], zero + list->row[i]};
#if LISTS_ROUNDS
    if (!m->exact) {
        int32_t last_col = (int32_t)cols[LANES(NUMBERS) - 1];
        while (i + 1 < list->n && LISTS_(passed)(m, list, i, last_col, t)) {
            NUMBERS d2 = LISTS_(d2_vector)(m, list, ++i, cols, t);
            LISTS_(take)(&best, list, i, d2, d2 < best.d2);
        }
        *at = LISTS_(go_back)(m, list, i, last_col,
                              t); /* members that tie there may tie further on */
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
    const target_list *upper, *lower;
    int32_t upper_at, lower_at;
} LISTS_(cursor);

/* One vector of pixels of row `row`: the nearer of the two lists' members; rows relative to the
 * sub-block. */
static inline LISTS_(nearest) LISTS_(solve)(const LISTS_(measure) * m, LISTS_(cursor) * cursor,
                                            int32_t col, int row, NUMBERS lanes) {
    INTEGERS zero = {0};
    NUMBERS cols = lanes + (NUMBER)col, last = (NUMBERS){0} + (NUMBER)m->last_col;
    cols = SELECT(cols > last, last, cols); /* what lies beyond the raster must not overflow */
    LISTS_(nearest) best = {(NUMBERS){0} + LISTS_NONE, zero + INT32_MAX, zero}, below;
    if (cursor->upper->n) best = LISTS_(walk)(m, cursor->upper, &cursor->upper_at, cols, row);
    if (!cursor->lower->n) return best;
    below = LISTS_(walk)(m, cursor->lower, &cursor->lower_at, cols, m->last - row);
    INTEGERS equal = below.d2 == best.d2,
             nearer = (below.d2 < best.d2) | (equal & (below.col < best.col));
/* two targets of one column may round to the same square: the one fewer rows away wins */
#if LISTS_ROUNDS
    nearer |= equal & (below.col == best.col) & (zero + m->last - row - below.row < row - best.row);
#endif
    return (LISTS_(nearest)){SELECT(nearer, below.d2, best.d2), SELECT(nearer, below.col, best.col),
                             SELECT(nearer, zero + m->last - below.row, best.row)};
}

/* Answers of a run of far columns of one row; padded by a vector, since the last one may reach
 * beyond. */
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
static void LISTS_(own)(LISTS_(run) * run, const predt__block *block, int row, int32_t begin,
                        int count) {
    for (int i = -1; (i = list_next_own(block, row, begin, i + 1, count)) < count;) {
        run->d2[i] = 0;
        run->col[i] = begin + i;
        run->owner_row[i] = row;
    }
}

static void LISTS_(write)(LISTS_(run) * run, const predt__block *block, predt__scratch *scratch,
                          int row, int32_t begin, int count) {
#if LISTS_INT32
    emit_columns(
        block, scratch, row, begin, begin + count,
        &(found_row){
            .base = begin, .d2_int = run->d2, .owner_col = run->col, .owner_row = run->owner_row});
#else
    double d2[LISTS_RUN];
    double limit = block->index->metric.limit;
    for (int i = 0; i < count; i++)
        d2[i] = run->d2[i] == LISTS_NONE || (double)run->d2[i] > limit ? (double)INFINITY
                                                                       : (double)run->d2[i];
    emit_columns(
        block, scratch, row, begin, begin + count,
        &(found_row){
            .base = begin, .d2_real = d2, .owner_col = run->col, .owner_row = run->owner_row});
#endif
}

/* Fills the far tiles of one row. */
static void LISTS_(fill)(const LISTS_(measure) * m, const predt__block *block,
                         predt__scratch *scratch, int row, const target_list *upper,
                         const target_list *lower) {
    NUMBERS lanes;
    for (int lane = 0; lane < LANES(NUMBERS); lane++) lanes[lane] = lane;
    LISTS_(cursor) cursor = {upper, lower, 0, 0};
    LISTS_(run) run;
    far_run far = {0, 0};
    for (int32_t reached = 0; list_next_run(block, scratch, &far); reached = far.end) {
        int32_t begin = far.begin;
        if (begin > reached + LISTS_SHORT_WAY) {
            if (upper->n) cursor.upper_at = LISTS_(seek)(m, upper, begin, row);
            if (lower->n) cursor.lower_at = LISTS_(seek)(m, lower, begin, m->last - row);
        } else if (begin > reached) {
            if (upper->n) cursor.upper_at = LISTS_(go_on)(m, upper, cursor.upper_at, begin, row);
            if (lower->n)
                cursor.lower_at = LISTS_(go_on)(m, lower, cursor.lower_at, begin, m->last - row);
        }
        int count = far.end - begin;
        for (int i = 0; i < count; i += LANES(NUMBERS))
            LISTS_(store)(&run, i, LISTS_(solve)(m, &cursor, begin + i, row, lanes));
        LISTS_(own)(&run, block, row, begin, count);
        LISTS_(write)(&run, block, scratch, row, begin, count);
    }
}
