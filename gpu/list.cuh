/* From the columns that the sieve has kept to the list of each far sub-block: a few more rounds of
 * the same test among the columns that are left, the columns of its own targets added, and all that
 * stay written one after the other.
 *
 * In: kept_above and kept_below (sieve.cuh), far_blocks (near.cuh), the strip's words, the job's
 * above and below. Out: lists, count, runs. */
#ifndef PREDT__GPU_LIST_CUH
#define PREDT__GPU_LIST_CUH

#include "block_scan.cuh"
#include "sieve.cuh"

#define LIST_THREADS 1024

/* A member of one side's list while it is sieved once more. */
struct alignas(8) member {
    int32_t col;
    float height; /* rows to it from the nearest row of the sub-block */
};

typedef struct list_shared {
    int32_t before[LIST_THREADS]; /* entries before each tile of the part */
    block_scan scan;
} list_shared;

/* Calls put(col, place) for each column whose bit is set in bits(tile), in order; returns how many
 * there are. All threads of the block take part. */
template <typename BITS, typename PUT>
__device__ static inline int32_t gather_columns(list_shared &shared, int32_t tiles,
                                                const BITS &bits, const PUT &put) {
    const int32_t lane = threadIdx.x % WARP;
    int32_t count = 0;
    for (int32_t part = 0; part < tiles; part += LIST_THREADS) {
        int32_t mine = part + (int32_t)threadIdx.x, total;
        int32_t before =
            exclusive_sum<LIST_THREADS>(shared.scan, mine < tiles ? __popc(bits(mine)) : 0, &total);
        shared.before[threadIdx.x] = count + before;
        __syncthreads();
        for (int32_t tile = part + (int32_t)threadIdx.x / WARP;
             tile < tiles && tile < part + LIST_THREADS; tile += LIST_THREADS / WARP) {
            uint32_t columns = bits(tile);
            int32_t place = shared.before[tile - part] + __popc(columns & ((1u << lane) - 1));
            if (columns >> lane & 1) put(tile * TILE + lane, place);
        }
        count += total;
        __syncthreads();
    }
    return count;
}

#define MEMBER_GAP 256 /* places */

/* The slope between two members, as above, on the sub-block's nearest row; *farthest: on its row
 * farthest from them. */
__device__ static inline float slope_of(member west, member east, float ratio, float sign,
                                        float *farthest) {
    float columns = (float)(east.col - west.col), rise = sign * columns * ratio,
          rows = east.height - west.height;
    float slope = __fdividef(rows * (east.height + west.height), columns) + rise;
    *farthest = slope + 2 * (BLOCK_ROWS - 1) * __fdividef(rows, columns);
    return slope;
}

/* A member is also left out if a single one beats it in all of the raster: their border, half a
 * slope over wx / wy columns away from it, lies beyond the raster's edge on the nearest row and on
 * the farthest one, hence on all between. */
__device__ static inline bool beyond_edge(float slope, float columns, float ratio, float square) {
    return slope > 2 * ratio * (columns + 1) + 8 * SIEVE_MARGIN * (slope + square);
}

/* Sieves one side's members again, each against others 1, 2, 4, ... places away. */
__device__ static inline void sieve_members(const member *members, int32_t count, int32_t width,
                                            float ratio, uint32_t *kept) {
    for (int32_t i = (int32_t)threadIdx.x; i < count; i += LIST_THREADS) {
        member here = members[i];
        slopes s = {-INFINITY, INFINITY};
        /* the slopes nearest to the edge on both rows */
        float west = -INFINITY, east = INFINITY, farthest;
        for (int32_t gap = 1; gap < count && gap <= MEMBER_GAP; gap *= 2) {
            if (i >= gap) {
                float slope = slope_of(members[i - gap], here, ratio, -1, &farthest);
                s.left = fmaxf(s.left, slope);
                west = fmaxf(west, fminf(slope, farthest));
            }
            if (i + gap < count) {
                float slope = slope_of(here, members[i + gap], ratio, 1, &farthest);
                s.right = fminf(s.right, slope);
                east = fminf(east, fmaxf(slope, farthest));
            }
        }
        float square =
            here.height * here.height + BLOCK_ROWS * here.height + BLOCK_ROWS * BLOCK_ROWS;
        if (shadowed(s, square) ||
            beyond_edge(west, (float)(width - 1 - here.col), ratio, square) ||
            beyond_edge(-east, (float)here.col, ratio, square))
            atomicAnd(&kept[here.col / TILE], ~(1u << here.col % TILE));
    }
    __syncthreads();
}

#define SIEVE_ROUNDS 3
#define SIEVE_FEW 64 /* lists this short are not worth another round */

/* The tiles of one part of a sub-block, and where it begins. */
struct list_part {
    int32_t block, tile, tiles;
};

__device__ static inline list_part part_of(const strip_job &job, int32_t index) {
    int32_t tile = index % job.parts * PART_TILES, rest = job.tiles - tile;
    return {index / job.parts, tile, rest < PART_TILES ? rest : PART_TILES};
}

