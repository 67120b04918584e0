/* predt_engine_bench: engines side by side on one raster. For every run of every engine a line of
 * CSV on stdout:
 *
 *   engine,pattern,side,targets,run,wall_ms,host_bytes,different,worst,log
 *
 * run 0 warms up; its answer is compared with engine cpu's, and its host memory measured. wall_ms:
 * from a byte mask to float32 distances in host memory, through predt_transform or (-w 1) through
 * an index and one query of the whole raster. host_bytes: largest resident memory on top of these
 * two. different: pixels whose distance is not engine cpu's; worst: the largest ratio of the two.
 * log: what the engine says of the run, in quotes, such as the time on its device. An engine that
 * cannot run has one line, with run -1 and the reason as log.
 *
 * Needs the public library only: cc -O2 -Iinclude bench/engines.c -Lbuild/src/core -lpredt -lm */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "patterns.h"
#include "predt.h"

static const char usage[] =
    "usage: predt_engine_bench [-p PATTERN] [-n SIDE] [-t THREADS] ([-r REPEATS] [-b SECONDS] [-w "
    "0|1] ENGINE[:SETTINGS])...\n"
    "  -p  random-COUNT, random-SHARE%, diagonals, circle, coast, roads, polygon, polygon-outside "
    "(default random-1%)\n"
    "  -n  side of the square raster in pixels (1024)\n"
    "  -r  timed repeats after the warm-up (20)\n"
    "  -b  begin no further repeat of an engine after so many seconds; one there always is (5)\n"
    "  -w  1: the whole raster in one query; 0: as predt_transform cuts it, 2^24 pixels a query "
    "(0)\n"
    "  -t  threads; 0: one a CPU (0)\n";

#define LOG_BYTES 4096

typedef struct engine_bench {
    const char *pattern;
    int64_t side, pixels, targets;
    int repeats;
    double budget;
    int threads;
    bool whole;
    uint8_t *is_target;
    float *right, *distance;
} engine_bench;

/* What an engine logs, as it comes; only lines of its own. */
typedef struct logbook {
    const char *engine;
    char text[LOG_BYTES];
} logbook;

