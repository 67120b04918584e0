/* The lists regime: tiles whose targets are too far for windows.
 *
 * Along a row the owner only moves to the right in the sub-block's list (sieve.cuh), which is sorted by column. So the owner
 * of a pixel lies between those of any two pixels around it, and each row is halved again and again: the ends of its
 * segments first, then the borders of tiles; the pixels of a tile are tried against the few entries between the owners at its
 * two borders. */
#ifndef PREDT__GPU_LISTS_CUH
#define PREDT__GPU_LISTS_CUH

#include "emit.cuh"
#include "sieve.cuh"

/* ---- Who is nearest ---- */

/* The weights in the type in which d2 is compared. */
template <typename NUMBER> struct measure {
    NUMBER wx, wy;
    NUMBER slack; /* differences of d2 that rounding can hide, anywhere in the raster; 0: none */
    __device__ NUMBER height2(uint32_t rows) const { return wy * ((NUMBER)rows * (NUMBER)rows); }
    __device__ NUMBER d2(int32_t col, int32_t owner_col, NUMBER height2) const {
        NUMBER dcol = (NUMBER)col - (NUMBER)owner_col;
        return wx * (dcol * dcol) + height2;
    }
};

template <typename NUMBER> __device__ static inline NUMBER most();
template <> __device__ inline int32_t most<int32_t>() { return INT32_MAX; }
template <> __device__ inline int64_t most<int64_t>() { return INT64_MAX; }
template <> __device__ inline double most<double>() { return INFINITY; }

