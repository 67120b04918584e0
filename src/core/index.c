#include "index.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/cpu.h"
#include "structs.h"

static size_t lined(int64_t bytes) { return ((size_t)bytes + 63) / 64 * 64; }

/* The three large arrays lie in one piece: all of them in memory, or all in a file. */
static predt_status allocate(predt_index *index) {
    predt_status status = PREDT_OK;
    int64_t width = index->width, groups = (index->blocks + PREDT__GROUP - 1) / PREDT__GROUP;
    size_t words = lined(index->blocks * width * (int64_t)sizeof(uint32_t));
    size_t carries = lined(groups * width * (int64_t)sizeof(int32_t));
    index->added = calloc((size_t)index->blocks, sizeof *index->added);
    if (index->label_type) index->labels = calloc((size_t)index->blocks, sizeof *index->labels);
    if (!index->added || (index->label_type && !index->labels))
        return predt__fail(index->ctx, PREDT_ERROR_MEMORY, "out of memory");
    char *memory = predt__store_take(&index->store, words + 2 * carries, &status);
    if (!memory) return status;
    index->words = (uint32_t *)memory;
    index->above = (int32_t *)(memory + words);
    index->below = (int32_t *)(memory + words + carries);
    return PREDT_OK;
}

static predt_status create(predt_ctx *ctx, const predt_grid *grid, predt_label_type labels,
                           predt_index **out) {
    predt__metric metric;
    const char *fault = predt__metric_from_grid(&metric, grid);
    if (fault) return predt__fail(ctx, PREDT_ERROR_ARGUMENT, "%s", fault);
    if (!predt__is_label_type(labels))
        return predt__fail(ctx, PREDT_ERROR_ARGUMENT, "no such label type");
    predt_index *index = calloc(1, sizeof *index);
    if (!index) return predt__fail(ctx, PREDT_ERROR_MEMORY, "out of memory");
    index->ctx = ctx;
    index->serial = predt__new_serial();
    index->grid = *grid;
    index->metric = metric;
    index->label_type = labels;
    index->width = grid->width;
    index->height = grid->height;
    index->blocks = (grid->height + PREDT_SUBBLOCK_ROWS - 1) / PREDT_SUBBLOCK_ROWS;
    predt__store_open(&index->store, ctx);
    predt_status status = allocate(index);
    if (status == PREDT_OK) predt__look_ahead(ctx, index);
    else predt_index_destroy(&index);
    *out = index;
    return status;
}

predt_status predt_index_create(predt_ctx *ctx, const predt_grid *grid, predt_label_type labels,
                                predt_index **out) {
    predt_grid known = PREDT_GRID_INIT(0, 0);
    *out = NULL;
    predt_status status = PREDT__KNOWN(ctx, predt_grid, grid, &known);
    return predt__end_call(ctx, status == PREDT_OK ? create(ctx, &known, labels, out) : status);
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
    int64_t width = index->width;
    const uint32_t *words = predt__block_words(index, block);
    size_t tiles = (size_t)((width + PREDT__TILE - 1) / PREDT__TILE);
    uint32_t *starts = predt__store_take(&index->store, tiles * sizeof *starts, &status);
    if (!starts) return status;
    *count = predt__count_targets(words, width, starts);
    size_t bytes = (size_t)(*count + PREDT__LABEL_PADDING) * (size_t)index->label_type;
    void *values = predt__store_take(&index->store, bytes, &status);
    if (!values) return status;
    predt__gather_labels(words, width, labels, index->label_type, values);
    index->labels[block] = (predt__labels){values, starts};
    predt__store_touch(&index->store, (int64_t)(bytes + tiles * sizeof *starts));
    return PREDT_OK;
}

static predt_status add_block(predt_index *index, int64_t block, const uint8_t *is_target,
                              const void *labels) {
    if (atomic_exchange(&index->added[block], 1))
        return predt__fail(index->ctx, PREDT_ERROR_ARGUMENT, "rows added twice");
    uint32_t *words = index->words + block * index->width;
    predt__pack(is_target, index->width, predt__block_rows(index, block), words);
    int64_t count = 0;
    predt_status status = PREDT_OK;
    if (index->label_type) status = add_labels(index, block, labels, &count);
    else count = predt__count_targets(words, index->width, NULL);
    if (status != PREDT_OK) return status;
    predt__store_touch(&index->store, index->width * (int64_t)sizeof *words);
    atomic_fetch_add(&index->targets, count);
    atomic_fetch_add(&index->blocks_added, 1);
    return PREDT_OK;
}

