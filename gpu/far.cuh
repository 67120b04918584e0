/* The lists regime: rows of tiles whose targets are too far for windows.
 *
 * A warp solves one segment of one row: it finds the owners at the borders of its tiles, and tries the pixels between two borders
 * against the entries between their owners. Mostly those are one, which owns all, or a few. */
#ifndef PREDT__GPU_FAR_CUH
#define PREDT__GPU_FAR_CUH

#include "emit.cuh"
#include "lists.cuh"

#define FAR_ROWS 8 /* rows of a block of threads, one a warp */
#define GROUP 4    /* tiles for which the entries are looked at together */
#define GROUP_COLUMNS (GROUP * TILE)

__device__ static inline bool in_reach(const job &job, int32_t d2) { return d2 <= job.whole_limit; }
__device__ static inline bool in_reach(const job &job, int64_t d2) { return (double)d2 <= job.limit; }
__device__ static inline bool in_reach(const job &job, double d2) { return d2 <= job.limit; }

/* What a warp knows of its row. */
template <typename NUMBER> struct far_row {
    outlet out;
    const entry *list;
    seen<NUMBER> *stage; /* in shared memory: one a lane */
    uint32_t runs;       /* a lane's tile: columns full of targets that the list does without */
    uint32_t with_runs;  /* tiles that have such */
};

/* An entry on one row: the target that it stands for there, and wy * rows^2. */
template <typename NUMBER> struct rival {
    owner target;
    NUMBER height2;
};

template <unsigned WANT, typename NUMBER>
__device__ static inline rival<NUMBER> rival_of(const job &job, const measure<NUMBER> &m, const far_row<NUMBER> &r, int32_t at) {
    entry e = r.list[at];
    nearest_row nearest = look(e, r.out.row);
    int32_t row = r.out.row + (nearest.down ? (int32_t)nearest.rows : -(int32_t)nearest.rows);
    return {owner_at<WANT, int64_t>(job, r.out.block, e.col, row), m.height2(nearest.rows)};
}

/* ---- Pixels of one tile ---- */

template <unsigned WANT, typename NUMBER>
__device__ static inline void emit_far(const job &job, const far_row<NUMBER> &r, answer<NUMBER> a) {
    if (a.col >= job.strip.width) return;
    a.reached &= in_reach(job, a.d2);
    a.distance = a.reached ? distance_of(job, a.d2) : INFINITY;
    emit<WANT>(job, r.out, a);
}

/* Pixels inside runs own themselves. */
template <unsigned WANT, typename NUMBER>
__device__ static inline void own_runs(const job &job, const far_row<NUMBER> &r, int32_t tile, answer<NUMBER> *a) {
    uint32_t runs = __shfl_sync(ALL_LANES, r.runs, tile);
    if (!(runs >> threadIdx.x % WARP & 1)) return;
    a->d2 = 0, a->reached = true;
    if (wants_owner<WANT>(job)) a->nearest = owner_at<WANT, int64_t>(job, r.out.block, a->col, r.out.row);
}

template <unsigned WANT, typename NUMBER>
__device__ static inline void emit_tile(const job &job, const far_row<NUMBER> &r, int32_t tile, answer<NUMBER> a) {
    if (r.with_runs >> tile & 1) own_runs<WANT, NUMBER>(job, r, tile, &a);
    emit_far<WANT, NUMBER>(job, r, a);
}

/* ---- Groups of tiles ---- */

/* Four pixels a lane, all owned by the same target; false if that cannot be done here. */
template <unsigned WANT, typename NUMBER>
__device__ static inline bool emit_alone(const job &job, const measure<NUMBER> &m, const far_row<NUMBER> &r,
                                         const rival<NUMBER> &alone, int32_t begin) {
    if constexpr (WANT == WANT_ANY || sizeof(NUMBER) != sizeof(int32_t)) return false;
    int32_t col = begin + GROUP * (int32_t)(threadIdx.x % WARP), d2[GROUP], most = min(job.whole_limit, job.float_limit);
    if (!job.aligned || begin + GROUP_COLUMNS > job.strip.width) return false;
#pragma unroll
    for (int32_t i = 0; i < GROUP; i++) d2[i] = (int32_t)m.d2(col + i, alone.target.col, alone.height2);
    if (__any_sync(ALL_LANES, d2[0] > most || d2[GROUP - 1] > most)) return false;
    *(float4 *)(r.out.distance + col) = make_float4(root(d2[0]), root(d2[1]), root(d2[2]), root(d2[3]));
    uint32_t label = (uint32_t)alone.target.label;
    if (WANT & WANT_LABEL4) *(uint4 *)(r.out.label + col) = make_uint4(label, label, label, label);
    return true;
}

