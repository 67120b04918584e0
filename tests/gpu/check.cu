/* predt_gpu_check: the GPU solver against engine cpu, byte by byte, and its times.
 *
 *     predt_gpu_check [seconds [seed]]  seeded rasters until the time is up (default 60)
 *     predt_gpu_check --time [WIDTHxHEIGHT [pattern]]  device times of the patterns of
 *     bench/patterns.h (default 8192x8192; only random-SHARE% is drawn on rasters that are not
 *     square)
 *
 * Prints the first mismatch with all that is needed to see it again, and ends with status 1
 * then. */
#define PREDT__DEVICE static __host__ __device__ inline

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "narrow.h"
#include "strip.h"

extern "C" {
#include "../../src/core/bits.h"
#include "../../src/core/metric.h"
#include "predt.h"
bool predt__check_pattern(const char *name, uint8_t *raster, int64_t width, int64_t height);
}

#include "check_cases.cuh"
#include "check_time.cuh"

/* ---- Memory ---- */

static void fail(const char *what) {
    fprintf(stderr, "predt_gpu_check: %s\n", what);
    exit(2);
}

static void need(cudaError_t error) {
    if (error != cudaSuccess) fail(cudaGetErrorString(error));
}

static void *host_array(size_t bytes) {
    void *array = malloc(bytes + 64);
    if (!array) fail("out of memory");
    return memset(array, 0xA5, bytes + 64);
}

static void *device_array(size_t bytes) {
    void *array;
    need(cudaMalloc(&array, bytes + 64));
    need(cudaMemset(array, 0xA5, bytes + 64));
    return array;
}

static void *device_copy(const void *from, size_t bytes) {
    void *array = device_array(bytes);
    if (bytes) need(cudaMemcpy(array, from, bytes, cudaMemcpyHostToDevice));
    return array;
}

/* ---- The two sides ---- */

enum {
    DISTANCE,
    DISTANCE2,
    LABEL,
    NEAREST_COL,
    NEAREST_ROW,
    DIRECTION,
    WHOLE,
    NARROW_LABEL,
    OUTPUTS
};
typedef struct results {
    void *array[OUTPUTS];
    size_t size[OUTPUTS];
    predt__seen tally;
} results;
static const char *const output_names[OUTPUTS] = {"distance",    "distance2",   "label",
                                                  "nearest_col", "nearest_row", "direction",
                                                  "whole",       "narrow label"};
#define NO_LABEL 0x123456789abcdef0u

static results make_results(const test *t) {
    size_t label = (size_t)t->label_size, whole = (size_t)1 << t->seed % 3,
           narrow_label = label ? (size_t)1 << t->seed / 3 % 3 : 0;
    results r = {{NULL}, {4, 8, label, 4, 4, 4, whole, narrow_label}, PREDT__SEEN_INIT};
    for (int i = 0; i < OUTPUTS; i++)
        if (r.size[i]) r.array[i] = host_array(r.size[i] * (size_t)t->width * (size_t)t->height);
    return r;
}

/* Distances in pixels, or in tenths of one, that some rasters exceed. */
static predt__encoding whole_of(const test *t, const results *r, void *values) {
    static const predt_type types[] = {PREDT_UINT8, PREDT_UINT8, PREDT_UINT16, PREDT_UINT8,
                                       PREDT_UINT32};
    predt__encoding whole = {};
    whole.values = values;
    whole.bytes = (int)r->size[WHOLE];
    whole.type = types[whole.bytes];
    whole.scale = (t->seed % 2 ? 1.0 : 10.0) / t->grid.col_step[0];
    whole.none.i = ((int64_t)1 << 8 * whole.bytes) - 1;
    whole.max.i = whole.none.i - 1;
    return whole;
}

static void free_results(results *r) {
    for (int i = 0; i < OUTPUTS; i++) free(r->array[i]);
}

static void transform(predt_ctx *ctx, const test *t, const uint8_t *mask, const void *labels,
                      const predt_outputs *out) {
    if (predt_transform(ctx, &t->grid, mask, labels, (predt_label_type)t->label_size, out, NULL,
                        NULL) != PREDT_OK)
        fail(predt_message(ctx));
}

