/* Engine cuda's host side: windows of a sealed index, strip by strip through a device. While a strip is solved the next
 * one is gathered and sent and the one before comes down. */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

#include "../src/core/context.h"
#include "gather.h"
#include "lane.h"
#include "strip.h"

typedef struct cuda_state {
    int device;
    int64_t limit;        /* bytes of device memory; 0: none */
    pthread_mutex_t lock; /* queries take turns: one alone fills the device */
    pthread_t starter;    /* starts the device while the caller fills an index */
    bool starting;
    cudaError_t start_error;
    predt__gpu_lane lane;
} cuda_state;

/* ---- Presence ---- */

#define LEAST_CAPABILITY 75 /* the oldest architecture that the kernels are built for */

const char *predt__cuda_probe(void) {
    int devices = 0, driver = 0;
    cudaError_t error = cudaGetDeviceCount(&devices);
    cudaGetLastError(); /* a machine without a device is no failure */
    if (!error && devices > 0) return NULL;
    if (error == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0)
        return "the CUDA driver is too old";
    return "no CUDA device";
}

static predt_status failed(predt_ctx *ctx, int device, cudaError_t error, const char *what) {
    predt_status status = error == cudaErrorMemoryAllocation ? PREDT_ERROR_MEMORY : PREDT_ERROR_ENGINE;
    return predt__fail(ctx, status, "CUDA device %d, %s: %s", device, what, cudaGetErrorString(error));
}

static predt_status check_device(predt_ctx *ctx) {
    int devices = 0, major = 0, minor = 0;
    cudaError_t error = cudaGetDeviceCount(&devices);
    if (!error && ctx->device >= devices)
        return predt__fail(ctx, PREDT_ERROR_ENGINE, "CUDA device %d: there are %d, counted from 0", ctx->device, devices);
    if (!error) error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, ctx->device);
    if (!error) error = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, ctx->device);
    if (error) return failed(ctx, ctx->device, error, "asking for it");
    if (10 * major + minor < LEAST_CAPABILITY)
        return predt__fail(ctx, PREDT_ERROR_ENGINE, "CUDA device %d is of compute capability %d.%d: 7.5 is needed", ctx->device,
                           major, minor);
    return PREDT_OK;
}

/* ---- Life ---- */

/* The caller's own device is current again when this is over. */
static cudaError_t enter(const cuda_state *cuda, int *before) {
    cudaError_t error = cudaGetDevice(before);
    return error ? error : cudaSetDevice(cuda->device);
}

/* Takes some tenths of a second: the driver makes a context for this process. */
static void *start_device(void *state) {
    cuda_state *cuda = state;
    int before;
    cuda->start_error = enter(cuda, &before);
    if (cuda->start_error) return NULL;
    cuda->start_error = predt__lane_open(&cuda->lane);
    cudaSetDevice(before);
    return NULL;
}

static cudaError_t started(cuda_state *cuda) {
    if (cuda->starting) pthread_join(cuda->starter, NULL);
    cuda->starting = false;
    return cuda->start_error;
}

predt_status predt__cuda_open(predt_ctx *ctx, void **state) {
    predt_status status = check_device(ctx);
    if (status != PREDT_OK) return status;
    cuda_state *cuda = calloc(1, sizeof *cuda);
    if (!cuda) return predt__fail(ctx, PREDT_ERROR_MEMORY, "out of memory");
    cuda->device = ctx->device;
    cuda->limit = ctx->gpu_memory;
    pthread_mutex_init(&cuda->lock, NULL);
    cuda->lane.threads = ctx->threads;
    cuda->starting = pthread_create(&cuda->starter, NULL, start_device, cuda) == 0;
    if (!cuda->starting) start_device(cuda);
    *state = cuda;
    return PREDT_OK;
}

void predt__cuda_close(void *state) {
    cuda_state *cuda = state;
    int before;
    if (!cuda) return;
    started(cuda);
    if (enter(cuda, &before) == cudaSuccess) {
        predt__lane_close(&cuda->lane);
        cudaSetDevice(before);
    }
    pthread_mutex_destroy(&cuda->lock);
    free(cuda);
}

/* ---- One strip ---- */

/* One query on its way through the device. */
typedef struct query {
    predt_ctx *ctx;
    cuda_state *cuda;
    const predt_index *index;
    const predt_window *window;
    const predt_outputs *outputs;
    predt__gpu_shape shape;
    predt__gpu_plan plan;
    const char *doing; /* for the message, if it fails */
} query;

/* The section's place, or NULL where the layout has none. */
static void *place(const predt__gpu_layout *layout, char *base, predt__gpu_section section) {
    return layout->start[section] == layout->start[section + 1] ? NULL : base + layout->start[section];
}

