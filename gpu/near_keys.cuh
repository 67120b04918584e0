/* The near regime's first half: the columns of a block of threads in shared memory, as the keys of
 * which near.cuh takes windowed minima, and whether its tiles are worth that.
 *
 * In: the strip's words, the job's above and below. */
#ifndef PREDT__GPU_NEAR_KEYS_CUH
#define PREDT__GPU_NEAR_KEYS_CUH

#include "emit.cuh"

#define NEAR_CODE_BITS 6
#define NEAR_CODE_MASK ((1u << NEAR_CODE_BITS) - 1)
#define NEAR_CENTRE 24u /* code of offset 0 */
#define NEAR_REACH 22   /* columns: the next square would not fit into NEAR_NONE */
/* d2 of no target: twice that and a code stay below 2^16, so that sums never wrap */
#define NEAR_NONE 511
/* largest wy for which its products fit 16 bits before they are clipped */
#define NEAR_WEIGHT 4096
/* rows to a target that is not there: counters are 16 bits and grow by 32 in a sub-block */
#define NEAR_NO_ROW 16000
#define NEAR_COLUMNS 256 /* of a block of threads: eight tiles, one a warp */
#define NEAR_HALO 24     /* > NEAR_REACH: steps are taken two at a time */
#define NEAR_SPAN (NEAR_COLUMNS + 2 * NEAR_HALO)
/* pairs of rows (r, r + 16) that a warp solves at once, to have loads in flight */
#define NEAR_PAIRS 4
#define NEAR_PROBES 3 /* rows on which a tile is tried for being far before anything is computed */
#define NEAR_PIXELS (2 * NEAR_PAIRS)
/* columns covered on all probes together, of 3 * 304, from which on windows are faster than
 * lists */
#define NEAR_DENSE 180
/* code of a target in the pixel's own row: rows up are less, rows down more */
#define NEAR_HERE 64
#define BOTH(half) ((uint32_t)(half)*0x10001u)

typedef struct near_shared {
    /* wy * g^2 << NEAR_CODE_BITS; low half: row r, high half: row r + 16 */
    uint32_t keys[BLOCK_ROWS / 2][NEAR_SPAN];
    /* g with its sign, plus NEAR_HERE; low byte: row r, high byte: row r + 16 */
    uint16_t rows[BLOCK_ROWS / 2][NEAR_SPAN];
    uint32_t words[NEAR_SPAN];
    /* rows to the target above from row -1, to the one below from row 31 */
    uint16_t above[NEAR_SPAN], below[NEAR_SPAN];
    /* bits of the columns with a target within plan.rows of a row */
    uint32_t covered[NEAR_PROBES][NEAR_SPAN / WARP + 2];
    float distances[NEAR_NONE + 1];
} near_shared;

static inline near_plan plan_near(const predt__metric *metric) {
    near_plan plan = {};
    if (!metric->integer || metric->wx > NEAR_NONE - 1 || metric->wy > NEAR_WEIGHT) return plan;
    plan.wx = (int32_t)metric->wx;
    plan.wy = (int32_t)metric->wy;
    plan.d2 = plan.wx * NEAR_REACH * NEAR_REACH < NEAR_NONE ? plan.wx * NEAR_REACH * NEAR_REACH
                                                            : NEAR_NONE - 1;
    plan.decides = metric->limit <= plan.d2;
    if (plan.decides) plan.d2 = (int32_t)metric->limit;
    while (plan.wx * (plan.columns + 1) * (plan.columns + 1) <= plan.d2) plan.columns++;
    while (plan.wy * (plan.rows + 1) * (plan.rows + 1) <= plan.d2) plan.rows++;
    plan.window = ((2ull << 2 * plan.columns) - 1) << (NEAR_HALO - plan.columns);
    return plan;
}

static inline bool near_applies(const near_plan *plan) { return plan->wx > 0; }

/* ---- Columns into shared memory ---- */

__device__ static inline uint32_t near_clip(int64_t rows) {
    return rows < NEAR_NO_ROW ? (uint32_t)rows : NEAR_NO_ROW;
}

/* Notes on which probes the column at place `at` has a target within so many rows. */
__device__ static inline void near_cover(near_shared &shared, uint32_t word, int32_t above,
                                         int32_t below, int32_t reach, int32_t at) {
#pragma unroll
    for (int32_t probe = 0; probe < NEAR_PROBES; probe++) {
        int32_t row = probe * (BLOCK_ROWS - 1) / (NEAR_PROBES - 1), up = min(row, reach),
                down = min(31 - row, reach);
        uint32_t around = ALL_LANES >> (31 - up - down) << (row - up);
        bool covers = word & around || above + row < reach || below + 31 - row <= reach;
        uint32_t covered = __ballot_sync(ALL_LANES, covers);
        if (threadIdx.x % WARP == 0) shared.covered[probe][at / WARP] = covered;
    }
}

