/* Makes test worlds, and solves them by trying every target's row with PROJ. */
#include "world.h"

#include <geodesic.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "random.h"

#define RADIAN 57.295779513082321

void world_new(struct world *world, int64_t width, int64_t height, predt_globe globe,
               predt_label_type label_type, uint64_t seed) {
    world->scene = scene_new(width, height, &shapes[0], label_type, seed);
    world->globe = globe;
    world->scene.grid.globe = &world->globe;
    snprintf(world->name, sizeof world->name,
             "of a globe from latitude %.9g by %.9g, columns by %.9g degrees, a %.9g, f %.9g",
             globe.first_latitude, globe.latitude_step, globe.longitude_step, globe.semi_major_axis,
             globe.flattening);
    world->scene.pattern = world->name;
}

void world_free(struct world *world) { scene_free(&world->scene); }

/* ---- Drawing one ---- */

struct frame {
    int64_t width, height;
    double first_latitude, latitude_step, longitude_step;
};

enum { FRAMES = 14 };

static struct frame whole_globe(uint64_t *state, int kind) {
    int64_t width = 2 + random_below(state, 90), height = 2 + random_below(state, 45);
    double turn = 360.0 / (double)width, step = 180.0 / (double)height;
    if (kind == 0) return (struct frame){width, height, 90 - step / 2, -step, turn};
    step = 180.0 / (double)(height - 1);
    return (struct frame){width, height, 90, -step, turn};
}

static struct frame region(uint64_t *state) {
    double step = 0.01 + random_unit(state), first = 120 * random_unit(state) - 60;
    int64_t height = 1 + random_below(state, (int64_t)(29 / step < 60 ? 29 / step : 60));
    return (struct frame){1 + random_below(state, 80), height, first,
                          random_below(state, 2) ? step : -step, 0.01 + random_unit(state)};
}

/* Of more than a turn: the last columns are the first ones again. */
static struct frame overlapping(uint64_t *state) {
    int64_t turn = 30 + random_below(state, 40);
    return (struct frame){turn + 1 + random_below(state, turn - 2), 20, 85.5, -9,
                          360.0 / (double)turn};
}

static struct frame frame_of(uint64_t *state, int kind) {
    switch (kind) {
    case 0:
    case 1:
        return whole_globe(state, kind);
    case 2:
        return region(state);
    case 3:
        return (struct frame){50, 40, 160 * random_unit(state) - 80, 1e-4, 1e-4};
    case 4:
        return (struct frame){36, 18, -85, 10, 10};
    case 5:
        return (struct frame){10 + random_below(state, 26), 18, 85, -10, 10};
    case 6:
        return (struct frame){72, 37, -90, 5, 5};
    case 7:
        return (struct frame){90, 40, 40, -1 - random_unit(state), 180.0 / 89};
    case 8:
        return (struct frame){40, 50, 90, -0.02, 0.02};
    case 9:
        return (struct frame){180, 10, 9, -2, 2};
    case 10:
        return overlapping(state);
    case 11:
        return (struct frame){1, 100, 80, -1.5, 0.5};
    case 12:
        return (struct frame){200, 1, random_below(state, 3) ? 50 : 0, -1, 1.8};
    default:
        return (struct frame){50, 60, 47, -0.0083333333, 0.0083333333};
    }
}

enum { PATTERNS = 8 };

static bool is_in_pattern(uint64_t *state, int pattern, const struct frame *f, int64_t col,
                          int64_t row) {
    double x = (double)(col - f->width / 2), y = (double)(row - f->height / 2),
           chance = random_unit(state), side = fmin((double)f->width, (double)f->height);
    switch (pattern) {
    case 0:
        return false;
    case 1:
        return chance < 0.002;
    case 2:
        return chance < 0.01;
    case 3:
        return chance < 0.1;
    case 4:
        return chance < 0.5;
    case 5:
        return row == f->height / 3;
    case 6:
        return hypot(x, y) < side / 4;
    default:
        return row % 7 == 3 && col % 9 == 2;
    }
}

