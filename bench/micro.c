/* predt_micro: where the core's time goes. One pattern, one size; ns per pixel of adding, sealing
 * and querying apart.
 *
 * Adding is one call after the other from one thread (predt_transform spreads it over threads);
 * querying uses the context's threads. Needs the public library only, and no GDAL:
 *     cc -O2 -Iinclude bench/micro.c -Lbuild/src/core -lpredt -lm -o predt_micro */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "patterns.h"
#include "predt.h"

static const char usage[] =
    "usage: predt_micro [-p PATTERN] [-n SIDE] [-t THREADS] [-r REPEATS] [-s ROWS] [-o OUTPUTS] "
    "[-e ENGINE] [-q]\n"
    "  -p  random-COUNT, random-SHARE%, diagonals, circle, coast, roads, polygon, polygon-outside "
    "(default random-1%)\n"
    "  -n  side of the square raster in pixels (8192)\n"
    "  -t  threads of the query; 0: one a CPU (1)\n"
    "  -r  timed repeats after one warm-up (5)\n"
    "  -s  rows a query; 0: the whole raster in one (0)\n"
    "  -o  d distance, D squared distance, l label, n column and row of the nearest, a azimuth; or "
    "as pixels\n"
    "      of a raster: b bytes, w 16-bit integers, f float32, F float64 (d)\n"
    "  -e  engine (auto)\n"
    "  -q  query only: index once, then repeat the query, for perf record\n";

#define MAX_REPEATS 1000

typedef struct setup {
    const char *pattern, *what;
    int64_t side, rows;
    int repeats;
    bool query_only;
    predt_options options;
    uint8_t *is_target;
    int32_t *labels;
    predt_outputs outputs;
    predt_encoding encoding;
    int value_bytes; /* of the encoding */
    predt_ctx *ctx;
} setup;

enum { ADD, SEAL, QUERY, STAGES };
static const char *const stage_names[STAGES] = {"add", "seal", "query"};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void fail(const char *message) {
    fprintf(stderr, "predt_micro: %s\n", message);
    exit(1);
}

static void need(const setup *bench, predt_status status) {
    if (status != PREDT_OK) fail(predt_message(bench->ctx));
}

/* Memory that the system has already handed over: the first touch of a page is not the core's
 * time. */
static void *touched(int64_t bytes) {
    void *memory = malloc((size_t)bytes);
    if (!memory) fail("out of memory");
    memset(memory, 1, (size_t)bytes);
    return memory;
}

static int64_t number(const char *text, int64_t low, int64_t high) {
    char *end;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end || value < low || value > high)
        fail("an option's number is out of range");
    return value;
}

static void parse(setup *bench, int argc, char **argv) {
    for (int option; (option = getopt(argc, argv, "p:n:t:r:s:o:e:qh")) != -1;) switch (option) {
        case 'p':
            bench->pattern = optarg;
            break;
        case 'n':
            bench->side = number(optarg, 1, 1 << 20);
            break;
        case 't':
            bench->options.threads = (int)number(optarg, 0, 4096);
            break;
        case 'r':
            bench->repeats = (int)number(optarg, 1, MAX_REPEATS);
            break;
        case 's':
            bench->rows = number(optarg, 0, INT32_MAX);
            break;
        case 'o':
            bench->what = optarg;
            break;
        case 'e':
            bench->options.engine = optarg;
            break;
        case 'q':
            bench->query_only = true;
            break;
        case 'h':
            fputs(usage, stdout);
            exit(0);
        default:
            fputs(usage, stderr);
            exit(2);
        }
    if (optind < argc) fputs(usage, stderr), exit(2);
}

static void make_labels(setup *bench) {
    int64_t pixels = bench->side * bench->side, targets = 0;
    bench->labels = touched(pixels * (int64_t)sizeof *bench->labels);
    for (int64_t k = 0; k < pixels; k++)
        if (bench->is_target[k]) bench->labels[k] = (int32_t)(1 + targets++ % 1000);
}

static void encode_as(setup *bench, predt_type type, int bytes, predt_number none) {
    bench->encoding =
        (predt_encoding){.size = sizeof(predt_encoding), .type = type, .scale = 1, .none = none};
    bench->encoding.values = touched(bench->side * bench->side * bytes);
    bench->value_bytes = bytes;
    bench->outputs.encoding = &bench->encoding;
}

static void make_arrays(setup *bench) {
    int64_t pixels = bench->side * bench->side;
    bench->is_target = touched(pixels);
    if (!pattern_fill(bench->pattern, bench->is_target, bench->side))
        fail("no such pattern; see -h");
    for (const char *what = bench->what; *what; what++) switch (*what) {
        case 'd':
            bench->outputs.distance = touched(pixels * 4);
            break;
        case 'D':
            bench->outputs.distance2 = touched(pixels * 8);
            break;
        case 'l':
            make_labels(bench), bench->outputs.label = touched(pixels * 4);
            break;
        case 'n':
            bench->outputs.nearest_col = touched(pixels * 4);
            bench->outputs.nearest_row = touched(pixels * 4);
            break;
        case 'a':
            bench->outputs.direction = touched(pixels * 4);
            break;
        case 'b':
            encode_as(bench, PREDT_UINT8, 1, (predt_number){.u = 255});
            break;
        case 'w':
            encode_as(bench, PREDT_UINT16, 2, (predt_number){.u = 65535});
            break;
        case 'f':
            encode_as(bench, PREDT_FLOAT32, 4, (predt_number){.f = (double)NAN});
            break;
        case 'F':
            encode_as(bench, PREDT_FLOAT64, 8, (predt_number){.f = (double)NAN});
            break;
        default:
            fail("no such output; see -h");
        }
}

