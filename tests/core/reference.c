/* The reference engines: the exact ones give the oracle's bytes, the inexact ones are exact in
 * steps of their own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "oracle.h"
#include "random.h"
#include "solve.h"

#ifndef TEST_ROUNDS
#define TEST_ROUNDS 3000
#endif

#define COUNT(array) ((int64_t)(sizeof(array) / sizeof *(array)))

static predt_ctx *open_engine(const char *name) {
    predt_options options = PREDT_OPTIONS_INIT;
    options.engine = name;
    predt_ctx *ctx;
    predt_status status = predt_open(&ctx, &options);
    assert_ok(ctx, status);
    return ctx;
}

/* ---- Exact engines ---- */

static const char *const exact_engines[] = {"breu", "voronoi-points", "voronoi-circles",
                                            "voronoi-circles:step=5", "voronoi-dilate"};
static const char *const inexact_engines[] = {"voronoi-cityblock", "voronoi-octagonal",
                                              "voronoi-chessboard"};

/* Squared distances are no integers below 2^53. */
static bool rounds(const struct scene *scene) {
    const struct shape *shape = scene->shape;
    double cols = (double)scene->grid.width - 1, rows = (double)scene->grid.height - 1;
    bool whole = shape->wx == floor(shape->wx) && shape->wy == floor(shape->wy);
    return !shape->integer &&
           !(whole && shape->wx * cols * cols + shape->wy * rows * rows < 0x1p53);
}

static bool refuses(const char *engine, const struct scene *scene) {
    return rounds(scene) && (strcmp(engine, "breu") == 0 || strcmp(engine, "voronoi-dilate") == 0);
}

static struct scene random_scene(uint64_t seed) {
    static const int64_t sides[] = {1, 2, 3, 5, 8, 13, 17, 31, 32, 33, 47, 61, 64, 65, 97};
    static const predt_label_type types[] = {PREDT_LABEL_NONE, PREDT_LABEL_32, PREDT_LABEL_64};
    uint64_t state = seed << 32;
    const struct shape *shape =
        &shapes[random_below(&state, 2) ? 0 : random_below(&state, shape_count)];
    int64_t width = sides[random_below(&state, COUNT(sides))],
            height = sides[random_below(&state, COUNT(sides))];
    struct scene scene = scene_new(width, height, shape, types[random_below(&state, 3)], seed);
    scene_fill(&scene, (int)random_below(&state, pattern_count));
    if (random_below(&state, 4) == 0)
        scene.grid.max_distance = 20 * random_unit(&state) * shape->unit;
    return scene;
}

static void check_refusal(predt_ctx *ctx, const struct scene *scene, const char *word) {
    struct answer got = answer_new(scene->grid.width, scene->grid.height, 0, scene->label_type);
    predt_outputs outputs = answer_outputs(&got, scene);
    predt_status status = predt_transform(ctx, &scene->grid, scene->is_target, scene->labels,
                                          scene->label_type, &outputs, NULL, NULL);
    assert_int_equal(status, PREDT_ERROR_ARGUMENT);
    if (!strstr(predt_message(ctx), word))
        fail_msg("'%s' does not say '%s'", predt_message(ctx), word);
    answer_free(&got);
}

/* The whole raster, then windows of another index of the same context. */
static void check_engine(const char *engine, const struct scene *scene,
                         const struct answer *right) {
    predt_ctx *ctx = open_engine(engine);
    if (refuses(engine, scene)) {
        check_refusal(ctx, scene, "ratio of small integers");
    } else {
        uint64_t state = scene->seed + 1;
        check_whole(ctx, scene, right);
        predt_index *index = index_scene(ctx, scene, 1 + random_below(&state, 3), state);
        for (int i = 0; i < 2; i++) {
            predt_window window = random_window(scene, &state);
            check_window(ctx, index, scene, right, &window, random_below(&state, 4));
        }
        predt_index_destroy(&index);
    }
    predt_close(&ctx);
}

static void exact_ones_equal_brute_force(void **nothing) {
    (void)nothing;
    for (uint64_t seed = 1; seed <= TEST_ROUNDS / 20; seed++) {
        struct scene scene = random_scene(seed);
        struct answer right = oracle_brute(&scene);
        for (int i = 0; i < COUNT(exact_engines); i++)
            check_engine(exact_engines[i], &scene, &right);
        answer_free(&right);
        scene_free(&scene);
    }
}

