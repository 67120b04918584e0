/* Device time of the CUDA engines: a byte mask and int32 labels on the device to float32 distances and int32 labels on it.
 * For each pattern the answer is compared with engine cpu's, byte for byte, and only then timed; beside it PR-EDT as
 * published and, where NPP was found, NVIDIA's nppiDistanceTransformPBA (distance and Voronoi output). */
#include <cuda_runtime_api.h>
#include <inttypes.h>
#include <stdio.h>

#include "gpu/gather.h"
#include "gpu/pr_edt.h"
#include "gpu/strip.h"
#include "patterns.h"
#ifdef PREDT_BENCH_NPP
#include <nppi_filtering_functions.h>
#endif

#define FLOOR_BYTES 9 /* a pixel: mask in, distance and label out */
#define WARM_UPS 5
#define MOST_REPEATS 1000

static const char *const all_patterns[] = {
    "random-1",   "random-100", "random-1000", "random-10000", "random-0.1%", "random-1%", "random-10%",      "random-50%",
    "random-57%", "random-99%", "diagonals",   "circle",       "coast",       "roads",     "polygon", "polygon-outside",
};

typedef struct bench {
    int64_t width, height, memory;
    int repeats;
    bool check, rivals;
    double bandwidth; /* bytes read and written a second by a copy on the device */
    size_t allocated;
    cudaStream_t stream;
    cudaEvent_t start, stop;
    predt_ctx *ctx; /* engine cpu */
} bench;

/* One raster, and its part on the device. */
typedef struct raster {
    const char *pattern;
    uint8_t *whole; /* NULL: drawn strip by strip */
    double share;
    predt_index *index;
    int64_t strip_rows;
    uint8_t *mask; /* of a strip, on the host */
    uint32_t *labels;
    uint8_t *device_mask;
    predt__gpu_strip strip;
    void *workspace;
} raster;

/* ---- A program may end where a library may not ---- */

static void stop(const char *what, const char *why) {
    fprintf(stderr, "predt_gpu_bench: %s: %s\n", what, why);
    exit(1);
}

static void need(const char *what, cudaError_t error) {
    if (error != cudaSuccess) stop(what, cudaGetErrorString(error));
}

static void need_predt(const bench *bench, predt_status status) {
    if (status != PREDT_OK) stop("predt", predt_message(bench->ctx));
}

static void *host(size_t bytes) {
    void *memory = malloc(bytes);
    if (!memory) stop("host memory", "none left");
    return memory;
}

static void *device(bench *bench, size_t bytes) {
    void *memory;
    need("device memory", cudaMalloc(&memory, bytes));
    bench->allocated += bytes;
    return memory;
}

static void upload(const void *to, const void *from, size_t bytes) {
    need("upload", cudaMemcpy((void *)to, from, bytes, cudaMemcpyHostToDevice));
}

/* ---- Rasters ---- */

static bool drawn_by_strip(const char *pattern, double *share) {
    char *end;
    if (strncmp(pattern, "random-", 7) != 0) return false;
    *share = strtod(pattern + 7, &end) / 100;
    return *end == '%';
}

/* A label for every pixel; those of the targets are copied. */
static uint32_t label_of(int64_t pixel) { return (uint32_t)pixel * 2654435761u; }

static int64_t fill_strip(const bench *bench, raster *raster, int64_t row) {
    int64_t rows = bench->height - row < raster->strip_rows ? bench->height - row : raster->strip_rows;
    int64_t first = row * bench->width, count = rows * bench->width;
    for (int64_t i = 0; i < count; i++) raster->labels[i] = label_of(first + i);
    if (raster->whole) memcpy(raster->mask, raster->whole + first, (size_t)count);
    else
        for (int64_t i = 0; i < count; i++) raster->mask[i] = draw_unit((uint64_t)(first + i)) < raster->share;
    return rows;
}

static void make_index(const bench *bench, raster *raster) {
    predt_grid grid = PREDT_GRID_INIT(bench->width, bench->height);
    need_predt(bench, predt_index_create(bench->ctx, &grid, PREDT_LABEL_32, &raster->index));
    for (int64_t row = 0, rows; row < bench->height; row += rows) {
        rows = fill_strip(bench, raster, row);
        need_predt(bench, predt_index_add(raster->index, row, (int32_t)rows, raster->mask, raster->labels));
    }
    need_predt(bench, predt_index_seal(raster->index));
}

