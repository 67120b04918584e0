#include "method.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/core/context.h"
#include "parts.h"

const char *predt__ref_probe(void) {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0) return NULL;
    cudaGetLastError(); /* a missing driver is no error of a later call */
    return "no CUDA device";
}

predt_status predt__ref_open(predt_ctx *ctx, const predt__ref_method *method, const predt_setting *settings, void **out) {
    predt__ref_state *state = calloc(1, sizeof *state);
    if (!state) return predt__fail(ctx, PREDT_ERROR_MEMORY, "out of memory");
    state->method = method;
    state->memory = ctx->gpu_memory;
    for (int i = 0; settings && settings[i].key; i++) state->setting[i] = predt__setting(ctx, &settings[i]);
    *out = state;
    return PREDT_OK;
}

void predt__ref_close(void *state) { free(state); }

/* ---- One solve ---- */

/* The outputs in one order, so that they can be walked through. */
enum { DISTANCE, DISTANCE2, NEAREST_COL, NEAREST_ROW, DIRECTION, OUTPUTS };

typedef struct output {
    void *host;     /* NULL: not wanted by the caller */
    size_t size;    /* of an element */
    int32_t *found; /* where only the label wants it: a strip's own copy on the host */
    bool wanted;
} output;

typedef struct ref_job {
    predt_ctx *ctx;
    const predt__ref_method *method;
    const predt__ref_state *state;
    const predt_index *index;
    const predt_window *window;
    const predt_outputs *outputs;
    output output[OUTPUTS];
    int64_t targets;
    int64_t strip_rows; /* window rows of a strip */
    int64_t done;       /* window rows answered */
    int32_t *carry[2];  /* host: above and below */
    int2 *target;       /* host: the list, where the method reads it */
    char *device;       /* everything on the device: one allocation */
    size_t device_bytes;
    cudaStream_t stream;
    cudaEvent_t marks[PREDT__REF_STEPS + 1];
    int64_t strips;
    double ms[PREDT__REF_STEPS];
} ref_job;

static void list_outputs(ref_job *job) {
    const predt_outputs *o = job->outputs;
    bool label = o->label != NULL;
    output all[OUTPUTS] = {[DISTANCE] = {o->distance, sizeof(float), NULL, o->distance},
                           [DISTANCE2] = {o->distance2, sizeof(double), NULL, o->distance2},
                           [NEAREST_COL] = {o->nearest_col, sizeof(int32_t), NULL, o->nearest_col || label},
                           [NEAREST_ROW] = {o->nearest_row, sizeof(int32_t), NULL, o->nearest_row || label},
                           [DIRECTION] = {o->direction, sizeof(float), NULL, o->direction}};
    memcpy(job->output, all, sizeof all);
}

static predt_status fault(const ref_job *job, cudaError_t error) {
    cudaGetLastError();
    if (error == cudaErrorMemoryAllocation)
        return predt__fail(job->ctx, PREDT_ERROR_MEMORY,
                           "%s: out of device memory: even one row of %lld columns, with what the method reads, takes %zu bytes",
                           job->method->name, (long long)job->index->width, job->device_bytes);
    return predt__fail(job->ctx, PREDT_ERROR_ENGINE, "%s, CUDA device %d: %s", job->method->name, job->ctx->device,
                       cudaGetErrorString(error));
}

/* Raster rows from the first wanted one of a strip to the last. */
static int64_t raster_rows(const ref_job *job, int64_t window_rows) { return (window_rows - 1) * job->window->step + 1; }

static int64_t first_row(const ref_job *job) { return job->window->row + job->done * job->window->step; }

/* ---- The device's memory ---- */

/* Where things lie in the device allocation. */
typedef struct device_layout {
    size_t words, above, below, targets, output[OUTPUTS], workspace, bytes;
} device_layout;

static size_t take(size_t *at, size_t bytes) {
    size_t start = *at;
    *at += (bytes + 255) / 256 * 256;
    return start;
}

