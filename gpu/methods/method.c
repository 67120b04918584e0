#include "method.h"

#include <stdio.h>
#include <stdlib.h>

#include "../../src/core/context.h"
#include "job.h"
#include "parts.h"

const char *predt__ref_probe(const void *state) {
    int devices = 0;
    if (state) return NULL; /* nothing goes on in the background */
    if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0) return NULL;
    cudaGetLastError(); /* a missing driver is no error of a later call */
    return "no CUDA device";
}

predt_status predt__ref_open(predt_ctx *ctx, void **out) {
    const predt_setting *const *settings = ctx->engine->settings;
    const char *why = predt__ref_probe(NULL);
    if (why) return predt__fail(ctx, PREDT_ERROR_ENGINE, "engine %s: %s", ctx->engine->name, why);
    predt__ref_state *state = calloc(1, sizeof *state);
    if (!state) return predt__fail(ctx, PREDT_ERROR_MEMORY, "out of memory");
    state->method = ctx->engine->method;
    state->memory = ctx->gpu_memory;
    for (int i = 0; settings && settings[i]; i++)
        state->setting[i] = predt__setting(ctx, settings[i]);
    *out = state;
    return PREDT_OK;
}

void predt__ref_close(void *state) { free(state); }

/* ---- One solve ---- */

static predt_status fault(const predt__ref_job *job, cudaError_t error) {
    cudaGetLastError();
    if (error == cudaErrorMemoryAllocation)
        return predt__fail(job->ctx, PREDT_ERROR_MEMORY,
                           "%s: out of device memory: one row of %lld columns, with what the "
                           "method reads, takes %zu bytes",
                           job->method->name, (long long)job->index->width, job->device_bytes);
    return predt__fail(job->ctx, PREDT_ERROR_ENGINE, "%s, CUDA device %d: %s", job->method->name,
                       job->ctx->device, cudaGetErrorString(error));
}

static predt_status prepare(predt__ref_job *job) {
    cudaError_t error = cudaStreamCreateWithFlags(&job->stream, cudaStreamNonBlocking);
    for (int i = 0; i <= PREDT__REF_STEPS && error == cudaSuccess; i++)
        error = cudaEventCreate(&job->marks[i]);
    if (error == cudaSuccess) error = predt__ref_allocate_device(job);
    if (error != cudaSuccess) return fault(job, error);
    return predt__ref_allocate_host(job)
               ? PREDT_OK
               : predt__fail(job->ctx, PREDT_ERROR_MEMORY, "out of memory");
}

/* ---- One strip ---- */

/* The papers label at most with the target's own number: labels are found on the host, from the
 * targets that the device found. */
static predt_status label_strip(const predt__ref_job *job, int64_t window_rows) {
    if (!job->outputs->label) return PREDT_OK;
    int64_t first = job->done * job->outputs->stride, stride[2];
    const int32_t *found[2];
    for (int i = 0; i < 2; i++) {
        const predt__ref_output *o = &job->output[PREDT__REF_NEAREST_COL + i];
        found[i] = o->host ? (const int32_t *)o->host + first : o->found;
        stride[i] = o->host ? job->outputs->stride : job->window->cols;
    }
    predt__ref_found all = {found[0], found[1], stride[0], stride[1]};
    return predt__ref_label(job->ctx, job->index, job->outputs, first, window_rows,
                            job->window->cols, &all);
}

static cudaError_t send_to(const predt__ref_job *job, const void *to, const void *from,
                           size_t bytes) {
    return bytes ? cudaMemcpyAsync((void *)(uintptr_t)to, from, bytes, cudaMemcpyHostToDevice,
                                   job->stream)
                 : cudaSuccess;
}

static cudaError_t send_strip(const predt__ref_job *job, const predt__ref_strip *strip) {
    const predt_index *index = job->index;
    int64_t last = strip->first_row + strip->rows - 1;
    int64_t block = strip->first_row / PREDT_SUBBLOCK_ROWS,
            blocks = last / PREDT_SUBBLOCK_ROWS - block + 1;
    size_t row = (size_t)index->width * sizeof(uint32_t);
    predt__ref_above(index, strip->first_row, job->carry[0]);
    predt__ref_below(index, last, job->carry[1]);
    cudaError_t error =
        send_to(job, strip->words, predt__block_words(index, block), (size_t)blocks * row);
    if (error == cudaSuccess) error = send_to(job, strip->above, job->carry[0], row);
    if (error == cudaSuccess) error = send_to(job, strip->below, job->carry[1], row);
    return error;
}

