#include "fake_device.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/engine.h"
#include "gpu/narrow.h"
#include "gpu/strip.h"

struct fake_device fake;

void fake_reset(void) {
    memset(&fake, 0, sizeof fake);
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
cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned flags) { return (void)flags, take(out, bytes, &fake.pinned); }
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

static void solve(const predt__gpu_strip *strip);
static void narrow(const predt__gpu_narrowing *n);

/* Does the stream's work up to the event; all of it for NULL. */
static void work_off(cudaStream_t stream, cudaEvent_t until) {
    while (stream->first && !(until && until->done)) {
        work *item = stream->first;
        stream->first = item->next;
        if (!stream->first) stream->last = NULL;
        for (size_t row = 0; row < item->height; row++)
            memcpy(item->to + row * item->to_pitch, item->from + row * item->from_pitch, item->width);
        if (item->solve) solve(&item->strip);
        if (item->narrow) narrow(&item->narrowing);
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

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream) {
    if (width > to_pitch || width > from_pitch || from_pitch > INT32_MAX) return cudaErrorInvalidPitchValue;
    *(kind == cudaMemcpyHostToDevice ? &fake.bytes_up : &fake.bytes_down) += (int64_t)(width * height);
    put_off(stream, (work){.to = to, .from = from, .to_pitch = to_pitch, .from_pitch = from_pitch, .width = width,
                           .height = height});
    return fake.broken ? cudaErrorIllegalAddress : cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
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
cudaError_t cudaSetDevice(int device) { return device < fake.devices ? cudaSuccess : cudaErrorInvalidDevice; }
cudaError_t cudaDriverGetVersion(int *version) { return *version = 0, cudaSuccess; }
cudaError_t cudaGetLastError(void) { return cudaSuccess; }

const char *cudaGetErrorString(cudaError_t error) {
    return error == cudaErrorMemoryAllocation ? "out of memory" : "something broke";
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    (void)device;
    *value = attribute == cudaDevAttrComputeCapabilityMajor ? 9 : 0;
    return cudaSuccess;
}

/* ---- The solver: every column against every pixel ---- */

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

static bool is_target(const predt__gpu_strip *strip, int64_t row, int64_t col) {
    return strip->words[row / 32 * strip->width + col] >> row % 32 & 1;
}

/* Raster row of the column's target that is nearest to a row of the strip, the northern one of two; -1: none. */
static int64_t nearest_in_column(const predt__gpu_strip *strip, int64_t row, int64_t col) {
    int64_t up = row, down = row + 1;
    while (up >= 0 && !is_target(strip, up, col)) up--;
    while (down < strip->rows && !is_target(strip, down, col)) down++;
    up = up >= 0 ? up + strip->first_row : strip->above[col];
    down = down < strip->rows ? down + strip->first_row : strip->below[col] == INT32_MAX ? -1 : strip->below[col];
    int64_t here = row + strip->first_row;
    if (up < 0 || down < 0) return up < 0 ? down : up;
    return here - up <= down - here ? up : down;
}

static uint64_t read_label(const void *labels, int32_t size, uint64_t at) {
    return size == 4 ? ((const uint32_t *)labels)[at] : ((const uint64_t *)labels)[at];
}

static uint64_t label_in(const predt__gpu_strip *strip, const void *labels, uint64_t at) {
    return read_label(labels, strip->label_size, at);
}

static uint64_t label_of(const predt__gpu_strip *strip, int64_t raster_row, int64_t col) {
    int64_t row = raster_row - strip->first_row, block = row / 32, tiles = (strip->width + 31) / 32, tile = col / 32;
    if (row < 0) return label_in(strip, strip->above_labels, (uint64_t)col);
    if (row >= strip->rows) return label_in(strip, strip->below_labels, (uint64_t)col);
    uint64_t rank = strip->label_blocks[block] + strip->label_starts[block * tiles + tile];
    for (int64_t r = block * 32; r <= row; r++)
        for (int64_t c = tile * 32; c < tile * 32 + 32 && c < strip->width && (r < row || c < col); c++)
            rank += is_target(strip, r, c);
    return label_in(strip, strip->label_values, rank);
}

static double d2_of(const predt__metric *metric, int64_t dcol, int64_t drow) {
    if (metric->number == PREDT__REAL) return predt__d2_real(metric->wx, metric->wy, (double)dcol, (double)drow);
    return (double)predt__d2_int((int64_t)metric->wx, (int64_t)metric->wy, dcol, drow);
}

static void write_pixel(const predt__gpu_strip *strip, int64_t row, int64_t col, double d2, int64_t to_row, int64_t to_col) {
    int64_t i = row * strip->width + col, here = row + strip->first_row;
    bool none = to_row < 0 || d2 > strip->metric.limit;
    uint64_t label = none || !strip->label ? strip->no_label : label_of(strip, to_row, to_col);
    if (strip->distance) strip->distance[i] = none ? INFINITY : predt__distance(d2, strip->metric.unit);
    if (strip->distance2) strip->distance2[i] = none ? INFINITY : predt__distance2(d2, strip->metric.unit);
    if (strip->label) memcpy((char *)strip->label + i * strip->label_size, &label, (size_t)strip->label_size);
    if (strip->nearest_col) strip->nearest_col[i] = none ? -1 : (int32_t)to_col;
    if (strip->nearest_row) strip->nearest_row[i] = none ? -1 : (int32_t)to_row;
    if (strip->direction)
        strip->direction[i] = none ? NAN : predt__azimuth(&strip->metric, (double)(to_col - col), (double)(to_row - here));
}

static void solve(const predt__gpu_strip *strip) {
    int64_t *nearest = malloc((size_t)strip->width * sizeof *nearest);
    for (int64_t row = 0; row < strip->rows; row++) {
        for (int64_t col = 0; col < strip->width; col++) nearest[col] = nearest_in_column(strip, row, col);
        for (int64_t col = 0; col < strip->width; col++) {
            double best = INFINITY;
            int64_t to_col = -1;
            for (int64_t other = 0; other < strip->width; other++) {
                if (nearest[other] < 0) continue;
                double d2 = d2_of(&strip->metric, col - other, strip->first_row + row - nearest[other]);
                if (d2 < best) best = d2, to_col = other;
            }
            write_pixel(strip, row, col, best, to_col < 0 ? -1 : nearest[to_col], to_col);
        }
    }
    free(nearest);
}

/* ---- Narrow outputs ---- */

/* Rows are dealt out to the tallies, so that all of them count. */
static void narrow(const predt__gpu_narrowing *n) {
    int32_t tallies = predt__gpu_tallies(n->rows, n->cols);
    for (int32_t i = 0; n->distance2 && i < tallies; i++) n->tallies[i] = (predt_tally)PREDT_TALLY_INIT;
    for (int64_t i = 0; i < n->rows * n->cols; i++) {
        int64_t row = n->first_row + i / n->cols * n->step, col = n->first_col + i % n->cols * n->step;
        int64_t at = (row - n->strip_row) * n->width + col;
        if (n->distance2) {
            predt_tally *tally = &n->tallies[i / n->cols % tallies];
            int64_t value = predt__whole_value(&n->whole, n->distance2[at], col, row, tally);
            memcpy((char *)n->whole.values + i * n->whole.bytes, &value, (size_t)n->whole.bytes);
        }
        if (n->label) {
            uint64_t label = read_label(n->label, n->label_size, (uint64_t)at);
            memcpy((char *)n->narrow_label + i * n->label_bytes, &label, (size_t)n->label_bytes);
        }
    }
}

cudaError_t predt__gpu_narrow(const predt__gpu_narrowing *narrowing, cudaStream_t stream) {
    put_off(stream, (work){.narrow = true, .narrowing = *narrowing});
    return fake.broken ? cudaErrorIllegalAddress : cudaSuccess;
}

/* ---- The other engines of the table ---- */

static const char *not_here(void) { return "not in this test"; }

#define ABSENT(engine, its_name) const predt__engine engine = {.name = its_name, .suits = predt__never, .probe = not_here}

ABSENT(predt__cuda_pr_edt, "cuda-pr-edt");
ABSENT(predt__cuda_man, "cuda-man");
ABSENT(predt__cuda_black, "cuda-black");
ABSENT(predt__cuda_voronoi_all, "cuda-voronoi-all");
ABSENT(predt__cuda_voronoi_grow, "cuda-voronoi-grow");
