#include <stdlib.h>

#include "context.h"
#include "index.h"
#include "narrow.h"
#include "parallel.h"
#include "structs.h"

static const char *window_fault(const predt_index *index, const predt_window *window,
                                const predt__outputs *outputs) {
    if (!index->sealed) return "the index is not sealed";
    if (window->step < 1 || window->cols < 1 || window->rows < 1 || window->col < 0 ||
        window->row < 0)
        return "the window is empty or starts outside the raster";
    if (window->step > INT32_MAX ||
        (window->cols - 1) > (index->width - 1 - window->col) / window->step ||
        (window->rows - 1) > (index->height - 1 - window->row) / window->step)
        return "the window reaches outside the raster";
    if (outputs->stride < window->cols) return "the outputs' rows are shorter than the window's";
    if (outputs->label && !index->label_type) return "labels asked of an index that has none";
    return predt__narrow_fault(outputs, index->label_type);
}

/* ---- Which engine answers: the one that was named, or what "auto" makes of it ---- */

/* Opens the faster engine, unless another one has been before. Returns whether it was; why: NULL,
 * or why it cannot be used. */
static bool open_faster(predt_ctx *ctx, const predt__engine *engine, const char **why) {
    predt__faster *faster = &ctx->faster;
    pthread_mutex_lock(&faster->lock);
    bool first = !faster->engine;
    if (first) {
        *why = predt__engine_glance(engine);
        faster->engine = engine;
        if (!*why && engine->open && engine->open(ctx, &faster->state) != PREDT_OK)
            *why = predt__last_text();
        faster->useless = *why != NULL;
    }
    pthread_mutex_unlock(&faster->lock);
    return first;
}

/* Opens the faster engine, once; false if it cannot be used. The log gets the reason either way. */
static bool ready(predt_ctx *ctx, const predt__engine *engine) {
    const char *why = NULL;
    if (open_faster(ctx, engine, &why)) {
        if (why)
            predt__tell(ctx, "engine %s: %s, so %s it is", engine->name, why, ctx->engine->name);
        else predt__tell(ctx, "engine %s: the raster is large enough for it", engine->name);
    }
    return ctx->faster.engine == engine && !ctx->faster.useless;
}

void predt__look_ahead(predt_ctx *ctx, const predt_index *index) {
    predt_window whole = PREDT_WINDOW_INIT(0, 0, index->width, index->height, 1);
    const predt__engine *engine =
        ctx->automatic ? predt__engine_for(index, &whole, ctx->threads) : NULL;
    if (engine) ready(ctx, engine);
}

static predt_status solve_on(predt_ctx *ctx, const predt__engine *engine, void *state,
                             const predt_index *index, const predt_window *window,
                             const predt__outputs *outputs) {
    bool as_asked = engine->narrows || !predt__is_narrow(outputs);
    predt_status status = as_asked
                              ? engine->solve(ctx, state, index, window, outputs)
                              : predt__solve_narrow(ctx, engine, state, index, window, outputs);
    if (status == PREDT_OK) ctx->last = engine;
    return status;
}

/* Whether the faster engine is to have this window: it can be used, and is worth waiting for. */
static bool wanted_now(predt_ctx *ctx, const predt__engine *engine, const predt_window *window) {
    return ready(ctx, engine) &&
           !(engine->starting && engine->starting(ctx->faster.state, window, ctx->threads));
}

/* A window that a device has failed at is solved again as a whole: nothing of it has left this
 * call. */
static predt_status solve(predt_ctx *ctx, const predt_index *index, const predt_window *window,
                          const predt__outputs *outputs) {
    predt__faster *faster = &ctx->faster;
    bool hopeless = !ctx->automatic || faster->useless;
    const predt__engine *engine = hopeless ? NULL : predt__engine_for(index, window, ctx->threads);
    if (engine && wanted_now(ctx, engine, window)) {
        predt_status status = solve_on(ctx, engine, faster->state, index, window, outputs);
        if (status == PREDT_OK) return status;
        predt__tell(ctx, "engine %s has failed (%s), %s goes on", engine->name, predt__last_text(),
                    ctx->engine->name);
        faster->useless = true;
    }
    return solve_on(ctx, ctx->engine, ctx->engine_state, index, window, outputs);
}

