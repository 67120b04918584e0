/* The engines on CUDA devices, as the engine table takes them. No CUDA header is needed to read
 * this. */
#ifndef PREDT__GPU_ENGINE_H
#define PREDT__GPU_ENGINE_H

#include "../src/core/engine.h"

extern const predt__engine predt__cuda;

/* ---- The published methods that it is compared with (methods/) ---- */

extern const predt__engine predt__cuda_pr_edt, predt__cuda_man, predt__cuda_black,
    predt__cuda_voronoi_all, predt__cuda_voronoi_grow;

#endif
