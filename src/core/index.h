/* The index: what one sweep over the raster leaves behind, and all that a sub-block needs to be solved alone.
 *
 * One word holds the targets of 32 rows of one column (bit 0: the first row). Every GROUP sub-blocks, two carry rows
 * say for each column which target row comes last before the group and first after it. In bytes a pixel: words 1/8, carries
 * 8 / (32 * 16) = 0.016, ranks 4 / (32 * 64) = 0.002; 0.143 in all, labels apart. */
#ifndef PREDT__INDEX_H
#define PREDT__INDEX_H

#include <stdbool.h>

#include "metric.h"
#include "store.h"

#define PREDT__GROUP 16          /* sub-blocks from one pair of carry rows to the next */
#define PREDT__RANK_COLUMNS 64   /* columns from one stored rank to the next */
#define PREDT__NO_ROW_ABOVE (-1) /* in an upper carry row */
#define PREDT__NO_ROW_BELOW INT32_MAX

/* The labels of one sub-block: column by column, downwards in each. */
typedef struct predt__labels {
    const void *values;
    const uint32_t *ranks; /* labels left of column 64 * i */
} predt__labels;

struct predt_index {
    predt_ctx *ctx;
    predt_grid grid;
    predt__metric metric;
    predt_label_type label_type;
    int64_t width, height, blocks;
    uint32_t *words;            /* blocks x width */
    int32_t *above, *below;     /* groups x width: the carry rows */
    predt__labels *labels;      /* blocks; NULL without labels */
    _Atomic unsigned char *added; /* blocks: 1 once its rows are in */
    _Atomic int64_t blocks_added, targets;
    bool sealed;
    predt__store store;
};

static inline int predt__block_rows(const predt_index *index, int64_t block) {
    int64_t rest = index->height - block * PREDT_SUBBLOCK_ROWS;
    return rest < PREDT_SUBBLOCK_ROWS ? (int)rest : PREDT_SUBBLOCK_ROWS;
}

static inline const uint32_t *predt__block_words(const predt_index *index, int64_t block) {
    return index->words + block * index->width;
}

/* Fills the two carry rows of one sub-block: rolls those of its group on to it. Each array: width. */
void predt__block_carries(const predt_index *index, int64_t block, int32_t *above, int32_t *below);

/* Bit pattern of the label of the target at (col, row). */
uint64_t predt__label_at(const predt_index *index, int64_t col, int64_t row);

#endif
