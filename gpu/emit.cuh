/* From a pixel's nearest target to the outputs that were asked for. */
#ifndef PREDT__GPU_EMIT_CUH
#define PREDT__GPU_EMIT_CUH

#include "columns.cuh"

/* ---- Labels ---- */

/* Label of the strip's target at (col, row), by rank; row relative to the strip. */
template <typename LABEL> __device__ static inline LABEL ranked_label(const job &job, int32_t col, int32_t row) {
    int32_t block = row / BLOCK_ROWS;
    int64_t tile = (int64_t)block * job.tiles + col / TILE;
    rank_row ranks = job.ranks[tile * BLOCK_ROWS + row % BLOCK_ROWS];
    uint32_t before = ranks.before + (uint32_t)__popc(ranks.targets & ((1u << col % TILE) - 1));
    return ((const LABEL *)job.strip.label_values)[job.strip.label_blocks[block] + before];
}

/* Label of the target at (col, row) of the raster. */
template <typename LABEL> __device__ static inline LABEL label_of(const job &job, int32_t col, int32_t row) {
    const predt__gpu_strip &strip = job.strip;
    int64_t inside = row - strip.first_row;
    if (inside < 0) return ((const LABEL *)strip.above_labels)[col];
    if (inside >= strip.rows) return ((const LABEL *)strip.below_labels)[col];
    if (strip.label_raster) return ((const LABEL *)strip.label_raster)[inside * strip.width + col];
    return ranked_label<LABEL>(job, col, (int32_t)inside);
}

/* ---- Distances ---- */

/* A float32 root is the correctly rounded one where d2 itself is a float32, that is up to 2^24. */
#define EXACT_FLOAT (1 << 24)

__device__ static inline float distance_of(int32_t d2, double unit) {
    return unit == 1.0 && d2 <= EXACT_FLOAT ? __fsqrt_rn((float)d2) : predt__distance(d2, unit);
}
__device__ static inline float distance_of(int64_t d2, double unit) { return predt__distance((double)d2, unit); }
__device__ static inline float distance_of(double d2, double unit) { return predt__distance(d2, unit); }

/* ---- One pixel ---- */

/* A pixel's nearest target: the pixel's column and row in the strip, the owner's in the raster. The owner is looked at only
 * where job.owners is set and it is in reach. */
template <typename NUMBER> struct answer {
    int32_t col, row;
    NUMBER d2;
    bool reached;
    int32_t owner_col, owner_row;
};

template <typename NUMBER> __device__ static inline void emit(const job &job, const answer<NUMBER> &a) {
    const predt__gpu_strip &strip = job.strip;
    const double unit = strip.metric.unit;
    int64_t at = (int64_t)a.row * strip.width + a.col;
    if (strip.distance) strip.distance[at] = a.reached ? distance_of(a.d2, unit) : INFINITY;
    if (strip.distance2) strip.distance2[at] = a.reached ? predt__distance2((double)a.d2, unit) : (double)INFINITY;
    if (!job.owners) return;
    if (strip.label && strip.label_size == 4)
        ((uint32_t *)strip.label)[at] =
            a.reached ? label_of<uint32_t>(job, a.owner_col, a.owner_row) : (uint32_t)strip.no_label;
    if (strip.label && strip.label_size == 8)
        ((uint64_t *)strip.label)[at] = a.reached ? label_of<uint64_t>(job, a.owner_col, a.owner_row) : strip.no_label;
    if (strip.nearest_col) strip.nearest_col[at] = a.reached ? a.owner_col : -1;
    if (strip.nearest_row) strip.nearest_row[at] = a.reached ? a.owner_row : -1;
    if (strip.direction)
        strip.direction[at] = a.reached ? predt__azimuth(&strip.metric, (double)a.owner_col - a.col,
                                                         (double)a.owner_row - (double)(strip.first_row + a.row))
                                        : __int_as_float(0x7fc00000); /* NAN as C has it */
}

#endif
