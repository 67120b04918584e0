/* From what the core answers to pixels of an output's type. */
#ifndef PREDT__ENCODE_H
#define PREDT__ENCODE_H

#include "value.h"

/* How distances become pixels. Float32 takes the core's distances; every other type takes squared
 * ones, so that a distance is rounded once. */
typedef struct predt__encoding {
    predt__kind kind;
    predt__value nodata; /* written where no target is in reach; NaN in .f for real kinds */
    bool fixed;          /* a target in reach gives fixed_value, whatever its distance */
    predt__value fixed_value;
    double scale; /* of squared distances: the distance is sqrt(d2) * scale */
} predt__encoding;

/* What was seen on the way. */
typedef struct predt__tally {
    double farthest; /* as the core answers it: a distance, or a squared one; -1: none yet */
    int64_t farthest_col, farthest_row;
    int64_t clamped;     /* distances that the type cannot hold */
    int64_t like_nodata; /* pixels with a target in reach that look like nodata */
} predt__tally;

#define PREDT__TALLY_INIT                                                                          \
    { .farthest = -1 }

/* Notes a pixel that is as far as that: the farthest, and of equally far ones the first in row
 * order, stays. */
void predt__tally_see(predt__tally *tally, double farthest, int64_t col, int64_t row);

/* Reads a fixed value or a nodata value, rounds to the kind; false where the kind cannot hold
 * it. */
bool predt__encoding_round(predt__kind kind, double number, predt__value *value);

/* Encodes `count` pixels of one row, from (col, row) on; measured holds floats for a Float32
 * output, else doubles. */
void predt__encode_distance(const predt__encoding *encoding, const void *measured, int64_t col,
                            int64_t row, int64_t count, void *out, predt__tally *tally);

/* The same question to the core, which rounds on all threads or on a device; for integers of up to
 * 4 bytes. */
predt_whole predt__encoding_whole(const predt__encoding *encoding, void *values,
                                  predt_tally *tally);

#endif
