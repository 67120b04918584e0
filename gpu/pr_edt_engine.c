/* Engine cuda-pr-edt, host side: a window is cut into strips whose matrices fit the device, each strip is sent, solved and
 * fetched in turn. Plain on purpose: nothing overlaps, as in the paper, whose times are those of the steps alone. */
#include <stdlib.h>
#include <string.h>

#include "../src/core/context.h"
#include "../src/core/index.h"
#include "../src/core/parallel.h"
#include "pr_edt.h"

#define MOST_ROWS 4096 /* no limit of the method; larger sub-blocks only leave the device idle */

const predt_setting predt__pr_edt_settings[] = {
    {"rows", "rows of a sub-block, the paper's R", NULL, 1, MOST_ROWS, PREDT__PR_EDT_ROWS},
    {.key = NULL},
};

static int chosen_rows;
static size_t chosen_memory;

void predt__pr_edt_rows(int rows) { chosen_rows = rows; }

void predt__pr_edt_memory(size_t bytes) { chosen_memory = bytes; }

typedef struct pr_edt_state {
    int sub_rows;
    size_t memory; /* 0: what is free */
} pr_edt_state;

const char *predt__pr_edt_probe(void) {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0) return NULL;
    cudaGetLastError(); /* a missing driver is no error of a later call */
    return "no CUDA device";
}

predt_status predt__pr_edt_open(predt_ctx *ctx, void **state) {
    pr_edt_state *opened = malloc(sizeof *opened);
    if (!opened) return predt__fail(ctx, PREDT_ERROR_MEMORY, "out of memory");
    int rows = chosen_rows > 0 ? chosen_rows : (int)predt__setting(ctx, &predt__pr_edt_settings[0]);
    *opened = (pr_edt_state){rows, chosen_memory};
    *state = opened;
    return PREDT_OK;
}

void predt__pr_edt_close(void *state) { free(state); }

/* ---- Carry rows of any row ---- */

/* The last target of each column above a row. */
static void last_above(const predt_index *index, int64_t row, int32_t *above) {
    int64_t width = index->width, block = row / PREDT_SUBBLOCK_ROWS, group = block / PREDT__GROUP;
    memcpy(above, index->above + group * width, (size_t)width * sizeof *above);
    for (int64_t b = group * PREDT__GROUP; b <= block; b++) {
        const uint32_t *words = predt__block_words(index, b);
        uint32_t wanted = b < block ? UINT32_MAX : (UINT32_C(1) << row % PREDT_SUBBLOCK_ROWS) - 1;
        for (int64_t col = 0; col < width; col++)
            if (words[col] & wanted) above[col] = (int32_t)(b * PREDT_SUBBLOCK_ROWS + 31 - __builtin_clz(words[col] & wanted));
    }
}

/* The first target of each column below a row. */
static void first_below(const predt_index *index, int64_t row, int32_t *below) {
    int64_t width = index->width, block = row / PREDT_SUBBLOCK_ROWS, group = block / PREDT__GROUP;
    int64_t end = (group + 1) * PREDT__GROUP < index->blocks ? (group + 1) * PREDT__GROUP : index->blocks;
    memcpy(below, index->below + group * width, (size_t)width * sizeof *below);
    for (int64_t b = end - 1; b >= block; b--) {
        const uint32_t *words = predt__block_words(index, b);
        uint32_t wanted = b > block ? UINT32_MAX : UINT32_MAX << row % PREDT_SUBBLOCK_ROWS << 1;
        for (int64_t col = 0; col < width; col++)
            if (words[col] & wanted) below[col] = (int32_t)(b * PREDT_SUBBLOCK_ROWS + __builtin_ctz(words[col] & wanted));
    }
}

/* ---- One solve ---- */

/* The outputs in one order, so that they can be walked through. */
enum { DISTANCE, DISTANCE2, NEAREST_COL, NEAREST_ROW, DIRECTION, OUTPUTS };

typedef struct output {
    void *host;     /* NULL: not wanted by the caller */
    size_t size;    /* of an element */
    int32_t *found; /* where only the label wants it: a strip's own copy on the host */
    bool wanted;
} output;

