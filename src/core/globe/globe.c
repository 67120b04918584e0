/* Which globes are refused; for the others, the tables. */
#include "globe.h"

#include <math.h>
#include <stdlib.h>

#include "../message.h"
#include "../numbers.h"
#include "../structs.h"
#include "last_rung.h"

/* Of a column or a row: cells of 0.0083333333 degrees miss a turn and the poles by less. */
#define ROUNDING 0.01
/* The margins of ladder.h hold up to here. Mars has 1 / 169.9. */
#define MAX_FLATTENING (1.0 / 150)
/* Up to here the accurate distance mostly needs one round, see ladder.h. */
#define ROUND_FLATTENING (1.0 / 290)
#define E2_WGS84 0.0066943799901413165
#define MAX_PERIOD (INT64_C(1) << 30)

/* ---- What is refused ---- */

static const char *ellipsoid_fault(const predt_globe *given) {
    double a = given->semi_major_axis, f = given->flattening;
    if (!(a >= 1e-100 && a <= 1e100))
        return "the ellipsoid's semi-major axis is not a positive number";
    if (!(f >= 0)) return "the ellipsoid is prolate, or its flattening is not a number";
    if (f > MAX_FLATTENING * (1 + 1e-12))
        return "the ellipsoid is flatter than 1/150, to which distances are known to be exact";
    return NULL;
}

/* Whole columns of a turn; 0: it is no whole number of them. */
static int64_t columns_of_turn(double step) {
    double turn = 360.0 / fabs(step), whole = floor(turn + 0.5);
    return whole >= 1 && whole <= MAX_PERIOD && fabs(turn - whole) < ROUNDING ? (int64_t)whole : 0;
}

static bool is_within_half_a_turn(int64_t width, double step) {
    return (double)(width - 1) * fabs(step) <= 180.0;
}

static const char *columns_fault(const predt_grid *grid, const predt_globe *given) {
    double step = given->longitude_step;
    int64_t turn = columns_of_turn(step);
    if (!(fabs(step) >= 1e-12 && fabs(step) <= 360.0))
        return "the longitude step is zero, or not a number of degrees up to 360";
    if (is_within_half_a_turn(grid->width, step))
        return grid->width > MAX_PERIOD ? "the raster has more than 2^30 columns" : NULL;
    if (!turn)
        return "the raster spans more than half a turn, and a turn is no whole number of its "
               "columns";
    return grid->width >= 2 * turn ? "the raster goes around the globe twice or more" : NULL;
}

static double latitude(const predt_globe *given, int64_t row) {
    return given->latitudes ? given->latitudes[row]
                            : given->first_latitude + (double)row * given->latitude_step;
}

/* A centre that rounding has put beyond a pole lies on it. */
static double snapped(const predt_globe *given, int64_t row, int64_t height) {
    double here = latitude(given, row), limit = 90.0;
    double step =
        height < 2 ? fabs(given->latitude_step) : fabs(here - latitude(given, row ? row - 1 : 1));
    double near = given->latitudes ? 1e-9 : ROUNDING * step;
    if (fabs(here) > limit - 1e-9 * step && fabs(here) <= limit + near)
        return copysign(limit, here);
    return here;
}

static const char *rows_fault(const predt_grid *grid, const predt_globe *given) {
    int64_t height = grid->height;
    double first = snapped(given, 0, height), direction = 0, before = first;
    if (!given->latitudes && !(fabs(given->latitude_step) >= 1e-12))
        return "the latitude step is zero or not a number";
    for (int64_t row = 0; row < height; row++) {
        double here = snapped(given, row, height);
        if (!(fabs(here) <= 90)) return "the centre of a row lies beyond a pole";
        if (row == 1) direction = here - before;
        if (row && !((here - before) * direction > 0))
            return "the latitudes of the rows neither rise nor fall";
        before = here;
    }
    return NULL;
}

static const char *fault_of(const predt_grid *grid, const predt_globe *given) {
    if (grid->width < 1 || grid->height < 1 || grid->width > INT32_MAX || grid->height > INT32_MAX)
        return "a raster has 1 to 2147483647 columns and rows";
    if (!(grid->max_distance >= 0)) return "the maximum distance is negative or not a number";
    const char *fault = ellipsoid_fault(given);
    if (!fault) fault = columns_fault(grid, given);
    return fault ? fault : rows_fault(grid, given);
}

static predt_status understand(predt_ctx *ctx, const predt_grid *grid, predt_globe *known) {
    predt_status status = PREDT__KNOWN(ctx, predt_globe, grid->globe, known);
    const char *fault = status == PREDT_OK ? fault_of(grid, known) : NULL;
    return fault ? predt__fail(ctx, PREDT_ERROR_ARGUMENT, "%s", fault) : status;
}

predt_status predt__globe_check(predt_ctx *ctx, const predt_grid *grid) {
    predt_globe known = PREDT_GLOBE_INIT(0, 0, 0);
    return understand(ctx, grid, &known);
}

/* ---- Tables ---- */

