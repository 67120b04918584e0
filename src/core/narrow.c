#include "narrow.h"

#include <stdlib.h>

#include "context.h"
#include "index.h"
#include "parallel.h"

/* ---- Checks ---- */

static bool is_size(int bytes) { return bytes == 1 || bytes == 2 || bytes == 4; }

static bool fits(const predt__whole *whole, bool as_signed) {
    int64_t over = INT64_C(1) << (8 * whole->bytes - as_signed), least = as_signed ? -over : 0;
    return whole->least >= least && whole->most < over && whole->none >= least &&
           whole->none < over;
}

const char *predt__narrow_fault(const predt__outputs *outputs, predt_label_type label_type) {
    const predt__whole *whole = &outputs->whole;
    if (outputs->label && outputs->label_bytes &&
        (!is_size(outputs->label_bytes) || outputs->label_bytes > (int)label_type))
        return "labels of a size that there is not";
    if (!whole->values) return NULL;
    if (!is_size(whole->bytes)) return "whole numbers of a size that there is not";
    if (!(whole->scale >= 0) || isinf(whole->scale))
        return "the scale of whole numbers is negative or not finite";
    if (whole->least > whole->most) return "the least whole number is larger than the largest";
    if (!fits(whole, true) && !fits(whole, false))
        return "whole numbers that do not fit their bytes";
    return NULL;
}

/* ---- Room for wide outputs: a context keeps what the last query had ---- */

typedef struct predt__room {
    size_t bytes;
    max_align_t memory[];
} predt__room;

static predt__room *take_room(predt_ctx *ctx, size_t bytes) {
    predt__room *room = atomic_exchange(&ctx->idle_room, NULL);
    if (room && room->bytes >= bytes) return room;
    free(room);
    room = malloc(sizeof *room + bytes);
    if (room) room->bytes = bytes;
    return room;
}

static void give_room(predt_ctx *ctx, predt__room *room) {
    free(atomic_exchange(&ctx->idle_room, room));
}

/* ---- One piece: some rows of the window ---- */

typedef struct piece {
    const predt__outputs *outputs; /* from the piece's first row on */
    predt_window window;
    const double *squares; /* rows of the outputs' stride, as are labels */
    const void *labels;
    predt_label_type label_type;
    predt__seen *tally;
    pthread_mutex_t lock; /* guards the tally */
} piece;

static void store(void *to, int bytes, int64_t at, uint64_t value) {
    if (bytes == 1) ((uint8_t *)to)[at] = (uint8_t)value;
    else if (bytes == 2) ((uint16_t *)to)[at] = (uint16_t)value;
    else ((uint32_t *)to)[at] = (uint32_t)value;
}

static void narrow_distances(const piece *piece, int64_t row, predt__seen *tally) {
    const predt__whole *whole = &piece->outputs->whole;
    const predt_window *window = &piece->window;
    int64_t first = row * piece->outputs->stride;
    for (int64_t i = 0; i < window->cols; i++) {
        int64_t value =
            predt__whole_value(whole, piece->squares[first + i], window->col + i * window->step,
                               window->row + row * window->step, tally);
        store(whole->values, whole->bytes, first + i, (uint64_t)value);
    }
}

static void narrow_labels(const piece *piece, int64_t row) {
    const predt__outputs *outputs = piece->outputs;
    const uint32_t *labels32 = piece->labels;
    const uint64_t *labels64 = piece->labels;
    int64_t first = row * outputs->stride;
    for (int64_t i = first; i < first + piece->window.cols; i++)
        store(outputs->label, outputs->label_bytes, i,
              piece->label_type == PREDT_LABEL_64 ? labels64[i] : labels32[i]);
}

static predt_status narrow_some(predt__queue *queue, void *shared) {
    piece *piece = shared;
    predt__seen tally = PREDT__SEEN_INIT;
    for (int64_t row; (row = predt__take(queue)) >= 0;) {
        if (piece->squares) narrow_distances(piece, row, &tally);
        if (piece->labels) narrow_labels(piece, row);
    }
    pthread_mutex_lock(&piece->lock);
    predt__tally_add(piece->tally, &tally);
    pthread_mutex_unlock(&piece->lock);
    return PREDT_OK;
}

/* ---- All pieces ---- */

/* As many pixels at a time as keep the threads busy. */
#define PIECE_PIXELS (INT64_C(1) << 20)

int64_t predt__narrow_rows(const predt_window *window, int64_t stride, int threads) {
    int64_t blocks = PIECE_PIXELS / stride / PREDT_SUBBLOCK_ROWS;
    if (blocks < threads) blocks = threads;
    int64_t rows = (blocks * PREDT_SUBBLOCK_ROWS - 1) / window->step + 1;
    return rows < window->rows ? rows : window->rows;
}

/* The same question with wide arrays where narrow ones were asked for. */
static predt__outputs widen(const predt__outputs *outputs, double *squares, void *labels) {
    predt__outputs wide = *outputs;
    if (labels) wide.label = labels;
    if (squares) wide.distance2 = squares;
    wide.label_bytes = 0;
    wide.whole = (predt__whole){NULL};
    return wide;
}

predt_status predt__solve_narrow(predt_ctx *ctx, const predt__engine *engine, void *state,
                                 const predt_index *index, const predt_window *window,
                                 const predt__outputs *outputs) {
    const predt__whole *whole = &outputs->whole;
    bool distances = whole->values != NULL, own = distances && !outputs->distance2,
         labels = outputs->label && outputs->label_bytes;
    int64_t rows = predt__narrow_rows(window, outputs->stride, ctx->threads),
            pixels = rows * outputs->stride;
    size_t squares_bytes = own ? (size_t)pixels * sizeof(double) : 0;
    predt__room *room =
        take_room(ctx, squares_bytes + (labels ? (size_t)pixels * index->label_type : 0));
    if (!room) return predt__fail(ctx, PREDT_ERROR_MEMORY, "out of memory");
    void *wide_labels = labels ? (char *)room->memory + squares_bytes : NULL;
    predt__seen tally = PREDT__SEEN_INIT;
    predt_status status = PREDT_OK;
    for (int64_t row = 0; row < window->rows && status == PREDT_OK; row += rows) {
        predt__outputs moved =
            predt__outputs_from(outputs, row * outputs->stride, index->label_type);
        double *squares = own ? (double *)room->memory : moved.distance2;
        piece piece = {&moved,
                       *window,
                       distances ? squares : NULL,
                       wide_labels,
                       index->label_type,
                       &tally,
                       PTHREAD_MUTEX_INITIALIZER};
        piece.window.row += row * window->step;
        piece.window.rows = rows < window->rows - row ? rows : window->rows - row;
        predt__outputs wide = widen(&moved, squares, wide_labels);
        status = engine->solve(ctx, state, index, &piece.window, &wide);
        if (status == PREDT_OK)
            status = predt__parallel(ctx->threads, piece.window.rows, narrow_some, &piece);
    }
    give_room(ctx, room);
    if (status == PREDT_OK && whole->seen) predt__tally_add(whole->seen, &tally);
    return status;
}
