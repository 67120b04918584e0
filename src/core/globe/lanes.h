/* The number that the ladder of distances works on: a vector of doubles, as wide as the instruction
 * set has them, so that one pixel costs little more than eight. Alone (PREDT__ONE_LANE, for a
 * device) it is a double. */
#ifndef PREDT__LANES_H
#define PREDT__LANES_H

#ifdef PREDT__ONE_LANE
#include <math.h>
typedef double real;
#define REAL_LANES 1
#define REAL_FUNCTION PREDT__DEVICE
#define SQUARE_ROOT(x) sqrt(x)
#define WHERE(condition, a, b) ((condition) ? (a) : (b))
#define ANY_LANE(condition) (condition)
#else

#include <stdint.h>

#include "../simd.h"

#ifdef __AVX512F__
#define REAL_LANES 8
#else
#define REAL_LANES (VECTOR_BYTES / 8)
#endif

typedef double real __attribute__((vector_size(REAL_LANES * 8)));
typedef int64_t real_mask __attribute__((vector_size(REAL_LANES * 8)));

/* Always inlined: so many vectors in a struct are to stay in registers. */
#define REAL_FUNCTION static inline __attribute__((always_inline))

#if defined(__AVX512F__)
#define SQUARE_ROOT(x) ((real)_mm512_sqrt_pd((__m512d)(x)))
#elif defined(__AVX2__)
#define SQUARE_ROOT(x) ((real)_mm256_sqrt_pd((__m256d)(x)))
#else
REAL_FUNCTION real square_root(real x) {
    for (int i = 0; i < REAL_LANES; i++) x[i] = __builtin_sqrt(x[i]);
    return x;
}
#define SQUARE_ROOT(x) square_root(x)
#endif

/* Lanes of a where the comparison holds, else of b. */
#if defined(__AVX512F__)
REAL_FUNCTION real where(real_mask holds, real a, real b) {
    return (real)_mm512_mask_blend_pd(_mm512_movepi64_mask((__m512i)holds), (__m512d)b, (__m512d)a);
}
#elif defined(__AVX2__)
REAL_FUNCTION real where(real_mask holds, real a, real b) {
    return (real)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)holds);
}
#else
REAL_FUNCTION real where(real_mask holds, real a, real b) {
    return (real)(((real_mask)a & holds) | ((real_mask)b & ~holds));
}
#endif
#define WHERE(condition, a, b) where((condition), (a), (b))

#if defined(__AVX512F__)
REAL_FUNCTION bool any_lane(real_mask holds) {
    return _mm512_test_epi64_mask((__m512i)holds, (__m512i)holds) != 0;
}
#elif defined(__AVX2__)
REAL_FUNCTION bool any_lane(real_mask holds) { return _mm256_movemask_pd((__m256d)holds) != 0; }
#else
REAL_FUNCTION bool any_lane(real_mask holds) {
    int64_t any = 0;
    for (int i = 0; i < REAL_LANES; i++) any |= holds[i];
    return any != 0;
}
#endif
#define ANY_LANE(condition) any_lane(condition)

#endif
#endif
