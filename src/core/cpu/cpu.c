#define _GNU_SOURCE
#include "cpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../context.h"
#include "../parallel.h"
#include "block.h"

/* ---- Instruction sets ---- */

static bool has_portable(void) { return true; }
#ifdef PREDT__X86
static bool has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
}
#endif

static const struct {
    const char *name;
    const predt__isa *isa;
    bool (*present)(void);
} isas[] = {
#ifdef PREDT__X86
    {"avx2", &predt__isa_avx2, has_avx2},
#endif
    {"portable", &predt__isa_portable, has_portable},
};

#define ISAS ((int)(sizeof isas / sizeof isas[0]))

static int forced_isa = -1;

static int isa_at(int position) {
    for (int i = 0; i < ISAS; i++)
        if (isas[i].present() && position-- == 0) return i;
    return -1;
}

static const predt__isa *isa(void) { return isas[isa_at(forced_isa < 0 ? 0 : forced_isa)].isa; }

const char *predt__cpu_isa_name(int position) {
    int i = isa_at(position);
    return i < 0 ? NULL : isas[i].name;
}

void predt__cpu_force_isa(int position) { forced_isa = position; }

/* ---- Sweeps for the index ---- */

void predt__pack(const uint8_t *is_target, int64_t width, int rows, uint32_t *words) {
    isa()->pack(is_target, width, rows, words);
}

int64_t predt__count_targets(const uint32_t *words, int64_t width, uint32_t *starts) {
    return isa()->count_targets(words, width, starts);
}

void predt__gather_labels(const uint32_t *words, int64_t width, const void *labels,
                          predt_label_type type, void *values) {
    isa()->gather_labels(words, width, labels, type, values);
}

/* ---- The engine ---- */

const char *predt__cpu_probe(void) { return NULL; }

/* Buffers that no worker uses now, kept for the next query: getting fresh pages costs more than
 * small queries. */
typedef struct cpu_state {
    pthread_mutex_t lock;
    predt__scratch *idle;
} cpu_state;

predt_status predt__cpu_open(predt_ctx *ctx, void **state) {
    cpu_state *cpu = calloc(1, sizeof *cpu);
    if (!cpu) return predt__fail(ctx, PREDT_ERROR_MEMORY, "out of memory");
    pthread_mutex_init(&cpu->lock, NULL);
    *state = cpu;
    return PREDT_OK;
}

/* Hands out `bytes` of the memory from *used on; with memory NULL only counts. */
static void *slice(char *memory, size_t *used, size_t bytes) {
    void *start = memory ? memory + *used : NULL;
    *used += (bytes + 63) / 64 * 64;
    return start;
}

/* Lays the arrays out; returns how many bytes they take. */
static size_t lay_out(predt__scratch *s, char *memory, size_t width, bool labels) {
    size_t used = 0, room = list_room(width);
    s->above = slice(memory, &used, width * sizeof *s->above);
    s->below = slice(memory, &used, width * sizeof *s->below);
    s->words = slice(memory, &used, width * sizeof *s->words);
    s->insert = slice(memory, &used, width * sizeof *s->insert);
    s->far = slice(memory, &used, width / TILE + 1);
    s->group_above = slice(memory, &used, PREDT__GROUP * width * sizeof *s->group_above);
    s->group_below = slice(memory, &used, PREDT__GROUP * width * sizeof *s->group_below);
    s->inserted = slice(memory, &used, 32 * width * sizeof *s->inserted);
    s->lower = slice(memory, &used, 64 * room * sizeof *s->lower);
    s->upper = slice(memory, &used, 4 * room * sizeof *s->upper);
    s->death = slice(memory, &used, 2 * room * sizeof *s->death);
    s->candidates = slice(memory, &used, 2 * room * sizeof *s->candidates);
    s->squares = slice(memory, &used, (width + 24) * sizeof *s->squares);
    for (int side = 0; labels && side < 2; side++)
        s->labels[side] = slice(memory, &used, width * sizeof(label_cache_uint64_t));
    if (labels) s->label_tiles = slice(memory, &used, LABEL_ROWS * LABEL_ROW * sizeof(uint64_t));
    return used;
}