typedef struct pr_edt_job {
    predt_ctx *ctx;
    const pr_edt_state *state;
    const predt_index *index;
    const predt_window *window;
    const predt_outputs *outputs;
    output output[OUTPUTS];
    int64_t strip_rows; /* window rows of a strip */
    int64_t done;       /* window rows answered */
    int32_t *carry[2];  /* host: above and below */
    char *device;       /* everything on the device: one allocation */
    cudaStream_t stream;
    cudaEvent_t marks[PREDT__PR_EDT_MARKS];
    int64_t strips;
    double ms[PREDT__PR_EDT_MARKS];
} pr_edt_job;

static void list_outputs(pr_edt_job *job) {
    const predt_outputs *o = job->outputs;
    bool label = o->label != NULL;
    output all[OUTPUTS] = {[DISTANCE] = {o->distance, sizeof(float), NULL, o->distance},
                           [DISTANCE2] = {o->distance2, sizeof(double), NULL, o->distance2},
                           [NEAREST_COL] = {o->nearest_col, sizeof(int32_t), NULL, o->nearest_col || label},
                           [NEAREST_ROW] = {o->nearest_row, sizeof(int32_t), NULL, o->nearest_row || label},
                           [DIRECTION] = {o->direction, sizeof(float), NULL, o->direction}};
    memcpy(job->output, all, sizeof all);
}

static predt_status fault(const pr_edt_job *job, cudaError_t error) {
    if (error == cudaSuccess) return PREDT_OK;
    cudaGetLastError();
    if (error == cudaErrorMemoryAllocation)
        return predt__fail(job->ctx, PREDT_ERROR_MEMORY, "cuda-pr-edt: out of device memory: %lld columns",
                           (long long)job->index->width);
    return predt__fail(job->ctx, PREDT_ERROR_ENGINE, "cuda-pr-edt: %s", cudaGetErrorString(error));
}

/* Raster rows from the first wanted one of a strip to the last. */
static int64_t raster_rows(const pr_edt_job *job, int64_t window_rows) { return (window_rows - 1) * job->window->step + 1; }

/* Where things lie in the device allocation. */
typedef struct device_layout {
    size_t words, above, below, output[OUTPUTS], workspace, bytes;
} device_layout;

static size_t take(size_t *at, size_t bytes) {
    size_t start = *at;
    *at += (bytes + 255) / 256 * 256;
    return start;
}

static device_layout lay_out(const pr_edt_job *job, int64_t window_rows) {
    device_layout layout = {0};
    int64_t rows = raster_rows(job, window_rows);
    size_t width = (size_t)job->index->width, pixels = (size_t)(window_rows * job->window->cols), at = 0;
    layout.words = take(&at, (size_t)(rows / PREDT_SUBBLOCK_ROWS + 2) * width * sizeof(uint32_t));
    layout.above = take(&at, width * sizeof(int32_t));
    layout.below = take(&at, width * sizeof(int32_t));
    for (int i = 0; i < OUTPUTS; i++) layout.output[i] = take(&at, job->output[i].wanted ? pixels * job->output[i].size : 0);
    layout.workspace = take(&at, predt__pr_edt_workspace((int32_t)width, (int32_t)rows, job->state->sub_rows));
    layout.bytes = at;
    return layout;
}

/* ---- Labels ---- */

typedef struct label_job {
    const pr_edt_job *job;
    int64_t first; /* window row */
} label_job;

static const int32_t *found_row(const pr_edt_job *job, int which, int64_t first, int64_t row) {
    const output *o = &job->output[which];
    return o->host ? (const int32_t *)o->host + (first + row) * job->outputs->stride : o->found + row * job->window->cols;
}

static void label_row(const pr_edt_job *job, int64_t first, int64_t row) {
    const int32_t *cols = found_row(job, NEAREST_COL, first, row), *rows = found_row(job, NEAREST_ROW, first, row);
    int64_t at = (first + row) * job->outputs->stride;
    uint64_t label = job->outputs->no_label;
    for (int64_t i = 0; i < job->window->cols; i++) {
        bool same = i > 0 && cols[i] == cols[i - 1] && rows[i] == rows[i - 1];
        if (!same) label = cols[i] < 0 ? job->outputs->no_label : predt__label_at(job->index, cols[i], rows[i]);
        if (job->index->label_type == PREDT_LABEL_32) ((uint32_t *)job->outputs->label)[at + i] = (uint32_t)label;
        else ((uint64_t *)job->outputs->label)[at + i] = label;
    }
}

