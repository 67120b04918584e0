/* The host side of engine cuda over a device made of host memory: streaming, memory, failures, what
 * is left behind. */
#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "encoding.h"
#include "fake_host.h"
#include "gpu/narrow.h"
#include "gpu/plan.h"
#include "oracle.h"
#include "random.h"
#include "solve.h"

/* Device memory for so many sub-blocks of the scene's strips with all outputs. */
static int64_t room(const struct scene *scene, int blocks) {
    size_t predt__gpu_workspace(int32_t width, int32_t rows, int32_t label_size);
    predt__gpu_shape shape = {.width = (int32_t)scene->grid.width,
                              .label_size = (int32_t)scene->label_type,
                              .targets = scene->grid.width * scene->grid.height,
                              .wanted = {true, true, scene->label_type != 0, true, true, true},
                              .workspace = predt__gpu_workspace};
    return (int64_t)predt__gpu_max_layout(&shape, 32 * blocks).start[PREDT__SECTIONS];
}

/* The same with narrow outputs beside them. */
static int64_t narrow_room(const struct scene *scene, int blocks) {
    return room(scene, blocks) + 32 * blocks * scene->grid.width * 8 + 2 * 256 +
           PREDT__GPU_TALLIES * (int64_t)sizeof(predt__seen);
}

/* ---- Answers ---- */

static void windows_of_random_rasters_are_right(void **nothing) {
    static const predt_label_type types[] = {PREDT_LABEL_NONE, PREDT_LABEL_32, PREDT_LABEL_64};
    (void)nothing;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        uint64_t state = seed;
        struct scene scene =
            scene_new(1 + random_below(&state, 100), 1 + random_below(&state, 300),
                      &shapes[random_below(&state, shape_count)], types[seed % 3], seed);
        scene_fill(&scene, (int)random_below(&state, pattern_count));
        fake_reset();
        predt_ctx *ctx =
            open_engine("cuda", narrow_room(&scene, 1) * (1 + random_below(&state, 6)));
        predt_index *index = index_scene(ctx, &scene, 1 + random_below(&state, 3), seed);
        struct answer right = oracle(&scene);
        check_whole(ctx, &scene, &right);
        for (int i = 0; i < 4; i++) {
            predt_window window = random_window(&scene, &state);
            check_window(ctx, index, &scene, &right, &window, random_below(&state, 4));
            check_encoding(ctx, index, &scene, &right, &window, &state);
        }
        answer_free(&right);
        predt_index_destroy(&index);
        predt_close(&ctx);
        scene_free(&scene);
        assert_nothing_left();
    }
}

static void only_what_is_asked_for_comes_down(void **nothing) {
    (void)nothing;
    struct scene scene = noise(PREDT_LABEL_32);
    fake_reset();
    predt_ctx *ctx = open_engine("cuda", 0);
    predt_index *index = index_scene(ctx, &scene, 1, 1);
    static float distance[30 * 20];
    predt_window window = PREDT_WINDOW_INIT(10, 40, 20, 30, 1);
    predt_outputs outputs = {.size = sizeof(predt_outputs), .distance = distance};
    assert_ok(ctx, predt_query(ctx, index, &window, &outputs));
    assert_int_equal(fake.bytes_down, sizeof distance);
    assert_int_equal(fake.rows_solved, 64); /* rows 32 to 95 hold 40 to 69 */
    /* words and carry rows, no labels */
    assert_true(fake.bytes_up <= 2 * 70 * 4 + 2 * 70 * 4 + 3 * 256);
    predt_index_destroy(&index);
    predt_close(&ctx);
    scene_free(&scene);
}

/* A Byte raster of distances, and one of labels, come down as bytes; beside them one tally for each
 * block of threads. */
