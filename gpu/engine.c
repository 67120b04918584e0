/* Engine cuda's host side: its device, and windows of a sealed index through it in strips that fit
 * its memory. */
#include "engine.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "../src/core/context.h"
#include "plan.h"
#include "strips.h"

typedef struct cuda_state {
    int device;
    int64_t limit;         /* bytes of device memory; 0: none */
    bool own_process;      /* the process uses devices for nothing else */
    predt__mutex lock;     /* queries take turns: one alone fills the device */
    predt__thread starter; /* starts the device while the caller fills an index */
    bool starting;
    atomic_bool started; /* or has failed to: what follows is settled then */
    char fault[160];     /* why it cannot be used; "": it can */
    predt__device_pool pool;
} cuda_state;

static atomic_int open_states; /* of the process: all share its context on a device */

/* ---- Presence ---- */

#define MIN_CAPABILITY 75 /* the oldest architecture that the kernels are built for */

/* The only question about devices that takes no time. */
static bool has_driver(void) {
    int driver = 0;
    return cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0;
}

static const char *probe_device(void) {
    int devices = 0;
    cudaError_t error = cudaGetDeviceCount(&devices);
    cudaGetLastError(); /* a machine without a device is no failure */
    if (!error && devices > 0) return NULL;
    return error == cudaErrorInsufficientDriver && has_driver() ? "the CUDA driver is too old"
                                                                : "no CUDA device";
}

static predt_status failed(predt_ctx *ctx, int device, cudaError_t error, const char *what) {
    predt_status status =
        error == cudaErrorMemoryAllocation ? PREDT_ERROR_MEMORY : PREDT_ERROR_ENGINE;
    return predt__fail(ctx, status, "CUDA device %d, %s: %s", device, what,
                       cudaGetErrorString(error));
}

/* ---- Life ---- */

/* The caller's own device is current again when this is over. */
static cudaError_t enter(const cuda_state *cuda, int *before) {
    cudaError_t error = cudaGetDevice(before);
    return error ? error : cudaSetDevice(cuda->device);
}

static void fault(cuda_state *cuda, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cuda->fault, sizeof cuda->fault, format, arguments);
    va_end(arguments);
}

/* The first call into CUDA takes a tenth of a second. */
static void find_device(cuda_state *cuda) {
    int devices = 0, major = 0, minor = 0;
    const char *why = probe_device();
    cudaError_t error = why ? cudaSuccess : cudaGetDeviceCount(&devices);
    if (!error && cuda->device < devices) {
        error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, cuda->device);
        if (!error)
            error = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, cuda->device);
    }
    if (why) fault(cuda, "%s", why);
    else if (error)
        fault(cuda, "CUDA device %d, asking for it: %s", cuda->device, cudaGetErrorString(error));
    else if (cuda->device >= devices)
        fault(cuda, "CUDA device %d: there are %d, counted from 0", cuda->device, devices);
    else if (10 * major + minor < MIN_CAPABILITY)
        fault(cuda, "CUDA device %d is of compute capability %d.%d: 7.5 is needed", cuda->device,
              major, minor);
}

/* Takes another tenth of a second: the driver makes a context for this process. */
static void open_device(cuda_state *cuda) {
    int before;
    cudaError_t error = enter(cuda, &before);
    if (!error) {
        error = predt__pool_open(&cuda->pool);
        cudaSetDevice(before);
    }
    if (error)
        fault(cuda, "CUDA device %d, starting it: %s", cuda->device, cudaGetErrorString(error));
}

static void *start_device(void *state) {
    cuda_state *cuda = state;
    find_device(cuda);
    if (!*cuda->fault) open_device(cuda);
    cuda->started = true;
    return NULL;
}

/* A window that the CPU would answer before the device has started is not worth the wait. */
static bool suits(const void *state, const predt_index *index, const predt_window *window,
                  int threads) {
    const cuda_state *cuda = state;
    bool starting = cuda && !cuda->started;
    return predt__cuda_suits(index, window, threads) &&
           !(starting && predt__cpu_is_sooner(window, threads));
}

static const char *probe(const void *state) {
    const cuda_state *cuda = state;
    if (!cuda) return probe_device();
    return cuda->started && *cuda->fault ? cuda->fault : NULL;
}

static void wait_for_start(cuda_state *cuda) {
    if (cuda->starting) predt__thread_join(cuda->starter);
    cuda->starting = false;
}

static predt_status open_engine(predt_ctx *ctx, void **state) {
    if (!has_driver()) return predt__fail(ctx, PREDT_ERROR_ENGINE, "engine cuda: no CUDA device");
    cuda_state *cuda = calloc(1, sizeof *cuda);
    if (!cuda) return predt__fail(ctx, PREDT_ERROR_MEMORY, "engine cuda: out of memory");
    cuda->device = ctx->device;
    cuda->limit = ctx->gpu_memory;
    cuda->own_process = ctx->own_process;
    atomic_fetch_add(&open_states, 1);
    predt__mutex_init(&cuda->lock);
    cuda->pool.threads = ctx->threads;
    cuda->starting = predt__thread_start(&cuda->starter, start_device, cuda);
    if (!cuda->starting) start_device(cuda);
    *state = cuda;
    return PREDT_OK;
}

