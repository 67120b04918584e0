/* Distances as pixels of a raster, and what is seen on the way. The arithmetic serves CPU and
 * device alike. */
#ifndef PREDT__ENCODE_H
#define PREDT__ENCODE_H

#include "nearer.h"
#include "outputs.h"

/* ---- Tallies ---- */

PREDT__DEVICE bool predt__is_farther(const predt__seen *a, const predt__seen *b) {
    if (a->farthest != b->farthest) return a->farthest > b->farthest;
    if (a->farthest_row != b->farthest_row) return a->farthest_row < b->farthest_row;
    return a->farthest_col < b->farthest_col;
}

/* Of two farthest pixels that are equally far, the first one row by row stays. */
PREDT__DEVICE void predt__tally_add(predt__seen *to, const predt__seen *from) {
    if (predt__is_farther(from, to)) {
        to->farthest = from->farthest;
        to->farthest_col = from->farthest_col;
        to->farthest_row = from->farthest_row;
    }
    to->clamped += from->clamped;
    to->like_none += from->like_none;
}

/* ---- Pixels that are too near ---- */

/* A distance is compared as it is stored: 0.7 in float32 is not nearer than a minimum of 0.7. */
PREDT__DEVICE bool predt__float_is_nearer(float distance, double min) {
    return distance < (float)min;
}

PREDT__DEVICE bool predt__square_is_nearer(double d2, double scale, double min) {
    return sqrt(d2) * scale < min * (1 - 1e-12);
}

/* ---- One pixel ---- */

/* A distance rounded half away from zero; what is beyond 2^62 becomes 2^62. */
PREDT__DEVICE int64_t predt__round(double distance) {
    const double large = 4611686018427387904.0;
    if (!(distance < large)) return INT64_C(1) << 62;
    int64_t below = (int64_t)distance;
    return below + (distance - (double)below >= 0.5);
}

/* The value of the pixel at (col, row) of the raster, in a type of up to 4 bytes. The tally takes
 * pixels row by row. */
PREDT__DEVICE int64_t predt__whole_value(const predt__encoding *encoding, double d2, int64_t col,
                                         int64_t row, predt__seen *tally) {
    if (!(d2 < (double)INFINITY)) return encoding->none.i;
    double distance = sqrt(d2) * encoding->scale;
    int64_t value = predt__round(distance);
    bool clamped = value > encoding->max.i && !encoding->is_fixed;
    value = encoding->is_fixed ? encoding->fixed.i : clamped ? encoding->max.i : value;
    tally->clamped += clamped;
    tally->like_none += value == encoding->none.i;
    if (distance > tally->farthest) {
        tally->farthest = distance;
        tally->farthest_col = col;
        tally->farthest_row = row;
    }
    return value;
}

#endif
