/* A world is a scene on a globe: rows are parallels, columns meridians; and its right answers, by
 * PROJ, found without any of predt's code. */
#ifndef TEST_WORLD_H
#define TEST_WORLD_H

#include "answer.h"
#include "scene.h"

struct world {
    struct scene scene; /* whose grid points to the globe: do not copy a world */
    predt_globe globe;
    double *latitudes; /* of its own, or NULL */
    char name[160];    /* for messages */
};

/* An empty one. south_up, west: by the signs of the steps. */
void world_new(struct world *world, int64_t width, int64_t height, predt_globe globe,
               predt_label_type label_type, uint64_t seed);
void world_free(struct world *world);

/* One of the kinds of grid and of patterns that aim at trouble, drawn from the seed: whole globes
 * with centres or nodes at the poles, regions, parts of a turn, caps, bands, overlapping columns,
 * one row, one column, tall ones, wide ones, tiny pixels, rounded ones, latitudes given by row; on
 * spheres, on the Earth, on Mars. At least one target. */
void world_draw(struct world *world, uint64_t seed);

/* The answer for every pixel: the target with the least geod_inverse distance. */
struct answer world_oracle(const struct world *world);

/* Solves the world and compares it with the right answer. squares: whether they are asked for, too:
 * with them every distance comes from PROJ at once, and the ladder is not tested. */
void check_world_answers(predt_ctx *ctx, const struct world *world, const struct answer *right,
                         bool squares, const char *how);

/* Solves the world on a context of its own, compares it with the oracle, frees the world. */
void check_world(struct world *world);

#endif
