/* The near regime: where every pixel of a tile has a target within a few columns, its nearest one
 * is a windowed minimum,
 *
 *     d2(col) = min over |k| <= reach of  wx * k^2 + wy * g(col + k)^2,
 *
 * g being the rows to the nearest target of a column. k is the same for all lanes of a vector, and
 * the loop ends as soon as wx * k^2 exceeds every minimum found so far. A tile in which some
 * minimum stays beyond plan.d2 is far: not ours.
 *
 * A template. Before each inclusion define
 *   NUMBER, NUMBERS      of d2, and a vector of them
 *   INTEGER, INTEGERS    of the same size
 *   NEAR_KEYS            1: NUMBER is uint16_t, for small integer weights; 0: it is double
 * All of them are undefined at the end. */

#define NEAR_(name) NEAR__(name, NUMBER)
#define NEAR__(name, number) NEAR___(name, number)
#define NEAR___(name, number) near_##name##_##number

#if NEAR_KEYS
/* wy * distance^2 for each column as a key without offset, `none` where that cannot count. */
static void NEAR_(square)(NUMBER *restrict squared, const int16_t *restrict distance,
                          const near_plan *plan) {
    NUMBER none = (NUMBER)((int)plan->none << NEAR_CODE_BITS);
    /* larger ones leave the rows of the targets themselves, where it is multiplied by 0 */
    NUMBER wy = (NUMBER)fmin(plan->wy, NEAR_WIDEST_KEY + 1);
    int16_t rows = (int16_t)plan->rows;
    for (int i = 0; i < NEAR_SPAN; i++) {
        NUMBER d = (NUMBER)distance[i];
        NUMBER key = (NUMBER)((NUMBER)(wy * (NUMBER)(d * d)) << NEAR_CODE_BITS);
        squared[i] = distance[i] > rows ? none : key;
    }
}

/* The nearest candidates of two vectors of pixels. Two steps a test for the end: what is tried too
 * many does no harm. */
static inline void NEAR_(window)(const NUMBER *squared, const near_plan *plan, NUMBERS *d2,
                                 INTEGERS *offset) {
    const NUMBER *second = squared + LANES(NUMBERS);
    NUMBERS key[2] = {LOAD(NUMBERS, squared) + NEAR_REACH, LOAD(NUMBERS, second) + NEAR_REACH};
    for (int k = 1; k <= plan->columns; k += 2) {
        NUMBERS west = (NUMBERS){0} + plan->west[k], east = (NUMBERS){0} + plan->east[k];
        NUMBERS worst = max_u16(key[0], key[1]);
        if (!ANY(max_u16(worst, west) == worst)) break;
        NUMBERS far_west = (NUMBERS){0} + plan->west[k + 1],
                far_east = (NUMBERS){0} + plan->east[k + 1];
        key[0] = min_u16(key[0], min_u16(add_u16(LOAD(NUMBERS, squared - k), west),
                                         add_u16(LOAD(NUMBERS, squared + k), east)));
        key[1] = min_u16(key[1], min_u16(add_u16(LOAD(NUMBERS, second - k), west),
                                         add_u16(LOAD(NUMBERS, second + k), east)));
        key[0] = min_u16(key[0], min_u16(add_u16(LOAD(NUMBERS, squared - k - 1), far_west),
                                         add_u16(LOAD(NUMBERS, squared + k + 1), far_east)));
        key[1] = min_u16(key[1], min_u16(add_u16(LOAD(NUMBERS, second - k - 1), far_west),
                                         add_u16(LOAD(NUMBERS, second + k + 1), far_east)));
    }
    for (int i = 0; i < 2; i++) {
        d2[i] = key[i] >> NEAR_CODE_BITS;
        offset[i] = (INTEGERS)(key[i] & ((1 << NEAR_CODE_BITS) - 1)) - NEAR_REACH;
    }
}
#else
/* wy * distance^2 for each column, `none` where that cannot count. */
static void NEAR_(square)(NUMBER *restrict squared, const int16_t *restrict distance,
                          const near_plan *plan) {
    for (int i = 0; i < NEAR_SPAN; i++) {
        NUMBER d = distance[i];
        squared[i] = distance[i] > plan->rows ? plan->none : plan->wy * (d * d);
    }
}

