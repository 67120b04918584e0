/* The strips of one query: gathered, sent, solved, and their answers brought to the caller's
 * arrays. */
#ifndef PREDT__GPU_STRIPS_H
#define PREDT__GPU_STRIPS_H

#include "device_pool.h"
#include "narrow.h"

/* One query on its way through the device. */
typedef struct predt__gpu_query {
    predt_ctx *ctx;
    predt__device_pool *pool;
    const predt_index *index;
    const predt_window *window;
    const predt__outputs *outputs;
    predt__gpu_shape shape;
    predt__gpu_plan plan;
    const char *doing; /* for the message, if it fails */
    /* heights that strips were cut down to for want of memory: the user is told once no lock is
     * held */
    int32_t lower[32];
    int lowered;

    /* Where distances are rounded: what is seen in the strip of each slot (as many tallies as
     * `arriving` says are on their way down), and in those that are done. */
    predt__seen *tallies; /* PREDT__GPU_SLOTS * PREDT__GPU_TALLIES, or NULL */
    int32_t arriving[PREDT__GPU_SLOTS];
    predt__seen tally;
} predt__gpu_query;

/* What all strips of a query have in common. */
predt__gpu_shape predt__gpu_shape_of(const predt_index *index, const predt__outputs *outputs);

/* Bytes of a buffer that holds a piece of any output, or the tallies. (fetch.c) */
size_t predt__gpu_piece_bytes(const predt__gpu_query *query);

/* The caller's array of what comes down; NULL for what does not. (fetch.c) */
char *predt__gpu_caller_array(const predt__outputs *outputs, predt__gpu_section output);

/* Sends the strip's pixels of one output on their way to the caller's array, behind the work on the
 * slot's stream. (fetch.c) */
cudaError_t predt__gpu_fetch_output(predt__gpu_query *query, predt__gpu_slot *slot,
                                    const predt__gpu_cut *cut, const predt__gpu_layout *layout,
                                    predt__gpu_section output);

/* Once through all strips of the plan, in the memory that the pool has reserved. After a failure it
 * can be called again. */
cudaError_t predt__gpu_run_strips(predt__gpu_query *query);

#endif
