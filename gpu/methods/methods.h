/* The published methods of this folder, each in a file that names its source. */
#ifndef PREDT__GPU_METHODS_H
#define PREDT__GPU_METHODS_H

#include "method.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const predt__ref_method predt__man_method;   /* man.cu; setting: threads of a row */
extern const predt__ref_method predt__black_method; /* black.cu */
/* voronoi_all.cu; settings: the way to share, threads (0: what */
extern const predt__ref_method predt__voronoi_all_method;
/* voronoi_grow.cu; the same                   the device holds) */
extern const predt__ref_method predt__voronoi_grow_method;

#ifdef __cplusplus
}
#endif

#endif
