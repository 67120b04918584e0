/* Everything of the CPU engine that gains from an instruction set. Compiled once for each; see CMakeLists.txt. */
#include <float.h>

#include "block.h"
#include "cpu.h"
#include "emit.h"
#include "simd.h"

#define NUMBER int16_t
#define NUMBERS v16i
#define INTEGER int16_t
#define INTEGERS v16i
#define NEAR_INTEGER 1
#include "near.h"
#undef NUMBER
#undef NUMBERS
#undef INTEGER
#undef INTEGERS
#undef NEAR_INTEGER

#define NUMBER double
#define NUMBERS v64f
#define INTEGER int64_t
#define INTEGERS v64i
#define NEAR_INTEGER 0
#include "near.h"

#define WIDE __int128
#define LISTS_ROUNDS 1
#define LISTS_INT32 0
#define LISTS_NONE INFINITY
#include "lists.h"
#undef NUMBER
#undef NUMBERS
#undef LISTS_ROUNDS
#undef LISTS_NONE

#define NUMBER int64_t
#define NUMBERS v64i
#define LISTS_ROUNDS 0
#define LISTS_NONE INT64_MAX
#include "lists.h"
#undef NUMBER
#undef NUMBERS
#undef INTEGER
#undef INTEGERS
#undef WIDE
#undef LISTS_INT32
#undef LISTS_NONE

#define NUMBER int32_t
#define NUMBERS v32i
#define INTEGER int32_t
#define INTEGERS v32i
#define WIDE int64_t
#define LISTS_INT32 1
#define LISTS_NONE INT32_MAX
#include "lists.h"

/* ---- One sub-block ---- */

static void rank_labels(const predt__block *block, predt__scratch *scratch) {
    const uint32_t *words = predt__block_words(block->index, block->number);
    uint32_t rank = 0;
    for (int32_t col = 0; col < block->width; col++) {
        scratch->label_rank[col] = rank;
        rank += (uint32_t)__builtin_popcount(words[col]);
    }
    memset(scratch->label_known, 0, (size_t)block->width);
}

/* Solves the near tiles of the columns asked for; returns whether some are far. */
static bool solve_near(const predt__block *block, predt__scratch *scratch, const near_plan *plan) {
    int32_t first = block->col_begin / TILE, tiles = (block->width + TILE - 1) / TILE;
    int32_t last = (block->col_end - 1) / TILE;
    memset(scratch->far, TILE_UNKNOWN, (size_t)tiles);
    memset(scratch->far + first, TILE_NEAR, (size_t)(last - first + 1));
    int32_t columns = (last + 1) * (int64_t)TILE < block->width ? (last + 1) * TILE : block->width;
    for (int32_t begin = first * TILE; begin < columns; begin += NEAR_CHUNK) {
        int count = columns - begin < NEAR_CHUNK ? columns - begin : NEAR_CHUNK;
        if (block->index->metric.number == PREDT__INT32) near_chunk_int16_t(block, scratch, plan, begin, count);
        else near_chunk_double(block, scratch, plan, begin, count);
    }
    return memchr(scratch->far + first, TILE_FAR, (size_t)(last - first + 1)) != NULL;
}

/* Columns around a far tile in which a target may be the nearest one of a pixel of that tile. Beyond, every pixel of the
 * sub-block is near: on the way from the far pixel to such a target lies a pixel, at most half a row off the straight line,
 * that has a target of its own within plan->d2, and over that one the way is shorter. */
static int32_t joining_reach(const near_plan *plan) {
    double reach = sqrt(plan->d2 / plan->wx) + 0.5 * sqrt(plan->wy / plan->wx) + 2;
    return reach < INT32_MAX / 2 ? (int32_t)reach : INT32_MAX / 2;
}

static void solve_block(const predt__block *block, predt__scratch *scratch) {
    const predt__metric *metric = &block->index->metric;
    near_plan plan = plan_near(metric, metric->number == PREDT__INT32 ? INT16_MAX / 2 : INFINITY);
    if (block->outputs.label) rank_labels(block, scratch);
    if (!solve_near(block, scratch, &plan)) return;
    int32_t reach = joining_reach(&plan);
    if (metric->number == PREDT__INT32) lists_solve_far_int32_t(block, scratch, reach);
    else if (metric->number == PREDT__REAL) lists_solve_far_double(block, scratch, reach);
    else lists_solve_far_int64_t(block, scratch, reach);
}

/* ---- Packing ---- */

/* Eight rows give a byte a column: the mask's sign bits are shifted in from the top. */
static v8u pack_bytes(const uint8_t *is_target, int64_t width, int rows) {
    v8u bytes = {0};
    for (int row = 0; row < rows; row++) {
        v8u target = (v8u)(LOAD(v8u, is_target + row * width) != 0);
        bytes = (bytes >> 1) | (target & 0x80);
    }
    return bytes >> (8 - rows);
}

static void pack_columns(const uint8_t *is_target, int64_t width, int rows, uint32_t *words) {
    uint8_t bytes[4][VECTOR_BYTES] = {{0}};
    for (int row = 0; row < rows; row += 8) {
        v8u packed = pack_bytes(is_target + row * width, width, rows - row < 8 ? rows - row : 8);
        STORE(bytes[row / 8], packed);
    }
    for (int col = 0; col < VECTOR_BYTES; col++)
        words[col] = bytes[0][col] | (uint32_t)bytes[1][col] << 8 | (uint32_t)bytes[2][col] << 16 | (uint32_t)bytes[3][col] << 24;
}

static void pack(const uint8_t *is_target, int64_t width, int rows, uint32_t *words) {
    int64_t col = 0;
    for (; col + VECTOR_BYTES <= width; col += VECTOR_BYTES) pack_columns(is_target + col, width, rows, words + col);
    for (; col < width; col++) {
        words[col] = 0;
        for (int row = 0; row < rows; row++) words[col] |= (uint32_t)(is_target[row * width + col] != 0) << row;
    }
}

const predt__isa PREDT__ISA_ENTRY = {solve_block, pack};
