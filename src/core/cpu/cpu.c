#include "cpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../context.h"
#include "../parallel.h"
#include "block.h"

/* ---- Instruction sets ---- */

static bool has_portable(void) { return true; }
#ifdef PREDT__X86
static bool has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
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

#define GATHER(type)                                                                                            \
    do {                                                                                                        \
        type *next = values;                                                                                    \
        for (int64_t col = 0; col < width; col++)                                                               \
            for (uint32_t word = words[col]; word; word &= word - 1)                                            \
                *next++ = ((const type *)labels)[__builtin_ctz(word) * width + col];                            \
    } while (0)

void predt__gather_labels(const uint32_t *words, int64_t width, const void *labels, predt_label_type type, void *values) {
    if (type == PREDT_LABEL_32) GATHER(uint32_t);
    else GATHER(uint64_t);
}

/* ---- The engine ---- */

const char *predt__cpu_probe(void) { return NULL; }

typedef struct solve {
    const predt_index *index;
    const predt_window *window;
    const predt_outputs *outputs;
    int64_t first_block;
} solve;

static void free_scratch(predt__scratch *scratch) {
    void *all[] = {scratch->above,       scratch->below,       scratch->words,       scratch->insert, scratch->far, scratch->label_rank,
                   scratch->above_label, scratch->below_label, scratch->label_known, scratch->inserted,
                   scratch->lower,       scratch->upper,       scratch->death};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
}

/* Most of these are touched only as far as lists grow: untouched pages cost nothing. */
static bool allocate_scratch(predt__scratch *scratch, int64_t width, bool labels) {
    size_t w = (size_t)width, room = w + 8;
    bool ok = (scratch->above = malloc(w * sizeof(int32_t))) && (scratch->below = malloc(w * sizeof(int32_t))) &&
              (scratch->words = malloc(w * sizeof(uint32_t))) && (scratch->insert = malloc(w * sizeof(uint32_t))) &&
              (scratch->far = malloc(w / TILE + 1)) && (scratch->inserted = malloc(32 * w * sizeof(int32_t))) &&
              (scratch->lower = malloc(64 * room * sizeof(int32_t))) && (scratch->upper = malloc(4 * room * sizeof(int32_t))) &&
              (scratch->death = malloc(2 * room * sizeof(int32_t)));
    if (!ok || !labels) return ok;
    return (scratch->label_rank = malloc(w * sizeof(uint32_t))) && (scratch->above_label = malloc(w * sizeof(uint64_t))) &&
           (scratch->below_label = malloc(w * sizeof(uint64_t))) && (scratch->label_known = malloc(w));
}

/* Rows of the sub-block that the window asks for, as bits. */
static uint32_t wanted_rows(const predt_window *window, int64_t first_row, int rows) {
    uint32_t wanted = 0;
    int64_t skip = first_row < window->row ? window->row - first_row : (window->step - (first_row - window->row) % window->step) % window->step;
    int64_t end = window->row + (window->rows - 1) * window->step - first_row;
    for (int64_t row = skip; row < rows && row <= end; row += window->step) wanted |= UINT32_C(1) << row;
    return wanted;
}

/* Carry rows relative to the first of the rows [first, last] of the sub-block, with its other rows' targets counted in. */
static void relative_carries(const predt__block *block, predt__scratch *scratch, const uint32_t *words, int first, int last) {
    uint32_t before = first ? UINT32_MAX >> (32 - first) : 0, after = last < 31 ? UINT32_MAX << (last + 1) : 0;
    int64_t base = block->first_row;
    predt__block_carries(block->index, block->number, scratch->above, scratch->below);
    for (int32_t col = 0; col < block->width; col++) {
        int32_t above = scratch->above[col], below = scratch->below[col];
        above = above == PREDT__NO_ROW_ABOVE ? NONE_ABOVE : (int32_t)(above - base);
        below = below == PREDT__NO_ROW_BELOW ? NONE_BELOW : (int32_t)(below - base);
        if (words[col] & before) above = 31 - __builtin_clz(words[col] & before) - first;
        if (words[col] & after) below = __builtin_ctz(words[col] & after) - first;
        scratch->above[col] = above;
        scratch->below[col] = below;
        scratch->words[col] = words[col] >> first & (UINT32_MAX >> (31 - (last - first)));
    }
}

static void move_outputs(predt_outputs *outputs, int64_t pixels, predt_label_type label_type) {
    if (outputs->distance) outputs->distance += pixels;
    if (outputs->distance2) outputs->distance2 += pixels;
    if (outputs->label) outputs->label = (char *)outputs->label + pixels * (int64_t)label_type;
    if (outputs->nearest_col) outputs->nearest_col += pixels;
    if (outputs->nearest_row) outputs->nearest_row += pixels;
    if (outputs->direction) outputs->direction += pixels;
}

static void solve_one(const solve *solve, predt__scratch *scratch, int64_t number) {
    const predt_index *index = solve->index;
    const predt_window *window = solve->window;
    int64_t top = number * PREDT_SUBBLOCK_ROWS;
    uint32_t wanted = wanted_rows(window, top, predt__block_rows(index, number));
    if (!wanted) return;
    int first = __builtin_ctz(wanted), last = 31 - __builtin_clz(wanted);
    predt__block block = {.index = index,
                          .number = number,
                          .first_row = top + first,
                          .width = (int32_t)index->width,
                          .rows = last - first + 1,
                          .wanted = wanted >> first,
                          .words = scratch->words,
                          .above = scratch->above,
                          .below = scratch->below,
                          .col_begin = (int32_t)window->col,
                          .col_end = (int32_t)(window->col + (window->cols - 1) * window->step + 1),
                          .step = (int32_t)window->step,
                          .outputs = *solve->outputs};
    relative_carries(&block, scratch, predt__block_words(index, number), first, last);
    move_outputs(&block.outputs, (block.first_row - window->row) / window->step * block.outputs.stride, index->label_type);
    isa()->solve_block(&block, scratch);
}

static predt_status solve_some(predt__queue *queue, void *shared) {
    const solve *solve = shared;
    predt__scratch scratch = {NULL};
    predt_status status = PREDT_ERROR_MEMORY;
    if (allocate_scratch(&scratch, solve->index->width, solve->outputs->label != NULL)) {
        status = PREDT_OK;
        for (int64_t item; (item = predt__take(queue)) >= 0;) solve_one(solve, &scratch, solve->first_block + item);
    }
    free_scratch(&scratch);
    return status;
}

predt_status predt__cpu_solve(predt_ctx *ctx, void *state, const predt_index *index, const predt_window *window,
                              const predt_outputs *outputs) {
    (void)state;
    int64_t last_row = window->row + (window->rows - 1) * window->step;
    solve solve = {index, window, outputs, window->row / PREDT_SUBBLOCK_ROWS};
    int64_t blocks = last_row / PREDT_SUBBLOCK_ROWS - solve.first_block + 1;
    predt_status status = predt__parallel(ctx->threads, blocks, solve_some, &solve);
    return status == PREDT_OK ? status : predt__fail(ctx, status, "out of memory: %lld columns", (long long)index->width);
}
