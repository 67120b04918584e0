/* Reductions over the 32 lanes of a warp whose result every lane gets: by one instruction where the
 * device has it. CUB's give it to lane 0 only. */
#ifndef PREDT__GPU_WARP_CUH
#define PREDT__GPU_WARP_CUH

#include <math.h>
#include <stdint.h>

#define ALL_LANES 0xffffffffu
constexpr int32_t WARP = 32;

template <typename NUMBER> __device__ static inline NUMBER warp_min(NUMBER value) {
    for (int32_t step = WARP / 2; step > 0; step /= 2) {
        NUMBER other = __shfl_xor_sync(ALL_LANES, value, step);
        value = other < value ? other : value;
    }
    return value;
}

__device__ static inline uint32_t warp_or(uint32_t bits) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_or_sync(ALL_LANES, bits);
#else
    for (int32_t step = WARP / 2; step > 0; step /= 2)
        bits |= __shfl_xor_sync(ALL_LANES, bits, step);
    return bits;
#endif
}

__device__ static inline uint32_t warp_sum(uint32_t value) {
    for (int32_t step = WARP / 2; step > 0; step /= 2)
        value += __shfl_xor_sync(ALL_LANES, value, step);
    return value;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
template <> __device__ inline int32_t warp_min(int32_t value) {
    return __reduce_min_sync(ALL_LANES, value);
}
#endif

#endif
