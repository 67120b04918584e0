/* The margins of the ladder of distances, attacked: an optimiser looks for the pixels and targets
 * whose error is the largest part of its margin. Short in the suite; by hand as long as one likes:
 *
 *     core_globe_margins [RESTARTS]      prints the worst ratios, which have to stay below 1 */
#include <geodesic.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmocka_all.h"
#include "random.h"

#pragma GCC diagnostic ignored "-Wunused-function" /* of what is included, much is not attacked */
#include "core/globe/emit.h"
#include "core/globe/window.h"

#define RADIAN 57.295779513082321
#define STEP 0.02 /* degrees, of the grid whose tables are used */
#define NUMBERS 5 /* that an attack turns */

static int restarts = 60;

/* ---- Points ---- */

typedef struct place {
    double degrees, sin_geo, cos_geo, sin, cos;
} place;

static place place_at(const predt__globe *globe, double degrees) {
    double sine = sin(degrees / RADIAN), cosine = fabs(cos(degrees / RADIAN)),
           up = globe->ellipsoid.one_f * sine, length = hypot(up, cosine);
    return (place){degrees, sine, cosine, up / length, cosine / length};
}

static points points_of(const place *at) {
    return (points){real_all(at->sin), real_all(at->cos), real_all(at->sin_geo),
                    real_all(at->cos_geo)};
}

/* A pixel, and a target as far east of it as the geodesic has led. */
typedef struct trial {
    place from, target;
    double east, distance, azimuth; /* by PROJ; in degrees, axes and degrees */
    pair p;
    double t;
} trial;

static trial trial_of(const predt__globe *globe, double from, double target, double east) {
    trial at = {.from = place_at(globe, from), .target = place_at(globe, target), .east = east};
    double sine = sin(east / RADIAN / 2), cosine = fabs(cos(east / RADIAN / 2));
    points one = points_of(&at.from), other = points_of(&at.target);
    meridians between = {real_all(4 * sine * sine), real_all(sine), real_all(cosine)};
    at.p = pair_up(globe, &one, &other, &between);
    at.t = at.p.a[0] + at.p.b[0];
    geod_inverse(globe->solver, from, 0, target, east, &at.distance, &at.azimuth, NULL);
    at.distance /= globe->ellipsoid.a;
    return at;
}

static trial trial_along(const predt__globe *globe, double from, double azimuth, double distance) {
    double target, east;
    geod_direct(globe->solver, from, 0, azimuth, distance * globe->ellipsoid.a, &target, &east,
                NULL);
    return trial_of(globe, from, target, fabs(east));
}

/* ---- What is attacked: each turns numbers from 0 to 1 into a part of a margin ---- */

static double latitude_of(double x) { return 180 * x - 90; }

/* From a millionth of the axis to half a turn: half of them by their logarithm. */
static double distance_of(double x) {
    return x < 0.5 ? pow(10, 12 * x - 6) * 0.314 : 3.141 * (2 * x - 1);
}

/* Chords between two targets of which the farther one has the shorter chord. */
static double chord_excess(const trial *one, const trial *other, double *longer) {
    bool first = one->t > other->t;
    const trial *far = first ? one : other, *near = first ? other : one;
    *longer = far->t;
    return far->distance <= near->distance * (1 + 1e-13) ? far->t - near->t : 0;
}

static double chord_ratio(const predt__globe *globe, const double x[NUMBERS]) {
    double longer, distance = distance_of(x[1]);
    trial one = trial_along(globe, latitude_of(x[0]), 180 * x[2], distance),
          other = trial_along(globe, latitude_of(x[0]), 180 * x[3], distance);
    double excess = chord_excess(&one, &other, &longer);
    return excess / chord_margin(globe, longer);
}

