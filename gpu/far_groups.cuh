/* 128 pixels of a row, four a lane, once the owners at the group's borders are known.
 *
 * Between two borders it is mostly one entry that owns all, or some tens that are staged in shared
 * memory: each lane finds the owner of its first pixel among all of them, and those of its other
 * three among what lies between that and the right neighbour's. */
#ifndef PREDT__GPU_FAR_GROUPS_CUH
#define PREDT__GPU_FAR_GROUPS_CUH

#include "far_pixels.cuh"

/* One entry owns all. */
template <unsigned WANT, typename NUMBER>
__device__ static inline void solve_alone(const strip_job &job, const measure<NUMBER> &m,
                                          const far_row<WANT, NUMBER> &r, const pixel_group &g,
                                          const row_entry<NUMBER> &alone) {
    const int32_t col = g.begin + LANE_PIXELS * (int32_t)(threadIdx.x % WARP);
    lane_pixels<NUMBER> four;
    four.reached = (1u << LANE_PIXELS) - 1;
#pragma unroll
    for (int32_t i = 0; i < LANE_PIXELS; i++)
        four.d2[i] = m.d2(col + i, alone.target.col, alone.height2), four.owners[i] = alone.target;
    emit_four<WANT, NUMBER>(job, r, g, four);
}

/* An entry that no pixel prefers, to fill a stage up to a multiple of what is tried at once. */
template <typename NUMBER> __device__ static inline projection<NUMBER> no_projection() {
    return {infinity<NUMBER>(), 0};
}

#define TRIED 4 /* entries at once */

/* Stages the group's entries, except the owners of the last 32, one a lane: their labels need not
 * be there before someone asks. */
template <unsigned WANT, typename NUMBER, bool ROUNDS>
__device__ static inline nearest_target fill_stage(const strip_job &job, const measure<NUMBER> &m,
                                                   const far_row<WANT, NUMBER> &r,
                                                   const pixel_group &g) {
    const int32_t lane = threadIdx.x % WARP, count = g.last - g.first + 1;
    __syncwarp();
    for (int32_t base = 0;; base += WARP) {
        int32_t i = base + lane;
        row_entry<NUMBER> entry =
            entry_on_row<WANT, NUMBER>(job, m, r, i < count ? g.first + i : g.last);
        r.stage->projections[i] =
            i < count ? project<NUMBER, ROUNDS>(m, entry.height2, entry.target.col, g.begin)
                      : no_projection<NUMBER>();
        if (base + WARP >= count) return entry.target;
        r.stage->owners[i].keep(entry.target);
    }
}

/* Where rounding can hide who is nearer: all staged entries that may be, around the one that seems
 * so. */
template <typename NUMBER>
__device__ static inline owner_range widen(const measure<NUMBER> &m,
                                           const projection<NUMBER> *projections, int32_t count,
                                           NUMBER pixel, int32_t best) {
    NUMBER largest = compare_by<NUMBER, true>(m, projections[best], pixel) + m.slack;
    int32_t west = 0, east = count - 1;
    while (west < best && compare_by<NUMBER, true>(m, projections[west], pixel) > largest) west++;
    while (east > best && compare_by<NUMBER, true>(m, projections[east], pixel) > largest) east--;
    return {west, best, east};
}

/* The staged entries that may own a pixel, from all of them. */
template <typename NUMBER, bool ROUNDS>
__device__ static inline owner_range try_all(const measure<NUMBER> &m,
                                             const projection<NUMBER> *projections, int32_t count,
                                             NUMBER pixel, NUMBER *smallest) {
    int32_t best = 0;
    *smallest = infinity<NUMBER>();
    for (int32_t i = 0; i < count; i += TRIED) {
#pragma unroll
        for (int32_t k = 0; k < TRIED; k++) {
            NUMBER value = compare_by<NUMBER, ROUNDS>(m, projections[i + k], pixel);
            if (value < *smallest) *smallest = value, best = i + k;
        }
    }
    if constexpr (ROUNDS) return widen<NUMBER>(m, projections, count, pixel, best);
    else return {best, best, best};
}

