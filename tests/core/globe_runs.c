/* Along a column, distances to one target are those of PROJ, however its rows are spaced. */
#include <math.h>

#include "cmocka_all.h"
#include "solve.h"
#include "world.h"

/* A few columns of a map on which rows crowd. */
static void check_latitudes(const double *latitudes, int64_t rows, int64_t target_row) {
    struct world world;
    predt_globe globe = PREDT_GLOBE_INIT(0, 0, 24);
    globe.latitudes = latitudes;
    world_new(&world, 15, rows, globe, PREDT_LABEL_NONE, 1);
    scene_put(&world.scene, 3, target_row);
    check_world(&world);
}

enum { ROWS = 400 };

/* A polynomial over rows that spread out southward would be too long, and its nodes too uneven. */
static void rows_may_crowd_toward_the_poles(void **nothing) {
    (void)nothing;
    double latitudes[ROWS];
    for (int i = 0; i < ROWS; i++)
        latitudes[i] = 57.29577951 * atan(sinh(6 * (1 - 2 * (double)i / (ROWS - 1))));
    for (int row = 20; row < ROWS; row += 60) check_latitudes(latitudes, ROWS, row);
}

static void rows_may_crowd_toward_the_equator(void **nothing) {
    (void)nothing;
    double latitudes[ROWS];
    for (int i = 0; i < ROWS; i++) {
        double x = 1 - 2 * (double)i / (ROWS - 1);
        latitudes[i] = 89.9 * x * fabs(x);
    }
    for (int row = 20; row < ROWS; row += 60) check_latitudes(latitudes, ROWS, row);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_may_crowd_toward_the_poles),
        cmocka_unit_test(rows_may_crowd_toward_the_equator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
