/* What a published method is given on a CUDA device: one strip of a raster and the pixels wanted of
 * it. All pointers are device pointers. */
#ifndef PREDT__METHODS_STRIP_H
#define PREDT__METHODS_STRIP_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define PREDT__DEVICE __host__ __device__ static inline
#endif
#include "../../src/core/nearer.h"

#define PREDT__REF_SETTINGS 2 /* the most that a method has */

typedef struct predt__ref_strip {
    predt__metric metric;
    int32_t width; /* of the raster */
    int64_t raster_height;
    int64_t first_row; /* raster row of the strip's first row: any row */
    int32_t rows;
    int32_t col, cols, step; /* columns wanted: col, col + step, ... */
    /* rows wanted: the strip's first, and every step-th from there to its last */
    int32_t wanted_rows;
    /* what the user chose, in the order of the method's settings */
    int64_t setting[PREDT__REF_SETTINGS];

    /* what the method reads of the index (predt__ref_input); the rest is NULL */
    const uint32_t *words; /* words of 32 rows, width of each; */
    int64_t words_row;     /* the first ones begin with this row of the raster */
    /* width: raster row of the column's last target above the strip (-1: none) and of the first one
     * below it (INT32_MAX: none) */
    const int32_t *above, *below;
    const int2 *targets; /* column and row of every target, in no order */
    int64_t target_count;

    /* outputs, wanted_rows x cols each; NULL: not wanted */
    float *distance;
    double *distance2;
    int32_t *nearest_col, *nearest_row;
    float *direction;
} predt__ref_strip;

#endif
