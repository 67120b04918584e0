/* What a warp knows of a row of far tiles, and how a lane's four pixels of it are written. */
#ifndef PREDT__GPU_FAR_PIXELS_CUH
#define PREDT__GPU_FAR_PIXELS_CUH

#include "emit.cuh"
#include "nearest.cuh"

#define LANE_PIXELS 4
#define GROUP (WARP * LANE_PIXELS) /* columns */
#define GROUPS (SEGMENT / GROUP)
#define GROUP_TILES (GROUP / TILE)

__device__ static inline bool in_reach(const strip_job &job, int32_t d2) {
    return d2 <= job.whole_limit;
}
__device__ static inline bool in_reach(const strip_job &job, int64_t d2) {
    return (double)d2 <= job.limit;
}
__device__ static inline bool in_reach(const strip_job &job, double d2) { return d2 <= job.limit; }

/* What is kept of a target while it is staged: no more than is wanted. */
template <unsigned WANT> struct kept_target {
    uint32_t label;
    __device__ void keep(const nearest_target &owner) { label = (uint32_t)owner.label; }
    __device__ nearest_target back() const { return {0, 0, label}; }
};
template <> struct kept_target<WANT_ANY> {
    nearest_target all;
    __device__ void keep(const nearest_target &owner) { all = owner; }
    __device__ nearest_target back() const { return all; }
};

/* Entries of a group that are looked at together: as pixels of the row see them, and whom they
 * stand for. */
template <unsigned WANT, typename NUMBER> struct entry_stage {
    static const int32_t capacity = sizeof(NUMBER) == 4 ? 256 : 128;
    projection<NUMBER> projections[capacity];
    kept_target<WANT> owners[capacity];
};

/* What a warp knows of its row. */
template <unsigned WANT, typename NUMBER> struct far_row {
    outlet out;
    const list_entry *list;
    entry_stage<WANT, NUMBER> *stage;
    uint32_t far;       /* bit t: tile t of the segment is to be solved */
    uint32_t runs;      /* a lane's tile: columns full of targets that the list does without */
    uint32_t with_runs; /* tiles that have such */
};

/* A group: its first tile in the segment and first column in the raster, and the entries that may
 * own its pixels. */
struct pixel_group {
    int32_t tile, begin, first, last;
};

/* An entry on one row: the target that it stands for there, and wy * rows^2. */
template <typename NUMBER> struct row_entry {
    nearest_target target;
    NUMBER height2;
};

template <unsigned WANT, typename NUMBER>
__device__ static inline row_entry<NUMBER>
entry_on_row(const strip_job &job, const measure<NUMBER> &m, const far_row<WANT, NUMBER> &r,
             int32_t at) {
    list_entry e = r.list[at];
    nearest_row nearest = nearest_in_column(e, r.out.row);
    int32_t row = r.out.row + (nearest.down ? (int32_t)nearest.rows : -(int32_t)nearest.rows);
    return {owner_at<WANT, int64_t>(job, r.out.block, e.col, row), m.height2(nearest.rows)};
}

/* ---- Pixels out ---- */

/* A lane's four pixels. */
template <typename NUMBER> struct lane_pixels {
    NUMBER d2[LANE_PIXELS];
    nearest_target owners[LANE_PIXELS];
    uint32_t reached; /* bit i: pixel i has an owner */
};

/* A pixel inside a run is its own target. */
template <unsigned WANT, typename NUMBER>
__device__ static inline void own_itself(const strip_job &job, const far_row<WANT, NUMBER> &r,
                                         int32_t col, NUMBER *d2, nearest_target *owner) {
    *d2 = 0;
    if (wants_owner<WANT>(job)) *owner = owner_at<WANT, int64_t>(job, r.out.block, col, r.out.row);
}

template <unsigned WANT, typename NUMBER>
__device__ static inline void emit_one(const strip_job &job, const far_row<WANT, NUMBER> &r,
                                       int32_t col, NUMBER d2, const nearest_target &owner,
                                       bool owned) {
    bool reached = owned && in_reach(job, d2);
    answer<NUMBER> a = {col, 0, d2, reached ? distance_of(job, d2) : INFINITY, reached, owner};
    emit<WANT>(job, r.out, a);
}

