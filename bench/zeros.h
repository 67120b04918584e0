/* Engine zeros: what a run costs without any solving. In builds with PREDT_BENCH only. */
#ifndef PREDT_BENCH_ZEROS_H
#define PREDT_BENCH_ZEROS_H

#include "../src/core/engine.h"

extern const predt__engine predt__zeros;

#endif