static predt_status label_some(predt__queue *queue, void *shared) {
    const label_job *labels = shared;
    for (int64_t row; (row = predt__take(queue)) >= 0;) label_row(labels->job, labels->first, row);
    return PREDT_OK;
}

/* The paper has no labels: they are found on the host, from the targets that the device found. */
static predt_status label_strip(const pr_edt_job *job, int64_t window_rows) {
    if (!job->outputs->label) return PREDT_OK;
    label_job labels = {job, job->done};
    return predt__parallel(job->ctx->threads, window_rows, label_some, &labels);
}

/* ---- One strip ---- */

static predt__pr_edt_strip strip_of(const pr_edt_job *job, const device_layout *layout, int64_t window_rows) {
    const predt_window *window = job->window;
    char *device = job->device;
    void *to[OUTPUTS];
    for (int i = 0; i < OUTPUTS; i++) to[i] = job->output[i].wanted ? device + layout->output[i] : NULL;
    return (predt__pr_edt_strip){.metric = job->index->metric,
                                 .width = (int32_t)job->index->width,
                                 .raster_height = job->index->height,
                                 .first_row = window->row + job->done * window->step,
                                 .rows = (int32_t)raster_rows(job, window_rows),
                                 .sub_rows = job->state->sub_rows,
                                 .words = (const uint32_t *)(device + layout->words),
                                 .above = (const int32_t *)(device + layout->above),
                                 .below = (const int32_t *)(device + layout->below),
                                 .col = (int32_t)window->col,
                                 .cols = (int32_t)window->cols,
                                 .step = (int32_t)window->step,
                                 .wanted_row = 0,
                                 .wanted_rows = (int32_t)window_rows,
                                 .distance = to[DISTANCE],
                                 .distance2 = to[DISTANCE2],
                                 .nearest_col = to[NEAREST_COL],
                                 .nearest_row = to[NEAREST_ROW],
                                 .direction = to[DIRECTION]};
}

