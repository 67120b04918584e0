/* Checks engine cuda-pr-edt against engine cpu, byte for byte, over seeded rasters; --time prints
 * the time of each step.
 *
 *     pr_edt_check [--time | KIND]
 *
 * KIND: only the kinds of raster below whose name begins so. Exit status 0: all equal, or no device
 * to check on (it says so). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "methods/pr_edt.h"
#include "pr_edt_check_rasters.cuh"

/* ---- Comparing ---- */

/* The outputs of one engine, poisoned before each run. */
typedef struct answers {
    predt__outputs to;
    void *array[6];
    size_t size[6], pixels;
} answers;

static const char *const output_name[6] = {"distance", "distance2", "label",
                                           "column",   "row",       "direction"};

static bool answers_allocate(answers *a, size_t pixels, predt_label_type label) {
    size_t size[6] = {sizeof(float),   sizeof(double),  (size_t)label,
                      sizeof(int32_t), sizeof(int32_t), sizeof(float)};
    bool all = true;
    a->pixels = pixels;
    for (int i = 0; i < 6; i++) {
        a->size[i] = size[i];
        a->array[i] = size[i] ? malloc(pixels * size[i]) : NULL;
        all = all && (a->array[i] || !size[i]);
    }
    a->to = {};
    a->to.distance = (float *)a->array[0];
    a->to.distance2 = (double *)a->array[1];
    a->to.label = a->array[2];
    a->to.no_label = 0x8000000080000000u;
    a->to.nearest_col = (int32_t *)a->array[3];
    a->to.nearest_row = (int32_t *)a->array[4];
    a->to.direction = (float *)a->array[5];
    return all;
}

static void answers_free(answers *a) {
    for (int i = 0; i < 6; i++) free(a->array[i]);
}

static void poison(answers *a, int byte) {
    for (int i = 0; i < 6; i++)
        if (a->array[i]) memset(a->array[i], byte, a->pixels * a->size[i]);
}

/* Through the library's door. */
static predt_status query(predt_ctx *ctx, const predt_index *index, const predt_window *window,
                          const predt__outputs *to) {
    predt_outputs outputs = {sizeof(predt_outputs),
                             to->stride,
                             to->distance,
                             to->distance2,
                             to->label,
                             to->no_label,
                             to->nearest_col,
                             to->nearest_row,
                             to->direction,
                             0,
                             NULL};
    return predt_query(ctx, index, window, &outputs);
}

/* Prints where the answers differ first, output by output; returns how many outputs differ. */
static int differences(const answers *right, const answers *found, const predt_window *window) {
    int differing = 0;
    for (int i = 0; i < 6; i++) {
        if (!right->array[i] ||
            memcmp(right->array[i], found->array[i], right->pixels * right->size[i]) == 0)
            continue;
        const char *a = (const char *)right->array[i], *b = (const char *)found->array[i];
        size_t at = 0, wrong = 0;
        for (size_t p = right->pixels; p-- > 0;)
            if (memcmp(a + p * right->size[i], b + p * right->size[i], right->size[i]) != 0)
                at = p, wrong++;
        printf("    %s differs at %zu of %zu pixels, first at window column %lld, row %lld: cpu "
               "(%d, %d, %g) here (%d, %d, %g)\n",
               output_name[i], wrong, right->pixels, (long long)(at % (size_t)window->cols),
               (long long)(at / (size_t)window->cols), right->to.nearest_col[at],
               right->to.nearest_row[at], right->to.distance2[at], found->to.nearest_col[at],
               found->to.nearest_row[at], found->to.distance2[at]);
        differing++;
    }
    return differing;
}

typedef struct check {
    predt_ctx *ctx;
    int compared, failed;
} check;

/* Answers one window with both engines and compares. */
static void compare(check *c, const predt_index *index, const predt_window *window,
                    predt_label_type label, int sub_rows, size_t memory, const char *what) {
    answers right, found;
    bool room = answers_allocate(&right, (size_t)(window->cols * window->rows), label);
    room = answers_allocate(&found, (size_t)(window->cols * window->rows), label) && room;
    predt_status status = room ? PREDT_OK : PREDT_ERROR_MEMORY;
    predt__ref_state state = {&predt__pr_edt_method, {sub_rows}, (int64_t)memory};
    if (room) poison(&right, 0xa5), poison(&found, 0x5a);
    right.to.stride = found.to.stride = window->cols;
    if (status == PREDT_OK) status = query(c->ctx, index, window, &right.to);
    if (status == PREDT_OK) status = predt__ref_solve(c->ctx, &state, index, window, &found.to);
    int wrong = status != PREDT_OK ? 1 : differences(&right, &found, window);
    if (status != PREDT_OK) printf("    failed: %s\n", predt_message(c->ctx));
    if (wrong)
        printf("  WRONG: %s, R %d, window %lld+%lld, %lld+%lld, step %lld\n", what, sub_rows,
               (long long)window->col, (long long)window->cols, (long long)window->row,
               (long long)window->rows, (long long)window->step);
    c->compared++;
    c->failed += wrong != 0;
    answers_free(&right);
    answers_free(&found);
}

