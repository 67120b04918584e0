/* The bench programs' patterns for predt_gpu_check: patterns.h is C, the rest of the program CUDA C++. */
#include "../../bench/patterns.h"

bool predt__check_pattern(const char *name, uint8_t *raster, int64_t n);

bool predt__check_pattern(const char *name, uint8_t *raster, int64_t n) { return pattern_fill(name, raster, n); }
