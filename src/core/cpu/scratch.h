/* The buffers that a worker solves sub-blocks in, kept from query to query: getting fresh pages
 * costs more than small queries. */
#ifndef PREDT__SCRATCH_H
#define PREDT__SCRATCH_H

#include "../platform.h"
#include "block.h"

/* Those that no worker uses now. */
typedef struct predt__scratch_pool {
    predt__mutex lock;
    predt__scratch *idle;
} predt__scratch_pool;

void predt__scratch_pool_open(predt__scratch_pool *pool);
void predt__scratch_pool_close(predt__scratch_pool *pool);

/* Buffers for one worker that starts in a group: idle ones, best those that know it, else new ones;
 * NULL: out of memory. The label caches are emptied: they may be another index's. */
predt__scratch *predt__scratch_take(predt__scratch_pool *pool, const predt_index *index,
                                    bool labels, int64_t group);

/* Keeps the buffers if they are the width of the last query's, and drops those of other widths. */
void predt__scratch_give(predt__scratch_pool *pool, predt__scratch *scratch);

/* Bytes of a worker's buffers: what any raster of this width touches, and what one of so many
 * sub-blocks of so many rows touches at most. */
int64_t predt__scratch_min_bytes(int64_t width, bool labels);
int64_t predt__scratch_max_bytes(int64_t width, int rows, int64_t blocks, bool labels);

#endif
