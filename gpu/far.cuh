/* The lists regime: rows of tiles whose targets are too far for windows.
 *
 * A warp solves one segment of one row. The owners at the borders of its groups come first, then
 * one group after the other (far_groups.cuh).
 *
 * In: far, lists, count, runs, ends, ranks. Out: the strip's outputs where a tile is far. */
#ifndef PREDT__GPU_FAR_CUH
#define PREDT__GPU_FAR_CUH

#include "far_groups.cuh"

#define FAR_ROWS 8 /* rows of a block of threads, one a warp */

/* ---- Segments ---- */

/* A sub-block without any list: only what lies inside runs has an owner. */
template <unsigned WANT, typename NUMBER>
__device__ static inline void solve_none(const strip_job &job, const far_row<WANT, NUMBER> &r,
                                         int32_t begin) {
    for (int32_t tile = 0; tile < WARP; tile += GROUP_TILES) {
        pixel_group g = {tile, begin + tile * TILE, 0, 0};
        lane_pixels<NUMBER> none = {};
        if (r.far >> tile & ((1u << GROUP_TILES) - 1)) emit_four<WANT, NUMBER>(job, r, g, none);
    }
}

/* The owners at the groups' first pixels, one a lane; the lanes after these have the last one. Four
 * lanes share a pixel and try every fourth entry each. */
template <unsigned WANT, typename NUMBER>
__device__ static inline owner_range try_borders(const measure<NUMBER> &m,
                                                 const far_row<WANT, NUMBER> &r, int32_t first,
                                                 int32_t last, int32_t begin) {
    const int32_t lane = threadIdx.x % WARP, share = WARP / GROUPS;
    NUMBER smallest = infinity<NUMBER>(), pixel = (NUMBER)(lane / share * GROUP);
    int32_t best = INT32_MAX;
    for (int32_t base = first; base <= last; base += WARP) {
        __syncwarp();
        list_entry e = r.list[min(base + lane, last)];
        projection<NUMBER> mine = project<NUMBER, false>(
            m, m.height2(nearest_in_column(e, r.out.row).rows), e.col, begin);
        r.stage->projections[lane] = base + lane <= last ? mine : no_projection<NUMBER>();
        __syncwarp();
#pragma unroll
        for (int32_t i = 0; i < WARP; i += share) {
            int32_t at = i + lane % share;
            NUMBER value = compare_by<NUMBER, false>(m, r.stage->projections[at], pixel);
            if (value < smallest) smallest = value, best = base + at;
        }
    }
#pragma unroll
    for (int32_t step = 1; step < share; step *= 2) {
        NUMBER other = __shfl_xor_sync(ALL_LANES, smallest, step);
        int32_t owner = __shfl_xor_sync(ALL_LANES, best, step);
        if (other < smallest || (other == smallest && owner < best)) smallest = other, best = owner;
    }
    best = __shfl_sync(ALL_LANES, best, lane * share % WARP);
    if (lane >= GROUPS) best = last;
    return {best, best, best};
}

/* The owners at the segment's first pixel, and at the next one's. */
template <unsigned WANT, typename NUMBER>
__device__ static inline const owner_range *
ends_of(const strip_job &job, const far_row<WANT, NUMBER> &r, int32_t segment) {
    return job.ends + ((int64_t)r.out.block * BLOCK_ROWS + r.out.row) * (job.segments + 1) +
           segment;
}

template <unsigned WANT, typename NUMBER, bool ROUNDS>
__device__ static inline owner_range borders(const strip_job &job, const measure<NUMBER> &m,
                                             const far_row<WANT, NUMBER> &r, int32_t segment) {
    const int32_t lane = threadIdx.x % WARP, begin = segment * SEGMENT, edge = job.strip.width - 1;
    const owner_range *ends = ends_of(job, r, segment);
    owner_range west = ends[0], east = ends[1];
    if (west.first == east.last) return east;
    if (!ROUNDS && edge - begin >= SEGMENT - 1)
        return try_borders<WANT, NUMBER>(m, r, west.first, east.last, begin);
    int32_t col = edge - begin < lane * GROUP ? edge : begin + lane * GROUP;
    owner_range mine =
        halve<NUMBER, ROUNDS>(m, r.list, west, east.last, col, r.out.row, GROUPS, ALL_LANES);
    return lane < GROUPS ? mine : east;
}

