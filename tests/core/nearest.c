/* The right target, on small rasters with known answers. */
#include <math.h>

#include "cmocka_all.h"
#include "oracle.h"
#include "solve.h"

struct spot {
    int row, col;
};

/* Solves a raster with these targets, labelled 1, 2, ...; checks it against the oracle and returns
 * what predt said. */
static struct answer solve_spots(int64_t width, int64_t height, const char *shape,
                                 const struct spot *spots, int count) {
    struct scene scene = scene_new(width, height, shape_named(shape), PREDT_LABEL_32, 0);
    for (int i = 0; i < count; i++) {
        scene_put(&scene, spots[i].col, spots[i].row);
        ((uint32_t *)scene.labels)[spots[i].row * width + spots[i].col] = (uint32_t)i + 1;
    }
    predt_ctx *ctx = open_ctx(1);
    struct answer got = solve_whole(ctx, &scene), right = oracle_brute(&scene);
    assert_same_answer(&got, &right, &scene, "spots");
    predt_close(&ctx);
    answer_free(&right);
    scene_free(&scene);
    return got;
}

static void assert_pixel(const struct answer *got, int row, int col, float distance,
                         uint32_t label) {
    int64_t pixel = row * got->stride + col;
    assert_true(got->distance[pixel] == distance);
    assert_int_equal(((uint32_t *)got->label)[pixel], label);
}

static void scans_answer_3_where_root_8_is_right(void **state) {
    (void)state;
    struct answer got = solve_spots(6, 6, "square", (struct spot[]){{0, 4}, {2, 3}, {3, 0}}, 3);
    assert_pixel(&got, 0, 1, (float)sqrt(8.0), 2);
    answer_free(&got);
}

static void far_corner_of_a_4_x_4(void **state) {
    (void)state;
    struct answer got = solve_spots(4, 4, "square", (struct spot[]){{0, 2}, {1, 1}, {3, 0}}, 3);
    assert_pixel(&got, 3, 3, (float)sqrt(8.0), 2);
    answer_free(&got);
}

static void far_corner_of_an_8_x_8(void **state) {
    (void)state;
    struct answer got = solve_spots(8, 8, "square", (struct spot[]){{4, 0}, {6, 1}}, 2);
    assert_pixel(&got, 0, 7, (float)sqrt(65.0), 1);
    answer_free(&got);
}

static void high_pixels_prefer_their_row(void **state) {
    (void)state;
    static const float distance[9] = {3, 3.16227766f, 3.60555128f, 0, 1, 2, 2, 1, 0};
    static const uint32_t label[9] = {2, 2, 2, 2, 2, 2, 1, 1, 1};
    struct answer got = solve_spots(3, 3, "1 x 3", (struct spot[]){{2, 2}, {1, 0}}, 2);
    for (int i = 0; i < 9; i++) assert_pixel(&got, i / 3, i % 3, distance[i], label[i]);
    answer_free(&got);
}

static void a_target_is_its_own_nearest(void **state) {
    (void)state;
    struct scene scene = scene_new(70, 40, shape_named("square"), PREDT_LABEL_32, 1);
    for (int64_t i = 0; i < 70 * 40; i++) scene.is_target[i] = 1;
    predt_ctx *ctx = open_ctx(1);
    struct answer got = solve_whole(ctx, &scene);
    for (int64_t i = 0; i < 70 * 40; i++) {
        assert_true(got.distance[i] == 0.0f && got.direction[i] == 0.0f);
        assert_int_equal(((uint32_t *)got.label)[i], ((uint32_t *)scene.labels)[i]);
    }
    answer_free(&got);
    predt_close(&ctx);
    scene_free(&scene);
}

static void without_a_target_nothing_is_in_reach(void **state) {
    (void)state;
    struct scene scene = scene_new(33, 34, shape_named("square"), PREDT_LABEL_64, 1);
    predt_ctx *ctx = open_ctx(1);
    struct answer got = solve_whole(ctx, &scene);
    for (int64_t i = 0; i < 33 * 34; i++) {
        assert_true(isinf(got.distance[i]) && isinf(got.distance2[i]) && isnan(got.direction[i]));
        assert_true(got.nearest_col[i] == -1 && got.nearest_row[i] == -1);
        assert_true(((uint64_t *)got.label)[i] == scene.no_label);
    }
    answer_free(&got);
    predt_close(&ctx);
    scene_free(&scene);
}

static void any_byte_but_zero_is_a_target(void **state) {
    (void)state;
    predt_ctx *ctx = open_ctx(1);
    predt_grid grid = PREDT_GRID_INIT(256, 1);
    uint8_t mask[256];
    float distance[256];
    for (int i = 0; i < 256; i++) mask[i] = (uint8_t)i;
    predt_outputs outputs = {.size = sizeof(predt_outputs), .distance = distance};
    assert_ok(ctx, predt_transform(ctx, &grid, mask, NULL, PREDT_LABEL_NONE, &outputs, NULL, NULL));
    for (int i = 0; i < 256; i++) assert_true(distance[i] == (i == 0 ? 1.0f : 0.0f));
    predt_close(&ctx);
}

static void each_output_alone_gives_the_same_bytes(void **state) {
    (void)state;
    struct scene scene = scene_new(131, 67, shape_named("20 x 30"), PREDT_LABEL_32, 5);
    scene_fill(&scene, 3);
    predt_ctx *ctx = open_ctx(1);
    struct answer right = oracle(&scene);
    for (int which = 0; which < 6; which++) {
        struct answer got = oracle(&scene);
        predt_outputs all = answer_outputs(&got, &scene),
                      one = {.size = sizeof(predt_outputs), .no_label = scene.no_label};
        if (which == 0) one.distance = all.distance, got.distance[7] = -1;
        if (which == 1) one.distance2 = all.distance2, got.distance2[7] = -1;
        if (which == 2) one.label = all.label, ((uint32_t *)got.label)[7] ^= 1;
        if (which == 3) one.nearest_col = all.nearest_col, got.nearest_col[7] = -7;
        if (which == 4) one.nearest_row = all.nearest_row, got.nearest_row[7] = -7;
        if (which == 5) one.direction = all.direction, got.direction[7] = -1;
        assert_ok(ctx, predt_transform(ctx, &scene.grid, scene.is_target, scene.labels,
                                       scene.label_type, &one, NULL, NULL));
        assert_same_answer(&got, &right, &scene, "one output");
        answer_free(&got);
    }
    answer_free(&right);
    predt_close(&ctx);
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scans_answer_3_where_root_8_is_right),
        cmocka_unit_test(far_corner_of_a_4_x_4),
        cmocka_unit_test(far_corner_of_an_8_x_8),
        cmocka_unit_test(high_pixels_prefer_their_row),
        cmocka_unit_test(a_target_is_its_own_nearest),
        cmocka_unit_test(without_a_target_nothing_is_in_reach),
        cmocka_unit_test(any_byte_but_zero_is_a_target),
        cmocka_unit_test(each_output_alone_gives_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
