/* What an index and a query of a grid take in memory, before either is made. */
#include <unistd.h>

#include "context.h"
#include "cpu/cpu.h"
#include "index.h"
#include "narrow.h"
#include "parallel.h"
#include "structs.h"

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Of an index: see allocate and add_labels in index.c. */
typedef struct parts {
    int64_t blocks, groups;
    int64_t words, carries; /* of a sub-block, of a group */
    int64_t starts;         /* of a sub-block's labels */
    int64_t heap;           /* never in a file */
} parts;

static parts parts_of(const predt_grid *grid, predt_label_type labels) {
    parts p = {.blocks = (grid->height + PREDT_SUBBLOCK_ROWS - 1) / PREDT_SUBBLOCK_ROWS,
               .words = grid->width * (int64_t)sizeof(uint32_t),
               .carries = 2 * grid->width * (int64_t)sizeof(int32_t)};
    p.groups = (p.blocks + PREDT__GROUP - 1) / PREDT__GROUP;
    p.starts =
        labels ? (grid->width + PREDT__TILE - 1) / PREDT__TILE * (int64_t)sizeof(uint32_t) : 0;
    p.heap = p.blocks * (int64_t)(1 + (labels ? sizeof(predt__labels) : 0));
    return p;
}

/* The sub-blocks of a group and its carry rows, on every thread: what is read between two calls of
 * predt__store_touch. */
static int64_t in_use(const parts *p, int threads) {
    int64_t at_once = least(threads, p->groups);
    return at_once * (least(p->blocks, PREDT__GROUP) * (p->words + p->starts) + p->carries);
}

static predt_memory work_out(const predt_grid *grid, predt_label_type labels, int threads) {
    parts p = parts_of(grid, labels);
    predt_window all = PREDT_WINDOW_INIT(0, 0, grid->width, grid->height, 1);
    int64_t workers = least(threads, p.blocks), rows = least(grid->height, PREDT_SUBBLOCK_ROWS);
    int64_t room = predt__narrow_rows(&all, grid->width, threads) * grid->width;
    predt_memory known = PREDT_MEMORY_INIT;
    known.index = p.heap + p.blocks * (p.words + p.starts) + p.groups * p.carries;
    known.index_min = least(known.index, p.heap + in_use(&p, threads));
    known.index += sysconf(_SC_PAGESIZE); /* and is rounded up to it */
    known.query_min = workers * predt__cpu_least_bytes(grid->width, labels != PREDT_LABEL_NONE);
    known.query_max = workers * predt__cpu_most_bytes(grid->width, (int)rows, p.blocks,
                                                      labels != PREDT_LABEL_NONE);
    known.whole = room * (int64_t)sizeof(double);
    known.short_labels = room * (int64_t)labels;
    return known;
}

static predt_status tell_needed(const predt_grid *given, predt_label_type labels, int threads,
                                predt_memory *needed) {
    predt_grid grid = PREDT_GRID_INIT(0, 0);
    predt_memory memory;
    predt__metric metric;
    predt_status status = PREDT__KNOWN(NULL, predt_grid, given, &grid);
    if (status == PREDT_OK) status = PREDT__KNOWN(NULL, predt_memory, needed, &memory);
    if (status != PREDT_OK) return status;
    const char *fault = predt__metric_from_grid(&metric, &grid);
    if (!fault && threads < 0) fault = "the number of threads is negative";
    if (!fault && !predt__is_label_type(labels)) fault = "no such label type";
    if (fault) return predt__fail(NULL, PREDT_ERROR_ARGUMENT, "%s", fault);
    memory = work_out(&grid, labels, predt__threads_for(threads));
    predt__fill(needed, &memory, sizeof memory);
    return PREDT_OK;
}

predt_status predt_memory_needed(const predt_grid *grid, predt_label_type labels, int threads,
                                 predt_memory *needed) {
    return predt__end_call(NULL, tell_needed(grid, labels, threads, needed));
}
