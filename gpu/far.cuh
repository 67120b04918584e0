/* The lists regime: rows of tiles whose targets are too far for windows.
 *
 * A warp solves one segment of one row, in groups of 128 pixels, four a lane. The owners at the borders of the groups come
 * first. Between two borders it is mostly one entry that owns all, or some tens that are staged in shared memory: each lane
 * finds the owner of its first pixel among all of them, and those of its other three among what lies between that and the
 * right neighbour's. */
#ifndef PREDT__GPU_FAR_CUH
#define PREDT__GPU_FAR_CUH

#include "far_pixels.cuh"

#define FAR_ROWS 8 /* rows of a block of threads, one a warp */

/* ---- Groups ---- */

/* One entry owns all. */
template <unsigned WANT, typename NUMBER>
__device__ static inline void solve_alone(const job &job, const measure<NUMBER> &m, const far_row<WANT, NUMBER> &r, const group &g,
                                          const rival<NUMBER> &alone) {
    const int32_t col = g.begin + LANE_PIXELS * (int32_t)(threadIdx.x % WARP);
    four<NUMBER> four;
    four.reached = (1u << LANE_PIXELS) - 1;
#pragma unroll
    for (int32_t i = 0; i < LANE_PIXELS; i++)
        four.d2[i] = m.d2(col + i, alone.target.col, alone.height2), four.owners[i] = alone.target;
    emit_four<WANT, NUMBER>(job, r, g, four);
}

/* An entry that no pixel prefers, to fill a stage up to a multiple of what is tried at once. */
template <typename NUMBER> __device__ static inline seen<NUMBER> nobody() { return {most<NUMBER>(), 0}; }

#define TRIED 4 /* entries at once */

/* Stages the group's entries, except the owners of the last 32, one a lane: their labels need not be there before someone asks. */
template <unsigned WANT, typename NUMBER, bool ROUNDS>
__device__ static inline owner fill_stage(const job &job, const measure<NUMBER> &m, const far_row<WANT, NUMBER> &r, const group &g) {
    const int32_t lane = threadIdx.x % WARP, count = g.last - g.first + 1;
    __syncwarp();
    for (int32_t base = 0;; base += WARP) {
        int32_t i = base + lane;
        rival<NUMBER> rival = rival_of<WANT, NUMBER>(job, m, r, i < count ? g.first + i : g.last);
        r.stage->seen[i] = i < count ? see<NUMBER, ROUNDS>(m, rival.height2, rival.target.col, g.begin) : nobody<NUMBER>();
        if (base + WARP >= count) return rival.target;
        r.stage->owners[i].keep(rival.target);
    }
}

/* Where rounding can hide who is nearer: all staged entries that may be, around the one that seems so. */
template <typename NUMBER>
__device__ static inline reach widen(const measure<NUMBER> &m, const seen<NUMBER> *seen, int32_t count, NUMBER pixel, int32_t best) {
    NUMBER most = compare_by<NUMBER, true>(m, seen[best], pixel) + m.slack;
    int32_t west = 0, east = count - 1;
    while (west < best && compare_by<NUMBER, true>(m, seen[west], pixel) > most) west++;
    while (east > best && compare_by<NUMBER, true>(m, seen[east], pixel) > most) east--;
    return {west, best, east};
}

/* The staged entries that may own a pixel, from all of them. */
template <typename NUMBER, bool ROUNDS>
__device__ static inline reach try_all(const measure<NUMBER> &m, const seen<NUMBER> *seen, int32_t count, NUMBER pixel,
                                       NUMBER *least) {
    int32_t best = 0;
    *least = most<NUMBER>();
    for (int32_t i = 0; i < count; i += TRIED) {
#pragma unroll
        for (int32_t k = 0; k < TRIED; k++) {
            NUMBER value = compare_by<NUMBER, ROUNDS>(m, seen[i + k], pixel);
            if (value < *least) *least = value, best = i + k;
        }
    }
    if constexpr (ROUNDS) return widen<NUMBER>(m, seen, count, pixel, best);
    else return {best, best, best};
}

