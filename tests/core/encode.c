/* Distances as pixels of a raster, labels of fewer bytes, masks and minima. */
#include <stdlib.h>

#include "cmocka_all.h"
#include "core/encode.h"
#include "encoding.h"
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
            check_encoding(ctx, index, &scene, &right, &window, &state);
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
    for (int i = 0; i < 10; i++)
        check_encoding(ctx, index, &scene, &right, &windows[i % 2], &state);
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
        assert_int_equal(predt__round(sqrt(fixed[i])), (int64_t)round(sqrt(fixed[i])));
    for (int i = 0; i < 200000; i++) {
        double d2 = ldexp(random_unit(&state), (int)random_below(&state, 60)),
               scale = i % 2 ? 1 : 10 * random_unit(&state);
        if (i % 3 == 0) d2 = floor(d2);
        assert_int_equal(predt__round(sqrt(d2) * scale), (int64_t)round(sqrt(d2) * scale));
    }
    assert_int_equal(predt__round(1e300), INT64_C(1) << 62);
}

static void a_query_adds_to_the_tally(void **nothing) {
    (void)nothing;
    predt_grid grid = PREDT_GRID_INIT(300, 1);
    uint8_t mask[300] = {1}, values[300];
    predt_tally tally = PREDT_TALLY_INIT;
    predt_ctx *ctx = open_ctx(1);
    predt_encoding encoding = {.size = sizeof encoding,
                               .values = values,
                               .type = PREDT_UINT8,
                               .scale = 1,
                               .none = {255},
                               .tally = &tally};
    predt_outputs outputs = {.size = sizeof outputs, .encoding = &encoding};
    for (int i = 1; i <= 2; i++) {
        assert_ok(ctx,
                  predt_transform(ctx, &grid, mask, NULL, PREDT_LABEL_NONE, &outputs, NULL, NULL));
        assert_true(tally.farthest == 299.0 && tally.farthest_col == 299 &&
                    tally.farthest_row == 0);
        assert_int_equal(tally.clamped, i * 45); /* 255 to 299 */
        assert_int_equal(tally.like_none, 0);
    }
    assert_int_equal(values[254], 254);
    assert_int_equal(values[299], 254);
    predt_close(&ctx);
}

/* Every distance that rounds to a byte or nearly so, from every square: what float32 roots are
 * unsure of must come out as in binary64. */
static void bytes_are_rounded_as_in_binary64(void **nothing) {
    (void)nothing;
    static uint8_t mask[70000] = {1}, bytes[70000];
    static uint16_t words[70000];
    const double scales[] = {1, 0.9999999, 1.0000001, 0.7071067811865476, 1.0 / 3, 0.05, 2.5, 30};
    predt_grid grid = PREDT_GRID_INIT(300, 233);
    predt_ctx *ctx = open_ctx(1);
    for (int i = 0; i < 8; i++) {
        static double squares[70000];
        predt_encoding encoding = PREDT_ENCODING_INIT;
        predt_outputs outputs = PREDT_OUTPUTS_INIT;
        outputs.encoding = &encoding;
        outputs.distance2 = squares;
        encoding.scale = scales[i];
        encoding.none.i = 255;
        encoding.type = PREDT_UINT8;
        encoding.values = bytes;
        assert_ok(ctx,
                  predt_transform(ctx, &grid, mask, NULL, PREDT_LABEL_NONE, &outputs, NULL, NULL));
        encoding.type = PREDT_UINT16;
        encoding.values = words;
        assert_ok(ctx,
                  predt_transform(ctx, &grid, mask, NULL, PREDT_LABEL_NONE, &outputs, NULL, NULL));
        for (int64_t at = 0; at < grid.width * grid.height; at++) {
            double right = round(sqrt(squares[at]) * scales[i]);
            assert_int_equal(bytes[at], right > 254 ? 254 : (int)right);
            assert_int_equal(words[at], right == 255 ? 255 : (int)right);
        }
    }
    predt_close(&ctx);
}

static void a_minimum_without_distances_takes_labels_out(void **nothing) {
    (void)nothing;
    predt_grid grid = PREDT_GRID_INIT(5, 1);
    uint8_t is_target[5] = {1}, mask[5] = {0, 0, 0, 0, 1};
    uint32_t labels[5] = {7}, got[5];
    predt_outputs outputs = {
        .size = sizeof outputs, .label = got, .no_label = 9, .mask = mask, .min_distance = 2};
    predt_ctx *ctx = open_ctx(1);
    assert_ok(ctx,
              predt_transform(ctx, &grid, is_target, labels, PREDT_LABEL_32, &outputs, NULL, NULL));
    assert_true(got[0] == 9 && got[1] == 9 && got[2] == 7 && got[3] == 7 && got[4] == 9);
    predt_close(&ctx);
}

static void what_does_not_fit_is_refused(void **nothing) {
    (void)nothing;
    predt_grid grid = PREDT_GRID_INIT(4, 1);
    uint8_t mask[4] = {1};
    uint32_t labels[4] = {7}, got[4];
    double values[4];
    const predt_encoding wrong[] = {
        {.type = (predt_type)10, .scale = 1},
        {.type = (predt_type)-1, .scale = 1},
        {.type = PREDT_UINT8, .scale = 1, .none = {256}},
        {.type = PREDT_UINT8, .scale = 1, .none = {-1}},
        {.type = PREDT_INT16, .scale = 1, .none = {-32769}},
        {.type = PREDT_UINT32, .scale = 1, .none = {INT64_C(1) << 32}},
        {.type = PREDT_INT8, .scale = 1, .is_fixed = 1, .fixed = {128}},
        {.type = PREDT_UINT8, .scale = -1},
        {.type = PREDT_UINT8, .scale = NAN},
        {.type = PREDT_FLOAT64, .scale = INFINITY},
    };
    predt_ctx *ctx = open_ctx(1);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        predt_encoding encoding = wrong[i];
        predt_outputs outputs = {.size = sizeof outputs, .encoding = &encoding};
        encoding.size = sizeof encoding;
        encoding.values = values;
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
    const double minima[] = {-1, NAN};
    for (int i = 0; i < 2; i++) {
        predt_outputs outputs = {.size = sizeof outputs, .label = got, .min_distance = minima[i]};
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
        cmocka_unit_test(bytes_are_rounded_as_in_binary64),
        cmocka_unit_test(a_minimum_without_distances_takes_labels_out),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
