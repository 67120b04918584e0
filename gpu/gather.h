/* From the index to the arrays of one strip, on the host: what will be sent to the device. */
#ifndef PREDT__GPU_GATHER_H
#define PREDT__GPU_GATHER_H

#include "../src/core/index.h"

/* A strip of whole sub-blocks and where its arrays go, as predt__gpu_strip describes them. Those
 * for labels may be NULL. */
typedef struct predt__gather {
    const predt_index *index;
    int64_t first_block, blocks;
    uint32_t *words;
    int32_t *above, *below;
    uint64_t *label_blocks;
    uint32_t *label_starts;
    void *label_values;
    void *above_labels, *below_labels;
} predt__gather;

/* Labels of these sub-blocks. */
int64_t predt__gather_count(const predt_index *index, int64_t first_block, int64_t blocks);

/* Fills the arrays on up to so many threads. */
void predt__gather_strip(const predt__gather *gather, int threads);

#endif
