/* An engine fills wide arrays for a piece of the window, and what was asked for is made of them. */
#include "wide.h"

#include <stdlib.h>

#include "context.h"
#include "encode_row.h"
#include "index.h"
#include "numbers.h"
#include "parallel.h"

bool predt__engine_encodes(const predt__engine *engine, const predt__outputs *outputs) {
    bool encoded = outputs->encoding.values != NULL,
         narrow = outputs->label && outputs->label_bytes,
         simple = !predt__takes_out(outputs) && (!encoded || predt__is_whole(&outputs->encoding));
    if (!encoded && !narrow && !predt__takes_out(outputs)) return true;
    return engine->encodes == PREDT__ENCODES_ALL ||
           (engine->encodes == PREDT__ENCODES_WHOLE && simple);
}

/* ---- Buffers for wide outputs: a context keeps what the last query had ---- */

typedef struct predt__wide_buffer {
    size_t bytes;
    max_align_t memory[];
} predt__wide_buffer;

static predt__wide_buffer *take_buffer(predt_ctx *ctx, size_t bytes) {
    predt__wide_buffer *buffer = atomic_exchange(&ctx->idle_buffer, NULL);
    if (buffer && buffer->bytes >= bytes) return buffer;
    free(buffer);
    buffer = malloc(sizeof *buffer + bytes);
    if (buffer) buffer->bytes = bytes;
    return buffer;
}

static void give_buffer(predt_ctx *ctx, predt__wide_buffer *buffer) {
    free(atomic_exchange(&ctx->idle_buffer, buffer));
}

/* ---- One piece: some rows of the window ---- */

struct piece {
    predt__outputs outputs; /* from the piece's first row on */
    predt__outputs wide;    /* what the engine fills: rows of the same stride */
    /* distances to encode or to judge by; of the two the one that the encoding needs */
    float *distance;
    double *square;
    predt_window window;
    predt_label_type label_type;
    predt__seen seen;
    predt__mutex lock; /* guards what was seen */
};

static bool is_too_near(const struct piece *piece, int64_t i) {
    double min = piece->outputs.min_distance;
    if (!(min > 0)) return false;
    return piece->distance
               ? predt__float_is_nearer(piece->distance[i], min)
               : predt__square_is_nearer(piece->square[i], piece->outputs.encoding.scale, min);
}

static void take_out(const struct piece *piece, int64_t i) {
    const predt__outputs *wide = &piece->wide;
    if (piece->distance) piece->distance[i] = INFINITY;
    if (piece->square) piece->square[i] = INFINITY;
    if (wide->distance) wide->distance[i] = INFINITY;
    if (wide->distance2) wide->distance2[i] = INFINITY;
    if (wide->label) predt__store_bytes(wide->label, (int)piece->label_type, i, wide->no_label);
    if (wide->nearest_col) wide->nearest_col[i] = -1;
    if (wide->nearest_row) wide->nearest_row[i] = -1;
    if (wide->direction) wide->direction[i] = NAN;
}

static void take_out_row(const struct piece *piece, int64_t first) {
    const uint8_t *mask = piece->outputs.mask;
    for (int64_t i = first; i < first + piece->window.cols; i++)
        if ((mask && mask[i]) || is_too_near(piece, i)) take_out(piece, i);
}

static void encode(const struct piece *piece, int64_t row, predt__seen *seen) {
    const predt__encoding *e = &piece->outputs.encoding;
    const predt_window *window = &piece->window;
    int64_t first = row * piece->outputs.stride;
    void *values = (char *)e->values + first * e->bytes;
    predt__piece pixels = {window->col, window->row + row * window->step, window->step,
                           (int)window->cols};
    if (e->type == PREDT_FLOAT32) encode_float32(e, &pixels, piece->distance + first, values, seen);
    else encode_squares(e, &pixels, piece->square + first, values, seen);
}

static void shorten_labels(const struct piece *piece, int64_t first) {
    const predt__outputs *outputs = &piece->outputs;
    const uint32_t *labels32 = piece->wide.label;
    const uint64_t *labels64 = piece->wide.label;
    for (int64_t i = first; i < first + piece->window.cols; i++)
        predt__store_bytes(outputs->label, outputs->label_bytes, i,
                           piece->label_type == PREDT_LABEL_64 ? labels64[i] : labels32[i]);
}

static predt_status work_over(predt__queue *queue, void *shared) {
    struct piece *piece = shared;
    const predt__outputs *outputs = &piece->outputs;
    predt__seen seen = PREDT__SEEN_INIT;
    for (int64_t row; (row = predt__take(queue)) >= 0;) {
        int64_t first = row * outputs->stride;
        if (predt__takes_out(outputs)) take_out_row(piece, first);
        if (outputs->encoding.values) encode(piece, row, &seen);
        if (piece->wide.label != outputs->label) shorten_labels(piece, first);
    }
    predt__mutex_lock(&piece->lock);
    predt__tally_add(&piece->seen, &seen);
    predt__mutex_unlock(&piece->lock);
    return PREDT_OK;
}

/* ---- All pieces ---- */

