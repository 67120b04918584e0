/* An index is created, filled strip by strip with words and labels, and sealed with carry rows. */
#include "index.h"

#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "context.h"
#include "numbers.h"
#include "structs.h"

#define CACHE_LINE 64 /* bytes; each array starts one */

/* Of both carries of a plane's or a globe's index. */
static int64_t carry_bytes(const predt_index *index) {
    int64_t groups = predt__parts(index->blocks, PREDT__GROUP),
            row = groups * index->width * (int64_t)sizeof(int32_t);
    return index->globe ? predt__carries_bytes(index->globe) : 2 * predt__round_up(row, CACHE_LINE);
}

/* The large arrays lie together: all of them in memory, or all in a file. */
static predt_status allocate_rows(predt_index *index) {
    predt_status status;
    int64_t pixels = index->blocks * index->width, carries = carry_bytes(index),
            words = predt__round_up(pixels * (int64_t)sizeof(uint32_t), CACHE_LINE);
    char *memory = predt__store_take(index->store, (size_t)(words + carries), &status);
    if (!memory) return status;
    index->words = (uint32_t *)memory;
    if (index->globe) predt__carries_place(&index->carries, index->globe, memory + words);
    else {
        index->above = (int32_t *)(memory + words);
        index->below = (int32_t *)(memory + words + carries / 2);
    }
    return PREDT_OK;
}

static predt_status allocate(predt_index *index) {
    size_t blocks = (size_t)index->blocks;
    bool has_labels = index->label_type != PREDT_LABEL_NONE;
    index->store = predt__store_new(index->ctx);
    index->states = calloc(blocks, sizeof *index->states);
    index->labels = has_labels ? calloc(blocks, sizeof *index->labels) : NULL;
    if (!index->store || !index->states || (has_labels && !index->labels))
        return predt__out_of_memory(index->ctx);
    return allocate_rows(index);
}

/* With "auto" a device that would answer all of this raster starts now, while the index is
 * filled. */
static void look_ahead(const predt_index *index) {
    predt_window whole = PREDT_WINDOW_INIT(0, 0, index->width, index->height, 1);
    predt__engine_for(index->ctx, index, &whole);
}

/* NULL: out of memory. */
static predt_index *new_index(predt_ctx *ctx, const predt_grid *grid, predt_label_type labels,
                              const predt__metric *metric) {
    predt_index *index = calloc(1, sizeof *index);
    if (!index) return NULL;
    index->ctx = ctx;
    index->serial = predt__new_serial();
    index->grid = *grid;
    index->grid.globe = NULL; /* it is the caller's */
    index->metric = *metric;
    index->label_type = labels;
    index->width = grid->width;
    index->height = grid->height;
    index->blocks = predt__parts(grid->height, PREDT_SUBBLOCK_ROWS);
    return index;
}

/* How the grid is measured: its metric, or its globe. */
static predt_status measure(predt_ctx *ctx, const predt_grid *grid, predt_label_type labels,
                            predt__metric *metric, predt__globe **globe) {
    *metric = (predt__metric){.limit = grid->max_distance};
    *globe = NULL;
    const char *fault = grid->globe ? NULL : predt__metric_from_grid(metric, grid);
    if (!fault && !predt__is_label_type(labels)) fault = "no such label type";
    if (fault) return predt__fail(ctx, PREDT_ERROR_ARGUMENT, "%s", fault);
    return grid->globe ? predt__globe_new(ctx, grid, globe) : PREDT_OK;
}

static predt_status create(predt_ctx *ctx, const predt_grid *given, predt_label_type labels,
                           predt_index **out) {
    predt_grid grid = PREDT_GRID_INIT(0, 0);
    predt__metric metric;
    predt__globe *globe = NULL;
    predt_status status = PREDT__KNOWN(ctx, predt_grid, given, &grid);
    if (status == PREDT_OK) status = measure(ctx, &grid, labels, &metric, &globe);
    if (status != PREDT_OK) return status;
    predt_index *index = *out = new_index(ctx, &grid, labels, &metric);
    if (index) index->globe = globe;
    else predt__globe_free(globe);
    status = index ? allocate(index) : predt__out_of_memory(ctx);
    if (status == PREDT_OK) look_ahead(index);
    else predt_index_destroy(out);
    return status;
}