static void solve_cpu(predt_ctx *ctx, const test *t, const uint8_t *mask, const void *labels,
                      results *r) {
    predt_outputs out = PREDT_OUTPUTS_INIT, narrow = PREDT_OUTPUTS_INIT;
    out.distance = (float *)r->array[DISTANCE], out.distance2 = (double *)r->array[DISTANCE2];
    out.label = r->array[LABEL], out.no_label = narrow.no_label = NO_LABEL;
    out.nearest_col = (int32_t *)r->array[NEAREST_COL],
    out.nearest_row = (int32_t *)r->array[NEAREST_ROW];
    out.direction = (float *)r->array[DIRECTION];
    transform(ctx, t, mask, labels, &out);
    predt__encoding asked = whole_of(t, r, r->array[WHOLE]);
    predt_tally tally = PREDT_TALLY_INIT;
    predt_encoding whole = {sizeof whole, asked.values, asked.type, 0,
                            asked.scale,  asked.none,   {0},        &tally};
    narrow.encoding = &whole;
    narrow.label = r->array[NARROW_LABEL], narrow.label_bytes = (int)r->size[NARROW_LABEL];
    transform(ctx, t, mask, labels, &narrow);
    r->tally = {tally.farthest, tally.farthest_col, tally.farthest_row, tally.clamped,
                tally.like_none};
}

/* Each column's last target in rows [from, to), in the direction of step; none if there is none. */
static void carry_row(const test *t, const uint8_t *mask, int32_t from, int32_t to, int32_t step,
                      int32_t none, int32_t *rows) {
    for (int32_t col = 0; col < t->width; col++) rows[col] = none;
    for (int32_t row = from; row != to; row += step)
        for (int32_t col = 0; col < t->width; col++)
            if (mask[(int64_t)row * t->width + col]) rows[col] = row;
}

static void *carry_labels(const test *t, const int32_t *rows, const void *labels) {
    size_t size = (size_t)t->label_size;
    char *out = (char *)host_array((size_t)t->width * size);
    for (int32_t col = 0; col < t->width && size; col++)
        if (rows[col] >= 0 && rows[col] < t->height)
            memcpy(out + (size_t)col * size,
                   (const char *)labels + ((int64_t)rows[col] * t->width + col) * (int64_t)size,
                   size);
    void *copy = device_copy(out, (size_t)t->width * size);
    free(out);
    return copy;
}

/* Compact labels as an index has them. */
static void fill_ranks(const test *t, predt__gpu_strip *strip, const uint8_t *mask,
                       const void *labels) {
    int32_t blocks = (strip->rows + 31) / 32, tiles = (t->width + 31) / 32;
    size_t size = (size_t)t->label_size;
    uint64_t *before = (uint64_t *)host_array((size_t)blocks * 8), count = 0;
    uint32_t *starts = (uint32_t *)host_array((size_t)blocks * tiles * 4);
    uint32_t *words = (uint32_t *)host_array((size_t)t->width * 4);
    char *values = (char *)host_array(((size_t)strip->rows * t->width + 16) * size);
    for (int32_t block = 0; block < blocks; block++) {
        int64_t pixel = (int64_t)block * 32 * t->width;
        int rows = strip->rows - block * 32 < 32 ? strip->rows - block * 32 : 32;
        predt__bits_pack(mask + pixel, t->width, rows, words);
        before[block] = count;
        predt__bits_gather(words, t->width, (const char *)labels + pixel * (int64_t)size,
                           (predt_label_type)size, values + count * size);
        count += (uint64_t)predt__bits_count(words, t->width, starts + (int64_t)block * tiles);
    }
    strip->label_values = device_copy(values, count * size);
    strip->label_blocks = (const uint64_t *)device_copy(before, (size_t)blocks * 8);
    strip->label_starts = (const uint32_t *)device_copy(starts, (size_t)blocks * tiles * 4);
    free(before), free(starts), free(words), free(values);
}

/* Rounds and shortens what the strip's outputs on the device are, as the engine's host side has it
 * done. */