static predt_status query(predt_ctx *ctx, const predt_index *index, const predt_window *window,
                          const predt__outputs *outputs) {
    const char *fault = window_fault(index, window, outputs);
    return fault ? predt__fail(ctx, PREDT_ERROR_ARGUMENT, "%s", fault)
                 : solve(ctx, index, window, outputs);
}

predt_status predt_query(predt_ctx *ctx, const predt_index *index, const predt_window *window,
                         const predt_outputs *outputs) {
    predt_window known = PREDT_WINDOW_INIT(0, 0, 0, 0, 1);
    predt__question question;
    predt_status status = PREDT__KNOWN(ctx, predt_window, window, &known);
    if (status == PREDT_OK) status = predt__understand(ctx, outputs, &question);
    if (status != PREDT_OK) return predt__end_call(ctx, status);
    if (!question.outputs.stride) question.outputs.stride = known.cols;
    status = query(ctx, index, &known, &question.outputs);
    if (status == PREDT_OK) predt__tell_tally(&question);
    return predt__end_call(ctx, status);
}

/* ---- All at once ---- */

/* Pixels between two calls of the progress function: long enough to keep every thread busy, short
 * enough to stop soon. */
#define PIXELS_A_STEP (1 << 24)

typedef struct job {
    predt_index *index;
    const uint8_t *is_target;
    const void *labels;
    predt_progress progress;
    void *user;
} job;

static predt_status report(const job *job, double complete) {
    if (!job->progress || job->progress(complete, "", job->user)) return PREDT_OK;
    return predt__fail(job->index->ctx, PREDT_CANCELLED, "cancelled");
}

static predt_status add_some(predt__queue *queue, void *shared) {
    const job *job = shared;
    predt_index *index = job->index;
    predt_status status = PREDT_OK;
    for (int64_t block; status == PREDT_OK && (block = predt__take(queue)) >= 0;) {
        int64_t row = block * PREDT_SUBBLOCK_ROWS, pixel = row * index->width;
        const void *labels =
            job->labels ? (const char *)job->labels + pixel * (int64_t)index->label_type : NULL;
        status = predt_index_add(index, row, predt__block_rows(index, block),
                                 job->is_target + pixel, labels);
    }
    return status;
}

static predt_status query_all(const job *job, const predt__outputs *outputs) {
    const predt_index *index = job->index;
    int64_t rows = PIXELS_A_STEP / index->width / PREDT_SUBBLOCK_ROWS * PREDT_SUBBLOCK_ROWS;
    if (rows < PREDT_SUBBLOCK_ROWS) rows = PREDT_SUBBLOCK_ROWS;
    for (int64_t row = 0; row < index->height; row += rows) {
        predt_status status = report(job, 0.2 + 0.8 * (double)row / (double)index->height);
        int64_t end = row + rows < index->height ? row + rows : index->height;
        predt_window window = PREDT_WINDOW_INIT(0, row, index->width, end - row, 1);
        predt__outputs moved =
            predt__outputs_from(outputs, row * outputs->stride, index->label_type);
        if (status == PREDT_OK) status = query(index->ctx, index, &window, &moved);
        if (status != PREDT_OK) return status;
    }
    return report(job, 1.0);
}

static predt_status transform(predt_ctx *ctx, job *job, const predt_grid *grid,
                              predt_label_type label_type, predt__question *question) {
    predt_status status = predt_index_create(ctx, grid, label_type, &job->index);
    if (status == PREDT_OK) status = report(job, 0.0);
    if (status == PREDT_OK)
        status = predt__parallel(ctx->threads, job->index->blocks, add_some, job);
    if (status == PREDT_OK) status = predt_index_seal(job->index);
    if (status == PREDT_OK && !question->outputs.stride)
        question->outputs.stride = job->index->width;
    if (status == PREDT_OK) status = query_all(job, &question->outputs);
    if (status == PREDT_OK) predt__tell_tally(question);
    predt_index_destroy(&job->index);
    return status;
}

predt_status predt_transform(predt_ctx *ctx, const predt_grid *grid, const uint8_t *is_target,
                             const void *labels, predt_label_type label_type,
                             const predt_outputs *outputs, predt_progress progress, void *user) {
    job job = {NULL, is_target, labels, progress, user};
    predt__question question;
    predt_status status = predt__understand(ctx, outputs, &question);
    return predt__end_call(
        ctx, status == PREDT_OK ? transform(ctx, &job, grid, label_type, &question) : status);
}
