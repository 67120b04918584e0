/* Launching kernels whose threads are independent of each other: no barrier, no shared memory,
 * nothing that knows of warps. So a test can run the same kernels as loops on the CPU: compiled
 * without nvcc, this file takes a launch from cuda_on_cpu.h (tests/gpu). */
#ifndef PREDT__METHODS_LAUNCH_CUH
#define PREDT__METHODS_LAUNCH_CUH

#include <cuda_runtime_api.h>
#include <stdint.h>

#define LAUNCH_THREADS 256 /* of a block; divides what a multiprocessor holds */

#ifdef __CUDACC__

/* One thread for each of `threads`, and a few more: the kernel is to know how many there are. */
template <typename... Parameters, typename... Arguments>
static cudaError_t launch(cudaStream_t stream, int64_t threads, void (*kernel)(Parameters...),
                          const Arguments &...arguments) {
    if (threads < 1) return cudaSuccess;
    int64_t blocks = (threads + LAUNCH_THREADS - 1) / LAUNCH_THREADS;
    if (blocks > INT32_MAX) return cudaErrorInvalidConfiguration;
    kernel<<<(unsigned)blocks, LAUNCH_THREADS, 0, stream>>>(arguments...);
    return cudaGetLastError();
}

#else
#include "cuda_on_cpu.h"
#endif

__device__ static inline int64_t this_thread(void) {
    return (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static inline cudaError_t record(const cudaEvent_t *marks, int mark, cudaStream_t stream) {
    return marks ? cudaEventRecord(marks[mark], stream) : cudaSuccess;
}

/* Takes the next array of a workspace, or only adds its size, where base is NULL. */
static inline char *take_bytes(char *base, size_t *at, int64_t bytes) {
    char *start = base ? base + *at : NULL;
    *at += ((size_t)bytes + 255) / 256 * 256;
    return start;
}

#endif
