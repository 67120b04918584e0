/* The lists regime: rows of tiles whose targets are too far for windows.
 *
 * A warp solves one segment of one row, in groups of 128 pixels, four a lane. The owners at the borders of the groups come
 * first. Between two borders it is mostly one entry that owns all, or some tens that are staged in shared memory: each lane
 * finds the owner of its first pixel among all of them, and those of its other three among what lies between that and the
 * right neighbour's. */
#ifndef PREDT__GPU_FAR_CUH
#define PREDT__GPU_FAR_CUH

#include "emit.cuh"
#include "lists.cuh"

#define FAR_ROWS 8  /* rows of a block of threads, one a warp */
#define LANE_PIXELS 4
#define GROUP (WARP * LANE_PIXELS) /* columns */
#define GROUPS (SEGMENT / GROUP)
#define GROUP_TILES (GROUP / TILE)

__device__ static inline bool in_reach(const job &job, int32_t d2) { return d2 <= job.whole_limit; }
__device__ static inline bool in_reach(const job &job, int64_t d2) { return (double)d2 <= job.limit; }
__device__ static inline bool in_reach(const job &job, double d2) { return d2 <= job.limit; }

/* What is kept of a target while it is staged: no more than is wanted. */
template <unsigned WANT> struct kept {
    uint32_t label;
    __device__ void keep(const owner &owner) { label = (uint32_t)owner.label; }
    __device__ owner back() const { return {0, 0, label}; }
};
template <> struct kept<WANT_ANY> {
    owner all;
    __device__ void keep(const owner &owner) { all = owner; }
    __device__ owner back() const { return all; }
};

/* Entries of a group that are looked at together: as pixels of the row see them, and whom they stand for. */
template <unsigned WANT, typename NUMBER> struct stage {
    static const int32_t room = sizeof(NUMBER) == 4 ? 256 : 128;
    seen<NUMBER> seen[room];
    kept<WANT> owners[room];
};

/* What a warp knows of its row. */
template <unsigned WANT, typename NUMBER> struct far_row {
    outlet out;
    const entry *list;
    stage<WANT, NUMBER> *stage;
    uint32_t far;        /* bit t: tile t of the segment is to be solved */
    uint32_t runs;       /* a lane's tile: columns full of targets that the list does without */
    uint32_t with_runs;  /* tiles that have such */
};

/* A group: its first tile in the segment and first column in the raster, and the entries that may own its pixels. */
struct group {
    int32_t tile, begin, first, last;
};

/* An entry on one row: the target that it stands for there, and wy * rows^2. */
template <typename NUMBER> struct rival {
    owner target;
    NUMBER height2;
};

template <unsigned WANT, typename NUMBER>
__device__ static inline rival<NUMBER> rival_of(const job &job, const measure<NUMBER> &m, const far_row<WANT, NUMBER> &r, int32_t at) {
    entry e = r.list[at];
    nearest_row nearest = look(e, r.out.row);
    int32_t row = r.out.row + (nearest.down ? (int32_t)nearest.rows : -(int32_t)nearest.rows);
    return {owner_at<WANT, int64_t>(job, r.out.block, e.col, row), m.height2(nearest.rows)};
}

/* ---- Pixels out ---- */

/* A lane's four pixels. */
template <typename NUMBER> struct four {
    NUMBER d2[LANE_PIXELS];
    owner owners[LANE_PIXELS];
    uint32_t reached; /* bit i: pixel i has an owner */
};

/* Pixels inside runs own themselves. */
template <unsigned WANT, typename NUMBER>
__device__ static inline void own_runs(const job &job, const far_row<WANT, NUMBER> &r, const group &g, four<NUMBER> &four) {
    const int32_t lane = threadIdx.x % WARP, at = lane * LANE_PIXELS;
    uint32_t runs = __shfl_sync(ALL_LANES, r.runs, g.tile + at / TILE) >> at % TILE;
#pragma unroll
    for (int32_t i = 0; i < LANE_PIXELS; i++) {
        if (!(runs >> i & 1)) continue;
        four.d2[i] = 0, four.reached |= 1u << i;
        if (wants_owner<WANT>(job)) four.owners[i] = owner_at<WANT, int64_t>(job, r.out.block, g.begin + at + i, r.out.row);
    }
}

/* Writes four pixels at once; false if that cannot be done here. */
template <unsigned WANT, typename NUMBER>
__device__ static inline bool emit_together(const job &job, const far_row<WANT, NUMBER> &r, const group &g, const four<NUMBER> &four,
                                            bool far) {
    if constexpr (WANT == WANT_ANY || sizeof(NUMBER) != sizeof(int32_t)) return false;
    const int32_t col = g.begin + LANE_PIXELS * (int32_t)(threadIdx.x % WARP);
    if (!job.aligned || g.begin + GROUP > job.strip.width) return false;
    int32_t most = (int32_t)four.d2[0];
#pragma unroll
    for (int32_t i = 1; i < LANE_PIXELS; i++) most = max(most, (int32_t)four.d2[i]);
    if (!__all_sync(ALL_LANES, !far || (four.reached == (1u << LANE_PIXELS) - 1 && most <= job.whole_limit))) return false;
    if (!far) return true;
    float distance[LANE_PIXELS];
    if (most <= job.float_limit) {
#pragma unroll
        for (int32_t i = 0; i < LANE_PIXELS; i++) distance[i] = root((int32_t)four.d2[i]);
    } else {
        for (int32_t i = 0; i < LANE_PIXELS; i++) distance[i] = predt__distance((double)four.d2[i], job.strip.metric.unit);
    }
    *(float4 *)(r.out.distance + col) = make_float4(distance[0], distance[1], distance[2], distance[3]);
    if (WANT & WANT_LABEL4)
        *(uint4 *)(r.out.label + col) = make_uint4((uint32_t)four.owners[0].label, (uint32_t)four.owners[1].label,
                                                   (uint32_t)four.owners[2].label, (uint32_t)four.owners[3].label);
    return true;
}

template <unsigned WANT, typename NUMBER>
__device__ static inline void emit_four(const job &job, const far_row<WANT, NUMBER> &r, const group &g, four<NUMBER> &four) {
    const int32_t at = LANE_PIXELS * (int32_t)(threadIdx.x % WARP);
    const bool far = r.far >> (g.tile + at / TILE) & 1;
    if (r.with_runs >> g.tile & ((1u << GROUP_TILES) - 1)) own_runs<WANT, NUMBER>(job, r, g, four);
    if (emit_together<WANT, NUMBER>(job, r, g, four, far) || !far) return;
#pragma unroll
    for (int32_t i = 0; i < LANE_PIXELS; i++) {
        bool reached = four.reached >> i & 1 && in_reach(job, four.d2[i]);
        float distance = reached ? distance_of(job, four.d2[i]) : INFINITY;
        answer<NUMBER> a = {g.begin + at + i, 0, four.d2[i], distance, reached, four.owners[i]};
        if (job.strip.width - g.begin > at + i) emit<WANT>(job, r.out, a);
    }
}

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
