/* What the steps of PR-EDT share on the device. */
#ifndef PREDT__PR_EDT_WORKSPACE_CUH
#define PREDT__PR_EDT_WORKSPACE_CUH

#include "../warp.cuh"
#include "emit.cuh"
#include "pr_edt.h"

#define UPPER 0
#define LOWER 1

/* What one step leaves for the next; [UPPER] and [LOWER]. */
typedef struct workspace {
    /* rows x width: raster row of the column's candidate; -1 or INT32_MAX: none */
    int32_t *candidates[2];
    /* rows x width: columns of each row's proximate points; their rows are the candidates' */
    int32_t *sets[2];
    int32_t *counts[2]; /* rows: points of each row */
    char *spill;        /* for the sub-blocks whose sets outgrow shared memory */
} workspace;

#endif
