/* Device time of the CUDA engines: a byte mask and int32 labels on the device to float32 distances
 * and int32 labels on it. For each pattern the answer is compared with engine cpu's, byte for byte,
 * and only then timed; beside it PR-EDT as published and, where NPP was found, NVIDIA's
 * nppiDistanceTransformPBA (distance and Voronoi output). */
#include "gpu.h"

#include <inttypes.h>
#include <string.h>

#include "gpu/methods/pr_edt.h"

#define FLOOR_BYTES 9 /* a pixel: mask in, distance and label out */
#define WARM_UPS 5

static const char *const all_patterns[] = {
    "random-1",   "random-100", "random-1000", "random-10000",    "random-0.1%", "random-1%",
    "random-10%", "random-50%", "random-57%",  "random-99%",      "diagonals",   "circle",
    "coast",      "roads",      "polygon",     "polygon-outside",
};

/* ---- Runs ---- */

static void run_predt(const gpu_bench *bench, void *what) {
    const gpu_raster *raster = what;
    const predt__gpu_strip *strip = &raster->strip;
    need("pack", predt__gpu_pack(raster->device_mask, strip->width, strip->rows, raster->words,
                                 bench->stream));
    need("solve", predt__gpu_solve(strip, raster->workspace, bench->stream));
}

void time_work(const gpu_bench *bench, work_function work, void *what, int repeats, double *ms) {
    for (int i = -WARM_UPS; i < repeats; i++) {
        float elapsed;
        need("event", cudaEventRecord(bench->start, bench->stream));
        work(bench, what);
        need("event", cudaEventRecord(bench->stop, bench->stream));
        need("run", cudaEventSynchronize(bench->stop));
        need("event", cudaEventElapsedTime(&elapsed, bench->start, bench->stop));
        if (i >= 0) ms[i] += (double)elapsed;
    }
}