static void narrow_strip(const test *t, const predt__gpu_strip *strip, void *const *out,
                         results *r) {
    static predt__seen seen[PREDT__GPU_TALLIES];
    predt__gpu_narrowing n = {};
    n.width = strip->width, n.strip_row = n.first_row = strip->first_row;
    n.step = 1, n.rows = strip->rows, n.cols = strip->width;
    n.distance2 = strip->distance2, n.encoding = whole_of(t, r, out[WHOLE]);
    n.tallies = (predt__seen *)device_array(sizeof seen);
    n.label = strip->label, n.label_size = strip->label_size;
    n.narrow_label = out[NARROW_LABEL], n.label_bytes = (int32_t)r->size[NARROW_LABEL];
    int32_t count = predt__gpu_tallies(n.rows, n.cols);
    need(predt__gpu_narrow(&n, 0));
    need(cudaMemcpy(seen, n.tallies, (size_t)count * sizeof *seen, cudaMemcpyDeviceToHost));
    for (int32_t i = 0; i < count; i++) predt__tally_add(&r->tally, &seen[i]);
    need(cudaFree(n.tallies));
}

static void solve_strip(const test *t, const predt__metric *metric, int32_t first,
                        const uint8_t *mask, const char *labels, results *r) {
    int32_t rows = t->strip_rows < t->height - first ? t->strip_rows : t->height - first, *carry[2];
    size_t pixels = (size_t)rows * (size_t)t->width, start = (size_t)first * (size_t)t->width;
    size_t size = (size_t)t->label_size, words = (size_t)((rows + 31) / 32) * (size_t)t->width * 4;
    predt__gpu_strip strip = {};
    strip.metric = *metric, strip.width = t->width, strip.raster_height = t->height,
    strip.first_row = first;
    strip.rows = rows, strip.label_size = t->label_size, strip.no_label = NO_LABEL;
    for (int i = 0; i < 2; i++) carry[i] = (int32_t *)host_array((size_t)t->width * 4);
    carry_row(t, mask, 0, first, 1, -1, carry[0]);
    carry_row(t, mask, t->height - 1, first + rows - 1, -1, INT32_MAX, carry[1]);
    strip.above = (const int32_t *)device_copy(carry[0], (size_t)t->width * 4);
    strip.below = (const int32_t *)device_copy(carry[1], (size_t)t->width * 4);
    strip.above_labels = carry_labels(t, carry[0], labels),
    strip.below_labels = carry_labels(t, carry[1], labels);
    if (size && t->label_raster)
        strip.label_raster = device_copy(labels + start * size, pixels * size);
    else if (size) fill_ranks(t, &strip, mask + start, labels + start * size);
    void *device_mask = device_copy(mask + start, pixels), *packed = device_array(words),
         *out[OUTPUTS] = {NULL};
    for (int i = 0; i < OUTPUTS; i++)
        if (r->size[i]) out[i] = device_array(pixels * r->size[i]);
    strip.words = (const uint32_t *)packed;
    strip.distance = (float *)out[0], strip.distance2 = (double *)out[1], strip.label = out[2];
    strip.nearest_col = (int32_t *)out[3], strip.nearest_row = (int32_t *)out[4],
    strip.direction = (float *)out[5];
    void *workspace = device_array(predt__gpu_workspace(t->width, rows, t->label_size));
    need(predt__gpu_pack((const uint8_t *)device_mask, t->width, rows, (uint32_t *)packed, 0));
    need(predt__gpu_solve(&strip, workspace, 0));
    narrow_strip(t, &strip, out, r);
    need(cudaDeviceSynchronize());
    for (int i = 0; i < OUTPUTS; i++)
        if (out[i])
            need(cudaMemcpy((char *)r->array[i] + start * r->size[i], out[i], pixels * r->size[i],
                            cudaMemcpyDeviceToHost));
    const void *all[] = {strip.above,        strip.below,
                         strip.above_labels, strip.below_labels,
                         strip.label_raster, strip.label_values,
                         strip.label_blocks, strip.label_starts,
                         device_mask,        packed,
                         workspace};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) need(cudaFree((void *)all[i]));
    for (int i = 0; i < OUTPUTS; i++) need(cudaFree(out[i]));
    free(carry[0]), free(carry[1]);
}

/* ---- One case ---- */

