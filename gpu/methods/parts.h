/* What of the index goes to the device, where it is not there as it is; and labels for what comes
 * back. */
#ifndef PREDT__METHODS_PARTS_H
#define PREDT__METHODS_PARTS_H

#include <cuda_runtime_api.h>

#include "../../src/core/index.h"
#include "../../src/core/outputs.h"

/* width: raster row of each column's last target above a row (-1: none), of its first one below a
 * row (INT32_MAX: none). */
void predt__ref_above(const predt_index *index, int64_t row, int32_t *above);
void predt__ref_below(const predt_index *index, int64_t row, int32_t *below);

/* Column and row of every target: predt_index_targets of them. */
void predt__ref_targets(const predt_index *index, int2 *target);

/* Targets that were found: columns and rows of the raster, col -1 for none; rows of `stride`
 * elements. */
typedef struct predt__ref_found {
    const int32_t *cols, *rows;
    int64_t col_stride, row_stride;
} predt__ref_found;

/* Writes their labels, rows x cols, into the outputs' label array from element `first` on. */
predt_status predt__ref_label(predt_ctx *ctx, const predt_index *index,
                              const predt__outputs *outputs, int64_t first, int64_t rows,
                              int64_t cols, const predt__ref_found *found);

#endif