/* The nearest candidates of two vectors of pixels. A western one replaces an equal one, an eastern
 * does not. */
static inline void NEAR_(window)(const NUMBER *squared, const near_plan *plan, NUMBERS *d2,
                                 INTEGERS *offset) {
    d2[0] = LOAD(NUMBERS, squared);
    d2[1] = LOAD(NUMBERS, squared + LANES(NUMBERS));
    offset[0] = offset[1] = (INTEGERS){0};
    for (int k = 1; k <= plan->columns; k++) {
        NUMBERS step = (NUMBERS){0} + plan->step[k];
        INTEGERS columns = (INTEGERS){0} + k;
        if (!ANY((d2[0] >= step) | (d2[1] >= step))) break;
        for (int i = 0; i < 2; i++) {
            const NUMBER *here = squared + i * LANES(NUMBERS);
            NUMBERS west = LOAD(NUMBERS, here - k) + step, east = LOAD(NUMBERS, here + k) + step;
            INTEGERS nearer = west <= d2[i];
            offset[i] = SELECT(nearer, -columns, offset[i]);
            d2[i] = SELECT(nearer, west, d2[i]);
            nearer = east < d2[i];
            offset[i] = SELECT(nearer, columns, offset[i]);
            d2[i] = SELECT(nearer, east, d2[i]);
        }
    }
}
#endif

/* One row of one tile; false if some pixel of it is far. d2 and offset hold the tile's columns. */
static bool NEAR_(tile)(const NUMBER *squared, const near_plan *plan, int columns, NUMBER *d2,
                        INTEGER *offset) {
    const int lanes = LANES(NUMBERS);
    NUMBERS beyond = (NUMBERS){0} + (NUMBER)plan->d2;
    INTEGERS far = {0};
    for (int i = 0; i < TILE; i += 2 * lanes) {
        NUMBERS found[2];
        INTEGERS from[2];
        NEAR_(window)(squared + i, plan, found, from);
        for (int half = 0; half < 2; half++) {
            STORE(d2 + i + half * lanes, found[half]);
            STORE(offset + i + half * lanes, from[half]);
        }
        far |= (INTEGERS)(found[0] > beyond) | (INTEGERS)(found[1] > beyond);
        if (ANY(far) && !plan->decides) break;
    }
    if (plan->decides || !ANY(far)) return true;
    for (int i = 0; i < columns; i++)
        if (d2[i] > (NUMBER)plan->d2) return false;
    return true; /* what is beyond lies outside the raster */
}

/* Writes the answers of the columns [from, to) of a chunk; d2 and offset hold the chunk's
 * columns. */
static void NEAR_(write)(const predt__block *block, predt__scratch *scratch, int row, int32_t begin,
                         int from, int to, NUMBER *d2, const INTEGER *offset,
                         near_columns *columns) {
    uint32_t at[NEAR_CHUNK];
    int32_t col[NEAR_CHUNK], owner_row[NEAR_CHUNK], base = begin - NEAR_HALO;
    uint64_t labels[NEAR_CHUNK];
    found_row found = {
        .base = begin, .owner_col = col, .owner_row = owner_row, .provisional = true};
    for (int i = from; i < to; i++) at[i] = (uint32_t)(NEAR_HALO + i + (int32_t)offset[i]);
    if (needs_owner(&block->outputs))
        for (int i = from; i < to; i++) {
            col[i] = base + (int32_t)at[i];
            owner_row[i] = row + columns->offset[at[i]];
        }
    if (block->outputs.label) {
        if (!columns->labels) near_labels(block, scratch, base, columns->label_margin);
        columns->labels = true;
        found.labels = labels;
        if (block->index->label_type == PREDT_LABEL_32)
            near_find_uint32_t((uint32_t *)labels, block, scratch, row, base, columns, at, from,
                               to);
        else near_find_uint64_t(labels, block, scratch, row, base, columns, at, from, to);
    }
#if NEAR_KEYS
    int32_t d2_int[NEAR_CHUNK];
    for (int i = from; i < to; i++) d2_int[i] = d2[i];
    found.d2_int = d2_int;
#else
    found.d2_real = d2;
#endif
    emit_columns(block, scratch, row, begin + from, begin + to, &found);
}