predt_status predt_index_create(predt_ctx *ctx, const predt_grid *grid, predt_label_type labels,
                                predt_index **out) {
    *out = NULL;
    return predt__end_call(ctx, create(ctx, grid, labels, out));
}

/* ---- Adding ---- */

static const char *strip_fault(const predt_index *index, int64_t row, int32_t rows) {
    if (index->sealed) return "rows added to a sealed index";
    if (row < 0 || rows < 1 || row + rows > index->height)
        return "the strip lies outside the raster";
    if (row % PREDT_SUBBLOCK_ROWS != 0 ||
        (rows % PREDT_SUBBLOCK_ROWS != 0 && row + rows != index->height))
        return "the strip is not a whole number of sub-blocks";
    return NULL;
}

static predt_status add_labels(predt_index *index, int64_t block, const void *labels,
                               int64_t *count) {
    predt_status status;
    const uint32_t *words = predt__block_words(index, block);
    size_t tiles = (size_t)predt__parts(index->width, PREDT__TILE);
    uint32_t *starts = predt__store_take(index->store, tiles * sizeof *starts, &status);
    if (!starts) return status;
    *count = predt__bits_count(words, index->width, starts);
    size_t bytes = (size_t)(*count + PREDT__LABEL_PADDING) * (size_t)index->label_type;
    void *values = predt__store_take(index->store, bytes, &status);
    if (!values) return status;
    predt__bits_gather(words, index->width, labels, index->label_type, values);
    index->labels[block] = (predt__labels){values, starts};
    predt__store_touch(index->store, (int64_t)(bytes + tiles * sizeof *starts));
    return PREDT_OK;
}

static predt_status add_block(predt_index *index, int64_t block, const uint8_t *is_target,
                              const void *labels) {
    if (atomic_exchange(&index->states[block].added, true))
        return predt__fail(index->ctx, PREDT_ERROR_ARGUMENT, "rows added twice");
    uint32_t *words = index->words + block * index->width;
    predt__bits_pack(is_target, index->width, predt__block_rows(index, block), words);
    int64_t count = 0;
    predt_status status = PREDT_OK;
    if (index->label_type) status = add_labels(index, block, labels, &count);
    else count = predt__bits_count(words, index->width, NULL);
    if (status != PREDT_OK) return status;
    if (index->globe)
        predt__carries_add(&index->carries, index->globe, words, index->width, block,
                           predt__block_rows(index, block));
    predt__store_touch(index->store, index->width * (int64_t)sizeof *words);
    atomic_fetch_add(&index->targets, count);
    atomic_fetch_add(&index->blocks_added, 1);
    return PREDT_OK;
}

/* An engine that was named may have turned out not to run: reading on would be in vain. */
static predt_status check_engine(predt_ctx *ctx) {
    const predt__engine *engine = ctx->engine;
    const char *why = engine->probe && ctx->engine_state ? engine->probe(ctx->engine_state) : NULL;
    return why ? predt__fail(ctx, PREDT_ERROR_ENGINE, "engine %s: %s", engine->name, why)
               : PREDT_OK;
}

static predt_status add(predt_index *index, int64_t row, int32_t rows, const uint8_t *is_target,
                        const char *labels) {
    const char *fault = strip_fault(index, row, rows);
    if (!fault && index->label_type && !labels)
        fault = "the index takes labels and none were given";
    if (fault) return predt__fail(index->ctx, PREDT_ERROR_ARGUMENT, "%s", fault);
    predt_status status = check_engine(index->ctx);
    for (int64_t done = 0; done < rows && status == PREDT_OK; done += PREDT_SUBBLOCK_ROWS) {
        int64_t pixel = done * index->width;
        const char *block_labels = labels ? labels + pixel * (int64_t)index->label_type : NULL;
        status =
            add_block(index, (row + done) / PREDT_SUBBLOCK_ROWS, is_target + pixel, block_labels);
    }
    return status;
}

predt_status predt_index_add(predt_index *index, int64_t row, int32_t rows,
                             const uint8_t *is_target, const void *labels) {
    return predt__end_call(index->ctx, add(index, row, rows, is_target, labels));
}

