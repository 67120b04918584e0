/* Sizes at which a number type ends: 2^15 and 2^15.5 columns, 2^24 in float32, 2^31, 2^32 and 2^53
 * in squared distances. */
#include <math.h>

#include "cmocka_all.h"
#include "oracle.h"
#include "random.h"
#include "solve.h"

/* Targets in all corners, or in one, or some in between, against the oracle. */
static void check_strip(int64_t width, int64_t height, const char *shape, int64_t targets) {
    struct scene scene =
        scene_new(width, height, shape_named(shape), PREDT_LABEL_32, (uint64_t)(width + targets));
    uint64_t state = scene.seed;
    scene_put(&scene, 0, 0);
    if (targets > 1) scene_put(&scene, width - 1, height - 1);
    for (int64_t i = 2; i < targets; i++)
        scene_put(&scene, random_below(&state, width), random_below(&state, height));
    check_and_free(&scene);
}

static void check_strips(int64_t length, const char *shape) {
    static const int64_t targets[] = {1, 2, 5, 300};
    for (int i = 0; i < 4; i++) {
        check_strip(length, 1, shape, targets[i]);
        check_strip(1, length, shape, targets[i]);
        check_strip(length, 3, shape, targets[i]);
        check_strip(3, length, shape, targets[i]);
    }
}

static void sides_around_32768(void **state) {
    (void)state;
    for (int64_t side = 32767; side <= 32769; side++) check_strips(side, "square");
}

static void sides_around_the_root_of_2_to_the_31(void **state) {
    (void)state;
    for (int64_t side = 46340; side <= 46342; side++) check_strips(side, "square");
}

static void sides_above_65535(void **state) {
    (void)state;
    check_strips(65536, "square");
    check_strips(65537, "pixels of 2 x 7");
}

static void far_pixel_of_65536_rows(void **state) {
    (void)state;
    struct scene scene = scene_new(2, 65536, shape_named("square"), PREDT_LABEL_NONE, 0);
    scene_put(&scene, 0, 0);
    predt_ctx *ctx = open_ctx(1);
    struct answer got = solve_whole(ctx, &scene);
    assert_true(got.distance[65535 * 2] == 65535.0f);
    assert_true(got.distance[65535 * 2 + 1] == (float)sqrt(65535.0 * 65535.0 + 1.0));
    assert_true(got.distance2[65535 * 2 + 1] == 4294836226.0);
    answer_free(&got);
    predt_close(&ctx);
    scene_free(&scene);
}

/* sqrt(16777216) = 4096; float32 cannot tell 16777217 from it, a root taken in binary64 can. */
static void squares_above_2_to_the_24_stay_apart(void **state) {
    (void)state;
    struct scene scene = scene_new(8193, 2, shape_named("square"), PREDT_LABEL_NONE, 0);
    scene_put(&scene, 0, 0);
    scene_put(&scene, 8192, 0);
    predt_ctx *ctx = open_ctx(1);
    struct answer got = solve_whole(ctx, &scene);
    assert_true(got.distance2[4096] == 16777216.0 && got.distance2[8193 + 4096] == 16777217.0);
    assert_int_equal(got.nearest_col[4096], 0);
    assert_int_equal(got.nearest_col[4097], 8192);
    answer_free(&got);
    predt_close(&ctx);
    check_and_free(&scene);
}

/* 4096 * 724^2 and 4096 * 725^2 lie on both sides of 2^31. */
static void weights_reach_2_to_the_31_early(void **state) {
    (void)state;
    for (int64_t side = 723; side <= 727; side++) {
        check_strips(side, "64 x 1");
        check_strips(side, "1 x 64");
        check_strip(side, 67, "64 x 1", 40);
        check_strip(67, side, "1 x 64", 40);
    }
}

/* 4096 * 1482910^2 lies just below 2^53, the last square that binary64 is sure of. */
static void weights_reach_2_to_the_53(void **state) {
    (void)state;
    for (int64_t side = 1482909; side <= 1482913; side += 2) {
        check_strip(side, 2, "64 x 1", 7);
        check_strip(2, side, "1 x 64", 7);
    }
}

/* int32, binary64 with integers and without, int64: each has a value of its own for "no target". */
static void no_target_in_any_number_type(void **state) {
    (void)state;
    static const struct {
        int64_t width;
        const char *shape;
    } rasters[] = {{300, "square"}, {50000, "square"}, {300, "1 x 1.37"}, {1700000, "64 x 1"}};
    for (int i = 0; i < 4; i++) {
        struct scene scene =
            scene_new(rasters[i].width, 2, shape_named(rasters[i].shape), PREDT_LABEL_32, 0);
        check_and_free(&scene);
    }
}

static void three_million_columns(void **state) {
    (void)state;
    check_strip(3000000, 1, "64 x 1", 1);
    check_strip(3000000, 1, "square", 3000);
    check_strip(3000000, 1, "1 x 1.37", 9);
    check_strip(1, 3000000, "1 x 64", 2000);
}

static void thin_rasters_with_a_target_at_one_end(void **state) {
    (void)state;
    for (int64_t length = 1; length <= 130; length++) {
        check_strip(length, 1, "square", 1);
        check_strip(1, length, "square", 1);
    }
}

static void sides_around_1024_and_4096(void **state) {
    (void)state;
    static const int64_t sides[] = {1023, 1024, 1025, 1200, 4095, 4097};
    for (int i = 0; i < 6; i++)
        for (int64_t targets = 1; targets < 3000; targets *= 20) {
            check_strip(sides[i], 37, "square", targets);
            check_strip(37, sides[i], "square", targets);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thin_rasters_with_a_target_at_one_end),
        cmocka_unit_test(sides_around_1024_and_4096),
        cmocka_unit_test(squares_above_2_to_the_24_stay_apart),
        cmocka_unit_test(far_pixel_of_65536_rows),
        cmocka_unit_test(sides_around_32768),
        cmocka_unit_test(sides_around_the_root_of_2_to_the_31),
        cmocka_unit_test(sides_above_65535),
        cmocka_unit_test(weights_reach_2_to_the_31_early),
        cmocka_unit_test(weights_reach_2_to_the_53),
        cmocka_unit_test(no_target_in_any_number_type),
        cmocka_unit_test(three_million_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
