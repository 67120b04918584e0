/* Engine cuda-pr-edt: the method of "GPU-Based Parallel Euclidean Distance Transform Algorithm" (PR-EDT) as published, for
 * comparison with what grew from it. Exact: ties, number types and outputs as in engine cpu.
 *
 * Three layers: the kernels and their launcher (pr_edt.cu) answer one strip whose memory and stream come from outside; the
 * arithmetic of the three number types is in pr_edt_measure.h; the engine (pr_edt_engine.c) cuts a window into strips that
 * fit the device, finds labels, and reports the time of each step to the context's log. */
#ifndef PREDT__PR_EDT_H
#define PREDT__PR_EDT_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#include "../src/core/engine.h"
#include "../src/core/nearer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Kernels ---- */

/* One strip and the pixels wanted of it. All pointers are device pointers. */
typedef struct predt__pr_edt_strip {
    predt__metric metric;
    int32_t width; /* of the raster */
    int64_t raster_height;
    int64_t first_row; /* raster row of the strip's first row: any row */
    int32_t rows;
    int32_t sub_rows;                /* R: rows of a sub-block; any number from 1 on */
    const uint32_t *words;           /* the index's words of the rows first_row / 32 * 32 and on */
    const int32_t *above, *below;    /* width: raster row of the column's last target above the strip (-1: none) and of the
                                     first one below it (INT32_MAX: none) */
    int32_t col, cols, step;         /* columns wanted: col, col + step, ... */
    int32_t wanted_row, wanted_rows; /* rows wanted: wanted_row, wanted_row + step, ... of the strip */

    /* outputs, wanted_rows x cols each; NULL: not wanted */
    float *distance;
    double *distance2;
    int32_t *nearest_col, *nearest_row;
    float *direction;
} predt__pr_edt_strip;

/* Moments between the steps, for the time of each. */
enum { PREDT__PR_EDT_START, PREDT__PR_EDT_CANDIDATES, PREDT__PR_EDT_SETS, PREDT__PR_EDT_DISTANCES, PREDT__PR_EDT_MARKS };

/* Bytes of device memory that predt__pr_edt_run needs beside the strip's own, on the current device. */
size_t predt__pr_edt_workspace(int32_t width, int32_t rows, int32_t sub_rows);

/* Answers the strip on the stream, asynchronously. marks: PREDT__PR_EDT_MARKS events that are recorded on the way, or NULL. */
cudaError_t predt__pr_edt_run(const predt__pr_edt_strip *strip, void *workspace, cudaStream_t stream, const cudaEvent_t *marks);

/* ---- Engine ---- */

#define PREDT__PR_EDT_ROWS 20 /* the paper's choice of R (its figure 9) */

const char *predt__pr_edt_probe(void);
predt_status predt__pr_edt_open(predt_ctx *ctx, void **state);
predt_status predt__pr_edt_solve(predt_ctx *ctx, void *state, const predt_index *index, const predt_window *window,
                                 const predt_outputs *outputs);
void predt__pr_edt_close(void *state);

/* For tests and benchmarks; engines opened afterwards use it; not thread-safe. Rows of a sub-block (below 1: as the user
 * has set them),
 * and the most bytes of device memory that a strip may take (0: what is free). */
void predt__pr_edt_rows(int rows);
void predt__pr_edt_memory(size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
