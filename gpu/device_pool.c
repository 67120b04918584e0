/* Device memory is given back before more is taken; answers are copied out of pinned buffers in the
 * order in which they were asked for. */
#include "device_pool.h"

#include <string.h>

#include "../src/core/parallel.h"

/* ---- Life ---- */

cudaError_t predt__pool_open(predt__device_pool *pool) {
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < PREDT__GPU_SLOTS && !error; i++)
        error = cudaStreamCreateWithFlags(&pool->slots[i].stream, cudaStreamNonBlocking);
    for (int i = 0; i < PREDT__GPU_RING && !error; i++)
        error = cudaEventCreateWithFlags(&pool->ring[i].arrived,
                                         cudaEventDisableTiming | cudaEventBlockingSync);
    return error;
}

static void free_device_memory(predt__device_pool *pool) {
    for (int i = 0; i < PREDT__GPU_SLOTS; i++) {
        cudaFree(pool->slots[i].device);
        pool->slots[i].device = NULL;
    }
    pool->device_bytes = 0;
    pool->slots_with_memory = 0;
}

static void free_pinned_memory(predt__device_pool *pool) {
    for (int i = 0; i < PREDT__GPU_SLOTS; i++) {
        cudaFreeHost(pool->slots[i].pinned);
        pool->slots[i].pinned = NULL;
    }
    pool->pinned_bytes = 0;
}

static void free_ring(predt__device_pool *pool) {
    for (int i = 0; i < PREDT__GPU_RING; i++) {
        cudaFreeHost(pool->ring[i].pinned);
        pool->ring[i].pinned = NULL;
    }
    pool->piece_bytes = 0;
}

void predt__pool_abandon(predt__device_pool *pool) {
    for (int i = 0; i < PREDT__GPU_SLOTS; i++) {
        if (pool->slots[i].stream) cudaStreamSynchronize(pool->slots[i].stream);
        pool->slots[i].pieces_left = 0;
    }
    for (int i = 0; i < PREDT__GPU_RING; i++) pool->ring[i].busy = false;
    free_device_memory(pool);
    /* what a failed allocation leaves behind must not look like the next kernel's failure */
    cudaGetLastError();
}

void predt__pool_close(predt__device_pool *pool) {
    predt__pool_abandon(pool);
    free_pinned_memory(pool);
    free_ring(pool);
    for (int i = 0; i < PREDT__GPU_SLOTS; i++)
        if (pool->slots[i].stream) cudaStreamDestroy(pool->slots[i].stream);
    for (int i = 0; i < PREDT__GPU_RING; i++)
        if (pool->ring[i].arrived) cudaEventDestroy(pool->ring[i].arrived);
}

/* ---- Memory ---- */

int64_t predt__pool_held(const predt__device_pool *pool) {
    return pool->slots_with_memory * (int64_t)pool->device_bytes;
}

static cudaError_t reserve_device_memory(predt__device_pool *pool, int slots, size_t bytes) {
    cudaError_t error = cudaSuccess;
    if (bytes <= pool->device_bytes && slots <= pool->slots_with_memory) return cudaSuccess;
    free_device_memory(pool); /* before more is taken, so that a limit is never passed */
    pool->device_bytes = bytes;
    for (int i = 0; i < slots && !error; i++) {
        error = cudaMalloc((void **)&pool->slots[i].device, bytes);
        pool->slots_with_memory += !error;
    }
    return error;
}

/* All slots get some, even those that have no device memory: it is small beside that. */
static cudaError_t reserve_pinned_memory(predt__device_pool *pool, size_t bytes) {
    cudaError_t error = cudaSuccess;
    if (bytes <= pool->pinned_bytes) return cudaSuccess;
    free_pinned_memory(pool);
    for (int i = 0; i < PREDT__GPU_SLOTS && !error; i++)
        error = cudaHostAlloc((void **)&pool->slots[i].pinned, bytes, cudaHostAllocDefault);
    if (!error) pool->pinned_bytes = bytes;
    return error;
}

static cudaError_t reserve_ring(predt__device_pool *pool, size_t bytes) {
    cudaError_t error = cudaSuccess;
    if (bytes <= pool->piece_bytes) return cudaSuccess;
    free_ring(pool);
    for (int i = 0; i < PREDT__GPU_RING && !error; i++)
        error = cudaHostAlloc((void **)&pool->ring[i].pinned, bytes, cudaHostAllocDefault);
    if (!error) pool->piece_bytes = bytes;
    return error;
}

