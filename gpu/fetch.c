/* An output of a solved strip on its way down: the pixels asked for go to the caller's array in
 * pieces, through the pool's pinned buffers. */
#include "strips.h"

#include "../src/core/context.h"

typedef predt__gpu_query query;

static int64_t min_of(int64_t a, int64_t b) { return a < b ? a : b; }

char *predt__gpu_caller_array(const predt__outputs *outputs, predt__gpu_section output) {
    void *arrays[PREDT__OUTPUTS] = {
        [PREDT__DISTANCE - PREDT__UPLOADED] = outputs->distance,
        [PREDT__DISTANCE2 - PREDT__UPLOADED] = outputs->distance2,
        [PREDT__LABEL - PREDT__UPLOADED] = outputs->label_bytes ? NULL : outputs->label,
        [PREDT__NEAREST_COL - PREDT__UPLOADED] = outputs->nearest_col,
        [PREDT__NEAREST_ROW - PREDT__UPLOADED] = outputs->nearest_row,
        [PREDT__DIRECTION - PREDT__UPLOADED] = outputs->direction,
        [PREDT__WHOLE - PREDT__UPLOADED] = outputs->encoding.values,
        [PREDT__NARROW_LABEL - PREDT__UPLOADED] = outputs->label_bytes ? outputs->label : NULL};
    return arrays[output - PREDT__UPLOADED];
}

/* Pixels asked for, as they lie on the device: every step-th of every step-th row of so many
 * pixels. */
typedef struct lattice {
    const char *first;
    int64_t width, step;
} lattice;

static lattice lattice_of(const query *q, const predt__gpu_slot *slot, const predt__gpu_cut *cut,
                          const predt__gpu_layout *layout, predt__gpu_section output) {
    const predt_window *window = q->window;
    const char *section = slot->device + layout->start[output];
    int64_t row = window->row + cut->window_row * window->step - cut->first_row;
    if (output == PREDT__WHOLE || output == PREDT__NARROW_LABEL)
        return (lattice){section, window->cols, 1};
    int64_t pixel = row * q->shape.width + window->col;
    return (lattice){section + pixel * predt__gpu_output_size(&q->shape, output), q->shape.width,
                     window->step};
}

/* Bytes of a piece. Pieces four times as large bring float32 down in 0.5 instead of 0.7 ns a pixel.
 * But pinning memory takes some 4 ms a megabyte while threads read a source, and a command that
 * writes files waits for that and not for copies. */
#define PIECE_BYTES ((int64_t)2 << 20)

/* No larger than what the window can fill: small windows pin little memory. */
size_t predt__gpu_piece_bytes(const query *q) {
    int64_t span = (q->window->cols - 1) * q->window->step + 1,
            rows = min_of(q->window->rows, q->plan.rows);
    int64_t wide = sizeof(double),
            bytes = span < PIECE_BYTES / wide / rows ? span * rows * wide : PIECE_BYTES;
    return (size_t)bytes > q->shape.tally_bytes ? (size_t)bytes : q->shape.tally_bytes;
}

/* Columns and rows asked for, that lie `step` pixels apart, in one piece. */
static void size_piece(int64_t window_cols, int64_t step, int64_t element, int64_t *cols,
                       int64_t *rows) {
    *cols = min_of(window_cols, (PIECE_BYTES / element - 1) / step + 1);
    *rows = PIECE_BYTES / (((*cols - 1) * step + 1) * element);
}

/* An output on its way from a slot: its pixels on the device, the caller's array, bytes of a
 * pixel. */
struct transfer {
    predt__gpu_slot *slot;
    const predt__gpu_cut *cut;
    lattice from;
    char *to;
    int64_t element;
};

/* The piece that begins at a row and column of the pixels asked for, no larger than that. */
static predt__gpu_piece piece_at(const query *q, const struct transfer *t, int64_t row, int64_t col,
                                 int64_t rows, int64_t cols) {
    const lattice *from = &t->from;
    return (predt__gpu_piece){
        .slot = t->slot,
        .from = from->first + (row * from->width + col) * from->step * t->element,
        .from_pitch = (size_t)from->step * (size_t)(from->width * t->element),
        .to = t->to + ((t->cut->window_row + row) * q->outputs->stride + col) * t->element,
        .to_pitch = (size_t)(q->outputs->stride * t->element),
        .element = (int32_t)t->element,
        .step = from->step,
        .cols = min_of(cols, q->window->cols - col),
        .rows = min_of(rows, t->cut->window_rows - row),
    };
}

cudaError_t predt__gpu_fetch_output(query *q, predt__gpu_slot *slot, const predt__gpu_cut *cut,
                                    const predt__gpu_layout *layout, predt__gpu_section output) {
    struct transfer t = {.slot = slot,
                         .cut = cut,
                         .from = lattice_of(q, slot, cut, layout, output),
                         .to = predt__gpu_caller_array(q->outputs, output),
                         .element = predt__gpu_output_size(&q->shape, output)};
    int64_t cols, rows, max_step = INT32_MAX / (t.from.width * t.element);
    size_piece(q->window->cols, t.from.step, t.element, &cols, &rows);
    if (t.from.step > max_step) rows = 1; /* cudaMemcpy2D limits the pitch */
    for (int64_t row = 0; row < cut->window_rows; row += rows)
        for (int64_t col = 0; col < q->window->cols; col += cols) {
            predt__gpu_piece piece = piece_at(q, &t, row, col, rows, cols);
            cudaError_t error = predt__pool_push(q->pool, &piece);
            if (error) return error;
        }
    return cudaSuccess;
}
