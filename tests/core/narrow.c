/* Distances as whole numbers and labels of their low bytes. */
#include <stdlib.h>

#include "cmocka_all.h"
#include "core/narrow.h"
#include "core/nearer.h"
#include "narrowing.h"
#include "oracle.h"
#include "random.h"
#include "solve.h"

#ifndef TEST_ROUNDS
#define TEST_ROUNDS 3000
#endif

static void random_windows_in_every_form(void **nothing) {
    static const predt_label_type types[] = {PREDT_LABEL_NONE, PREDT_LABEL_32, PREDT_LABEL_64};
    (void)nothing;
    for (uint64_t seed = 1; seed <= TEST_ROUNDS / 20; seed++) {
        uint64_t state = seed;
        struct scene scene =
            scene_new(1 + random_below(&state, 120), 1 + random_below(&state, 200),
                      &shapes[random_below(&state, shape_count)], types[seed % 3], seed);
        scene_fill(&scene, (int)random_below(&state, pattern_count));
        if (random_below(&state, 2))
            scene.grid.max_distance = 20 * random_unit(&state) * scene.grid.col_step[0];
        struct answer right = oracle(&scene);
        predt_ctx *ctx = open_ctx(1 + (int)random_below(&state, 3));
        predt_index *index = index_scene(ctx, &scene, 2, seed);
        for (int i = 0; i < 8; i++) {
            predt_window window = random_window(&scene, &state);
            check_narrow(ctx, index, &scene, &right, &window, &state);
        }
        answer_free(&right);
        predt_index_destroy(&index);
        predt_close(&ctx);
        scene_free(&scene);
    }
}

/* More pixels than the core answers at a time. */
static void a_raster_of_several_pieces(void **nothing) {
    (void)nothing;
    struct scene scene = scene_new(1200, 1999, &shapes[0], PREDT_LABEL_32, 3);
    uint64_t state = 3;
    scene_put(&scene, 300, 500);
    scene_put(&scene, 1100, 1700);
    predt_ctx *ctx = open_ctx(2);
    predt_index *index = index_scene(ctx, &scene, 4, 1);
    struct answer right = solve_whole(ctx, &scene);
    predt_window windows[] = {PREDT_WINDOW_INIT(0, 0, 1200, 1999, 1),
                              PREDT_WINDOW_INIT(0, 0, 600, 1000, 2)};
    for (int i = 0; i < 10; i++) check_narrow(ctx, index, &scene, &right, &windows[i % 2], &state);
    answer_free(&right);
    predt_index_destroy(&index);
    predt_close(&ctx);
    scene_free(&scene);
}

/* Halves go up, as round() has it; numbers just below a half, and from 2^52 on, must not. */
static void rounding_is_that_of_libm(void **nothing) {
    (void)nothing;
    uint64_t state = 1;
    const double fixed[] = {0,    0.25, 6.25, 2.25, 0.249999999999999944, 4503599627370497.0,
                            1e18, 1e15};
    for (int i = 0; i < 8; i++)
        assert_int_equal(predt__round_distance(fixed[i], 1), (int64_t)round(sqrt(fixed[i])));
    for (int i = 0; i < 200000; i++) {
        double d2 = ldexp(random_unit(&state), (int)random_below(&state, 60)),
               scale = i % 2 ? 1 : 10 * random_unit(&state);
        if (i % 3 == 0) d2 = floor(d2);
        assert_int_equal(predt__round_distance(d2, scale), (int64_t)round(sqrt(d2) * scale));
    }
    assert_int_equal(predt__round_distance(1e300, 1e300), INT64_C(1) << 62);
}

static void a_query_adds_to_the_tally(void **nothing) {
    (void)nothing;
    predt_grid grid = PREDT_GRID_INIT(300, 1);
    uint8_t mask[300] = {1}, values[300];
    predt_tally tally = PREDT_TALLY_INIT;
    predt_ctx *ctx = open_ctx(1);
    predt_whole whole = {sizeof whole, values, 1, 1.0, 0, 254, 255, &tally};
    predt_outputs outputs = {.size = sizeof outputs, .whole = &whole};
    for (int i = 1; i <= 2; i++) {
        assert_ok(ctx,
                  predt_transform(ctx, &grid, mask, NULL, PREDT_LABEL_NONE, &outputs, NULL, NULL));
        assert_true(tally.farthest2 == 299.0 * 299 && tally.farthest_col == 299 &&
                    tally.farthest_row == 0);
        assert_int_equal(tally.clamped, i * 45); /* 255 to 299 */
        assert_int_equal(tally.like_none, 0);
    }
    assert_int_equal(values[254], 254);
    assert_int_equal(values[299], 254);
    predt_close(&ctx);
}

static void what_does_not_fit_is_refused(void **nothing) {
    (void)nothing;
    predt_grid grid = PREDT_GRID_INIT(4, 1);
    uint8_t mask[4] = {1};
    uint32_t labels[4] = {7}, values[4], got[4];
    const predt_whole wrong[] = {
        {.bytes = 3, .most = 9, .none = 9},
        {.bytes = 8, .most = 9, .none = 9},
        {.bytes = 1, .most = 256, .none = 0},
        {.bytes = 1, .most = 255, .none = -1},
        {.bytes = 2, .least = -32769, .most = 9, .none = 9},
        {.bytes = 4, .most = INT64_C(1) << 32},
        {.bytes = 1, .least = 5, .most = 4},
        {.bytes = 1, .scale = -1, .most = 9},
        {.bytes = 1, .scale = NAN, .most = 9},
        {.bytes = 1, .scale = INFINITY, .most = 9},
    };
    predt_ctx *ctx = open_ctx(1);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        predt_whole whole = wrong[i];
        predt_outputs outputs = {.size = sizeof outputs, .whole = &whole};
        whole.size = sizeof whole;
        whole.values = values;
        if (whole.scale == 0) whole.scale = 1;
        assert_int_equal(
            predt_transform(ctx, &grid, mask, NULL, PREDT_LABEL_NONE, &outputs, NULL, NULL),
            PREDT_ERROR_ARGUMENT);
    }
    const int sizes[] = {3, 8, -1, 5};
    for (int i = 0; i < 4; i++) {
        predt_outputs outputs = {.size = sizeof outputs, .label = got, .label_bytes = sizes[i]};
        assert_int_equal(
            predt_transform(ctx, &grid, mask, labels, PREDT_LABEL_32, &outputs, NULL, NULL),
            PREDT_ERROR_ARGUMENT);
    }
    predt_close(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_windows_in_every_form),
        cmocka_unit_test(a_raster_of_several_pieces),
        cmocka_unit_test(rounding_is_that_of_libm),
        cmocka_unit_test(a_query_adds_to_the_tally),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
