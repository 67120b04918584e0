/* Each sub-block that a window touches is solved by one thread. */
#include "cpu.h"

#include <math.h>
#include <stdlib.h>

#include "../bits.h"
#include "../context.h"
#include "../encode.h"
#include "../globe/solve.h"
#include "../parallel.h"
#include "scratch.h"

/* Buffers for windows of planes and of globes. */
struct pools {
    predt__scratch_pool plane;
    predt__globe_pool globe;
};

static predt_status start(predt_ctx *ctx, void **state) {
    struct pools *pools = malloc(sizeof *pools);
    if (!pools) return predt__out_of_memory(ctx);
    predt__scratch_pool_open(&pools->plane);
    predt__globe_pool_open(&pools->globe);
    *state = pools;
    return PREDT_OK;
}

static void stop(void *state) {
    struct pools *pools = state;
    if (!pools) return;
    predt__scratch_pool_close(&pools->plane);
    predt__globe_pool_close(&pools->globe);
    free(pools);
}

/* ---- One sub-block ---- */

/* Outputs of this many pixels leave little of a cache to others, and will not be in it when they
 * are read. */
#define STREAM_PIXELS (1 << 20)

/* A query. */
struct asked {
    predt__scratch_pool *pool;
    const predt_index *index;
    const predt_window *window;
    const predt__outputs *outputs;
    int64_t first_block;
    predt__seen seen;
    predt__mutex lock; /* guards what was seen */
};

/* Rows of the sub-block that the window asks for, as bits. */
static uint32_t wanted_rows(const predt_window *window, int64_t first_row, int rows) {
    uint32_t wanted = 0;
    int64_t skip = first_row < window->row
                       ? window->row - first_row
                       : (window->step - (first_row - window->row) % window->step) % window->step;
    int64_t end = window->row + (window->rows - 1) * window->step - first_row;
    for (int64_t row = skip; row < rows && row <= end; row += window->step)
        wanted |= UINT32_C(1) << row;
    return wanted;
}

static void set_columns(predt__block *block, const predt_window *window) {
    block->col_begin = (int32_t)window->col;
    block->col_end = (int32_t)(window->col + (window->cols - 1) * window->step + 1);
    block->step = (int32_t)window->step;
    block->stream = window->cols * window->rows >= STREAM_PIXELS;
}

/* The rows from the first to the last wanted one. */
static void set_rows(predt__block *block, const struct asked *asked, uint32_t wanted) {
    const predt__outputs *outputs = asked->outputs;
    const predt_window *window = asked->window;
    int first = __builtin_ctz(wanted), last = 31 - __builtin_clz(wanted);
    block->skew = first;
    block->first_row = block->number * PREDT_SUBBLOCK_ROWS + first;
    block->rows = last - first + 1;
    block->wanted = wanted >> first;
    int64_t out_row = (block->first_row - window->row) / window->step;
    block->outputs =
        predt__outputs_from(outputs, out_row * outputs->stride, asked->index->label_type);
}

typedef predt__block_solver *solver;
static const solver solvers[PREDT__ISAS] = {
#ifdef PREDT__X86
    [PREDT__AVX512] = predt__solve_block_avx2,
    [PREDT__AVX2] = predt__solve_block_avx2,
#endif
    [PREDT__PORTABLE] = predt__solve_block_portable,
};

/* Whether every pixel has a target in reach that it keeps. */
static bool reaches_all(const struct asked *asked) {
    return isinf(asked->index->metric.limit) && predt_index_targets(asked->index) > 0 &&
           !predt__takes_out(asked->outputs);
}

static void solve_wanted(const struct asked *asked, predt__scratch *scratch, int64_t number,
                         uint32_t wanted) {
    const predt_index *index = asked->index;
    predt__block block = {.index = index,
                          .number = number,
                          .width = (int32_t)index->width,
                          .words = scratch->words,
                          .all_words = predt__block_words(index, number),
                          .all_reached = reaches_all(asked),
                          .above = scratch->above,
                          .below = scratch->below};
    set_columns(&block, asked->window);
    set_rows(&block, asked, wanted);
    solvers[predt__isa()](&block, scratch);
}

static void solve_one(const struct asked *asked, predt__scratch *scratch, int64_t number) {
    const predt_index *index = asked->index;
    uint32_t wanted =
        wanted_rows(asked->window, number * PREDT_SUBBLOCK_ROWS, predt__block_rows(index, number));
    if (!wanted) return;
    bool known = scratch->group_index == index->serial && scratch->group == number / PREDT__GROUP;
    predt__touch_block(index, number, !known);
    solve_wanted(asked, scratch, number, wanted);
}

/* ---- All of them ---- */

static predt_status solve_some(predt__queue *queue, void *shared) {
    struct asked *asked = shared;
    predt__scratch *scratch =
        predt__scratch_take(asked->pool, asked->index, asked->outputs->label != NULL,
                            asked->first_block / PREDT__GROUP);
    if (!scratch) return PREDT_ERROR_MEMORY;
    scratch->seen = (predt__seen)PREDT__SEEN_INIT;
    for (int64_t item; (item = predt__take(queue)) >= 0;)
        solve_one(asked, scratch, asked->first_block + item);
    predt__mutex_lock(&asked->lock);
    predt__tally_add(&asked->seen, &scratch->seen);
    predt__mutex_unlock(&asked->lock);
    predt__scratch_give(asked->pool, scratch);
    return PREDT_OK;
}

static predt_status solve_plane(predt_ctx *ctx, predt__scratch_pool *pool, const predt_index *index,
                                const predt_window *window, const predt__outputs *outputs) {
    int64_t last_row = window->row + (window->rows - 1) * window->step;
    struct asked asked = {.pool = pool,
                          .index = index,
                          .window = window,
                          .outputs = outputs,
                          .first_block = window->row / PREDT_SUBBLOCK_ROWS,
                          .seen = PREDT__SEEN_INIT};
    int64_t blocks = last_row / PREDT_SUBBLOCK_ROWS - asked.first_block + 1;
    predt__mutex_init(&asked.lock);
    predt_status status = predt__parallel(ctx->threads, blocks, solve_some, &asked);
    predt__mutex_destroy(&asked.lock);
    if (status != PREDT_OK)
        return predt__fail(ctx, status, "out of memory: %lld columns", (long long)index->width);
    if (outputs->encoding.values) predt__tally_add(outputs->encoding.seen, &asked.seen);
    return PREDT_OK;
}

static predt_status solve(predt_ctx *ctx, void *state, const predt_index *index,
                          const predt_window *window, const predt__outputs *outputs) {
    struct pools *pools = state;
    return index->globe ? predt__globe_solve(ctx, &pools->globe, index, window, outputs)
                        : solve_plane(ctx, &pools->plane, index, window, outputs);
}

const predt__engine predt__cpu = {
    .name = "cpu",
    .summary =
        "threads and SIMD on the CPU: windows where targets are near, proximate lists elsewhere",
    .exact = 1,
    .encodes = PREDT__ENCODES_ALL,
    .measures_globe = true,
    .open = start,
    .solve = solve,
    .close = stop,
};
