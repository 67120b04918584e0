/* Far from all targets, where geodesics turn over to the other side of the globe. */
#include <geodesic.h>
#include <string.h>

#include "cmocka_all.h"
#include "solve.h"
#include "world.h"

static const double flattenings[] = {0, 1 / 298.257223563, 1 / 169.89, 1 / 150.0};
enum { FLATTENINGS = sizeof flattenings / sizeof *flattenings };

/* Near the antipode of lone targets geodesics change sides. */
static void lone_targets_are_right_up_to_their_antipodes(void **nothing) {
    (void)nothing;
    for (int i = 0; i < FLATTENINGS; i++)
        for (int64_t row = 0; row < 45; row += 11) {
            struct world world;
            predt_globe globe = PREDT_GLOBE_INIT(88, -4, 2);
            globe.flattening = flattenings[i];
            world_new(&world, 180, 45, globe, PREDT_LABEL_NONE, 1);
            scene_put(&world.scene, 17, row);
            check_world(&world);
        }
}

/* Two targets beyond 168 degrees that differ by a third of a millimetre: a series that converges
 * too slowly takes the farther one. */
static void nearly_antipodal_targets_are_told_apart(void **nothing) {
    (void)nothing;
    for (int i = 0; i < 24; i++) {
        struct world world;
        predt_globe globe = PREDT_GLOBE_INIT(50, -0.09998807671007573 + i * 1e-9, 0.1);
        world_new(&world, 3600, 1000, globe, PREDT_LABEL_NONE, 1);
        scene_put(&world.scene, 448 + 1759, 444);
        scene_put(&world.scene, 448 + 1693, 504);
        predt_ctx *ctx = open_ctx(1);
        predt_index *index = index_scene(ctx, &world.scene, 1, 1);
        int32_t row, col;
        predt_outputs outputs = PREDT_OUTPUTS_INIT;
        outputs.nearest_col = &col, outputs.nearest_row = &row;
        predt_window window = PREDT_WINDOW_INIT(448, 100, 1, 1, 1);
        assert_ok(ctx, predt_query(ctx, index, &window, &outputs));
        struct geod_geodesic solver;
        double a, b, latitude = 50 + 100 * globe.latitude_step;
        geod_init(&solver, globe.semi_major_axis, globe.flattening);
        geod_inverse(&solver, latitude, 0, 50 + 444 * globe.latitude_step, 175.9, &a, NULL, NULL);
        geod_inverse(&solver, latitude, 0, 50 + 504 * globe.latitude_step, 169.3, &b, NULL, NULL);
        assert_int_equal(row, a < b ? 444 : 504);
        predt_index_destroy(&index);
        predt_close(&ctx);
        world_free(&world);
    }
}

#define DEGREES (18 * 4) /* in rows and columns of a quarter of a degree */

/* Every second pixel within 18 degrees of the antipode of the only target. */
static void check_antipode(double flattening, int64_t row) {
    struct world world;
    predt_globe globe = PREDT_GLOBE_INIT(89.875, -0.25, 0.25);
    struct geod_geodesic solver;
    globe.flattening = flattening;
    world_new(&world, 1440, 720, globe, PREDT_LABEL_NONE, 1);
    scene_put(&world.scene, 100, row);
    predt_ctx *ctx = open_ctx(1);
    predt_index *index = index_scene(ctx, &world.scene, 1, 1);
    int64_t first = 719 - row - DEGREES, last = 719 - row + DEGREES;
    predt_window window = PREDT_WINDOW_INIT(820 - DEGREES, first < 0 ? 0 : first, DEGREES, 0, 2);
    window.rows = ((last > 719 ? 719 : last) - window.row) / 2 + 1;
    struct answer got = answer_new(window.cols, window.rows, 0, PREDT_LABEL_NONE);
    predt_outputs outputs = answer_outputs(&got, &world.scene);
    outputs.distance2 = NULL;
    assert_ok(ctx, predt_query(ctx, index, &window, &outputs));
    geod_init(&solver, globe.semi_major_axis, flattening);
    for (int64_t i = 0; i < window.cols * window.rows; i++) {
        int64_t k = 820 - DEGREES + i % window.cols * 2 - 100;
        double latitude = 89.875 - (double)(window.row + i / window.cols * 2) * 0.25, distance;
        if (k > 720) k = 1440 - k;
        geod_inverse(&solver, latitude, 0, 89.875 - (double)row * 0.25, (double)k * 0.25, &distance,
                     NULL, NULL);
        assert_true(got.distance[i] == (float)distance);
    }
    answer_free(&got);
    predt_index_destroy(&index);
    predt_close(&ctx);
    world_free(&world);
}

static void around_an_antipode_every_distance_is_that_of_proj(void **nothing) {
    (void)nothing;
    static const int64_t rows[] = {0, 60, 170, 300, 352, 360};
    for (int i = 0; i < FLATTENINGS; i++)
        for (int n = 0; n < 6; n++) check_antipode(flattenings[i], rows[n]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lone_targets_are_right_up_to_their_antipodes),
        cmocka_unit_test(nearly_antipodal_targets_are_told_apart),
        cmocka_unit_test(around_an_antipode_every_distance_is_that_of_proj),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