static int by_value(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

void print_line(const gpu_bench *bench, const char *pattern, const char *engine, double *ms,
                int repeats, size_t bytes) {
    double pixels = (double)bench->width * (double)bench->height,
           floor_ms = pixels * FLOOR_BYTES / bench->bandwidth * 1e3;
    qsort(ms, (size_t)repeats, sizeof *ms, by_value);
    double median = (ms[(repeats - 1) / 2] + ms[repeats / 2]) / 2,
           spread = (ms[repeats - 1] - ms[0]) / 2 / median * 100;
    printf("| %s | %" PRId64 " x %" PRId64 " | %s | %.3f | %.0f %% | %.4f | %.2f | %.0f |\n",
           pattern, bench->width, bench->height, engine, median, spread, median * 1e6 / pixels,
           median / floor_ms, (double)bytes / (1 << 20));
    fflush(stdout);
}

/* The strip on the device against engine cpu's, byte for byte. */
static void check_strip(const gpu_bench *bench, gpu_raster *raster) {
    const predt__gpu_strip *strip = &raster->strip;
    size_t pixels = (size_t)strip->width * (size_t)strip->rows, bytes = pixels * 4;
    uint32_t *got = host(bytes), *distance = host(bytes), *label = host(bytes);
    predt_window window = PREDT_WINDOW_INIT(0, strip->first_row, strip->width, strip->rows, 1);
    predt_outputs outputs = {
        .size = sizeof(predt_outputs), .distance = (float *)distance, .label = label};
    need("poison", cudaMemset(strip->distance, 0xb5, bytes));
    need("poison", cudaMemset(strip->label, 0xb5, bytes));
    need("words", cudaMemset(raster->words, 0,
                             (size_t)strip->width * (((size_t)strip->rows + 31) / 32) * 4));
    /* the bench's stream does not wait for the default one */
    need("poison", cudaDeviceSynchronize());
    run_predt(bench, raster);
    need("solve", cudaStreamSynchronize(bench->stream));
    need_predt(bench, predt_query(bench->ctx, raster->index, &window, &outputs));
    need("download", cudaMemcpy(got, strip->distance, bytes, cudaMemcpyDeviceToHost));
    if (memcmp(got, distance, bytes) != 0)
        stop(raster->pattern, "distances differ from engine cpu's");
    need("download", cudaMemcpy(got, strip->label, bytes, cudaMemcpyDeviceToHost));
    if (memcmp(got, label, bytes) != 0) stop(raster->pattern, "labels differ from engine cpu's");
    free(got), free(distance), free(label);
}

static void bench_predt(gpu_bench *bench, gpu_raster *raster) {
    double ms[MAX_REPEATS] = {0};
    for (int64_t row = 0; row < bench->height; row += raster->strip.rows) {
        send_strip(bench, raster, row);
        if (bench->check) check_strip(bench, raster);
        time_work(bench, run_predt, raster, bench->repeats, ms);
    }
    print_line(bench, raster->pattern, "cuda", ms, bench->repeats, bench->allocated);
}

/* ---- PR-EDT as published: distance and place of the nearest target ---- */

typedef struct pr_edt_run {
    predt__ref_strip strip;
    void *workspace;
} pr_edt_run;

#define PR_EDT_REPEATS 5 /* it takes a hundred times as long */

static void run_pr_edt(const gpu_bench *bench, void *what) {
    const pr_edt_run *pr_edt = what;
    need("pr-edt",
         predt__pr_edt_method.run(&pr_edt->strip, pr_edt->workspace, bench->stream, NULL));
}

static void bench_pr_edt(gpu_bench *bench, const gpu_raster *raster) {
    const predt__gpu_strip *from = &raster->strip;
    double ms[PR_EDT_REPEATS] = {0};
    size_t before = bench->allocated, pixels = (size_t)from->width * (size_t)from->rows;
    size_t shared = pixels * 4 + pixels / 8; /* of what is there already: distances, words */
    pr_edt_run pr_edt = {.strip = {.metric = from->metric,
                                   .width = from->width,
                                   .raster_height = bench->height,
                                   .rows = from->rows,
                                   .setting = {PREDT__PR_EDT_ROWS},
                                   .words = from->words,
                                   .above = from->above,
                                   .below = from->below,
                                   .cols = from->width,
                                   .step = 1,
                                   .wanted_rows = from->rows,
                                   .distance = from->distance}};
    pr_edt.workspace = device(bench, predt__pr_edt_method.workspace(&pr_edt.strip));
    pr_edt.strip.nearest_col = device(bench, pixels * 4);
    pr_edt.strip.nearest_row = device(bench, pixels * 4);
    time_work(bench, run_pr_edt, &pr_edt, PR_EDT_REPEATS, ms);
    print_line(bench, raster->pattern, "cuda-pr-edt", ms, PR_EDT_REPEATS,
               bench->allocated - before + shared);
    void *all[] = {pr_edt.workspace, pr_edt.strip.nearest_col, pr_edt.strip.nearest_row};
    for (int i = 0; i < 3; i++) need("cudaFree", cudaFree(all[i]));
    bench->allocated = before;
}

/* ---- All ---- */

#define COPY_BYTES ((size_t)2 << 30)

typedef struct copy_run {
    void *to, *from;
} copy_run;

static void run_copy(const gpu_bench *bench, void *what) {
    const copy_run *copy = what;
    need("copy", cudaMemcpyAsync(copy->to, copy->from, COPY_BYTES, cudaMemcpyDeviceToDevice,
                                 bench->stream));
}

static void measure_bandwidth(gpu_bench *bench) {
    double ms[11] = {0};
    copy_run copy = {device(bench, COPY_BYTES), device(bench, COPY_BYTES)};
    need("fill", cudaMemset(copy.from, 0x3c, COPY_BYTES));
    need("fill", cudaDeviceSynchronize());
    time_work(bench, run_copy, &copy, 11, ms);
    qsort(ms, 11, sizeof *ms, by_value);
    bench->bandwidth = 2.0 * (double)COPY_BYTES / ms[5] * 1e3;
    need("cudaFree", cudaFree(copy.to));
    need("cudaFree", cudaFree(copy.from));
    bench->allocated = 0;
}

static void bench_pattern(gpu_bench *bench, const char *pattern) {
    gpu_raster raster;
    make_raster(bench, &raster, pattern);
    bench_predt(bench, &raster);
    bool whole = raster.strip_rows >= bench->height; /* the others take rasters as a whole */
    if (bench->rivals && whole) bench_pr_edt(bench, &raster);
#ifdef PREDT_BENCH_NPP
    if (bench->rivals && whole && bench->width <= INT16_MAX && bench->height <= INT16_MAX)
        bench_npp(bench, &raster);
#endif
    free_raster(bench, &raster);
}

static void start(gpu_bench *bench) {
    struct cudaDeviceProp properties;
    predt_options options = PREDT_OPTIONS_INIT;
    options.engine = "cpu";
    need_predt(bench, predt_open(&bench->ctx, &options));
    need("stream", cudaStreamCreateWithFlags(&bench->stream, cudaStreamNonBlocking));
    need("event", cudaEventCreate(&bench->start));
    need("event", cudaEventCreate(&bench->stop));
    need("properties", cudaGetDeviceProperties(&properties, 0));
    measure_bandwidth(bench);
    printf("%s, copies %.2f TB/s; byte mask and int32 labels to float32 distance and int32 label, "
           "on the device; median of "
           "%d after %d (cuda-pr-edt: of %d), half the range in %%\n\n",
           properties.name, bench->bandwidth / 1e12, bench->repeats, WARM_UPS, PR_EDT_REPEATS);
    printf("| pattern | size | engine | ms | spread | ns/pixel | times the floor | device MiB "
           "|\n|---|---|---|---|---|---|---|---|\n");
}

static void usage(FILE *to, int status) {
    fprintf(to, "usage: predt_gpu_bench [-n SIDE | -n WIDTHxHEIGHT] [-r REPEATS] [-m MIB] [-f] "
                "[-o] [PATTERN...]\n"
                "  -n  size of the rasters (default 8192)\n"
                "  -r  timed repeats (default 20)\n"
                "  -m  device memory for a strip (default 3500 MiB)\n"
                "  -f  no comparison with engine cpu before the timing\n"
                "  -o  engine cuda only\n"
                "patterns: random-COUNT, random-SHARE%%, diagonals, circle, coast, roads, polygon, "
                "polygon-outside (default: all)\n");
    exit(status);
}

static int parse(gpu_bench *bench, int argc, char **argv) {
    int at = 1;
    for (; at < argc && argv[at][0] == '-'; at++) {
        char option = argv[at][1];
        if (option == 'h') usage(stdout, 0);
        else if (option == 'f') bench->check = false;
        else if (option == 'o') bench->rivals = false;
        else if (!strchr("nrm", option) || !option || at + 1 == argc) usage(stderr, 2);
        else if (option == 'r') bench->repeats = atoi(argv[++at]);
        else if (option == 'm') bench->memory = atoll(argv[++at]) << 20;
        else if (sscanf(argv[++at], "%" SCNd64 "x%" SCNd64, &bench->width, &bench->height) == 1)
            bench->height = bench->width;
    }
    if (bench->repeats < 1 || bench->repeats > MAX_REPEATS || bench->width < 1 || bench->height < 1)
        usage(stderr, 2);
    return at;
}

int main(int argc, char **argv) {
    gpu_bench bench = {.width = 8192,
                       .height = 8192,
                       .memory = INT64_C(3500) << 20,
                       .repeats = 20,
                       .check = true,
                       .rivals = true};
    int at = parse(&bench, argc, argv);
    start(&bench);
    for (int i = at; i < argc; i++) bench_pattern(&bench, argv[i]);
    for (size_t i = 0; at == argc && i < sizeof all_patterns / sizeof *all_patterns; i++)
        bench_pattern(&bench, all_patterns[i]);
    predt_close(&bench.ctx);
    return 0;
}
