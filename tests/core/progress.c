/* Progress runs from 0 to 1 and never back; 0 returned stops the work. */
#include "cmocka_all.h"
#include "solve.h"

struct watcher {
    int calls, stop_at; /* stop_at: the call that says stop; 0: none */
    double last;
    bool fell;
};

static int watch(double complete, const char *message, void *user) {
    struct watcher *mine = user;
    assert_non_null(message);
    mine->fell = mine->fell || complete < mine->last;
    mine->last = complete;
    return ++mine->calls != mine->stop_at;
}

/* Large enough for several steps of the query. */
static predt_status run(predt_ctx *ctx, struct watcher *watcher) {
    struct scene scene = scene_new(1 << 18, 65, shape_named("square"), PREDT_LABEL_NONE, 1);
    for (int64_t col = 0; col < 1 << 18; col += 5) scene_put(&scene, col, 64);
    float *distance = test_malloc(sizeof(float) * 65 << 18);
    predt_outputs outputs = {.size = sizeof(predt_outputs), .distance = distance};
    predt_status status = predt_transform(ctx, &scene.grid, scene.is_target, NULL, PREDT_LABEL_NONE,
                                          &outputs, watch, watcher);
    test_free(distance);
    scene_free(&scene);
    return status;
}

/* Rows of the outputs lie farther apart than the raster is wide; the last row is a piece of its
 * own. */
static void each_piece_lands_in_its_rows(void **nothing) {
    (void)nothing;
    const int64_t width = 1 << 18, stride = width + 3;
    struct scene scene = scene_new(width, 65, shape_named("square"), PREDT_LABEL_NONE, 1);
    for (int64_t col = 0; col < width; col += 5) scene_put(&scene, col, 64);
    float *distance = test_malloc(sizeof(float) * 65 * (size_t)stride);
    predt_outputs outputs = {.size = sizeof(predt_outputs), .stride = stride, .distance = distance};
    predt_ctx *ctx = open_ctx(2);
    assert_ok(ctx, predt_transform(ctx, &scene.grid, scene.is_target, NULL, PREDT_LABEL_NONE,
                                   &outputs, NULL, NULL));
    for (int64_t row = 0; row < 65; row += 8)
        for (int64_t col = 0; col < width; col += 997) {
            double aside = (double)(col % 5 < 3 ? col % 5 : 5 - col % 5);
            assert_true(distance[row * stride + col] ==
                        (float)(hypot(aside, (double)(64 - row)) * scene.shape->unit));
        }
    predt_close(&ctx);
    test_free(distance);
    scene_free(&scene);
}

static void progress_runs_from_0_to_1(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(2);
    struct watcher watcher = {.last = -1};
    assert_ok(ctx, run(ctx, &watcher));
    assert_true(watcher.calls >= 3);
    assert_true(watcher.last == 1.0 && !watcher.fell);
    predt_close(&ctx);
}

static void a_stop_at_any_call_cancels(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(2);
    struct watcher first = {.stop_at = 1}, third = {.stop_at = 3};
    assert_int_equal(run(ctx, &first), PREDT_CANCELLED);
    assert_int_equal(first.calls, 1);
    assert_int_equal(run(ctx, &third), PREDT_CANCELLED);
    assert_int_equal(third.calls, 3);
    assert_true(predt_message(ctx)[0] != 0);
    predt_close(&ctx);
}

static void a_context_works_on_after_a_stop(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(1);
    struct watcher stopper = {.stop_at = 2}, calm = {0};
    assert_int_equal(run(ctx, &stopper), PREDT_CANCELLED);
    assert_ok(ctx, run(ctx, &calm));
    predt_close(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_piece_lands_in_its_rows),
        cmocka_unit_test(progress_runs_from_0_to_1),
        cmocka_unit_test(a_stop_at_any_call_cancels),
        cmocka_unit_test(a_context_works_on_after_a_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
