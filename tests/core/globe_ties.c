/* On a globe, too, of targets that are equally near one wins by rule; and of targets that are
 * nearly so the nearer one, where chords say otherwise. */
#include <geodesic.h>
#include <math.h>

#include "cmocka_all.h"
#include "solve.h"
#include "world.h"

/* ---- Ties ---- */

/* Around the equator, its own row the middle one. */
static void check_mirrored(int64_t north_col, int64_t south_col, int64_t apart) {
    struct world world;
    predt_globe globe = PREDT_GLOBE_INIT(40, -4, 10);
    world_new(&world, 36, 21, globe, PREDT_LABEL_32, 1);
    scene_put(&world.scene, north_col, 10 - apart);
    scene_put(&world.scene, south_col, 10 + apart);
    check_world(&world);
}

static void of_targets_of_two_rows_that_of_the_smaller_column_wins(void **nothing) {
    (void)nothing;
    for (int64_t apart = 1; apart <= 10; apart += 3) {
        check_mirrored(20, 14, apart);
        check_mirrored(14, 20, apart);
    }
}

/* The pixel between them is one of the last columns, or of the first ones. */
static void it_is_the_smaller_one_across_the_ends_of_rows_too(void **nothing) {
    (void)nothing;
    for (int64_t apart = 1; apart <= 10; apart += 3) {
        check_mirrored(2, 32, apart);
        check_mirrored(32, 2, apart);
        check_mirrored(4, 34, apart);
        check_mirrored(34, 4, apart);
    }
}

static void of_targets_of_one_column_that_of_the_smaller_row_wins(void **nothing) {
    (void)nothing;
    for (int64_t apart = 1; apart <= 10; apart += 3) check_mirrored(7, 7, apart);
}

/* ---- Nearly ties ---- */

/* A pixel on the equator, a target so many rows away along the meridian, and one as many columns
 * away along the equator, which is nearer by a part of what chords hide: they are shorter along the
 * meridian, which is bent more. */
static void check_corner(double flattening, int64_t rows, double step, double part) {
    struct world world;
    struct geod_geodesic solver;
    predt_globe globe = PREDT_GLOBE_INIT(0, -step, 0);
    double away = (double)rows * step, north, a = globe.semi_major_axis;
    globe.flattening = flattening;
    geod_init(&solver, a, flattening);
    geod_inverse(&solver, 0, 0, -away, 0, &north, NULL, NULL);
    double square = north / a * (north / a), hidden = flattening * (2 - flattening) / 12 * square;
    globe.longitude_step = north * (1 - part * hidden) / a * 57.29577951308232 / (double)rows;
    world_new(&world, rows + 1, rows + 1, globe, PREDT_LABEL_NONE, 1);
    scene_put(&world.scene, 0, rows);
    scene_put(&world.scene, rows, 0);
    check_world(&world);
}

static void the_nearer_one_wins_though_its_chord_is_longer(void **nothing) {
    (void)nothing;
    static const double flattenings[] = {1 / 298.257223563, 1 / 150.0};
    for (int i = 0; i < 2; i++)
        for (int part = 1; part < 8; part += 2) {
            check_corner(flattenings[i], 10, 0.1, part / 8.0);
            check_corner(flattenings[i], 12, 2, part / 8.0);
            check_corner(flattenings[i], 60, 0.1, part / 8.0);
            check_corner(flattenings[i], 60, 0.3, part / 8.0);
            check_corner(flattenings[i], 60, 0.7, part / 8.0);
        }
}

/* The latitude at which a target on the pixel's meridian is so far away, to the north. */
static double latitude_at(const struct geod_geodesic *solver, double latitude, double distance) {
    double low = latitude, high = 89;
    while (high - low > 1e-13) {
        double middle = (low + high) / 2, length;
        geod_inverse(solver, latitude, 0, middle, 0, &length, NULL, NULL);
        *(length < distance ? &low : &high) = middle;
    }
    return low;
}

/* Of two targets on the pixel's meridian the northern one is nearer by a part in 10^8, and its
 * chord is longer, as meridians are bent less in the north; rows between have targets elsewhere. */
static void check_meridian(double flattening, double away, int64_t between) {
    struct world world;
    struct geod_geodesic solver;
    double latitudes[40], south;
    predt_globe globe = PREDT_GLOBE_INIT(0, 0, 90);
    globe.flattening = flattening;
    globe.latitudes = latitudes;
    geod_init(&solver, globe.semi_major_axis, flattening);
    geod_inverse(&solver, 45, 0, 45 - away, 0, &south, NULL, NULL);
    double north = latitude_at(&solver, 45, south * (1 - 1e-8));
    for (int64_t i = 0; i <= between + 1; i++)
        latitudes[i] = north + (45 - north) * (double)i / (double)(between + 1);
    latitudes[between + 2] = 45 - away;
    world_new(&world, 2, between + 3, globe, PREDT_LABEL_NONE, 1);
    scene_put(&world.scene, 0, 0);
    scene_put(&world.scene, 0, between + 2);
    for (int64_t i = 1; i <= between; i++) scene_put(&world.scene, 1, i);
    check_world(&world);
}

static void the_nearer_one_wins_behind_rows_of_others(void **nothing) {
    (void)nothing;
    static const double flattenings[] = {1 / 298.257223563, 1 / 150.0};
    for (int i = 0; i < 2; i++)
        for (int away = 5; away <= 35; away += 10)
            for (int64_t between = 0; between <= 35; between += 5)
                check_meridian(flattenings[i], away, between);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_targets_of_two_rows_that_of_the_smaller_column_wins),
        cmocka_unit_test(it_is_the_smaller_one_across_the_ends_of_rows_too),
        cmocka_unit_test(of_targets_of_one_column_that_of_the_smaller_row_wins),
        cmocka_unit_test(the_nearer_one_wins_though_its_chord_is_longer),
        cmocka_unit_test(the_nearer_one_wins_behind_rows_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