static void narrow_outputs_come_down_narrow(void **nothing) {
    (void)nothing;
    struct scene scene = noise(PREDT_LABEL_32);
    fake_reset();
    predt_ctx *ctx = open_engine("cuda", 0);
    predt_index *index = index_scene(ctx, &scene, 1, 1);
    static uint8_t values[30 * 20], labels[30 * 20];
    predt_tally tally = PREDT_TALLY_INIT;
    predt_window window = PREDT_WINDOW_INIT(10, 40, 20, 15, 2);
    predt_encoding encoding = {sizeof encoding, values, PREDT_UINT8, 0, 1, {255}, {0}, &tally};
    predt_outputs outputs = {
        .size = sizeof(predt_outputs), .label = labels, .label_bytes = 1, .encoding = &encoding};
    assert_ok(ctx, predt_query(ctx, index, &window, &outputs));
    assert_int_equal(fake.bytes_down,
                     20 * 15 * 2 + predt__gpu_tallies(15, 20) * (int64_t)sizeof(predt__seen));
    assert_true(tally.farthest > 0);
    predt_index_destroy(&index);
    predt_close(&ctx);
    scene_free(&scene);
}

/* What a strip that failed had seen does not count twice. */
static void a_second_try_starts_a_new_tally(void **nothing) {
    (void)nothing;
    struct scene scene = noise(PREDT_LABEL_NONE);
    struct answer right = oracle(&scene);
    uint64_t state = 9;
    for (int number = 1; number < 6; number++) {
        fake_reset();
        fake.failing_solve = number;
        fake.error = cudaErrorMemoryAllocation;
        predt_ctx *ctx = open_engine("cuda", narrow_room(&scene, 2) * 3);
        predt_index *index = index_scene(ctx, &scene, 1, 1);
        predt_window window = PREDT_WINDOW_INIT(0, 0, 70, 200, 1);
        for (int i = 0; i < 4; i++) check_encoding(ctx, index, &scene, &right, &window, &state);
        predt_index_destroy(&index);
        predt_close(&ctx);
        assert_nothing_left();
    }
    answer_free(&right);
    scene_free(&scene);
}

static void sub_blocks_between_the_rows_asked_for_are_not_solved(void **nothing) {
    (void)nothing;
    struct scene scene = noise(PREDT_LABEL_NONE);
    struct answer right = oracle(&scene);
    fake_reset();
    predt_ctx *ctx = open_engine("cuda", 0);
    predt_index *index = index_scene(ctx, &scene, 1, 1);
    predt_window window = PREDT_WINDOW_INIT(0, 3, 1, 3, 69); /* rows 3, 72, 141 */
    check_window(ctx, index, &scene, &right, &window, 0);
    assert_int_equal(fake.rows_solved, 96);
    answer_free(&right);
    predt_index_destroy(&index);
    predt_close(&ctx);
    scene_free(&scene);
}

/* ---- Memory ---- */

static void the_limit_holds(void **nothing) {
    (void)nothing;
    struct scene scene = noise(PREDT_LABEL_64);
    struct answer right = oracle(&scene);
    for (int blocks = 1; blocks < 9; blocks++) {
        fake_reset();
        predt_ctx *ctx = open_engine("cuda", room(&scene, 1) * blocks);
        check_whole(ctx, &scene, &right);
        assert_true(fake.most_allocated <= room(&scene, 1) * blocks);
        predt_close(&ctx);
        assert_nothing_left();
    }
    answer_free(&right);
    scene_free(&scene);
}

static void a_device_that_has_less_than_it_says_gets_smaller_strips(void **nothing) {
    (void)nothing;
    struct scene scene = noise(PREDT_LABEL_32);
    struct answer right = oracle(&scene);
    fake_reset();
    fake.memory = room(&scene, 1) * 5 / 4;
    predt_ctx *ctx = open_engine("cuda", 0);
    check_whole(ctx, &scene, &right);
    assert_true(fake.solves >= 7);
    assert_non_null(strstr(said, "strips of"));
    predt_close(&ctx);
    assert_nothing_left();
    answer_free(&right);
    scene_free(&scene);
}

static predt_ctx *logging;
static int answered;

