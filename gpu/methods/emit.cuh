/* What the published methods share at their end: from a pixel's nearest target to its outputs. */
#ifndef PREDT__METHODS_EMIT_CUH
#define PREDT__METHODS_EMIT_CUH

#include "measure.cuh"

/* The C library's NAN, bit for bit. */
__device__ static inline float no_direction(void) {
#ifdef __CUDA_ARCH__
    return __int_as_float(0x7fc00000);
#else
    return NAN;
#endif
}

/* Writes the outputs of one pixel, number `at` of those wanted; d2 is INFINITY where there is no
 * target. */
__device__ static void emit(const predt__ref_strip &s, int64_t at, double d2, int2 target,
                            int32_t col, int32_t row) {
    bool reached = d2 <= fmin(s.metric.limit, DBL_MAX);
    if (s.distance) s.distance[at] = reached ? predt__distance(d2, s.metric.unit) : (float)INFINITY;
    if (s.distance2)
        s.distance2[at] = reached ? predt__distance2(d2, s.metric.unit) : (double)INFINITY;
    if (s.nearest_col) s.nearest_col[at] = reached ? target.x : -1;
    if (s.nearest_row) s.nearest_row[at] = reached ? target.y : -1;
    if (!s.direction) return;
    s.direction[at] =
        reached ? predt__azimuth(&s.metric, (double)target.x - col, (double)target.y - row)
                : no_direction();
}

template <typename Number>
__device__ static inline void emit_nearest(const predt__ref_strip &s, int64_t at,
                                           const nearest<Number> &best, int32_t col, int32_t row) {
    emit(s, at, best.point.x < 0 ? (double)INFINITY : (double)best.d2, best.point, col, row);
}

#endif