static void add_all(const setup *bench, predt_index *index) {
    int64_t side = bench->side;
    for (int64_t row = 0; row < side; row += PREDT_SUBBLOCK_ROWS) {
        int32_t rows =
            row + PREDT_SUBBLOCK_ROWS < side ? PREDT_SUBBLOCK_ROWS : (int32_t)(side - row);
        const int32_t *labels = bench->labels ? bench->labels + row * side : NULL;
        need(bench, predt_index_add(index, row, rows, bench->is_target + row * side, labels));
    }
}

static void query_all(const setup *bench, const predt_index *index) {
    int64_t side = bench->side, step = bench->rows ? bench->rows : side;
    for (int64_t row = 0; row < side; row += step) {
        predt_window window =
            PREDT_WINDOW_INIT(0, row, side, row + step < side ? step : side - row, 1);
        predt_outputs out = bench->outputs;
        int64_t pixel = row * side;
        if (out.distance) out.distance += pixel;
        if (out.distance2) out.distance2 += pixel;
        if (out.label) out.label = (int32_t *)out.label + pixel;
        if (out.nearest_col) out.nearest_col += pixel, out.nearest_row += pixel;
        if (out.direction) out.direction += pixel;
        predt_encoding encoding = bench->encoding;
        if (out.encoding) {
            encoding.values = (char *)encoding.values + pixel * bench->value_bytes;
            out.encoding = &encoding;
        }
        need(bench, predt_query(bench->ctx, index, &window, &out));
    }
}

static predt_index *build(const setup *bench, double seconds[STAGES]) {
    predt_grid grid = PREDT_GRID_INIT(bench->side, bench->side);
    predt_index *index;
    double start = now();
    need(bench, predt_index_create(bench->ctx, &grid,
                                   bench->labels ? PREDT_LABEL_32 : PREDT_LABEL_NONE, &index));
    add_all(bench, index);
    double added = now();
    need(bench, predt_index_seal(index));
    seconds[ADD] = added - start;
    seconds[SEAL] = now() - added;
    return index;
}

/* Repeat 0 is the warm-up. */
static void measure(const setup *bench, double seconds[][STAGES]) {
    predt_index *index = NULL;
    for (int repeat = 0; repeat <= bench->repeats; repeat++) {
        if (!bench->query_only) predt_index_destroy(&index);
        if (!index) index = build(bench, seconds[repeat]);
        else memcpy(seconds[repeat], seconds[0], sizeof seconds[0]);
        double start = now();
        query_all(bench, index);
        seconds[repeat][QUERY] = now() - start;
    }
    predt_index_destroy(&index);
}

static int by_value(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Median, minimum and maximum of the timed repeats; returns the median. */
static double print_stage(const setup *bench, double seconds[][STAGES], int stage) {
    double sorted[MAX_REPEATS], ns = 1e9 / ((double)bench->side * (double)bench->side);
    for (int k = 0; k < bench->repeats; k++) sorted[k] = seconds[k + 1][stage] * ns;
    qsort(sorted, (size_t)bench->repeats, sizeof *sorted, by_value);
    double median = (sorted[(bench->repeats - 1) / 2] + sorted[bench->repeats / 2]) / 2;
    printf("%-6s %8.3f  (%.3f to %.3f)\n", stage_names[stage], median, sorted[0],
           sorted[bench->repeats - 1]);
    return median;
}

static uint64_t mix_in(uint64_t sum, const void *array, int64_t count) {
    const uint32_t *words = array;
    for (int64_t k = 0; words && k < count; k++) sum = (sum ^ words[k]) * 0x100000001B3u;
    return sum;
}

/* FNV-1a over the words of the outputs: a change of the engine that changes it has changed a
 * result. */
static uint64_t checksum(const setup *bench) {
    const predt_outputs *out = &bench->outputs;
    int64_t pixels = bench->side * bench->side;
    uint64_t sum = 0xCBF29CE484222325u;
    sum = mix_in(sum, out->distance, pixels);
    sum = mix_in(sum, out->distance2, 2 * pixels);
    sum = mix_in(sum, out->label, pixels);
    sum = mix_in(sum, out->nearest_col, pixels);
    sum = mix_in(sum, out->nearest_row, pixels);
    sum = mix_in(sum, bench->encoding.values, pixels * bench->value_bytes / 4);
    return mix_in(sum, out->direction, pixels);
}

static void print(const setup *bench, double seconds[][STAGES]) {
    double total = 0;
    printf("%s, %lld x %lld, outputs %s, engine %s, %d thread(s), %d repeats; ns per pixel, median "
           "(min to max)\n",
           bench->pattern, (long long)bench->side, (long long)bench->side, bench->what,
           predt_engine_name(bench->ctx), bench->options.threads, bench->repeats);
    for (int stage = 0; stage < STAGES; stage++) total += print_stage(bench, seconds, stage);
    printf("%-6s %8.3f\nsum    %016llx\n", "all", total, (unsigned long long)checksum(bench));
}

int main(int argc, char **argv) {
    static double seconds[MAX_REPEATS + 1][STAGES];
    setup bench = {.pattern = "random-1%",
                   .what = "d",
                   .side = 8192,
                   .repeats = 5,
                   .options = PREDT_OPTIONS_INIT,
                   .outputs = PREDT_OUTPUTS_INIT};
    bench.options.threads = 1;
    parse(&bench, argc, argv);
    make_arrays(&bench);
    need(&bench, predt_open(&bench.ctx, &bench.options));
    measure(&bench, seconds);
    print(&bench, seconds);
    predt_close(&bench.ctx);
    return 0;
}
