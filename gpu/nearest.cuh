/* Who is nearest, among the columns of a sub-block's list.
 *
 * Along a row the owner only moves to the right in the list (sieve.cuh), which is sorted by column.
 * So the owner of a pixel lies between those of any two pixels around it, and each row is halved
 * again and again: the ends of its segments first, then the borders of tiles, then, among the few
 * entries that are left, the pixels (far_groups.cuh).
 *
 * In: far, lists, count. Out: ends. */
#ifndef PREDT__GPU_NEAREST_CUH
#define PREDT__GPU_NEAREST_CUH

#include "job.cuh"
#include "warp.cuh"

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

template <typename NUMBER> __device__ static inline NUMBER infinity();
template <> __device__ inline int32_t infinity<int32_t>() { return INT32_MAX; }
template <> __device__ inline int64_t infinity<int64_t>() { return INT64_MAX; }
template <> __device__ inline double infinity<double>() { return INFINITY; }

/* Rows from row `row` of the sub-block to the column's nearest target; negative ones lie above. */
typedef struct nearest_row {
    uint32_t rows;
    bool down;
} nearest_row;

__device__ static inline nearest_row nearest_in_column(const list_entry &e, int32_t row) {
    uint32_t up = (uint32_t)row - (uint32_t)e.above, down = e.below - (uint32_t)row;
    if (e.word) {
        uint32_t over = e.word << (31 - row), under = e.word >> row >> 1;
        if (over) up = (uint32_t)__clz((int)over);
        if (under) down = (uint32_t)__ffs((int)under);
    }
    return {down < up ? down : up, down < up};
}

/* so many entries are tried all; of more, those too far to the west or east are left out first */
#define SCANNED 256

/* Places of the list to be tried. */
struct range {
    int32_t first, last;
};

/* The first place from r.first on for which `before` does not hold, r.last + 1 if it holds for all;
 * it holds for the first some, as the list is sorted. The whole warp asks, 32 places at a time. */
template <typename BEFORE>
__device__ static inline int32_t partition(const list_entry *list, range r, const BEFORE &before) {
    const int32_t lane = threadIdx.x % WARP;
    int32_t first = r.first, count = r.last - r.first + 1;
    while (count > 0) {
        /* the first of each lane's share */
        int32_t step = (count + WARP - 1) / WARP, at = first + lane * step;
        bool holds = lane * step < count && before(list[at].col);
        int32_t lanes = __popc(__ballot_sync(ALL_LANES, holds));
        if (lanes == 0) return first;
        int32_t end = first + count;
        first += (lanes - 1) * step + 1;
        count = min(step - 1, end - first);
    }
    return first;
}

/* Leaves out the entries whose columns alone are farther away than an entry at hand. */
template <typename NUMBER>
__device__ static inline range narrow(const measure<NUMBER> &m, const list_entry *list, range r,
                                      int32_t col, int32_t row) {
    int32_t at = partition(list, r, [=](int32_t other) { return other < col; }) - WARP / 2 +
                 (int32_t)(threadIdx.x % WARP);
    list_entry e = list[min(max(at, r.first), r.last)];
    NUMBER largest =
        warp_min(m.d2(col, e.col, m.height2(nearest_in_column(e, row).rows))) + m.slack;
    int32_t first = partition(
        list, r, [=](int32_t other) { return other < col && m.d2(col, other, 0) > largest; });
    int32_t last =
        partition(list, {first, r.last},
                  [=](int32_t other) { return other <= col || m.d2(col, other, 0) <= largest; }) -
        1;
    return {first, last};
}

/* All entries that rounding may hide to be as near as the best one. */
template <typename NUMBER>
__device__ static inline owner_range all_as_near(const measure<NUMBER> &m, const list_entry *list,
                                                 range r, int32_t col, int32_t row, NUMBER d2,
                                                 int32_t best) {
    int32_t west = INT32_MAX, east = -1;
    for (int32_t i = r.first + (int32_t)(threadIdx.x % WARP); i <= r.last; i += WARP) {
        list_entry e = list[i];
        if (m.d2(col, e.col, m.height2(nearest_in_column(e, row).rows)) > d2 + m.slack) continue;
        if (west == INT32_MAX) west = i;
        east = i;
    }
    return {warp_min(west), best, -warp_min(-east)};
}

/* The owner of pixel (col, row) among the entries first to last. The whole warp looks for one
 * pixel. */
template <typename NUMBER, bool ROUNDS>
__device__ static inline owner_range find(const measure<NUMBER> &m, const list_entry *list,
                                          int32_t first, int32_t last, int32_t col, int32_t row) {
    if (first == last) return {first, first, first};
    if (last - first >= SCANNED) {
        range r = narrow<NUMBER>(m, list, {first, last}, col, row);
        first = r.first, last = r.last;
    }
    const int32_t lane = threadIdx.x % WARP;
    NUMBER smallest = infinity<NUMBER>();
    int32_t at = INT32_MAX;
    for (int32_t i = first + lane; i <= last; i += WARP) {
        list_entry e = list[i];
        NUMBER d2 = m.d2(col, e.col, m.height2(nearest_in_column(e, row).rows));
        if (at == INT32_MAX || d2 < smallest) smallest = d2, at = i;
    }
    NUMBER d2 = warp_min(smallest);
    int32_t best = warp_min(smallest == d2 ? at : INT32_MAX);
    if (!ROUNDS) return {best, best, best};
    return all_as_near<NUMBER>(m, list, {first, last}, col, row, d2, best);
}

