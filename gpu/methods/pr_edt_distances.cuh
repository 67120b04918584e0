/* Step 4 of PR-EDT (3.4): two one-dimensional Voronoi diagrams a row, and the outputs of its
 * pixels. */
#ifndef PREDT__PR_EDT_DISTANCES_CUH
#define PREDT__PR_EDT_DISTANCES_CUH

#include "../block_scan.cuh"
#include "pr_edt_workspace.cuh"

#define ROW_THREADS 256 /* a row's block works through its pixels in runs of this many */

/* One proximate-point set of a row, seen as a one-dimensional Voronoi diagram. */
typedef struct cells {
    /* cols[k]: column of point k; rows[col]: row of the point of a column */
    const int32_t *cols, *rows;
    int32_t n;
    int32_t last; /* the owner of the pixel before the run, or an earlier point */
} cells;

__device__ static inline int2 point_at(const cells &c, int64_t k) {
    return make_int2(c.cols[k], c.rows[c.cols[k]]);
}

/* The point in whose cell the thread's pixel, begin + threadIdx.x, lies. Points whose cell starts
 * in the run write their number at its first pixel; of several that start there the last one owns
 * it; a running maximum gives it to the pixels up to the next start. Ends after a barrier at which
 * every thread has done with the shared array. */
template <typename Measure>
__device__ static int32_t owner_of_pixel(const Measure &m, cells *c, int64_t begin, int32_t row) {
    __shared__ int32_t owner[ROW_THREADS];
    __shared__ block_scan scan;
    owner[threadIdx.x] = threadIdx.x ? 0 : c->last;
    __syncthreads();
    int more = 1;
    for (int64_t base = (int64_t)c->last + 1; more; base += ROW_THREADS) {
        int64_t k = base + threadIdx.x, start = begin + ROW_THREADS;
        if (k < c->n) start = first_column(m, point_at(*c, k - 1), point_at(*c, k), row);
        bool starts = start < begin + ROW_THREADS;
        if (starts) atomicMax(&owner[start > begin ? start - begin : 0], (int32_t)k);
        more = __syncthreads_or(starts && threadIdx.x == ROW_THREADS - 1);
    }
    return running_max<ROW_THREADS>(scan, owner[threadIdx.x], &c->last);
}

template <typename Number, typename Wide>
__device__ static inline nearest<Number> nearest_of(const whole<Number, Wide> &m, const cells &c,
                                                    int32_t k, int32_t col, int32_t row) {
    int2 point = point_at(c, k);
    return {squared(m, point, col, row), point};
}

/* Where weights round, the neighbours on both sides are asked as long as rounding may hide that
 * they are nearer. */
__device__ static nearest<double> nearest_of(const real &m, const cells &c, int32_t k, int32_t col,
                                             int32_t row) {
    int2 point = point_at(c, k);
    nearest<double> owner = {squared(m, point, col, row), point}, best = owner, here = owner;
    for (int64_t i = (int64_t)k - 1; i >= 0; i--) {
        int2 west = point_at(c, i);
        nearest<double> next = {squared(m, west, col, row), west};
        if (next.d2 > here.d2 + slack(m, west, here.point)) break;
        if (nearer(next, best, row)) best = next;
        here = next;
    }
    here = owner;
    for (int64_t i = (int64_t)k + 1; i < c.n; i++) {
        int2 east = point_at(c, i);
        nearest<double> next = {squared(m, east, col, row), east};
        if (next.d2 > here.d2 + slack(m, here.point, east)) break;
        if (nearer(next, best, row)) best = next;
        here = next;
    }
    return best;
}

/* One block for each row (3.5), a thread for each pixel in turn. The pixel takes the nearer of its
 * two owners. */
template <typename Measure>
__global__ void __launch_bounds__(ROW_THREADS)
    distances_kernel(predt__ref_strip s, workspace w, Measure m) {
    typedef typename Measure::number number;
    int64_t at = (int64_t)blockIdx.x * s.step, line = at * s.width;
    int32_t row = (int32_t)(s.first_row + at);
    cells upper = {w.sets[UPPER] + line, w.candidates[UPPER] + line, w.counts[UPPER][at], 0};
    cells lower = {w.sets[LOWER] + line, w.candidates[LOWER] + line, w.counts[LOWER][at], 0};
    int64_t end = s.col + (int64_t)(s.cols - 1) * s.step + 1;
    for (int64_t begin = s.col; begin < end; begin += ROW_THREADS) {
        int32_t up = upper.n ? owner_of_pixel(m, &upper, begin, row) : 0;
        int32_t low = lower.n ? owner_of_pixel(m, &lower, begin, row) : 0;
        int64_t col = begin + threadIdx.x;
        if (col >= end || (col - s.col) % s.step) continue;
        nearest<number> best = {0, make_int2(-1, -1)}, below = best;
        if (upper.n) best = nearest_of(m, upper, up, (int32_t)col, row);
        if (lower.n) below = nearest_of(m, lower, low, (int32_t)col, row);
        if (lower.n && nearer(below, best, row)) best = below;
        emit_nearest(s, blockIdx.x * (int64_t)s.cols + (col - s.col) / s.step, best, (int32_t)col,
                     row);
    }
}

template <typename Measure>
static cudaError_t distances(const predt__ref_strip *s, const workspace *w, const Measure &m,
                             cudaStream_t stream) {
    distances_kernel<<<(unsigned)s->wanted_rows, ROW_THREADS, 0, stream>>>(*s, *w, m);
    return cudaGetLastError();
}

#endif
