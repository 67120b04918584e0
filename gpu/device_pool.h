/* Memory and streams of one device, kept from query to query: slots, in each of which one strip
 * goes up and is solved, and a ring of pinned buffers through which answers come down piece by
 * piece. Not thread-safe: one user at a time. */
#ifndef PREDT__DEVICE_POOL_H
#define PREDT__DEVICE_POOL_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan.h"

/* pieces on their way down: one being copied out, the others keep the bus busy */
#define PREDT__GPU_RING 4

typedef struct predt__gpu_slot {
    cudaStream_t stream;
    char *device;    /* predt__gpu_layout */
    char *pinned;    /* its sections that are sent */
    int pieces_left; /* on their way down */
} predt__gpu_slot;

/* A rectangle of one output on its way to the caller's array. Counts are of pixels that were asked
 * for; `step` lies between them in a row of the raster. */
typedef struct predt__gpu_piece {
    predt__gpu_slot *slot; /* where it comes from */
    const char *from;      /* its first pixel on the device */
    size_t from_pitch;     /* bytes from row to row */
    char *to;
    size_t to_pitch;
    int32_t element; /* bytes: 4 or 8 */
    int64_t step, cols, rows;
} predt__gpu_piece;

typedef struct predt__gpu_ring_entry {
    char *pinned;
    cudaEvent_t arrived;
    bool busy;
    predt__gpu_piece piece;
} predt__gpu_ring_entry;

typedef struct predt__device_pool {
    predt__gpu_slot slots[PREDT__GPU_SLOTS];
    size_t device_bytes, pinned_bytes, piece_bytes; /* of each slot, of each slot, of each entry */
    int slots_with_memory;
    predt__gpu_ring_entry ring[PREDT__GPU_RING];
    int next;
    int threads; /* that copy a piece out */
} predt__device_pool;

/* Streams and events on the current device, for a pool of zeros; on failure close it as well. */
cudaError_t predt__pool_open(predt__device_pool *pool);
void predt__pool_close(predt__device_pool *pool);

/* Bytes of device memory held. */
int64_t predt__pool_held(const predt__device_pool *pool);

/* Memory for so many slots, so much for each, and buffers for pieces of that size. What is large
 * enough stays. */
cudaError_t predt__pool_reserve(predt__device_pool *pool, int slots, size_t device_bytes,
                                size_t pinned_bytes, size_t piece_bytes);

/* Waits for everything under way, drops it, and frees the device memory: nothing of a failed try is
 * left. */
void predt__pool_abandon(predt__device_pool *pool);

/* Sends a piece on its way behind the work on its slot's stream. It may have to finish an older one
 * first. */
cudaError_t predt__pool_push(predt__device_pool *pool, const predt__gpu_piece *piece);

/* Copies out pieces until the slot has none left; NULL: until none is left at all. */
cudaError_t predt__pool_drain(predt__device_pool *pool, const predt__gpu_slot *slot);

#endif
