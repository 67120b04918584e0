/* Small arithmetic on counts of rows, columns and bytes. */
#ifndef PREDT__NUMBERS_H
#define PREDT__NUMBERS_H

#include <stdint.h>

static inline int64_t predt__min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t predt__max(int64_t a, int64_t b) { return a > b ? a : b; }

/* How many parts of a size cover a count: the quotient, rounded up. */
static inline int64_t predt__parts(int64_t count, int64_t size) {
    return (count + size - 1) / size;
}

/* The first multiple of `size` that is not below the count. */
static inline int64_t predt__round_up(int64_t count, int64_t size) {
    return predt__parts(count, size) * size;
}

#endif