static bool same(const test *t, const results *cpu, const results *gpu) {
    for (int i = 0; i < OUTPUTS; i++) {
        size_t size = cpu->size[i], count = (size_t)t->width * (size_t)t->height;
        if (!size || !memcmp(cpu->array[i], gpu->array[i], size * count)) continue;
        size_t at = 0;
        while (!memcmp((char *)cpu->array[i] + at * size, (char *)gpu->array[i] + at * size, size))
            at++;
        print_test(t);
        printf("  %s differs first at row %zu, column %zu\n", output_names[i],
               at / (size_t)t->width, at % (size_t)t->width);
        for (int side = 0; side < 2; side++) {
            const results *r = side ? gpu : cpu;
            printf("  %s: row %d, column %d, distance %.9g\n", side ? "gpu" : "cpu",
                   ((int32_t *)r->array[4])[at], ((int32_t *)r->array[3])[at],
                   ((float *)r->array[0])[at]);
        }
        return false;
    }
    return true;
}

static bool same_tally(const test *t, const predt__seen *cpu, const predt__seen *gpu) {
    bool far = cpu->farthest == gpu->farthest && cpu->farthest_col == gpu->farthest_col &&
               cpu->farthest_row == gpu->farthest_row;
    if (far && cpu->clamped == gpu->clamped && cpu->like_none == gpu->like_none) return true;
    print_test(t);
    printf("  tallies differ: farthest %.17g and %.17g, clamped %lld and %lld\n", cpu->farthest,
           gpu->farthest, (long long)cpu->clamped, (long long)gpu->clamped);
    return false;
}

static bool check(predt_ctx *ctx, const test *t) {
    int64_t pixels = (int64_t)t->width * t->height;
    uint8_t *mask = (uint8_t *)host_array((size_t)pixels);
    char *labels = (char *)host_array((size_t)pixels * 8);
    uint64_t state = t->seed * 77 + 5;
    memset(mask, 0, (size_t)pixels);
    for (int64_t i = 0; i < pixels; i++)
        if (target_at(t, (int32_t)(i / t->width), (int32_t)(i % t->width), &state))
            mask[i] = (uint8_t)(1 + draw_from(&state) % 255);
    for (int64_t i = 0; i < pixels; i++) {
        uint64_t label = draw_from(&state);
        memcpy(labels + i * t->label_size, &label, (size_t)t->label_size);
    }
    predt__metric metric;
    const char *fault = predt__metric_from_grid(&metric, &t->grid);
    if (fault) fail(fault);
    /* all types that can hold d2 give the same bytes */
    if (metric.integer) metric.number = t->number;
    results cpu = make_results(t), gpu = make_results(t);
    solve_cpu(ctx, t, mask, labels, &cpu);
    for (int64_t first = 0; first < t->height; first += t->strip_rows)
        solve_strip(t, &metric, (int32_t)first, mask, labels, &gpu);
    bool equal = same(t, &cpu, &gpu) && same_tally(t, &cpu.tally, &gpu.tally);
    free_results(&cpu), free_results(&gpu), free(mask), free(labels);
    return equal;
}

static int time_patterns_of(int argc, char **argv) {
    int width = 8192, height = 8192;
    if (argc > 2 && sscanf(argv[2], "%dx%d", &width, &height) != 2)
        fail("--time takes WIDTHxHEIGHT");
    return time_all(width, height, argc > 3 ? argv[3] : NULL);
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "--time")) return time_patterns_of(argc, argv);
    double seconds = argc > 1 ? atof(argv[1]) : 60;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, first = seed;
    predt_ctx *ctx;
    predt_options options = PREDT_OPTIONS_INIT;
    options.engine = "cpu";
    if (predt_open(&ctx, &options) != PREDT_OK) fail(predt_message(ctx));
    time_t start = time(NULL);
    bool equal = true;
    for (; equal && (seed == first || difftime(time(NULL), start) < seconds); seed++) {
        test t = draw_test(seed);
        equal = check(ctx, &t);
    }
    predt_close(&ctx);
    printf("%llu cases, %s\n", (unsigned long long)(seed - first),
           equal ? "all the same" : "the last one differs");
    return equal ? 0 : 1;
}