/* Mask, labels, words, carries, outputs and workspace of a strip. */
static size_t strip_bytes(int64_t width, int64_t rows) {
    return (size_t)(width * rows) * (1 + 4 + 4 + 4) + (size_t)(width * (rows / 32 + 1)) * 4 + (size_t)width * 16 +
           predt__gpu_workspace((int32_t)width, (int32_t)rows, 4);
}

static void plan_strip(const bench *bench, raster *raster) {
    raster->strip_rows = (bench->height + 31) / 32 * 32;
    while (raster->strip_rows > 32 && strip_bytes(bench->width, raster->strip_rows) > (size_t)bench->memory)
        raster->strip_rows = (raster->strip_rows / 2 + 31) / 32 * 32;
}

static void make_device_arrays(bench *bench, raster *raster) {
    size_t width = (size_t)bench->width, rows = (size_t)raster->strip_rows, pixels = width * rows;
    predt__gpu_strip *strip = &raster->strip;
    raster->device_mask = device(bench, pixels);
    raster->workspace = device(bench, predt__gpu_workspace((int32_t)width, (int32_t)rows, 4));
    *strip = (predt__gpu_strip){.metric = raster->index->metric, .width = (int32_t)width, .raster_height = bench->height,
                                .label_size = 4, .no_label = 0};
    strip->words = device(bench, width * (rows / 32) * 4);
    strip->above = device(bench, width * 4);
    strip->below = device(bench, width * 4);
    strip->above_labels = device(bench, width * 4);
    strip->below_labels = device(bench, width * 4);
    strip->label_raster = device(bench, pixels * 4);
    strip->distance = device(bench, pixels * 4);
    strip->label = device(bench, pixels * 4);
}

static void free_raster(bench *bench, raster *raster) {
    const predt__gpu_strip *strip = &raster->strip;
    const void *all[] = {raster->device_mask, raster->workspace,   strip->words,        strip->above,    strip->below,
                         strip->above_labels, strip->below_labels, strip->label_raster, strip->distance, strip->label};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) need("cudaFree", cudaFree((void *)all[i]));
    predt_index_destroy(&raster->index);
    free(raster->whole);
    free(raster->mask);
    free(raster->labels);
    bench->allocated = 0;
}

static void make_raster(bench *bench, raster *raster, const char *pattern) {
    *raster = (struct raster){.pattern = pattern};
    plan_strip(bench, raster);
    raster->mask = host((size_t)(raster->strip_rows * bench->width));
    raster->labels = host((size_t)(raster->strip_rows * bench->width) * 4);
    if (!drawn_by_strip(pattern, &raster->share)) {
        if (bench->width != bench->height) stop(pattern, "only shares are drawn on rasters that are not square");
        raster->whole = host((size_t)(bench->width * bench->height));
        if (!pattern_fill(pattern, raster->whole, bench->width)) stop(pattern, "no such pattern");
    }
    make_index(bench, raster);
    make_device_arrays(bench, raster);
}

