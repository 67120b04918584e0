/* The strips of one query, one after the other: while a strip is solved the next one is gathered
 * and sent, and the answers of the one before come down. */
#include "strips.h"

#include <string.h>

#include "../src/core/context.h"
#include "gather.h"
#include "strip.h"

typedef predt__gpu_query query;

/* ---- Up ---- */

/* The section's place, or NULL where the layout has none. */
static void *place(const predt__gpu_layout *layout, char *base, predt__gpu_section section) {
    return layout->start[section] == layout->start[section + 1] ? NULL
                                                                : base + layout->start[section];
}

static void gather(const query *q, const predt__gpu_cut *cut, const predt__gpu_layout *layout,
                   char *pinned) {
    predt__gather strip = {.index = q->index,
                           .first_block = cut->first_row / PREDT_SUBBLOCK_ROWS,
                           .blocks = (cut->rows + PREDT_SUBBLOCK_ROWS - 1) / PREDT_SUBBLOCK_ROWS,
                           .words = place(layout, pinned, PREDT__WORDS),
                           .above = place(layout, pinned, PREDT__ABOVE),
                           .below = place(layout, pinned, PREDT__BELOW),
                           .label_blocks = place(layout, pinned, PREDT__LABEL_BLOCKS),
                           .label_starts = place(layout, pinned, PREDT__LABEL_STARTS),
                           .label_values = place(layout, pinned, PREDT__LABEL_VALUES),
                           .above_labels = place(layout, pinned, PREDT__ABOVE_LABELS),
                           .below_labels = place(layout, pinned, PREDT__BELOW_LABELS)};
    predt__gather_strip(&strip, q->ctx->threads);
}

/* ---- Solved ---- */

static predt__gpu_strip describe(const query *q, const predt__gpu_cut *cut,
                                 const predt__gpu_layout *layout, char *device) {
    return (predt__gpu_strip){.metric = q->index->metric,
                              .width = q->shape.width,
                              .raster_height = q->index->height,
                              .first_row = cut->first_row,
                              .rows = cut->rows,
                              .words = place(layout, device, PREDT__WORDS),
                              .above = place(layout, device, PREDT__ABOVE),
                              .below = place(layout, device, PREDT__BELOW),
                              .label_size = q->shape.label_size,
                              .label_values = place(layout, device, PREDT__LABEL_VALUES),
                              .label_blocks = place(layout, device, PREDT__LABEL_BLOCKS),
                              .label_starts = place(layout, device, PREDT__LABEL_STARTS),
                              .above_labels = place(layout, device, PREDT__ABOVE_LABELS),
                              .below_labels = place(layout, device, PREDT__BELOW_LABELS),
                              .no_label = q->outputs->no_label,
                              .distance = place(layout, device, PREDT__DISTANCE),
                              .distance2 = place(layout, device, PREDT__DISTANCE2),
                              .label = place(layout, device, PREDT__LABEL),
                              .nearest_col = place(layout, device, PREDT__NEAREST_COL),
                              .nearest_row = place(layout, device, PREDT__NEAREST_ROW),
                              .direction = place(layout, device, PREDT__DIRECTION)};
}

static predt__gpu_narrowing describe_narrow(const query *q, const predt__gpu_cut *cut,
                                            const predt__gpu_layout *layout, char *device) {
    const predt_window *window = q->window;
    predt__gpu_narrowing narrowing = {.width = q->shape.width,
                                      .strip_row = cut->first_row,
                                      .first_row = window->row + cut->window_row * window->step,
                                      .first_col = window->col,
                                      .step = window->step,
                                      .rows = cut->window_rows,
                                      .cols = window->cols,
                                      .encoding = q->outputs->encoding,
                                      .tallies = place(layout, device, PREDT__TALLIES),
                                      .label_size = q->shape.label_size,
                                      .narrow_label = place(layout, device, PREDT__NARROW_LABEL),
                                      .label_bytes = q->shape.label_bytes};
    narrowing.encoding.values = place(layout, device, PREDT__WHOLE);
    if (narrowing.encoding.values) narrowing.distance2 = place(layout, device, PREDT__DISTANCE2);
    if (narrowing.narrow_label) narrowing.label = place(layout, device, PREDT__LABEL);
    return narrowing;
}

static predt__gpu_layout layout_of_cut(const query *q, const predt__gpu_cut *cut) {
    int64_t blocks = (cut->rows + PREDT_SUBBLOCK_ROWS - 1) / PREDT_SUBBLOCK_ROWS;
    int64_t first = cut->first_row / PREDT_SUBBLOCK_ROWS;
    return predt__gpu_layout_of(
        &q->shape, cut->rows,
        q->shape.label_size ? predt__gather_count(q->index, first, blocks) : 0);
}

/* Sends a strip and starts its kernels. The slot is free: all that it sent down has arrived. */
static cudaError_t start_strip(query *q, predt__gpu_slot *slot, const predt__gpu_cut *cut,
                               const predt__gpu_layout *layout) {
    gather(q, cut, layout, slot->pinned);
    q->doing = "sending a strip";
    cudaError_t error = cudaMemcpyAsync(slot->device, slot->pinned, layout->start[PREDT__UPLOADED],
                                        cudaMemcpyHostToDevice, slot->stream);
    if (error) return error;
    q->doing = "solving a strip";
    predt__gpu_strip strip = describe(q, cut, layout, slot->device);
    error = predt__gpu_solve(&strip, slot->device + layout->start[PREDT__WORKSPACE], slot->stream);
    bool narrow = q->outputs->encoding.values || (q->outputs->label && q->outputs->label_bytes);
    if (error || !narrow) return error;
    predt__gpu_narrowing narrowing = describe_narrow(q, cut, layout, slot->device);
    return predt__gpu_narrow(&narrowing, slot->stream);
}