static double near_ratio(const predt__globe *globe, const double x[NUMBERS]) {
    double longer, distance = distance_of(x[1]), turn = pow(10, -4 * x[3]);
    trial one = trial_along(globe, latitude_of(x[0]), 180 * x[2], distance),
          other =
              trial_along(globe, latitude_of(x[0]), 180 * x[2] + 60 * turn * (1 - x[2]), distance);
    trial between =
        trial_of(globe, one.target.degrees, other.target.degrees, fabs(one.east - other.east));
    double excess = chord_excess(&one, &other, &longer);
    if (!(between.t < 0.09 * longer) || longer > NEAR_CHORD2) return 0;
    return excess / near_margin(globe, longer, between.t);
}

static double closed_ratio(const predt__globe *globe, const double x[NUMBERS]) {
    trial at = trial_along(globe, latitude_of(x[0]), 180 * x[2], distance_of(x[1]) / 2);
    if (at.t >= CLOSED_CHORD2) return 0;
    return fabs(closed(globe, &at.p, true)[0] - at.distance) /
           closed_margin(globe, at.t, at.distance);
}

static double short_ratio(const predt__globe *globe, const double x[NUMBERS]) {
    trial at = trial_along(globe, latitude_of(x[0]), 180 * x[2], 0.0667 * sqrt(x[1]));
    if (at.t >= SHORT_CHORD2) return 0;
    return fabs(closed(globe, &at.p, false)[0] - at.distance) / value_error(at.distance);
}

/* Latitudes and longitude, as near to the antipode as the ladder goes. */
static trial any_pair(const predt__globe *globe, const double x[NUMBERS]) {
    double target = x[3] < 0.5 ? latitude_of(x[1]) : -latitude_of(x[0]) + 14 * x[1] - 7;
    double east = x[3] < 0.5 ? 180 * x[2] : 180 - 8 * x[2];
    if (fabs(target) > 90) target = copysign(90, target);
    return trial_of(globe, latitude_of(x[0]), target, east);
}

static double accurate_ratio(const predt__globe *globe, const double x[NUMBERS]) {
    trial at = any_pair(globe, x);
    arc unused;
    if (is_far(globe, at.t) || at.t < 1e-12) return 0;
    double error = fabs(accurate(globe, &at.p, &unused)[0] - at.distance);
    return fmax(error / accurate_margin(at.distance), error / value_error(at.distance));
}

static double azimuth_ratio(const predt__globe *globe, const double x[NUMBERS]) {
    double degrees[REAL_LANES], off[REAL_LANES];
    trial at = any_pair(globe, x);
    if (at.t >= AZIMUTH_CHORD2 || at.t < 1e-12 || at.east < 1e-9) return 0;
    azimuths_of(globe, &at.p, degrees, off);
    return fabs(degrees[0] - at.azimuth) / off[0];
}

/* Polynomials along a column of the grid. */
static double run_ratio(const predt__globe *globe, const double x[NUMBERS]) {
    static double distance[10000];
    double last = (double)(globe->height - 1), worst = 0;
    int64_t begin = (int64_t)(x[0] * last), rows = (int64_t)(x[1] * x[1] * (last - x[0] * last)),
            end = begin + rows + 1, by = rows / 40 + 1;
    predt__substrip strip = {.globe = globe, .row_step = 1};
    column_run run = {&strip, (int64_t)(x[2] * last),
                      (int32_t)(x[3] * x[3] * (double)globe->max_apart), begin, distance};
    owner_values(&run, begin, end);
    for (int64_t row = begin; row < end; row += by) {
        double here = distance[row - begin];
        double truth =
            predt__geodesic(globe, row, run.target_row, run.apart, NULL) / globe->ellipsoid.a;
        if (here >= 0) worst = fmax(worst, fabs(here - truth) / value_error(truth));
    }
    return worst;
}

