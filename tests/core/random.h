/* Seeded random numbers for the tests: the same on every machine. */
#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include <stdint.h>

/* splitmix64: any seed is a good one. */
static inline uint64_t random_bits(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* A number in [0, count). */
static inline int64_t random_below(uint64_t *state, int64_t count) {
    return (int64_t)(random_bits(state) % (uint64_t)count);
}

/* A number in [0, 1). */
static inline double random_unit(uint64_t *state) {
    return (double)(random_bits(state) >> 11) * 0x1p-53;
}

#endif
