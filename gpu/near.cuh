/* The near regime: where every pixel of a tile has a target within a few columns, its nearest one
 * is a windowed minimum,
 *
 *     d2(col) = min over |k| <= reach of  wx * k^2 + wy * g(col + k)^2,
 *
 * g being the rows to the nearest target of a column. d2 and the column's offset share a key of 16
 * bits, so that an unsigned minimum keeps both and breaks ties to the west, and two rows share a
 * register: one instruction adds and compares for 64 pixels of a warp. A warp solves a tile; k is
 * the same for all its lanes, and it stops as soon as wx * k^2 exceeds every minimum found so far.
 * Rows of a tile on which some minimum stays beyond plan.d2 are far and left to the lists; so is at
 * once a tile that shows a pixel out of reach, or lies where targets are few. */
#ifndef PREDT__GPU_NEAR_CUH
#define PREDT__GPU_NEAR_CUH

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

/* Loads the columns of the block and its halo; those outside the raster have no target. */
__device__ static inline void near_load(near_shared &shared, const job &job, int32_t block,
                                        int32_t begin) {
    int64_t top = block_first_row(job, block), start = (int64_t)block * job.strip.width;
    const int32_t reach = job.near.rows;
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
#pragma unroll
        for (int32_t probe = 0; probe < NEAR_PROBES; probe++) {
            int32_t row = probe * (BLOCK_ROWS - 1) / (NEAR_PROBES - 1), up = min(row, reach),
                    down = min(31 - row, reach);
            uint32_t around = ALL_LANES >> (31 - up - down) << (row - up);
            bool covers =
                word & around || (int32_t)above + row < reach || (int32_t)below + 31 - row <= reach;
            uint32_t covered = __ballot_sync(ALL_LANES, covers);
            if (threadIdx.x % WARP == 0) shared.covered[probe][at / WARP] = covered;
        }
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
        uint32_t low = rows & 0xffff, high = rows >> 16, wy = (uint32_t)plan.wy;
        uint32_t squares = __vminu2(low * low * wy | high * high * wy << 16, BOTH(NEAR_NONE));
        shared.keys[row][at] = squares << NEAR_CODE_BITS;
        if (OWNERS) {
            uint32_t is_down = __vminu2(nearest ^ ups[row], BOTH(1)) * 0xffff;
            uint32_t signs =
                (BOTH(NEAR_HERE) + rows & is_down) | (BOTH(NEAR_HERE) - rows & ~is_down);
            shared.rows[row][at] = (uint16_t)__byte_perm(signs, 0, 0x4420);
        }
        uint32_t targets = (word >> row & BOTH(1)) * 0xffff;
        down = (down & ~targets) + BOTH(1);
    }
}

template <bool OWNERS>
__device__ static inline void near_fill(near_shared &shared, const job &job) {
    for (int32_t at = (int32_t)threadIdx.x; at < NEAR_SPAN; at += NEAR_COLUMNS)
        near_fill_column<OWNERS>(shared, job.near, at);
    for (int32_t d2 = (int32_t)threadIdx.x; d2 <= NEAR_NONE; d2 += NEAR_COLUMNS)
        shared.distances[d2] = d2 <= job.near.d2 ? distance_of(job, d2) : INFINITY;
}

/* ---- Rows ---- */

__device__ static inline uint32_t near_step(const near_plan &plan, int32_t k) {
    uint32_t d2 = (uint32_t)(plan.wx * k * k);
    return (d2 < NEAR_NONE ? d2 : NEAR_NONE) << NEAR_CODE_BITS;
}

/* The minima of NEAR_PAIRS pairs of rows from pair `first` on, for the lane's column at place `at`;
 * live: halves that are pixels of the raster. */