static void gather(const query *q, const predt__gpu_cut *cut, const predt__gpu_layout *layout, char *pinned) {
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

static predt__gpu_strip describe(const query *q, const predt__gpu_cut *cut, const predt__gpu_layout *layout, char *device) {
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

static predt__gpu_layout layout_of_cut(const query *q, const predt__gpu_cut *cut) {
    int64_t blocks = (cut->rows + PREDT_SUBBLOCK_ROWS - 1) / PREDT_SUBBLOCK_ROWS;
    int64_t first = cut->first_row / PREDT_SUBBLOCK_ROWS;
    return predt__gpu_layout_of(&q->shape, cut->rows, q->shape.label_size ? predt__gather_count(q->index, first, blocks) : 0);
}

/* Sends a strip and starts its kernels. The slot is free: all that it sent down has arrived. */
static cudaError_t start_strip(query *q, predt__gpu_slot *slot, const predt__gpu_cut *cut, const predt__gpu_layout *layout) {
    gather(q, cut, layout, slot->pinned);
    q->doing = "sending a strip";
    cudaError_t error = cudaMemcpyAsync(slot->device, slot->pinned, layout->start[PREDT__UPLOADED], cudaMemcpyHostToDevice,
                                        slot->stream);
    if (error) return error;
    q->doing = "solving a strip";
    predt__gpu_strip strip = describe(q, cut, layout, slot->device);
    return predt__gpu_solve(&strip, slot->device + layout->start[PREDT__WORKSPACE], slot->stream);
}

/* ---- Its answers ---- */

static char *caller_array(const predt_outputs *outputs, predt__gpu_section output) {
    void *arrays[] = {outputs->distance,    outputs->distance2,   outputs->label,
                      outputs->nearest_col, outputs->nearest_row, outputs->direction};
    return arrays[output - PREDT__UPLOADED];
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

#define PIECE_BYTES ((int64_t)8 << 20) /* at 25 to 50 GB/s, 0.2 to 0.3 ms each: long beside the start of a copy */

/* Columns and rows asked for, that lie `step` pixels apart, in one piece. */
static void size_piece(const predt_window *window, int64_t element, int64_t *cols, int64_t *rows) {
    *cols = least(window->cols, (PIECE_BYTES / element - 1) / window->step + 1);
    *rows = PIECE_BYTES / (((*cols - 1) * window->step + 1) * element);
}

static cudaError_t fetch_output(query *q, predt__gpu_slot *slot, const predt__gpu_cut *cut, const predt__gpu_layout *layout,
                                predt__gpu_section output) {
    const predt_window *window = q->window;
    int64_t element = predt__gpu_output_size(&q->shape, output), width = q->shape.width, cols, rows;
    const char *from = slot->device + layout->start[output];
    char *to = caller_array(q->outputs, output);
    size_piece(window, element, &cols, &rows);
    if (window->step > INT32_MAX / (width * element)) rows = 1; /* more is no pitch */
    for (int64_t row = 0; row < cut->window_rows; row += rows)
        for (int64_t col = 0; col < window->cols; col += cols) {
            int64_t strip_row = window->row + (cut->window_row + row) * window->step - cut->first_row;
            predt__gpu_piece piece = {
                .slot = slot,
                .from = from + (strip_row * width + window->col + col * window->step) * element,
                .from_pitch = (size_t)window->step * (size_t)(width * element),
                .to = to + ((cut->window_row + row) * q->outputs->stride + col) * element,
                .to_pitch = (size_t)(q->outputs->stride * element),
                .element = (int32_t)element,
                .step = window->step,
                .cols = least(cols, window->cols - col),
                .rows = least(rows, cut->window_rows - row),
            };
            cudaError_t error = predt__lane_push(&q->cuda->lane, &piece);
            if (error) return error;
        }
    return cudaSuccess;
}

static cudaError_t fetch_strip(query *q, predt__gpu_slot *slot, const predt__gpu_cut *cut, const predt__gpu_layout *layout) {
    cudaError_t error = cudaSuccess;
    q->doing = "solving and fetching a strip";
    for (int output = PREDT__UPLOADED; output < PREDT__WORKSPACE && !error; output++)
        if (caller_array(q->outputs, (predt__gpu_section)output))
            error = fetch_output(q, slot, cut, layout, (predt__gpu_section)output);
    return error;
}

/* ---- All strips ---- */

/* A strip's answers are asked for only after the next strip has been started: while they come down, the device has work. */
static cudaError_t run_strips(query *q) {
    predt__gpu_lane *lane = &q->cuda->lane;
    predt__gpu_cut cut = {0}, before = {0};
    predt__gpu_layout layout, layout_before = {{0}};
    predt__gpu_slot *slot_before = NULL;
    cudaError_t error = cudaSuccess;
    for (int64_t row = 0, strip = 0; row < q->window->rows && !error; row += cut.window_rows, strip++) {
        predt__gpu_slot *slot = &lane->slots[strip % q->plan.slots];
        if (slot == slot_before) { /* one slot only: no two strips at a time */
            error = fetch_strip(q, slot, &before, &layout_before);
            slot_before = NULL;
        }
        if (!error) error = predt__lane_drain(lane, slot);
        if (error) break;
        cut = predt__gpu_cut_at(q->window, q->index->height, q->plan.rows, row);
        layout = layout_of_cut(q, &cut);
        error = start_strip(q, slot, &cut, &layout);
        if (!error && slot_before) error = fetch_strip(q, slot_before, &before, &layout_before);
        before = cut, layout_before = layout, slot_before = slot;
    }
    if (!error && slot_before) error = fetch_strip(q, slot_before, &before, &layout_before);
    return error ? error : predt__lane_drain(lane, NULL);
}

/* ---- A query ---- */

static predt__gpu_shape shape_of(const predt_index *index, const predt_outputs *outputs) {
    predt__gpu_shape shape = {.width = (int32_t)index->width,
                              .label_size = outputs->label ? (int32_t)index->label_type : 0,
                              .targets = predt_index_targets(index),
                              .workspace = predt__gpu_workspace};
    for (int output = PREDT__UPLOADED; output < PREDT__WORKSPACE; output++)
        shape.wanted[output - PREDT__UPLOADED] = caller_array(outputs, (predt__gpu_section)output) != NULL;
    return shape;
}

/* No larger than what the window can fill: small windows pin little memory. */
static size_t piece_bytes(const query *q) {
    int64_t span = (q->window->cols - 1) * q->window->step + 1, rows = least(q->window->rows, q->plan.rows);
    return (size_t)(span < PIECE_BYTES / (int64_t)sizeof(double) / rows ? span * rows * (int64_t)sizeof(double) : PIECE_BYTES);
}

static cudaError_t reserve(query *q) {
    predt__gpu_layout room = predt__gpu_room(&q->shape, q->plan.rows);
    q->doing = "memory for a strip";
    return predt__lane_reserve(&q->cuda->lane, q->plan.slots, room.start[PREDT__SECTIONS], room.start[PREDT__UPLOADED],
                               piece_bytes(q));
}

/* Once on the device. A device without the memory gets strips of half the height, until there is nothing to halve. */
static predt_status run_on_device(query *q) {
    size_t free_bytes = 0, all_bytes = 0;
    q->doing = "asking for its memory";
    cudaError_t error = cudaMemGetInfo(&free_bytes, &all_bytes);
    if (error) return failed(q->ctx, q->cuda->device, error, q->doing);
    int64_t budget = predt__gpu_budget((int64_t)free_bytes, predt__lane_held(&q->cuda->lane), q->cuda->limit);
    int64_t rows = (q->window->rows - 1) * q->window->step + PREDT_SUBBLOCK_ROWS;
    q->plan = predt__gpu_plan_strips(&q->shape, rows, budget, INT32_MAX);
    if (!q->plan.rows)
        return predt__fail(q->ctx, PREDT_ERROR_MEMORY, "CUDA device %d: 32 rows of %d columns do not fit into %lld MiB",
                           q->cuda->device, (int)q->shape.width, (long long)(budget >> 20));
    for (;;) {
        error = reserve(q);
        if (!error) error = run_strips(q);
        if (!error) return PREDT_OK;
        predt__lane_abandon(&q->cuda->lane);
        if (error != cudaErrorMemoryAllocation || !predt__gpu_shrink(&q->plan)) break;
        predt__tell(q->ctx, "CUDA device %d is out of memory: going on with strips of %d rows", q->cuda->device, (int)q->plan.rows);
    }
    return failed(q->ctx, q->cuda->device, error, q->doing);
}

predt_status predt__cuda_solve(predt_ctx *ctx, void *state, const predt_index *index, const predt_window *window,
                               const predt_outputs *outputs) {
    cuda_state *cuda = state;
    query q = {.ctx = ctx, .cuda = cuda, .index = index, .window = window, .outputs = outputs,
               .shape = shape_of(index, outputs)};
    int before;
    pthread_mutex_lock(&cuda->lock);
    cudaError_t error = started(cuda);
    if (!error) error = enter(cuda, &before);
    predt_status status = error ? failed(ctx, cuda->device, error, "starting it") : run_on_device(&q);
    if (!error) cudaSetDevice(before);
    pthread_mutex_unlock(&cuda->lock);
    return status;
}