static void fill(struct world *world, const struct frame *f, uint64_t *state) {
    int pattern = (int)random_below(state, PATTERNS);
    for (int64_t row = 0; row < f->height; row++)
        for (int64_t col = 0; col < f->width; col++)
            if (is_in_pattern(state, pattern, f, col, row)) scene_put(&world->scene, col, row);
    for (int64_t i = random_below(state, 3); i >= 0; i--)
        scene_put(&world->scene, random_below(state, f->width), random_below(state, f->height));
}

void world_draw(struct world *world, uint64_t seed) {
    static const double flattenings[] = {1 / 298.257223563, 1 / 298.257223563, 0,
                                         1 / 293.465,       1 / 169.89,        1 / 150.0};
    uint64_t state = seed * 977 + 5;
    struct frame f = frame_of(&state, (int)(seed % FRAMES));
    predt_globe globe = PREDT_GLOBE_INIT(f.first_latitude, f.latitude_step, f.longitude_step);
    globe.flattening = flattenings[random_below(&state, 6)];
    if (random_below(&state, 4) == 0) globe.semi_major_axis = 6378.137;
    if (random_below(&state, 5) == 0) globe.longitude_step = -globe.longitude_step;
    world_new(world, f.width, f.height, globe, seed % 2 ? PREDT_LABEL_32 : PREDT_LABEL_64, seed);
    fill(world, &f, &state);
    if (random_below(&state, 4) == 0)
        world->scene.grid.max_distance =
            globe.semi_major_axis * random_unit(&state) * random_unit(&state);
}

/* ---- Right answers ---- */

/* What predt.h says of columns: how many make a turn, 0 if the raster does not go around; how many
 * are meridians of their own. */
struct turn {
    int64_t period, cols;
    double step;
};

static struct turn turn_of(const struct world *world) {
    int64_t width = world->scene.grid.width, period;
    double step = fabs(world->globe.longitude_step);
    if ((double)(width - 1) * step <= 180) return (struct turn){0, width, step};
    period = llround(360 / step);
    return (struct turn){period, width < period ? width : period, 360.0 / (double)period};
}

static double latitude(const struct world *world, int64_t row) {
    const predt_globe *g = &world->globe;
    double degrees =
        g->latitudes ? g->latitudes[row] : g->first_latitude + (double)row * g->latitude_step;
    return fabs(degrees) > 90 - 1e-9 ? copysign(90, degrees) : degrees;
}

static bool is_target(const struct world *world, int64_t col, int64_t row) {
    return world->scene.is_target[row * world->scene.grid.width + col];
}

/* The nearest target so far of the pixel at (col, row); apart: columns to it. */
struct nearest {
    int64_t col, row, target_col, target_row, apart;
    double distance;
};

/* Columns to the nearest target of a row, and that one's own; false: it has none. */
static bool nearest_in_row(const struct world *world, const struct turn *turn, int64_t col,
                           int64_t row, int64_t *apart, int64_t *target) {
    *apart = INT64_MAX;
    for (int64_t other = 0; other < turn->cols; other++) {
        int64_t k = llabs((long long)(other - col)), again = other + turn->cols;
        if (!is_target(world, other, row) &&
            !(again < world->scene.grid.width && is_target(world, again, row)))
            continue;
        if (turn->period && k > turn->period - k) k = turn->period - k;
        if (k < *apart) *apart = k, *target = other;
    }
    return *apart < INT64_MAX;
}

static double degrees_apart(const struct turn *turn, int64_t apart) {
    return turn->period ? (double)apart * 360.0 / (double)turn->period : (double)apart * turn->step;
}

/* Rows whose latitude alone is too far are passed over: no degree of latitude
 * is shorter than this. */