/* The owners of a lane's pixels but the first among the staged entries from `from` to `to`. */
template <typename NUMBER, bool ROUNDS>
__device__ static inline void try_between(const measure<NUMBER> &m, const seen<NUMBER> *seen, int32_t from, int32_t to, NUMBER pixel,
                                          NUMBER *least, int32_t *best) {
#pragma unroll
    for (int32_t k = 1; k < LANE_PIXELS; k++) best[k] = from, least[k] = compare_by<NUMBER, ROUNDS>(m, seen[from], pixel + k);
    for (int32_t i = from + 1; i <= to; i++) {
#pragma unroll
        for (int32_t k = 1; k < LANE_PIXELS; k++) {
            NUMBER value = compare_by<NUMBER, ROUNDS>(m, seen[i], pixel + k);
            if (value < least[k]) least[k] = value, best[k] = i;
        }
    }
}

/* No more entries than can be staged. */
template <unsigned WANT, typename NUMBER, bool ROUNDS>
__device__ static inline void solve_few(const job &job, const measure<NUMBER> &m, const far_row<WANT, NUMBER> &r, const group &g) {
    const int32_t lane = threadIdx.x % WARP, count = g.last - g.first + 1;
    NUMBER least[LANE_PIXELS], pixel = (NUMBER)(lane * LANE_PIXELS);
    int32_t best[LANE_PIXELS];
    owner late = fill_stage<WANT, NUMBER, ROUNDS>(job, m, r, g);
    __syncwarp();
    reach mine = try_all<NUMBER, ROUNDS>(m, r.stage->seen, count, pixel, &least[0]);
    int32_t to = __shfl_down_sync(ALL_LANES, mine.last, 1);
    best[0] = mine.best;
    try_between<NUMBER, ROUNDS>(m, r.stage->seen, mine.first, lane < WARP - 1 ? to : count - 1, pixel, least, best);
    r.stage->owners[(count - 1) / WARP * WARP + lane].keep(late);
    __syncwarp();
    four<NUMBER> four;
    four.reached = (1u << LANE_PIXELS) - 1;
#pragma unroll
    for (int32_t k = 0; k < LANE_PIXELS; k++) {
        four.d2[k] = ROUNDS ? least[k] : least[k] + m.wx * ((pixel + k) * (pixel + k));
        four.owners[k] = r.stage->owners[best[k]].back();
    }
    emit_four<WANT, NUMBER>(job, r, g, four);
}

/* More than can be staged: the pixels are halved further, tile by tile, and each lane then solves one of its own. */
template <unsigned WANT, typename NUMBER, bool ROUNDS>
__device__ static inline void solve_many(const job &job, const measure<NUMBER> &m, const far_row<WANT, NUMBER> &r, const group &g) {
    const int32_t lane = threadIdx.x % WARP, edge = job.strip.width - 1;
    int32_t left = g.first;
#pragma unroll 1
    for (int32_t t = 0; t < GROUP_TILES && g.begin + t * TILE <= edge; t++) {
        int32_t begin = g.begin + t * TILE, right = min(begin + TILE - 1, edge), col = min(begin + lane, edge);
        reach west = find<NUMBER, ROUNDS>(m, r.list, left, g.last, begin, r.out.row);
        reach east = find<NUMBER, ROUNDS>(m, r.list, west.first, g.last, right, r.out.row);
        left = east.first;
        if (!(r.far >> (g.tile + t) & 1)) continue;
        int32_t best = halve<NUMBER, ROUNDS>(m, r.list, west, east.last, col, r.out.row, WARP, ALL_LANES).best;
        rival<NUMBER> rival = rival_of<WANT, NUMBER>(job, m, r, best);
        NUMBER d2 = m.d2(col, rival.target.col, rival.height2);
        bool reached = in_reach(job, d2), run = __shfl_sync(ALL_LANES, r.runs, g.tile + t) >> lane & 1;
        if (run) {
            d2 = 0, reached = true;
            if (wants_owner<WANT>(job)) rival.target = owner_at<WANT, int64_t>(job, r.out.block, col, r.out.row);
        }
        answer<NUMBER> a = {col, 0, d2, reached ? distance_of(job, d2) : INFINITY, reached, rival.target};
        if (lane <= right - begin) emit<WANT>(job, r.out, a);
    }
}

