/* The arithmetic of the published methods in three number types: who is nearer, who is dominated,
 * where a border runs. The decisions are those of the CPU engine's lists, so that both keep the
 * same targets. A point is a target: x its column, y its row in the raster. */
#ifndef PREDT__METHODS_MEASURE_CUH
#define PREDT__METHODS_MEASURE_CUH

#include <float.h>
#include <vector_functions.h> /* make_int2 */

#include "strip.h"

/* Integer weights: Number holds every squared distance, Wide the products that decide dominance. */
template <typename Number, typename Wide> struct whole {
    typedef Number number;
    Number wx, wy;
    int32_t width;
};

/* Other weights: binary64, which rounds. */
struct real {
    typedef double number;
    double wx, wy;
    int32_t width;
    double slack; /* columns around a border in which rounding may hide who is nearer */
};

typedef whole<int32_t, int64_t> whole32;
typedef whole<int64_t, __int128> whole64;

/* A member that loses by this much of the size of d2 loses by more than the roundings of two values
 * of d2 can hide. */
#define MARGIN (64 * DBL_EPSILON)

template <typename Number, typename Wide>
static whole<Number, Wide> whole_measure(const predt__ref_strip *strip) {
    return {(Number)strip->metric.wx, (Number)strip->metric.wy, strip->width};
}

/* A kept loser moves a border back by at most margin * d2 / (2 * wx) columns; the slack allows for
 * 64 of them in a row. */
static real real_measure(const predt__ref_strip *strip) {
    double wx = strip->metric.wx, wy = strip->metric.wy, width = strip->width,
           height = (double)strip->raster_height;
    double farthest = wx * width * width + wy * height * height;
    return {wx, wy, strip->width, 1.0 / 64 + 64 * MARGIN * farthest / (2 * wx)};
}

/* ---- Squared distances ---- */

template <typename Number, typename Wide>
__device__ static inline Number squared(const whole<Number, Wide> &m, int2 p, int32_t col,
                                        int32_t row) {
    Number dcol = (Number)col - (Number)p.x, drow = (Number)row - (Number)p.y;
    return m.wx * (dcol * dcol) + m.wy * (drow * drow);
}

__device__ static inline double squared(const real &m, int2 p, int32_t col, int32_t row) {
    return predt__d2_real(m.wx, m.wy, (double)col - p.x, (double)row - p.y);
}

/* ---- Who is nearer ---- */

/* A target as seen from a pixel; point.x is -1 where there is none. */
template <typename Number> struct nearest {
    Number d2;
    int2 point;
};

template <typename Measure>
__device__ static inline nearest<typename Measure::number> seen(const Measure &m, int2 point,
                                                                int32_t col, int32_t row) {
    return {squared(m, point, col, row), point};
}

/* The same for a target that may be none. */
template <typename Measure>
__device__ static inline nearest<typename Measure::number> seen_if(const Measure &m, int2 point,
                                                                   int32_t col, int32_t row) {
    if (point.x < 0) return {0, point};
    return seen(m, point, col, row);
}

/* Whether target a is nearer than b, if that is one, to a pixel in this row. On a tie the western
 * one is, then the northern one; two rows of one column that rounding makes equally far are still
 * told apart. */
template <typename Number>
__device__ static inline bool nearer(const nearest<Number> &a, const nearest<Number> &b,
                                     int32_t row) {
    if (b.point.x < 0) return true;
    if (a.d2 != b.d2) return a.d2 < b.d2;
    if (a.point.x != b.point.x) return a.point.x < b.point.x;
    int64_t rows_a = a.point.y < row ? (int64_t)row - a.point.y : (int64_t)a.point.y - row;
    int64_t rows_b = b.point.y < row ? (int64_t)row - b.point.y : (int64_t)b.point.y - row;
    return rows_a != rows_b ? rows_a < rows_b : a.point.y < b.point.y;
}

/* The smallest squared distance to any target so many columns (rows) away: rounding keeps the
 * order. */
template <typename Measure>
__device__ static inline typename Measure::number columns_away(const Measure &m, int32_t columns) {
    typename Measure::number n = columns;
    return m.wx * (n * n);
}

template <typename Measure>
__device__ static inline typename Measure::number rows_away(const Measure &m, int32_t rows) {
    typename Measure::number n = rows;
    return m.wy * (n * n);
}

