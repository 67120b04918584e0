/* A scene is one raster to solve: pixel shape, targets, labels, limit; and how it came to be, for
 * messages. */
#ifndef TEST_SCENE_H
#define TEST_SCENE_H

#include <stdbool.h>

#include "predt.h"

/* A pixel's shape and, written down by hand, what its distances are made of: d2 = wx * dcol^2 + wy
 * * drow^2 (in integers if `integer`, else in binary64 in that order), distance = sqrt(d2) *
 * unit. */
struct shape {
    const char *name;
    double col_step[2], row_step[2];
    predt_metric metric;
    double wx, wy, unit;
    bool integer;
};

extern const struct shape shapes[];
extern const int shape_count;

/* The shape of that name; fails the test if there is none. */
const struct shape *shape_named(const char *name);

struct scene {
    predt_grid grid;
    const struct shape *shape;
    uint8_t *is_target;
    predt_label_type label_type;
    void *labels; /* a value for every pixel; those of non-targets are there to be found out */
    uint64_t no_label;
    const char *pattern;
    uint64_t seed;
};

/* A scene without targets and with random labels, no limit. */
struct scene scene_new(int64_t width, int64_t height, const struct shape *shape,
                       predt_label_type label_type, uint64_t seed);
void scene_free(struct scene *scene);

/* Makes (col, row) a target. */
void scene_put(struct scene *scene, int64_t col, int64_t row);

/* One line on stderr: everything needed to make the scene again. */
void scene_print(const struct scene *scene);

/* ---- Fill patterns that aim at trouble ---- */

extern const int pattern_count;

/* Fills is_target from the scene's seed. */
void scene_fill(struct scene *scene, int pattern);

#endif