/* As many pixels at a time as keep the threads busy. An engine that encodes the usual outputs
 * itself is a device: it gets the window as a whole. */
#define PIECE_PIXELS (INT64_C(1) << 20)

static int64_t piece_rows(const predt__engine *engine, const predt_window *window, int64_t stride,
                          int threads) {
    int64_t blocks = predt__max(PIECE_PIXELS / stride / PREDT_SUBBLOCK_ROWS, threads);
    int64_t rows = (blocks * PREDT_SUBBLOCK_ROWS - 1) / window->step + 1;
    return engine->encodes == PREDT__ENCODES_WHOLE ? window->rows : predt__min(rows, window->rows);
}

/* What the engine's arrays lack, in bytes a pixel. */
struct lacking {
    int64_t measure, label;
    bool float_distance; /* the measure is a float32 distance, not a square */
};

static struct lacking lacking_of(const predt__outputs *outputs, predt_label_type label_type) {
    const predt__encoding *e = &outputs->encoding;
    bool measured = e->values || outputs->min_distance > 0;
    struct lacking lacking = {.float_distance = !e->values || e->type == PREDT_FLOAT32};
    bool there = lacking.float_distance ? outputs->distance || e->values
                                        : outputs->distance2 || e->bytes == 8;
    if (measured && !there) lacking.measure = lacking.float_distance ? 4 : 8;
    if (outputs->label && outputs->label_bytes) lacking.label = (int64_t)label_type;
    return lacking;
}

/* The outputs that the engine fills: those of the piece without what is done to them afterwards. */
static void set_wide(struct piece *piece, char *label) {
    piece->wide = piece->outputs;
    piece->wide.label_bytes = 0;
    piece->wide.encoding = (predt__encoding){.values = NULL};
    piece->wide.mask = NULL;
    piece->wide.min_distance = 0;
    if (label) piece->wide.label = label;
}

/* Values of 8 bytes, and float32 ones, are worked out where they go. */
static void set_arrays(struct piece *piece, const struct lacking *lacking, char *measure,
                       char *label) {
    const predt__encoding *e = &piece->outputs.encoding;
    predt__outputs *wide = &piece->wide;
    set_wide(piece, lacking->label ? label : NULL);
    if (!e->values && !(piece->outputs.min_distance > 0)) return;
    void *own = lacking->measure ? measure : e->values;
    if (lacking->float_distance) piece->distance = wide->distance ? wide->distance : own;
    else piece->square = wide->distance2 ? wide->distance2 : own;
    if (piece->distance) wide->distance = piece->distance;
    if (piece->square) wide->distance2 = piece->square;
}

struct query {
    predt_ctx *ctx;
    const predt__engine *engine;
    void *state;
    const predt_index *index;
    const predt_window *window;
    const predt__outputs *outputs;
    struct lacking lacking;
    char *measure, *label; /* the arrays that the engine's lack */
    predt__seen seen;
};

/* Rows `row` to row + rows - 1 of the window. */
static predt_status solve_piece(struct query *q, int64_t row, int64_t rows) {
    predt_label_type type = q->index->label_type;
    struct piece piece = {
        .outputs = predt__outputs_from(q->outputs, row * q->outputs->stride, type),
        .window = *q->window,
        .label_type = type,
        .seen = PREDT__SEEN_INIT};
    predt__mutex_init(&piece.lock);
    piece.window.row += row * q->window->step;
    piece.window.rows = rows;
    set_arrays(&piece, &q->lacking, q->measure, q->label);
    predt_status status = q->engine->solve(q->ctx, q->state, q->index, &piece.window, &piece.wide);
    if (status == PREDT_OK) status = predt__parallel(q->ctx->threads, rows, work_over, &piece);
    predt__mutex_destroy(&piece.lock);
    predt__tally_add(&q->seen, &piece.seen);
    return status;
}

static predt_status solve_pieces(struct query *q, int64_t rows) {
    predt_status status = PREDT_OK;
    for (int64_t row = 0; row < q->window->rows && status == PREDT_OK; row += rows)
        status = solve_piece(q, row, predt__min(rows, q->window->rows - row));
    if (status == PREDT_OK && q->outputs->encoding.values)
        predt__tally_add(q->outputs->encoding.seen, &q->seen);
    return status;
}

predt_status predt__solve_wide(predt_ctx *ctx, const predt__engine *engine, void *state,
                               const predt_index *index, const predt_window *window,
                               const predt__outputs *outputs) {
    struct query q = {ctx, engine, state, index, window, outputs, .seen = PREDT__SEEN_INIT};
    q.lacking = lacking_of(outputs, index->label_type);
    int64_t rows = piece_rows(engine, window, outputs->stride, ctx->threads),
            pixels = rows * outputs->stride;
    predt__wide_buffer *buffer =
        take_buffer(ctx, (size_t)(pixels * (q.lacking.measure + q.lacking.label)));
    if (!buffer) return predt__out_of_memory(ctx);
    q.measure = (char *)buffer->memory;
    q.label = q.measure + pixels * q.lacking.measure;
    predt_status status = solve_pieces(&q, rows);
    give_buffer(ctx, buffer);
    return status;
}
