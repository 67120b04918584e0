/* What a query is asked for, inside the core: predt_outputs and what belongs to it, in the form of
 * this version, whatever version the caller was compiled with (structs.h). */
#ifndef PREDT__OUTPUTS_H
#define PREDT__OUTPUTS_H

#include <stdint.h>

#include "predt.h"

/* predt_tally. */
typedef struct predt__seen {
    double farthest2;
    int64_t farthest_col, farthest_row;
    int64_t clamped, like_none;
} predt__seen;

#define PREDT__SEEN_INIT                                                                           \
    { -1.0, 0, 0, 0, 0 }

/* predt_whole. */
typedef struct predt__whole {
    void *values; /* NULL: not asked for */
    int bytes;
    double scale;
    int64_t least, most, none;
    predt__seen *seen;
} predt__whole;

/* predt_outputs; the stride is never 0. */
typedef struct predt__outputs {
    int64_t stride;
    float *distance;
    double *distance2;
    void *label;
    uint64_t no_label;
    int32_t *nearest_col, *nearest_row;
    float *direction;
    int label_bytes;
    predt__whole whole;
} predt__outputs;

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
    if (moved.whole.values)
        moved.whole.values = (char *)moved.whole.values + pixels * moved.whole.bytes;
    return moved;
}

#endif