/* ---- Several pixels at once ---- */

/* An entry as pixels of one row see it. Without rounding d2 less wx * pixel^2 is a straight line
 * along the row, which is enough to compare by: its value at pixel 0 and its slope. With rounding
 * it is d2 itself that has to be compared: wy * rows^2 and the entry's place along the row. */
template <typename NUMBER> struct projection { NUMBER at_zero, along; };

template <typename NUMBER, bool ROUNDS>
__device__ static inline projection<NUMBER> project(const measure<NUMBER> &m, NUMBER height2,
                                                    int32_t col, int32_t zero) {
    NUMBER along = (NUMBER)col - (NUMBER)zero;
    if (ROUNDS) return {height2, along};
    return {m.wx * (along * along) + height2, -2 * m.wx * along};
}

/* The product may overflow, the sum does not: unsigned numbers wrap. Of doubles both are integers
 * below 2^54, even ones beyond 2^53. */
__device__ static inline int32_t on_line(int32_t start, int32_t slope, int32_t x) {
    return (int32_t)((uint32_t)start + (uint32_t)slope * (uint32_t)x);
}
__device__ static inline int64_t on_line(int64_t start, int64_t slope, int64_t x) {
    return (int64_t)((uint64_t)start + (uint64_t)slope * (uint64_t)x);
}
__device__ static inline double on_line(double start, double slope, double x) {
    return start + slope * x;
}

template <typename NUMBER, bool ROUNDS>
__device__ static inline NUMBER compare_by(const measure<NUMBER> &m, const projection<NUMBER> &s,
                                           NUMBER pixel) {
    if (ROUNDS) return m.wx * ((pixel - s.along) * (pixel - s.along)) + s.at_zero;
    return on_line(s.at_zero, s.along, pixel);
}

/* The owners of `count` pixels of a row, a power of two up to 32, from left to right, one a lane,
 * by halving: lane 0 has its own already, end is the last entry that may own one of them. Only what
 * lies between pixels whose bit is set in wanted, and their right neighbours, needs to be right. */
template <typename NUMBER, bool ROUNDS>
__device__ static inline owner_range halve(const measure<NUMBER> &m, const list_entry *list,
                                           owner_range mine, int32_t end, int32_t col, int32_t row,
                                           int32_t count, uint32_t wanted) {
    const int32_t lane = threadIdx.x % WARP;
    for (int32_t step = count / 2; step > 0; step /= 2)
        for (int32_t pixel = step; pixel < count; pixel += 2 * step) {
            uint32_t around = ALL_LANES >> (WARP - 2 * step) << (pixel - step);
            if (!(wanted & around)) continue;
            int32_t first = __shfl_sync(ALL_LANES, mine.first, pixel - step);
            int32_t right = __shfl_sync(ALL_LANES, mine.last, (pixel + step) % WARP);
            int32_t last = pixel + step < count ? right : end;
            owner_range found =
                find<NUMBER, ROUNDS>(m, list, first, last, __shfl_sync(ALL_LANES, col, pixel), row);
            if (lane == pixel) mine = found;
        }
    return mine;
}

/* ---- Ends of segments ---- */

/* True if a tile is far on this row of the strip; to be asked by whole warps. */
__device__ static inline bool row_is_far(const strip_job &job, int32_t row) {
    uint32_t far = 0;
    for (int32_t i = threadIdx.x % WARP; i < job.segments; i += WARP)
        far |= job.far[(int64_t)row * job.segments + i];
    return __any_sync(ALL_LANES, far != 0);
}

/* One warp a row: the first pixel of each segment and the row's last pixel, by halving. */
template <typename NUMBER, bool ROUNDS>
static __global__ void __launch_bounds__(256)
    ends_kernel(const __grid_constant__ strip_job job, measure<NUMBER> m) {
    int32_t row = (int32_t)(((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / WARP),
            block = row / BLOCK_ROWS;
    if (row >= job.strip.rows || !row_is_far(job, row)) return;
    const list_entry *list = job.lists + (int64_t)block * job.strip.width;
    owner_range *ends = job.ends + (int64_t)row * (job.segments + 1);
    const int32_t last = job.count[block] - 1, count = job.segments, lane = threadIdx.x % WARP;
    if (last < 0) return;
    row %= BLOCK_ROWS;
    owner_range west = find<NUMBER, ROUNDS>(m, list, 0, last, 0, row);
    owner_range east = find<NUMBER, ROUNDS>(m, list, west.first, last, job.strip.width - 1, row);
    if (lane == 0) ends[0] = west, ends[count] = east;
    int32_t step = 1;
    while (step < count) step *= 2;
    for (step /= 2; step > 0; step /= 2)
        for (int32_t i = step; i < count; i += 2 * step) {
            __syncwarp();
            int32_t from = ends[i - step].first,
                    to = ends[i + step < count ? i + step : count].last;
            owner_range found = find<NUMBER, ROUNDS>(m, list, from, to, i * SEGMENT, row);
            if (lane == 0) ends[i] = found;
        }
}

#endif
