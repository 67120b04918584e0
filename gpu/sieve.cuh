/* The first step towards the list of a sub-block: the columns in which pixels of its far tiles may
 * find their nearest target.
 *
 * Of the targets above a sub-block most can own no pixel of it, on any of its rows: a target whose
 * neighbours to the left and right meet in front of it on the first row is shadowed, and further
 * down all the more (proximate sets, as in PR-EDT). The same holds upwards for the targets below. A
 * target is thrown out if one pair of others shadows it; that the two may be thrown out themselves
 * does no harm, since what beats them beats it too. Not all pairs are tried: the list may hold a
 * column too many, never one too few.
 *
 * In: far_blocks, the job's above and below. Out: kept_above and kept_below. */
#ifndef PREDT__GPU_SIEVE_CUH
#define PREDT__GPU_SIEVE_CUH

#include "job.cuh"
#include "warp.cuh"

/* the widest gap, in columns, between a target and those that it is tested against at first */
#define SIEVE_GAP 64
#define SIEVE_COLUMNS 256 /* of a block of threads */
#define SIEVE_SPAN (SIEVE_COLUMNS + 2 * SIEVE_GAP)
/* float32 errors of the test below are at most 2^-20 of the sum that this is multiplied with */
#define SIEVE_MARGIN 2e-6f

/* How steep the way from a column's target to those on its left and right is, in squared rows a
 * column: the target is shadowed if the steepest on the left reaches the flattest on the right.
 * With squared heights H and the neighbour g columns away these are (H - H_left) / g - g * wx / wy
 * and (H_right - H) / g + g * wx / wy. */
typedef struct slopes {
    float left, right;
} slopes;

__device__ static inline bool shadowed(slopes s, float square) {
    return s.left >= s.right + SIEVE_MARGIN * (fabsf(s.left) + fabsf(s.right) + square);
}

/* Rows from the sub-block's first row up to the column's last target above, or from its last row
 * down to the first one below; INFINITY for none. */
template <bool BELOW>
__device__ static inline float height(const strip_job &job, int32_t block, int64_t col) {
    int32_t row = (BELOW ? job.below : job.above)[(int64_t)block * job.strip.width + col];
    int32_t top = block_first_row(job, block), last = top + block_rows(job, block) - 1;
    if (row == (BELOW ? INT32_MAX : -1)) return INFINITY;
    return (float)(BELOW ? row - last : top - row);
}
/* wx / wy if float32 can carry it, else 0: no sieve. */
__device__ static inline float sieve_ratio(const strip_job &job) {
    double ratio = job.strip.metric.wx / job.strip.metric.wy;
    return ratio > 1e-18 && ratio < 1e18 ? (float)ratio : 0;
}

/* squares: heights squared around the column's place, INFINITY for no target. */
__device__ static inline bool sieve(const float *squares, float ratio) {
    float here = *squares, inverse = 1, rise = ratio;
    if (here == INFINITY) return false;
    if (ratio == 0) return true;
    slopes s = {-INFINITY, INFINITY};
#pragma unroll
    for (int32_t gap = 1; gap <= SIEVE_GAP; gap *= 2, inverse *= 0.5f, rise *= 2) {
        s.left = fmaxf(s.left, (here - squares[-gap]) * inverse - rise);
        s.right = fminf(s.right, (squares[gap] - here) * inverse + rise);
    }
    return !shadowed(s, here);
}

template <bool BELOW>
__device__ static inline float square_at(const strip_job &job, int32_t block, int64_t col) {
    if (col < 0 || col >= job.strip.width) return INFINITY;
    float rows = height<BELOW>(job, block, col);
    return rows * rows;
}

/* One thread a column, one warp a tile. */
static __global__ void __launch_bounds__(SIEVE_COLUMNS)
    sieve_kernel(const __grid_constant__ strip_job job) {
    __shared__ float above[SIEVE_SPAN], below[SIEVE_SPAN];
    const int32_t across = (job.tiles + SIEVE_COLUMNS / TILE - 1) / (SIEVE_COLUMNS / TILE);
    const int32_t block = (int32_t)(blockIdx.x / across),
                  begin = (int32_t)(blockIdx.x % across) * SIEVE_COLUMNS;
    if (!job.far_blocks[block]) return;
    for (int32_t at = (int32_t)threadIdx.x; at < SIEVE_SPAN; at += SIEVE_COLUMNS) {
        above[at] = square_at<false>(job, block, (int64_t)begin - SIEVE_GAP + at);
        below[at] = square_at<true>(job, block, (int64_t)begin - SIEVE_GAP + at);
    }
    __syncthreads();
    const int32_t at = SIEVE_GAP + (int32_t)threadIdx.x,
                  tile = (begin + (int32_t)threadIdx.x) / TILE;
    float ratio = sieve_ratio(job);
    uint32_t kept_above = __ballot_sync(ALL_LANES, sieve(above + at, ratio));
    uint32_t kept_below = __ballot_sync(ALL_LANES, sieve(below + at, ratio));
    if (threadIdx.x % WARP || tile >= job.tiles) return;
    job.kept_above[(int64_t)block * job.tiles + tile] = kept_above;
    job.kept_below[(int64_t)block * job.tiles + tile] = kept_below;
}

/* ---- Launcher ---- */

static inline cudaError_t sieve_columns(const strip_job *job, cudaStream_t stream) {
    int32_t across = (job->tiles + SIEVE_COLUMNS / TILE - 1) / (SIEVE_COLUMNS / TILE);
    sieve_kernel<<<(unsigned)job->blocks *(unsigned)across, SIEVE_COLUMNS, 0, stream>>>(*job);
    return cudaGetLastError();
}

#endif
