/* Ways of asking predt for a scene's answer; every one of them fails the test if predt fails. */
#ifndef TEST_SOLVE_H
#define TEST_SOLVE_H

#include "answer.h"
#include "predt.h"
#include "scene.h"

#define assert_ok(ctx, status) assert_status_ok((ctx), (status), __FILE__, __LINE__)
void assert_status_ok(const predt_ctx *ctx, predt_status status, const char *file, int line);

predt_ctx *open_ctx(int threads);

/* A context whose indexes live in a temporary file. */
predt_ctx *open_ctx_on_file(int threads);

/* Through predt_transform. */
struct answer solve_whole(predt_ctx *ctx, const struct scene *scene);

/* A sealed index, filled in strips of so many sub-blocks in an order drawn from the seed. */
predt_index *index_scene(predt_ctx *ctx, const struct scene *scene, int64_t strip_blocks,
                         uint64_t seed);

/* Queries a window into rows with a gap and compares it with the whole raster's right answer. */
void check_window(predt_ctx *ctx, const predt_index *index, const struct scene *scene,
                  const struct answer *right, const predt_window *window, int64_t gap);

/* A window drawn from the state: any place, size and step. */
predt_window random_window(const struct scene *scene, uint64_t *state);

/* Solves the scene through predt_transform and compares it with the right answer. */
void check_whole(predt_ctx *ctx, const struct scene *scene, const struct answer *right);

/* Solves the scene on a context of its own, compares it with the oracle, frees the scene. */
void check_and_free(struct scene *scene);

#endif
