#include "parts.h"

#include <string.h>

#include "../../src/core/context.h"
#include "../../src/core/parallel.h"

/* ---- Carry rows of any row ---- */

void predt__ref_above(const predt_index *index, int64_t row, int32_t *above) {
    int64_t width = index->width, block = row / PREDT_SUBBLOCK_ROWS, group = block / PREDT__GROUP;
    memcpy(above, index->above + group * width, (size_t)width * sizeof *above);
    for (int64_t b = group * PREDT__GROUP; b <= block; b++) {
        const uint32_t *words = predt__block_words(index, b);
        uint32_t wanted = b < block ? UINT32_MAX : (UINT32_C(1) << row % PREDT_SUBBLOCK_ROWS) - 1;
        for (int64_t col = 0; col < width; col++)
            if (words[col] & wanted)
                above[col] =
                    (int32_t)(b * PREDT_SUBBLOCK_ROWS + 31 - __builtin_clz(words[col] & wanted));
    }
}

void predt__ref_below(const predt_index *index, int64_t row, int32_t *below) {
    int64_t width = index->width, block = row / PREDT_SUBBLOCK_ROWS, group = block / PREDT__GROUP;
    int64_t end =
        (group + 1) * PREDT__GROUP < index->blocks ? (group + 1) * PREDT__GROUP : index->blocks;
    memcpy(below, index->below + group * width, (size_t)width * sizeof *below);
    for (int64_t b = end - 1; b >= block; b--) {
        const uint32_t *words = predt__block_words(index, b);
        uint32_t wanted = b > block ? UINT32_MAX : UINT32_MAX << row % PREDT_SUBBLOCK_ROWS << 1;
        for (int64_t col = 0; col < width; col++)
            if (words[col] & wanted)
                below[col] =
                    (int32_t)(b * PREDT_SUBBLOCK_ROWS + __builtin_ctz(words[col] & wanted));
    }
}

/* ---- Targets ---- */

void predt__ref_targets(const predt_index *index, int2 *target) {
    for (int64_t block = 0; block < index->blocks; block++) {
        const uint32_t *words = predt__block_words(index, block);
        for (int64_t col = 0; col < index->width; col++)
            for (uint32_t word = words[col]; word; word &= word - 1)
                *target++ = (int2){(int32_t)col,
                                   (int32_t)(block * PREDT_SUBBLOCK_ROWS + __builtin_ctz(word))};
    }
}

/* ---- Labels ---- */

typedef struct label_job {
    const predt_index *index;
    const predt__outputs *outputs;
    int64_t first, cols;
    const predt__ref_found *found;
} label_job;

static void label_row(const label_job *job, int64_t row) {
    const int32_t *cols = job->found->cols + row * job->found->col_stride;
    const int32_t *rows = job->found->rows + row * job->found->row_stride;
    int64_t at = job->first + row * job->outputs->stride;
    uint64_t label = job->outputs->no_label;
    for (int64_t i = 0; i < job->cols; i++) {
        bool same = i > 0 && cols[i] == cols[i - 1] && rows[i] == rows[i - 1];
        if (!same)
            label = cols[i] < 0 ? job->outputs->no_label
                                : predt__label_at(job->index, cols[i], rows[i]);
        if (job->index->label_type == PREDT_LABEL_32)
            ((uint32_t *)job->outputs->label)[at + i] = (uint32_t)label;
        else ((uint64_t *)job->outputs->label)[at + i] = label;
    }
}

static predt_status label_some(predt__queue *queue, void *shared) {
    for (int64_t row; (row = predt__take(queue)) >= 0;) label_row(shared, row);
    return PREDT_OK;
}

predt_status predt__ref_label(predt_ctx *ctx, const predt_index *index,
                              const predt__outputs *outputs, int64_t first, int64_t rows,
                              int64_t cols, const predt__ref_found *found) {
    label_job job = {index, outputs, first, cols, found};
    return predt__parallel(ctx->threads, rows, label_some, &job);
}
