/* The published methods of this folder as engines, as the engine table takes them. No CUDA header
 * is needed to read this. */
#ifndef PREDT__METHODS_ENGINES_H
#define PREDT__METHODS_ENGINES_H

#include "../../src/core/engine.h"

extern const predt__engine predt__cuda_pr_edt;
extern const predt__engine predt__cuda_man;
extern const predt__engine predt__cuda_black;
extern const predt__engine predt__cuda_voronoi_all;
extern const predt__engine predt__cuda_voronoi_grow;

#endif
