/* Scans over the threads of a block. cub::BlockScan does the same; on one H200 it made engine cuda
 * 2 to 5 % slower on sparse rasters and cuda-pr-edt 1 to 6 %: it takes the warps' results one
 * after the other. */
#ifndef PREDT__BLOCK_SCAN_CUH
#define PREDT__BLOCK_SCAN_CUH

#include "warp.cuh"

typedef struct block_scan {
    int32_t warps[WARP];
} block_scan;

struct plus {
    __device__ int32_t operator()(int32_t a, int32_t b) const { return a + b; }
};

struct larger {
    __device__ int32_t operator()(int32_t a, int32_t b) const { return a > b ? a : b; }
};

/* Inclusive, over the lanes of a warp. */
template <typename JOIN>
__device__ static inline int32_t warp_scan(int32_t value, const JOIN &join) {
    const int32_t lane = threadIdx.x % WARP;
    for (int32_t step = 1; step < WARP; step *= 2) {
        int32_t left = __shfl_up_sync(ALL_LANES, value, (unsigned)step);
        if (lane >= step) value = join(left, value);
    }
    return value;
}

/* The same over THREADS threads, whole warps; 0 is neutral. *total: of all of them. Contains a
 * barrier; another one has to come before the memory is used again. */
template <int32_t THREADS, typename JOIN>
__device__ static inline int32_t inclusive_scan(block_scan &shared, int32_t value, int32_t *total,
                                                const JOIN &join) {
    const int32_t lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    value = warp_scan(value, join);
    if (lane == WARP - 1) shared.warps[warp] = value;
    __syncthreads();
    int32_t warps = warp_scan(lane < THREADS / WARP ? shared.warps[lane] : 0, join);
    int32_t before = __shfl_sync(ALL_LANES, warps, warp > 0 ? warp - 1 : 0);
    *total = __shfl_sync(ALL_LANES, warps, WARP - 1);
    return warp > 0 ? join(before, value) : value;
}

/* The sum of the threads before. */
template <int32_t THREADS>
__device__ static inline int32_t exclusive_sum(block_scan &shared, int32_t value, int32_t *total) {
    return inclusive_scan<THREADS>(shared, value, total, plus()) - value;
}

/* The largest value of the threads before and this one; none is negative. */
template <int32_t THREADS>
__device__ static inline int32_t running_max(block_scan &shared, int32_t value, int32_t *total) {
    return inclusive_scan<THREADS>(shared, value, total, larger());
}

#endif
