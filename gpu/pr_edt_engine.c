/* PR-EDT as a row of the engine table. */
#include "engine.h"
#include "pr_edt.h"

#define MOST_ROWS 4096 /* no limit of the method; larger sub-blocks only leave the device idle */

static const predt_setting settings[] = {
    {"rows", "rows of a sub-block, the paper's R", NULL, 1, MOST_ROWS, PREDT__PR_EDT_ROWS},
    {.key = NULL},
};

static int chosen_rows;
static size_t chosen_memory;

void predt__pr_edt_rows(int rows) { chosen_rows = rows; }

void predt__pr_edt_memory(size_t bytes) { chosen_memory = bytes; }

predt_status predt__pr_edt_open(predt_ctx *ctx, void **out) {
    predt_status status = predt__ref_open(ctx, &predt__pr_edt_method, settings, out);
    if (status != PREDT_OK) return status;
    predt__ref_state *state = *out;
    if (chosen_rows > 0) state->setting[0] = chosen_rows;
    if (chosen_memory > 0) state->memory = (int64_t)chosen_memory;
    return PREDT_OK;
}

const predt__engine predt__cuda_pr_edt = {
    .name = "cuda-pr-edt",
    .summary = "an NVIDIA GPU: PR-EDT as published, kept for comparison",
    .exact = 1,
    .settings = settings,
    .suits = predt__never,
    .probe = predt__ref_probe,
    .open = predt__pr_edt_open,
    .solve = predt__ref_solve,
    .close = predt__ref_close,
};