/* Loads the columns of the block and its halo; those outside the raster have no target. */
__device__ static inline void near_load(near_shared &shared, const strip_job &job, int32_t block,
                                        int32_t begin) {
    int64_t top = block_first_row(job, block), start = (int64_t)block * job.strip.width;
    for (int32_t at = (int32_t)threadIdx.x; at < (NEAR_SPAN + WARP - 1) / WARP * WARP;
         at += NEAR_COLUMNS) {
        int64_t col = (int64_t)begin - NEAR_HALO + at;
        bool inside = at < NEAR_SPAN && col >= 0 && col < job.strip.width;
        uint32_t word = inside ? __ldg(job.strip.words + start + col) : 0;
        int32_t last = inside ? job.above[start + col] : -1,
                first = inside ? job.below[start + col] : INT32_MAX;
        uint32_t above = last < 0 ? NEAR_NO_ROW : near_clip(top - 1 - last);
        uint32_t below = first == INT32_MAX ? NEAR_NO_ROW : near_clip(first - (top + 31));
        if (at < NEAR_SPAN)
            shared.words[at] = word, shared.above[at] = (uint16_t)above,
            shared.below[at] = (uint16_t)below;
        near_cover(shared, word, (int32_t)above, (int32_t)below, job.near.rows, at);
    }
}

/* True if some pixel of the warp's tile cannot have a target in reach. */
__device__ static inline bool near_misses(const near_shared &shared, const near_plan &plan,
                                          bool inside) {
    const int32_t tile = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    bool misses = false;
#pragma unroll
    for (int32_t probe = 0; probe < NEAR_PROBES; probe++) {
        const uint32_t *covered = shared.covered[probe] + tile;
        uint32_t low = __funnelshift_r(covered[0], covered[1], lane),
                 high = __funnelshift_r(covered[1], covered[2], lane);
        misses |= !(low & (uint32_t)plan.window) && !(high & (uint32_t)(plan.window >> 32));
    }
    return __any_sync(ALL_LANES, inside && misses);
}

/* True if so few columns are covered that lists are the faster way for what is near, too. */
__device__ static inline bool near_is_sparse(const near_shared &shared) {
    const int32_t lane = threadIdx.x % WARP, part = (NEAR_SPAN + WARP - 1) / WARP;
    uint32_t count = 0;
    for (int32_t i = lane; i < NEAR_PROBES * part; i += WARP)
        count += __popc(shared.covered[i / part][i % part]);
    return warp_sum(count) < NEAR_DENSE;
}

/* wy * rows^2 of two rows at once, NEAR_NONE where that is more. */
__device__ static inline uint32_t near_squares(uint32_t rows, uint32_t wy) {
    uint32_t low = rows & 0xffff, high = rows >> 16;
    return __vminu2(low * low * wy | high * high * wy << 16, BOTH(NEAR_NONE));
}

/* rows with their sign, plus NEAR_HERE, as two bytes: nearest is either up or the way down. */
__device__ static inline uint16_t near_signed(uint32_t rows, uint32_t nearest, uint32_t up) {
    uint32_t is_down = __vminu2(nearest ^ up, BOTH(1)) * 0xffff;
    uint32_t signs = (BOTH(NEAR_HERE) + rows & is_down) | (BOTH(NEAR_HERE) - rows & ~is_down);
    return (uint16_t)__byte_perm(signs, 0, 0x4420);
}

/* Keys of one column from its word and the rows to its targets outside. */
template <bool OWNERS>
__device__ static inline void near_fill_column(near_shared &shared, const near_plan &plan,
                                               int32_t at) {
    uint32_t word = shared.words[at], above = shared.above[at], below = shared.below[at],
             ups[BLOCK_ROWS / 2];
    /* up from row 15 */
    uint32_t middle = word & 0xffff ? (uint32_t)__clz((int)(word << 16)) : above + 16;
    uint32_t up = above | middle << 16;
#pragma unroll
    for (int32_t row = 0; row < BLOCK_ROWS / 2; row++) {
        uint32_t targets = (word >> row & BOTH(1)) * 0xffff;
        ups[row] = up = (up + BOTH(1)) & ~targets;
    }
    uint32_t down = (word >> 16 ? (uint32_t)__ffs((int)(word >> 16)) : below + 16) | below << 16;
#pragma unroll
    for (int32_t row = BLOCK_ROWS / 2 - 1; row >= 0; row--) {
        uint32_t nearest = __vminu2(ups[row], down), rows = __vminu2(nearest, BOTH(plan.rows + 1));
        shared.keys[row][at] = near_squares(rows, (uint32_t)plan.wy) << NEAR_CODE_BITS;
        if (OWNERS) shared.rows[row][at] = near_signed(rows, nearest, ups[row]);
        uint32_t targets = (word >> row & BOTH(1)) * 0xffff;
        down = (down & ~targets) + BOTH(1);
    }
}

template <bool OWNERS>
__device__ static inline void near_fill(near_shared &shared, const strip_job &job) {
    for (int32_t at = (int32_t)threadIdx.x; at < NEAR_SPAN; at += NEAR_COLUMNS)
        near_fill_column<OWNERS>(shared, job.near, at);
    for (int32_t d2 = (int32_t)threadIdx.x; d2 <= NEAR_NONE; d2 += NEAR_COLUMNS)
        shared.distances[d2] = d2 <= job.near.d2 ? distance_of(job, d2) : INFINITY;
}

#endif
