/* Checks a window, and has it answered by the engine that is chosen for it. */
#include "query.h"

#include "context.h"
#include "index.h"
#include "structs.h"
#include "wide.h"

static const char *window_fault(const predt_index *index, const predt_window *window) {
    if (window->step < 1 || window->cols < 1 || window->rows < 1 || window->col < 0 ||
        window->row < 0)
        return "the window is empty or starts outside the raster";
    if (window->step > INT32_MAX ||
        (window->cols - 1) > (index->width - 1 - window->col) / window->step ||
        (window->rows - 1) > (index->height - 1 - window->row) / window->step)
        return "the window reaches outside the raster";
    return NULL;
}

static const char *labels_fault(const predt_index *index, const predt__outputs *outputs) {
    int bytes = outputs->label_bytes;
    if (!outputs->label) return NULL;
    if (!index->label_type) return "labels asked of an index that has none";
    if (bytes && ((bytes != 1 && bytes != 2 && bytes != 4) || bytes > (int)index->label_type))
        return "labels of a size that there is not";
    return NULL;
}

static const char *query_fault(const predt_index *index, const predt_window *window,
                               const predt__outputs *outputs) {
    if (!index->sealed) return "the index is not sealed";
    const char *fault = window_fault(index, window);
    if (fault) return fault;
    if (outputs->stride < window->cols) return "the outputs' rows are shorter than the window's";
    return labels_fault(index, outputs);
}

static predt_status solve_on(predt_ctx *ctx, const predt__opened *chosen, const predt_index *index,
                             const predt_window *window, const predt__outputs *outputs) {
    const predt__engine *engine = chosen->engine;
    if (index->globe && !engine->measures_globe)
        return predt__fail(ctx, PREDT_ERROR_ARGUMENT,
                           "engine %s measures on the plane only: take engine cpu for geodesics",
                           engine->name);
    predt_status status =
        predt__engine_encodes(engine, outputs)
            ? engine->solve(ctx, chosen->state, index, window, outputs)
            : predt__solve_wide(ctx, engine, chosen->state, index, window, outputs);
    if (status == PREDT_OK) ctx->last = engine;
    return status;
}

predt_status predt__query(predt_ctx *ctx, const predt_index *index, const predt_window *window,
                          const predt__outputs *outputs) {
    const char *fault = query_fault(index, window, outputs);
    if (fault) return predt__fail(ctx, PREDT_ERROR_ARGUMENT, "%s", fault);
    for (;;) {
        predt__opened chosen = predt__engine_for(ctx, index, window);
        predt_status status = solve_on(ctx, &chosen, index, window, outputs);
        if (status == PREDT_OK || !predt__engine_replaced(ctx, chosen.engine)) return status;
    }
}

static predt_status query(predt_ctx *ctx, const predt_index *index, const predt_window *given,
                          const predt_outputs *outputs) {
    predt_window window = PREDT_WINDOW_INIT(0, 0, 0, 0, 1);
    predt__question question;
    predt_status status = PREDT__KNOWN(ctx, predt_window, given, &window);
    if (status == PREDT_OK) status = predt__understand(ctx, outputs, &question);
    if (status != PREDT_OK) return status;
    if (!question.outputs.stride) question.outputs.stride = window.cols;
    status = predt__query(ctx, index, &window, &question.outputs);
    if (status == PREDT_OK) predt__hand_tally(&question);
    return status;
}

predt_status predt_query(predt_ctx *ctx, const predt_index *index, const predt_window *window,
                         const predt_outputs *outputs) {
    return predt__end_call(ctx, query(ctx, index, window, outputs));
}
