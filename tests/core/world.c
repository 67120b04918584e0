/* Makes test worlds. */
#include "world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmocka_all.h"
#include "random.h"

void world_new(struct world *world, int64_t width, int64_t height, predt_globe globe,
               predt_label_type label_type, uint64_t seed) {
    world->scene = scene_new(width, height, &shapes[0], label_type, seed);
    world->globe = globe;
    world->latitudes = NULL;
    world->scene.grid.globe = &world->globe;
    snprintf(world->name, sizeof world->name,
             "of a globe from latitude %.9g by %.9g, columns by %.9g degrees, a %.9g, f %.9g",
             globe.first_latitude, globe.latitude_step, globe.longitude_step, globe.semi_major_axis,
             globe.flattening);
    world->scene.pattern = world->name;
}

void world_free(struct world *world) {
    scene_free(&world->scene);
    free(world->latitudes);
}

/* ---- Drawing one ---- */

struct frame {
    int64_t width, height;
    double first_latitude, latitude_step, longitude_step;
};

enum { MERCATOR = 17, FRAMES = 19 };

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

/* Of more rows than are handled at a time. */
static struct frame tall(uint64_t *state) {
    int64_t height = 1030 + random_below(state, 1500);
    double step = 180.0 / (double)(height - 1);
    if (random_below(state, 3) == 0)
        return (struct frame){1 + random_below(state, 4), height, 50, -0.01, 0.01};
    return (struct frame){2 + random_below(state, 6), height, 90, -step, 20};
}

/* Of several strips of columns. */
static struct frame wide(uint64_t *state) {
    int64_t width = 500 + random_below(state, 1100), height = 1 + random_below(state, 6);
    double step = random_below(state, 2) ? 360.0 / (double)width : 0.1;
    return (struct frame){width, height, 90 - 170 * random_unit(state), -step, step};
}

/* A turn of cells that were rounded when they were written. */
static struct frame rounded(uint64_t *state) {
    int64_t width = 5 + random_below(state, 60);
    double turn = (double)width + 0.016 * (random_unit(state) - 0.5);
    return (struct frame){width, 2 + random_below(state, 20), 85, -8, 360 / turn};
}

/* Of metres down to tenths of a millimetre. */
static struct frame tiny(uint64_t *state) {
    double step = 1e-4 * pow(10, -5 * random_unit(state) * random_unit(state));
    return (struct frame){50, 40, 160 * random_unit(state) - 80, step, step};
}

static struct frame frame_of(uint64_t *state, int kind) {
    switch (kind) {
    case 0:
    case 1:
        return whole_globe(state, kind);
    case 2:
        return region(state);
    case 3:
        return tiny(state);
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
    case 13:
        return (struct frame){50, 60, 47, -0.0083333333, 0.0083333333};
    case 14:
        return tall(state);
    case 15:
        return wide(state);
    case 16:
        return rounded(state);
    case MERCATOR:
        return (struct frame){2 + random_below(state, 70), 3 + random_below(state, 70), 0, 0, 5};
    default:
        return (struct frame){144, 72, 88.75, -2.5, 2.5};
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

/* Rows of a Mercator map. */
static void draw_latitudes(struct world *world, int64_t rows, uint64_t *state) {
    double range = 0.1 + 6 * random_unit(state), middle = random_unit(state) - 0.5;
    world->latitudes = malloc((size_t)rows * sizeof *world->latitudes);
    assert_non_null(world->latitudes);
    for (int64_t i = 0; i < rows; i++) {
        double up = middle + range * (1 - 2 * (double)i / (double)(rows - 1));
        world->latitudes[i] = 57.29577951 * atan(sinh(up));
    }
    world->globe.latitudes = world->latitudes;
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
    if (seed % FRAMES == MERCATOR) draw_latitudes(world, f.height, &state);
    fill(world, &f, &state);
    if (random_below(&state, 4) == 0)
        world->scene.grid.max_distance =
            globe.semi_major_axis * random_unit(&state) * random_unit(&state);
}
