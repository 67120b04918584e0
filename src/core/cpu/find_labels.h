/* Template: labels of targets. Before each inclusion define
 *   LABEL           the labels' type
 *   LABEL_(name)    a name with the type behind it
 * Both are undefined at the end. */

/* Label of a target: found by its rank, and kept for the column's other pixels. */
static __attribute__((noinline)) LABEL LABEL_(rank_label)(const predt__block *block,
                                                          LABEL_(label_cache) * cache, int32_t col,
                                                          int32_t raster_row) {
    cache->row = raster_row;
    return cache->label = (LABEL)predt__label_at(block->index, col, raster_row);
}

/* side: 0 at or above the pixel's row, 1 below. */
static inline LABEL LABEL_(find_label)(const predt__block *block, predt__scratch *scratch, int side,
                                       int32_t col, int32_t row) {
    LABEL_(label_cache) *cache = (LABEL_(label_cache) *)scratch->labels[side] + col;
    int32_t raster_row = (int32_t)block->first_row + row;
    return cache->row == raster_row ? cache->label
                                    : LABEL_(rank_label)(block, cache, col, raster_row);
}

/* Labels of many pixels are looked up one by one, except where a whole vector of pixels has the
 * same owner. */
static void LABEL_(find_labels)(LABEL *restrict to, const predt__block *block,
                                predt__scratch *scratch, const answers *a, double limit) {
    const int32_t *restrict col = a->owner_col, *restrict row = a->owner_row;
    int32_t here = a->row, i = 0;
    for (; block->all_reached && i + LANES(v32i) <= a->count; i += LANES(v32i))
        if (one_owner(a, i)) {
            LABEL label = LABEL_(find_label)(block, scratch, row[i] > here, col[i], row[i]);
            for (int lane = 0; lane < LANES(v32i); lane++) to[i + lane] = label;
        } else {
            for (int j = i; j < i + LANES(v32i); j++)
                to[j] = LABEL_(find_label)(block, scratch, row[j] > here, col[j], row[j]);
        }
    for (; i < a->count; i++)
        to[i] = in_reach(a, i, limit)
                    ? LABEL_(find_label)(block, scratch, row[i] > here, col[i], row[i])
                    : (LABEL)block->outputs.no_label;
}

/* Pixels out of reach want another label. */
static void LABEL_(hide_labels)(LABEL *labels, const predt__block *block, const answers *a,
                                double limit) {
    for (int i = 0; i < a->count; i++)
        if (!in_reach(a, i, limit)) labels[i] = (LABEL)block->outputs.no_label;
}

#undef LABEL
#undef LABEL_