static void exact_ones_equal_engine_cpu_on_larger_rasters(void **nothing) {
    (void)nothing;
    for (int pattern = 0; pattern < pattern_count; pattern += TEST_ROUNDS < 1000 ? 7 : 2) {
        struct scene scene = scene_new(pattern % 2 ? 301 : 155, pattern % 2 ? 155 : 301,
                                       shape_named(pattern % 3 ? "square" : "20 x 30"),
                                       PREDT_LABEL_32, (uint64_t)pattern);
        scene_fill(&scene, pattern);
        predt_ctx *cpu = open_engine("cpu");
        struct answer right = solve_whole(cpu, &scene);
        for (int i = 0; i < COUNT(exact_engines); i++) {
            int64_t targets = 0;
            for (int64_t k = 0; k < scene.grid.width * scene.grid.height; k++)
                targets += scene.is_target[k] != 0;
            /* minutes, and nothing new */
            if (strcmp(exact_engines[i], "voronoi-points") == 0 && targets > 5000) continue;
            check_engine(exact_engines[i], &scene, &right);
        }
        answer_free(&right);
        predt_close(&cpu);
        scene_free(&scene);
    }
}

/* ---- Inexact engines ---- */

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* Steps from pixel to pixel, written down once more; octagonal ones are walked: to four neighbours,
 * to eight, to four ... */
static int64_t steps(const char *engine, int64_t cols, int64_t rows) {
    if (strcmp(engine, "voronoi-cityblock") == 0) return cols + rows;
    if (strcmp(engine, "voronoi-chessboard") == 0) return larger(cols, rows);
    int64_t count = 0;
    for (; cols > 0 || rows > 0; count++) {
        bool diagonal = count % 2 && cols > 0 && rows > 0;
        if (diagonal) cols--, rows--;
        else if (cols >= rows) cols--;
        else rows--;
    }
    return count;
}

/* How far the target found may be, by its Euclidean distance, where the nearest one is this far. */
static double bound(const char *engine, double distance) {
    return strcmp(engine, "voronoi-octagonal") == 0 ? sqrt(5) / 2 * ceil(distance)
                                                    : sqrt(2) * distance;
}

static int64_t fewest_steps(const char *engine, const struct scene *scene, int64_t col,
                            int64_t row) {
    int64_t least = INT64_MAX;
    for (int64_t k = 0; k < scene->grid.width * scene->grid.height; k++)
        if (scene->is_target[k]) {
            int64_t cols = llabs(k % scene->grid.width - col),
                    rows = llabs(k / scene->grid.width - row);
            int64_t count = steps(engine, cols, rows);
            if (count < least) least = count;
        }
    return least;
}

static void check_pixel(const char *engine, const struct scene *scene, const struct answer *got,
                        const struct answer *right, int64_t col, int64_t row) {
    int64_t at = row * scene->grid.width + col, dcol = llabs(got->nearest_col[at] - col),
            drow = llabs(got->nearest_row[at] - row);
    int64_t target = got->nearest_row[at] * scene->grid.width + got->nearest_col[at];
    assert_true(scene->is_target[target]);
    assert_int_equal(((uint32_t *)got->label)[at], ((uint32_t *)scene->labels)[target]);
    assert_int_equal(steps(engine, dcol, drow), fewest_steps(engine, scene, col, row));
    assert_true(got->distance2[at] == (double)(dcol * dcol + drow * drow));
    assert_true(got->distance[at] == (float)sqrt(got->distance2[at]));
    assert_true(sqrt(got->distance2[at]) <=
                bound(engine, sqrt(right->distance2[at])) * (1 + 1e-12));
}

/* Among targets at as many steps the westernmost, then the northernmost: promised for two of the
 * three. */
static void check_tie(const char *engine, const struct scene *scene, const struct answer *got,
                      int64_t col, int64_t row) {
    int64_t at = row * scene->grid.width + col, fewest = fewest_steps(engine, scene, col, row);
    if (strcmp(engine, "voronoi-octagonal") == 0) return;
    for (int64_t other_col = 0; other_col <= got->nearest_col[at]; other_col++)
        for (int64_t other_row = 0; other_row < scene->grid.height; other_row++) {
            if (other_col == got->nearest_col[at] && other_row >= got->nearest_row[at]) break;
            if (!scene->is_target[other_row * scene->grid.width + other_col]) continue;
            assert_int_not_equal(steps(engine, llabs(other_col - col), llabs(other_row - row)),
                                 fewest);
        }
}