/* ---- Segments ---- */

/* A sub-block without any list: only what lies inside runs has an owner. */
template <unsigned WANT, typename NUMBER>
__device__ static inline void solve_none(const job &job, const far_row<WANT, NUMBER> &r, int32_t begin) {
    for (int32_t tile = 0; tile < WARP; tile += GROUP_TILES) {
        group g = {tile, begin + tile * TILE, 0, 0};
        four<NUMBER> none = {};
        if (r.far >> tile & ((1u << GROUP_TILES) - 1)) emit_four<WANT, NUMBER>(job, r, g, none);
    }
}

/* The owners at the groups' first pixels, one a lane; the lanes after these have the last one. Four lanes share a pixel and try
 * every fourth entry each. */
template <unsigned WANT, typename NUMBER>
__device__ static inline reach try_borders(const measure<NUMBER> &m, const far_row<WANT, NUMBER> &r, int32_t first, int32_t last,
                                           int32_t begin) {
    const int32_t lane = threadIdx.x % WARP, share = WARP / GROUPS;
    NUMBER least = most<NUMBER>(), pixel = (NUMBER)(lane / share * GROUP);
    int32_t best = INT32_MAX;
    for (int32_t base = first; base <= last; base += WARP) {
        __syncwarp();
        entry e = r.list[min(base + lane, last)];
        seen<NUMBER> mine = see<NUMBER, false>(m, m.height2(look(e, r.out.row).rows), e.col, begin);
        r.stage->seen[lane] = base + lane <= last ? mine : nobody<NUMBER>();
        __syncwarp();
#pragma unroll
        for (int32_t i = 0; i < WARP; i += share) {
            int32_t at = i + lane % share;
            NUMBER value = compare_by<NUMBER, false>(m, r.stage->seen[at], pixel);
            if (value < least) least = value, best = base + at;
        }
    }
#pragma unroll
    for (int32_t step = 1; step < share; step *= 2) {
        NUMBER other = __shfl_xor_sync(ALL_LANES, least, step);
        int32_t owner = __shfl_xor_sync(ALL_LANES, best, step);
        if (other < least || (other == least && owner < best)) least = other, best = owner;
    }
    best = __shfl_sync(ALL_LANES, best, lane * share % WARP);
    if (lane >= GROUPS) best = last;
    return {best, best, best};
}

template <unsigned WANT, typename NUMBER, bool ROUNDS>
__device__ static inline reach borders(const job &job, const measure<NUMBER> &m, const far_row<WANT, NUMBER> &r, int32_t segment) {
    const int32_t lane = threadIdx.x % WARP, begin = segment * SEGMENT, edge = job.strip.width - 1;
    const reach *ends = job.ends + ((int64_t)r.out.block * BLOCK_ROWS + r.out.row) * (job.segments + 1) + segment;
    reach west = ends[0], east = ends[1];
    if (west.first == east.last) return east;
    if (!ROUNDS && edge - begin >= SEGMENT - 1) return try_borders<WANT, NUMBER>(m, r, west.first, east.last, begin);
    int32_t col = edge - begin < lane * GROUP ? edge : begin + lane * GROUP;
    reach mine = halve<NUMBER, ROUNDS>(m, r.list, west, east.last, col, r.out.row, GROUPS, ALL_LANES);
    return lane < GROUPS ? mine : east;
}