/* carry_rows fills above, below and words; take_scratch the label caches. */
int64_t predt__cpu_least_bytes(int64_t width, bool labels) {
    return width * (3 * (int64_t)sizeof(uint32_t) +
                    (labels ? 2 * (int64_t)sizeof(label_cache_uint64_t) : 0));
}

/* Less what the lists of rows that are not there would take, and the carry rows of a group that is
 * never worked out whole. */
int64_t predt__cpu_most_bytes(int64_t width, int rows, int64_t blocks, bool labels) {
    predt__scratch none;
    int64_t bytes = (int64_t)lay_out(&none, NULL, (size_t)width, labels),
            missing = PREDT_SUBBLOCK_ROWS - rows;
    bytes -= missing * (width + 2 * (int64_t)list_room((size_t)width)) * (int64_t)sizeof(int32_t);
    if (blocks <= MANY_PASSES) bytes -= 2 * PREDT__GROUP * width * (int64_t)sizeof(int32_t);
    return bytes;
}

static void free_scratch(predt__scratch *scratch) {
    munmap(scratch->memory, scratch->bytes);
    free(scratch);
}

/* One mapping for all arrays, unreserved: lists seldom grow to their limit, and pages never touched
 * cost nothing. */
static predt__scratch *allocate_scratch(int64_t width, bool labels) {
    predt__scratch *scratch = calloc(1, sizeof *scratch);
    if (!scratch) return NULL;
    scratch->width = width;
    scratch->bytes = lay_out(scratch, NULL, (size_t)width, labels);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    scratch->memory = mmap(NULL, scratch->bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (scratch->memory == MAP_FAILED) {
        free(scratch);
        return NULL;
    }
    lay_out(scratch, scratch->memory, (size_t)width, labels);
    return scratch;
}

void predt__cpu_close(void *state) {
    cpu_state *cpu = state;
    if (!cpu) return;
    for (predt__scratch *scratch = cpu->idle, *next; scratch; scratch = next) {
        next = scratch->next;
        free_scratch(scratch);
    }
    pthread_mutex_destroy(&cpu->lock);
    free(cpu);
}

static bool fits(const predt__scratch *scratch, const predt_index *index, bool labels) {
    return scratch->width == index->width && (!labels || scratch->label_tiles);
}

/* Takes the first idle buffers that fit out of the list; if `group` is not negative, only such as
 * know that group. */
static predt__scratch *take_idle(cpu_state *cpu, const predt_index *index, bool labels,
                                 int64_t group) {
    predt__scratch **link = &cpu->idle, *found;
    while ((found = *link) &&
           !(fits(found, index, labels) &&
             (group < 0 || (found->group_index == index->serial && found->group == group))))
        link = &found->next;
    if (found) *link = found->next;
    return found;
}

/* Buffers for one worker that starts in a group: idle ones, best those that know it, else new ones.
 * The label caches are emptied: they may be another index's. */
static predt__scratch *take_scratch(cpu_state *cpu, const predt_index *index, bool labels,
                                    int64_t group) {
    pthread_mutex_lock(&cpu->lock);
    predt__scratch *found = take_idle(cpu, index, labels, group);
    if (!found) found = take_idle(cpu, index, labels, -1);
    pthread_mutex_unlock(&cpu->lock);
    if (!found) found = allocate_scratch(index->width, labels);
    for (int side = 0; found && labels && side < 2; side++) /* row -1: no target's */
        memset(found->labels[side], 0xff, (size_t)index->width * sizeof(label_cache_uint64_t));
    return found;
}

/* Keeps the buffers if they are the width of the last query's, and drops those of other widths. */
static void give_scratch(cpu_state *cpu, predt__scratch *scratch) {
    pthread_mutex_lock(&cpu->lock);
    while (cpu->idle && cpu->idle->width != scratch->width) {
        predt__scratch *other = cpu->idle;
        cpu->idle = other->next;
        free_scratch(other);
    }
    scratch->next = cpu->idle;
    cpu->idle = scratch;
    pthread_mutex_unlock(&cpu->lock);
}

/* Outputs of this many pixels leave little of a cache to others, and will not be in it when they
 * are read. */
#define STREAM_PIXELS (1 << 20)

typedef struct solve {
    cpu_state *cpu;
    const predt_index *index;
    const predt_window *window;
    const predt__outputs *outputs;
    int64_t first_block;
} solve;

/* Rows of the sub-block that the window asks for, as bits. */
static uint32_t wanted_rows(const predt_window *window, int64_t first_row, int rows) {
    uint32_t wanted = 0;
    int64_t skip = first_row < window->row
                       ? window->row - first_row
                       : (window->step - (first_row - window->row) % window->step) % window->step;
    int64_t end = window->row + (window->rows - 1) * window->step - first_row;
    for (int64_t row = skip; row < rows && row <= end; row += window->step)
        wanted |= UINT32_C(1) << row;
    return wanted;
}

static void solve_one(const solve *solve, predt__scratch *scratch, int64_t number) {
    const predt_index *index = solve->index;
    const predt_window *window = solve->window;
    int64_t top = number * PREDT_SUBBLOCK_ROWS;
    uint32_t wanted = wanted_rows(window, top, predt__block_rows(index, number));
    if (!wanted) return;
    bool known = scratch->group_index == index->serial && scratch->group == number / PREDT__GROUP;
    predt__touch_block(index, number, !known);
    int first = __builtin_ctz(wanted), last = 31 - __builtin_clz(wanted);
    int64_t out_row = (top + first - window->row) / window->step;
    predt__block block = {
        .index = index,
        .number = number,
        .first_row = top + first,
        .width = (int32_t)index->width,
        .rows = last - first + 1,
        .wanted = wanted >> first,
        .words = scratch->words,
        .all_words = predt__block_words(index, number),
        .skew = first,
        .stream = window->cols * window->rows >= STREAM_PIXELS,
        .all_reached = isinf(index->metric.limit) && predt_index_targets(index) > 0,
        .above = scratch->above,
        .below = scratch->below,
        .col_begin = (int32_t)window->col,
        .col_end = (int32_t)(window->col + (window->cols - 1) * window->step + 1),
        .step = (int32_t)window->step,
        .outputs = predt__outputs_from(solve->outputs, out_row * solve->outputs->stride,
                                       index->label_type)};
    isa()->solve_block(&block, scratch);
}

static predt_status solve_some(predt__queue *queue, void *shared) {
    const solve *solve = shared;
    predt__scratch *scratch = take_scratch(solve->cpu, solve->index, solve->outputs->label != NULL,
                                           solve->first_block / PREDT__GROUP);
    if (!scratch) return PREDT_ERROR_MEMORY;
    for (int64_t item; (item = predt__take(queue)) >= 0;)
        solve_one(solve, scratch, solve->first_block + item);
    give_scratch(solve->cpu, scratch);
    return PREDT_OK;
}

predt_status predt__cpu_solve(predt_ctx *ctx, void *state, const predt_index *index,
                              const predt_window *window, const predt__outputs *outputs) {
    int64_t last_row = window->row + (window->rows - 1) * window->step;
    solve solve = {state, index, window, outputs, window->row / PREDT_SUBBLOCK_ROWS};
    int64_t blocks = last_row / PREDT_SUBBLOCK_ROWS - solve.first_block + 1;
    predt_status status = predt__parallel(ctx->threads, blocks, solve_some, &solve);
    return status == PREDT_OK
               ? status
               : predt__fail(ctx, status, "out of memory: %lld columns", (long long)index->width);
}
