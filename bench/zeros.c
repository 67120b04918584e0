/* Engine zeros: fills what a query asks for with zeros, on all threads, and solves nothing. What a
 * command takes with another engine beyond its time with this one is what solving adds. */
#include "zeros.h"

#include <string.h>

#include "../src/core/context.h"
#include "../src/core/index.h"
#include "../src/core/parallel.h"

typedef struct zeros {
    const predt_index *index;
    const predt_window *window;
    const predt__outputs *outputs;
} zeros;

static void clear(void *array, int64_t pixels, int64_t bytes) {
    if (array) memset(array, 0, (size_t)(pixels * bytes));
}

static void clear_row(const zeros *z, int64_t row) {
    predt_label_type type = z->index->label_type;
    predt__outputs at = predt__outputs_from(z->outputs, row * z->outputs->stride, type);
    int64_t cols = z->window->cols;
    clear(at.distance, cols, sizeof *at.distance);
    clear(at.distance2, cols, sizeof *at.distance2);
    clear(at.label, cols, at.label_bytes ? at.label_bytes : (int)type);
    clear(at.nearest_col, cols, sizeof *at.nearest_col);
    clear(at.nearest_row, cols, sizeof *at.nearest_row);
    clear(at.direction, cols, sizeof *at.direction);
    clear(at.encoding.values, cols, at.encoding.bytes);
}

static predt_status clear_some(predt__queue *queue, void *shared) {
    for (int64_t row; (row = predt__take(queue)) >= 0;) clear_row(shared, row);
    return PREDT_OK;
}

static predt_status solve(predt_ctx *ctx, void *state, const predt_index *index,
                          const predt_window *window, const predt__outputs *outputs) {
    zeros z = {index, window, outputs};
    (void)state;
    return predt__parallel(ctx->threads, window->rows, clear_some, &z);
}

const predt__engine predt__zeros = {
    .name = "zeros",
    .summary = "writes zeros: what a run costs without solving, for benchmarks",
    .encodes = PREDT__ENCODES_WHOLE,
    .solve = solve,
};