/* ---- Tallies of what the encoder has seen ---- */

static int slot_number(const query *q, const predt__gpu_slot *slot) {
    return (int)(slot - q->pool->slots);
}

static cudaError_t fetch_tallies(query *q, predt__gpu_slot *slot, const predt__gpu_cut *cut,
                                 const predt__gpu_layout *layout) {
    int number = slot_number(q, slot);
    int32_t count = predt__gpu_tallies(cut->window_rows, q->window->cols);
    predt__gpu_piece piece = {.slot = slot,
                              .from = slot->device + layout->start[PREDT__TALLIES],
                              .to = (char *)(q->tallies + number * PREDT__GPU_TALLIES),
                              .element = (int32_t)sizeof(predt__seen),
                              .step = 1,
                              .cols = count,
                              .rows = 1};
    cudaError_t error = predt__pool_push(q->pool, &piece);
    if (!error) q->arriving[number] = count;
    return error;
}

/* The slot's tallies have arrived. */
static void add_tallies(query *q, int number) {
    for (int32_t i = 0; i < q->arriving[number]; i++)
        predt__tally_add(&q->tally, &q->tallies[number * PREDT__GPU_TALLIES + i]);
    q->arriving[number] = 0;
}

/* ---- All strips ---- */

static cudaError_t fetch_strip(query *q, predt__gpu_slot *slot, const predt__gpu_cut *cut,
                               const predt__gpu_layout *layout) {
    cudaError_t error = cudaSuccess;
    q->doing = "solving and fetching a strip";
    for (int output = PREDT__UPLOADED; output < PREDT__TALLIES && !error; output++)
        if (predt__gpu_caller_array(q->outputs, (predt__gpu_section)output))
            error = predt__gpu_fetch_output(q, slot, cut, layout, (predt__gpu_section)output);
    return error || !q->tallies ? error : fetch_tallies(q, slot, cut, layout);
}

static cudaError_t drain(query *q, const predt__gpu_slot *slot) {
    cudaError_t error = predt__pool_drain(q->pool, slot);
    for (int i = 0; i < PREDT__GPU_SLOTS && !error; i++)
        if (!slot || slot_number(q, slot) == i) add_tallies(q, i);
    return error;
}

/* A strip's answers are asked for only after the next strip has been started: while they come down,
 * the device has work. */
cudaError_t predt__gpu_run_strips(query *q) {
    predt__device_pool *pool = q->pool;
    predt__gpu_cut cut = {0}, before = {0};
    predt__gpu_layout layout, layout_before = {{0}};
    predt__gpu_slot *slot_before = NULL;
    cudaError_t error = cudaSuccess;
    q->tally = (predt__seen)PREDT__SEEN_INIT;
    memset(q->arriving, 0, sizeof q->arriving);
    for (int64_t row = 0, strip = 0; row < q->window->rows && !error;
         row += cut.window_rows, strip++) {
        predt__gpu_slot *slot = &pool->slots[strip % q->plan.slots];
        if (slot == slot_before) { /* one slot only: no two strips at a time */
            error = fetch_strip(q, slot, &before, &layout_before);
            slot_before = NULL;
        }
        if (!error) error = drain(q, slot);
        if (error) break;
        cut = predt__gpu_cut_at(q->window, q->index->height, q->plan.rows, row);
        layout = layout_of_cut(q, &cut);
        error = start_strip(q, slot, &cut, &layout);
        if (!error && slot_before) error = fetch_strip(q, slot_before, &before, &layout_before);
        before = cut, layout_before = layout, slot_before = slot;
    }
    if (!error && slot_before) error = fetch_strip(q, slot_before, &before, &layout_before);
    return error ? error : drain(q, NULL);
}

predt__gpu_shape predt__gpu_shape_of(const predt_index *index, const predt__outputs *outputs) {
    predt__gpu_shape shape = {
        .width = (int32_t)index->width,
        .label_size = outputs->label ? (int32_t)index->label_type : 0,
        .label_bytes = outputs->label ? outputs->label_bytes : 0,
        .whole_bytes = outputs->encoding.values ? outputs->encoding.bytes : 0,
        .tally_bytes = outputs->encoding.values ? PREDT__GPU_TALLIES * sizeof(predt__seen) : 0,
        .targets = predt_index_targets(index),
        .workspace = predt__gpu_workspace};
    for (int output = PREDT__UPLOADED; output < PREDT__TALLIES; output++)
        shape.wanted[output - PREDT__UPLOADED] =
            predt__gpu_caller_array(outputs, (predt__gpu_section)output) != NULL;
    /* Narrow ones are made from wide ones. */
    if (outputs->label) shape.wanted[PREDT__LABEL - PREDT__UPLOADED] = true;
    if (outputs->encoding.values) shape.wanted[PREDT__DISTANCE2 - PREDT__UPLOADED] = true;
    return shape;
}
