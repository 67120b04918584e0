/* One strip of a raster on a CUDA device: what the kernels read and write. The host side (strips.c)
 * fills it, the solver (solve.cu) answers it; neither knows more of the other. Plain C types; all
 * pointers in the struct are device pointers. */
#ifndef PREDT__GPU_STRIP_H
#define PREDT__GPU_STRIP_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#include "../src/core/nearer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct predt__gpu_strip {
    predt__metric metric;
    int32_t width;
    int64_t raster_height;
    int64_t first_row; /* raster row of the strip's first row: a multiple of 32 */
    int32_t rows;      /* a multiple of 32, unless the strip ends the raster */
    /* ceil(rows / 32) x width; bit r of word (b, col): row 32 b + r is a target */
    const uint32_t *words;
    /* width: raster row of each column's last target above the strip (-1: none) and first one below
     * it (INT32_MAX: none) */
    const int32_t *above, *below;

    /* labels, if label_size is 4 or 8 (0: none) */
    int32_t label_size;
    /* rows x width labels, if they are on the device as a raster; else NULL and: */
    const void *label_raster;
    /* of the strip's targets: sub-block by sub-block, in each as predt__labels orders them */
    const void *label_values;
    const uint64_t *label_blocks; /* ceil(rows / 32): labels before each sub-block */
    /* ceil(rows / 32) x ceil(width / 32): labels of the sub-block before each tile */
    const uint32_t *label_starts;
    const void *above_labels, *below_labels; /* width: labels of the targets in above and below */
    uint64_t no_label;

    /* outputs, rows x width each; NULL: not wanted */
    float *distance;
    double *distance2;
    void *label;
    int32_t *nearest_col, *nearest_row;
    float *direction;
} predt__gpu_strip;

/* Bytes of device memory that predt__gpu_solve needs beside the strip's own, for strips up to this
 * size. */
size_t predt__gpu_workspace(int32_t width, int32_t rows, int32_t label_size);

/* Packs rows x width mask bytes on the device into words (as above). */
cudaError_t predt__gpu_pack(const uint8_t *mask, int32_t width, int32_t rows, uint32_t *words,
                            cudaStream_t stream);

/* Answers the strip on the stream, asynchronously; the strip struct may go when the call returns,
 * the memory not before the stream gets there. Same bytes as engine cpu. */
cudaError_t predt__gpu_solve(const predt__gpu_strip *strip, void *workspace, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
