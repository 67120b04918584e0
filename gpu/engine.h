/* The engines on CUDA devices, as the engine table takes them. No CUDA header is needed to read
 * this. */
#ifndef PREDT__GPU_ENGINE_H
#define PREDT__GPU_ENGINE_H

#include "../src/core/engine.h"
#include "plan.h"

/* ---- cuda ---- */

const char *predt__cuda_probe(void);
const char *predt__cuda_glance(void);
predt_status predt__cuda_open(predt_ctx *ctx, void **state);
predt_status predt__cuda_solve(predt_ctx *ctx, void *state, const predt_index *index,
                               const predt_window *window, const predt__outputs *outputs);
predt_status predt__cuda_check(predt_ctx *ctx, void *state);
bool predt__cuda_starting(void *state, const predt_window *window, int threads);
void predt__cuda_close(void *state);

/* ---- The published methods that it is compared with (pr_edt.h, reference/) ---- */

extern const predt__engine predt__cuda_pr_edt, predt__cuda_man, predt__cuda_black,
    predt__cuda_voronoi_all, predt__cuda_voronoi_grow;

#endif
