/* PR-EDT as a row of the engine table. */
#include "engines.h"
#include "pr_edt.h"

#define MOST_ROWS 4096 /* no limit of the method; larger sub-blocks only leave the device idle */

static const predt_setting *const settings[] = {
    &(const predt_setting){sizeof(predt_setting), "rows", "rows of a sub-block, the paper's R",
                           NULL, 1, MOST_ROWS, PREDT__PR_EDT_ROWS},
    NULL,
};

const predt__engine predt__cuda_pr_edt = {
    .name = "cuda-pr-edt",
    .summary = "an NVIDIA GPU: PR-EDT as published, kept for comparison",
    .exact = 1,
    .settings = settings,
    .probe = predt__ref_probe,
    .method = &predt__pr_edt_method,
    .open = predt__ref_open,
    .solve = predt__ref_solve,
    .close = predt__ref_close,
};
