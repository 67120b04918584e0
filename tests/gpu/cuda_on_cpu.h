/* Kernels as loops on the CPU, for those of gpu/methods/ whose threads are independent: the files
 * of kernels are compiled as C++ and take their launch from here. Threads run one after the other,
 * forwards and backwards in turn, so that an answer that hangs on their order does not stay
 * right. */
#ifndef TEST_CUDA_ON_CPU_H
#define TEST_CUDA_ON_CPU_H

#include <cuda_runtime_api.h>
#include <stdint.h>

/* Calls of the runtime that may fail, counted; the failing_call-th of them does (0: none). */
struct cuda_on_cpu {
    long calls, failing_call;
};

#ifdef __cplusplus
extern "C" cudaError_t cuda_on_cpu_launch(void); /* whether a launch succeeds */

inline thread_local uint3 threadIdx, blockIdx, blockDim;
inline thread_local bool backwards;

template <typename... Parameters, typename... Arguments>
static cudaError_t launch(cudaStream_t stream, int64_t threads, void (*kernel)(Parameters...),
                          const Arguments &...arguments) {
    (void)stream;
    if (threads < 1) return cudaSuccess;
    if (cuda_on_cpu_launch() != cudaSuccess) return cudaErrorLaunchFailure;
    int64_t all = (threads + LAUNCH_THREADS - 1) / LAUNCH_THREADS * LAUNCH_THREADS;
    backwards = !backwards;
    blockDim.x = LAUNCH_THREADS;
    for (int64_t i = 0; i < all; i++) {
        int64_t thread = backwards ? all - 1 - i : i;
        blockIdx.x = (unsigned)(thread / LAUNCH_THREADS);
        threadIdx.x = (unsigned)(thread % LAUNCH_THREADS);
        kernel(arguments...);
    }
    return cudaSuccess;
}
#else
extern struct cuda_on_cpu cuda_on_cpu;
#endif

#endif