template <bool BELOW>
__device__ static inline void sieve_side(list_shared &shared, const strip_job &job,
                                         const list_part &part, uint32_t *kept) {
    const int32_t block = part.block, begin = part.tile * TILE;
    /* the list is not there yet */
    member *members = (member *)(job.lists + (int64_t)block * job.strip.width + begin);
    float ratio = sieve_ratio(job);
    int32_t before = INT32_MAX;
    for (int32_t round = 0; round < SIEVE_ROUNDS && ratio > 0; round++) {
        int32_t count = gather_columns(
            shared, part.tiles, [&](int32_t tile) { return kept[part.tile + tile]; },
            [&](int32_t col, int32_t place) {
                members[place] = {begin + col, height<BELOW>(job, block, begin + col)};
            });
        if (count <= SIEVE_FEW || count > before - before / 8) break;
        before = count;
        sieve_members(members, count, job.strip.width, ratio, kept);
    }
    __syncthreads();
}

/* Targets of the column, unless it lies inside a run of full columns: those are nearest to
 * themselves only. */
__device__ static inline bool own_matters(const strip_job &job, int32_t block, int32_t col) {
    const uint32_t *words = job.strip.words + (int64_t)block * job.strip.width;
    uint32_t full = ALL_LANES >> (BLOCK_ROWS - block_rows(job, block)), word = words[col];
    uint32_t left = col > 0 ? words[col - 1] : full,
             right = col + 1 < job.strip.width ? words[col + 1] : full;
    return word && (word & left & right) != full;
}

/* Full columns inside a run are left out for what lies outside, too. */
__device__ static inline bool inside_run(const strip_job &job, int32_t block, int32_t col) {
    const uint32_t *words = job.strip.words + (int64_t)block * job.strip.width;
    return words[col] && !own_matters(job, block, col);
}

__device__ static inline list_entry entry_of(const strip_job &job, int32_t block, int32_t col) {
    int64_t at = (int64_t)block * job.strip.width + col;
    int32_t above = job.above[at], below = job.below[at], top = block_first_row(job, block);
    return {col, above < 0 ? NONE_ABOVE : above - top,
            below == INT32_MAX ? NONE_BELOW : (uint32_t)(below - top), job.strip.words[at]};
}

/* Adds the columns of own targets to those kept above and below; the result lies in kept_above. The
 * columns inside runs are noted where those kept below were. */
__device__ static inline void keep_own(const strip_job &job, const list_part &part, uint32_t *above,
                                       uint32_t *below) {
    const int32_t lane = threadIdx.x % WARP;
    for (int32_t i = (int32_t)threadIdx.x / WARP; i < part.tiles; i += LIST_THREADS / WARP) {
        int32_t tile = part.tile + i, col = tile * TILE + lane;
        bool inside = col < job.strip.width, own = inside && own_matters(job, part.block, col);
        uint32_t kept = above[tile] | below[tile] | __ballot_sync(ALL_LANES, own);
        uint32_t run = __ballot_sync(ALL_LANES, inside && inside_run(job, part.block, col));
        if (lane == 0) above[tile] = kept & ~run, below[tile] = run;
    }
    __syncthreads();
}

/* One block of threads a part: its columns that stay, and how many they are. Neighbours in other
 * parts are not looked at. */
static __global__ void __launch_bounds__(LIST_THREADS)
    keep_kernel(const __grid_constant__ strip_job job) {
    __shared__ list_shared shared;
    const list_part part = part_of(job, (int32_t)blockIdx.x);
    if (!job.far_blocks[part.block]) return;
    uint32_t *above = job.kept_above + (int64_t)part.block * job.tiles,
             *below = job.kept_below + (int64_t)part.block * job.tiles;
    sieve_side<false>(shared, job, part, above);
    sieve_side<true>(shared, job, part, below);
    keep_own(job, part, above, below);
    int32_t mine = (int32_t)threadIdx.x, count;
    int32_t columns = mine < part.tiles ? __popc(above[part.tile + mine]) : 0;
    exclusive_sum<LIST_THREADS>(shared.scan, columns, &count);
    if (mine == 0) job.part_counts[blockIdx.x] = count;
}

/* The parts' lists become one. */
static __global__ void __launch_bounds__(LIST_THREADS)
    list_kernel(const __grid_constant__ strip_job job) {
    __shared__ list_shared shared;
    const list_part part = part_of(job, (int32_t)blockIdx.x);
    if (!job.far_blocks[part.block]) return;
    const int32_t first = part.block * job.parts, begin = part.tile * TILE;
    const uint32_t *kept = job.kept_above + (int64_t)part.block * job.tiles + part.tile;
    list_entry *list = job.lists + (int64_t)part.block * job.strip.width;
    int32_t before = 0;
    for (int32_t i = first; i < (int32_t)blockIdx.x; i++) before += job.part_counts[i];
    gather_columns(
        shared, part.tiles, [&](int32_t tile) { return kept[tile]; },
        [&](int32_t col, int32_t place) {
            list[before + place] = entry_of(job, part.block, begin + col);
        });
    if (threadIdx.x == 0 && part.tile + part.tiles == job.tiles)
        job.count[part.block] = before + job.part_counts[blockIdx.x];
}

/* ---- Launcher ---- */

static inline cudaError_t list(const strip_job *job, cudaStream_t stream) {
    cudaError_t error = sieve_columns(job, stream);
    if (error != cudaSuccess) return error;
    keep_kernel<<<(unsigned)(job->blocks * job->parts), LIST_THREADS, 0, stream>>>(*job);
    list_kernel<<<(unsigned)(job->blocks * job->parts), LIST_THREADS, 0, stream>>>(*job);
    return cudaGetLastError();
}

#endif
