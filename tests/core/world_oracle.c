/* Solves test worlds by trying every target's row with PROJ. */
#include <geodesic.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "solve.h"
#include "world.h"

#define RADIAN 57.295779513082321

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

/* Columns to the nearest target of a row, and that one's own; target -1: it has none. */
struct in_row {
    int64_t apart, target;
};

static struct in_row nearest_in_row(const struct world *world, const struct turn *turn, int64_t col,
                                    int64_t row) {
    struct in_row nearest = {INT64_MAX, -1};
    for (int64_t other = 0; other < turn->cols; other++) {
        int64_t k = llabs((long long)(other - col)), again = other + turn->cols;
        if (!is_target(world, other, row) &&
            !(again < world->scene.grid.width && is_target(world, again, row)))
            continue;
        if (turn->period && k > turn->period - k) k = turn->period - k;
        if (k < nearest.apart) nearest = (struct in_row){k, other};
    }
    return nearest;
}

/* Of every row and column that is not folded. */
static struct in_row *nearest_in_rows(const struct world *world, const struct turn *turn) {
    int64_t height = world->scene.grid.height;
    struct in_row *nearest = malloc((size_t)(height * turn->cols) * sizeof *nearest);
    assert_non_null(nearest);
    for (int64_t row = 0; row < height; row++)
        for (int64_t col = 0; col < turn->cols; col++)
            nearest[row * turn->cols + col] = nearest_in_row(world, turn, col, row);
    return nearest;
}

/* What every pixel's search uses. */
struct search {
    const struct world *world;
    struct turn turn;
    struct geod_geodesic solver;
    struct in_row *rows;
};

static double degrees_apart(const struct turn *turn, int64_t apart) {
    return turn->period ? (double)apart * 360.0 / (double)turn->period : (double)apart * turn->step;
}

/* Rows whose latitude alone is too far are passed over: no degree of latitude
 * is shorter than this. */
static void try_row(const struct search *search, int64_t row, struct nearest *best) {
    const predt_globe *g = &search->world->globe;
    const struct turn *turn = &search->turn;
    struct in_row here = search->rows[row * turn->cols + best->col];
    double lat = latitude(search->world, best->row), other = latitude(search->world, row), distance;
    double shortest = g->semi_major_axis * (1 - 2 * g->flattening) * 0.999 / RADIAN;
    if (here.target < 0 || fabs(lat - other) * shortest > best->distance) return;
    geod_inverse(&search->solver, lat, 0, other, degrees_apart(turn, here.apart), &distance, NULL,
                 NULL);
    if (distance > best->distance ||
        (distance == best->distance && here.target > best->target_col) ||
        (distance == best->distance && here.target == best->target_col && row > best->target_row))
        return;
    best->target_col = here.target;
    best->target_row = row;
    best->apart = here.apart;
    best->distance = distance;
}

static struct nearest find(const struct search *search, int64_t col, int64_t row) {
    struct nearest best = {.col = col, .row = row, .target_col = -1, .distance = INFINITY};
    int64_t height = search->world->scene.grid.height;
    for (int64_t away = 0; away < height; away++) {
        if (row - away >= 0) try_row(search, row - away, &best);
        if (away && row + away < height) try_row(search, row + away, &best);
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

static float direction_to(const struct search *search, const struct nearest *n) {
    const struct world *world = search->world;
    const struct turn *turn = &search->turn;
    double azimuth;
    geod_inverse(&search->solver, latitude(world, n->row), 0, latitude(world, n->target_row),
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

static void put(const struct search *search, const struct nearest *n, int64_t pixel,
                const struct answer *to) {
    const struct scene *scene = &search->world->scene;
    bool reached = n->target_col >= 0 && n->distance <= scene->grid.max_distance;
    int64_t col = n->target_col;
    if (reached && !is_target(search->world, col, n->target_row)) col += search->turn.cols;
    to->distance[pixel] = reached ? (float)n->distance : INFINITY;
    to->distance2[pixel] = reached ? n->distance * n->distance : (double)INFINITY;
    to->nearest_col[pixel] = reached ? (int32_t)col : -1;
    to->nearest_row[pixel] = reached ? (int32_t)n->target_row : -1;
    to->direction[pixel] = reached ? direction_to(search, n) : NAN;
    if (scene->label_type)
        put_label(
            to, pixel,
            reached ? label_at(scene, n->target_row * scene->grid.width + col) : scene->no_label);
}

struct answer world_oracle(const struct world *world) {
    const predt_grid *grid = &world->scene.grid;
    struct answer answer = answer_new(grid->width, grid->height, 0, world->scene.label_type);
    struct search search = {.world = world, .turn = turn_of(world)};
    int64_t cols = search.turn.cols;
    geod_init(&search.solver, world->globe.semi_major_axis, world->globe.flattening);
    search.rows = nearest_in_rows(world, &search.turn);
    for (int64_t pixel = 0; pixel < grid->width * grid->height; pixel++) {
        struct nearest n = find(&search, pixel % grid->width % cols, pixel / grid->width);
        put(&search, &n, pixel, &answer);
    }
    free(search.rows);
    return answer;
}

/* ---- Comparing ---- */

void check_world_answers(predt_ctx *ctx, const struct world *world, const struct answer *right,
                         bool squares, const char *how) {
    const struct scene *scene = &world->scene;
    int64_t width = scene->grid.width, height = scene->grid.height;
    struct answer got = answer_new(width, height, 0, scene->label_type);
    predt_outputs outputs = answer_outputs(&got, scene);
    if (!squares) {
        outputs.distance2 = NULL;
        memcpy(got.distance2, right->distance2, (size_t)(width * height) * sizeof(double));
    }
    assert_ok(ctx, predt_transform(ctx, &scene->grid, scene->is_target, scene->labels,
                                   scene->label_type, &outputs, NULL, NULL));
    assert_same_answer(&got, right, scene, how);
    answer_free(&got);
}

void check_world(struct world *world) {
    predt_ctx *ctx = open_ctx(1);
    struct answer right = world_oracle(world);
    check_world_answers(ctx, world, &right, false, "as drawn by hand");
    answer_free(&right);
    predt_close(&ctx);
    world_free(world);
}
