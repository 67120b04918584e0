/* What an index and a query of a grid take in memory, before either is made. */
#include "context.h"
#include "cpu/scratch.h"
#include "globe/solve.h"
#include "index.h"
#include "numbers.h"
#include "parallel.h"
#include "structs.h"

/* Of an index: see allocate and add_labels in index.c. */
struct parts {
    int64_t blocks, groups;
    int64_t words, carries; /* of a sub-block, of a group */
    int64_t starts;         /* of a sub-block's labels */
    int64_t heap;           /* never in a file */
};

static struct parts parts_of(const predt_grid *grid, predt_label_type labels) {
    int64_t tiles = predt__parts(grid->width, PREDT__TILE);
    struct parts parts = {.blocks = predt__parts(grid->height, PREDT_SUBBLOCK_ROWS),
                          .words = grid->width * (int64_t)sizeof(uint32_t),
                          .carries = 2 * grid->width * (int64_t)sizeof(int32_t),
                          .starts = labels ? tiles * (int64_t)sizeof(uint32_t) : 0};
    parts.groups = predt__parts(parts.blocks, PREDT__GROUP);
    parts.heap =
        parts.blocks * (int64_t)(sizeof(predt__block_state) + (labels ? sizeof(predt__labels) : 0));
    return parts;
}

/* Tables of a globe, of its rows and of the columns between two meridians. */
static int64_t globe_tables(const predt_grid *grid) {
    return grid->height * (8 * (int64_t)sizeof(double) + 3 * (int64_t)sizeof(int32_t)) +
           grid->width * 3 * (int64_t)sizeof(double);
}

/* Of a globe grid: 8 bytes for each row of a strip of columns in place of carry rows. A query has
 * all rows of its sub-strips in hand. */
static predt_memory work_out_globe(const predt_grid *grid, const struct parts *parts, int threads) {
    int64_t carries = predt__parts(grid->width, PREDT__STRIP) * grid->height * 8,
            index = parts->heap + globe_tables(grid) + carries +
                    parts->blocks * (parts->words + parts->starts),
            scratch = predt__globe_scratch_bytes(grid->height, grid->height),
            workers = predt__min(threads, predt__parts(grid->width, PREDT__TILE));
    int64_t in_use = carries + predt__min(threads, parts->blocks) * (parts->words + parts->starts);
    return (predt_memory){.size = sizeof(predt_memory),
                          .index = index + (int64_t)predt__page_bytes(),
                          .index_min = predt__min(index, parts->heap + globe_tables(grid) + in_use),
                          .query_min = workers * (scratch / 2),
                          .query_max = workers * scratch};
}

/* The sub-blocks of a group and its carry rows, on every thread: what is read between two calls of
 * predt__store_touch. */
static int64_t in_use(const struct parts *parts, int threads) {
    int64_t group = predt__min(parts->blocks, PREDT__GROUP) * (parts->words + parts->starts);
    return predt__min(threads, parts->groups) * (group + parts->carries);
}

static int64_t index_bytes(const struct parts *parts) {
    return parts->heap + parts->blocks * (parts->words + parts->starts) +
           parts->groups * parts->carries;
}

static predt_memory work_out(const predt_grid *grid, predt_label_type labels, int threads) {
    struct parts parts = parts_of(grid, labels);
    if (grid->globe) return work_out_globe(grid, &parts, threads);
    int64_t workers = predt__min(threads, parts.blocks),
            rows = predt__min(grid->height, PREDT_SUBBLOCK_ROWS), index = index_bytes(&parts);
    bool has_labels = labels != PREDT_LABEL_NONE;
    return (predt_memory){
        .size = sizeof(predt_memory),
        .index = index + (int64_t)predt__page_bytes(), /* it is rounded up to pages */
        .index_min = predt__min(index, parts.heap + in_use(&parts, threads)),
        .query_min = workers * predt__scratch_min_bytes(grid->width, has_labels),
        .query_max =
            workers * predt__scratch_max_bytes(grid->width, (int)rows, parts.blocks, has_labels)};
}

static const char *fault_of(const predt_grid *grid, predt_label_type labels, int threads) {
    predt__metric metric;
    const char *fault = grid->globe ? NULL : predt__metric_from_grid(&metric, grid);
    if (!fault && threads < 0) fault = "the number of threads is negative";
    if (!fault && !predt__is_label_type(labels)) fault = "no such label type";
    return fault;
}

static predt_status fill_needed(const predt_grid *given, predt_label_type labels, int threads,
                                predt_memory *needed) {
    predt_grid grid = PREDT_GRID_INIT(0, 0);
    predt_memory memory;
    predt_status status = PREDT__KNOWN(NULL, predt_grid, given, &grid);
    if (status == PREDT_OK) status = PREDT__KNOWN(NULL, predt_memory, needed, &memory);
    if (status != PREDT_OK) return status;
    const char *fault = fault_of(&grid, labels, threads);
    if (!fault && grid.globe) status = predt__globe_check(NULL, &grid);
    if (status != PREDT_OK) return status;
    if (fault) return predt__fail(NULL, PREDT_ERROR_ARGUMENT, "%s", fault);
    memory = work_out(&grid, labels, predt__threads_for(threads));
    predt__fill(needed, &memory, sizeof memory);
    return PREDT_OK;
}

predt_status predt_memory_needed(const predt_grid *grid, predt_label_type labels, int threads,
                                 predt_memory *needed) {
    return predt__end_call(NULL, fill_needed(grid, labels, threads, needed));
}
