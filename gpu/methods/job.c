#include "job.h"

#include <stdlib.h>
#include <string.h>

#include "parts.h"

void predt__ref_list_outputs(predt__ref_job *job) {
    const predt__outputs *o = job->outputs;
    bool label = o->label != NULL;
    predt__ref_output all[PREDT__REF_OUTPUTS] = {
        [PREDT__REF_DISTANCE] = {o->distance, sizeof(float), NULL, o->distance},
        [PREDT__REF_DISTANCE2] = {o->distance2, sizeof(double), NULL, o->distance2},
        [PREDT__REF_NEAREST_COL] = {o->nearest_col, sizeof(int32_t), NULL, o->nearest_col || label},
        [PREDT__REF_NEAREST_ROW] = {o->nearest_row, sizeof(int32_t), NULL, o->nearest_row || label},
        [PREDT__REF_DIRECTION] = {o->direction, sizeof(float), NULL, o->direction}};
    memcpy(job->output, all, sizeof all);
}

/* Raster rows from the first wanted one of a strip to the last. */
static int64_t raster_rows(const predt__ref_job *job, int64_t window_rows) {
    return (window_rows - 1) * job->window->step + 1;
}

/* ---- The device's memory ---- */

static size_t take(size_t *at, size_t bytes) {
    size_t start = *at;
    *at += (bytes + 255) / 256 * 256;
    return start;
}

/* The strip that begins at job->done; its pointers are not set yet. */
static predt__ref_strip strip_of(const predt__ref_job *job, int64_t window_rows) {
    const predt_window *window = job->window;
    predt__ref_strip strip = {.metric = job->index->metric,
                              .width = (int32_t)job->index->width,
                              .raster_height = job->index->height,
                              .first_row = window->row + job->done * window->step,
                              .rows = (int32_t)raster_rows(job, window_rows),
                              .col = (int32_t)window->col,
                              .cols = (int32_t)window->cols,
                              .step = (int32_t)window->step,
                              .wanted_rows = (int32_t)window_rows};
    memcpy(strip.setting, job->state->setting, sizeof strip.setting);
    return strip;
}

/* What stays from strip to strip comes first: its place does not depend on how many rows the strip
 * has. */
predt__ref_layout predt__ref_lay_out(const predt__ref_job *job, int64_t window_rows) {
    predt__ref_layout layout = {0};
    predt__ref_strip strip = strip_of(job, window_rows);
    predt__ref_input reads = job->method->reads;
    size_t width = (size_t)job->index->width, pixels = (size_t)(window_rows * job->window->cols),
           at = 0;
    int64_t blocks =
        reads == PREDT__REF_RASTER ? job->index->blocks : strip.rows / PREDT_SUBBLOCK_ROWS + 2;
    layout.words =
        take(&at, reads == PREDT__REF_TARGETS ? 0 : (size_t)blocks * width * sizeof(uint32_t));
    layout.targets =
        take(&at, reads == PREDT__REF_TARGETS ? (size_t)job->targets * sizeof(int2) : 0);
    layout.above = take(&at, reads == PREDT__REF_STRIP ? width * sizeof(int32_t) : 0);
    layout.below = take(&at, reads == PREDT__REF_STRIP ? width * sizeof(int32_t) : 0);
    for (int i = 0; i < PREDT__REF_OUTPUTS; i++)
        layout.output[i] = take(&at, job->output[i].wanted ? pixels * job->output[i].size : 0);
    layout.workspace = take(&at, job->method->workspace(&strip));
    layout.bytes = at;
    return layout;
}

/* Sets the strip's pointers. */
static void place(const predt__ref_job *job, const predt__ref_layout *layout,
                  predt__ref_strip *strip) {
    char *device = job->device;
    void *to[PREDT__REF_OUTPUTS];
    for (int i = 0; i < PREDT__REF_OUTPUTS; i++)
        to[i] = job->output[i].wanted ? device + layout->output[i] : NULL;
    strip->distance = to[PREDT__REF_DISTANCE];
    strip->distance2 = to[PREDT__REF_DISTANCE2];
    strip->nearest_col = to[PREDT__REF_NEAREST_COL];
    strip->nearest_row = to[PREDT__REF_NEAREST_ROW];
    strip->direction = to[PREDT__REF_DIRECTION];
    if (job->method->reads != PREDT__REF_TARGETS)
        strip->words = (const uint32_t *)(device + layout->words);
    if (job->method->reads == PREDT__REF_STRIP) {
        strip->words_row = strip->first_row / PREDT_SUBBLOCK_ROWS * PREDT_SUBBLOCK_ROWS;
        strip->above = (const int32_t *)(device + layout->above);
        strip->below = (const int32_t *)(device + layout->below);
    }
    if (job->method->reads == PREDT__REF_TARGETS)
        strip->targets = (const int2 *)(device + layout->targets);
    strip->target_count = job->targets;
}

predt__ref_strip predt__ref_strip_at(const predt__ref_job *job, const predt__ref_layout *layout,
                                     int64_t window_rows) {
    predt__ref_strip strip = strip_of(job, window_rows);
    place(job, layout, &strip);
    return strip;
}

/* The tallest strip within the limit whose allocation succeeds; the device may have less in one
 * piece than it says is free. */
cudaError_t predt__ref_allocate_device(predt__ref_job *job) {
    size_t available = 0, total = 0;
    cudaError_t error = cudaMemGetInfo(&available, &total);
    if (error != cudaSuccess) return error;
    size_t limit = available - available / 8; /* room for what others need meanwhile */
    if (job->state->memory && (size_t)job->state->memory < limit)
        limit = (size_t)job->state->memory;
    for (int64_t rows = job->window->rows;; rows = (rows + 1) / 2) {
        bool fits = raster_rows(job, rows) <= INT32_MAX / 2;
        job->strip_rows = rows;
        job->device_bytes = fits ? predt__ref_lay_out(job, rows).bytes : 0;
        fits = fits && job->device_bytes <= limit;
        error =
            fits ? cudaMalloc((void **)&job->device, job->device_bytes) : cudaErrorMemoryAllocation;
        if (error != cudaErrorMemoryAllocation || rows == 1) return error;
        cudaGetLastError();
    }
}

/* ---- The host's memory ---- */

bool predt__ref_allocate_host(predt__ref_job *job) {
    size_t width = (size_t)job->index->width,
           pixels = (size_t)(job->strip_rows * job->window->cols);
    for (int side = 0; side < 2 && job->method->reads == PREDT__REF_STRIP; side++)
        if (!(job->carry[side] = malloc(width * sizeof(int32_t)))) return false;
    for (int i = PREDT__REF_NEAREST_COL; i <= PREDT__REF_NEAREST_ROW; i++)
        if (job->output[i].wanted && !job->output[i].host &&
            !(job->output[i].found = malloc(pixels * sizeof(int32_t))))
            return false;
    if (job->method->reads != PREDT__REF_TARGETS) return true;
    if (!(job->target = malloc((size_t)(job->targets + 1) * sizeof(int2)))) return false;
    predt__ref_targets(job->index, job->target);
    return true;
}

void predt__ref_free(predt__ref_job *job) {
    cudaFree(job->device); /* waits for what is still on its way after a failure */
    for (int i = 0; i <= PREDT__REF_STEPS; i++)
        if (job->marks[i]) cudaEventDestroy(job->marks[i]);
    if (job->stream) cudaStreamDestroy(job->stream);
    for (int side = 0; side < 2; side++) free(job->carry[side]);
    for (int i = 0; i < PREDT__REF_OUTPUTS; i++) free(job->output[i].found);
    free(job->target);
}