static predt__ellipsoid ellipsoid_of(const predt_globe *given) {
    double f = given->flattening, e2 = f * (2 - f);
    return (predt__ellipsoid){.a = given->semi_major_axis,
                              .f = f,
                              .one_f = 1 - f,
                              .e2 = e2,
                              .ep2 = e2 / (1 - e2),
                              .n = f / (2 - f),
                              .e2_ratio = fmax(1, e2 / E2_WGS84),
                              .is_round = f <= ROUND_FLATTENING};
}

/* Of 0 to 90 degrees: both ends, and 45, are exact or symmetric. */
static void sine_and_cosine(double degrees, double *sine, double *cosine) {
    bool low = degrees <= 45;
    double rest = (low ? degrees : 90 - degrees) * RADIANS_PER_DEGREE;
    *sine = low ? sin(rest) : cos(rest);
    *cosine = low ? cos(rest) : sin(rest);
}

static void fill_row(predt__globe *globe, int64_t i, double degrees) {
    predt__parallels *row = &globe->row;
    double sine, cosine;
    sine_and_cosine(fabs(degrees), &sine, &cosine);
    sine = copysign(sine, degrees);
    double up = globe->ellipsoid.one_f * sine, length = hypot(up, cosine);
    row->degrees[i] = degrees;
    row->sin_geo[i] = sine;
    row->cos_geo[i] = cosine;
    row->sin[i] = up / length;
    row->cos[i] = cosine / length;
    row->red[i] = atan2(up, cosine);
}

static void fill_apart(predt__globe *globe, int64_t k) {
    predt__meridians *apart = &globe->apart;
    sine_and_cosine(predt__degrees_apart(globe, k) / 2, &apart->sin[k], &apart->cos[k]);
    apart->chord2[k] = 4 * apart->sin[k] * apart->sin[k];
}

static double finder_number(const predt__globe *globe, int64_t row) {
    return predt__row_number(globe->row.sin[row], globe->row.cos[row]);
}

static void fill_finder(predt__globe *globe) {
    predt__row_finder *finder = &globe->finder;
    int64_t row = 0, last = globe->height - 1;
    double range = finder_number(globe, last) - finder_number(globe, 0);
    finder->origin = finder_number(globe, 0);
    finder->pieces_per = last ? (double)last / range : 0;
    for (int64_t piece = 0; piece <= globe->height; piece++) {
        while (row <= last && predt__row_piece(globe, finder_number(globe, row)) < piece) row++;
        finder->first[piece] = (int32_t)row;
    }
}

static void set_columns(predt__globe *globe, const predt_grid *grid, const predt_globe *given) {
    bool cyclic = !is_within_half_a_turn(grid->width, given->longitude_step);
    globe->period = cyclic ? columns_of_turn(given->longitude_step) : 0;
    globe->cols = cyclic ? predt__min(grid->width, globe->period) : grid->width;
    globe->step = cyclic ? 360.0 / (double)globe->period : fabs(given->longitude_step);
    globe->max_apart = cyclic ? globe->period / 2 : grid->width - 1;
    globe->westward = given->longitude_step < 0;
}

/* All tables lie in one piece of memory; false: there is none. */
static bool lay_out(predt__globe *globe) {
    size_t rows = (size_t)globe->height, apart = (size_t)globe->max_apart + 1;
    double *next = globe->memory =
        malloc((6 * rows + 3 * apart) * sizeof *next + (rows + 1) * sizeof(int32_t));
    double **tables[] = {&globe->row.degrees, &globe->row.sin_geo, &globe->row.cos_geo,
                         &globe->row.red,     &globe->row.sin,     &globe->row.cos,
                         &globe->apart.sin,   &globe->apart.cos,   &globe->apart.chord2};
    for (int i = 0; next && i < 9; i++) {
        *tables[i] = next;
        next += i < 6 ? rows : apart;
    }
    globe->finder.first = (int32_t *)next;
    return next != NULL;
}

static void fill(predt__globe *globe, const predt_globe *given) {
    for (int64_t i = 0; i < globe->height; i++)
        fill_row(globe, i, snapped(given, i, globe->height));
    for (int64_t k = 0; k <= globe->max_apart; k++) fill_apart(globe, k);
    globe->southward = globe->row.degrees[globe->height - 1] < globe->row.degrees[0];
    fill_finder(globe);
}

predt_status predt__globe_new(predt_ctx *ctx, const predt_grid *grid, predt__globe **out) {
    predt_globe known = PREDT_GLOBE_INIT(0, 0, 0);
    predt_status status = understand(ctx, grid, &known);
    *out = NULL;
    if (status != PREDT_OK) return status;
    predt__globe *globe = calloc(1, sizeof *globe);
    if (!globe) return predt__out_of_memory(ctx);
    globe->ellipsoid = ellipsoid_of(&known);
    globe->height = grid->height;
    globe->limit = grid->max_distance;
    set_columns(globe, grid, &known);
    globe->solver = predt__geodesic_new(known.semi_major_axis, known.flattening);
    if (!globe->solver || !lay_out(globe)) {
        predt__globe_free(globe);
        return predt__out_of_memory(ctx);
    }
    fill(globe, &known);
    *out = globe;
    return PREDT_OK;
}

void predt__globe_free(predt__globe *globe) {
    if (!globe) return;
    free(globe->memory);
    free(globe->solver);
    free(globe);
}