template <unsigned WANT, typename NUMBER>
__device__ static inline void own_runs(const strip_job &job, const far_row<WANT, NUMBER> &r,
                                       const pixel_group &g, lane_pixels<NUMBER> &four) {
    const int32_t lane = threadIdx.x % WARP, at = lane * LANE_PIXELS;
    uint32_t runs = __shfl_sync(ALL_LANES, r.runs, g.tile + at / TILE) >> at % TILE;
#pragma unroll
    for (int32_t i = 0; i < LANE_PIXELS; i++) {
        if (!(runs >> i & 1)) continue;
        own_itself<WANT, NUMBER>(job, r, g.begin + at + i, &four.d2[i], &four.owners[i]);
        four.reached |= 1u << i;
    }
}

/* The distances of four pixels that have owners; largest: of their d2. */
template <typename NUMBER>
__device__ static inline void distances_of(const strip_job &job, const lane_pixels<NUMBER> &four,
                                           int32_t largest, float *distance) {
    if (largest <= job.float_limit) {
#pragma unroll
        for (int32_t i = 0; i < LANE_PIXELS; i++) distance[i] = root((int32_t)four.d2[i]);
    } else {
        for (int32_t i = 0; i < LANE_PIXELS; i++)
            distance[i] = predt__distance((double)four.d2[i], job.strip.metric.unit);
    }
}

/* Writes four pixels at once; false if that cannot be done here. */
template <unsigned WANT, typename NUMBER>
__device__ static inline bool emit_together(const strip_job &job, const far_row<WANT, NUMBER> &r,
                                            const pixel_group &g, const lane_pixels<NUMBER> &four,
                                            bool far) {
    if constexpr (WANT == WANT_ANY || sizeof(NUMBER) != sizeof(int32_t)) return false;
    const int32_t col = g.begin + LANE_PIXELS * (int32_t)(threadIdx.x % WARP);
    if (!job.aligned || g.begin + GROUP > job.strip.width) return false;
    int32_t largest = (int32_t)four.d2[0];
#pragma unroll
    for (int32_t i = 1; i < LANE_PIXELS; i++) largest = max(largest, (int32_t)four.d2[i]);
    if (!__all_sync(ALL_LANES, !far || (four.reached == (1u << LANE_PIXELS) - 1 &&
                                        largest <= job.whole_limit)))
        return false;
    if (!far) return true;
    float distance[LANE_PIXELS];
    distances_of<NUMBER>(job, four, largest, distance);
    *(float4 *)(r.out.distance + col) =
        make_float4(distance[0], distance[1], distance[2], distance[3]);
    if (WANT & WANT_LABEL4)
        *(uint4 *)(r.out.label + col) =
            make_uint4((uint32_t)four.owners[0].label, (uint32_t)four.owners[1].label,
                       (uint32_t)four.owners[2].label, (uint32_t)four.owners[3].label);
    return true;
}

template <unsigned WANT, typename NUMBER>
__device__ static inline void emit_four(const strip_job &job, const far_row<WANT, NUMBER> &r,
                                        const pixel_group &g, lane_pixels<NUMBER> &four) {
    const int32_t at = LANE_PIXELS * (int32_t)(threadIdx.x % WARP);
    const bool far = r.far >> (g.tile + at / TILE) & 1;
    if (r.with_runs >> g.tile & ((1u << GROUP_TILES) - 1)) own_runs<WANT, NUMBER>(job, r, g, four);
    if (emit_together<WANT, NUMBER>(job, r, g, four, far) || !far) return;
#pragma unroll
    for (int32_t i = 0; i < LANE_PIXELS; i++) {
        int32_t col = g.begin + at + i;
        if (job.strip.width - g.begin > at + i)
            emit_one<WANT, NUMBER>(job, r, col, four.d2[i], four.owners[i], four.reached >> i & 1);
    }
}

#endif
