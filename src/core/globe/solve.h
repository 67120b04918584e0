/* Windows of globe grids on CPU threads: each sub-strip of 32 columns is solved by one thread. */
#ifndef PREDT__GLOBE_SOLVE_H
#define PREDT__GLOBE_SOLVE_H

#include "../platform.h"
#include "work.h"

/* Buffers that no worker uses now. */
typedef struct predt__globe_pool {
    predt__mutex lock;
    predt__globe_scratch *idle;
} predt__globe_pool;

void predt__globe_pool_open(predt__globe_pool *pool);
void predt__globe_pool_close(predt__globe_pool *pool);

/* As the engine table has it; index, window and outputs are checked. */
predt_status predt__globe_solve(predt_ctx *ctx, predt__globe_pool *pool, const predt_index *index,
                                const predt_window *window, const predt__outputs *outputs);

/* Bytes of a worker's buffers at most, for a raster and a window of so many rows. */
int64_t predt__globe_scratch_bytes(int64_t height, int64_t rows);

#endif
