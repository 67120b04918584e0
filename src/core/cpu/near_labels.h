/* Template: labels of near pixels. Before each inclusion define
 *   LABEL           the labels' type
 *   LABEL_(name)    a name with the type behind it
 * Both are undefined at the end. */

/* Labels of the pixels [begin, end) of a chunk's row; at[i]: place of pixel i's owner among the
 * columns. Those whose owner lies beyond label_tiles get a wrong one, which is replaced by
 * near_find_beyond. The label of a pixel out of reach does not matter. Returns whether there are
 * such. */
static bool LABEL_(near_find_tiles)(LABEL *restrict to, const LABEL *tiles,
                                    const near_columns *columns, const uint32_t *at, int begin,
                                    int end) {
    const uint32_t *slots = columns->slot;
    uint32_t beyond = 0;
    int i = begin;
    v32i lanes;
    for (int lane = 0; lane < LANES(v32i); lane++) lanes[lane] = lane;
    for (; i + LANES(v32i) <= end; i += LANES(v32i)) {
        if (near_own(columns, at, i, lanes)) {
            memcpy(to + i, tiles + slots[NEAR_HALO + i], LANES(v32i) * sizeof *to);
            continue;
        }
#pragma GCC unroll 8
        for (int lane = 0; lane < LANES(v32i); lane++) {
            uint32_t slot = slots[at[i + lane]];
            beyond |= slot;
            to[i + lane] = tiles[slot & ~NEAR_BEYOND];
        }
    }
    for (; i < end; i++) {
        beyond |= slots[at[i]];
        to[i] = tiles[slots[at[i]] & ~NEAR_BEYOND];
    }
    return beyond & NEAR_BEYOND;
}

static void LABEL_(near_find)(LABEL *restrict to, const predt__block *block,
                              predt__scratch *scratch, int row, int32_t base,
                              const near_columns *columns, const uint32_t *at, int begin, int end) {
    bool beyond = LABEL_(near_find_tiles)(to, scratch->label_tiles, columns, at, begin, end);
    for (int i = begin; beyond && i < end; i++) {
        int32_t offset = columns->offset[at[i]];
        if (columns->slot[at[i]] == NEAR_BEYOND && offset < NEAR_NO_ROW - 32 &&
            offset > 32 - NEAR_NO_ROW)
            to[i] =
                LABEL_(find_label)(block, scratch, offset > 0, base + (int32_t)at[i], row + offset);
    }
}

#undef LABEL
#undef LABEL_