/* The strip that begins at job->done; its pointers are not set yet. */
static predt__ref_strip strip_of(const ref_job *job, int64_t window_rows) {
    const predt_window *window = job->window;
    predt__ref_strip strip = {.metric = job->index->metric,
                              .width = (int32_t)job->index->width,
                              .raster_height = job->index->height,
                              .first_row = first_row(job),
                              .rows = (int32_t)raster_rows(job, window_rows),
                              .col = (int32_t)window->col,
                              .cols = (int32_t)window->cols,
                              .step = (int32_t)window->step,
                              .wanted_rows = (int32_t)window_rows};
    memcpy(strip.setting, job->state->setting, sizeof strip.setting);
    return strip;
}

/* What stays from strip to strip comes first: its place does not depend on how many rows the strip has. */
static device_layout lay_out(const ref_job *job, int64_t window_rows) {
    device_layout layout = {0};
    predt__ref_strip strip = strip_of(job, window_rows);
    predt__ref_input reads = job->method->reads;
    size_t width = (size_t)job->index->width, pixels = (size_t)(window_rows * job->window->cols), at = 0;
    int64_t blocks = reads == PREDT__REF_RASTER ? job->index->blocks : strip.rows / PREDT_SUBBLOCK_ROWS + 2;
    layout.words = take(&at, reads == PREDT__REF_TARGETS ? 0 : (size_t)blocks * width * sizeof(uint32_t));
    layout.targets = take(&at, reads == PREDT__REF_TARGETS ? (size_t)job->targets * sizeof(int2) : 0);
    layout.above = take(&at, reads == PREDT__REF_STRIP ? width * sizeof(int32_t) : 0);
    layout.below = take(&at, reads == PREDT__REF_STRIP ? width * sizeof(int32_t) : 0);
    for (int i = 0; i < OUTPUTS; i++) layout.output[i] = take(&at, job->output[i].wanted ? pixels * job->output[i].size : 0);
    layout.workspace = take(&at, job->method->workspace(&strip));
    layout.bytes = at;
    return layout;
}

/* The tallest strip within the limit whose allocation succeeds; the device may have less in one piece than it says is free. */
static cudaError_t allocate_device(ref_job *job) {
    size_t available = 0, total = 0;
    cudaError_t error = cudaMemGetInfo(&available, &total);
    if (error != cudaSuccess) return error;
    size_t limit = available - available / 8; /* room for what others need meanwhile */
    if (job->state->memory && (size_t)job->state->memory < limit) limit = (size_t)job->state->memory;
    for (int64_t rows = job->window->rows;; rows = (rows + 1) / 2) {
        bool fits = raster_rows(job, rows) <= INT32_MAX / 2;
        job->strip_rows = rows;
        job->device_bytes = fits ? lay_out(job, rows).bytes : 0;
        fits = fits && job->device_bytes <= limit;
        error = fits ? cudaMalloc((void **)&job->device, job->device_bytes) : cudaErrorMemoryAllocation;
        if (error != cudaErrorMemoryAllocation || rows == 1) return error;
        cudaGetLastError();
    }
}

/* ---- The host's memory ---- */

static bool allocate_host(ref_job *job) {
    size_t width = (size_t)job->index->width, pixels = (size_t)(job->strip_rows * job->window->cols);
    for (int side = 0; side < 2 && job->method->reads == PREDT__REF_STRIP; side++)
        if (!(job->carry[side] = malloc(width * sizeof(int32_t)))) return false;
    for (int i = NEAREST_COL; i <= NEAREST_ROW; i++)
        if (job->output[i].wanted && !job->output[i].host && !(job->output[i].found = malloc(pixels * sizeof(int32_t))))
            return false;
    if (job->method->reads != PREDT__REF_TARGETS) return true;
    if (!(job->target = malloc((size_t)(job->targets + 1) * sizeof(int2)))) return false;
    predt__ref_targets(job->index, job->target);
    return true;
}

