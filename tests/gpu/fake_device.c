#include "fake_device.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_kernels.h"
#include "gpu/engine.h"

struct fake_device fake;

void fake_reset(void) {
    memset(&fake, 0, sizeof fake);
    fake.driver = 13000;
    fake.devices = 1;
    fake.memory = fake.claimed_memory = INT64_C(1) << 30;
}

/* ---- Memory ---- */

typedef union header {
    int64_t bytes;
    max_align_t align;
} header;

static cudaError_t take(void **out, size_t bytes, int64_t *count) {
    header *memory = malloc(sizeof *memory + bytes);
    memory->bytes = (int64_t)bytes;
    memset(memory + 1, 0xa5, bytes);
    *count += (int64_t)bytes;
    *out = memory + 1;
    return cudaSuccess;
}

static cudaError_t give(void *bytes, int64_t *count) {
    if (!bytes) return cudaSuccess;
    header *memory = (header *)bytes - 1;
    *count -= memory->bytes;
    free(memory);
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **out, size_t bytes) {
    if (fake.broken) return cudaErrorIllegalAddress;
    if (fake.allocated + (int64_t)bytes > fake.memory) return cudaErrorMemoryAllocation;
    take(out, bytes, &fake.allocated);
    if (fake.allocated > fake.most_allocated) fake.most_allocated = fake.allocated;
    return cudaSuccess;
}

cudaError_t cudaFree(void *bytes) { return give(bytes, &fake.allocated); }
cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned flags) {
    return (void)flags, take(out, bytes, &fake.pinned);
}
cudaError_t cudaFreeHost(void *bytes) { return give(bytes, &fake.pinned); }

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *all) {
    *free_bytes = *all = (size_t)(fake.claimed_memory - fake.allocated);
    return fake.broken ? cudaErrorIllegalAddress : cudaSuccess;
}

/* ---- Streams ---- */

typedef struct work {
    struct work *next;
    char *to;
    const char *from;
    size_t to_pitch, from_pitch, width, height;
    bool solve, narrow;
    predt__gpu_strip strip;
    predt__gpu_narrowing narrowing;
    cudaEvent_t event;
} work;

struct CUstream_st {
    work *first, *last;
};

struct CUevent_st {
    cudaStream_t stream;
    bool done;
};

static void put_off(cudaStream_t stream, work item) {
    work *kept = malloc(sizeof *kept);
    *kept = item;
    kept->next = NULL;
    if (stream->last) stream->last->next = kept;
    else stream->first = kept;
    stream->last = kept;
}

/* Does the stream's work up to the event; all of it for NULL. */
static void work_off(cudaStream_t stream, cudaEvent_t until) {
    while (stream->first && !(until && until->done)) {
        work *item = stream->first;
        stream->first = item->next;
        if (!stream->first) stream->last = NULL;
        for (size_t row = 0; row < item->height; row++)
            memcpy(item->to + row * item->to_pitch, item->from + row * item->from_pitch,
                   item->width);
        if (item->solve) fake_solve(&item->strip);
        if (item->narrow) fake_narrow(&item->narrowing);
        if (item->event) item->event->done = true;
        free(item);
    }
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags) {
    (void)flags;
    while (fake.held) usleep(1000);
    if (fake.no_streams) return cudaErrorDevicesUnavailable;
    fake.streams++;
    *out = calloc(1, sizeof **out);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    work_off(stream, NULL);
    return fake.broken ? cudaErrorIllegalAddress : cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    work_off(stream, NULL);
    free(stream);
    fake.streams--;
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags) {
    (void)flags;
    fake.events++;
    *out = calloc(1, sizeof **out);
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    free(event);
    fake.events--;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    *event = (struct CUevent_st){.stream = stream};
    put_off(stream, (work){.event = event});
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    if (event->stream && !event->done) work_off(event->stream, event);
    return fake.broken ? cudaErrorIllegalAddress : cudaSuccess;
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream) {
    if (width > to_pitch || width > from_pitch || from_pitch > INT32_MAX)
        return cudaErrorInvalidPitchValue;
    *(kind == cudaMemcpyHostToDevice ? &fake.bytes_up : &fake.bytes_down) +=
        (int64_t)(width * height);
    put_off(stream, (work){.to = to,
                           .from = from,
                           .to_pitch = to_pitch,
                           .from_pitch = from_pitch,
                           .width = width,
                           .height = height});
    return fake.broken ? cudaErrorIllegalAddress : cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    *(kind == cudaMemcpyHostToDevice ? &fake.bytes_up : &fake.bytes_down) += (int64_t)bytes;
    put_off(stream, (work){.to = to, .from = from, .width = bytes, .height = 1});
    return fake.broken ? cudaErrorIllegalAddress : cudaSuccess;
}

/* ---- Devices ---- */

cudaError_t cudaGetDeviceCount(int *count) {
    *count = fake.devices;
    return fake.devices ? cudaSuccess : cudaErrorNoDevice;
}

cudaError_t cudaGetDevice(int *device) { return *device = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int device) {
    return device < fake.devices ? cudaSuccess : cudaErrorInvalidDevice;
}
cudaError_t cudaDriverGetVersion(int *version) { return *version = fake.driver, cudaSuccess; }
cudaError_t cudaDeviceReset(void) { return fake.resets++, cudaSuccess; }
cudaError_t cudaGetLastError(void) { return cudaSuccess; }

const char *cudaGetErrorString(cudaError_t error) {
    return error == cudaErrorMemoryAllocation ? "out of memory" : "something broke";
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    (void)device;
    *value = attribute == cudaDevAttrComputeCapabilityMajor ? 9 : 0;
    return cudaSuccess;
}

/* ---- The kernels ---- */

size_t predt__gpu_workspace(int32_t width, int32_t rows, int32_t label_size) {
    return (size_t)width * (size_t)(rows + label_size);
}

cudaError_t predt__gpu_solve(const predt__gpu_strip *strip, void *workspace, cudaStream_t stream) {
    if (++fake.solves == fake.failing_solve) {
        fake.broken = fake.error != cudaErrorMemoryAllocation;
        return (cudaError_t)fake.error;
    }
    fake.rows_solved += strip->rows;
    memset(workspace, 0x5a, predt__gpu_workspace(strip->width, strip->rows, strip->label_size));
    put_off(stream, (work){.solve = true, .strip = *strip});
    return cudaSuccess;
}

cudaError_t predt__gpu_narrow(const predt__gpu_narrowing *narrowing, cudaStream_t stream) {
    put_off(stream, (work){.narrow = true, .narrowing = *narrowing});
    return fake.broken ? cudaErrorIllegalAddress : cudaSuccess;
}