template <unsigned WANT, typename NUMBER, bool ROUNDS>
__device__ static inline void solve_segment(const strip_job &job, const measure<NUMBER> &m,
                                            const far_row<WANT, NUMBER> &r, int32_t segment) {
    const int32_t begin = segment * SEGMENT;
    if (job.count[r.out.block] == 0) return solve_none<WANT, NUMBER>(job, r, begin);
    owner_range border = borders<WANT, NUMBER, ROUNDS>(job, m, r, segment);
    int32_t held = -1;
    row_entry<NUMBER> alone = {};
    for (int32_t i = 0; i < GROUPS; i++) {
        int32_t tile = i * GROUP_TILES;
        pixel_group g = {tile, begin + tile * TILE, __shfl_sync(ALL_LANES, border.first, i),
                         __shfl_sync(ALL_LANES, border.last, i + 1)};
        if (!(r.far >> tile & ((1u << GROUP_TILES) - 1))) continue;
        if (g.first == g.last) {
            if (g.first != held) alone = entry_on_row<WANT, NUMBER>(job, m, r, held = g.first);
            solve_alone<WANT, NUMBER>(job, m, r, g, alone);
        } else if (g.last - g.first < entry_stage<WANT, NUMBER>::capacity) {
            solve_few<WANT, NUMBER, ROUNDS>(job, m, r, g);
        } else {
            solve_many<WANT, NUMBER, ROUNDS>(job, m, r, g);
        }
    }
}

/* ---- Short distances ---- */

/* So many columns and rows apart, and no more, d2 takes 31 bits; 0 columns: not even across a
 * segment. */
typedef struct int32_bounds {
    int32_t cols, rows;
} int32_bounds;

static inline int32_bounds bounds_of(const predt__metric *metric) {
    const double max_half = (double)(1 << 30) - 1;
    if (!metric->integer || metric->wx > max_half / (SEGMENT * SEGMENT) || metric->wy > max_half)
        return {};
    return {(int32_t)sqrt(max_half / metric->wx), (int32_t)sqrt(max_half / metric->wy)};
}

/* True if all entries that may own a pixel of the segment are nearby, from each of its columns. */
template <unsigned WANT, typename NUMBER>
__device__ static inline bool is_nearby(const strip_job &job, const far_row<WANT, NUMBER> &r,
                                        int32_t segment, const int32_bounds &bounds) {
    if (job.count[r.out.block] == 0) return true;
    const owner_range *ends = ends_of(job, r, segment);
    const int32_t first = ends[0].first, last = ends[1].last;
    int64_t begin = (int64_t)segment * SEGMENT, end = begin + SEGMENT - 1;
    if (end - r.list[first].col > bounds.cols || r.list[last].col - begin > bounds.cols)
        return false;
    bool far = false;
    for (int32_t i = first + (int32_t)(threadIdx.x % WARP); i <= last; i += WARP)
        far |= nearest_in_column(r.list[i], r.out.row).rows > (uint32_t)bounds.rows;
    return !__any_sync(ALL_LANES, far);
}