/* The pixels of a tile, each tried against the staged entries from `from` on. Their places count from the group's first column. */
template <unsigned WANT, typename NUMBER, bool ROUNDS>
__device__ static inline answer<NUMBER> try_staged(const measure<NUMBER> &m, const far_row<NUMBER> &r, const owner &staged, int32_t from,
                                                   int32_t to, int32_t begin, int32_t pixel) {
    NUMBER least = most<NUMBER>(), along = (NUMBER)pixel;
    int32_t best = from;
#pragma unroll 4
    for (int32_t i = from; i <= to; i++) {
        NUMBER value = compare_by<NUMBER, ROUNDS>(m, r.stage[i], along);
        if (value < least) least = value, best = i;
    }
    answer<NUMBER> a = {begin + pixel, 0, ROUNDS ? least : least + m.wx * (along * along), 0, true, {0, 0, 0}};
    a.nearest.col = __shfl_sync(ALL_LANES, staged.col, best);
    a.nearest.row = __shfl_sync(ALL_LANES, staged.row, best);
    a.nearest.label = __shfl_sync(ALL_LANES, staged.label, best);
    return a;
}

/* A group of tiles: those of them that are far, and the entries first to last that may own a pixel of these. */
struct group {
    int32_t tile, begin; /* its first tile in the segment and first column in the raster */
    uint32_t far;        /* bit t: tile t of the group */
    int32_t first, last;
};

/* `mine` has the entries at the left border of a lane's tile, next the last one at its right border. */
template <unsigned WANT, typename NUMBER, bool ROUNDS>
__device__ static inline void solve_few(const job &job, const measure<NUMBER> &m, const far_row<NUMBER> &r, const group &g, reach mine,
                                        int32_t next) {
    const int32_t lane = threadIdx.x % WARP, count = g.last - g.first + 1;
    rival<NUMBER> rival = rival_of<WANT, NUMBER>(job, m, r, g.first + (lane < count ? lane : 0));
    __syncwarp();
    r.stage[lane] = see<NUMBER, ROUNDS>(m, rival.height2, rival.target.col, g.begin);
    __syncwarp();
#pragma unroll 1
    for (int32_t t = 0; t < GROUP; t++) {
        if (!(g.far >> t & 1)) continue;
        int32_t from = __shfl_sync(ALL_LANES, mine.first, g.tile + t) - g.first;
        int32_t to = __shfl_sync(ALL_LANES, next, g.tile + t) - g.first;
        emit_tile<WANT, NUMBER>(job, r, g.tile + t,
                                try_staged<WANT, NUMBER, ROUNDS>(m, r, rival.target, from, to, g.begin, t * TILE + lane));
    }
}

/* The same with more entries than lanes. */
template <unsigned WANT, typename NUMBER, bool ROUNDS>
__device__ static inline void solve_many(const job &job, const measure<NUMBER> &m, const far_row<NUMBER> &r, const group &g, reach mine,
                                         int32_t next) {
    const int32_t lane = threadIdx.x % WARP, edge = job.strip.width - 1;
#pragma unroll 1
    for (int32_t t = 0; t < GROUP; t++) {
        if (!(g.far >> t & 1)) continue;
        int32_t tile = g.tile + t, begin = g.begin + t * TILE, col = edge - begin < lane ? edge : begin + lane;
        reach west = {__shfl_sync(ALL_LANES, mine.first, tile), __shfl_sync(ALL_LANES, mine.best, tile),
                      __shfl_sync(ALL_LANES, mine.last, tile)};
        int32_t end = __shfl_sync(ALL_LANES, next, tile);
        int32_t best = spread<NUMBER, ROUNDS>(m, r.list, r.stage, west, end, col, r.out.row, ALL_LANES, true).best;
        rival<NUMBER> rival = rival_of<WANT, NUMBER>(job, m, r, best);
        emit_tile<WANT, NUMBER>(job, r, tile,
                                {begin + lane, 0, m.d2(begin + lane, rival.target.col, rival.height2), 0, true, rival.target});
    }
}

/* The same with one entry, which owns all pixels. */
template <unsigned WANT, typename NUMBER>
__device__ static inline void solve_alone(const job &job, const measure<NUMBER> &m, const far_row<NUMBER> &r, const group &g,
                                          const rival<NUMBER> &alone) {
    const uint32_t all = (1u << GROUP) - 1;
    bool whole = g.far == all && !(r.with_runs >> g.tile & all);
    if (whole && emit_alone<WANT, NUMBER>(job, m, r, alone, g.begin)) return;
#pragma unroll 1
    for (int32_t t = 0; t < GROUP; t++) {
        int32_t col = g.begin + t * TILE + (int32_t)(threadIdx.x % WARP);
        if (g.far >> t & 1)
            emit_tile<WANT, NUMBER>(job, r, g.tile + t,
                                    {col, 0, m.d2(col, alone.target.col, alone.height2), 0, true, alone.target});
    }
}