/* Sends one strip: mask and labels as rasters, and the carries. */
static void send_strip(const bench *bench, raster *raster, int64_t row) {
    size_t width = (size_t)bench->width;
    int64_t rows = fill_strip(bench, raster, row), blocks = (rows + 31) / 32;
    size_t tiles = (width + 31) / 32, count = (size_t)predt__gather_count(raster->index, row / 32, blocks);
    predt__gather gather = {.index = raster->index, .first_block = row / 32, .blocks = blocks};
    gather.words = host((size_t)blocks * width * 4);
    gather.above = host(width * 4), gather.below = host(width * 4);
    gather.above_labels = host(width * 4), gather.below_labels = host(width * 4);
    gather.label_blocks = host((size_t)blocks * 8), gather.label_starts = host((size_t)blocks * tiles * 4);
    gather.label_values = host((count + PREDT__LABEL_PADDING) * 4);
    predt__gather_strip(&gather, 8);
    raster->strip.first_row = row;
    raster->strip.rows = (int32_t)rows;
    upload(raster->device_mask, raster->mask, width * (size_t)rows);
    upload(raster->strip.label_raster, raster->labels, width * (size_t)rows * 4);
    upload(raster->strip.above, gather.above, width * 4);
    upload(raster->strip.below, gather.below, width * 4);
    upload(raster->strip.above_labels, gather.above_labels, width * 4);
    upload(raster->strip.below_labels, gather.below_labels, width * 4);
    void *all[] = {gather.words,        gather.above,        gather.below,       gather.above_labels, gather.below_labels,
                   gather.label_blocks, gather.label_starts, gather.label_values};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

/* ---- Runs ---- */

typedef void (*work)(const bench *bench, void *what);

static void run_predt(const bench *bench, void *what) {
    const raster *raster = what;
    const predt__gpu_strip *strip = &raster->strip;
    need("pack", predt__gpu_pack(raster->device_mask, strip->width, strip->rows, (uint32_t *)strip->words, bench->stream));
    need("solve", predt__gpu_solve(strip, raster->workspace, bench->stream));
}

/* Adds the milliseconds of each repeat. */
static void time_work(const bench *bench, work work, void *what, int repeats, double *ms) {
    for (int i = -WARM_UPS; i < repeats; i++) {
        float elapsed;
        need("event", cudaEventRecord(bench->start, bench->stream));
        work(bench, what);
        need("event", cudaEventRecord(bench->stop, bench->stream));
        need("run", cudaEventSynchronize(bench->stop));
        need("event", cudaEventElapsedTime(&elapsed, bench->start, bench->stop));
        if (i >= 0) ms[i] += elapsed;
    }
}

static int by_value(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static void print_line(const bench *bench, const char *pattern, const char *engine, double *ms, int repeats, size_t bytes) {
    double pixels = (double)bench->width * (double)bench->height, floor_ms = pixels * FLOOR_BYTES / bench->bandwidth * 1e3;
    qsort(ms, (size_t)repeats, sizeof *ms, by_value);
    double median = (ms[(repeats - 1) / 2] + ms[repeats / 2]) / 2, spread = (ms[repeats - 1] - ms[0]) / 2 / median * 100;
    printf("| %s | %" PRId64 " x %" PRId64 " | %s | %.3f | %.0f %% | %.4f | %.2f | %.0f |\n", pattern, bench->width,
           bench->height, engine, median, spread, median * 1e6 / pixels, median / floor_ms, (double)bytes / (1 << 20));
    fflush(stdout);
}

/* The strip on the device against engine cpu's, byte for byte. */
static void check_strip(const bench *bench, raster *raster) {
    const predt__gpu_strip *strip = &raster->strip;
    size_t pixels = (size_t)strip->width * (size_t)strip->rows, bytes = pixels * 4;
    uint32_t *got = host(bytes), *distance = host(bytes), *label = host(bytes);
    predt_window window = {0, strip->first_row, strip->width, strip->rows, 1};
    predt_outputs outputs = {.distance = (float *)distance, .label = label};
    need("poison", cudaMemset(strip->distance, 0xb5, bytes));
    need("poison", cudaMemset(strip->label, 0xb5, bytes));
    need("words", cudaMemset((void *)strip->words, 0, (size_t)strip->width * (((size_t)strip->rows + 31) / 32) * 4));
    need("poison", cudaDeviceSynchronize()); /* the bench's stream does not wait for the default one */
    run_predt(bench, raster);
    need("solve", cudaStreamSynchronize(bench->stream));
    need_predt(bench, predt_query(bench->ctx, raster->index, &window, &outputs));
    need("download", cudaMemcpy(got, strip->distance, bytes, cudaMemcpyDeviceToHost));
    if (memcmp(got, distance, bytes) != 0) stop(raster->pattern, "distances differ from engine cpu's");
    need("download", cudaMemcpy(got, strip->label, bytes, cudaMemcpyDeviceToHost));
    if (memcmp(got, label, bytes) != 0) stop(raster->pattern, "labels differ from engine cpu's");
    free(got), free(distance), free(label);
}

static void bench_predt(bench *bench, raster *raster) {
    double ms[MOST_REPEATS] = {0};
    for (int64_t row = 0; row < bench->height; row += raster->strip.rows) {
        send_strip(bench, raster, row);
        if (bench->check) check_strip(bench, raster);
        time_work(bench, run_predt, raster, bench->repeats, ms);
    }
    print_line(bench, raster->pattern, "cuda", ms, bench->repeats, bench->allocated);
}

/* ---- PR-EDT as published: distance and place of the nearest target ---- */

typedef struct pr_edt {
    predt__ref_strip strip;
    void *workspace;
} pr_edt;

#define PR_EDT_REPEATS 5 /* it takes a hundred times as long */

static void run_pr_edt(const bench *bench, void *what) {
    const pr_edt *pr_edt = what;
    need("pr-edt", predt__pr_edt_method.run(&pr_edt->strip, pr_edt->workspace, bench->stream, NULL));
}

static void bench_pr_edt(bench *bench, const raster *raster) {
    const predt__gpu_strip *from = &raster->strip;
    double ms[PR_EDT_REPEATS] = {0};
    size_t before = bench->allocated, pixels = (size_t)from->width * (size_t)from->rows;
    size_t shared = pixels * 4 + pixels / 8; /* of what is there already: distances, words */
    pr_edt pr_edt = {.strip = {.metric = from->metric, .width = from->width, .raster_height = bench->height,
                               .rows = from->rows, .setting = {PREDT__PR_EDT_ROWS}, .words = from->words, .above = from->above,
                               .below = from->below, .cols = from->width, .step = 1, .wanted_rows = from->rows,
                               .distance = from->distance}};
    pr_edt.workspace = device(bench, predt__pr_edt_method.workspace(&pr_edt.strip));
    pr_edt.strip.nearest_col = device(bench, pixels * 4);
    pr_edt.strip.nearest_row = device(bench, pixels * 4);
    time_work(bench, run_pr_edt, &pr_edt, PR_EDT_REPEATS, ms);
    print_line(bench, raster->pattern, "cuda-pr-edt", ms, PR_EDT_REPEATS, bench->allocated - before + shared);
    void *all[] = {pr_edt.workspace, pr_edt.strip.nearest_col, pr_edt.strip.nearest_row};
    for (int i = 0; i < 3; i++) need("cudaFree", cudaFree(all[i]));
    bench->allocated = before;
}

/* ---- NPP ---- */

#ifdef PREDT_BENCH_NPP
typedef struct npp {
    const raster *raster;
    int16_t *voronoi;
    Npp8u *buffer;
    NppiSize size;
    NppStreamContext context;
} npp;

static void run_npp(const bench *bench, void *what) {
    const npp *npp = what;
    int width = npp->size.width;
    (void)bench;
    NppStatus status = nppiDistanceTransformPBA_8u32f_C1R_Ctx(npp->raster->device_mask, width, 1, 1, npp->voronoi, 4 * width, NULL,
                                                              0, NULL, 0, npp->raster->strip.distance, 4 * width, npp->size,
                                                              npp->buffer, npp->context);
    if (status != NPP_SUCCESS) stop(npp->raster->pattern, "NPP failed");
}

static void describe_device(NppStreamContext *context, cudaStream_t stream) {
    struct cudaDeviceProp properties;
    need("properties", cudaGetDeviceProperties(&properties, 0));
    *context = (NppStreamContext){.hStream = stream};
    context->nMultiProcessorCount = properties.multiProcessorCount;
    context->nMaxThreadsPerMultiProcessor = properties.maxThreadsPerMultiProcessor;
    context->nMaxThreadsPerBlock = properties.maxThreadsPerBlock;
    context->nSharedMemPerBlock = properties.sharedMemPerBlock;
    context->nCudaDevAttrComputeCapabilityMajor = properties.major;
    context->nCudaDevAttrComputeCapabilityMinor = properties.minor;
    need("stream", cudaStreamGetFlags(stream, &context->nStreamFlags));
}

static void bench_npp(bench *bench, const raster *raster) {
    double ms[MOST_REPEATS] = {0};
    size_t bytes, before = bench->allocated, pixels = (size_t)bench->width * (size_t)bench->height;
    npp npp = {.raster = raster, .size = {(int)bench->width, (int)bench->height}};
    describe_device(&npp.context, bench->stream);
    if (nppiDistanceTransformPBAGetBufferSize(npp.size, &bytes) != NPP_SUCCESS) stop("NPP", "no buffer size");
    npp.buffer = device(bench, bytes);
    npp.voronoi = device(bench, pixels * 4);
    time_work(bench, run_npp, &npp, bench->repeats, ms);
    print_line(bench, raster->pattern, "NPP", ms, bench->repeats, pixels * 5 + bytes + pixels * 4);
    need("cudaFree", cudaFree(npp.buffer));
    need("cudaFree", cudaFree(npp.voronoi));
    bench->allocated = before;
}
#endif

/* ---- All ---- */

#define COPY_BYTES ((size_t)2 << 30)

typedef struct copy {
    void *to, *from;
} copy;

static void run_copy(const bench *bench, void *what) {
    const copy *copy = what;
    need("copy", cudaMemcpyAsync(copy->to, copy->from, COPY_BYTES, cudaMemcpyDeviceToDevice, bench->stream));
}

static void measure_bandwidth(bench *bench) {
    double ms[11] = {0};
    copy copy = {device(bench, COPY_BYTES), device(bench, COPY_BYTES)};
    need("fill", cudaMemset(copy.from, 0x3c, COPY_BYTES));
    need("fill", cudaDeviceSynchronize());
    time_work(bench, run_copy, &copy, 11, ms);
    qsort(ms, 11, sizeof *ms, by_value);
    bench->bandwidth = 2.0 * (double)COPY_BYTES / ms[5] * 1e3;
    need("cudaFree", cudaFree(copy.to));
    need("cudaFree", cudaFree(copy.from));
    bench->allocated = 0;
}

static void bench_pattern(bench *bench, const char *pattern) {
    raster raster;
    make_raster(bench, &raster, pattern);
    bench_predt(bench, &raster);
    bool whole = raster.strip_rows >= bench->height; /* the others take rasters as a whole */
    if (bench->rivals && whole) bench_pr_edt(bench, &raster);
#ifdef PREDT_BENCH_NPP
    if (bench->rivals && whole && bench->width <= INT16_MAX && bench->height <= INT16_MAX) bench_npp(bench, &raster);
#endif
    free_raster(bench, &raster);
}

static void start(bench *bench) {
    struct cudaDeviceProp properties;
    predt_options options = PREDT_OPTIONS_INIT;
    options.engine = "cpu";
    need_predt(bench, predt_open(&bench->ctx, &options));
    need("stream", cudaStreamCreateWithFlags(&bench->stream, cudaStreamNonBlocking));
    need("event", cudaEventCreate(&bench->start));
    need("event", cudaEventCreate(&bench->stop));
    need("properties", cudaGetDeviceProperties(&properties, 0));
    measure_bandwidth(bench);
    printf("%s, copies %.2f TB/s; byte mask and int32 labels to float32 distance and int32 label, on the device; median of "
           "%d after %d (cuda-pr-edt: of %d), half the range in %%\n\n",
           properties.name, bench->bandwidth / 1e12, bench->repeats, WARM_UPS, PR_EDT_REPEATS);
    printf("| pattern | size | engine | ms | spread | ns/pixel | times the floor | device MiB |\n|---|---|---|---|---|---|---|---|\n");
}

static void usage(void) {
    printf("predt_gpu_bench [-n SIDE | -n WIDTHxHEIGHT] [-r REPEATS] [-m MIB] [-f] [-o] [PATTERN...]\n"
           "  -n  size of the rasters (default 8192)\n"
           "  -r  timed repeats (default 20)\n"
           "  -m  device memory for a strip (default 3500 MiB)\n"
           "  -f  no comparison with engine cpu before the timing\n"
           "  -o  engine cuda only\n"
           "patterns: random-COUNT, random-SHARE%%, diagonals, circle, coast, roads, polygon, polygon-outside (default: all)\n");
    exit(2);
}

static int parse(bench *bench, int argc, char **argv) {
    int at = 1;
    for (; at < argc && argv[at][0] == '-'; at++) {
        char option = argv[at][1];
        if (option == 'f') bench->check = false;
        else if (option == 'o') bench->rivals = false;
        else if (!strchr("nrm", option) || !option || at + 1 == argc) usage();
        else if (option == 'r') bench->repeats = atoi(argv[++at]);
        else if (option == 'm') bench->memory = atoll(argv[++at]) << 20;
        else if (sscanf(argv[++at], "%" SCNd64 "x%" SCNd64, &bench->width, &bench->height) == 1) bench->height = bench->width;
    }
    if (bench->repeats < 1 || bench->repeats > MOST_REPEATS || bench->width < 1 || bench->height < 1) usage();
    return at;
}

int main(int argc, char **argv) {
    bench bench = {.width = 8192, .height = 8192, .memory = INT64_C(3500) << 20, .repeats = 20, .check = true, .rivals = true};
    int at = parse(&bench, argc, argv);
    start(&bench);
    for (int i = at; i < argc; i++) bench_pattern(&bench, argv[i]);
    for (size_t i = 0; at == argc && i < sizeof all_patterns / sizeof *all_patterns; i++) bench_pattern(&bench, all_patterns[i]);
    predt_close(&bench.ctx);
    return 0;
}
