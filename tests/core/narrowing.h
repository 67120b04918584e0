/* Outputs of fewer bytes against what the wide answer makes of them. */
#ifndef TEST_NARROWING_H
#define TEST_NARROWING_H

#include "answer.h"

/* Asks for whole numbers and for labels of their low bytes in a form drawn from the state: size,
 * range, scale, nodata, gap, other outputs beside. `right` is the whole raster's answer. */
void check_narrow(predt_ctx *ctx, const predt_index *index, const struct scene *scene,
                  const struct answer *right, const predt_window *window, uint64_t *state);

#endif