/* ---- Segments ---- */

/* A sub-block without any list: only what lies inside runs has an owner. */
template <unsigned WANT, typename NUMBER>
__device__ static inline void solve_none(const job &job, const far_row<NUMBER> &r, int32_t begin, uint32_t far) {
    for (; far; far &= far - 1) {
        int32_t tile = __ffs((int)far) - 1;
        emit_tile<WANT, NUMBER>(job, r, tile, {begin + tile * TILE + (int32_t)(threadIdx.x % WARP), 0, 0, 0, false, {0, 0, 0}});
    }
}

template <unsigned WANT, typename NUMBER, bool ROUNDS>
__device__ static inline void solve_segment(const job &job, const measure<NUMBER> &m, const far_row<NUMBER> &r, int32_t segment,
                                            uint32_t far) {
    const int32_t lane = threadIdx.x % WARP, begin = segment * SEGMENT, edge = job.strip.width - 1;
    if (job.count[r.out.block] == 0) return solve_none<WANT, NUMBER>(job, r, begin, far);
    const reach *ends = job.ends + ((int64_t)r.out.block * BLOCK_ROWS + r.out.row) * (job.segments + 1) + segment;
    int64_t border = (int64_t)begin + lane * TILE;
    int32_t end = ends[1].last, held = -1;
    reach mine = spread<NUMBER, ROUNDS>(m, r.list, r.stage, ends[0], end, (int32_t)(border < edge ? border : edge), r.out.row, far,
                                        false);
    int32_t next = __shfl_down_sync(ALL_LANES, mine.last, 1);
    if (lane == WARP - 1) next = end;
    rival<NUMBER> alone = {};
    for (int32_t tile = 0; tile < WARP; tile += GROUP) {
        group g = {tile, begin + tile * TILE, far >> tile & ((1u << GROUP) - 1), 0, 0};
        if (!g.far) continue;
        g.first = __shfl_sync(ALL_LANES, mine.first, tile + __ffs((int)g.far) - 1);
        g.last = __shfl_sync(ALL_LANES, next, tile + 31 - __clz((int)g.far));
        if (g.first == g.last) {
            if (g.first != held) alone = rival_of<WANT, NUMBER>(job, m, r, held = g.first);
            solve_alone<WANT, NUMBER>(job, m, r, g, alone);
        } else if (g.last - g.first < WARP) {
            solve_few<WANT, NUMBER, ROUNDS>(job, m, r, g, mine, next);
        } else {
            solve_many<WANT, NUMBER, ROUNDS>(job, m, r, g, mine, next);
        }
    }
}

/* Blocks on a multiprocessor, where registers can be had for so many. */
#define FAR_BLOCKS(WANT, NUMBER) (WANT == WANT_ANY || sizeof(NUMBER) > 4 ? 1 : 5)

template <unsigned WANT, typename NUMBER, bool ROUNDS>
static __global__ void __launch_bounds__(FAR_ROWS *WARP, FAR_BLOCKS(WANT, NUMBER))
    far_kernel(const __grid_constant__ job job, measure<NUMBER> m) {
    __shared__ seen<NUMBER> stages[FAR_ROWS][WARP];
    const int32_t groups = BLOCK_ROWS / FAR_ROWS, warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const int32_t segment = (int32_t)(blockIdx.x / groups % job.segments),
                  block = (int32_t)(blockIdx.x / groups / job.segments);
    const int32_t row = (int32_t)(blockIdx.x % groups) * FAR_ROWS + warp, tiles = job.tiles - segment * WARP;
    if (row >= block_rows(job, block)) return;
    uint32_t far = job.far[((int64_t)block * BLOCK_ROWS + row) * job.segments + segment];
    if (tiles < WARP) far &= (1u << tiles) - 1;
    if (!far) return;
    uint32_t runs = lane < tiles ? job.runs[(int64_t)block * job.tiles + segment * WARP + lane] : 0;
    far_row<NUMBER> r = {outlet_at(job, block, row), job.lists + (int64_t)block * job.strip.width, stages[warp], runs,
                         __ballot_sync(ALL_LANES, runs != 0)};
    solve_segment<WANT, NUMBER, ROUNDS>(job, m, r, segment, far);
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
