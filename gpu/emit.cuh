/* From a pixel's nearest target to the outputs that were asked for. Kernels are compiled for the
 * outputs that are asked for most, and once for any. */
#ifndef PREDT__GPU_EMIT_CUH
#define PREDT__GPU_EMIT_CUH

#include "job.cuh"

/* The outputs that a kernel is compiled for: distances, or these and labels of 4 bytes, or whatever
 * the strip names. */
enum { WANT_DISTANCE = 1, WANT_LABEL4 = 2, WANT_ANY = 4 };

/* up to here 32 rows and a reach of 32 more on each side fit into a 32-bit place */
#define LEAN_WIDTH (1 << 25)

/* Places within a sub-block and near it. */
template <unsigned WANT> struct places { typedef int32_t type; };
template <> struct places<WANT_ANY> { typedef int64_t type; };

/* Calls LAUNCH with the outputs to compile for. */
#define FOR_WANTED(job, LAUNCH)                                                                    \
    switch (wanted(job)) {                                                                         \
    case WANT_DISTANCE:                                                                            \
        LAUNCH(WANT_DISTANCE);                                                                     \
        break;                                                                                     \
    case WANT_DISTANCE | WANT_LABEL4:                                                              \
        LAUNCH(WANT_DISTANCE | WANT_LABEL4);                                                       \
        break;                                                                                     \
    default:                                                                                       \
        LAUNCH(WANT_ANY);                                                                          \
    }

static inline unsigned wanted(const strip_job *job) {
    const predt__gpu_strip *strip = &job->strip;
    bool rest = strip->distance2 || strip->nearest_col || strip->nearest_row || strip->direction;
    if (!strip->distance || rest || strip->width > LEAN_WIDTH) return WANT_ANY;
    if (!strip->label) return WANT_DISTANCE;
    return strip->label_size == 4 ? WANT_DISTANCE | WANT_LABEL4 : WANT_ANY;
}

template <unsigned WANT> __device__ static inline bool wants_owner(const strip_job &job) {
    return WANT & WANT_ANY ? job.owners : (WANT & WANT_LABEL4) != 0;
}

/* ---- Labels ---- */

/* Label of the strip's target at (col, row), by rank; row relative to the strip. */
template <typename LABEL>
__device__ static inline LABEL ranked_label(const strip_job &job, int32_t col, int32_t row) {
    int32_t block = row / BLOCK_ROWS;
    int64_t tile = (int64_t)block * job.tiles + col / TILE;
    rank_row ranks = job.ranks[tile * BLOCK_ROWS + row % BLOCK_ROWS];
    uint32_t before = ranks.before + (uint32_t)__popc(ranks.targets & ((1u << col % TILE) - 1));
    return __ldg((const LABEL *)job.strip.label_values + job.strip.label_blocks[block] + before);
}

/* Label of the target at (col, row); row relative to the sub-block. */
template <typename LABEL, typename PLACE>
__device__ static inline LABEL label_of(const strip_job &job, int32_t block, int32_t col,
                                        int32_t row) {
    const predt__gpu_strip &strip = job.strip;
    int32_t inside = block * BLOCK_ROWS + row;
    if (inside < 0) return __ldg((const LABEL *)strip.above_labels + col);
    if (inside >= strip.rows) return __ldg((const LABEL *)strip.below_labels + col);
    if (!strip.label_raster) return ranked_label<LABEL>(job, col, inside);
    const LABEL *labels =
        (const LABEL *)strip.label_raster + (int64_t)block * BLOCK_ROWS * strip.width;
    return __ldg(labels + ((PLACE)row * strip.width + col));
}

/* A nearest target: its column, its row relative to the sub-block and, if wanted, its label. */
struct nearest_target {
    int32_t col, row;
    uint64_t label;
};

template <unsigned WANT, typename PLACE>
__device__ static inline nearest_target owner_at(const strip_job &job, int32_t block, int32_t col,
                                                 int32_t row) {
    nearest_target owner = {col, row, 0};
    if (WANT & WANT_LABEL4) owner.label = label_of<uint32_t, PLACE>(job, block, col, row);
    if (!(WANT & WANT_ANY) || !job.strip.label) return owner;
    if (job.strip.label_size == 4) owner.label = label_of<uint32_t, PLACE>(job, block, col, row);
    if (job.strip.label_size == 8) owner.label = label_of<uint64_t, PLACE>(job, block, col, row);
    return owner;
}