template <typename NUMBER> __device__ static inline NUMBER warp_min(NUMBER value) {
    for (int32_t step = WARP / 2; step > 0; step /= 2) {
        NUMBER other = __shfl_xor_sync(ALL_LANES, value, step);
        value = other < value ? other : value;
    }
    return value;
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
template <> __device__ inline int32_t warp_min(int32_t value) { return __reduce_min_sync(ALL_LANES, value); }
#endif

/* Rows from row `row` of the sub-block to the column's nearest target; negative ones lie above. */
typedef struct nearest_row {
    uint32_t rows;
    bool down;
} nearest_row;

__device__ static inline nearest_row look(const entry &e, int32_t row) {
    uint32_t up = (uint32_t)row - (uint32_t)e.above, down = e.below - (uint32_t)row;
    if (e.word) {
        uint32_t over = e.word << (31 - row), under = e.word >> row >> 1;
        if (over) up = (uint32_t)__clz((int)over);
        if (under) down = (uint32_t)__ffs((int)under);
    }
    return {down < up ? down : up, down < up};
}

/* The owner of pixel (col, row) among the entries first to last. The whole warp looks for one pixel. */
template <typename NUMBER, bool ROUNDS>
__device__ static inline reach find(const measure<NUMBER> &m, const entry *list, int32_t first, int32_t last, int32_t col,
                                    int32_t row) {
    if (first == last) return {first, first, first};
    const int32_t lane = threadIdx.x % WARP;
    NUMBER least = most<NUMBER>();
    int32_t at = INT32_MAX;
    for (int32_t i = first + lane; i <= last; i += WARP) {
        entry e = list[i];
        NUMBER d2 = m.d2(col, e.col, m.height2(look(e, row).rows));
        if (at == INT32_MAX || d2 < least) least = d2, at = i;
    }
    NUMBER d2 = warp_min(least);
    int32_t best = warp_min(least == d2 ? at : INT32_MAX);
    if (!ROUNDS) return {best, best, best};
    int32_t west = INT32_MAX, east = -1;
    for (int32_t i = first + lane; i <= last; i += WARP) {
        entry e = list[i];
        if (m.d2(col, e.col, m.height2(look(e, row).rows)) > d2 + m.slack) continue;
        if (west == INT32_MAX) west = i;
        east = i;
    }
    return {warp_min(west), best, -warp_min(-east)};
}

/* ---- Many pixels at once ---- */

#define TRY_ALL 96 /* with up to this many entries to choose from 32 pixels are not halved any further */

/* An entry as pixels of one row see it. Without rounding d2 less wx * pixel^2 is a straight line along the row, which is
 * enough to compare by: its value at pixel 0 and its slope. With rounding it is d2 itself that has to be compared:
 * wy * rows^2 and the entry's place along the row. */
template <typename NUMBER> struct seen { NUMBER at_zero, along; };

template <typename NUMBER, bool ROUNDS>
__device__ static inline seen<NUMBER> see(const measure<NUMBER> &m, const entry &e, int32_t zero, int32_t row) {
    NUMBER height2 = m.height2(look(e, row).rows), along = (NUMBER)e.col - (NUMBER)zero;
    if (ROUNDS) return {height2, along};
    return {m.wx * (along * along) + height2, -2 * m.wx * along};
}

/* The product may overflow, the sum does not: unsigned numbers wrap. Of doubles both are integers below 2^54, even ones
 * beyond 2^53. */
__device__ static inline int32_t on_line(int32_t start, int32_t slope, int32_t x) {
    return (int32_t)((uint32_t)start + (uint32_t)slope * (uint32_t)x);
}
__device__ static inline int64_t on_line(int64_t start, int64_t slope, int64_t x) {
    return (int64_t)((uint64_t)start + (uint64_t)slope * (uint64_t)x);
}
__device__ static inline double on_line(double start, double slope, double x) { return start + slope * x; }

template <typename NUMBER, bool ROUNDS>
__device__ static inline NUMBER compare_by(const measure<NUMBER> &m, const seen<NUMBER> &s, NUMBER pixel) {
    if (ROUNDS) return m.wx * ((pixel - s.along) * (pixel - s.along)) + s.at_zero;
    return on_line(s.at_zero, s.along, pixel);
}

/* The owner of each lane's pixel, at column col, among the entries first to last: all are tried. */
template <typename NUMBER, bool ROUNDS>
__device__ static inline int32_t try_all(const measure<NUMBER> &m, const entry *list, seen<NUMBER> *stage, int32_t first,
                                         int32_t last, int32_t col, int32_t row) {
    if (first == last) return first;
    const int32_t lane = threadIdx.x % WARP, zero = __shfl_sync(ALL_LANES, col, 0);
    NUMBER least = most<NUMBER>(), pixel = (NUMBER)(col - zero);
    int32_t best = first;
    for (int32_t base = first; base <= last; base += WARP) {
        __syncwarp();
        if (base + lane <= last) stage[lane] = see<NUMBER, ROUNDS>(m, list[base + lane], zero, row);
        __syncwarp();
        int32_t count = last - base < WARP ? last - base + 1 : WARP;
#pragma unroll 4
        for (int32_t i = 0; i < count; i++) {
            NUMBER value = compare_by<NUMBER, ROUNDS>(m, stage[i], pixel);
            if (value < least) least = value, best = base + i;
        }
    }
    return best;
}

/* The owners of 32 pixels of a row from left to right, one a lane, by halving: lane 0 has its own already, end is the last
 * entry that may own one of them. Only what lies between pixels whose bit is set in wanted, and their right neighbours, needs
 * to be right. */
template <typename NUMBER, bool ROUNDS>
__device__ static inline reach halve(const measure<NUMBER> &m, const entry *list, reach mine, int32_t end, int32_t col,
                                     int32_t row, uint32_t wanted) {
    const int32_t lane = threadIdx.x % WARP;
    for (int32_t step = WARP / 2; step > 0; step /= 2)
        for (int32_t pixel = step; pixel < WARP; pixel += 2 * step) {
            uint32_t around = ALL_LANES >> (WARP - 2 * step) << (pixel - step);
            if (!(wanted & around)) continue;
            int32_t first = __shfl_sync(ALL_LANES, mine.first, pixel - step);
            int32_t right = __shfl_sync(ALL_LANES, mine.last, (pixel + step) % WARP);
            int32_t last = pixel + step < WARP ? right : end;
            reach found = find<NUMBER, ROUNDS>(m, list, first, last, __shfl_sync(ALL_LANES, col, pixel), row);
            if (lane == pixel) mine = found;
        }
    return mine;
}

/* The same; best_only: where rounding can hide who is nearer, only the owners themselves are wanted. */
template <typename NUMBER, bool ROUNDS>
__device__ static inline reach spread(const measure<NUMBER> &m, const entry *list, seen<NUMBER> *stage, reach mine, int32_t end,
                                      int32_t col, int32_t row, uint32_t wanted, bool best_only) {
    int32_t first = __shfl_sync(ALL_LANES, mine.first, 0);
    if (end - first >= TRY_ALL || (ROUNDS && !best_only)) return halve<NUMBER, ROUNDS>(m, list, mine, end, col, row, wanted);
    int32_t best = try_all<NUMBER, ROUNDS>(m, list, stage, first, end, col, row);
    return {best, best, best};
}

/* ---- Ends of segments ---- */

/* One warp a row: the first pixel of each segment and the row's last pixel, by halving. */
template <typename NUMBER, bool ROUNDS>
static __global__ void __launch_bounds__(256) ends_kernel(const __grid_constant__ job job, measure<NUMBER> m) {
    int32_t row = (int32_t)(((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / WARP), block = row / BLOCK_ROWS;
    if (row >= job.strip.rows || !block_is_far(job, block)) return;
    const entry *list = job.lists + (int64_t)block * job.strip.width;
    reach *ends = job.ends + (int64_t)row * (job.segments + 1);
    const int32_t last = job.count[block] - 1, count = job.segments, lane = threadIdx.x % WARP;
    if (last < 0) return;
    row %= BLOCK_ROWS;
    reach west = find<NUMBER, ROUNDS>(m, list, 0, last, 0, row);
    reach east = find<NUMBER, ROUNDS>(m, list, west.first, last, job.strip.width - 1, row);
    if (lane == 0) ends[0] = west, ends[count] = east;
    int32_t step = 1;
    while (step < count) step *= 2;
    for (step /= 2; step > 0; step /= 2)
        for (int32_t i = step; i < count; i += 2 * step) {
            __syncwarp();
            int32_t from = ends[i - step].first, to = ends[i + step < count ? i + step : count].last;
            reach found = find<NUMBER, ROUNDS>(m, list, from, to, i * SEGMENT, row);
            if (lane == 0) ends[i] = found;
        }
}

/* ---- Far tiles ---- */

#define FAR_ROWS 8 /* rows of a block of threads, one a warp */

template <typename NUMBER>
__device__ static inline void emit_far(const job &job, const measure<NUMBER> &m, const entry *list, int32_t block, int32_t row,
                                       int32_t col, int32_t best) {
    if (col >= job.strip.width) return;
    answer<NUMBER> a = {col, block * BLOCK_ROWS + row, 0, false, col, block_first_row(job, block) + row};
    bool own = job.strip.words[(int64_t)block * job.strip.width + col] >> row & 1;
    if (!own && best >= 0) {
        entry e = list[best];
        nearest_row nearest = look(e, row);
        a.d2 = m.d2(col, e.col, m.height2(nearest.rows));
        a.owner_col = e.col;
        a.owner_row += nearest.down ? (int32_t)nearest.rows : -(int32_t)nearest.rows;
    }
    a.reached = (own || best >= 0) && (double)a.d2 <= job.limit;
    emit(job, a);
}

/* The far tiles of one segment of one row, by one warp. */
template <typename NUMBER, bool ROUNDS>
__device__ static inline void solve_segment(const job &job, const measure<NUMBER> &m, seen<NUMBER> *stage, int32_t block,
                                            int32_t segment, int32_t row, uint32_t far) {
    const entry *list = job.lists + (int64_t)block * job.strip.width;
    const int32_t lane = threadIdx.x % WARP, begin = segment * SEGMENT, edge = job.strip.width - 1;
    if (job.count[block] == 0) {
        for (; far; far &= far - 1) emit_far<NUMBER>(job, m, list, block, row, begin + (__ffs((int)far) - 1) * TILE + lane, -1);
        return;
    }
    const reach *ends = job.ends + ((int64_t)block * BLOCK_ROWS + row) * (job.segments + 1) + segment;
    int64_t border = (int64_t)begin + lane * TILE;
    int32_t end = ends[1].last, col = border < edge ? (int32_t)border : edge;
    reach mine = spread<NUMBER, ROUNDS>(m, list, stage, ends[0], end, col, row, far, false);
    for (; far; far &= far - 1) {
        int32_t tile = __ffs((int)far) - 1, first = __shfl_sync(ALL_LANES, mine.first, tile);
        int32_t right = __shfl_sync(ALL_LANES, mine.last, (tile + 1) % WARP), last = tile + 1 < WARP ? right : end;
        reach west = {first, __shfl_sync(ALL_LANES, mine.best, tile), __shfl_sync(ALL_LANES, mine.last, tile)};
        int64_t pixel = (int64_t)begin + tile * TILE + lane;
        col = pixel < edge ? (int32_t)pixel : edge;
        int32_t best = spread<NUMBER, ROUNDS>(m, list, stage, west, last, col, row, ALL_LANES, true).best;
        if (pixel <= edge) emit_far<NUMBER>(job, m, list, block, row, col, best);
    }
}

template <typename NUMBER, bool ROUNDS>
static __global__ void __launch_bounds__(FAR_ROWS *WARP) far_kernel(const __grid_constant__ job job, measure<NUMBER> m) {
    __shared__ seen<NUMBER> stages[FAR_ROWS][WARP];
    const int32_t groups = BLOCK_ROWS / FAR_ROWS, warp = threadIdx.x / WARP;
    const int32_t segment = (int32_t)(blockIdx.x / groups % job.segments),
                  block = (int32_t)(blockIdx.x / groups / job.segments);
    const int32_t row = (int32_t)(blockIdx.x % groups) * FAR_ROWS + warp, tiles = job.tiles - segment * WARP;
    uint32_t far = job.far[(int64_t)block * job.segments + segment];
    if (tiles < WARP) far &= (1u << tiles) - 1;
    if (!far || row >= block_rows(job, block)) return;
    solve_segment<NUMBER, ROUNDS>(job, m, stages[warp], block, segment, row, far);
}

/* ---- Launchers ---- */

template <typename NUMBER, bool ROUNDS> static inline cudaError_t far_as(const job *job, NUMBER slack, cudaStream_t stream) {
    measure<NUMBER> m = {(NUMBER)job->strip.metric.wx, (NUMBER)job->strip.metric.wy, slack};
    unsigned blocks = (unsigned)job->blocks * (unsigned)job->segments * (BLOCK_ROWS / FAR_ROWS);
    ends_kernel<NUMBER, ROUNDS><<<grid_of((int64_t)job->strip.rows * WARP, 256), 256, 0, stream>>>(*job, m);
    far_kernel<NUMBER, ROUNDS><<<blocks, FAR_ROWS * WARP, 0, stream>>>(*job, m);
    return cudaGetLastError();
}

/* Each value of d2 is off by at most two units of rounding of the largest one, a comparison by four. */
static inline cudaError_t far_tiles(const job *job, cudaStream_t stream) {
    const predt__metric *metric = &job->strip.metric;
    double width = job->strip.width, height = (double)job->strip.raster_height;
    double slack = 0x1p-48 * (metric->wx * (width * width) + metric->wy * (height * height));
    if (metric->number == PREDT__INT32) return far_as<int32_t, false>(job, 0, stream);
    if (metric->number == PREDT__INT64) return far_as<int64_t, false>(job, 0, stream);
    return metric->integer ? far_as<double, false>(job, 0, stream) : far_as<double, true>(job, slack, stream);
}

#endif
