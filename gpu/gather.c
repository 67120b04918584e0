/* Sub-blocks are copied one by one; the nearest targets above and below the strip are looked for in
 * the index a run of columns at a time. Both are shared out to threads. */
#include "gather.h"

#include <string.h>

#include "../src/core/parallel.h"

/* ---- Labels ---- */

/* Labels of one sub-block: those before its last tile, and that tile's. */
static int64_t block_labels(const predt_index *index, int64_t block) {
    int64_t last = (index->width - 1) / PREDT__TILE;
    const uint32_t *words = predt__block_words(index, block);
    int64_t count = index->labels[block].starts[last];
    for (int64_t col = last * PREDT__TILE; col < index->width; col++)
        count += __builtin_popcount(words[col]);
    return count;
}

int64_t predt__gather_count(const predt_index *index, int64_t first_block, int64_t blocks) {
    int64_t count = 0;
    for (int64_t block = first_block; block < first_block + blocks; block++)
        count += block_labels(index, block);
    return count;
}

static void number_labels(const predt__gather *gather) {
    uint64_t before = 0;
    for (int64_t i = 0; i < gather->blocks; i++) {
        gather->label_blocks[i] = before;
        before += (uint64_t)block_labels(gather->index, gather->first_block + i);
    }
}

static void copy_block(const predt__gather *gather, int64_t i) {
    const predt_index *index = gather->index;
    int64_t block = gather->first_block + i;
    size_t width = (size_t)index->width, tiles = (width + PREDT__TILE - 1) / PREDT__TILE,
           each = (size_t)index->label_type;
    predt__touch_block(index, block, false);
    memcpy(gather->words + (size_t)i * width, predt__block_words(index, block),
           width * sizeof(uint32_t));
    if (!gather->label_values) return;
    memcpy(gather->label_starts + (size_t)i * tiles, index->labels[block].starts,
           tiles * sizeof(uint32_t));
    memcpy((char *)gather->label_values + gather->label_blocks[i] * each,
           index->labels[block].values, (size_t)block_labels(index, block) * each);
}

static void copy_carried_labels(const predt__gather *gather, const int32_t *rows, int32_t none,
                                void *labels, int64_t begin, int64_t end) {
    for (int64_t col = begin; col < end; col++) {
        uint64_t label = rows[col] == none ? 0 : predt__label_at(gather->index, col, rows[col]);
        if (gather->index->label_type == PREDT_LABEL_32)
            ((uint32_t *)labels)[col] = (uint32_t)label;
        else ((uint64_t *)labels)[col] = label;
    }
}

/* ---- Carry rows ---- */

/* Columns without a row yet take the last (first) target row of a sub-block; returns how many still
 * have none. */
static int64_t look_above(int32_t *above, const uint32_t *words, int64_t first_row, int64_t begin,
                          int64_t end) {
    int64_t missing = 0;
    for (int64_t col = begin; col < end; col++) {
        if (above[col] != PREDT__NO_ROW_ABOVE) continue;
        if (words[col]) above[col] = (int32_t)(first_row + 31 - __builtin_clz(words[col]));
        else missing++;
    }
    return missing;
}

static int64_t look_below(int32_t *below, const uint32_t *words, int64_t first_row, int64_t begin,
                          int64_t end) {
    int64_t missing = 0;
    for (int64_t col = begin; col < end; col++) {
        if (below[col] != PREDT__NO_ROW_BELOW) continue;
        if (words[col]) below[col] = (int32_t)(first_row + __builtin_ctz(words[col]));
        else missing++;
    }
    return missing;
}

/* The nearest sub-blocks first, up to the border of the group; columns that are still open take the
 * group's own carry row. */
static void carry_above(const predt__gather *gather, int64_t begin, int64_t end) {
    const predt_index *index = gather->index;
    int64_t group = gather->first_block / PREDT__GROUP, missing = end - begin;
    const int32_t *carry = index->above + group * index->width;
    for (int64_t col = begin; col < end; col++) gather->above[col] = PREDT__NO_ROW_ABOVE;
    for (int64_t block = gather->first_block - 1; block >= group * PREDT__GROUP && missing; block--)
        missing = look_above(gather->above, predt__block_words(index, block),
                             block * PREDT_SUBBLOCK_ROWS, begin, end);
    for (int64_t col = begin; missing && col < end; col++)
        if (gather->above[col] == PREDT__NO_ROW_ABOVE) gather->above[col] = carry[col];
}

static void carry_below(const predt__gather *gather, int64_t begin, int64_t end) {
    const predt_index *index = gather->index;
    int64_t next = gather->first_block + gather->blocks, group = (next - 1) / PREDT__GROUP,
            missing = end - begin;
    int64_t group_end =
        (group + 1) * PREDT__GROUP < index->blocks ? (group + 1) * PREDT__GROUP : index->blocks;
    const int32_t *carry = index->below + group * index->width;
    for (int64_t col = begin; col < end; col++) gather->below[col] = PREDT__NO_ROW_BELOW;
    for (int64_t block = next; block < group_end && missing; block++)
        missing = look_below(gather->below, predt__block_words(index, block),
                             block * PREDT_SUBBLOCK_ROWS, begin, end);
    for (int64_t col = begin; missing && col < end; col++)
        if (gather->below[col] == PREDT__NO_ROW_BELOW) gather->below[col] = carry[col];
}

/* ---- Both ---- */

/* of carry rows: their words stay in a core's cache while sub-block after sub-block is asked */
#define COLUMNS_A_TURN 4096

static void carry_columns(const predt__gather *gather, int64_t begin, int64_t end) {
    carry_above(gather, begin, end);
    carry_below(gather, begin, end);
    if (!gather->above_labels) return;
    copy_carried_labels(gather, gather->above, PREDT__NO_ROW_ABOVE, gather->above_labels, begin,
                        end);
    copy_carried_labels(gather, gather->below, PREDT__NO_ROW_BELOW, gather->below_labels, begin,
                        end);
}

static predt_status gather_some(predt__queue *queue, void *shared) {
    const predt__gather *gather = shared;
    for (int64_t item; (item = predt__take(queue)) >= 0;) {
        int64_t begin = (item - gather->blocks) * COLUMNS_A_TURN, end = begin + COLUMNS_A_TURN;
        if (item < gather->blocks) copy_block(gather, item);
        else carry_columns(gather, begin, end < gather->index->width ? end : gather->index->width);
    }
    return PREDT_OK;
}

/* Starting threads costs as much as copying this many pixels. */
#define PIXELS_FOR_THREADS (1 << 22)

void predt__gather_strip(const predt__gather *gather, int threads) {
    int64_t width = gather->index->width, turns = (width + COLUMNS_A_TURN - 1) / COLUMNS_A_TURN;
    /* the carry rows come from the groups around the strip */
    predt__touch_block(gather->index, gather->first_block, true);
    predt__touch_block(gather->index, gather->first_block + gather->blocks - 1, true);
    if (gather->label_values) number_labels(gather);
    if (gather->blocks * PREDT_SUBBLOCK_ROWS * width < PIXELS_FOR_THREADS) threads = 1;
    predt__parallel(threads, gather->blocks + turns, gather_some, (void *)(uintptr_t)gather);
}
