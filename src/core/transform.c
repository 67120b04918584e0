/* Index and query in one, for arrays: predt_transform. */
#include "context.h"
#include "index.h"
#include "numbers.h"
#include "parallel.h"
#include "query.h"
#include "structs.h"

/* Pixels between two calls of the progress function: long enough to keep every thread busy, short
 * enough to stop soon. */
#define PIXELS_A_STEP (1 << 24)

/* The caller's arrays, and its function for progress. */
struct whole_raster {
    predt_index *index;
    const uint8_t *is_target;
    const void *labels;
    predt_progress progress;
    void *user;
};

static predt_status report(const struct whole_raster *raster, double complete) {
    if (!raster->progress || raster->progress(complete, "", raster->user)) return PREDT_OK;
    return predt__fail(raster->index->ctx, PREDT_CANCELLED, "cancelled");
}

static predt_status add_some(predt__queue *queue, void *shared) {
    const struct whole_raster *raster = shared;
    predt_index *index = raster->index;
    predt_status status = PREDT_OK;
    for (int64_t block; status == PREDT_OK && (block = predt__take(queue)) >= 0;) {
        int64_t row = block * PREDT_SUBBLOCK_ROWS, pixel = row * index->width;
        const char *labels = raster->labels;
        if (labels) labels += pixel * (int64_t)index->label_type;
        status = predt_index_add(index, row, predt__block_rows(index, block),
                                 raster->is_target + pixel, labels);
    }
    return status;
}

/* Asks for the rows from `row` on. */
static predt_status query_rows(const struct whole_raster *raster, int64_t row, int64_t rows,
                               const predt__outputs *outputs) {
    const predt_index *index = raster->index;
    predt_window window = PREDT_WINDOW_INIT(0, row, index->width, rows, 1);
    predt__outputs moved = predt__outputs_from(outputs, row * outputs->stride, index->label_type);
    predt_status status = report(raster, 0.2 + 0.8 * (double)row / (double)index->height);
    return status == PREDT_OK ? predt__query(index->ctx, index, &window, &moved) : status;
}

static predt_status query_all(const struct whole_raster *raster, const predt__outputs *outputs) {
    const predt_index *index = raster->index;
    int64_t blocks = predt__max(PIXELS_A_STEP / index->width / PREDT_SUBBLOCK_ROWS, 1),
            rows = blocks * PREDT_SUBBLOCK_ROWS;
    predt_status status = PREDT_OK;
    for (int64_t row = 0; row < index->height && status == PREDT_OK; row += rows)
        status = query_rows(raster, row, predt__min(rows, index->height - row), outputs);
    return status == PREDT_OK ? report(raster, 1.0) : status;
}

static predt_status index_all(predt_ctx *ctx, struct whole_raster *raster, const predt_grid *grid,
                              predt_label_type label_type) {
    predt_status status = predt_index_create(ctx, grid, label_type, &raster->index);
    if (status == PREDT_OK) status = report(raster, 0.0);
    if (status == PREDT_OK)
        status = predt__parallel(ctx->threads, raster->index->blocks, add_some, raster);
    return status == PREDT_OK ? predt_index_seal(raster->index) : status;
}

predt_status predt_transform(predt_ctx *ctx, const predt_grid *grid, const uint8_t *is_target,
                             const void *labels, predt_label_type label_type,
                             const predt_outputs *outputs, predt_progress progress, void *user) {
    struct whole_raster raster = {NULL, is_target, labels, progress, user};
    predt__question question;
    predt_status status = predt__understand(ctx, outputs, &question);
    if (status == PREDT_OK) status = index_all(ctx, &raster, grid, label_type);
    if (status == PREDT_OK && !question.outputs.stride)
        question.outputs.stride = raster.index->width;
    if (status == PREDT_OK) status = query_all(&raster, &question.outputs);
    if (status == PREDT_OK) predt__hand_tally(&question);
    predt_index_destroy(&raster.index);
    return predt__end_call(ctx, status);
}