/* On the device that has just told of its trouble, and in a call that fails. */
static void call_from_the_log(void) {
    struct scene scene = noise(PREDT_LABEL_NONE);
    predt_grid none = PREDT_GRID_INIT(0, 0);
    predt_index *index;
    assert_ok(logging, query_all(logging, &scene));
    assert_int_equal(predt_index_create(logging, &none, PREDT_LABEL_NONE, &index),
                     PREDT_ERROR_ARGUMENT);
    scene_free(&scene);
    answered++;
}

static void a_log_may_call_the_engine_that_it_hears_of(void **nothing) {
    (void)nothing;
    struct scene scene = noise(PREDT_LABEL_32);
    struct answer right = oracle(&scene);
    fake_reset();
    fake.memory = room(&scene, 1) * 5 / 4;
    logging = open_engine("cuda", 0);
    answer_log = call_from_the_log;
    check_whole(logging, &scene, &right);
    answer_log = NULL;
    assert_true(answered > 0);
    predt_close(&logging);
    assert_nothing_left();
    answer_free(&right);
    scene_free(&scene);
}

static void no_memory_at_all_is_an_error(void **nothing) {
    (void)nothing;
    struct scene scene = noise(PREDT_LABEL_NONE);
    for (int lies = 0; lies < 2; lies++) {
        fake_reset();
        fake.memory = 1000;
        if (!lies) fake.claimed_memory = 1000;
        predt_ctx *ctx = open_engine("cuda", 0);
        assert_int_equal(query_all(ctx, &scene), PREDT_ERROR_MEMORY);
        assert_non_null(strstr(predt_message(ctx), "CUDA device 0"));
        predt_close(&ctx);
        assert_nothing_left();
    }
    scene_free(&scene);
}

/* Kernels may need memory of their own when they start. */
static void a_solve_without_memory_is_tried_again(void **nothing) {
    (void)nothing;
    struct scene scene = noise(PREDT_LABEL_32);
    struct answer right = oracle(&scene);
    for (int number = 1; number < 4; number++) {
        fake_reset();
        fake.failing_solve = number;
        fake.error = cudaErrorMemoryAllocation;
        predt_ctx *ctx = open_engine("cuda", room(&scene, 2) * 3);
        check_whole(ctx, &scene, &right);
        predt_close(&ctx);
        assert_nothing_left();
    }
    answer_free(&right);
    scene_free(&scene);
}

static void ten_thousand_runs_take_no_more_than_one(void **nothing) {
    (void)nothing;
    struct scene scene = scene_new(5, 3, &shapes[0], PREDT_LABEL_32, 1);
    scene_put(&scene, 2, 1);
    fake_reset();
    predt_ctx *ctx = open_engine("cuda", 0);
    assert_ok(ctx, query_all(ctx, &scene));
    int64_t allocated = fake.allocated, pinned = fake.pinned;
    for (int i = 0; i < 10000; i++) assert_ok(ctx, query_all(ctx, &scene));
    assert_int_equal(fake.most_allocated, allocated);
    assert_int_equal(fake.pinned, pinned);
    predt_close(&ctx);
    assert_nothing_left();
    scene_free(&scene);
}

/* Others in the process may use the device, unless it is said that there are none; then the last
 * context gives it up. */
static void a_device_is_given_up_where_that_was_allowed(void **nothing) {
    (void)nothing;
    predt_options options = PREDT_OPTIONS_INIT;
    predt_ctx *first, *last;
    options.engine = "cuda";
    fake_reset();
    for (int own = 0; own < 2; own++) {
        options.own_process = own;
        assert_int_equal(predt_open(&first, &options), PREDT_OK);
        assert_int_equal(predt_open(&last, &options), PREDT_OK);
        predt_close(&first);
        assert_int_equal(fake.resets, 0);
        predt_close(&last);
        assert_int_equal(fake.resets, own);
    }
    assert_nothing_left();
}

/* ---- Failures ---- */

