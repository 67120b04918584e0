/* Who is nearer, and how far is that: the arithmetic on which every engine must agree to the last
 * bit. Plain C that a CUDA engine can include too (PREDT__DEVICE). Build every user with
 * contraction off (-ffp-contract=off, --fmad=false). */
#ifndef PREDT__NEARER_H
#define PREDT__NEARER_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef PREDT__DEVICE
#define PREDT__DEVICE static inline
#endif

/* The type in which squared distances are compared. All three give the same order wherever two of
 * them apply. */
typedef enum predt__number {
    PREDT__INT32, /* integer weights, the farthest pair of pixels below 2^31 */
    /* binary64: integer weights below 2^53 (then exact), or weights that are no integers */
    PREDT__REAL,
    PREDT__INT64 /* integer weights, from 2^53 to below 2^63 */
} predt__number;

/* d2 = wx * dcol^2 + wy * drow^2; distance = sqrt(d2) * unit. */
typedef struct predt__metric {
    predt__number number;
    bool integer; /* wx and wy are integers, and so is every d2 */
    double wx, wy;
    double unit;                     /* length of one unit of sqrt(d2) */
    double limit;                    /* largest d2 in reach, inclusive; INFINITY: no limit */
    double col_step[2], row_step[2]; /* for the direction */
} predt__metric;

PREDT__DEVICE int64_t predt__d2_int(int64_t wx, int64_t wy, int64_t dcol, int64_t drow) {
    return wx * (dcol * dcol) + wy * (drow * drow);
}

PREDT__DEVICE double predt__d2_real(double wx, double wy, double dcol, double drow) {
    return wx * (dcol * dcol) + wy * (drow * drow);
}

PREDT__DEVICE float predt__distance(double d2, double unit) { return (float)(sqrt(d2) * unit); }

PREDT__DEVICE double predt__distance2(double d2, double unit) { return d2 * (unit * unit); }

/* Arc tangent of 0 <= t <= 1 in degrees, within 2e-14, the same on every machine: atan t = atan c +
 * atan((t - c) / (1 + t c)) with c the nearest multiple of 1/8, so that the remainder is at most
 * 1/16 and its Taylor series is done after t^13. */
PREDT__DEVICE double predt__arctan_degrees(double t) {
    const double table[9] = {0.0,
                             7.1250163489017977,
                             14.036243467926479,
                             20.556045219583467,
                             26.565051177077990,
                             32.005383208083492,
                             36.869897645844020,
                             41.185925165709648,
                             45.0};
    int near = (int)(t * 8.0 + 0.5);
    double c = near / 8.0;
    double r = (t - c) / (1.0 + t * c), q = r * r;
    double series =
        r * (1.0 + q * (-1.0 / 3 +
                        q * (1.0 / 5 +
                             q * (-1.0 / 7 + q * (1.0 / 9 + q * (-1.0 / 11 + q * (1.0 / 13)))))));
    return table[near] + series * 57.295779513082321;
}

/* a + b, where a remainder that is no more than their rounding is 0: on a rotated grid a vector due
 * north is one. */
PREDT__DEVICE double predt__sum(double a, double b) {
    /* 2^-51: two products, each half a unit off, and the sum */
    const double rounding = 4.4408920985006262e-16;
    double sum = a + b;
    return fabs(sum) <= rounding * fabs(a) ? 0.0 : sum;
}

/* Azimuth of the vector of dcol columns and drow rows: degrees clockwise from map north, in (0,
 * 360]; 0 for no vector. */
PREDT__DEVICE float predt__azimuth(const predt__metric *metric, double dcol, double drow) {
    double east = predt__sum(dcol * metric->col_step[0], drow * metric->row_step[0]);
    double north = predt__sum(dcol * metric->col_step[1], drow * metric->row_step[1]);
    double e = fabs(east), n = fabs(north), angle;
    if (e == 0.0 && n == 0.0) return 0.0f;
    angle = e <= n ? predt__arctan_degrees(e / n) : 90.0 - predt__arctan_degrees(n / e);
    if (north < 0.0) angle = 180.0 - angle;
    if (east < 0.0) angle = 360.0 - angle;
    float rounded = (float)angle;
    return rounded > 0.0f ? rounded : 360.0f;
}

#endif