/* ---- Cases ---- */

/* One kind of raster; pixel sides in the ratio that the number type under test needs. */
typedef struct kind {
    const char *name;
    int64_t width, height;
    double col_step, row_step, max_distance;
    unsigned patterns; /* bits */
    bool all_rows;     /* every R, and windows too; else R = 20 on the whole raster */
} kind;

#define ALL_PATTERNS ((1u << PATTERNS) - 1)
#define SOME ((1u << FEW) | (1u << SPARSE) | (1u << THIN))

static const kind kinds[] = {
    {"int32", 333, 171, 1, 1, INFINITY, ALL_PATTERNS, true},
    {"int32, one column", 1, 301, 1, 1, INFINITY, ALL_PATTERNS, true},
    {"int32, one row", 515, 1, 1, 1, INFINITY, ALL_PATTERNS, true},
    {"int32, one pixel", 1, 1, 1, 1, INFINITY, ALL_PATTERNS, false},
    {"int32, limit", 301, 211, 0.1, 0.1, 1.3, ALL_PATTERNS, false},
    {"int32, 2 : 3", 257, 130, 2, 3, INFINITY, ALL_PATTERNS, true},
    {"rounding", 259, 199, 1, 1.37, INFINITY, ALL_PATTERNS, true},
    {"rounding, flat pixels", 193, 140, 37.3, 1, INFINITY, ALL_PATTERNS, false},
    {"rounding, tall pixels", 193, 140, 1, 41.9, 99, ALL_PATTERNS, false},
    {"integers in binary64", 46500, 67, 1, 1, INFINITY, SOME | (1u << DIAGONALS) | (1u << MIDDLE),
     false},
    {"integers in binary64, tall", 37, 46500, 1, 1, INFINITY, SOME | (1u << DIAGONALS), false},
    {"int64", 3, 1700000, 1, 64, INFINITY, SOME, false},
    {"int64, wide", 1700000, 2, 64, 1, INFINITY, (1u << SPARSE) | (1u << NOTHING), false},
    {"spilled sets", 30000, 43, 1, 1, INFINITY, (1u << MIDDLE) | (1u << DENSE) | (1u << VALLEY),
     false},
    {"spilled maps", 300000, 21, 1, 1, INFINITY, (1u << THIN), false},
    {"larger", 2048, 1500, 1, 1, INFINITY,
     (1u << DIAGONALS) | (1u << CIRCLE) | (1u << VALLEY) | (1u << HILL) | SOME, false},
};

static predt_index *index_of(predt_ctx *ctx, const kind *k, const raster *r,
                             predt_label_type label) {
    predt_grid grid = PREDT_GRID_INIT(k->width, k->height);
    grid.col_step[0] = k->col_step;
    grid.row_step[1] = -k->row_step;
    grid.max_distance = k->max_distance;
    uint64_t state = 7;
    size_t pixels = (size_t)(k->width * k->height);
    char *labels = (char *)malloc(pixels * 8);
    for (size_t i = 0; labels && i < pixels; i++) {
        uint64_t value = random_bits(&state);
        memcpy(labels + i * (size_t)label, &value, (size_t)label);
    }
    predt_index *index = NULL;
    predt_status status =
        labels ? predt_index_create(ctx, &grid, label, &index) : PREDT_ERROR_MEMORY;
    if (status == PREDT_OK) status = predt_index_add(index, 0, (int32_t)k->height, r->mask, labels);
    if (status == PREDT_OK) status = predt_index_seal(index);
    free(labels);
    if (status != PREDT_OK) predt_index_destroy(&index);
    return index;
}

/* The whole raster with every R, then windows: thinned, off the sub-blocks' beat, and in strips of
 * a few rows. */
static void compare_all(check *c, const kind *k, const predt_index *index, predt_label_type label,
                        const char *what) {
    static const int rows[] = {1, 7, 20, 32, 64};
    predt_window all = PREDT_WINDOW_INIT(0, 0, k->width, k->height, 1);
    if (!k->all_rows) {
        compare(c, index, &all, label, 20, 0, what);
        return;
    }
    for (int i = 0; i < 5; i++) compare(c, index, &all, label, rows[i], 0, what);
    compare(c, index, &all, label, 7, 1 << 20, what);
    predt_window part = PREDT_WINDOW_INIT(k->width / 3, k->height / 4, k->width - k->width / 3,
                                          k->height - k->height / 4, 1);
    compare(c, index, &part, label, 20, 0, what);
    predt_window thin =
        PREDT_WINDOW_INIT(k->width / 5, k->height / 7, (k->width - 1 - k->width / 5) / 5 + 1,
                          (k->height - 1 - k->height / 7) / 5 + 1, 5);
    compare(c, index, &thin, label, 7, 1 << 20, what);
}

