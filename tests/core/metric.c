/* From steps to distances: pixel shapes, what is refused, the inclusive maximum. */
#include <math.h>
#include <string.h>

#include "cmocka_all.h"
#include "core/metric.h"
#include "oracle.h"
#include "solve.h"

/* Whether predt answers on a grid of these steps; the reason if not. */
static const char *refusal(double east, double north, double row_east, double row_north,
                           predt_metric kind) {
    predt__metric metric;
    predt_grid grid = PREDT_GRID_INIT(3, 3);
    grid.col_step[0] = east, grid.col_step[1] = north;
    grid.row_step[0] = row_east, grid.row_step[1] = row_north;
    grid.metric = kind;
    return predt__metric_from_grid(&metric, &grid);
}

static void every_shape_has_the_weights_written_beside_it(void **state) {
    (void)state;
    for (int i = 0; i < shape_count; i++) {
        struct scene scene = scene_new(200, 100, &shapes[i], PREDT_LABEL_NONE, 0);
        predt__metric metric;
        assert_null(predt__metric_from_grid(&metric, &scene.grid));
        assert_true(metric.wx == shapes[i].wx && metric.wy == shapes[i].wy &&
                    metric.unit == shapes[i].unit);
        scene_free(&scene);
    }
}

static void a_rotated_grid_measures_along_its_own_steps(void **state) {
    (void)state;
    predt_grid grid = PREDT_GRID_INIT(3, 3);
    grid.col_step[0] = 17.3205080757, grid.col_step[1] = 10;
    grid.row_step[0] = 5, grid.row_step[1] = -8.66025403784;
    uint8_t mask[9] = {1};
    float distance[9];
    predt_ctx *ctx = open_ctx(1);
    predt_outputs outputs = {.size = sizeof(predt_outputs), .distance = distance};
    assert_ok(ctx, predt_transform(ctx, &grid, mask, NULL, PREDT_LABEL_NONE, &outputs, NULL, NULL));
    for (int i = 0; i < 9; i++)
        assert_true(fabs((double)distance[i] - hypot(20 * (i % 3), 10 * (i / 3))) < 1e-5);
    predt_close(&ctx);
}

static void shear_is_refused_and_gdalwarp_named(void **state) {
    (void)state;
    const char *why = refusal(10, 0, 5, -10, PREDT_METRIC_MAP);
    assert_non_null(why);
    assert_non_null(strstr(why, "gdalwarp"));
    assert_null(refusal(10, 0, 5, -10, PREDT_METRIC_PIXEL));
    assert_non_null(refusal(10, 0, 1e-6, -10, PREDT_METRIC_MAP));
    assert_null(refusal(10, 0, 1e-12, -10, PREDT_METRIC_MAP));
}

static void steps_without_a_length_are_refused(void **state) {
    (void)state;
    assert_non_null(refusal(0, 0, 0, -1, PREDT_METRIC_MAP));
    assert_non_null(refusal(1, 0, 0, 0, PREDT_METRIC_MAP));
    assert_non_null(refusal((double)NAN, 0, 0, -1, PREDT_METRIC_MAP));
    assert_non_null(refusal(1, 0, 0, (double)INFINITY, PREDT_METRIC_MAP));
    assert_null(refusal(-1, 0, 0, 1, PREDT_METRIC_MAP));
}

static void nearly_equal_steps_count_as_equal(void **state) {
    (void)state;
    struct scene scene = scene_new(64, 64, shape_named("30 m with noise"), PREDT_LABEL_NONE, 0);
    scene_put(&scene, 30, 30);
    scene_put(&scene, 35, 34);
    check_and_free(&scene);
}

