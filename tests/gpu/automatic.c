/* -engine auto over the fake device: when it takes the device, and what it does when that starts,
 * fails or is not there. */
#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "fake_host.h"
#include "gpu/plan.h"
#include "solve.h"

#define LARGE_WIDTH 65536

/* Wide, large enough for the device with one thread, and quick to index. */
static predt_index *large_index(predt_ctx *ctx) {
    int64_t height = (predt__cuda_min_pixels(1) / LARGE_WIDTH / 32 + 1) * 32;
    predt_grid grid = PREDT_GRID_INIT(LARGE_WIDTH, height);
    uint8_t *is_target = calloc(LARGE_WIDTH, 32);
    predt_index *index;
    is_target[77] = 1;
    assert_ok(ctx, predt_index_create(ctx, &grid, PREDT_LABEL_NONE, &index));
    for (int64_t row = 0; row < height; row += 32)
        assert_ok(ctx, predt_index_add(index, row, 32, is_target, NULL));
    assert_ok(ctx, predt_index_seal(index));
    free(is_target);
    return index;
}

static float ask(predt_ctx *ctx, const predt_index *index, int64_t cols, int64_t rows) {
    float *distance = malloc((size_t)(cols * rows) * sizeof *distance);
    predt_window window = PREDT_WINDOW_INIT(77, 32, cols, rows, 1);
    predt_outputs outputs = {.size = sizeof(predt_outputs), .distance = distance};
    assert_ok(ctx, predt_query(ctx, index, &window, &outputs));
    float last = distance[cols - 1];
    free(distance);
    return last;
}

static void auto_goes_on_with_the_cpu_when_the_device_fails(void **nothing) {
    (void)nothing;
    fake_reset();
    fake.failing_solve = 1;
    fake.error = cudaErrorLaunchFailure;
    predt_ctx *ctx = open_engine("auto", 0);
    assert_string_equal(predt_engine_name(ctx), "cpu");
    predt_index *index = large_index(ctx);
    /* the CPU answers until the device has started */
    for (int i = 0; i < 1000 && !fake.solves; i++)
        assert_true(ask(ctx, index, 40000, 8) == 39999.0f);
    assert_non_null(strstr(said, "engine cuda has failed (CUDA device 0, solving a strip"));
    assert_string_equal(predt_engine_name(ctx), "cpu");
    assert_true(ask(ctx, index, 40000, 8) == 39999.0f);
    assert_int_equal(fake.solves, 1); /* it is not asked again */
    predt_index_destroy(&index);
    predt_close(&ctx);
    assert_nothing_left();
}

/* A named engine waits for its device; auto has the CPU answer what comes meanwhile. The fake would
 * take hours for a strip as wide as this, so it fails when it is asked at last. */
static void auto_does_not_wait_for_a_device_that_starts(void **nothing) {
    (void)nothing;
    fake_reset();
    fake.held = true;
    fake.failing_solve = 1;
    fake.error = cudaErrorLaunchFailure;
    predt_ctx *ctx = open_engine("auto", 0);
    predt_index *index = large_index(ctx);
    assert_true(ask(ctx, index, 40000, 8) == 39999.0f);
    assert_string_equal(predt_engine_name(ctx), "cpu");
    assert_int_equal(fake.solves, 0);
    fake.held = false;
    for (int i = 0; i < 1000 && !fake.solves; i++)
        assert_true(ask(ctx, index, 40000, 8) == 39999.0f);
    assert_int_equal(fake.solves, 1);
    predt_index_destroy(&index);
    predt_close(&ctx);
    assert_nothing_left();
}

static void auto_leaves_small_rasters_and_small_windows_to_the_cpu(void **nothing) {
    (void)nothing;
    struct scene scene = noise(PREDT_LABEL_NONE);
    fake_reset();
    predt_ctx *ctx = open_engine("auto", 0);
    assert_ok(ctx, query_all(ctx, &scene));
    assert_string_equal(said, ""); /* the device was not even looked at */
    predt_index *index = large_index(ctx);
    assert_true(ask(ctx, index, 100, 100) == 99.0f);
    assert_int_equal(fake.solves, 0);
    predt_index_destroy(&index);
    predt_close(&ctx);
    scene_free(&scene);
}

static void auto_without_a_device_is_the_cpu_and_says_so(void **nothing) {
    (void)nothing;
    static const char *const messages[] = {
        "engine cuda: no CUDA device, so cpu it is",
        "engine cuda has failed (engine cuda: no CUDA device), cpu goes on"};
    for (int driver = 0; driver < 2; driver++) {
        fake_reset();
        fake.devices = 0;
        fake.driver = driver;
        predt_ctx *ctx = open_engine(NULL, 0);
        predt_index *index = large_index(ctx);
        assert_true(ask(ctx, index, 40000, 8) == 39999.0f);
        /* the start takes its time */
        for (int i = 0; i < 2000 && !strstr(said, messages[driver]); i++) ask(ctx, index, 40000, 8);
        assert_non_null(strstr(said, messages[driver]));
        predt_index_destroy(&index);
        predt_close(&ctx);
    }
}

static predt_ctx *logging;
static int answered;

/* Calls that need what is being told of: another raster that suits the device, a window of it, and
 * a call that fails. */
static void call_from_the_log(void) {
    predt_index *index = large_index(logging);
    assert_true(ask(logging, index, 40000, 8) == 39999.0f);
    predt_index_destroy(&index);
    predt_grid none = PREDT_GRID_INIT(0, 0);
    assert_int_equal(predt_index_create(logging, &none, PREDT_LABEL_NONE, &index),
                     PREDT_ERROR_ARGUMENT);
    answered++;
}

static void a_log_may_call_predt(void **nothing) {
    (void)nothing;
    fake_reset();
    fake.failing_solve = 1;
    fake.error = cudaErrorLaunchFailure;
    logging = open_engine("auto", 0);
    answer_log = call_from_the_log;
    predt_index *index = large_index(logging);
    assert_int_equal(answered, 1);
    for (int i = 0; i < 1000 && !fake.solves; i++)
        assert_true(ask(logging, index, 40000, 8) == 39999.0f);
    answer_log = NULL;
    assert_non_null(strstr(said, "engine cuda has failed (CUDA device 0, solving a strip"));
    assert_true(answered >= 1 && answered <= 2);
    predt_index_destroy(&index);
    predt_close(&logging);
    assert_nothing_left();
}

static void a_failure_that_auto_makes_good_leaves_no_message(void **nothing) {
    (void)nothing;
    fake_reset();
    fake.devices = 0;
    predt_ctx *ctx = open_engine(NULL, 0);
    predt_index *index = large_index(ctx);
    for (int i = 0; i < 2000 && !strstr(said, "so cpu it is") && !strstr(said, "cpu goes on"); i++)
        ask(ctx, index, 40000, 8);
    assert_string_equal(predt_message(ctx), "");
    predt_index_destroy(&index);
    predt_close(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auto_goes_on_with_the_cpu_when_the_device_fails),
        cmocka_unit_test(auto_does_not_wait_for_a_device_that_starts),
        cmocka_unit_test(auto_leaves_small_rasters_and_small_windows_to_the_cpu),
        cmocka_unit_test(auto_without_a_device_is_the_cpu_and_says_so),
        cmocka_unit_test(a_log_may_call_predt),
        cmocka_unit_test(a_failure_that_auto_makes_good_leaves_no_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