template <unsigned WANT, typename NUMBER, bool ROUNDS>
__device__ static inline void solve_segment(const job &job, const measure<NUMBER> &m, const far_row<WANT, NUMBER> &r, int32_t segment) {
    const int32_t begin = segment * SEGMENT;
    if (job.count[r.out.block] == 0) return solve_none<WANT, NUMBER>(job, r, begin);
    reach border = borders<WANT, NUMBER, ROUNDS>(job, m, r, segment);
    int32_t held = -1;
    rival<NUMBER> alone = {};
    for (int32_t i = 0; i < GROUPS; i++) {
        int32_t tile = i * GROUP_TILES;
        group g = {tile, begin + tile * TILE, __shfl_sync(ALL_LANES, border.first, i), __shfl_sync(ALL_LANES, border.last, i + 1)};
        if (!(r.far >> tile & ((1u << GROUP_TILES) - 1))) continue;
        if (g.first == g.last) {
            if (g.first != held) alone = rival_of<WANT, NUMBER>(job, m, r, held = g.first);
            solve_alone<WANT, NUMBER>(job, m, r, g, alone);
        } else if (g.last - g.first < stage<WANT, NUMBER>::room) {
            solve_few<WANT, NUMBER, ROUNDS>(job, m, r, g);
        } else {
            solve_many<WANT, NUMBER, ROUNDS>(job, m, r, g);
        }
    }
}

/* Blocks on a multiprocessor, where registers can be had for so many; Turing has threads for four. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define FAR_AT_ONCE 4
#else
#define FAR_AT_ONCE 5
#endif
#define FAR_BLOCKS(WANT, NUMBER) (WANT == WANT_ANY || sizeof(NUMBER) > 4 ? 1 : FAR_AT_ONCE)

template <unsigned WANT, typename NUMBER, bool ROUNDS>
static __global__ void __launch_bounds__(FAR_ROWS *WARP, FAR_BLOCKS(WANT, NUMBER))
    far_kernel(const __grid_constant__ job job, measure<NUMBER> m) {
    __shared__ stage<WANT, NUMBER> stages[FAR_ROWS];
    const int32_t groups = BLOCK_ROWS / FAR_ROWS, warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const int32_t segment = (int32_t)(blockIdx.x / groups % job.segments),
                  block = (int32_t)(blockIdx.x / groups / job.segments);
    const int32_t row = (int32_t)(blockIdx.x % groups) * FAR_ROWS + warp, tiles = job.tiles - segment * WARP;
    if (row >= block_rows(job, block)) return;
    uint32_t far = job.far[((int64_t)block * BLOCK_ROWS + row) * job.segments + segment];
    if (tiles < WARP) far &= (1u << tiles) - 1;
    if (!far) return;
    uint32_t runs = lane < tiles ? job.runs[(int64_t)block * job.tiles + segment * WARP + lane] : 0;
    far_row<WANT, NUMBER> r = {outlet_at(job, block, row), job.lists + (int64_t)block * job.strip.width, &stages[warp], far, runs,
                         __ballot_sync(ALL_LANES, runs != 0)};
    solve_segment<WANT, NUMBER, ROUNDS>(job, m, r, segment);
}

/* ---- Launchers ---- */

template <typename NUMBER, bool ROUNDS> static inline cudaError_t far_as(const job *job, NUMBER slack, cudaStream_t stream) {
    measure<NUMBER> m = {(NUMBER)job->strip.metric.wx, (NUMBER)job->strip.metric.wy, slack};
    unsigned blocks = (unsigned)job->blocks * (unsigned)job->segments * (BLOCK_ROWS / FAR_ROWS);
    ends_kernel<NUMBER, ROUNDS><<<grid_of((int64_t)job->strip.rows * WARP, 256), 256, 0, stream>>>(*job, m);
#define LAUNCH_FAR(WANT) far_kernel<WANT, NUMBER, ROUNDS><<<blocks, FAR_ROWS * WARP, 0, stream>>>(*job, m)
    FOR_WANTED(job, LAUNCH_FAR)
#undef LAUNCH_FAR
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
