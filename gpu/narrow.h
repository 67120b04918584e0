/* Outputs of fewer bytes, made on the device from those that the solver has filled, so that no more
 * crosses the bus than the caller's arrays hold. Plain C types; pointers are device pointers. */
#ifndef PREDT__GPU_NARROW_H
#define PREDT__GPU_NARROW_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "../src/core/encode.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The pixels asked for of a solved strip: rows x cols of them, every step-th row and column from
 * (first_row, first_col) of the raster on. The narrow arrays have nothing between them. */
typedef struct predt__gpu_narrowing {
    int32_t width; /* of the strip's arrays, which start at the raster row */
    int64_t strip_row;
    int64_t first_row, first_col, step, rows, cols;
    const double *distance2; /* of the strip; NULL: no whole numbers */
    /* its values are rows x cols on the device; where it puts what is seen is not used */
    predt__encoding encoding;
    predt__seen *tallies; /* what each thread block has seen: predt__gpu_tallies of them */
    const void *label;    /* of the strip; NULL: no narrow labels */
    int32_t label_size;
    void *narrow_label; /* rows x cols */
    int32_t label_bytes;
} predt__gpu_narrowing;

/* A fixed number of thread blocks, each with a tally, is enough for any device: 1024 of 256 threads
 * fill the largest. */
#define PREDT__GPU_NARROW_THREADS 256
#define PREDT__GPU_NARROW_COLS 16 /* thread blocks side by side, at most */
#define PREDT__GPU_NARROW_ROWS 64
#define PREDT__GPU_TALLIES (PREDT__GPU_NARROW_COLS * PREDT__GPU_NARROW_ROWS)

static inline int32_t predt__gpu_narrow_cols(int64_t cols) {
    int64_t blocks = (cols + PREDT__GPU_NARROW_THREADS - 1) / PREDT__GPU_NARROW_THREADS;
    return (int32_t)(blocks < PREDT__GPU_NARROW_COLS ? blocks : PREDT__GPU_NARROW_COLS);
}

static inline int32_t predt__gpu_narrow_rows(int64_t rows) {
    return (int32_t)(rows < PREDT__GPU_NARROW_ROWS ? rows : PREDT__GPU_NARROW_ROWS);
}

static inline int32_t predt__gpu_tallies(int64_t rows, int64_t cols) {
    return predt__gpu_narrow_cols(cols) * predt__gpu_narrow_rows(rows);
}

/* Fills the narrow arrays on the stream, asynchronously. */
cudaError_t predt__gpu_narrow(const predt__gpu_narrowing *narrowing, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
