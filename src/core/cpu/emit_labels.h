/* Labels of some pixels. */
#ifndef PREDT__EMIT_LABELS_H
#define PREDT__EMIT_LABELS_H

#include "answers.h"

/* True if the vector of pixels from i on has one owner. */
static inline bool one_owner(const answers *a, int i) {
    v32i col = LOAD(v32i, a->owner_col + i), row = LOAD(v32i, a->owner_row + i);
    return !ANY((col ^ col[0]) | (row ^ row[0]));
}

#define LABEL uint32_t
#define LABEL_(name) name##_uint32_t
#include "find_labels.h"

#define LABEL uint64_t
#define LABEL_(name) name##_uint64_t
#include "find_labels.h"

/* Keeps the low bytes, in place. */
static void shorten_labels(void *labels, int size, int bytes, int count) {
    const uint32_t *from32 = labels;
    const uint64_t *from64 = labels;
    uint8_t *to8 = labels;
    uint16_t *to16 = labels;
    uint32_t *to32 = labels;
    for (int i = 0; i < count; i++) {
        uint64_t label = size == 4 ? from32[i] : from64[i];
        if (bytes == 1) to8[i] = (uint8_t)label;
        else if (bytes == 2) to16[i] = (uint16_t)label;
        else to32[i] = (uint32_t)label;
    }
}

static void emit_label(const predt__block *block, predt__scratch *scratch, const answers *a,
                       int64_t at, double limit) {
    uint64_t found[LABEL_ROW];
    void *labels = a->labels ? a->labels : found;
    size_t size = (size_t)block->index->label_type;
    if (size == sizeof(uint32_t)) {
        if (!a->labels) find_labels_uint32_t(labels, block, scratch, a, limit);
        else if (!block->all_reached) hide_labels_uint32_t(labels, block, a, limit);
    } else {
        if (!a->labels) find_labels_uint64_t(labels, block, scratch, a, limit);
        else if (!block->all_reached) hide_labels_uint64_t(labels, block, a, limit);
    }
    int bytes = block->outputs.label_bytes ? block->outputs.label_bytes : (int)size;
    if (bytes < (int)size) shorten_labels(labels, (int)size, bytes, a->count);
    copy_out((char *)block->outputs.label + (int64_t)at * bytes, labels, (size_t)(a->count * bytes),
             block->stream);
}

#endif
