/* The near regime: where every pixel of a tile has a target within a few columns, its nearest one is a windowed minimum,
 *
 *     d2(col) = min over |k| <= reach of  wx * k^2 + wy * g(col + k)^2,
 *
 * g being the rows to the nearest target of a column. d2 and the column's offset share a key of 16 bits, so that an unsigned
 * minimum keeps both and breaks ties to the west, and two rows share a register: one instruction adds and compares for 64
 * pixels of a warp. A warp solves a tile; k is the same for all its lanes, and it stops as soon as wx * k^2 exceeds every
 * minimum found so far. A tile in which some minimum stays beyond plan.d2 is far and left to the lists. */
#ifndef PREDT__GPU_NEAR_CUH
#define PREDT__GPU_NEAR_CUH

#include "emit.cuh"

#define NEAR_CODE_BITS 6
#define NEAR_CODE_MASK ((1u << NEAR_CODE_BITS) - 1)
#define NEAR_CENTRE 24u   /* code of offset 0 */
#define NEAR_REACH 22     /* columns: the next square would not fit into NEAR_NONE */
#define NEAR_NONE 511     /* d2 of no target: twice that and a code stay below 2^16, so that sums never wrap */
#define NEAR_WEIGHT 4096  /* largest wy for which its products fit 16 bits before they are clipped */
#define NEAR_NO_ROW 16000 /* rows to a target that is not there: counters are 16 bits and grow by 32 in a sub-block */
#define NEAR_COLUMNS 256  /* of a block of threads: eight tiles, one a warp */
#define NEAR_HALO 24      /* > NEAR_REACH: steps are taken two at a time */
#define NEAR_SPAN (NEAR_COLUMNS + 2 * NEAR_HALO)
#define NEAR_PAIRS 4 /* pairs of rows (r, r + 16) that a warp solves at once, to have loads in flight */
#define BOTH(half) ((uint32_t)(half)*0x10001u)

typedef struct near_shared {
    uint32_t keys[BLOCK_ROWS / 2][NEAR_SPAN]; /* wy * g^2 << NEAR_CODE_BITS; low half: row r, high half: row r + 16 */
    uint32_t words[NEAR_SPAN];
    uint16_t above[NEAR_SPAN], below[NEAR_SPAN]; /* rows to the target above from row -1, to the one below from row 31 */
} near_shared;

static inline near_plan plan_near(const predt__metric *metric) {
    near_plan plan = {0, 0, 0, 0, 0, false};
    if (!metric->integer || metric->wx > NEAR_NONE - 1 || metric->wy > NEAR_WEIGHT) return plan;
    plan.wx = (int32_t)metric->wx;
    plan.wy = (int32_t)metric->wy;
    plan.d2 = plan.wx * NEAR_REACH * NEAR_REACH < NEAR_NONE ? plan.wx * NEAR_REACH * NEAR_REACH : NEAR_NONE - 1;
    plan.decides = metric->limit <= plan.d2;
    if (plan.decides) plan.d2 = (int32_t)metric->limit;
    while (plan.wx * (plan.columns + 1) * (plan.columns + 1) <= plan.d2) plan.columns++;
    while (plan.wy * (plan.rows + 1) * (plan.rows + 1) <= plan.d2) plan.rows++;
    return plan;
}

static inline bool near_applies(const near_plan *plan) { return plan->wx > 0; }

__device__ static inline uint32_t near_clip(int64_t rows) { return rows < NEAR_NO_ROW ? (uint32_t)rows : NEAR_NO_ROW; }

