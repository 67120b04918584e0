/* Everything of the CPU engine that gains from an instruction set. Compiled once for each; see
 * CMakeLists.txt. */
#include <float.h>

#include "../simd.h"
#include "block.h"
#include "carry.h"
#include "list.h"
#include "near_rows.h"
#include "one_row.h"

#define NUMBER uint16_t
#define NUMBERS v16u
#define INTEGER int16_t
#define INTEGERS v16i
#define NEAR_KEYS 1
#include "near.h"

#define NUMBER double
#define NUMBERS v64f
#define INTEGER int64_t
#define INTEGERS v64i
#define NEAR_KEYS 0
#include "near.h"

#define NUMBER double
#define NUMBERS v64f
#define INTEGER int64_t
#define INTEGERS v64i
#define WIDE __int128
#define LISTS_ROUNDS 1
#define LISTS_SIEVE(m) ((m)->exact ? (float)((m)->wx / (m)->wy) : 0)
#define LISTS_INT32 0
#define LISTS_NONE (double)INFINITY
#include "lists.h"

#define NUMBER int64_t
#define NUMBERS v64i
#define INTEGER int64_t
#define INTEGERS v64i
#define WIDE __int128
#define LISTS_ROUNDS 0
#define LISTS_SIEVE(m) ((float)((double)(m)->wx / (double)(m)->wy))
#define LISTS_INT32 0
#define LISTS_NONE INT64_MAX
#include "lists.h"

#define NUMBER int32_t
#define NUMBERS v32i
#define INTEGER int32_t
#define INTEGERS v32i
#define WIDE int64_t
#define LISTS_ROUNDS 0
#define LISTS_SIEVE(m) ((float)((double)(m)->wx / (double)(m)->wy))
#define LISTS_INT32 1
#define LISTS_NONE INT32_MAX
#include "lists.h"

/* ---- One sub-block ---- */

/* Solves the near tiles of the columns asked for; returns whether some are far. */
static bool solve_near(const predt__block *block, predt__scratch *scratch, const near_plan *plan) {
    int32_t first = block->col_begin / TILE, tiles = (block->width + TILE - 1) / TILE;
    int32_t last = (block->col_end - 1) / TILE;
    bool all_far = one_row_suits(block) && one_row_is_sparse(block, plan->d2);
    memset(scratch->far, TILE_UNKNOWN, (size_t)tiles);
    memset(scratch->far + first, all_far ? TILE_FAR : TILE_NEAR, (size_t)(last - first + 1));
    if (all_far) return true;
    int32_t columns = (last + 1) * (int64_t)TILE < block->width ? (last + 1) * TILE : block->width;
    for (int32_t begin = first * TILE; begin < columns; begin += NEAR_CHUNK) {
        int count = columns - begin < NEAR_CHUNK ? columns - begin : NEAR_CHUNK;
        if (plan->keys) near_chunk_uint16_t(block, scratch, plan, begin, count);
        else near_chunk_double(block, scratch, plan, begin, count);
    }
    return memchr(scratch->far + first, TILE_FAR, (size_t)(last - first + 1)) != NULL;
}

/* Columns around a far tile in which a target may be the nearest one of a pixel of that tile.
 * Beyond, every pixel of the sub-block is near: on the way from the far pixel to such a target lies
 * a pixel, at most half a row off the straight line, that has a target of its own within plan->d2,
 * and over that one the way is shorter. */
static int32_t joining_reach(const near_plan *plan) {
    double reach = sqrt(plan->d2 / plan->wx) + 0.5 * sqrt(plan->wy / plan->wx) + 2;
    return reach < INT32_MAX / 2 ? (int32_t)reach : INT32_MAX / 2;
}

static void solve(const predt__block *block, predt__scratch *scratch) {
    const predt__metric *metric = &block->index->metric;
    near_plan plan = plan_near(metric);
    bool some_are_far = solve_near(block, scratch, &plan);
    add_counts(block, scratch);
    if (!some_are_far) return;
    if (one_row_suits(block)) {
        one_row_solve_far(block, scratch);
        return;
    }
    int32_t reach = joining_reach(&plan);
    if (metric->number == PREDT__INT32) lists_solve_far_int32_t(block, scratch, reach);
    else if (metric->number == PREDT__REAL) lists_solve_far_double(block, scratch, reach);
    else lists_solve_far_int64_t(block, scratch, reach);
}

void PREDT__ISA_ENTRY(const predt__block *block, predt__scratch *scratch) {
    carry_rows(block, scratch);
    solve(block, scratch);
    if (block->stream) stream_end();
}
