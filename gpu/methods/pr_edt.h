/* Engine cuda-pr-edt: the method of "GPU-Based Parallel Euclidean Distance Transform Algorithm"
 * (PR-EDT) as published, for comparison with what grew from it. Exact: ties, number types and
 * outputs as in engine cpu.
 *
 * Its steps have files of their own (pr_edt.cu, pr_edt_sets.cuh, pr_edt_distances.cuh); its
 * arithmetic and its host side are those of all published methods (method.h). */
#ifndef PREDT__METHODS_PR_EDT_H
#define PREDT__METHODS_PR_EDT_H

#include "method.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Setting 0: R, the rows of a sub-block, any number from 1 on. */
extern const predt__ref_method predt__pr_edt_method;

#define PREDT__PR_EDT_ROWS 20 /* the paper's choice of R (its figure 9) */

#ifdef __cplusplus
}
#endif

#endif
