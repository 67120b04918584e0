/* Any window of a sealed index, at any step, in any order. */
#include "cmocka_all.h"
#include "oracle.h"
#include "random.h"
#include "solve.h"

#ifndef TEST_ROUNDS
#define TEST_ROUNDS 3000
#endif

static struct scene some_scene(int64_t width, int64_t height, int pattern, uint64_t seed) {
    struct scene scene = scene_new(width, height, shape_named(seed % 2 ? "20 x 30" : "square"),
                                   PREDT_LABEL_32, seed);
    scene_fill(&scene, pattern);
    return scene;
}

static void every_strip_height_gives_the_same_bytes(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(2);
    struct scene scene = some_scene(67, 75, 3, 21);
    struct answer right = oracle(&scene);
    predt_index *index = index_scene(ctx, &scene, 1, 2);
    for (int64_t rows = 1; rows <= 75; rows++)
        for (int64_t row = 0; row < 75; row += rows) {
            predt_window window =
                PREDT_WINDOW_INIT(0, row, 67, row + rows < 75 ? rows : 75 - row, 1);
            check_window(ctx, index, &scene, &right, &window, 0);
        }
    predt_index_destroy(&index);
    answer_free(&right);
    scene_free(&scene);
    predt_close(&ctx);
}

static void any_window_at_any_step_and_stride(void **nothing) {
    (void)nothing;
    uint64_t state = 77;
    for (uint64_t seed = 0; seed < 12; seed++) {
        predt_ctx *ctx = open_ctx(1 + (int)seed % 3);
        struct scene scene = some_scene(150 + (int64_t)seed * 41, 555, (int)seed + 3, seed);
        struct answer right = oracle(&scene);
        predt_index *index = index_scene(ctx, &scene, 2, seed);
        for (int i = 0; i < TEST_ROUNDS / 60; i++) {
            predt_window window = random_window(&scene, &state);
            check_window(ctx, index, &scene, &right, &window, random_below(&state, 9));
        }
        predt_index_destroy(&index);
        answer_free(&right);
        scene_free(&scene);
        predt_close(&ctx);
    }
}

static void single_pixels(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(1);
    struct scene scene = some_scene(66, 130, 4, 8);
    struct answer right = oracle(&scene);
    predt_index *index = index_scene(ctx, &scene, 1, 8);
    for (int64_t pixel = 0; pixel < 66 * 130; pixel += 17) {
        predt_window window = PREDT_WINDOW_INIT(pixel % 66, pixel / 66, 1, 1, 1 + pixel % 3);
        check_window(ctx, index, &scene, &right, &window, 0);
    }
    predt_index_destroy(&index);
    answer_free(&right);
    scene_free(&scene);
    predt_close(&ctx);
}

/* Workers keep the carry rows of the group they were in last: here rows of two rasters of one size
 * come in turn, sparse ones, over several groups, and each index is another one that may lie where
 * the last one did. */
static void row_after_row_of_several_rasters(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(1);
    for (uint64_t seed = 0; seed < 6; seed++) {
        struct scene scenes[2];
        struct answer right[2];
        predt_index *index[2];
        for (int i = 0; i < 2; i++) {
            const struct shape *shape = shape_named(seed % 2 ? "20 x 30" : "square");
            scenes[i] = scene_new(90, 1100, shape, PREDT_LABEL_32, 2 * seed + (uint64_t)i);
            uint64_t state = 5 + seed * 2 + (uint64_t)i;
            for (uint64_t k = 0; k < 5 + seed % 3 * 20; k++)
                scene_put(&scenes[i], random_below(&state, 90), random_below(&state, 1100));
            right[i] = oracle(&scenes[i]);
            index[i] = index_scene(ctx, &scenes[i], 3, seed);
        }
        for (int64_t row = 0; row < 1100; row += seed < 3 ? 1 : 31) {
            int turn = (int)(row / (seed % 3 == 0 ? 1100 : 7) % 2);
            predt_window window = PREDT_WINDOW_INIT(0, row, 90, 1, 1);
            check_window(ctx, index[turn], &scenes[turn], &right[turn], &window, 0);
        }
        for (int i = 0; i < 2; i++) {
            predt_index_destroy(&index[i]);
            answer_free(&right[i]);
            scene_free(&scenes[i]);
        }
    }
    predt_close(&ctx);
}