static void check_kind(check *c, const kind *k) {
    int before = c->failed, compared = c->compared;
    raster r = {(uint8_t *)malloc((size_t)(k->width * k->height)), k->width, k->height, 42};
    for (int pattern = 0; r.mask && pattern < PATTERNS; pattern++) {
        if (!(k->patterns >> pattern & 1)) continue;
        char what[96];
        snprintf(what, sizeof what, "%s, %lld x %lld, pattern %d", k->name, (long long)k->width,
                 (long long)k->height, pattern);
        paint(&r, pattern);
        predt_label_type label = pattern % 2 ? PREDT_LABEL_32 : PREDT_LABEL_64;
        predt_index *index = index_of(c->ctx, k, &r, label);
        if (index) compare_all(c, k, index, label, what);
        else c->failed++;
        predt_index_destroy(&index);
    }
    if (!r.mask) c->failed++;
    free(r.mask);
    printf("%-28s %s (%d compared)\n", k->name, c->failed == before ? "same" : "WRONG",
           c->compared - compared);
    fflush(stdout);
}

/* ---- Times ---- */

#define RUNS 20 /* as in the paper; 3 more before them warm up */

/* Adds up the times of the report line. */
static void note_times(const char *text, void *user) {
    double *sums = (double *)user, ms[3];
    const char *from = strstr(text, "candidates ");
    if (!from || sscanf(from, "candidates %lf ms, proximate sets %lf ms, distances %lf ms", ms,
                        ms + 1, ms + 2) != 3)
        return;
    for (int i = 0; i < 3; i++) sums[i] += ms[i];
}

static predt_status time_runs(predt_ctx *ctx, const predt_index *index, int64_t side, int sub_rows,
                              float *distance, double *sums) {
    predt_window all = PREDT_WINDOW_INIT(0, 0, side, side, 1);
    predt__outputs to = {};
    to.stride = side;
    to.distance = distance;
    predt__ref_state state = {&predt__pr_edt_method, {sub_rows}, 0};
    predt_status status = PREDT_OK;
    for (int run = 0; run < RUNS + 3 && status == PREDT_OK; run++) {
        if (run == 3) memset(sums, 0, 3 * sizeof *sums);
        status = predt__ref_solve(ctx, &state, index, &all, &to);
    }
    return status;
}

static predt_status time_one(int64_t side, double density, int sub_rows) {
    double sums[3] = {0, 0, 0};
    predt_options options = PREDT_OPTIONS_INIT;
    options.engine = "cpu";
    options.log = note_times;
    options.log_user = sums;
    kind k = {"time", side, side, 1, 1, INFINITY, 0, false};
    size_t pixels = (size_t)(side * side);
    raster r = {(uint8_t *)malloc(pixels), side, side, 42};
    float *distance = (float *)malloc(pixels * sizeof(float));
    predt_ctx *ctx = NULL;
    predt_status status = r.mask && distance ? predt_open(&ctx, &options) : PREDT_ERROR_MEMORY;
    if (status == PREDT_OK) {
        memset(r.mask, 0, pixels);
        noise(&r, density);
        predt_index *index = index_of(ctx, &k, &r, PREDT_LABEL_32);
        status = index ? time_runs(ctx, index, side, sub_rows, distance, sums) : PREDT_ERROR_MEMORY;
        predt_index_destroy(&index);
    }
    if (status != PREDT_OK) printf("failed: %s\n", predt_message(ctx));
    printf("%5lld  %4.0f %%  %3d  %10.3f  %10.3f  %10.3f  %10.3f\n", (long long)side, density * 100,
           sub_rows, sums[0] / RUNS, sums[1] / RUNS, sums[2] / RUNS,
           (sums[0] + sums[1] + sums[2]) / RUNS);
    fflush(stdout);
    predt_close(&ctx);
    free(r.mask);
    free(distance);
    return status;
}

static int time_all(void) {
    printf("mean of %d runs after 3, device time in ms\n side  targets    R  candidates        "
           "sets   distances         all\n",
           RUNS);
    int failed = 0;
    for (int64_t side = 1024; side <= 8192; side *= 2)
        failed += time_one(side, 0.01, 20) != PREDT_OK;
    for (int64_t side = 1024; side <= 8192; side *= 2)
        failed += time_one(side, 0.99, 20) != PREDT_OK;
    failed += time_one(8192, 0.57, 20) != PREDT_OK;
    for (int sub_rows = 10; sub_rows <= 80; sub_rows *= 2)
        failed += time_one(8192, 0.01, sub_rows) != PREDT_OK;
    return failed != 0;
}

int main(int argc, char **argv) {
    const char *why = predt__ref_probe(NULL);
    if (why) {
        printf("skipped: %s\n", why);
        return 0;
    }
    check c = {NULL, 0, 0};
    predt_options options = PREDT_OPTIONS_INIT;
    options.engine = "cpu";
    if (predt_open(&c.ctx, &options) != PREDT_OK) {
        printf("failed: %s\n", predt_message(c.ctx));
        return 1;
    }
    bool timed = argc > 1 && strcmp(argv[1], "--time") == 0;
    const char *only = argc > 1 && !timed ? argv[1] : "";
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strncmp(kinds[i].name, only, strlen(only)) == 0) check_kind(&c, &kinds[i]);
    printf("%d compared, %d wrong\n", c.compared, c.failed);
    predt_close(&c.ctx);
    int late = timed ? time_all() : 0;
    return c.failed != 0 || c.compared == 0 || late;
}
