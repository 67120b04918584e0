/* Answers of some pixels of a row, as the regimes find them. */
#ifndef PREDT__CPU_ANSWERS_H
#define PREDT__CPU_ANSWERS_H

#include "../simd.h"
#include "block.h"

/* The answers of `count` (up to LABEL_ROW) pixels of one row: pixel i lies at column col + i *
 * step. d2 in one of two types, the other NULL; owner_col and owner_row are not read where d2
 * exceeds the limit, or where no output needs them. */
typedef struct answers {
    int32_t row, col, count;
    const int32_t *d2_int;
    const double *d2_real;
    const int32_t *owner_col, *owner_row;
    void *labels;     /* of the owners, if they are known already; else NULL */
    bool provisional; /* see found */
} answers;

static inline bool needs_owner(const predt__outputs *outputs) {
    return outputs->nearest_col || outputs->nearest_row || outputs->direction;
}

static inline bool in_reach(const answers *a, int i, double limit) {
    return a->d2_int ? a->d2_int[i] <= limit : a->d2_real[i] <= limit;
}

#endif
