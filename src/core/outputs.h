/* What a query is asked for, inside the core: predt_outputs and what belongs to it, in the form of
 * this version, whatever version the caller was compiled with (structs.h). */
#ifndef PREDT__OUTPUTS_H
#define PREDT__OUTPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "predt.h"

/* predt_tally. */
typedef struct predt__seen {
    double farthest;
    int64_t farthest_col, farthest_row;
    int64_t clamped, like_none;
} predt__seen;

#define PREDT__SEEN_INIT                                                                           \
    { -1.0, 0, 0, 0, 0 }

/* predt_encoding. */
typedef struct predt__encoding {
    void *values; /* NULL: not asked for */
    predt_type type;
    int bytes; /* of the type */
    double scale;
    bool is_fixed;
    /* of types of up to 4 bytes, signed or not, .i is the number; max: the largest that a distance
     * may become */
    predt_number none, fixed, max;
    predt__seen *seen;
} predt__encoding;

/* predt_outputs; the stride is never 0. */
typedef struct predt__outputs {
    int64_t stride;
    float *distance;
    double *distance2;
    void *label;
    uint64_t no_label;
    int32_t *nearest_col, *nearest_row;
    float *direction;
    int label_bytes; /* 0: as many as the label type has */
    predt__encoding encoding;
    const uint8_t *mask;
    double min_distance;
} predt__outputs;

/* Whether distances are asked for as integers of up to 4 bytes. */
static inline bool predt__is_whole(const predt__encoding *encoding) {
    return encoding->values && encoding->type < PREDT_UINT64;
}

/* Whether pixels may be answered as if no target were in reach though one is. */
static inline bool predt__takes_out(const predt__outputs *outputs) {
    return outputs->mask || outputs->min_distance > 0;
}

/* Element `at` of an array of integers of 1, 2, 4 or 8 bytes. */
static inline void predt__store_bytes(void *to, int bytes, int64_t at, uint64_t value) {
    if (bytes == 1) ((uint8_t *)to)[at] = (uint8_t)value;
    else if (bytes == 2) ((uint16_t *)to)[at] = (uint16_t)value;
    else if (bytes == 4) ((uint32_t *)to)[at] = (uint32_t)value;
    else ((uint64_t *)to)[at] = value;
}

/* The outputs from element `pixels` of each array on. */
static inline predt__outputs predt__outputs_from(const predt__outputs *outputs, int64_t pixels,
                                                 predt_label_type label_type) {
    predt__outputs moved = *outputs;
    if (moved.distance) moved.distance += pixels;
    if (moved.distance2) moved.distance2 += pixels;
    if (moved.label)
        moved.label = (char *)moved.label +
                      pixels * (moved.label_bytes ? moved.label_bytes : (int64_t)label_type);
    if (moved.nearest_col) moved.nearest_col += pixels;
    if (moved.nearest_row) moved.nearest_row += pixels;
    if (moved.direction) moved.direction += pixels;
    if (moved.encoding.values)
        moved.encoding.values = (char *)moved.encoding.values + pixels * moved.encoding.bytes;
    if (moved.mask) moved.mask += pixels;
    return moved;
}

#endif