static void a_device_that_fails_is_an_error(void **nothing) {
    (void)nothing;
    struct scene scene = noise(PREDT_LABEL_NONE);
    fake_reset();
    fake.failing_solve = 2;
    fake.error = cudaErrorIllegalAddress;
    predt_ctx *ctx = open_engine("cuda", room(&scene, 1) * 3);
    assert_int_equal(query_all(ctx, &scene), PREDT_ERROR_ENGINE);
    assert_non_null(strstr(predt_message(ctx), "CUDA device 0, solving a strip: something broke"));
    predt_close(&ctx);
    assert_nothing_left();
    scene_free(&scene);
}

static void without_a_driver_opening_fails(void **nothing) {
    (void)nothing;
    predt_options options = PREDT_OPTIONS_INIT;
    predt_ctx *ctx;
    options.engine = "cuda";
    fake_reset();
    fake.driver = fake.devices = 0;
    assert_int_equal(predt_open(&ctx, &options), PREDT_ERROR_ENGINE);
    assert_string_equal(predt_message(ctx), "engine cuda: no CUDA device");
    predt_close(&ctx);
}

/* Adding strips fails as soon as it is known: nobody reads all of a large raster for nothing. */
static void check_start_fails(int device, const char *message) {
    struct scene scene = noise(PREDT_LABEL_NONE);
    predt_options options = PREDT_OPTIONS_INIT;
    predt_index *index;
    predt_ctx *ctx;
    options.engine = "cuda";
    options.device = device;
    assert_int_equal(predt_open(&ctx, &options), PREDT_OK);
    assert_int_equal(query_all(ctx, &scene), PREDT_ERROR_ENGINE);
    assert_string_equal(predt_message(ctx), message);
    assert_int_equal(predt_index_create(ctx, &scene.grid, PREDT_LABEL_NONE, &index), PREDT_OK);
    assert_int_equal(predt_index_add(index, 0, (int32_t)scene.grid.height, scene.is_target, NULL),
                     PREDT_ERROR_ENGINE);
    assert_string_equal(predt_message(ctx), message);
    predt_index_destroy(&index);
    predt_close(&ctx);
    assert_nothing_left();
    scene_free(&scene);
}

static void a_device_that_is_not_there_is_an_error(void **nothing) {
    (void)nothing;
    fake_reset();
    check_start_fails(3, "engine cuda: CUDA device 3: there are 1, counted from 0");
    fake.devices = 0;
    check_start_fails(0, "engine cuda: no CUDA device");
}

static void a_device_that_does_not_start_is_an_error(void **nothing) {
    (void)nothing;
    struct scene scene = noise(PREDT_LABEL_NONE);
    fake_reset();
    fake.no_streams = true;
    predt_ctx *ctx = open_engine("cuda", 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(query_all(ctx, &scene), PREDT_ERROR_ENGINE);
        assert_non_null(strstr(predt_message(ctx), "CUDA device 0, starting it"));
    }
    predt_close(&ctx);
    assert_nothing_left();
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_of_random_rasters_are_right),
        cmocka_unit_test(only_what_is_asked_for_comes_down),
        cmocka_unit_test(narrow_outputs_come_down_narrow),
        cmocka_unit_test(a_second_try_starts_a_new_tally),
        cmocka_unit_test(sub_blocks_between_the_rows_asked_for_are_not_solved),
        cmocka_unit_test(the_limit_holds),
        cmocka_unit_test(a_device_that_has_less_than_it_says_gets_smaller_strips),
        cmocka_unit_test(a_log_may_call_the_engine_that_it_hears_of),
        cmocka_unit_test(no_memory_at_all_is_an_error),
        cmocka_unit_test(a_solve_without_memory_is_tried_again),
        cmocka_unit_test(ten_thousand_runs_take_no_more_than_one),
        cmocka_unit_test(a_device_is_given_up_where_that_was_allowed),
        cmocka_unit_test(a_device_that_fails_is_an_error),
        cmocka_unit_test(without_a_driver_opening_fails),
        cmocka_unit_test(a_device_that_is_not_there_is_an_error),
        cmocka_unit_test(a_device_that_does_not_start_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