static cudaError_t send(const pr_edt_job *job, const predt__pr_edt_strip *strip) {
    const predt_index *index = job->index;
    int64_t last = strip->first_row + strip->rows - 1;
    int64_t block = strip->first_row / PREDT_SUBBLOCK_ROWS, blocks = last / PREDT_SUBBLOCK_ROWS - block + 1;
    size_t row = (size_t)index->width * sizeof(uint32_t);
    last_above(index, strip->first_row, job->carry[0]);
    first_below(index, last, job->carry[1]);
    cudaError_t error = cudaMemcpyAsync((void *)strip->words, predt__block_words(index, block), (size_t)blocks * row,
                                        cudaMemcpyHostToDevice, job->stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync((void *)strip->above, job->carry[0], row, cudaMemcpyHostToDevice, job->stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync((void *)strip->below, job->carry[1], row, cudaMemcpyHostToDevice, job->stream);
    return error;
}

static cudaError_t fetch(const pr_edt_job *job, const device_layout *layout, int64_t window_rows) {
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

static cudaError_t add_times(pr_edt_job *job) {
    for (int mark = 1; mark < PREDT__PR_EDT_MARKS; mark++) {
        float ms;
        cudaError_t error = cudaEventElapsedTime(&ms, job->marks[mark - 1], job->marks[mark]);
        if (error != cudaSuccess) return error;
        job->ms[mark] += ms;
    }
    job->strips++;
    return cudaSuccess;
}

static predt_status solve_strip(pr_edt_job *job, int64_t window_rows) {
    device_layout layout = lay_out(job, window_rows);
    predt__pr_edt_strip strip = strip_of(job, &layout, window_rows);
    cudaError_t error = send(job, &strip);
    if (error == cudaSuccess) error = predt__pr_edt_run(&strip, job->device + layout.workspace, job->stream, job->marks);
    if (error == cudaSuccess) error = fetch(job, &layout, window_rows);
    if (error == cudaSuccess) error = add_times(job);
    return error == cudaSuccess ? label_strip(job, window_rows) : fault(job, error);
}

/* ---- All strips ---- */

/* The tallest strip whose allocation succeeds; the device may have less in one piece than it says is free. */
static cudaError_t allocate_device(pr_edt_job *job) {
    size_t available = 0, total = 0;
    cudaError_t error = cudaMemGetInfo(&available, &total);
    if (error != cudaSuccess) return error;
    size_t limit = available - available / 8; /* room for what others need meanwhile */
    if (job->state->memory && job->state->memory < limit) limit = job->state->memory;
    int64_t rows = job->window->rows;
    while (rows > 1 && (raster_rows(job, rows) > INT32_MAX / 2 || lay_out(job, rows).bytes > limit)) rows = (rows + 1) / 2;
    for (;; rows = (rows + 1) / 2) {
        job->strip_rows = rows;
        error = cudaMalloc((void **)&job->device, lay_out(job, rows).bytes);
        if (error != cudaErrorMemoryAllocation || rows == 1) return error;
        cudaGetLastError();
    }
}

static bool allocate_host(pr_edt_job *job) {
    size_t width = (size_t)job->index->width, pixels = (size_t)(job->strip_rows * job->window->cols);
    for (int side = 0; side < 2; side++)
        if (!(job->carry[side] = malloc(width * sizeof(int32_t)))) return false;
    for (int i = NEAREST_COL; i <= NEAREST_ROW; i++)
        if (job->output[i].wanted && !job->output[i].host && !(job->output[i].found = malloc(pixels * sizeof(int32_t))))
            return false;
    return true;
}

static predt_status prepare(pr_edt_job *job) {
    cudaError_t error = cudaStreamCreateWithFlags(&job->stream, cudaStreamNonBlocking);
    for (int i = 0; i < PREDT__PR_EDT_MARKS && error == cudaSuccess; i++) error = cudaEventCreate(&job->marks[i]);
    if (error == cudaSuccess) error = allocate_device(job);
    if (error != cudaSuccess) return fault(job, error);
    return allocate_host(job) ? PREDT_OK : predt__fail(job->ctx, PREDT_ERROR_MEMORY, "out of memory");
}

static void clean_up(pr_edt_job *job) {
    for (int side = 0; side < 2; side++) free(job->carry[side]);
    for (int i = 0; i < OUTPUTS; i++) free(job->output[i].found);
    cudaFree(job->device);
    for (int i = 0; i < PREDT__PR_EDT_MARKS; i++)
        if (job->marks[i]) cudaEventDestroy(job->marks[i]);
    if (job->stream) cudaStreamDestroy(job->stream);
}

static void report(const pr_edt_job *job) {
    predt__tell(
        job->ctx,
        "cuda-pr-edt: sub-blocks of %d rows, %lld strips; candidates %.3f ms, proximate sets %.3f ms, distances %.3f ms; %zu "
        "bytes on the device",
        job->state->sub_rows, (long long)job->strips, job->ms[PREDT__PR_EDT_CANDIDATES], job->ms[PREDT__PR_EDT_SETS],
        job->ms[PREDT__PR_EDT_DISTANCES], lay_out(job, job->strip_rows).bytes);
}

predt_status predt__pr_edt_solve(predt_ctx *ctx, void *state, const predt_index *index, const predt_window *window,
                                 const predt_outputs *outputs) {
    pr_edt_job job = {.ctx = ctx, .state = state, .index = index, .window = window, .outputs = outputs};
    list_outputs(&job);
    predt_status status = prepare(&job);
    while (status == PREDT_OK && job.done < window->rows) {
        int64_t rows = window->rows - job.done < job.strip_rows ? window->rows - job.done : job.strip_rows;
        status = solve_strip(&job, rows);
        job.done += rows;
    }
    if (status == PREDT_OK) report(&job);
    clean_up(&job);
    return status;
}