int64_t predt_index_targets(const predt_index *index) { return index->targets; }

/* ---- Sealing ---- */

/* Moves an upper carry row past one sub-block. */
static void roll_down(predt_index *index, int32_t *above, int64_t block) {
    const uint32_t *words = predt__block_words(index, block);
    int64_t width = index->width, first_row = block * PREDT_SUBBLOCK_ROWS;
    predt__store_touch(index->store, width * (int64_t)sizeof *words);
    for (int64_t col = 0; col < width; col++)
        if (words[col]) above[col] = (int32_t)(first_row + 31 - __builtin_clz(words[col]));
}

/* Moves a lower carry row past one sub-block, upwards. */
static void roll_up(predt_index *index, int32_t *below, int64_t block) {
    const uint32_t *words = predt__block_words(index, block);
    int64_t width = index->width, first_row = block * PREDT_SUBBLOCK_ROWS;
    predt__store_touch(index->store, width * (int64_t)sizeof *words);
    for (int64_t col = 0; col < width; col++)
        if (words[col]) below[col] = (int32_t)(first_row + __builtin_ctz(words[col]));
}

static void carry_down(predt_index *index) {
    int64_t width = index->width;
    for (int64_t col = 0; col < width; col++) index->above[col] = PREDT__NO_ROW_ABOVE;
    for (int64_t group = 1; group * PREDT__GROUP < index->blocks; group++) {
        int32_t *row = index->above + group * width;
        predt__store_touch(index->store, 2 * width * (int64_t)sizeof *row);
        memcpy(row, row - width, (size_t)width * sizeof *row);
        for (int64_t block = (group - 1) * PREDT__GROUP; block < group * PREDT__GROUP; block++)
            roll_down(index, row, block);
    }
}

static void carry_up(predt_index *index) {
    int64_t width = index->width, last = (index->blocks - 1) / PREDT__GROUP;
    for (int64_t col = 0; col < width; col++)
        index->below[last * width + col] = PREDT__NO_ROW_BELOW;
    for (int64_t group = last - 1; group >= 0; group--) {
        int32_t *row = index->below + group * width;
        predt__store_touch(index->store, 2 * width * (int64_t)sizeof *row);
        memcpy(row, row + width, (size_t)width * sizeof *row);
        int64_t end = predt__min((group + 2) * PREDT__GROUP, index->blocks);
        for (int64_t block = end - 1; block >= (group + 1) * PREDT__GROUP; block--)
            roll_up(index, row, block);
    }
}

static predt_status seal(predt_index *index) {
    if (index->sealed) return PREDT_OK;
    if (index->blocks_added != index->blocks)
        return predt__fail(index->ctx, PREDT_ERROR_ARGUMENT,
                           "the index was sealed before every row was added");
    if (!index->globe) {
        carry_down(index);
        carry_up(index);
    } else if (!predt__carries_seal(&index->carries, index->globe))
        return predt__out_of_memory(index->ctx);
    index->sealed = true;
    return PREDT_OK;
}

predt_status predt_index_seal(predt_index *index) {
    return predt__end_call(index->ctx, seal(index));
}

/* ---- Reading ---- */

static int64_t label_bytes(const predt_index *index, int64_t block) {
    int64_t tiles = predt__parts(index->width, PREDT__TILE);
    if (!index->label_type) return 0;
    return tiles * (int64_t)sizeof(uint32_t) +
           index->labels[block].starts[tiles - 1] * (int64_t)index->label_type;
}

void predt__touch_block(const predt_index *index, int64_t block, bool whole_group) {
    if (!predt__store_has_file(index->store)) return;
    int64_t rows = whole_group ? PREDT__GROUP + 2 : 1;
    predt__store_touch(index->store,
                       rows * index->width * (int64_t)sizeof(uint32_t) + label_bytes(index, block));
}

void predt_index_destroy(predt_index **index) {
    if (!*index) return;
    predt__store_free((*index)->store);
    predt__carries_free(&(*index)->carries);
    predt__globe_free((*index)->globe);
    free((*index)->states);
    free((*index)->labels);
    free(*index);
    *index = NULL;
}
