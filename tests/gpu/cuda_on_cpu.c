/* As much of the CUDA runtime as gpu/methods/ uses, on the CPU (cuda_on_cpu.h): everything
 * happens at once, device memory is poisoned memory of the host, and events know no time. And the
 * engines that need a real device. */
#include "cuda_on_cpu.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/engine.h"
#include "gpu/methods/engines.h"

struct cuda_on_cpu cuda_on_cpu;

/* Counts a call; true: it is to fail. */
static bool fails(void) { return ++cuda_on_cpu.calls == cuda_on_cpu.failing_call; }

static cudaError_t some_memory(void **out, size_t bytes) {
    *out = malloc(bytes);
    if (!*out) return cudaErrorMemoryAllocation;
    memset(*out, 0xa5, bytes);
    return cudaSuccess;
}

cudaError_t cuda_on_cpu_launch(void) { return fails() ? cudaErrorLaunchFailure : cudaSuccess; }

/* ---- Device ---- */

cudaError_t cudaGetDeviceCount(int *count) { return *count = 1, cudaSuccess; }
cudaError_t cudaGetDevice(int *device) { return *device = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }
cudaError_t cudaGetLastError(void) { return cudaSuccess; }

const char *cudaGetErrorString(cudaError_t error) {
    return error == cudaErrorInvalidDevice ? "invalid device ordinal" : "something broke";
}

/* Few threads at once: small rasters need several rounds. */
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    (void)device;
    *value = attribute == cudaDevAttrMultiProcessorCount ? 3 : 101;
    return cudaSuccess;
}

/* ---- Memory ---- */

cudaError_t cudaMemGetInfo(size_t *available, size_t *total) {
    *available = *total = (size_t)1 << 30;
    return fails() ? cudaErrorLaunchFailure : cudaSuccess;
}

cudaError_t cudaMalloc(void **out, size_t bytes) {
    return fails() ? cudaErrorLaunchFailure : some_memory(out, bytes);
}
cudaError_t cudaFree(void *memory) { return free(memory), cudaSuccess; }

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    (void)kind, (void)stream;
    if (fails()) return cudaErrorLaunchFailure;
    memcpy(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream) {
    (void)kind, (void)stream;
    if (fails()) return cudaErrorLaunchFailure;
    for (size_t row = 0; row < height; row++)
        memcpy((char *)to + row * to_pitch, (const char *)from + row * from_pitch, width);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) {
    (void)stream;
    if (fails()) return cudaErrorLaunchFailure;
    memset(to, value, bytes);
    return cudaSuccess;
}

/* ---- Streams and events: a byte each, so that one that is left behind is a leak ---- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags) {
    (void)flags;
    return fails() ? cudaErrorLaunchFailure : some_memory((void **)out, 1);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    (void)stream;
    return fails() ? cudaErrorLaunchFailure : cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) { return free(stream), cudaSuccess; }
cudaError_t cudaEventCreate(cudaEvent_t *out) {
    return fails() ? cudaErrorLaunchFailure : some_memory((void **)out, 1);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) { return free(event), cudaSuccess; }

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    (void)event, (void)stream;
    return fails() ? cudaErrorLaunchFailure : cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to) {
    (void)from, (void)to;
    *ms = 0;
    return fails() ? cudaErrorLaunchFailure : cudaSuccess;
}

/* ---- The engines that need a device ---- */

static const char *not_here(const void *state) { return (void)state, "not in this test"; }

const predt__engine predt__cuda = {.name = "cuda", .probe = not_here};
const predt__engine predt__cuda_pr_edt = {.name = "cuda-pr-edt", .probe = not_here};