__device__ static inline void near_window(const near_shared &shared, const near_plan &plan,
                                          int32_t first, int32_t at, const uint32_t *live,
                                          uint32_t *keys) {
    for (int32_t i = 0; i < NEAR_PAIRS; i++)
        keys[i] = (shared.keys[first + i][at] + BOTH(NEAR_CENTRE)) & live[i];
    for (int32_t k = 1; k <= plan.columns; k += 2) {
        uint32_t west = near_step(plan, k) + NEAR_CENTRE - k, east = west + 2 * k;
        uint32_t far_west = near_step(plan, k + 1) + NEAR_CENTRE - k - 1,
                 far_east = far_west + 2 * k + 2;
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

/* The pixel i of a group: first those of the pairs' upper rows, then those of the lower ones. */
__device__ static inline uint32_t near_key(const uint32_t *keys, int32_t i) {
    return i < NEAR_PAIRS ? keys[i] & 0xffff : keys[i - NEAR_PAIRS] >> 16;
}
__device__ static inline int32_t near_row(int32_t first, int32_t i) {
    return i < NEAR_PAIRS ? first + i : first + i - NEAR_PAIRS + 16;
}

/* The owner that a pixel's key stands for, yet without its label. */
__device__ static inline owner near_owner(const near_shared &shared, int32_t row, int32_t col,
                                          int32_t at, uint32_t key) {
    int32_t offset = (int32_t)(key & NEAR_CODE_MASK) - (int32_t)NEAR_CENTRE;
    int32_t rows = ((const uint8_t *)&shared.rows[row % 16][at + offset])[row / 16] - NEAR_HERE;
    return {col + offset, row + rows, 0};
}

/* The owners of a group's pixels. Well inside a label raster the loads wait for nothing: even an
 * owner that is out of reach, or was clipped, has a place there. */
template <unsigned WANT>
__device__ static inline void near_owners(const near_shared &shared, const job &job, int32_t block,
                                          int32_t first, int32_t col, int32_t at,
                                          const uint32_t *keys, owner *owners) {
    typedef typename places<WANT>::type place;
    const int32_t width = job.strip.width, top = block * BLOCK_ROWS, rows = block_rows(job, block);
    const bool inside = block > 0 && top + 2 * BLOCK_ROWS <= job.strip.rows;
    if (WANT & WANT_LABEL4 && job.strip.label_raster && inside) {
        const uint32_t *labels = (const uint32_t *)job.strip.label_raster + (int64_t)top * width;
#pragma unroll
        for (int32_t i = 0; i < NEAR_PIXELS; i++) {
            owners[i] = near_owner(shared, near_row(first, i), col, at, near_key(keys, i));
            if (col < width)
                owners[i].label = __ldg(labels + ((place)owners[i].row * width + owners[i].col));
        }
        return;
    }
#pragma unroll
    for (int32_t i = 0; i < NEAR_PIXELS; i++) {
        uint32_t key = near_key(keys, i);
        owners[i] = near_owner(shared, near_row(first, i), col, at, key);
        if (col < width && near_row(first, i) < rows &&
            (int32_t)(key >> NEAR_CODE_BITS) <= job.near.d2)
            owners[i] = owner_at<WANT, place>(job, block, owners[i].col, owners[i].row);
    }
}

/* Rows of the pairs from `first` on with a pixel beyond the regime, for the lane's column. */
__device__ static inline uint32_t near_beyond(const near_plan &plan, int32_t first,
                                              const uint32_t *keys) {
    const uint32_t most = (uint32_t)(plan.d2 + 1) << NEAR_CODE_BITS;
    uint32_t beyond = 0;
#pragma unroll
    for (int32_t i = 0; i < NEAR_PAIRS; i++)
        beyond |= ((keys[i] & 0xffff) >= most ? 1u : 0) << (first + i) |
                  (keys[i] >> 16 >= most ? 0x10000u : 0) << (first + i);
    return beyond;
}

/* Solves the pairs of rows from `first` on of one tile; returns the rows on which a pixel is
 * far. */
template <unsigned WANT>
__device__ static inline uint32_t near_rows(const near_shared &shared, const job &job,
                                            const outlet &out, int32_t first, int32_t col,
                                            int32_t at) {
    const int32_t rows = col < job.strip.width ? block_rows(job, out.block) : 0;
    uint32_t keys[NEAR_PAIRS], live[NEAR_PAIRS], far = 0;
    owner owners[NEAR_PIXELS] = {};
    for (int32_t i = 0; i < NEAR_PAIRS; i++)
        live[i] = (first + i < rows ? 0xffffu : 0) | (first + i + 16 < rows ? 0xffff0000u : 0);
    near_window(shared, job.near, first, at, live, keys);
    if (!job.near.decides) far = warp_or(near_beyond(job.near, first, keys));
    if (wants_owner<WANT>(job))
        near_owners<WANT>(shared, job, out.block, first, col, at, keys, owners);
#pragma unroll
    for (int32_t i = 0; i < NEAR_PIXELS; i++) {
        int32_t d2 = (int32_t)(near_key(keys, i) >> NEAR_CODE_BITS), row = near_row(first, i);
        answer<int32_t> a = {col, row, d2, shared.distances[d2], d2 <= job.near.d2, owners[i]};
        if (row < rows) emit<WANT>(job, out, a);
    }
    return far;
}

/* Notes rows of a tile as far, one a lane. */
__device__ static inline void mark_far(const job &job, int32_t block, int32_t tile, uint32_t rows) {
    const int32_t row = threadIdx.x % WARP;
    if (rows >> row & 1)
        atomicOr(&job.far[((int64_t)block * BLOCK_ROWS + row) * job.segments + tile / WARP],
                 1u << tile % WARP);
    if (row == 0) job.far_blocks[block] = 1;
}

/* Rows found out to be far are written all the same: the lists write them again. */
template <unsigned WANT>
static __global__ void __launch_bounds__(NEAR_COLUMNS)
    near_kernel(const __grid_constant__ job job) {
    __shared__ near_shared shared;
    const int32_t across = (job.tiles + NEAR_COLUMNS / TILE - 1) / (NEAR_COLUMNS / TILE);
    const int32_t block = (int32_t)(blockIdx.x / across),
                  begin = (int32_t)(blockIdx.x % across) * NEAR_COLUMNS;
    const int32_t col = begin + (int32_t)threadIdx.x, tile = col / TILE;
    near_load(shared, job, block, begin);
    __syncthreads();
    bool solve = job.near.decides ||
                 !(near_is_sparse(shared) || near_misses(shared, job.near, col < job.strip.width));
    solve &= tile < job.tiles;
    if (!solve && tile < job.tiles) mark_far(job, block, tile, ALL_LANES);
    if (!__syncthreads_or(solve)) return;
    wants_owner<WANT>(job) ? near_fill<true>(shared, job) : near_fill<false>(shared, job);
    __syncthreads();
    if (!solve) return;
    uint32_t far = 0;
    for (int32_t first = 0; first < BLOCK_ROWS / 2; first += NEAR_PAIRS)
        far |= near_rows<WANT>(shared, job, outlet_at(job, block, 0), first, col,
                               NEAR_HALO + (int32_t)threadIdx.x);
    if (far) mark_far(job, block, tile, far);
}

/* Solves what is near and marks what is far. Where the keys cannot hold the metric everything
 * is. */
static inline cudaError_t near(const job *job, cudaStream_t stream) {
    size_t bytes =
        (size_t)job->blocks * (BLOCK_ROWS * (size_t)job->segments + 1) * sizeof *job->far;
    if (!near_applies(&job->near)) return cudaMemsetAsync(job->far, 0xff, bytes, stream);
    cudaError_t error = cudaMemsetAsync(job->far, 0, bytes, stream);
    if (error != cudaSuccess) return error;
    int32_t across = (job->tiles + NEAR_COLUMNS / TILE - 1) / (NEAR_COLUMNS / TILE);
    unsigned grid = (unsigned)job->blocks * (unsigned)across;
#define LAUNCH_NEAR(WANT) near_kernel<WANT><<<grid, NEAR_COLUMNS, 0, stream>>>(*job)
    FOR_WANTED(job, LAUNCH_NEAR)
#undef LAUNCH_NEAR
    return cudaGetLastError();
}

#endif