/* The owners of a lane's pixels but the first among the staged entries from `from` to `to`. */
template <typename NUMBER, bool ROUNDS>
__device__ static inline void
try_between(const measure<NUMBER> &m, const projection<NUMBER> *projections, int32_t from,
            int32_t to, NUMBER pixel, NUMBER *smallest, int32_t *best) {
#pragma unroll
    for (int32_t k = 1; k < LANE_PIXELS; k++)
        best[k] = from, smallest[k] = compare_by<NUMBER, ROUNDS>(m, projections[from], pixel + k);
    for (int32_t i = from + 1; i <= to; i++) {
#pragma unroll
        for (int32_t k = 1; k < LANE_PIXELS; k++) {
            NUMBER value = compare_by<NUMBER, ROUNDS>(m, projections[i], pixel + k);
            if (value < smallest[k]) smallest[k] = value, best[k] = i;
        }
    }
}

/* No more entries than can be staged. */
template <unsigned WANT, typename NUMBER, bool ROUNDS>
__device__ static inline void solve_few(const strip_job &job, const measure<NUMBER> &m,
                                        const far_row<WANT, NUMBER> &r, const pixel_group &g) {
    const int32_t lane = threadIdx.x % WARP, count = g.last - g.first + 1;
    /* beyond it d2 may be too large for its type */
    const int32_t edge = job.strip.width - 1 - g.begin;
    NUMBER smallest[LANE_PIXELS], pixel = (NUMBER)min(lane * LANE_PIXELS, edge);
    int32_t best[LANE_PIXELS];
    nearest_target late = fill_stage<WANT, NUMBER, ROUNDS>(job, m, r, g);
    __syncwarp();
    owner_range mine = try_all<NUMBER, ROUNDS>(m, r.stage->projections, count, pixel, &smallest[0]);
    int32_t to = __shfl_down_sync(ALL_LANES, mine.last, 1);
    best[0] = mine.best;
    try_between<NUMBER, ROUNDS>(m, r.stage->projections, mine.first,
                                lane < WARP - 1 ? to : count - 1, pixel, smallest, best);
    r.stage->owners[(count - 1) / WARP * WARP + lane].keep(late);
    __syncwarp();
    lane_pixels<NUMBER> four;
    four.reached = (1u << LANE_PIXELS) - 1;
#pragma unroll
    for (int32_t k = 0; k < LANE_PIXELS; k++) {
        four.d2[k] = ROUNDS ? smallest[k] : smallest[k] + m.wx * ((pixel + k) * (pixel + k));
        four.owners[k] = r.stage->owners[best[k]].back();
    }
    emit_four<WANT, NUMBER>(job, r, g, four);
}

/* More than can be staged: the pixels are halved further, tile by tile, and each lane then solves
 * one of its own. */
template <unsigned WANT, typename NUMBER, bool ROUNDS>
__device__ static inline void solve_many(const strip_job &job, const measure<NUMBER> &m,
                                         const far_row<WANT, NUMBER> &r, const pixel_group &g) {
    const int32_t lane = threadIdx.x % WARP, edge = job.strip.width - 1;
    int32_t left = g.first;
#pragma unroll 1
    for (int32_t t = 0; t < GROUP_TILES && g.begin + t * TILE <= edge; t++) {
        int32_t begin = g.begin + t * TILE, right = min(begin + TILE - 1, edge),
                col = min(begin + lane, edge);
        owner_range west = find<NUMBER, ROUNDS>(m, r.list, left, g.last, begin, r.out.row);
        owner_range east = find<NUMBER, ROUNDS>(m, r.list, west.first, g.last, right, r.out.row);
        left = east.first;
        if (!(r.far >> (g.tile + t) & 1)) continue;
        int32_t best =
            halve<NUMBER, ROUNDS>(m, r.list, west, east.last, col, r.out.row, WARP, ALL_LANES).best;
        row_entry<NUMBER> entry = entry_on_row<WANT, NUMBER>(job, m, r, best);
        NUMBER d2 = m.d2(col, entry.target.col, entry.height2);
        bool run = __shfl_sync(ALL_LANES, r.runs, g.tile + t) >> lane & 1;
        if (run) own_itself<WANT, NUMBER>(job, r, col, &d2, &entry.target);
        if (lane <= right - begin) emit_one<WANT, NUMBER>(job, r, col, d2, entry.target, true);
    }
}

#endif
