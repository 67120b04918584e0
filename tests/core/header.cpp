// The same from C++: the header alone, its initialisers, and its functions with C linkage.
#include "predt.h"

static const predt_options options = PREDT_OPTIONS_INIT;
static const predt_grid grid = PREDT_GRID_INIT(3, 1);

int main() {
    const uint8_t mask[3] = {1, 0, 0};
    float distance[3];
    predt_outputs outputs = PREDT_OUTPUTS_INIT;
    predt_ctx *ctx = nullptr;
    outputs.distance = distance;
    const bool good = predt_open(&ctx, &options) == PREDT_OK &&
                      predt_transform(ctx, &grid, mask, nullptr, PREDT_LABEL_NONE, &outputs,
                                      nullptr, nullptr) == PREDT_OK;
    predt_close(&ctx);
    return good && distance[2] == 2.0f ? 0 : 1;
}