/* Keys of one column from its word and the rows to its targets outside. */
__device__ static inline void near_fill_column(near_shared &shared, const near_plan &plan, int32_t at, uint32_t word,
                                               uint32_t above, uint32_t below) {
    uint32_t ups[BLOCK_ROWS / 2];
    uint32_t middle = word & 0xffff ? (uint32_t)__clz((int)(word << 16)) : above + 16; /* up from row 15 */
    uint32_t up = above | middle << 16;
#pragma unroll
    for (int32_t row = 0; row < BLOCK_ROWS / 2; row++) {
        uint32_t targets = BOTH(0xffff) & (word >> row & BOTH(1)) * 0xffff;
        ups[row] = up = (up + BOTH(1)) & ~targets;
    }
    uint32_t down = (word >> 16 ? (uint32_t)__ffs((int)(word >> 16)) : below + 16) | below << 16;
#pragma unroll
    for (int32_t row = BLOCK_ROWS / 2 - 1; row >= 0; row--) {
        uint32_t rows = __vminu2(__vminu2(ups[row], down), BOTH(plan.rows + 1));
        uint32_t low = rows & 0xffff, high = rows >> 16, wy = (uint32_t)plan.wy;
        uint32_t squares = __vminu2(low * low * wy | high * high * wy << 16, BOTH(NEAR_NONE));
        shared.keys[row][at] = squares << NEAR_CODE_BITS;
        uint32_t targets = (word >> row & BOTH(1)) * 0xffff;
        down = (down & ~targets) + BOTH(1);
    }
}

/* Loads the columns of the block and its halo; those outside the raster have no target. */
__device__ static inline void near_fill(near_shared &shared, const job &job, int32_t block, int32_t begin) {
    int64_t top = block_first_row(job, block), start = (int64_t)block * job.strip.width;
    for (int32_t at = (int32_t)threadIdx.x; at < NEAR_SPAN; at += NEAR_COLUMNS) {
        int64_t col = (int64_t)begin - NEAR_HALO + at;
        bool inside = col >= 0 && col < job.strip.width;
        uint32_t word = inside ? job.strip.words[start + col] : 0;
        int32_t last = inside ? job.above[start + col] : -1, first = inside ? job.below[start + col] : INT32_MAX;
        uint32_t above = last < 0 ? NEAR_NO_ROW : near_clip(top - 1 - last);
        uint32_t below = first == INT32_MAX ? NEAR_NO_ROW : near_clip(first - (top + 31));
        shared.words[at] = word;
        shared.above[at] = (uint16_t)above;
        shared.below[at] = (uint16_t)below;
        near_fill_column(shared, job.near, at, word, above, below);
    }
}

__device__ static inline uint32_t near_step(const near_plan &plan, int32_t k) {
    uint32_t d2 = (uint32_t)(plan.wx * k * k);
    return (d2 < NEAR_NONE ? d2 : NEAR_NONE) << NEAR_CODE_BITS;
}

/* The minima of NEAR_PAIRS pairs of rows from pair `first` on, for the lane's column at place `at`; live: halves that are
 * pixels of the raster. */
__device__ static inline void near_window(const near_shared &shared, const near_plan &plan, int32_t first, int32_t at,
                                          const uint32_t *live, uint32_t *keys) {
    for (int32_t i = 0; i < NEAR_PAIRS; i++) keys[i] = (shared.keys[first + i][at] + BOTH(NEAR_CENTRE)) & live[i];
    for (int32_t k = 1; k <= plan.columns; k += 2) {
        uint32_t west = near_step(plan, k) + NEAR_CENTRE - k, east = west + 2 * k;
        uint32_t far_west = near_step(plan, k + 1) + NEAR_CENTRE - k - 1, far_east = far_west + 2 * k + 2;
        uint32_t worst = __vmaxu2(__vmaxu2(keys[0], keys[1]), __vmaxu2(keys[2], keys[3]));
        worst = worst >> 16 > (worst & 0xffff) ? worst >> 16 : worst & 0xffff;
        if (!__any_sync(ALL_LANES, worst >= west)) break;
#pragma unroll
        for (int32_t i = 0; i < NEAR_PAIRS; i++) {
            const uint32_t *here = shared.keys[first + i] + at;
            keys[i] = __viaddmin_u16x2(here[-k], BOTH(west), keys[i]);
            keys[i] = __viaddmin_u16x2(here[k], BOTH(east), keys[i]);
            keys[i] = __viaddmin_u16x2(here[-k - 1], BOTH(far_west), keys[i]);
            keys[i] = __viaddmin_u16x2(here[k + 1], BOTH(far_east), keys[i]);
        }
    }
}