/* ---- Dominance: the paper's intersection(a, b) >= intersection(b, c) ---- */

/* True if b, between a and c, owns nothing on the row. With heights ga, gb, gc (wy * rows^2) the
 * borders a|b and b|c have met when (gb - ga) * bc - (gc - gb) * ab >= wx * ab * bc * (ab + bc). On
 * equality all three tie in one point, which is the western one's. Only squares of heights count:
 * the same test serves upper and lower sets. */
template <typename Number, typename Wide>
__device__ static inline bool dominated(const whole<Number, Wide> &m, int2 a, int2 b, int2 c,
                                        int32_t row) {
    Wide ha = (Wide)row - a.y, hb = (Wide)row - b.y, hc = (Wide)row - c.y;
    Wide ab = (Wide)b.x - a.x, bc = (Wide)c.x - b.x, wx = m.wx, wy = m.wy;
    return wy * ((hb - ha) * (hb + ha) * bc - (hc - hb) * (hc + hb) * ab) >=
           wx * ab * bc * (ab + bc);
}

/* As above with a margin: a target too many may stay, never one too few. */
__device__ static inline bool dominated(const real &m, int2 a, int2 b, int2 c, int32_t row) {
    double ha = (double)row - a.y, hb = (double)row - b.y, hc = (double)row - c.y;
    double ab = (double)b.x - a.x, bc = (double)c.x - b.x;
    double excess = m.wy * ((hb - ha) * (hb + ha) * bc - (hc - hb) * (hc + hb) * ab) -
                    m.wx * ab * bc * (ab + bc);
    if (excess <= 0) return false;
    /* of a and c, from b */
    double crossing = (m.wy * (hc - ha) * (hc + ha) / (m.wx * (ab + bc)) + bc - ab) / 2;
    /* beyond the raster nobody asks */
    crossing = fmin(fabs(crossing), (double)m.width);
    double size =
        m.wx * (crossing * crossing + (ab + bc) * (ab + bc)) + m.wy * (ha * ha + hb * hb + hc * hc);
    return excess > MARGIN * size * (ab + bc);
}

/* ---- Borders ---- */

/* A first guess at the first column of b, a's right neighbour: right to one column, within [0,
 * width]. */
template <typename Measure>
__device__ static inline int32_t guess_first_column(const Measure &m, int2 a, int2 b, int32_t row) {
    double ha = (double)row - a.y, hb = (double)row - b.y, columns = (double)b.x - a.x;
    double border =
        ((double)a.x + b.x + (double)m.wy * ((hb - ha) * (hb + ha)) / ((double)m.wx * columns)) / 2;
    return (int32_t)floor(fmin(fmax(border, -1.0), (double)m.width - 1)) + 1;
}

/* The first column, up to width, that is nearer to b than to a; a tie is a's, the western one's. */
template <typename Number, typename Wide>
__device__ static inline int32_t first_column(const whole<Number, Wide> &m, int2 a, int2 b,
                                              int32_t row) {
    int32_t col = guess_first_column(m, a, b, row);
    while (col > 0 && squared(m, b, col - 1, row) < squared(m, a, col - 1, row)) col--;
    while (col < m.width && squared(m, b, col, row) >= squared(m, a, col, row)) col++;
    return col;
}

/* Within the slack of it: whoever uses it asks the neighbours too. */
__device__ static inline int32_t first_column(const real &m, int2 a, int2 b, int32_t row) {
    return guess_first_column(m, a, b, row);
}

/* How much the squared distances to neighbours a and b differ m.slack columns from their border. */
__device__ static inline double slack(const real &m, int2 a, int2 b) {
    return 2 * m.wx * m.slack * ((double)b.x - a.x);
}

/* ---- Which of the three ---- */

/* Calls work with the strip's measure; returns what it returns. Integers up to 2^53 that the index
 * keeps in binary64 are exact as int64 too. */
template <typename Work>
static cudaError_t measured(const predt__ref_strip *strip, const Work &work) {
    if (!strip->metric.integer) return work(real_measure(strip));
    if (strip->metric.number != PREDT__INT32) return work(whole_measure<int64_t, __int128>(strip));
    return work(whole_measure<int32_t, int64_t>(strip));
}

#endif
