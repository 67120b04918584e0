/* What the tests on a device share: whether there is one, and the two engines' answers to the same
 * question. */
#ifndef TEST_DEVICE_H
#define TEST_DEVICE_H

#include "answer.h"
#include "scene.h"

#define SKIPPED 77 /* what ctest takes for "not run" */

/* Says why the engine cannot run here; NULL: it can. */
const char *engine_missing(const char *engine);

/* A main for tests of a device: skips all of them, with a word, where there is none. */
#define SKIP_WITHOUT_DEVICE()                                                                      \
    do {                                                                                           \
        if (engine_missing("cuda")) {                                                              \
            print_message("skipped: %s\n", engine_missing("cuda"));                                \
            return SKIPPED;                                                                        \
        }                                                                                          \
    } while (0)

predt_ctx *open_engine(const char *engine, int64_t gpu_memory);

/* Solves the window (NULL: the whole raster) on the context's engine, from an index of its own. */
struct answer ask(predt_ctx *ctx, const struct scene *scene, const predt_window *window);

/* Engine cpu's answer against the engine's, byte for byte, poison included; frees the scene. */
void check_same(const char *engine, struct scene *scene, int64_t gpu_memory);

#endif
