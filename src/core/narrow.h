/* Outputs narrower than what the solvers work with: distances as whole numbers, labels of their low
 * bytes. The arithmetic serves CPU and device alike; an engine that does not do it itself is asked
 * for wide outputs, piece by piece. */
#ifndef PREDT__NARROW_H
#define PREDT__NARROW_H

#include "engine.h"
#include "nearer.h"

/* ---- One pixel ---- */

/* sqrt(d2) * scale, rounded half away from zero; numbers beyond 2^62 become 2^62. */
PREDT__DEVICE int64_t predt__round_distance(double d2, double scale) {
    const double large = 4611686018427387904.0;
    double distance = sqrt(d2) * scale;
    if (!(distance < large)) return INT64_C(1) << 62;
    int64_t below = (int64_t)distance;
    return below + (distance - (double)below >= 0.5);
}

/* The value of the pixel at (col, row) of the raster. The tally takes pixels row by row. */
PREDT__DEVICE int64_t predt__whole_value(const predt__whole *whole, double d2, int64_t col,
                                         int64_t row, predt__seen *tally) {
    if (!(d2 < (double)INFINITY)) return whole->none;
    int64_t value = predt__round_distance(d2, whole->scale);
    bool clamped = value > whole->most;
    value = clamped ? whole->most : value < whole->least ? whole->least : value;
    tally->clamped += clamped;
    tally->like_none += value == whole->none;
    if (d2 > tally->farthest2) {
        tally->farthest2 = d2;
        tally->farthest_col = col;
        tally->farthest_row = row;
    }
    return value;
}

/* ---- Tallies ---- */

PREDT__DEVICE bool predt__is_farther(const predt__seen *a, const predt__seen *b) {
    if (a->farthest2 != b->farthest2) return a->farthest2 > b->farthest2;
    if (a->farthest_row != b->farthest_row) return a->farthest_row < b->farthest_row;
    return a->farthest_col < b->farthest_col;
}

/* Of two farthest pixels that are equally far, the first one row by row stays. */
PREDT__DEVICE void predt__tally_add(predt__seen *to, const predt__seen *from) {
    if (predt__is_farther(from, to)) {
        to->farthest2 = from->farthest2;
        to->farthest_col = from->farthest_col;
        to->farthest_row = from->farthest_row;
    }
    to->clamped += from->clamped;
    to->like_none += from->like_none;
}

/* ---- A query ---- */

static inline bool predt__is_narrow(const predt__outputs *outputs) {
    return outputs->whole.values || (outputs->label && outputs->label_bytes);
}

/* What is wrong with these outputs; NULL: nothing. */
const char *predt__narrow_fault(const predt__outputs *outputs, predt_label_type label_type);

/* Rows of a window that are answered at a time by an engine that knows wide outputs only. */
int64_t predt__narrow_rows(const predt_window *window, int64_t stride, int threads);

/* Answers a window on an engine that knows wide outputs only. */
predt_status predt__solve_narrow(predt_ctx *ctx, const predt__engine *engine, void *state,
                                 const predt_index *index, const predt_window *window,
                                 const predt__outputs *outputs);

#endif
