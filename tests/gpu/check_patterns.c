/* The bench programs' patterns for predt_gpu_check: patterns.h is C, the rest of the program CUDA
 * C++. */
#include "../../bench/patterns.h"

bool predt__check_pattern(const char *name, uint8_t *raster, int64_t width, int64_t height);

/* Shares are drawn pixel by pixel, on rasters of any shape; all other patterns are square. */
bool predt__check_pattern(const char *name, uint8_t *raster, int64_t width, int64_t height) {
    double share;
    if (width == height) return pattern_fill(name, raster, width);
    if (!share_of(name, &share)) return false;
    fill_share(raster, 0, width * height, share);
    return true;
}
