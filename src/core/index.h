/* The index: what one sweep over the raster leaves behind, and all that a sub-block needs to be
 * solved alone.
 *
 * One word holds the targets of 32 rows of one column (bit 0: the first row). Every GROUP
 * sub-blocks, two carry rows say for each column which target row comes last before the group and
 * first after it. In bytes a pixel: words 1/8, carries 8 / (32 * 16) = 0.016, label starts 4 / (32
 * * 32) = 0.004; 0.145 in all, the labels themselves apart. On a globe columns take the part of
 * rows, see globe/carries.h. */
#ifndef PREDT__INDEX_H
#define PREDT__INDEX_H

#include <stdatomic.h>
#include <stdbool.h>

#include "bits.h"
#include "globe/carries.h"
#include "metric.h"
#include "numbers.h"
#include "store.h"

#define PREDT__GROUP 16 /* sub-blocks from one pair of carry rows to the next */
#define PREDT__LABEL_PADDING 8
#define PREDT__NO_ROW_ABOVE (-1) /* in an upper carry row */
#define PREDT__NO_ROW_BELOW INT32_MAX

/* The labels of one sub-block: tile by tile, in each row by row, as the source has them. */
typedef struct predt__labels {
    /* PREDT__LABEL_PADDING more than there are targets: vectors may reach beyond the last */
    const void *values;
    const uint32_t *starts; /* labels before each tile */
} predt__labels;

typedef struct predt__block_state {
    atomic_bool added; /* its rows are in */
} predt__block_state;

struct predt_index {
    predt_ctx *ctx;
    uint64_t serial; /* see predt__new_serial */
    predt_grid grid;
    predt__metric metric;
    predt_label_type label_type;
    int64_t width, height, blocks;
    uint32_t *words;        /* blocks x width */
    int32_t *above, *below; /* groups x width: the carry rows; of a globe grid there are none */
    predt__globe *globe;    /* NULL: the plane, and no carries */
    predt__carries carries;
    predt__labels *labels;      /* blocks; NULL without labels */
    predt__block_state *states; /* blocks */
    _Atomic int64_t blocks_added, targets;
    bool sealed;
    predt__store *store; /* where words, carry rows and labels lie */
};

static inline bool predt__is_label_type(predt_label_type type) {
    return type == PREDT_LABEL_NONE || type == PREDT_LABEL_32 || type == PREDT_LABEL_64;
}

static inline int predt__block_rows(const predt_index *index, int64_t block) {
    int64_t rest = index->height - block * PREDT_SUBBLOCK_ROWS;
    return rest < PREDT_SUBBLOCK_ROWS ? (int)rest : PREDT_SUBBLOCK_ROWS;
}

static inline const uint32_t *predt__block_words(const predt_index *index, int64_t block) {
    return index->words + block * index->width;
}

/* What is read of an index in a file, for its limit: of one sub-block with its labels, or of the
 * whole group that one is solved in, whose carry rows come from the other sub-blocks. */
void predt__touch_block(const predt_index *index, int64_t block, bool whole_group);

/* Bit pattern of the label of the target at (col, row): found by its rank among the tile's
 * targets. */
static inline uint64_t predt__label_at(const predt_index *index, int64_t col, int64_t row) {
    int64_t block = row / PREDT_SUBBLOCK_ROWS, tile = col / PREDT__TILE, begin = tile * PREDT__TILE;
    int64_t end = begin + PREDT__TILE < index->width ? begin + PREDT__TILE : index->width;
    const uint32_t *words = predt__block_words(index, block);
    const predt__labels *labels = &index->labels[block];
    uint32_t above = (UINT32_C(1) << (row % PREDT_SUBBLOCK_ROWS)) - 1, upto = above << 1 | 1;
    uint64_t rank = labels->starts[tile];
    for (int64_t i = begin; i < end; i++)
        rank += (uint64_t)__builtin_popcount(words[i] & (i < col ? upto : above));
    return index->label_type == PREDT_LABEL_32 ? ((const uint32_t *)labels->values)[rank]
                                               : ((const uint64_t *)labels->values)[rank];
}

#endif