/* One row of the chunk's tiles that are not far yet. */
static void NEAR_(row)(const predt__block *block, predt__scratch *scratch, const near_plan *plan,
                       int row, int32_t begin, int count, const NUMBER *squared,
                       near_columns *columns) {
    NUMBER d2[NEAR_CHUNK];
    INTEGER offset[NEAR_CHUNK];
    uint8_t *far = scratch->far + begin / TILE;
    int start = 0; /* of the run of near tiles that ends at tile i */
    for (int i = 0; i < count; i += TILE) {
        int width = count - i < TILE ? count - i : TILE;
        if (!far[i / TILE])
            far[i / TILE] = !NEAR_(tile)(squared + NEAR_HALO + i, plan, width, d2 + i, offset + i);
        if (!far[i / TILE]) continue;
        if (start < i) NEAR_(write)(block, scratch, row, begin, start, i, d2, offset, columns);
        start = i + TILE;
    }
    if (start < count) NEAR_(write)(block, scratch, row, begin, start, count, d2, offset, columns);
}

/* Returns the largest d2 seen in a near tile. Tries the row in the middle, then the first and the
 * last one, without writing: most far tiles are found out before any work is done for nothing. A
 * distance changes by at most a row's height from one row to the next, so that a tile which is near
 * enough in the middle is near everywhere and the other two rows can be left out. */
static double NEAR_(probe)(const predt__block *block, predt__scratch *scratch,
                           const near_plan *plan, const near_rows *rows, near_columns *columns,
                           NUMBER *squared, int32_t begin, int count) {
    const int middle = block->rows / 2, probes[] = {middle, 0, block->rows - 1};
    double safe = fmax(sqrt(plan->d2) - (middle + 1) * sqrt(plan->wy), 0);
    uint8_t *far = scratch->far + begin / TILE;
    NUMBER worst = 0;
    for (int i = 0; i < 3 && (i == 0 || worst > safe * safe); i++) {
        NUMBER d2[TILE];
        INTEGER offset[TILE];
        near_look(rows, probes[i], columns);
        NEAR_(square)(squared, columns->distance, plan);
        for (int tile = 0; tile < count; tile += TILE) {
            int width = count - tile < TILE ? count - tile : TILE;
            if (far[tile / TILE]) continue;
            far[tile / TILE] = !NEAR_(tile)(squared + NEAR_HALO + tile, plan, width, d2, offset);
            for (int col = 0; !far[tile / TILE] && col < width; col++)
                worst = d2[col] > worst ? d2[col] : worst;
        }
    }
    return worst;
}

/* Solves up to NEAR_CHUNK columns from begin (a multiple of TILE) on, and marks the tiles that are
 * far. */
static void NEAR_(chunk)(const predt__block *block, predt__scratch *scratch, const near_plan *plan,
                         int32_t begin, int count) {
    near_rows rows;
    near_columns columns;
    NUMBER squared[NEAR_SPAN];
    near_load(&rows, block, begin - NEAR_HALO);
    double worst = plan->decides
                       ? plan->d2
                       : NEAR_(probe)(block, scratch, plan, &rows, &columns, squared, begin, count);
    columns.labels = false;
    columns.label_margin = (int)fmin(sqrt(worst / plan->wy) + 1, LABEL_MARGIN);
    near_widen(block, scratch, begin / TILE, (count + TILE - 1) / TILE);
    if (!memchr(scratch->far + begin / TILE, TILE_NEAR, (size_t)(count + TILE - 1) / TILE)) return;
    for (int row = 0; row < block->rows; row++) {
        near_look(&rows, row, &columns);
        if (!(block->wanted >> row & 1)) continue;
        if (block->outputs.label) near_slots(&columns, block->skew + row);
        NEAR_(square)(squared, columns.distance, plan);
        NEAR_(row)(block, scratch, plan, row, begin, count, squared, &columns);
    }
}

#undef NUMBER
#undef NUMBERS
#undef INTEGER
#undef INTEGERS
#undef NEAR_KEYS
#undef NEAR_
#undef NEAR__
#undef NEAR___