/* What windows make of chords in float32. */
static double float_ratio(const predt__globe *globe, const double x[NUMBERS]) {
    place one = place_at(globe, latitude_of(x[0])),
          other = place_at(globe, latitude_of(x[1] < 0.5 ? 2 * x[1] : x[0]));
    float half_step = (float)(STEP / RADIAN / 2);
    int32_t k = (int32_t)(x[2] * x[2] * (double)globe->max_apart);
    double along = chord_along(globe, one.sin, one.cos, other.sin, other.cos);
    float across = (float)(one.cos * other.cos),
          t = float_chord2((float)k * half_step) * across + (float)along;
    double truth = along + one.cos * other.cos * globe->apart.chord2[k];
    return truth > 1e-30 ? fabs((double)t - truth) / truth / FLOAT_ERROR : 0;
}

/* ---- The optimiser ---- */

typedef double attack(const predt__globe *globe, const double x[NUMBERS]);

static void turn_some(double to[NUMBERS], const double from[NUMBERS], double step, uint64_t *seed) {
    for (int i = 0; i < NUMBERS; i++) {
        double moved = from[i] + step * (2 * random_unit(seed) - 1);
        to[i] = moved < 0 ? 0 : moved > 1 ? 1 : moved;
    }
}

/* Climbs from a random start by random steps that shrink where they fail. */
static double climb(attack *ratio, const predt__globe *globe, uint64_t *seed) {
    double best[NUMBERS] = {0}, next[NUMBERS], worst;
    turn_some(best, best, 1, seed);
    worst = ratio(globe, best);
    for (double step = 0.5; step > 1e-4;) {
        turn_some(next, best, step, seed);
        double here = ratio(globe, next);
        if (here > worst) {
            worst = here;
            memcpy(best, next, sizeof best);
        } else step *= 0.9;
    }
    return worst;
}

static void assert_holds(const char *what, attack *ratio) {
    static const double per[] = {1e300, 298.257223563, 290, 200, 169.8944472, 150};
    for (int i = 0; i < 6; i++) {
        predt_globe given = PREDT_GLOBE_INIT(90 - STEP / 2, -STEP, STEP);
        predt_grid grid = PREDT_GRID_INIT((int64_t)(360 / STEP), (int64_t)(180 / STEP));
        predt__globe *globe;
        uint64_t seed = 1000 + (uint64_t)i;
        double worst = 0;
        given.flattening = 1 / per[i];
        grid.globe = &given;
        assert_int_equal(predt__globe_new(NULL, &grid, &globe), PREDT_OK);
        for (int n = 0; n < restarts; n++) worst = fmax(worst, climb(ratio, globe, &seed));
        predt__globe_free(globe);
        print_message("%-10s flattening 1/%-8.6g worst %.4f\n", what, per[i], worst);
        assert_true(worst < 1);
        assert_true(worst > 0);
    }
}

#define ATTACK(test, what, ratio)                                                                  \
    static void test(void **nothing) {                                                             \
        (void)nothing;                                                                             \
        assert_holds(what, ratio);                                                                 \
    }

ATTACK(chords_beyond_their_margin_are_farther, "chord", chord_ratio)
ATTACK(chords_of_neighbours_are_too, "near", near_ratio)
ATTACK(the_closed_form_keeps_to_its_margin, "closed", closed_ratio)
ATTACK(its_first_terms_are_values_up_to_short_chords, "short", short_ratio)
ATTACK(accurate_distances_are_values, "accurate", accurate_ratio)
ATTACK(azimuths_are_off_by_less_than_they_say, "azimuth", azimuth_ratio)
ATTACK(polynomials_along_columns_are_values, "run", run_ratio)
ATTACK(chords_in_float32_keep_to_theirs, "float32", float_ratio)

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chords_beyond_their_margin_are_farther),
        cmocka_unit_test(chords_of_neighbours_are_too),
        cmocka_unit_test(the_closed_form_keeps_to_its_margin),
        cmocka_unit_test(its_first_terms_are_values_up_to_short_chords),
        cmocka_unit_test(accurate_distances_are_values),
        cmocka_unit_test(azimuths_are_off_by_less_than_they_say),
        cmocka_unit_test(polynomials_along_columns_are_values),
        cmocka_unit_test(chords_in_float32_keep_to_theirs),
    };
    if (argc > 1) restarts = atoi(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
