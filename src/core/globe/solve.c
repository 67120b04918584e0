#include "solve.h"

#include <math.h>
#include <stdlib.h>

#include "../bits.h"
#include "../context.h"
#include "../encode_row.h"
#include "../numbers.h"
#include "../parallel.h"

/* ---- Buffers ---- */

#define CACHE_LINE 64

static void *slice(char *memory, size_t *used, size_t bytes) {
    void *start = memory ? memory + *used : NULL;
    *used += (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    return start;
}

/* Lays the arrays out; returns how many bytes they take. */
static size_t lay_out(predt__globe_scratch *s, char *memory) {
    size_t used = 0, rows = s->rows, blocks = rows / PREDT_SUBBLOCK_ROWS + 1,
           entries = rows + PREDT__PAST_ROWS;
    s->have_bits = slice(memory, &used, blocks);
    s->have_near = slice(memory, &used, blocks);
    s->have_column = slice(memory, &used, blocks);
    s->bits = slice(memory, &used, rows * sizeof *s->bits);
    s->before = slice(memory, &used, rows * sizeof *s->before);
    s->after = slice(memory, &used, rows * sizeof *s->after);
    s->apart = slice(memory, &used, rows * sizeof *s->apart);
    s->chord2 = slice(memory, &used, entries * sizeof *s->chord2);
    s->t = slice(memory, &used, entries * sizeof *s->t);
    s->left = slice(memory, &used, rows * sizeof *s->left);
    s->left_t = slice(memory, &used, rows * sizeof *s->left_t);
    s->left_distance = slice(memory, &used, 2 * (rows + LANES_MAX) * sizeof *s->left_distance);
    s->borders = slice(memory, &used, rows * sizeof *s->borders);
    s->pending = slice(memory, &used, 3 * (s->asked + 2) * sizeof *s->pending);
    s->near_chord2 = slice(memory, &used, rows * LANES_MAX * sizeof *s->near_chord2);
    s->far.distance = slice(memory, &used, FAR_STRIDE * LANES_MAX * sizeof(double));
    s->far.target = slice(memory, &used, s->asked * LANES_MAX * sizeof(int32_t));
    s->far.apart = slice(memory, &used, s->asked * LANES_MAX * sizeof(int32_t));
    return used;
}

int64_t predt__globe_scratch_bytes(int64_t height, int64_t rows) {
    predt__globe_scratch none = {.rows = (size_t)height, .asked = (size_t)rows};
    return (int64_t)lay_out(&none, NULL);
}

/* rows: of the raster; many of their pages are never touched. */
static predt__globe_scratch *scratch_new(size_t rows, size_t asked) {
    predt__globe_scratch *scratch = calloc(1, sizeof *scratch);
    if (!scratch) return NULL;
    scratch->rows = rows;
    scratch->asked = asked;
    scratch->bytes = lay_out(scratch, NULL);
    scratch->memory = predt__pages_sparse(scratch->bytes);
    if (scratch->memory) {
        lay_out(scratch, scratch->memory);
        return scratch;
    }
    free(scratch);
    return NULL;
}

static void scratch_free(predt__globe_scratch *scratch) {
    predt__pages_free(scratch->memory, scratch->bytes);
    free(scratch);
}

void predt__globe_pool_open(predt__globe_pool *pool) {
    pool->idle = NULL;
    predt__mutex_init(&pool->lock);
}

void predt__globe_pool_close(predt__globe_pool *pool) {
    for (predt__globe_scratch *scratch = pool->idle, *next; scratch; scratch = next) {
        next = scratch->next;
        scratch_free(scratch);
    }
    predt__mutex_destroy(&pool->lock);
}

static predt__globe_scratch *take(predt__globe_pool *pool, size_t rows, size_t asked) {
    predt__mutex_lock(&pool->lock);
    predt__globe_scratch **link = &pool->idle, *idle;
    while ((idle = *link) && (idle->rows != rows || idle->asked < asked)) link = &idle->next;
    if (idle) *link = idle->next;
    predt__mutex_unlock(&pool->lock);
    return idle ? idle : scratch_new(rows, asked);
}

/* Keeps buffers of one raster and window: those of others go. */
static void give(predt__globe_pool *pool, predt__globe_scratch *scratch) {
    predt__mutex_lock(&pool->lock);
    while (pool->idle &&
           (pool->idle->rows != scratch->rows || pool->idle->asked != scratch->asked)) {
        predt__globe_scratch *other = pool->idle;
        pool->idle = other->next;
        scratch_free(other);
    }
    scratch->next = pool->idle;
    pool->idle = scratch;
    predt__mutex_unlock(&pool->lock);
}

/* ---- Sub-strips ---- */

/* Outputs of this many pixels will not be in a cache when they are read. */
#define STREAM_PIXELS (1 << 20)

/* A query for columns that are not folded, or for folded ones as those they are folded onto. */
struct asked {
    predt__globe_pool *pool;
    const predt_index *index;
    predt_window window; /* its columns are those that are solved */
    int64_t shown_col;   /* and the first one in the raster */
    predt__outputs outputs;
    predt__seen seen;
    predt__mutex lock; /* guards what was seen */
};

typedef predt__substrip_solver *solver;
static const solver solvers[PREDT__ISAS] = {
#ifdef PREDT__X86
    [PREDT__AVX512] = predt__solve_substrip_avx512,
    [PREDT__AVX2] = predt__solve_substrip_avx2,
#endif
    [PREDT__PORTABLE] = predt__solve_substrip_portable,
};

/* The first column asked for that lies in the tile or after it, counted in the window. */
static int64_t first_in_tile(const predt_window *window, int64_t tile) {
    int64_t skip = tile * PREDT__TILE - window->col;
    return skip <= 0 ? 0 : predt__parts(skip, window->step);
}

static predt__substrip substrip_of(const struct asked *asked, int64_t tile) {
    const predt_index *index = asked->index;
    const predt_window *window = &asked->window;
    int64_t first = first_in_tile(window, tile),
            end = predt__min(first_in_tile(window, tile + 1), window->cols);
    predt__substrip strip = {.index = index,
                             .globe = index->globe,
                             .carries = &index->carries,
                             .tile = tile,
                             .first_col = (int32_t)(tile * PREDT__TILE),
                             .lanes = (int)(end - first),
                             .first_row = window->row,
                             .row_step = window->step,
                             .rows = window->rows,
                             .stream = window->cols * window->rows >= STREAM_PIXELS,
                             .col_step = window->step,
                             .first_out_col = asked->shown_col + first * window->step};
    for (int i = 0; i < strip.lanes; i++)
        strip.lane[i] = (int32_t)(window->col + (first + i) * window->step - tile * PREDT__TILE);
    strip.outputs = predt__outputs_from(&asked->outputs, first, index->label_type);
    return strip;
}

static void solve_one(const struct asked *asked, predt__globe_scratch *scratch, int64_t tile) {
    const predt_index *index = asked->index;
    predt__substrip strip = substrip_of(asked, tile);
    if (strip.lanes < 1) return;
    predt__store_touch(index->store, index->blocks * PREDT__TILE * (int64_t)sizeof(uint32_t));
    solvers[predt__isa()](&strip, scratch);
}

static predt_status solve_some(predt__queue *queue, void *shared) {
    struct asked *asked = shared;
    predt__globe_scratch *scratch =
        take(asked->pool, (size_t)asked->index->height, (size_t)asked->window.rows);
    if (!scratch) return PREDT_ERROR_MEMORY;
    scratch->seen = (predt__seen)PREDT__SEEN_INIT;
    for (int64_t item; (item = predt__take(queue)) >= 0;)
        solve_one(asked, scratch, asked->window.col / PREDT__TILE + item);
    predt__mutex_lock(&asked->lock);
    predt__tally_add(&asked->seen, &scratch->seen);
    predt__mutex_unlock(&asked->lock);
    give(asked->pool, scratch);
    return PREDT_OK;
}

/* ---- A window ---- */

static predt_status solve_columns(predt_ctx *ctx, struct asked *asked) {
    const predt_window *window = &asked->window;
    int64_t last = window->col + (window->cols - 1) * window->step,
            tiles = last / PREDT__TILE - window->col / PREDT__TILE + 1;
    predt__mutex_init(&asked->lock);
    predt_status status = predt__parallel(ctx->threads, tiles, solve_some, asked);
    predt__mutex_destroy(&asked->lock);
    if (status != PREDT_OK)
        return predt__fail(ctx, status, "out of memory: %lld rows", (long long)window->rows);
    if (asked->outputs.encoding.values)
        predt__tally_add(asked->outputs.encoding.seen, &asked->seen);
    return PREDT_OK;
}

/* The columns [begin, end) of the window. */
static predt_status solve_part(predt_ctx *ctx, predt__globe_pool *pool, const predt_index *index,
                               const predt_window *window, const predt__outputs *outputs,
                               int64_t begin, int64_t end) {
    struct asked asked = {.pool = pool,
                          .index = index,
                          .window = *window,
                          .shown_col = window->col + begin * window->step,
                          .outputs = predt__outputs_from(outputs, begin, index->label_type),
                          .seen = PREDT__SEEN_INIT};
    asked.window.col = asked.shown_col % index->globe->cols;
    asked.window.cols = end - begin;
    return solve_columns(ctx, &asked);
}

static void solve_nothing_row(const predt_index *index, const predt_window *window,
                              const predt__outputs *outputs) {
    const predt__encoding *e = &outputs->encoding;
    predt__piece piece = {window->col, window->row, window->step, 1};
    for (int64_t i = 0; i < window->cols; i++) {
        predt__seen unused = PREDT__SEEN_INIT;
        double square = (double)INFINITY;
        float distance = INFINITY;
        if (outputs->distance) outputs->distance[i] = INFINITY;
        if (outputs->distance2) outputs->distance2[i] = (double)INFINITY;
        if (outputs->nearest_col) outputs->nearest_col[i] = -1;
        if (outputs->nearest_row) outputs->nearest_row[i] = -1;
        if (outputs->direction) outputs->direction[i] = NAN;
        if (outputs->label)
            predt__store_bytes(outputs->label,
                               outputs->label_bytes ? outputs->label_bytes : (int)index->label_type,
                               i, outputs->no_label);
        if (!e->values) continue;
        char *value = (char *)e->values + i * e->bytes;
        if (e->type == PREDT_FLOAT32)
            encode_float32(e, &piece, &distance, (float *)(void *)value, &unused);
        else encode_squares(e, &piece, &square, value, &unused);
    }
}

/* There is no target. */
static predt_status solve_nothing(const predt_index *index, const predt_window *window,
                                  const predt__outputs *outputs) {
    for (int64_t row = 0; row < window->rows; row++) {
        predt__outputs here =
            predt__outputs_from(outputs, row * outputs->stride, index->label_type);
        solve_nothing_row(index, window, &here);
    }
    return PREDT_OK;
}

predt_status predt__globe_solve(predt_ctx *ctx, predt__globe_pool *pool, const predt_index *index,
                                const predt_window *window, const predt__outputs *outputs) {
    int64_t cols = index->globe->cols,
            own = window->col >= cols ? 0 : predt__parts(cols - window->col, window->step);
    if (predt_index_targets(index) == 0) return solve_nothing(index, window, outputs);
    if (own > window->cols) own = window->cols;
    predt_status status =
        own > 0 ? solve_part(ctx, pool, index, window, outputs, 0, own) : PREDT_OK;
    return status == PREDT_OK && own < window->cols
               ? solve_part(ctx, pool, index, window, outputs, own, window->cols)
               : status;
}
