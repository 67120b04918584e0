/* The distances of a row of a sub-strip, settled: where the largest and the smallest number that
 * one may be do not come to the same value, PROJ's is taken. And which of them are in reach. */
#ifndef PREDT__GLOBE_SETTLE_H
#define PREDT__GLOBE_SETTLE_H

#include "../encode_row.h"
#include "values.h"

/* A row of up to 32 pixels. Distances in the grid's unit; off: by how much they may be wrong, 0 for
 * PROJ's; INFINITY where no target is in reach. */
typedef struct row_answers {
    const predt__substrip *strip;
    int64_t row, at; /* in the raster; in the outputs */
    const found_answers *found;
    double distance[LANES_MAX], off[LANES_MAX];
} row_answers;

/* Columns to a lane's target, and the target's row in the raster. */
static inline int32_t apart_of(const row_answers *a, int i) {
    return a->found->apart[i * a->found->stride];
}

static inline int32_t target_row(const row_answers *a, int i) {
    return a->strip->carries->rows[a->found->target[i * a->found->stride]];
}

static void ask_proj(row_answers *a, int i) {
    const predt__substrip *strip = a->strip;
    a->distance[i] = last_rung(strip->globe, a->row, target_row(a, i), apart_of(a, i));
    a->off[i] = 0;
}

/* ---- Settling ---- */

/* All lanes at once first: few are not settled. */
static void settle_floats(row_answers *a) {
    int32_t open[LANES_MAX], any = 0;
    for (int i = 0; i < LANES_MAX; i++) {
        open[i] = (float)(a->distance[i] - a->off[i]) != (float)(a->distance[i] + a->off[i]);
        any |= open[i];
    }
    for (int i = 0; any && i < a->strip->lanes; i++)
        if (open[i]) ask_proj(a, i);
}

static void settle_wholes(row_answers *a, double scale) {
    for (int i = 0; i < a->strip->lanes; i++)
        if (predt__round((a->distance[i] - a->off[i]) * scale) !=
            predt__round((a->distance[i] + a->off[i]) * scale))
            ask_proj(a, i);
}

static void settle_all(row_answers *a) {
    for (int i = 0; i < a->strip->lanes; i++)
        if (a->off[i] > 0) ask_proj(a, i);
}

/* The farthest distance is told as it is, before it is rounded. */
static void settle_farthest(row_answers *a, double scale, const predt__seen *seen) {
    double far = 0;
    for (int i = 0; i < a->strip->lanes; i++)
        if (a->distance[i] < (double)INFINITY) far = larger(far, a->distance[i] - a->off[i]);
    for (int i = 0; i < a->strip->lanes; i++)
        if (a->off[i] > 0 && a->distance[i] + a->off[i] >= far &&
            (a->distance[i] + a->off[i]) * scale >= seen->farthest)
            ask_proj(a, i);
}

/* ---- In reach or not ---- */

static void take_out_of_reach(row_answers *a) {
    double limit = a->strip->globe->limit;
    for (int i = 0; i < a->strip->lanes; i++) {
        if (a->distance[i] + a->off[i] > limit && a->distance[i] - a->off[i] <= limit)
            ask_proj(a, i);
        if (a->distance[i] > limit) a->distance[i] = (double)INFINITY, a->off[i] = 0;
    }
}

static void take_out(row_answers *a) {
    const predt__outputs *out = &a->strip->outputs;
    double min = out->min_distance;
    bool as_float = !out->encoding.values || out->encoding.type == PREDT_FLOAT32;
    if (min > 0 && as_float) settle_floats(a);
    else if (min > 0) settle_all(a);
    for (int i = 0; i < a->strip->lanes; i++) {
        double d = a->distance[i];
        bool near = as_float ? predt__float_is_nearer((float)d, min)
                             : predt__square_is_nearer(d * d, out->encoding.scale, min);
        if ((min > 0 && near) || (out->mask && out->mask[a->at + i]))
            a->distance[i] = (double)INFINITY, a->off[i] = 0;
    }
}

static inline bool reached(const row_answers *a, int i) {
    return a->distance[i] < (double)INFINITY;
}

#endif