/* Blocks on a multiprocessor, where registers can be had for so many; Turing has threads for
 * four. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define FAR_AT_ONCE 4
#else
#define FAR_AT_ONCE 5
#endif
#define FAR_BLOCKS(WANT, NUMBER) (WANT == WANT_ANY || sizeof(NUMBER) > 4 ? 1 : FAR_AT_ONCE)

/* SOME: only segments that are nearby, which then are no longer marked as far. */
template <unsigned WANT, typename NUMBER, bool ROUNDS, bool SOME>
static __global__ void __launch_bounds__(FAR_ROWS *WARP, FAR_BLOCKS(WANT, NUMBER))
    far_kernel(const __grid_constant__ strip_job job, measure<NUMBER> m, int32_bounds bounds) {
    __shared__ entry_stage<WANT, NUMBER> stages[FAR_ROWS];
    const int32_t groups = BLOCK_ROWS / FAR_ROWS, warp = threadIdx.x / WARP,
                  lane = threadIdx.x % WARP;
    const int32_t segment = (int32_t)(blockIdx.x / groups % job.segments),
                  block = (int32_t)(blockIdx.x / groups / job.segments);
    const int32_t row = (int32_t)(blockIdx.x % groups) * FAR_ROWS + warp,
                  tiles = job.tiles - segment * WARP;
    if (row >= block_rows(job, block)) return;
    uint32_t *mark = &job.far[((int64_t)block * BLOCK_ROWS + row) * job.segments + segment],
             far = *mark;
    if (tiles < WARP) far &= (1u << tiles) - 1;
    if (!far) return;
    uint32_t runs = lane < tiles ? job.runs[(int64_t)block * job.tiles + segment * WARP + lane] : 0;
    far_row<WANT, NUMBER> r = {outlet_at(job, block, row),
                               job.lists + (int64_t)block * job.strip.width,
                               &stages[warp],
                               far,
                               runs,
                               __ballot_sync(ALL_LANES, runs != 0)};
    if (SOME && !is_nearby(job, r, segment, bounds)) return;
    solve_segment<WANT, NUMBER, ROUNDS>(job, m, r, segment);
    if (SOME && lane == 0) *mark = 0;
}

/* ---- Launchers ---- */

template <typename NUMBER>
static inline measure<NUMBER> measure_of(const strip_job *job, NUMBER slack) {
    return {(NUMBER)job->strip.metric.wx, (NUMBER)job->strip.metric.wy, slack};
}

/* A type that d2 does not always fit into solves what is nearby, if there is such. */
template <typename NUMBER, bool ROUNDS, bool SOME>
static inline cudaError_t solve_as(const strip_job *job, measure<NUMBER> m, int32_bounds bounds,
                                   cudaStream_t stream) {
    unsigned blocks = (unsigned)job->blocks * (unsigned)job->segments * (BLOCK_ROWS / FAR_ROWS);
#define LAUNCH_FAR(WANT)                                                                           \
    far_kernel<WANT, NUMBER, ROUNDS, SOME><<<blocks, FAR_ROWS * WARP, 0, stream>>>(*job, m, bounds)
    FOR_WANTED(job, LAUNCH_FAR)
#undef LAUNCH_FAR
    return cudaGetLastError();
}

/* Numbers of 8 bytes take twice the time: even in rasters that need them most owners are nearby,
 * and these come first. */
template <typename NUMBER, bool ROUNDS>
static inline cudaError_t far_as(const strip_job *job, NUMBER slack, cudaStream_t stream) {
    measure<NUMBER> m = measure_of(job, slack);
    int32_bounds bounds =
        sizeof(NUMBER) > sizeof(int32_t) ? bounds_of(&job->strip.metric) : int32_bounds{};
    ends_kernel<NUMBER, ROUNDS>
        <<<grid_of((int64_t)job->strip.rows * WARP, 256), 256, 0, stream>>>(*job, m);
    cudaError_t error = cudaGetLastError();
    if (!error && bounds.cols)
        error = solve_as<int32_t, false, true>(job, measure_of<int32_t>(job, 0), bounds, stream);
    return error ? error : solve_as<NUMBER, ROUNDS, false>(job, m, bounds, stream);
}

/* Each value of d2 is off by at most two units of rounding of the largest one, a comparison by
 * four. */
static inline cudaError_t far_tiles(const strip_job *job, cudaStream_t stream) {
    const predt__metric *metric = &job->strip.metric;
    double width = job->strip.width, height = (double)job->strip.raster_height;
    double slack = 0x1p-48 * (metric->wx * (width * width) + metric->wy * (height * height));
    if (metric->number == PREDT__INT32) return far_as<int32_t, false>(job, 0, stream);
    if (metric->number == PREDT__INT64) return far_as<int64_t, false>(job, 0, stream);
    return metric->integer ? far_as<double, false>(job, 0, stream)
                           : far_as<double, true>(job, slack, stream);
}

#endif