static void close_engine(void *state) {
    cuda_state *cuda = state;
    int before;
    if (!cuda) return;
    wait_for_start(cuda);
    bool last = atomic_fetch_sub(&open_states, 1) == 1;
    if (enter(cuda, &before) == cudaSuccess) {
        predt__pool_close(&cuda->pool);
        if (last && cuda->own_process) cudaDeviceReset(); /* cudaSetDevice would start it again */
        else cudaSetDevice(before);
    }
    predt__mutex_destroy(&cuda->lock);
    free(cuda);
}

/* ---- A query ---- */

typedef predt__gpu_query query;

static cudaError_t reserve(query *q) {
    predt__gpu_layout max = predt__gpu_max_layout(&q->shape, q->plan.rows);
    q->doing = "memory for a strip";
    return predt__pool_reserve(q->pool, q->plan.slots, max.start[PREDT__SECTIONS],
                               max.start[PREDT__UPLOADED], predt__gpu_piece_bytes(q));
}

/* Once on the device. A device without the memory gets strips of half the height, until there is
 * nothing to halve. */
static predt_status run_on_device(const cuda_state *cuda, query *q) {
    size_t free_bytes = 0, all_bytes = 0;
    q->doing = "asking for its memory";
    cudaError_t error = cudaMemGetInfo(&free_bytes, &all_bytes);
    if (error) return failed(q->ctx, cuda->device, error, q->doing);
    int64_t budget = predt__gpu_budget((int64_t)free_bytes, predt__pool_held(q->pool), cuda->limit);
    int64_t rows = (q->window->rows - 1) * q->window->step + PREDT_SUBBLOCK_ROWS;
    q->plan = predt__gpu_plan_strips(&q->shape, rows, budget, INT32_MAX);
    if (!q->plan.rows)
        return predt__fail(q->ctx, PREDT_ERROR_MEMORY,
                           "CUDA device %d: 32 rows of %d columns do not fit into %lld MiB",
                           cuda->device, (int)q->shape.width, (long long)(budget >> 20));
    for (;;) {
        error = reserve(q);
        if (!error) error = predt__gpu_run_strips(q);
        if (!error) return PREDT_OK;
        predt__pool_abandon(q->pool);
        if (error != cudaErrorMemoryAllocation || !predt__gpu_shrink(&q->plan)) break;
        q->lower[q->lowered++] = q->plan.rows;
    }
    return failed(q->ctx, cuda->device, error, q->doing);
}

/* One query at a time. */
static predt_status take_turn(cuda_state *cuda, query *q) {
    int before;
    predt__mutex_lock(&cuda->lock);
    wait_for_start(cuda);
    const char *why = probe(cuda);
    predt_status status =
        why ? predt__fail(q->ctx, PREDT_ERROR_ENGINE, "engine cuda: %s", why) : PREDT_OK;
    cudaError_t error = status == PREDT_OK ? enter(cuda, &before) : cudaSuccess;
    if (error) status = failed(q->ctx, cuda->device, error, "entering it");
    if (status == PREDT_OK) {
        status = run_on_device(cuda, q);
        cudaSetDevice(before);
    }
    predt__mutex_unlock(&cuda->lock);
    for (int i = 0; i < q->lowered; i++)
        predt__log_line(q->ctx, "CUDA device %d is out of memory: going on with strips of %d rows",
                        cuda->device, (int)q->lower[i]);
    return status;
}

static predt_status solve(predt_ctx *ctx, void *state, const predt_index *index,
                          const predt_window *window, const predt__outputs *outputs) {
    cuda_state *cuda = state;
    query q = {.ctx = ctx,
               .pool = &cuda->pool,
               .index = index,
               .window = window,
               .outputs = outputs,
               .shape = predt__gpu_shape_of(index, outputs)};
    if (outputs->encoding.values) {
        q.tallies = malloc((size_t)PREDT__GPU_SLOTS * PREDT__GPU_TALLIES * sizeof *q.tallies);
        if (!q.tallies) return predt__fail(ctx, PREDT_ERROR_MEMORY, "out of memory");
    }
    predt_status status = take_turn(cuda, &q);
    if (status == PREDT_OK && outputs->encoding.seen)
        predt__tally_add(outputs->encoding.seen, &q.tally);
    free(q.tallies);
    return status;
}

const predt__engine predt__cuda = {
    .name = "cuda",
    .summary = "an NVIDIA GPU: strips of the raster go to the device and come back while others "
               "are solved",
    .exact = 1,
    .encodes = PREDT__ENCODES_WHOLE,
    .probe = probe,
    .open = open_engine,
    .solve = solve,
    .close = close_engine,
    .suits = suits,
};
