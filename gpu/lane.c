#include "lane.h"

#include <string.h>

#include "../src/core/parallel.h"

/* ---- Life ---- */

cudaError_t predt__lane_open(predt__gpu_lane *lane) {
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < PREDT__GPU_SLOTS && !error; i++)
        error = cudaStreamCreateWithFlags(&lane->slots[i].stream, cudaStreamNonBlocking);
    for (int i = 0; i < PREDT__GPU_RING && !error; i++)
        error = cudaEventCreateWithFlags(&lane->ring[i].arrived,
                                         cudaEventDisableTiming | cudaEventBlockingSync);
    return error;
}

static void free_device_memory(predt__gpu_lane *lane) {
    for (int i = 0; i < PREDT__GPU_SLOTS; i++) {
        cudaFree(lane->slots[i].device);
        lane->slots[i].device = NULL;
    }
    lane->device_bytes = 0;
    lane->slots_with_memory = 0;
}

static void free_pinned_memory(predt__gpu_lane *lane) {
    for (int i = 0; i < PREDT__GPU_SLOTS; i++) {
        cudaFreeHost(lane->slots[i].pinned);
        lane->slots[i].pinned = NULL;
    }
    lane->pinned_bytes = 0;
}

static void free_ring(predt__gpu_lane *lane) {
    for (int i = 0; i < PREDT__GPU_RING; i++) {
        cudaFreeHost(lane->ring[i].pinned);
        lane->ring[i].pinned = NULL;
    }
    lane->piece_bytes = 0;
}

void predt__lane_abandon(predt__gpu_lane *lane) {
    for (int i = 0; i < PREDT__GPU_SLOTS; i++) {
        if (lane->slots[i].stream) cudaStreamSynchronize(lane->slots[i].stream);
        lane->slots[i].pieces_left = 0;
    }
    for (int i = 0; i < PREDT__GPU_RING; i++) lane->ring[i].busy = false;
    free_device_memory(lane);
    /* what a failed allocation leaves behind must not look like the next kernel's failure */
    cudaGetLastError();
}

void predt__lane_close(predt__gpu_lane *lane) {
    predt__lane_abandon(lane);
    free_pinned_memory(lane);
    free_ring(lane);
    for (int i = 0; i < PREDT__GPU_SLOTS; i++)
        if (lane->slots[i].stream) cudaStreamDestroy(lane->slots[i].stream);
    for (int i = 0; i < PREDT__GPU_RING; i++)
        if (lane->ring[i].arrived) cudaEventDestroy(lane->ring[i].arrived);
}

/* ---- Room ---- */

int64_t predt__lane_held(const predt__gpu_lane *lane) {
    return lane->slots_with_memory * (int64_t)lane->device_bytes;
}

static cudaError_t reserve_device_memory(predt__gpu_lane *lane, int slots, size_t bytes) {
    cudaError_t error = cudaSuccess;
    if (bytes <= lane->device_bytes && slots <= lane->slots_with_memory) return cudaSuccess;
    free_device_memory(lane); /* before more is taken, so that a limit is never passed */
    lane->device_bytes = bytes;
    for (int i = 0; i < slots && !error; i++) {
        error = cudaMalloc((void **)&lane->slots[i].device, bytes);
        lane->slots_with_memory += !error;
    }
    return error;
}

/* All slots have some: pinned memory is small where the device's is large. */
static cudaError_t reserve_pinned_memory(predt__gpu_lane *lane, size_t bytes) {
    cudaError_t error = cudaSuccess;
    if (bytes <= lane->pinned_bytes) return cudaSuccess;
    free_pinned_memory(lane);
    for (int i = 0; i < PREDT__GPU_SLOTS && !error; i++)
        error = cudaHostAlloc((void **)&lane->slots[i].pinned, bytes, cudaHostAllocDefault);
    if (!error) lane->pinned_bytes = bytes;
    return error;
}

static cudaError_t reserve_ring(predt__gpu_lane *lane, size_t bytes) {
    cudaError_t error = cudaSuccess;
    if (bytes <= lane->piece_bytes) return cudaSuccess;
    free_ring(lane);
    for (int i = 0; i < PREDT__GPU_RING && !error; i++)
        error = cudaHostAlloc((void **)&lane->ring[i].pinned, bytes, cudaHostAllocDefault);
    if (!error) lane->piece_bytes = bytes;
    return error;
}

cudaError_t predt__lane_reserve(predt__gpu_lane *lane, int slots, size_t device_bytes,
                                size_t pinned_bytes, size_t piece_bytes) {
    cudaError_t error = reserve_device_memory(lane, slots, device_bytes);
    if (!error) error = reserve_pinned_memory(lane, pinned_bytes);
    return error ? error : reserve_ring(lane, piece_bytes);
}

/* ---- Pieces ---- */

/* Pixels of the raster from the first one asked for in a row to the last. */
static size_t span(const predt__gpu_piece *piece) {
    return (size_t)((piece->cols - 1) * piece->step + 1);
}

#define ROW_BYTES_A_TURN ((size_t)1 << 20) /* what a thread copies at a time */
/* starting threads takes as long as copying this much */
#define BYTES_FOR_THREADS ((size_t)1 << 21)
/* threads; more than the memory's bandwidth needs are in the way */
#define MOST_COPYING 4

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

static cudaError_t finish(predt__gpu_lane *lane, predt__gpu_ring_entry *entry) {
    cudaError_t error = cudaEventSynchronize(entry->arrived);
    if (error) return error;
    const predt__gpu_piece *piece = &entry->piece;
    int64_t rows = rows_a_turn(piece), turns = (piece->rows + rows - 1) / rows;
    bool alone = (size_t)piece->rows * span(piece) * (size_t)piece->element < BYTES_FOR_THREADS;
    predt__parallel(alone                          ? 1
                    : lane->threads < MOST_COPYING ? lane->threads
                                                   : MOST_COPYING,
                    turns, copy_rows, entry);
    entry->busy = false;
    piece->slot->pieces_left--;
    return cudaSuccess;
}

cudaError_t predt__lane_push(predt__gpu_lane *lane, const predt__gpu_piece *piece) {
    predt__gpu_ring_entry *entry = &lane->ring[lane->next];
    cudaError_t error = entry->busy ? finish(lane, entry) : cudaSuccess;
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
    lane->next = (lane->next + 1) % PREDT__GPU_RING;
    return cudaSuccess;
}

/* The entry that comes next is the oldest. */
cudaError_t predt__lane_drain(predt__gpu_lane *lane, const predt__gpu_slot *slot) {
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < PREDT__GPU_RING && !error; i++) {
        predt__gpu_ring_entry *entry = &lane->ring[(lane->next + i) % PREDT__GPU_RING];
        if (slot && !slot->pieces_left) break;
        if (entry->busy) error = finish(lane, entry);
    }
    return error;
}