/* ---- Distances ---- */

/* Up to here d2 is a float32, and so its float32 root is the root in binary64 rounded: what
 * predt__distance is where the unit is 1. */
#define EXACT_FLOAT (1 << 24)

/* The root of a float32 integer, correctly rounded: an estimate and one step of Newton's, as
 * __fsqrt_rn does it, but without a branch for numbers that are never asked for. */
__device__ static inline float root(int32_t whole) {
    float square = (float)whole, inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(fmaxf(square, 1)));
    float estimate = square * inverse;
    return __fmaf_rn(__fmaf_rn(-estimate, estimate, square), 0.5f * inverse, estimate);
}

__device__ static inline float distance_of(const strip_job &job, int32_t d2) {
    return d2 <= job.float_limit ? root(d2) : predt__distance(d2, job.strip.metric.unit);
}
__device__ static inline float distance_of(const strip_job &job, int64_t d2) {
    return predt__distance((double)d2, job.strip.metric.unit);
}
__device__ static inline float distance_of(const strip_job &job, double d2) {
    return predt__distance(d2, job.strip.metric.unit);
}

/* ---- One pixel ---- */

/* Where the outputs of a sub-block or of a row begin. */
struct outlet {
    int32_t block, row; /* row of the sub-block */
    int64_t at;         /* pixels of the strip before it */
    float *distance;
    uint32_t *label; /* labels of 4 bytes */
};

__device__ static inline outlet outlet_at(const strip_job &job, int32_t block, int32_t row) {
    int64_t at = ((int64_t)block * BLOCK_ROWS + row) * job.strip.width;
    return {block, row, at, job.strip.distance + at, (uint32_t *)job.strip.label + at};
}

/* A pixel, counted from the outlet's row, and what is known of it. The owner is looked at only if
 * it is in reach. */
template <typename NUMBER> struct answer {
    int32_t col, row;
    NUMBER d2;
    float distance;
    bool reached;
    nearest_target nearest;
};

/* What is asked for seldom. */
template <typename NUMBER>
__device__ static inline void emit_rest(const strip_job &job, const outlet &out,
                                        const answer<NUMBER> &a, int64_t at) {
    const predt__gpu_strip &strip = job.strip;
    const nearest_target &o = a.nearest;
    if (strip.distance2)
        strip.distance2[at] =
            a.reached ? predt__distance2((double)a.d2, strip.metric.unit) : (double)INFINITY;
    if (strip.label && strip.label_size == 4)
        ((uint32_t *)strip.label)[at] = (uint32_t)(a.reached ? o.label : strip.no_label);
    if (strip.label && strip.label_size == 8)
        ((uint64_t *)strip.label)[at] = a.reached ? o.label : strip.no_label;
    if (strip.nearest_col) strip.nearest_col[at] = a.reached ? o.col : -1;
    if (strip.nearest_row)
        strip.nearest_row[at] = a.reached ? block_first_row(job, out.block) + o.row : -1;
    if (strip.direction)
        strip.direction[at] = a.reached ? predt__azimuth(&strip.metric, (double)o.col - a.col,
                                                         (double)o.row - (double)(out.row + a.row))
                                        : __int_as_float(0x7fc00000); /* NAN as C has it */
}

template <unsigned WANT, typename NUMBER>
__device__ static inline void emit(const strip_job &job, const outlet &out,
                                   const answer<NUMBER> &a) {
    typename places<WANT>::type place =
        (typename places<WANT>::type)a.row * job.strip.width + a.col;
    if (WANT & WANT_DISTANCE || job.strip.distance) out.distance[place] = a.distance;
    if (WANT & WANT_LABEL4)
        out.label[place] = a.reached ? (uint32_t)a.nearest.label : (uint32_t)job.strip.no_label;
    if (WANT & WANT_ANY) emit_rest(job, out, a, out.at + place);
}

#endif
