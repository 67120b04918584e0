/* Device times: mask on the device to float32 distance and int32 label on the device, packing
 * included. */
#ifndef PREDT__GPU_CHECK_TIME_CUH
#define PREDT__GPU_CHECK_TIME_CUH

#include "columns.cuh"
#include "far.cuh"
#include "list.cuh"
#include "near.cuh"
#include "workspace.cuh"

#define WARM_UPS 5
#define TIMED 20
#define BYTES_A_PIXEL 9.0 /* that must move: mask in, distance and label out */

enum { PACK, CARRY, NEAR, LIST, FAR, PHASES };
static const char *const time_patterns[] = {
    "random-1",  "random-100", "random-1000", "random-10000", "random-0.1%",    "random-0.3%",
    "random-1%", "random-10%", "random-50%",  "random-57%",   "random-99%",     "diagonals",
    "circle",    "coast",      "roads",       "polygon",      "polygon-outside"};

typedef struct timing {
    int32_t width, height;
    uint8_t *host_mask, *mask;
    uint32_t *words;
    void *workspace;
    predt__gpu_strip strip;
    cudaEvent_t events[PHASES + 1];
    double copy_rate; /* bytes read and written a second */
} timing;

static void time_need(cudaError_t error) {
    if (error == cudaSuccess) return;
    fprintf(stderr, "predt_gpu_check: %s\n", cudaGetErrorString(error));
    exit(2);
}

static void *time_array(size_t bytes) {
    void *array;
    time_need(cudaMalloc(&array, bytes));
    time_need(cudaMemset(array, 1, bytes));
    return array;
}

static int time_order(const void *a, const void *b) {
    float left = *(const float *)a, right = *(const float *)b;
    return (left > right) - (left < right);
}

static float median(float *values) {
    qsort(values, TIMED, sizeof *values, time_order);
    return (values[TIMED / 2 - 1] + values[TIMED / 2]) / 2;
}

static void time_setup(timing *t, int32_t width, int32_t height) {
    size_t pixels = (size_t)width * (size_t)height, columns = (size_t)width * 4;
    predt_grid grid = PREDT_GRID_INIT(width, height);
    t->width = width, t->height = height;
    t->host_mask = (uint8_t *)malloc(pixels);
    if (!t->host_mask || predt__metric_from_grid(&t->strip.metric, &grid)) exit(2);
    t->mask = (uint8_t *)time_array(pixels);
    t->words = (uint32_t *)time_array(pixels / 8 + columns);
    t->workspace = time_array(predt__gpu_workspace(width, height, 4));
    int32_t *edges = (int32_t *)time_array(2 * columns), *rows = (int32_t *)malloc(2 * columns);
    for (int32_t i = 0; i < 2 * width; i++) rows[i] = i < width ? -1 : INT32_MAX;
    time_need(cudaMemcpy(edges, rows, 2 * columns, cudaMemcpyHostToDevice));
    free(rows);
    t->strip.width = width;
    t->strip.raster_height = t->strip.rows = height;
    t->strip.words = t->words;
    t->strip.above = edges, t->strip.below = edges + width;
    t->strip.above_labels = t->strip.below_labels = edges;
    t->strip.label_size = 4;
    t->strip.label_raster = time_array(pixels * 4);
    t->strip.distance = (float *)time_array(pixels * 4);
    t->strip.label = time_array(pixels * 4);
    for (int i = 0; i <= PHASES; i++) time_need(cudaEventCreate(&t->events[i]));
}

/* Copying label_raster to label: 8 bytes a pixel. */
static void time_copy(timing *t) {
    size_t bytes = (size_t)t->width * (size_t)t->height * 4;
    float values[TIMED];
    for (int i = -WARM_UPS; i < TIMED; i++) {
        time_need(cudaEventRecord(t->events[0], 0));
        time_need(cudaMemcpyAsync(t->strip.label, t->strip.label_raster, bytes,
                                  cudaMemcpyDeviceToDevice, 0));
        time_need(cudaEventRecord(t->events[1], 0));
        time_need(cudaDeviceSynchronize());
        if (i >= 0) time_need(cudaEventElapsedTime(&values[i], t->events[0], t->events[1]));
    }
    t->copy_rate = 2.0 * (double)bytes / (1e-3 * median(values));
}

/* One run in its phases, an event between any two. */
static void time_phases(timing *t, float *phases) {
    strip_job job = job_of(&t->strip);
    place_arrays(&job, t->workspace);
    time_need(cudaEventRecord(t->events[PACK], 0));
    time_need(predt__gpu_pack(t->mask, t->width, t->height, t->words, 0));
    time_need(cudaEventRecord(t->events[CARRY], 0));
    time_need(carry(&job, 0));
    time_need(cudaEventRecord(t->events[NEAR], 0));
    time_need(near(&job, 0));
    time_need(cudaEventRecord(t->events[LIST], 0));
    time_need(list(&job, 0));
    time_need(cudaEventRecord(t->events[FAR], 0));
    time_need(far_tiles(&job, 0));
    time_need(cudaEventRecord(t->events[PHASES], 0));
    time_need(cudaDeviceSynchronize());
    for (int i = 0; i < PHASES; i++)
        time_need(cudaEventElapsedTime(&phases[i], t->events[i], t->events[i + 1]));
}

static void time_pattern(timing *t, const char *pattern) {
    size_t pixels = (size_t)t->width * (size_t)t->height;
    float all[TIMED], values[PHASES][TIMED], phases[PHASES];
    if (!predt__check_pattern(pattern, t->host_mask, t->width, t->height)) exit(2);
    time_need(cudaMemcpy(t->mask, t->host_mask, pixels, cudaMemcpyHostToDevice));
    for (int i = -WARM_UPS; i < TIMED; i++) {
        time_need(cudaEventRecord(t->events[0], 0));
        time_need(predt__gpu_pack(t->mask, t->width, t->height, t->words, 0));
        time_need(predt__gpu_solve(&t->strip, t->workspace, 0));
        time_need(cudaEventRecord(t->events[1], 0));
        time_need(cudaDeviceSynchronize());
        if (i >= 0) time_need(cudaEventElapsedTime(&all[i], t->events[0], t->events[1]));
        time_phases(t, phases);
        for (int phase = 0; i >= 0 && phase < PHASES; phase++) values[phase][i] = phases[phase];
    }
    float total = median(all);
    double floor = 1e3 * BYTES_A_PIXEL * (double)pixels / t->copy_rate;
    printf("%-16s %7.3f (%.3f to %.3f) %5.1f%%  ", pattern, total, all[0], all[TIMED - 1],
           100 * floor / total);
    for (int phase = 0; phase < PHASES; phase++) printf(" %6.3f", median(values[phase]));
    printf("\n");
    fflush(stdout);
}

/* All patterns, or the one named. */
static int time_all(int32_t width, int32_t height, const char *only) {
    static timing t;
    time_setup(&t, width, height);
    time_copy(&t);
    printf("%d x %d, distance and label, device time in ms: median of %d after %d (least to "
           "greatest), share of the floor\n",
           width, height, TIMED, WARM_UPS);
    double floor = 1e3 * BYTES_A_PIXEL * (double)width * (double)height / t.copy_rate;
    printf("copy %.2f TB/s, floor %.3f ms\n", t.copy_rate * 1e-12, floor);
    printf("%-16s %7s                  floor    pack   carry  near   list   far\n", "", "all");
    if (only) time_pattern(&t, only);
    for (size_t i = 0; !only && i < sizeof time_patterns / sizeof time_patterns[0]; i++)
        time_pattern(&t, time_patterns[i]);
    return 0;
}

#endif
