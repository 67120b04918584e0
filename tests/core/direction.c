/* The way from a pixel to its target: degrees clockwise from map north. */
#include <math.h>
#include <string.h>

#include "cmocka_all.h"
#include "core/nearer.h"
#include "solve.h"

/* Directions on a 3 x 3 raster whose centre is the target, row by row. */
static void solve_centre(const double *col_step, const double *row_step, predt_metric kind,
                         float *direction) {
    predt_grid grid = PREDT_GRID_INIT(3, 3);
    memcpy(grid.col_step, col_step, sizeof grid.col_step);
    memcpy(grid.row_step, row_step, sizeof grid.row_step);
    grid.metric = kind;
    uint8_t mask[9] = {0, 0, 0, 0, 1};
    predt_ctx *ctx = open_ctx(1);
    predt_outputs outputs = {.size = sizeof outputs, .direction = direction};
    assert_ok(ctx, predt_transform(ctx, &grid, mask, NULL, PREDT_LABEL_NONE, &outputs, NULL, NULL));
    predt_close(&ctx);
}

static void assert_directions(const float *got, const float *expected) {
    for (int i = 0; i < 9; i++) {
        if (fabsf(got[i] - expected[i]) > 2e-5f)
            print_error("pixel %d: %.9g instead of %.9g\n", i, (double)got[i], (double)expected[i]);
        assert_true(fabsf(got[i] - expected[i]) <= 2e-5f);
    }
}

static void north_up(void **nothing) {
    (void)nothing;
    float got[9];
    solve_centre((double[]){1, 0}, (double[]){0, -1}, PREDT_METRIC_MAP, got);
    assert_directions(got, (float[]){135, 180, 225, 90, 0, 270, 45, 360, 315});
}

static void south_up(void **nothing) {
    (void)nothing;
    float got[9];
    solve_centre((double[]){1, 0}, (double[]){0, 1}, PREDT_METRIC_MAP, got);
    assert_directions(got, (float[]){45, 360, 315, 90, 0, 270, 135, 180, 225});
}

/* Columns run to the north, rows to the east. */
static void turned_by_90_degrees(void **nothing) {
    (void)nothing;
    float got[9];
    solve_centre((double[]){0, 1}, (double[]){1, 0}, PREDT_METRIC_MAP, got);
    assert_directions(got, (float[]){45, 90, 135, 360, 0, 180, 315, 270, 225});
}

static void turned_by_30_degrees(void **nothing) {
    (void)nothing;
    float got[9];
    solve_centre((double[]){10 * cos(M_PI / 6), 5}, (double[]){5, -10 * cos(M_PI / 6)},
                 PREDT_METRIC_MAP, got);
    assert_directions(got, (float[]){105, 150, 195, 60, 0, 240, 15, 330, 285});
}

static void oblong_pixels_bend_it(void **nothing) {
    (void)nothing;
    float got[9], diagonal = (float)(atan2(2, 7) * 180 / M_PI);
    solve_centre((double[]){2, 0}, (double[]){0, -7}, PREDT_METRIC_MAP, got);
    assert_directions(got, (float[]){180 - diagonal, 180, 180 + diagonal, 90, 0, 270, diagonal, 360,
                                     360 - diagonal});
    solve_centre((double[]){2, 0}, (double[]){0, -7}, PREDT_METRIC_PIXEL, got);
    assert_directions(got, (float[]){180 - diagonal, 180, 180 + diagonal, 90, 0, 270, diagonal, 360,
                                     360 - diagonal});
}

/* The project's own arc tangent, which is the same on every machine, against the C library's in
 * long double. */
static void every_vector_rounds_as_the_true_angle_does(void **nothing) {
    (void)nothing;
    predt__metric metric = {.col_step = {1, 0}, .row_step = {0, -1}};
    for (int drow = -400; drow <= 400; drow++)
        for (int dcol = -400; dcol <= 400; dcol++) {
            if (!dcol && !drow) continue;
            long double angle = atan2l(dcol, -drow) * 57.295779513082320876798154814105L;
            float expected = (float)(angle <= 0 ? angle + 360 : angle);
            if (predt__azimuth(&metric, dcol, drow) != expected)
                fail_msg("%d columns, %d rows", dcol, drow);
        }
}

static float azimuth(double col_east, double col_north, double row_east, double row_north,
                     double dcol, double drow) {
    predt__metric metric = {.col_step = {col_east, col_north}, .row_step = {row_east, row_north}};
    return predt__azimuth(&metric, dcol, drow);
}

static void zero_is_kept_for_targets(void **nothing) {
    (void)nothing;
    for (double far = 1; far < 2e9; far *= 3)
        for (int col = -1; col <= 1; col++) {
            float angle = azimuth(1, 0, 0, -1, col, -far);
            assert_true(angle > 0 && angle <= 360);
        }
    assert_true(azimuth(1, 0, 0, -1, 1, -2e9) < 1e-7f);
    /* rounded: the next float32 is 360 - 3e-5 */
    assert_true(azimuth(1, 0, 0, -1, -1, -2e9) == 360);
    assert_true(azimuth(1e-140, 0, 0, -1e140, 1, -5) > 0); /* too small for a float32 */
    assert_true(azimuth(1e-140, 0, 0, -1e140, 0, 0) == 0);
}

static void due_north_is_360_however_the_grid_lies(void **nothing) {
    (void)nothing;
    assert_true(azimuth(1, 0, 0, -1, 0, -7) == 360);
    assert_true(azimuth(1, 0, 0, 1, 0, 7) == 360);    /* south-up */
    assert_true(azimuth(-1, 0, 0, -1, 0, -7) == 360); /* columns to the west */
    assert_true(azimuth(0, 1, 1, 0, 7, 0) == 360);    /* a quarter turn */
    /* turned so that 3 columns and 4 rows up are due north */
    for (int i = 1; i < 2000; i++) {
        double unit = i * 0.1 / 3;
        for (int k = 1; k < 500; k += 7)
            assert_true(azimuth(4 * unit, 3 * unit, 3 * unit, -4 * unit, 3 * k, -4 * k) == 360);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(north_up),
        cmocka_unit_test(south_up),
        cmocka_unit_test(turned_by_90_degrees),
        cmocka_unit_test(turned_by_30_degrees),
        cmocka_unit_test(oblong_pixels_bend_it),
        cmocka_unit_test(every_vector_rounds_as_the_true_angle_does),
        cmocka_unit_test(zero_is_kept_for_targets),
        cmocka_unit_test(due_north_is_360_however_the_grid_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
