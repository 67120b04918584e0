/* Distances as pixels of a raster, labels of fewer bytes, masks and minima against what the plain
 * answer makes of them. */
#ifndef TEST_ENCODING_H
#define TEST_ENCODING_H

#include "answer.h"

/* Asks for an encoding drawn from the state: type, scale, nodata, fixed value, mask, minimum, label
 * bytes, gap, other outputs beside. `right` is the whole raster's answer. */
void check_encoding(predt_ctx *ctx, const predt_index *index, const struct scene *scene,
                    const struct answer *right, const predt_window *window, uint64_t *state);

#endif