static void fail(const char *message) {
    fprintf(stderr, "predt_engine_bench: %s\n", message);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Memory that the system has already handed over. */
static void *touched(int64_t bytes) {
    void *memory = malloc((size_t)bytes);
    if (!memory) fail("out of memory");
    memset(memory, 1, (size_t)bytes);
    return memory;
}

/* ---- Resident memory ---- */

/* A line of /proc/self/status in bytes; 0 where there is none. */
static int64_t status_bytes(const char *key) {
    char line[256];
    long long kib = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (strncmp(line, key, strlen(key)) == 0) sscanf(line + strlen(key), "%lld", &kib);
    if (status) fclose(status);
    return kib * 1024;
}

static void reset_peak(void) {
    FILE *refs = fopen("/proc/self/clear_refs", "w");
    if (!refs) return;
    fputs("5", refs);
    fclose(refs);
}

/* ---- Runs ---- */

static void note(const char *line, void *user) {
    logbook *book = user;
    size_t used = strlen(book->text), length = strcspn(book->engine, ":");
    if (strncmp(line, book->engine, length) != 0 || line[length] != ':') return;
    snprintf(book->text + used, sizeof book->text - used, "%s%s", used ? " | " : "", line);
}

static predt_status in_pieces(predt_ctx *ctx, const engine_bench *bench, float *distance) {
    predt_grid grid = PREDT_GRID_INIT(bench->side, bench->side);
    predt_outputs outputs = {.size = sizeof(predt_outputs), .distance = distance};
    return predt_transform(ctx, &grid, bench->is_target, NULL, PREDT_LABEL_NONE, &outputs, NULL,
                           NULL);
}

static predt_status as_a_whole(predt_ctx *ctx, const engine_bench *bench, float *distance) {
    predt_grid grid = PREDT_GRID_INIT(bench->side, bench->side);
    predt_window window = PREDT_WINDOW_INIT(0, 0, bench->side, bench->side, 1);
    predt_outputs outputs = {.size = sizeof(predt_outputs), .distance = distance};
    predt_index *index;
    predt_status status = predt_index_create(ctx, &grid, PREDT_LABEL_NONE, &index);
    if (status == PREDT_OK)
        status = predt_index_add(index, 0, (int32_t)bench->side, bench->is_target, NULL);
    if (status == PREDT_OK) status = predt_index_seal(index);
    if (status == PREDT_OK) status = predt_query(ctx, index, &window, &outputs);
    predt_index_destroy(&index);
    return status;
}

static void print_start(const engine_bench *bench, const char *engine, int run) {
    printf("\"%s\",%s,%" PRId64 ",%" PRId64 ",%d,", engine, bench->pattern, bench->side,
           bench->targets, run);
}

static void print_unable(const engine_bench *bench, const char *engine, const char *why) {
    print_start(bench, engine, -1);
    printf(",,,,\"%s\"\n", why);
}

static void print_warm_up(const engine_bench *bench, const char *engine, double ms,
                          int64_t host_bytes, const char *log) {
    int64_t different = 0;
    double worst = 1;
    for (int64_t k = 0; k < bench->pixels; k++) {
        if (bench->distance[k] == bench->right[k]) continue;
        different++;
        worst = fmax(worst, (double)bench->distance[k] / (double)bench->right[k]);
    }
    print_start(bench, engine, 0);
    printf("%.4f,%" PRId64 ",%" PRId64 ",%.6f,\"%s\"\n", ms, host_bytes, different, worst, log);
}

/* One run in milliseconds; the book holds what was logged during it. */
static double timed(predt_ctx *ctx, const engine_bench *bench, logbook *book) {
    book->text[0] = 0;
    double start = now();
    predt_status status = (bench->whole ? as_a_whole : in_pieces)(ctx, bench, bench->distance);
    if (status != PREDT_OK) return -1;
    return (now() - start) * 1e3;
}

static bool run_all(predt_ctx *ctx, const engine_bench *bench, logbook *book) {
    reset_peak();
    int64_t before = status_bytes("VmRSS:");
    memset(bench->distance, 0xb5, (size_t)bench->pixels * sizeof *bench->distance);
    double ms = timed(ctx, bench, book), end = now() + bench->budget;
    if (ms < 0) return false;
    print_warm_up(bench, book->engine, ms, status_bytes("VmHWM:") - before, book->text);
    for (int run = 1; run <= bench->repeats && (run == 1 || now() < end); run++) {
        ms = timed(ctx, bench, book);
        if (ms < 0) return false;
        print_start(bench, book->engine, run);
        printf("%.4f,,,,\"%s\"\n", ms, book->text);
    }
    return true;
}

static void bench_engine(const engine_bench *bench, const char *engine) {
    logbook book = {engine, ""};
    predt_options options = PREDT_OPTIONS_INIT;
    options.engine = engine;
    options.threads = bench->threads;
    options.log = note;
    options.log_user = &book;
    predt_ctx *ctx;
    if (predt_open(&ctx, &options) != PREDT_OK || !run_all(ctx, bench, &book))
        print_unable(bench, engine, predt_message(ctx));
    predt_close(&ctx);
    fflush(stdout);
}

/* ---- The raster ---- */

static void make_raster(engine_bench *bench) {
    bench->pixels = bench->side * bench->side;
    bench->is_target = touched(bench->pixels);
    bench->right = touched(bench->pixels * 4);
    bench->distance = touched(bench->pixels * 4);
    if (!pattern_fill(bench->pattern, bench->is_target, bench->side))
        fail("no such pattern; see -h");
    for (int64_t k = 0; k < bench->pixels; k++) bench->targets += bench->is_target[k];
    predt_options options = PREDT_OPTIONS_INIT;
    options.engine = "cpu";
    predt_ctx *ctx;
    if (predt_open(&ctx, &options) != PREDT_OK || in_pieces(ctx, bench, bench->right) != PREDT_OK)
        fail(predt_message(ctx));
    predt_close(&ctx);
}

static double number(const char *text, double low, double high) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= low && value <= high))
        fail("an option's number is out of range");
    return value;
}

/* Options before an engine hold for it and for those after it. */
static void parse(engine_bench *bench, int argc, char **argv) {
    for (int option; (option = getopt(argc, argv, "+p:n:r:b:w:t:h")) != -1;) switch (option) {
        case 'p':
            bench->pattern = optarg;
            break;
        case 'n':
            bench->side = (int64_t)number(optarg, 1, 1 << 16);
            break;
        case 'r':
            bench->repeats = (int)number(optarg, 1, 1000);
            break;
        case 'b':
            bench->budget = number(optarg, 0, 1e6);
            break;
        case 'w':
            bench->whole = number(optarg, 0, 1) != 0;
            break;
        case 't':
            bench->threads = (int)number(optarg, 0, 4096);
            break;
        case 'h':
            fputs(usage, stdout);
            exit(0);
        default:
            fputs(usage, stderr);
            exit(2);
        }
}

int main(int argc, char **argv) {
    engine_bench bench = {.pattern = "random-1%", .side = 1024, .repeats = 20, .budget = 5};
    parse(&bench, argc, argv);
    if (optind == argc) return fputs(usage, stderr), 2;
    make_raster(&bench);
    while (optind < argc) {
        bench_engine(&bench, argv[optind++]);
        parse(&bench, argc, argv);
    }
    free(bench.is_target), free(bench.right), free(bench.distance);
    return 0;
}