cudaError_t predt__pool_reserve(predt__device_pool *pool, int slots, size_t device_bytes,
                                size_t pinned_bytes, size_t piece_bytes) {
    cudaError_t error = reserve_device_memory(pool, slots, device_bytes);
    if (!error) error = reserve_pinned_memory(pool, pinned_bytes);
    return error ? error : reserve_ring(pool, piece_bytes);
}

/* ---- Pieces ---- */

/* Pixels of the raster from the first one asked for in a row to the last. */
static size_t span(const predt__gpu_piece *piece) {
    return (size_t)((piece->cols - 1) * piece->step + 1);
}

#define ROW_BYTES_A_TURN ((size_t)1 << 20) /* what a thread copies at a time */
/* starting threads takes as long as copying this much */
#define BYTES_FOR_THREADS ((size_t)1 << 21)
/* more threads than the memory's bandwidth needs get in each other's way */
#define MAX_COPY_THREADS 4

static void copy_row(const predt__gpu_ring_entry *entry, int64_t row) {
    const predt__gpu_piece *piece = &entry->piece;
    size_t element = (size_t)piece->element;
    const char *from = entry->pinned + (size_t)row * span(piece) * element;
    char *to = piece->to + (size_t)row * piece->to_pitch;
    if (piece->step == 1) {
        memcpy(to, from, (size_t)piece->cols * element);
        return;
    }
    for (int64_t col = 0; col < piece->cols; col++)
        memcpy(to + (size_t)col * element, from + (size_t)(col * piece->step) * element, element);
}

static int64_t rows_a_turn(const predt__gpu_piece *piece) {
    return 1 + (int64_t)(ROW_BYTES_A_TURN / (span(piece) * (size_t)piece->element));
}

static predt_status copy_rows(predt__queue *queue, void *shared) {
    const predt__gpu_ring_entry *entry = shared;
    int64_t rows = rows_a_turn(&entry->piece);
    for (int64_t turn; (turn = predt__take(queue)) >= 0;)
        for (int64_t row = turn * rows; row < (turn + 1) * rows && row < entry->piece.rows; row++)
            copy_row(entry, row);
    return PREDT_OK;
}

static cudaError_t finish(predt__device_pool *pool, predt__gpu_ring_entry *entry) {
    cudaError_t error = cudaEventSynchronize(entry->arrived);
    if (error) return error;
    const predt__gpu_piece *piece = &entry->piece;
    int64_t rows = rows_a_turn(piece), turns = (piece->rows + rows - 1) / rows;
    bool alone = (size_t)piece->rows * span(piece) * (size_t)piece->element < BYTES_FOR_THREADS;
    predt__parallel(alone                              ? 1
                    : pool->threads < MAX_COPY_THREADS ? pool->threads
                                                       : MAX_COPY_THREADS,
                    turns, copy_rows, entry);
    entry->busy = false;
    piece->slot->pieces_left--;
    return cudaSuccess;
}

cudaError_t predt__pool_push(predt__device_pool *pool, const predt__gpu_piece *piece) {
    predt__gpu_ring_entry *entry = &pool->ring[pool->next];
    cudaError_t error = entry->busy ? finish(pool, entry) : cudaSuccess;
    if (error) return error;
    size_t bytes = span(piece) * (size_t)piece->element;
    cudaStream_t stream = piece->slot->stream;
    /* no pitch has to be taken by cudaMemcpy2D, which bounds it */
    if (piece->rows == 1 || piece->from_pitch == bytes)
        error = cudaMemcpyAsync(entry->pinned, piece->from, bytes * (size_t)piece->rows,
                                cudaMemcpyDeviceToHost, stream);
    else
        error = cudaMemcpy2DAsync(entry->pinned, bytes, piece->from, piece->from_pitch, bytes,
                                  (size_t)piece->rows, cudaMemcpyDeviceToHost, stream);
    if (!error) error = cudaEventRecord(entry->arrived, stream);
    if (error) return error;
    entry->piece = *piece;
    entry->busy = true;
    piece->slot->pieces_left++;
    pool->next = (pool->next + 1) % PREDT__GPU_RING;
    return cudaSuccess;
}

/* Oldest first: the entry that would be used next. */
cudaError_t predt__pool_drain(predt__device_pool *pool, const predt__gpu_slot *slot) {
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < PREDT__GPU_RING && !error; i++) {
        predt__gpu_ring_entry *entry = &pool->ring[(pool->next + i) % PREDT__GPU_RING];
        if (slot && !slot->pieces_left) break;
        if (entry->busy) error = finish(pool, entry);
    }
    return error;
}