static predt_status prepare(ref_job *job) {
    cudaError_t error = cudaStreamCreateWithFlags(&job->stream, cudaStreamNonBlocking);
    for (int i = 0; i <= PREDT__REF_STEPS && error == cudaSuccess; i++) error = cudaEventCreate(&job->marks[i]);
    if (error == cudaSuccess) error = allocate_device(job);
    if (error != cudaSuccess) return fault(job, error);
    return allocate_host(job) ? PREDT_OK : predt__fail(job->ctx, PREDT_ERROR_MEMORY, "out of memory");
}

static void clean_up(ref_job *job) {
    cudaFree(job->device); /* waits for what is still on its way after a failure */
    for (int i = 0; i <= PREDT__REF_STEPS; i++)
        if (job->marks[i]) cudaEventDestroy(job->marks[i]);
    if (job->stream) cudaStreamDestroy(job->stream);
    for (int side = 0; side < 2; side++) free(job->carry[side]);
    for (int i = 0; i < OUTPUTS; i++) free(job->output[i].found);
    free(job->target);
}

/* ---- One strip ---- */

/* The papers label at most with the target's own number: labels are found on the host, from the targets that the device
 * found. */
static predt_status label_strip(const ref_job *job, int64_t window_rows) {
    if (!job->outputs->label) return PREDT_OK;
    int64_t first = job->done * job->outputs->stride, stride[2];
    const int32_t *found[2];
    for (int i = 0; i < 2; i++) {
        const output *o = &job->output[NEAREST_COL + i];
        found[i] = o->host ? (const int32_t *)o->host + first : o->found;
        stride[i] = o->host ? job->outputs->stride : job->window->cols;
    }
    predt__ref_found all = {found[0], found[1], stride[0], stride[1]};
    return predt__ref_label(job->ctx, job->index, job->outputs, first, window_rows, job->window->cols, &all);
}

static void place(const ref_job *job, const device_layout *layout, predt__ref_strip *strip) {
    char *device = job->device;
    void *to[OUTPUTS];
    for (int i = 0; i < OUTPUTS; i++) to[i] = job->output[i].wanted ? device + layout->output[i] : NULL;
    strip->distance = to[DISTANCE];
    strip->distance2 = to[DISTANCE2];
    strip->nearest_col = to[NEAREST_COL];
    strip->nearest_row = to[NEAREST_ROW];
    strip->direction = to[DIRECTION];
    if (job->method->reads != PREDT__REF_TARGETS) strip->words = (const uint32_t *)(device + layout->words);
    if (job->method->reads == PREDT__REF_STRIP) {
        strip->words_row = strip->first_row / PREDT_SUBBLOCK_ROWS * PREDT_SUBBLOCK_ROWS;
        strip->above = (const int32_t *)(device + layout->above);
        strip->below = (const int32_t *)(device + layout->below);
    }
    if (job->method->reads == PREDT__REF_TARGETS) strip->targets = (const int2 *)(device + layout->targets);
    strip->target_count = job->targets;
}

static cudaError_t send_to(const ref_job *job, const void *to, const void *from, size_t bytes) {
    return bytes ? cudaMemcpyAsync((void *)to, from, bytes, cudaMemcpyHostToDevice, job->stream) : cudaSuccess;
}

static cudaError_t send_strip(const ref_job *job, const predt__ref_strip *strip) {
    const predt_index *index = job->index;
    int64_t last = strip->first_row + strip->rows - 1;
    int64_t block = strip->first_row / PREDT_SUBBLOCK_ROWS, blocks = last / PREDT_SUBBLOCK_ROWS - block + 1;
    size_t row = (size_t)index->width * sizeof(uint32_t);
    predt__ref_above(index, strip->first_row, job->carry[0]);
    predt__ref_below(index, last, job->carry[1]);
    cudaError_t error = send_to(job, strip->words, predt__block_words(index, block), (size_t)blocks * row);
    if (error == cudaSuccess) error = send_to(job, strip->above, job->carry[0], row);
    if (error == cudaSuccess) error = send_to(job, strip->below, job->carry[1], row);
    return error;
}