/* Buffers are kept for the next query: those of another width are of no use to it. */
static void rasters_of_several_widths_in_turn(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(3);
    struct scene scenes[3];
    struct answer right[3];
    predt_index *index[3];
    for (int i = 0; i < 3; i++) {
        scenes[i] = some_scene(40 + 300 * i, 200 - 50 * i, 3 + i, (uint64_t)i);
        right[i] = oracle(&scenes[i]);
        index[i] = index_scene(ctx, &scenes[i], 2, 1);
    }
    for (int turn = 0; turn < 12; turn++) {
        int i = turn % 3;
        predt_window whole =
            PREDT_WINDOW_INIT(0, 0, scenes[i].grid.width, scenes[i].grid.height, 1);
        check_window(ctx, index[i], &scenes[i], &right[i], &whole, 0);
    }
    for (int i = 0; i < 3; i++) {
        predt_index_destroy(&index[i]);
        answer_free(&right[i]);
        scene_free(&scenes[i]);
    }
    predt_close(&ctx);
}

static void windows_that_reach_outside_are_refused(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(1);
    struct scene scene = some_scene(20, 40, 3, 4);
    predt_index *index = index_scene(ctx, &scene, 1, 1);
    struct answer got = answer_new(20, 40, 0, PREDT_LABEL_32);
    predt_outputs outputs = answer_outputs(&got, &scene);
    static const int64_t bad[][5] = {
        {0, 0, 21, 40, 1},       {0, 0, 20, 41, 1},       {-1, 0, 5, 5, 1},
        {0, -1, 5, 5, 1},        {20, 0, 1, 1, 1},        {0, 40, 1, 1, 1},
        {0, 0, 0, 5, 1},         {0, 0, 5, 0, 1},         {0, 0, 5, -1, 1},
        {0, 0, 5, 5, 0},         {0, 0, 5, 5, -1},        {0, 0, 5, 5, 5},
        {0, 0, 2, 2, INT64_MAX}, {INT64_MAX, 0, 2, 2, 1}, {0, 0, INT64_MAX, 1, 1},
        {1, 0, 2, 1, INT64_MAX},
    };
    for (int i = 0; i < (int)(sizeof bad / sizeof *bad); i++) {
        predt_window window =
            PREDT_WINDOW_INIT(bad[i][0], bad[i][1], bad[i][2], bad[i][3], bad[i][4]);
        assert_int_equal(predt_query(ctx, index, &window, &outputs), PREDT_ERROR_ARGUMENT);
    }
    predt_window window = PREDT_WINDOW_INIT(0, 0, 20, 40, 1);
    outputs.stride = 19;
    assert_int_equal(predt_query(ctx, index, &window, &outputs), PREDT_ERROR_ARGUMENT);
    answer_free(&got);
    predt_index_destroy(&index);
    scene_free(&scene);
    predt_close(&ctx);
}

static void labels_cannot_be_asked_of_an_index_without(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(1);
    struct scene scene = scene_new(8, 8, shape_named("square"), PREDT_LABEL_NONE, 0);
    predt_index *index = index_scene(ctx, &scene, 1, 1);
    uint32_t labels[64];
    predt_window window = PREDT_WINDOW_INIT(0, 0, 8, 8, 1);
    predt_outputs none = PREDT_OUTPUTS_INIT, outputs = {.size = sizeof outputs, .label = labels};
    assert_int_equal(predt_query(ctx, index, &window, &outputs), PREDT_ERROR_ARGUMENT);
    assert_ok(ctx, predt_query(ctx, index, &window, &none));
    predt_index_destroy(&index);
    scene_free(&scene);
    predt_close(&ctx);
}

static void an_index_that_is_not_sealed_answers_nothing(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(1);
    predt_grid grid = PREDT_GRID_INIT(8, 8);
    predt_index *index;
    float distance[64];
    predt_window window = PREDT_WINDOW_INIT(0, 0, 8, 8, 1);
    assert_ok(ctx, predt_index_create(ctx, &grid, PREDT_LABEL_NONE, &index));
    predt_outputs outputs = {.size = sizeof outputs, .distance = distance};
    assert_int_equal(predt_query(ctx, index, &window, &outputs), PREDT_ERROR_ARGUMENT);
    predt_index_destroy(&index);
    predt_close(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_strip_height_gives_the_same_bytes),
        cmocka_unit_test(any_window_at_any_step_and_stride),
        cmocka_unit_test(single_pixels),
        cmocka_unit_test(row_after_row_of_several_rasters),
        cmocka_unit_test(rasters_of_several_widths_in_turn),
        cmocka_unit_test(windows_that_reach_outside_are_refused),
        cmocka_unit_test(labels_cannot_be_asked_of_an_index_without),
        cmocka_unit_test(an_index_that_is_not_sealed_answers_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
