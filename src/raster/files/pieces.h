/* How the raster is cut for the second sweep. On a plane the core answers whole rows fastest, on a
 * globe columns that are as high as the raster: lower ones repeat work on all of its height. */
#ifndef PREDT__PIECES_H
#define PREDT__PIECES_H

#include "delivery.h"

typedef struct predt__pieces {
    int64_t width, height; /* of the raster */
    int64_t cols, rows;    /* of each piece but the last ones across and down */
    int64_t down;          /* pieces above each other, which follow one another */
    int64_t count;
    int64_t query_cols; /* of a piece are answered at once: a stop may come between */
    int slots;          /* pieces in memory at once */
    bool splits_blocks; /* some piece ends within a block of an output */
} predt__pieces;

predt__pieces predt__pieces_plan(const predt__question *question, const predt__budget *budget,
                                 const predt__delivery *delivery);

/* The n-th one, with a step of 1. */
predt_window predt__piece(const predt__pieces *pieces, int64_t number);

#endif
