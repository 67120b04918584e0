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
 * once a tile that shows a pixel out of reach, or lies where targets are few.
 *
 * In: the strip's words, the job's above, below and ranks. Out: the strip's outputs; far and
 * far_blocks. */
#ifndef PREDT__GPU_NEAR_CUH
#define PREDT__GPU_NEAR_CUH

#include "near_keys.cuh"

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
__device__ static inline nearest_target near_owner(const near_shared &shared, int32_t row,
                                                   int32_t col, int32_t at, uint32_t key) {
    int32_t offset = (int32_t)(key & NEAR_CODE_MASK) - (int32_t)NEAR_CENTRE;
    int32_t rows = ((const uint8_t *)&shared.rows[row % 16][at + offset])[row / 16] - NEAR_HERE;
    return {col + offset, row + rows, 0};
}

/* The owners of a group's pixels. Well inside a label raster the loads wait for nothing: even an
 * owner that is out of reach, or was clipped, has a place there. */
template <unsigned WANT>
__device__ static inline void near_owners(const near_shared &shared, const strip_job &job,
                                          int32_t block, int32_t first, int32_t col, int32_t at,
                                          const uint32_t *keys, nearest_target *owners) {
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
    const uint32_t largest = (uint32_t)(plan.d2 + 1) << NEAR_CODE_BITS;
    uint32_t beyond = 0;
#pragma unroll
    for (int32_t i = 0; i < NEAR_PAIRS; i++)
        beyond |= ((keys[i] & 0xffff) >= largest ? 1u : 0) << (first + i) |
                  (keys[i] >> 16 >= largest ? 0x10000u : 0) << (first + i);
    return beyond;
}

/* Solves the pairs of rows from `first` on of one tile; returns the rows on which a pixel is
 * far. */
template <unsigned WANT>
__device__ static inline uint32_t near_rows(const near_shared &shared, const strip_job &job,
                                            const outlet &out, int32_t first, int32_t col,
                                            int32_t at) {
    const int32_t rows = col < job.strip.width ? block_rows(job, out.block) : 0;
    uint32_t keys[NEAR_PAIRS], live[NEAR_PAIRS], far = 0;
    nearest_target owners[NEAR_PIXELS] = {};
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
__device__ static inline void mark_far(const strip_job &job, int32_t block, int32_t tile,
                                       uint32_t rows) {
    const int32_t row = threadIdx.x % WARP;
    if (rows >> row & 1)
        atomicOr(&job.far[((int64_t)block * BLOCK_ROWS + row) * job.segments + tile / WARP],
                 1u << tile % WARP);
    if (row == 0) job.far_blocks[block] = 1;
}

/* Rows found out to be far are written all the same: the lists write them again. */
template <unsigned WANT>
static __global__ void __launch_bounds__(NEAR_COLUMNS)
    near_kernel(const __grid_constant__ strip_job job) {
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
static inline cudaError_t near(const strip_job *job, cudaStream_t stream) {
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
