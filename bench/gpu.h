/* What the parts of predt_gpu_bench share. A program may end where a library may not: whatever
 * fails here says so and ends it. */
#ifndef PREDT_BENCH_GPU_H
#define PREDT_BENCH_GPU_H

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

#include "gpu/strip.h"
#include "predt.h"

typedef struct gpu_bench {
    int64_t width, height, memory;
    int repeats;
    bool check, rivals;
    double bandwidth; /* bytes read and written a second by a copy on the device */
    size_t allocated;
    cudaStream_t stream;
    cudaEvent_t start, stop;
    predt_ctx *ctx; /* engine cpu */
} gpu_bench;

/* One raster, and its part on the device. */
typedef struct gpu_raster {
    const char *pattern;
    uint8_t *whole; /* NULL: drawn strip by strip */
    double share;
    predt_index *index;
    int64_t strip_rows;
    uint8_t *mask; /* of a strip, on the host */
    uint32_t *labels;
    /* on the device; what the strip reads, it reads through pointers to const */
    uint8_t *device_mask;
    uint32_t *words;
    int32_t *above, *below;
    uint32_t *above_labels, *below_labels, *label_raster;
    predt__gpu_strip strip;
    void *workspace;
} gpu_raster;

#define MAX_REPEATS 1000

/* ---- Failing ---- */

static inline void stop(const char *what, const char *why) {
    fprintf(stderr, "predt_gpu_bench: %s: %s\n", what, why);
    exit(1);
}

static inline void need(const char *what, cudaError_t error) {
    if (error != cudaSuccess) stop(what, cudaGetErrorString(error));
}

static inline void need_predt(const gpu_bench *bench, predt_status status) {
    if (status != PREDT_OK) stop("predt", predt_message(bench->ctx));
}

/* ---- Memory ---- */

static inline void *host(size_t bytes) {
    void *memory = malloc(bytes);
    if (!memory) stop("host memory", "none left");
    return memory;
}

/* Counted: the bench prints what was allocated at most. */
static inline void *device(gpu_bench *bench, size_t bytes) {
    void *memory;
    need("device memory", cudaMalloc(&memory, bytes));
    bench->allocated += bytes;
    return memory;
}

/* ---- Rasters (gpu_raster.c) ---- */

/* Draws the pattern and allocates its strip on the device. */
void make_raster(gpu_bench *bench, gpu_raster *raster, const char *pattern);
void free_raster(gpu_bench *bench, gpu_raster *raster);

/* Sends the strip from a row on: mask and labels as rasters, and the carries. */
void send_strip(const gpu_bench *bench, gpu_raster *raster, int64_t row);

/* ---- Timing (gpu.c) ---- */

typedef void (*work_function)(const gpu_bench *bench, void *what);

/* Adds the milliseconds of each repeat. */
void time_work(const gpu_bench *bench, work_function work, void *what, int repeats, double *ms);

/* One row of the table; sorts the milliseconds. */
void print_line(const gpu_bench *bench, const char *pattern, const char *engine, double *ms,
                int repeats, size_t bytes);

/* ---- NVIDIA's own (gpu_npp.c), where it was found ---- */

void bench_npp(gpu_bench *bench, const gpu_raster *raster);

#endif
