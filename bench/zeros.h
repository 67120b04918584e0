/* Engine zeros: what a run costs without any solving. In builds with PREDT_BENCH only. */
#ifndef PREDT_BENCH_ZEROS_H
#define PREDT_BENCH_ZEROS_H

#include "../src/core/engine.h"

const char *predt__zeros_probe(void);
predt_status predt__zeros_solve(predt_ctx *ctx, void *state, const predt_index *index,
                                const predt_window *window, const predt__outputs *outputs);

#endif