/* Writes one pixel; row: of the sub-block. */
__device__ static inline void near_emit(const near_shared &shared, const job &job, int32_t block, int32_t row, int32_t col,
                                        int32_t at, uint32_t key) {
    answer<int32_t> a = {col, block * BLOCK_ROWS + row, (int32_t)(key >> NEAR_CODE_BITS), false, 0, 0};
    a.reached = a.d2 <= job.near.d2;
    if (job.owners) {
        int32_t offset = (int32_t)(key & NEAR_CODE_MASK) - (int32_t)NEAR_CENTRE;
        uint32_t word = shared.words[at + offset], over = word << (31 - row), under = word >> row >> 1;
        int32_t up = over ? __clz((int)over) : shared.above[at + offset] + row + 1;
        int32_t down = under ? __ffs((int)under) : shared.below[at + offset] + 31 - row;
        a.owner_col = col + offset;
        a.owner_row = block_first_row(job, block) + row + (down < up ? down : -up);
    }
    emit(job, a);
}

/* Solves the pairs of rows from `first` on of one tile; false if a pixel is far. */
__device__ static inline bool near_rows(const near_shared &shared, const job &job, int32_t block, int32_t first, int32_t col,
                                        int32_t at) {
    const bool inside = col < job.strip.width;
    const int32_t rows = block_rows(job, block);
    uint32_t keys[NEAR_PAIRS], live[NEAR_PAIRS], beyond = 0;
    for (int32_t i = 0; i < NEAR_PAIRS; i++)
        live[i] = !inside ? 0 : (first + i < rows ? 0xffffu : 0) | (first + i + 16 < rows ? 0xffff0000u : 0);
    near_window(shared, job.near, first, at, live, keys);
    for (int32_t i = 0; i < NEAR_PAIRS && !job.near.decides; i++)
        beyond |= (uint32_t)((keys[i] & 0xffff) >> NEAR_CODE_BITS > (uint32_t)job.near.d2) |
                  (uint32_t)(keys[i] >> (16 + NEAR_CODE_BITS) > (uint32_t)job.near.d2);
    if (__any_sync(ALL_LANES, beyond != 0)) return false;
#pragma unroll
    for (int32_t i = 0; i < NEAR_PAIRS; i++) {
        if (live[i] & 0xffff) near_emit(shared, job, block, first + i, col, at, keys[i] & 0xffff);
        if (live[i] >> 16) near_emit(shared, job, block, first + i + 16, col, at, keys[i] >> 16);
    }
    return true;
}

/* A far tile may be found out after some of its rows are written: the lists write them again. */
static __global__ void __launch_bounds__(NEAR_COLUMNS) near_kernel(const __grid_constant__ job job) {
    __shared__ near_shared shared;
    const int32_t across = (job.tiles + NEAR_COLUMNS / TILE - 1) / (NEAR_COLUMNS / TILE);
    const int32_t block = (int32_t)(blockIdx.x / across), begin = (int32_t)(blockIdx.x % across) * NEAR_COLUMNS;
    near_fill(shared, job, block, begin);
    __syncthreads();
    const int32_t tile = (begin + (int32_t)threadIdx.x) / TILE;
    if (tile >= job.tiles) return;
    bool near = true;
    for (int32_t i = 0; i < BLOCK_ROWS / 2 && near; i += NEAR_PAIRS) {
        int32_t first = (BLOCK_ROWS / 2 - NEAR_PAIRS + i) % (BLOCK_ROWS / 2); /* the middle row first: a far tile shows there */
        near = near_rows(shared, job, block, first, begin + (int32_t)threadIdx.x, NEAR_HALO + (int32_t)threadIdx.x);
    }
    if (!near && threadIdx.x % WARP == 0) atomicOr(&job.far[(int64_t)block * job.segments + tile / 32], 1u << tile % 32);
}

/* Solves what is near and marks what is far. Where the keys cannot hold the metric everything is. */
static inline cudaError_t near(const job *job, cudaStream_t stream) {
    size_t bytes = (size_t)job->blocks * (size_t)job->segments * sizeof *job->far;
    if (!near_applies(&job->near)) return cudaMemsetAsync(job->far, 0xff, bytes, stream);
    cudaError_t error = cudaMemsetAsync(job->far, 0, bytes, stream);
    if (error != cudaSuccess) return error;
    int32_t across = (job->tiles + NEAR_COLUMNS / TILE - 1) / (NEAR_COLUMNS / TILE);
    near_kernel<<<(unsigned)job->blocks *(unsigned)across, NEAR_COLUMNS, 0, stream>>>(*job);
    return cudaGetLastError();
}

#endif