static predt_status add(predt_index *index, int64_t row, int32_t rows, const uint8_t *is_target,
                        const void *labels) {
    const char *fault = strip_fault(index, row, rows);
    if (!fault && index->label_type && !labels)
        fault = "the index takes labels and none were given";
    if (fault) return predt__fail(index->ctx, PREDT_ERROR_ARGUMENT, "%s", fault);
    predt_ctx *ctx = index->ctx;
    /* no use in reading on? */
    predt_status status =
        ctx->engine->check ? ctx->engine->check(ctx, ctx->engine_state) : PREDT_OK;
    for (int64_t done = 0; done < rows && status == PREDT_OK; done += PREDT_SUBBLOCK_ROWS) {
        int64_t pixel = done * index->width;
        const void *block_labels =
            labels ? (const char *)labels + pixel * (int64_t)index->label_type : NULL;
        status =
            add_block(index, (row + done) / PREDT_SUBBLOCK_ROWS, is_target + pixel, block_labels);
    }
    return status;
}

predt_status predt_index_add(predt_index *index, int64_t row, int32_t rows,
                             const uint8_t *is_target, const void *labels) {
    return predt__end_call(index->ctx, add(index, row, rows, is_target, labels));
}

int64_t predt_index_targets(const predt_index *index) {
    return atomic_load(&((predt_index *)index)->targets);
}

/* ---- Sealing ---- */

/* Moves an upper carry row past one sub-block. */
static void roll_down(predt_index *index, int32_t *above, int64_t block) {
    const uint32_t *words = predt__block_words(index, block);
    int64_t width = index->width, first_row = block * PREDT_SUBBLOCK_ROWS;
    predt__store_touch(&index->store, width * (int64_t)sizeof *words);
    for (int64_t col = 0; col < width; col++)
        if (words[col]) above[col] = (int32_t)(first_row + 31 - __builtin_clz(words[col]));
}

/* Moves a lower carry row past one sub-block, upwards. */
static void roll_up(predt_index *index, int32_t *below, int64_t block) {
    const uint32_t *words = predt__block_words(index, block);
    int64_t width = index->width, first_row = block * PREDT_SUBBLOCK_ROWS;
    predt__store_touch(&index->store, width * (int64_t)sizeof *words);
    for (int64_t col = 0; col < width; col++)
        if (words[col]) below[col] = (int32_t)(first_row + __builtin_ctz(words[col]));
}

static void carry_down(predt_index *index) {
    int64_t width = index->width;
    for (int64_t col = 0; col < width; col++) index->above[col] = PREDT__NO_ROW_ABOVE;
    for (int64_t group = 1; group * PREDT__GROUP < index->blocks; group++) {
        int32_t *row = index->above + group * width;
        predt__store_touch(&index->store, 2 * width * (int64_t)sizeof *row);
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
        predt__store_touch(&index->store, 2 * width * (int64_t)sizeof *row);
        memcpy(row, row + width, (size_t)width * sizeof *row);
        int64_t end =
            (group + 2) * PREDT__GROUP < index->blocks ? (group + 2) * PREDT__GROUP : index->blocks;
        for (int64_t block = end - 1; block >= (group + 1) * PREDT__GROUP; block--)
            roll_up(index, row, block);
    }
}

static predt_status seal(predt_index *index) {
    if (index->sealed) return PREDT_OK;
    if (index->blocks_added != index->blocks)
        return predt__fail(index->ctx, PREDT_ERROR_ARGUMENT,
                           "the index was sealed before every row was added");
    carry_down(index);
    carry_up(index);
    index->sealed = true;
    return PREDT_OK;
}

predt_status predt_index_seal(predt_index *index) {
    return predt__end_call(index->ctx, seal(index));
}

void predt_index_destroy(predt_index **index) {
    if (!*index) return;
    predt__store_close(&(*index)->store);
    free((void *)(*index)->added);
    free((*index)->labels);
    free(*index);
    *index = NULL;
}
