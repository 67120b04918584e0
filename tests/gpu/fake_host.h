/* What the tests over the fake device share. */
#ifndef TEST_FAKE_HOST_H
#define TEST_FAKE_HOST_H

#include "fake_device.h"
#include "scene.h"

/* Called with each line that is logged, NULL: nobody; not for the lines that it brings about
 * itself. */
extern void (*answer_log)(void);

extern char said[4096]; /* what the log of the context opened last has said, line by line */

predt_ctx *open_engine(const char *engine, int64_t gpu_memory);

/* Fails unless the device is as it was before any context. */
void assert_nothing_left(void);

/* Noise of 70 x 200 pixels: seven sub-blocks, the last one of eight rows. */
struct scene noise(predt_label_type label_type);

/* The whole raster, all outputs; only the status counts. */
predt_status query_all(predt_ctx *ctx, const struct scene *scene);

#endif