static void inexact_ones_are_exact_in_steps_of_their_own(void **nothing) {
    (void)nothing;
    static const int64_t sides[] = {1, 2, 7, 16, 31, 33, 40};
    int64_t farther = 0;
    for (uint64_t seed = 1; seed <= TEST_ROUNDS / 30; seed++) {
        uint64_t state = seed << 32;
        struct scene scene =
            scene_new(sides[random_below(&state, COUNT(sides))],
                      sides[random_below(&state, COUNT(sides))], &shapes[0], PREDT_LABEL_32, seed);
        scene_fill(&scene, (int)(seed % (uint64_t)pattern_count));
        struct answer right = oracle_brute(&scene);
        for (int i = 0; i < COUNT(inexact_engines); i++) {
            predt_ctx *ctx = open_engine(inexact_engines[i]);
            struct answer got = solve_whole(ctx, &scene);
            for (int64_t row = 0; row < scene.grid.height; row++)
                for (int64_t col = 0; col < scene.grid.width; col++) {
                    int64_t at = row * scene.grid.width + col;
                    if (right.nearest_col[at] < 0) { /* no target at all */
                        assert_int_equal(got.nearest_col[at], -1);
                        continue;
                    }
                    check_pixel(inexact_engines[i], &scene, &got, &right, col, row);
                    check_tie(inexact_engines[i], &scene, &got, col, row);
                    farther += got.distance2[at] > right.distance2[at];
                }
            answer_free(&got);
            predt_close(&ctx);
        }
        answer_free(&right);
        scene_free(&scene);
    }
    assert_true(farther > 0); /* or they would be exact */
}

/* ---- What they refuse; whom auto takes ---- */

static void what_counts_steps_wants_square_pixels(void **nothing) {
    (void)nothing;
    struct scene scene = scene_new(5, 4, shape_named("20 x 30"), PREDT_LABEL_NONE, 1);
    scene_put(&scene, 2, 2);
    for (int i = 0; i < COUNT(inexact_engines); i++) {
        predt_ctx *ctx = open_engine(inexact_engines[i]);
        check_refusal(ctx, &scene, "square");
        predt_close(&ctx);
    }
    scene_free(&scene);
}

/* 64 x 1 pixels, a million and a half in one row: d2 passes 2^53. */
static void what_cannot_be_compared_is_refused(void **nothing) {
    (void)nothing;
    struct scene scene = scene_new(1500000, 1, shape_named("64 x 1"), PREDT_LABEL_NONE, 1);
    scene_put(&scene, 2, 0);
    for (int i = 0; i < COUNT(exact_engines); i++) {
        predt_ctx *ctx = open_engine(exact_engines[i]);
        check_refusal(ctx, &scene, strcmp(exact_engines[i], "breu") == 0 ? "too large" : "2^53");
        predt_close(&ctx);
    }
    scene_free(&scene);
}

/* The raster that an engine keeps from one query to the next is not taken for another one. */
static void two_indexes_of_a_context_are_told_apart(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_engine("voronoi-dilate"), *other_ctx = open_engine("cpu");
    struct scene scenes[3];
    struct answer right[3];
    predt_index *indexes[3];
    for (int i = 0; i < 3; i++) {
        scenes[i] = scene_new(40, 50, &shapes[0], PREDT_LABEL_32, (uint64_t)i);
        for (int k = 0; k <= i; k++) scene_put(&scenes[i], 7 * i + k, 11 * k + 3);
        right[i] = oracle_brute(&scenes[i]);
        indexes[i] = index_scene(i < 2 ? ctx : other_ctx, &scenes[i], 1, 1);
    }
    predt_window window = PREDT_WINDOW_INIT(3, 5, 30, 40, 1);
    for (int i = 0; i < 9; i++)
        check_window(ctx, indexes[i % 3], &scenes[i % 3], &right[i % 3], &window, 0);
    for (int i = 0; i < 3; i++) {
        predt_index_destroy(&indexes[i]);
        answer_free(&right[i]);
        scene_free(&scenes[i]);
    }
    predt_close(&other_ctx);
    predt_close(&ctx);
}

static void the_table_marks_them_and_auto_passes_them_over(void **nothing) {
    (void)nothing;
    predt_engine_info info = PREDT_ENGINE_INFO_INIT;
    int exact = 0, inexact = 0;
    for (int position = 0; predt_engine_at(position, &info) == PREDT_OK; position++) {
        for (int i = 0; i < COUNT(exact_engines); i++)
            exact += strcmp(info.name, exact_engines[i]) == 0 && info.exact;
        for (int i = 0; i < COUNT(inexact_engines); i++)
            inexact += strcmp(info.name, inexact_engines[i]) == 0 && !info.exact;
    }
    assert_int_equal(exact, 4);
    assert_int_equal(inexact, 3);
    predt_ctx *ctx = open_engine("auto");
    assert_string_equal(predt_engine_name(ctx), "cpu");
    predt_close(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_ones_equal_brute_force),
        cmocka_unit_test(exact_ones_equal_engine_cpu_on_larger_rasters),
        cmocka_unit_test(inexact_ones_are_exact_in_steps_of_their_own),
        cmocka_unit_test(what_counts_steps_wants_square_pixels),
        cmocka_unit_test(what_cannot_be_compared_is_refused),
        cmocka_unit_test(two_indexes_of_a_context_are_told_apart),
        cmocka_unit_test(the_table_marks_them_and_auto_passes_them_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