static cudaError_t send(const ref_job *job, const predt__ref_strip *strip) {
    const predt_index *index = job->index;
    if (job->method->reads == PREDT__REF_STRIP) return send_strip(job, strip);
    if (job->done > 0) return cudaSuccess;
    if (job->method->reads == PREDT__REF_TARGETS)
        return send_to(job, strip->targets, job->target, (size_t)job->targets * sizeof(int2));
    return send_to(job, strip->words, index->words, (size_t)(index->blocks * index->width) * sizeof(uint32_t));
}

static cudaError_t fetch(const ref_job *job, const device_layout *layout, int64_t window_rows) {
    size_t cols = (size_t)job->window->cols, stride = (size_t)job->outputs->stride;
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < OUTPUTS && error == cudaSuccess; i++) {
        const output *o = &job->output[i];
        if (!o->wanted) continue;
        char *to = o->host ? (char *)o->host + (size_t)job->done * stride * o->size : (char *)o->found;
        error = cudaMemcpy2DAsync(to, (o->host ? stride : cols) * o->size, job->device + layout->output[i], cols * o->size,
                                  cols * o->size, (size_t)window_rows, cudaMemcpyDeviceToHost, job->stream);
    }
    return error == cudaSuccess ? cudaStreamSynchronize(job->stream) : error;
}

static int step_count(const ref_job *job) {
    int steps = 0;
    while (steps < PREDT__REF_STEPS && job->method->steps[steps]) steps++;
    return steps;
}

static cudaError_t add_times(ref_job *job) {
    for (int step = 0; step < step_count(job); step++) {
        float ms;
        cudaError_t error = cudaEventElapsedTime(&ms, job->marks[step], job->marks[step + 1]);
        if (error != cudaSuccess) return error;
        job->ms[step] += ms;
    }
    job->strips++;
    return cudaSuccess;
}

static predt_status solve_strip(ref_job *job, int64_t window_rows) {
    device_layout layout = lay_out(job, window_rows);
    predt__ref_strip strip = strip_of(job, window_rows);
    place(job, &layout, &strip);
    cudaError_t error = send(job, &strip);
    if (error == cudaSuccess) error = job->method->run(&strip, job->device + layout.workspace, job->stream, job->marks);
    if (error == cudaSuccess) error = fetch(job, &layout, window_rows);
    if (error == cudaSuccess) error = add_times(job);
    return error == cudaSuccess ? label_strip(job, window_rows) : fault(job, error);
}

/* ---- All strips ---- */

static void report(const ref_job *job) {
    char times[256] = "";
    for (int step = 0, at = 0; step < step_count(job) && at < (int)sizeof times; step++)
        at += snprintf(times + at, sizeof times - (size_t)at, "%s%s %.3f ms", step ? ", " : "", job->method->steps[step],
                       job->ms[step]);
    predt__tell(job->ctx, "%s: %lld strips; %s; %zu bytes on the device", job->method->name, (long long)job->strips, times,
                job->device_bytes);
}

static predt_status solve_on_device(ref_job *job) {
    predt_status status = prepare(job);
    while (status == PREDT_OK && job->done < job->window->rows) {
        int64_t rest = job->window->rows - job->done, rows = rest < job->strip_rows ? rest : job->strip_rows;
        status = solve_strip(job, rows);
        job->done += rows;
    }
    if (status == PREDT_OK) report(job);
    clean_up(job);
    return status;
}

/* The caller's own device is current again when this is over. */
predt_status predt__ref_solve(predt_ctx *ctx, void *state, const predt_index *index, const predt_window *window,
                              const predt_outputs *outputs) {
    const predt__ref_state *opened = state;
    ref_job job = {.ctx = ctx, .method = opened->method, .state = opened, .index = index, .window = window,
                   .outputs = outputs, .targets = predt_index_targets(index)};
    int before;
    list_outputs(&job);
    cudaError_t error = cudaGetDevice(&before);
    if (error == cudaSuccess) error = cudaSetDevice(ctx->device);
    if (error != cudaSuccess) return fault(&job, error);
    predt_status status = solve_on_device(&job);
    cudaSetDevice(before);
    return status;
}