static void try_row(const struct world *world, const struct geod_geodesic *solver,
                    const struct turn *turn, int64_t row, struct nearest *best) {
    const predt_globe *g = &world->globe;
    int64_t apart, target = 0;
    double lat = latitude(world, best->row), other = latitude(world, row), distance;
    double shortest = g->semi_major_axis * (1 - 2 * g->flattening) * 0.999 / RADIAN;
    if (fabs(lat - other) * shortest > best->distance) return;
    if (!nearest_in_row(world, turn, best->col, row, &apart, &target)) return;
    geod_inverse(solver, lat, 0, other, degrees_apart(turn, apart), &distance, NULL, NULL);
    if (distance > best->distance || (distance == best->distance && target > best->target_col) ||
        (distance == best->distance && target == best->target_col && row > best->target_row))
        return;
    best->target_col = target;
    best->target_row = row;
    best->apart = apart;
    best->distance = distance;
}

static struct nearest find(const struct world *world, const struct geod_geodesic *solver,
                           const struct turn *turn, int64_t col, int64_t row) {
    struct nearest best = {.col = col, .row = row, .target_col = -1, .distance = INFINITY};
    int64_t height = world->scene.grid.height;
    for (int64_t away = 0; away < height; away++) {
        if (row - away >= 0) try_row(world, solver, turn, row - away, &best);
        if (away && row + away < height) try_row(world, solver, turn, row + away, &best);
    }
    return best;
}

/* Whether the way to the target, of so many columns, is the one to the west. */
static bool is_west(const struct world *world, const struct turn *turn, const struct nearest *n) {
    bool after = n->target_col > n->col,
         straight = llabs((long long)(n->target_col - n->col)) == n->apart;
    if (turn->period && 2 * n->apart == turn->period) return false;
    return (after == straight) == (world->globe.longitude_step < 0);
}

static float direction_to(const struct world *world, const struct geod_geodesic *solver,
                          const struct turn *turn, const struct nearest *n) {
    double azimuth;
    geod_inverse(solver, latitude(world, n->row), 0, latitude(world, n->target_row),
                 degrees_apart(turn, n->apart), NULL, &azimuth, NULL);
    if (n->distance == 0) return 0;
    float direction = (float)(n->apart && is_west(world, turn, n) ? 360 - azimuth : azimuth);
    return direction > 0 ? direction : 360;
}

static uint64_t label_at(const struct scene *scene, int64_t pixel) {
    return scene->label_type == PREDT_LABEL_64 ? ((const uint64_t *)scene->labels)[pixel]
                                               : ((const uint32_t *)scene->labels)[pixel];
}

static void put_label(const struct answer *answer, int64_t pixel, uint64_t label) {
    if (answer->label_type == PREDT_LABEL_64) ((uint64_t *)answer->label)[pixel] = label;
    else ((uint32_t *)answer->label)[pixel] = (uint32_t)label;
}

static void put(const struct world *world, const struct geod_geodesic *solver,
                const struct turn *turn, const struct nearest *n, int64_t pixel,
                const struct answer *to) {
    const struct scene *scene = &world->scene;
    bool reached = n->target_col >= 0 && n->distance <= scene->grid.max_distance;
    int64_t col = n->target_col;
    if (reached && !is_target(world, col, n->target_row)) col += turn->cols;
    to->distance[pixel] = reached ? (float)n->distance : INFINITY;
    to->distance2[pixel] = reached ? n->distance * n->distance : (double)INFINITY;
    to->nearest_col[pixel] = reached ? (int32_t)col : -1;
    to->nearest_row[pixel] = reached ? (int32_t)n->target_row : -1;
    to->direction[pixel] = reached ? direction_to(world, solver, turn, n) : NAN;
    if (scene->label_type)
        put_label(
            to, pixel,
            reached ? label_at(scene, n->target_row * scene->grid.width + col) : scene->no_label);
}

struct answer world_oracle(const struct world *world) {
    const predt_grid *grid = &world->scene.grid;
    struct answer answer = answer_new(grid->width, grid->height, 0, world->scene.label_type);
    struct turn turn = turn_of(world);
    struct geod_geodesic solver;
    geod_init(&solver, world->globe.semi_major_axis, world->globe.flattening);
    for (int64_t pixel = 0; pixel < grid->width * grid->height; pixel++) {
        struct nearest n =
            find(world, &solver, &turn, pixel % grid->width % turn.cols, pixel / grid->width);
        put(world, &solver, &turn, &n, pixel, &answer);
    }
    return answer;
}