static cudaError_t send(const predt__ref_job *job, const predt__ref_strip *strip) {
    const predt_index *index = job->index;
    if (job->method->reads == PREDT__REF_STRIP) return send_strip(job, strip);
    if (job->done > 0) return cudaSuccess;
    if (job->method->reads == PREDT__REF_TARGETS)
        return send_to(job, strip->targets, job->target, (size_t)job->targets * sizeof(int2));
    return send_to(job, strip->words, index->words,
                   (size_t)(index->blocks * index->width) * sizeof(uint32_t));
}

static cudaError_t fetch(const predt__ref_job *job, const predt__ref_layout *layout,
                         int64_t window_rows) {
    size_t cols = (size_t)job->window->cols, stride = (size_t)job->outputs->stride;
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < PREDT__REF_OUTPUTS && error == cudaSuccess; i++) {
        const predt__ref_output *o = &job->output[i];
        if (!o->wanted) continue;
        char *to =
            o->host ? (char *)o->host + (size_t)job->done * stride * o->size : (char *)o->found;
        error = cudaMemcpy2DAsync(to, (o->host ? stride : cols) * o->size,
                                  job->device + layout->output[i], cols * o->size, cols * o->size,
                                  (size_t)window_rows, cudaMemcpyDeviceToHost, job->stream);
    }
    return error == cudaSuccess ? cudaStreamSynchronize(job->stream) : error;
}

static int step_count(const predt__ref_job *job) {
    int steps = 0;
    while (steps < PREDT__REF_STEPS && job->method->steps[steps]) steps++;
    return steps;
}

static cudaError_t add_times(predt__ref_job *job) {
    for (int step = 0; step < step_count(job); step++) {
        float ms;
        cudaError_t error = cudaEventElapsedTime(&ms, job->marks[step], job->marks[step + 1]);
        if (error != cudaSuccess) return error;
        job->ms[step] += (double)ms;
    }
    job->strips++;
    return cudaSuccess;
}

static predt_status solve_strip(predt__ref_job *job, int64_t window_rows) {
    predt__ref_layout layout = predt__ref_lay_out(job, window_rows);
    predt__ref_strip strip = predt__ref_strip_at(job, &layout, window_rows);
    cudaError_t error = send(job, &strip);
    if (error == cudaSuccess)
        error = job->method->run(&strip, job->device + layout.workspace, job->stream, job->marks);
    if (error == cudaSuccess) error = fetch(job, &layout, window_rows);
    if (error == cudaSuccess) error = add_times(job);
    return error == cudaSuccess ? label_strip(job, window_rows) : fault(job, error);
}

/* ---- All strips ---- */

static void report(const predt__ref_job *job) {
    char times[256] = "";
    for (int step = 0, at = 0; step < step_count(job) && at < (int)sizeof times; step++)
        at += snprintf(times + at, sizeof times - (size_t)at, "%s%s %.3f ms", step ? ", " : "",
                       job->method->steps[step], job->ms[step]);
    predt__log_line(job->ctx, "%s: %lld strips; %s; %zu bytes on the device", job->method->name,
                    (long long)job->strips, times, job->device_bytes);
}

static predt_status solve_on_device(predt__ref_job *job) {
    predt_status status = prepare(job);
    while (status == PREDT_OK && job->done < job->window->rows) {
        int64_t rest = job->window->rows - job->done,
                rows = rest < job->strip_rows ? rest : job->strip_rows;
        status = solve_strip(job, rows);
        job->done += rows;
    }
    if (status == PREDT_OK) report(job);
    predt__ref_free(job);
    return status;
}

/* The caller's own device is current again when this is over. */
predt_status predt__ref_solve(predt_ctx *ctx, void *state, const predt_index *index,
                              const predt_window *window, const predt__outputs *outputs) {
    const predt__ref_state *opened = state;
    predt__ref_job job = {.ctx = ctx,
                          .method = opened->method,
                          .state = opened,
                          .index = index,
                          .window = window,
                          .outputs = outputs,
                          .targets = predt_index_targets(index)};
    int before;
    predt__ref_list_outputs(&job);
    cudaError_t error = cudaGetDevice(&before);
    if (error == cudaSuccess) error = cudaSetDevice(ctx->device);
    if (error != cudaSuccess) return fault(&job, error);
    predt_status status = solve_on_device(&job);
    cudaSetDevice(before);
    return status;
}
