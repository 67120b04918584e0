/* The public header stands alone: nothing is included before it, and a small program works with
 * it. */
#include "predt.h"

static const predt_options options = PREDT_OPTIONS_INIT;
static const predt_grid grid = PREDT_GRID_INIT(3, 1);

int main(void) {
    const uint8_t mask[3] = {1, 0, 0};
    float distance[3];
    predt_outputs outputs = PREDT_OUTPUTS_INIT;
    predt_ctx *ctx;
    outputs.distance = distance;
    int good =
        predt_open(&ctx, &options) == PREDT_OK &&
        predt_transform(ctx, &grid, mask, NULL, PREDT_LABEL_NONE, &outputs, NULL, NULL) == PREDT_OK;
    predt_close(&ctx);
    return good && distance[2] == 2.0f ? 0 : 1;
}