/* Distances on a row from a target at its west end; counts the pixels in reach. */
static int reach(double pixel, double maximum) {
    predt_grid grid = PREDT_GRID_INIT(10, 1);
    grid.col_step[0] = pixel, grid.row_step[1] = -pixel;
    grid.max_distance = maximum;
    uint8_t mask[10] = {1};
    float distance[10];
    predt_outputs outputs = {.size = sizeof(predt_outputs), .distance = distance};
    predt_ctx *ctx = open_ctx(1);
    assert_ok(ctx, predt_transform(ctx, &grid, mask, NULL, PREDT_LABEL_NONE, &outputs, NULL, NULL));
    predt_close(&ctx);
    int count = 0;
    while (count < 10 && isfinite(distance[count])) count++;
    for (int i = count; i < 10; i++) assert_true(isinf(distance[i]));
    return count;
}

static void the_maximum_distance_is_inclusive(void **state) {
    (void)state;
    assert_int_equal(reach(1, 3), 4);
    assert_int_equal(reach(1, 2.9999999), 3);
    assert_int_equal(reach(0.1, 0.3), 4);
    assert_int_equal(reach(0.1, 0.7), 8);
    assert_int_equal(reach(30, 90), 4);
    assert_int_equal(reach(0.3048, 0.9144), 4);
    assert_int_equal(reach(1, 0), 1);
    assert_int_equal(reach(1, (double)INFINITY), 10);
}

/* 2000000^2 + 1: the next pixel beyond the maximum, a quarter of a millionth of a millionth
 * farther. */
static void the_maximum_distance_lets_no_neighbour_in(void **state) {
    (void)state;
    predt__metric metric;
    predt_grid grid = PREDT_GRID_INIT(2000001, 2);
    grid.max_distance = 2000000;
    assert_null(predt__metric_from_grid(&metric, &grid));
    assert_true(metric.limit >= 4e12 && metric.limit < 4e12 + 1);
}

static void a_negative_or_nan_maximum_is_refused(void **state) {
    (void)state;
    predt__metric metric;
    predt_grid grid = PREDT_GRID_INIT(10, 1);
    grid.max_distance = -1;
    assert_non_null(predt__metric_from_grid(&metric, &grid));
    grid.max_distance = (double)NAN;
    assert_non_null(predt__metric_from_grid(&metric, &grid));
}

static void a_million_to_one_is_finite_and_exact(void **state) {
    (void)state;
    struct scene scene = scene_new(5, 5, shape_named("1 x 1000000"), PREDT_LABEL_NONE, 0);
    scene_put(&scene, 0, 0);
    predt_ctx *ctx = open_ctx(1);
    struct answer got = solve_whole(ctx, &scene);
    for (int i = 0; i < 25; i++)
        assert_true(got.distance2[i] == (i % 5) * (i % 5) + 1e12 * (i / 5) * (i / 5));
    answer_free(&got);
    predt_close(&ctx);
    check_and_free(&scene);
}

static void shear_is_judged_in_one_place(void **nothing) {
    (void)nothing;
    predt_grid grid = PREDT_GRID_INIT(3, 3);
    assert_false(predt_grid_is_sheared(&grid));
    grid.col_step[1] = 1e-9;
    assert_false(predt_grid_is_sheared(&grid));
    grid.col_step[1] = 1e-7;
    assert_true(predt_grid_is_sheared(&grid));
    grid.row_step[1] = 0; /* no length */
    assert_false(predt_grid_is_sheared(&grid));
    assert_false(predt_grid_is_sheared(NULL));
    grid.size = 0;
    assert_false(predt_grid_is_sheared(&grid));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shear_is_judged_in_one_place),
        cmocka_unit_test(every_shape_has_the_weights_written_beside_it),
        cmocka_unit_test(a_rotated_grid_measures_along_its_own_steps),
        cmocka_unit_test(shear_is_refused_and_gdalwarp_named),
        cmocka_unit_test(steps_without_a_length_are_refused),
        cmocka_unit_test(nearly_equal_steps_count_as_equal),
        cmocka_unit_test(the_maximum_distance_is_inclusive),
        cmocka_unit_test(the_maximum_distance_lets_no_neighbour_in),
        cmocka_unit_test(a_negative_or_nan_maximum_is_refused),
        cmocka_unit_test(a_million_to_one_is_finite_and_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
