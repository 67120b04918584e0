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
__device__ static inline void solve_alone(const job &job, const measure<NUMBER> &m,
                                          const far_row<WANT, NUMBER> &r, const group &g,
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
template <typename NUMBER> __device__ static inline seen<NUMBER> nobody() {
    return {most<NUMBER>(), 0};
}

#define TRIED 4 /* entries at once */

/* Stages the group's entries, except the owners of the last 32, one a lane: their labels need not
 * be there before someone asks. */
template <unsigned WANT, typename NUMBER, bool ROUNDS>
__device__ static inline owner fill_stage(const job &job, const measure<NUMBER> &m,
                                          const far_row<WANT, NUMBER> &r, const group &g) {
    const int32_t lane = threadIdx.x % WARP, count = g.last - g.first + 1;
    __syncwarp();
    for (int32_t base = 0;; base += WARP) {
        int32_t i = base + lane;
        rival<NUMBER> rival = rival_of<WANT, NUMBER>(job, m, r, i < count ? g.first + i : g.last);
        r.stage->seen[i] = i < count
                               ? see<NUMBER, ROUNDS>(m, rival.height2, rival.target.col, g.begin)
                               : nobody<NUMBER>();
        if (base + WARP >= count) return rival.target;
        r.stage->owners[i].keep(rival.target);
    }
}

/* Where rounding can hide who is nearer: all staged entries that may be, around the one that seems
 * so. */
template <typename NUMBER>
__device__ static inline reach widen(const measure<NUMBER> &m, const seen<NUMBER> *seen,
                                     int32_t count, NUMBER pixel, int32_t best) {
    NUMBER most = compare_by<NUMBER, true>(m, seen[best], pixel) + m.slack;
    int32_t west = 0, east = count - 1;
    while (west < best && compare_by<NUMBER, true>(m, seen[west], pixel) > most) west++;
    while (east > best && compare_by<NUMBER, true>(m, seen[east], pixel) > most) east--;
    return {west, best, east};
}

/* The staged entries that may own a pixel, from all of them. */
template <typename NUMBER, bool ROUNDS>
__device__ static inline reach try_all(const measure<NUMBER> &m, const seen<NUMBER> *seen,
                                       int32_t count, NUMBER pixel, NUMBER *least) {
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
__device__ static inline void try_between(const measure<NUMBER> &m, const seen<NUMBER> *seen,
                                          int32_t from, int32_t to, NUMBER pixel, NUMBER *least,
                                          int32_t *best) {
#pragma unroll
    for (int32_t k = 1; k < LANE_PIXELS; k++)
        best[k] = from, least[k] = compare_by<NUMBER, ROUNDS>(m, seen[from], pixel + k);
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
__device__ static inline void solve_few(const job &job, const measure<NUMBER> &m,
                                        const far_row<WANT, NUMBER> &r, const group &g) {
    const int32_t lane = threadIdx.x % WARP, count = g.last - g.first + 1;
    /* beyond it d2 may be too large for its type */
    const int32_t edge = job.strip.width - 1 - g.begin;
    NUMBER least[LANE_PIXELS], pixel = (NUMBER)min(lane * LANE_PIXELS, edge);
    int32_t best[LANE_PIXELS];
    owner late = fill_stage<WANT, NUMBER, ROUNDS>(job, m, r, g);
    __syncwarp();
    reach mine = try_all<NUMBER, ROUNDS>(m, r.stage->seen, count, pixel, &least[0]);
    int32_t to = __shfl_down_sync(ALL_LANES, mine.last, 1);
    best[0] = mine.best;
    try_between<NUMBER, ROUNDS>(m, r.stage->seen, mine.first, lane < WARP - 1 ? to : count - 1,
                                pixel, least, best);
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

/* More than can be staged: the pixels are halved further, tile by tile, and each lane then solves
 * one of its own. */
template <unsigned WANT, typename NUMBER, bool ROUNDS>
__device__ static inline void solve_many(const job &job, const measure<NUMBER> &m,
                                         const far_row<WANT, NUMBER> &r, const group &g) {
    const int32_t lane = threadIdx.x % WARP, edge = job.strip.width - 1;
    int32_t left = g.first;
#pragma unroll 1
    for (int32_t t = 0; t < GROUP_TILES && g.begin + t * TILE <= edge; t++) {
        int32_t begin = g.begin + t * TILE, right = min(begin + TILE - 1, edge),
                col = min(begin + lane, edge);
        reach west = find<NUMBER, ROUNDS>(m, r.list, left, g.last, begin, r.out.row);
        reach east = find<NUMBER, ROUNDS>(m, r.list, west.first, g.last, right, r.out.row);
        left = east.first;
        if (!(r.far >> (g.tile + t) & 1)) continue;
        int32_t best =
            halve<NUMBER, ROUNDS>(m, r.list, west, east.last, col, r.out.row, WARP, ALL_LANES).best;
        rival<NUMBER> rival = rival_of<WANT, NUMBER>(job, m, r, best);
        NUMBER d2 = m.d2(col, rival.target.col, rival.height2);
        bool run = __shfl_sync(ALL_LANES, r.runs, g.tile + t) >> lane & 1;
        if (run) own_itself<WANT, NUMBER>(job, r, col, &d2, &rival.target);
        if (lane <= right - begin) emit_one<WANT, NUMBER>(job, r, col, d2, rival.target, true);
    }
}

#endif
