/* From a strip to the job that the kernels are told, with its arrays laid out in the workspace. */
#ifndef PREDT__GPU_WORKSPACE_CUH
#define PREDT__GPU_WORKSPACE_CUH

#include <float.h>

#include "near_keys.cuh"

#define ALIGNMENT 256

/* Takes the next array of a workspace; with no workspace only *used moves on. */
static inline void *take_array(void *workspace, size_t *used, size_t count, size_t size) {
    size_t at = *used;
    *used += (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return workspace ? (char *)workspace + at : NULL;
}

/* What the kernels before the lists fill. */
static inline void place_columns(strip_job *job, void *workspace, size_t *used) {
    size_t width = (size_t)job->strip.width, blocks = (size_t)job->blocks,
           tiles = (size_t)job->tiles, segments = (size_t)job->segments;
    size_t chunks = (size_t)job->chunks * width, columns = blocks * width;
    job->last = (int32_t *)take_array(workspace, used, chunks, sizeof *job->last);
    job->first = (int32_t *)take_array(workspace, used, chunks, sizeof *job->first);
    job->above = (int32_t *)take_array(workspace, used, columns, sizeof *job->above);
    job->below = (int32_t *)take_array(workspace, used, columns, sizeof *job->below);
    size_t rank_rows = job->strip.label_size ? blocks * tiles * BLOCK_ROWS : 0;
    job->ranks = (rank_row *)take_array(workspace, used, rank_rows, sizeof *job->ranks);
    size_t far_words = blocks * (BLOCK_ROWS * segments + 1);
    job->far = (uint32_t *)take_array(workspace, used, far_words, sizeof *job->far);
    job->far_blocks = job->far + blocks * BLOCK_ROWS * segments; /* to be set together */
}

/* The lists, and what leads to them. */
static inline void place_lists(strip_job *job, void *workspace, size_t *used) {
    size_t width = (size_t)job->strip.width, blocks = (size_t)job->blocks;
    size_t kept = blocks * (size_t)job->tiles, parts = blocks * (size_t)job->parts,
           ends = blocks * BLOCK_ROWS * ((size_t)job->segments + 1);
    job->kept_above = (uint32_t *)take_array(workspace, used, kept, sizeof *job->kept_above);
    job->kept_below = (uint32_t *)take_array(workspace, used, kept, sizeof *job->kept_below);
    job->runs = job->kept_below;
    job->part_counts = (int32_t *)take_array(workspace, used, parts, sizeof *job->part_counts);
    job->count = (int32_t *)take_array(workspace, used, blocks, sizeof *job->count);
    job->lists = (list_entry *)take_array(workspace, used, blocks * width, sizeof *job->lists);
    job->ends = (owner_range *)take_array(workspace, used, ends, sizeof *job->ends);
}

/* Lays the arrays of a strip out in the workspace; returns how many bytes they take. */
static inline size_t place_arrays(strip_job *job, void *workspace) {
    size_t used = 0;
    place_columns(job, workspace, &used);
    place_lists(job, workspace, &used);
    return used;
}

static inline strip_job job_of(const predt__gpu_strip *strip) {
    strip_job job = {};
    job.strip = *strip;
    job.blocks = (strip->rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
    job.chunks = (job.blocks + CHUNK - 1) / CHUNK;
    job.tiles = strip->width / TILE + (strip->width % TILE != 0);
    job.segments = strip->width / SEGMENT + (strip->width % SEGMENT != 0);
    job.parts = (job.tiles + PART_TILES - 1) / PART_TILES;
    job.near = plan_near(&strip->metric);
    job.owners = strip->label || strip->nearest_col || strip->nearest_row || strip->direction;
    job.aligned = strip->width % 4 == 0 && (uintptr_t)strip->distance % 16 == 0 &&
                  (uintptr_t)strip->label % 16 == 0;
    job.limit = strip->metric.limit < DBL_MAX ? strip->metric.limit : DBL_MAX;
    job.whole_limit = job.limit < INT32_MAX - 1 ? (int32_t)job.limit : INT32_MAX - 1;
    job.float_limit = strip->metric.unit == 1.0 ? EXACT_FLOAT : -1;
    return job;
}

#endif
