/* The ladder of distances: each rung costs more than the one below and is off by less. A rung
 * decides who is nearer where two distances differ by more than its margin; else the next one is
 * asked, and at last PROJ (last_rung.h). Lengths are in units of the semi-major axis.
 *
 *   chord      squared, through the ellipsoid: two multiplications
 *   closed     from the chord, in closed form: up to about 90 degrees
 *   accurate   by iteration on the auxiliary sphere: all but the neighbourhood of the antipode
 *
 * docs/geodesic.md derives them and says where the margins come from. */
#ifndef PREDT__LADDER_H
#define PREDT__LADDER_H

#include "../nearer.h"
#include "globe.h"
#include "lanes.h"

/* Two points on the ellipsoid: in each lane others. */
typedef struct pair {
    /* the squared chord is a + b: in the plane of the first one's meridian, and across */
    real a, b;
    real sin1, cos1, sin2, cos2; /* reduced latitudes */
    real mid2;                   /* squared sine of the mean geodetic latitude */
    real sin_half, cos_half;     /* of half their difference of longitude */
} pair;

/* ---- Chord ---- */

PREDT__DEVICE double chord_along(const predt__globe *globe, double sin1, double cos1, double sin2,
                                 double cos2) {
    double out = cos1 - cos2, up = globe->ellipsoid.one_f * (sin1 - sin2);
    return out * out + up * up;
}

/* What is added to chord margins: the rounding of squares of small differences. */
#define CHORD_NOISE 3e-19

/* What a squared chord t may be short of another one though its geodesic is longer, relative to t.
 * proofs/chord_margins.py proves this margin and the next one. */
PREDT__DEVICE double chord_slack(const predt__globe *globe, double t) {
    double past = t > 3 ? t - 3 : 0;
    return globe->ellipsoid.e2_ratio * (1.9e-3 * t * (1 + 0.3 * t) + 0.024 * past * past) + 1e-11;
}

PREDT__DEVICE double chord_margin(const predt__globe *globe, double t) {
    return t * chord_slack(globe, t) + CHORD_NOISE;
}

#define NEAR_CHORD2 3.8 /* up to here: */

PREDT__DEVICE double near_factor(const predt__globe *globe, double t) {
    return 5e-3 * globe->ellipsoid.e2_ratio * t * (1 + t * (0.1 + 0.033 * t));
}

/* The same for two targets whose own squared chord is apart2, less than 0.09 t: most of the error
 * is common to both. */
PREDT__DEVICE double near_margin(const predt__globe *globe, double t, double apart2) {
    return near_factor(globe, t) * sqrt(t * apart2) + t * 1e-11 + CHORD_NOISE;
}

/* Whether `excess` is more than that margin. */
PREDT__DEVICE bool is_past_near_margin(const predt__globe *globe, double excess, double t,
                                       double apart2) {
    double rest = excess - (t * 1e-11 + CHORD_NOISE), factor = near_factor(globe, t);
    return rest > 0 && rest * rest > factor * factor * t * apart2;
}

/* ---- Closed form ---- */

#define SHORT_CHORD2 4.44e-3 /* 425 km on the Earth: up to here the closed form is settled */
#define CLOSED_CHORD2 2.0    /* to here it is better than the chord */

/* sqrt(1 - q) to q^4: q is at most the squared eccentricity. */
REAL_FUNCTION real root_of_rest(real q) {
    return 1 - q * (1.0 / 2 + q * (1.0 / 8 + q * (1.0 / 16 + q * (5.0 / 128))));
}

/* What flattening adds to the circle's series, beside v^2. */
REAL_FUNCTION real flattening_term(double e2, real q, real y) {
    return e2 * (y - 1) * (1.0 / 160) + q * (1.0 / 80 - y * (1.0 / 60)) +
           e2 * q * (-.0701 + y * (.1410 - y * .0729)) +
           q * q * (.0761 + y * (-.1437 + y * .0655)) + e2 * e2 * y * (-.0071 + y * .0068);
}

/* The arc over a chord is that of a circle with the curvature of the normal section, at the mean
 * latitude. More: terms enough for chords up to CLOSED_CHORD2. */
REAL_FUNCTION real closed(const predt__globe *globe, const pair *p, bool more) {
    double e2 = globe->ellipsoid.e2;
    real t = p->a + p->b, per_t = 1 / (t + 1e-300); /* of one point alone: 0 in the end */
    real q = e2 * p->mid2, across = root_of_rest(q), along = (1 - q) * across / (1 - e2);
    real y = p->b * per_t, curvature = (p->a * along + p->b * across) * per_t;
    real v = curvature * curvature * t;
    real tail = 35.0 / 294912 + 0 * v;
    if (more)
        tail += v * (63.0 / 2883584 +
                     v * (231.0 / 54525952 +
                          v * (429.0 / 503316480 +
                               v * (6435.0 / 36507222016 + v * (12155.0 / 326417514496.0)))));
    real series = 3.0 / 640 + flattening_term(e2, q, y) + v * (5.0 / 7168 + v * tail);
    return SQUARE_ROOT(t) * (1 + v * (1.0 / 24 + v * series));
}

PREDT__DEVICE double closed_margin(const predt__globe *globe, double t, double distance) {
    return distance * (3e-5 * globe->ellipsoid.e2_ratio * t * t * t * (1 + 0.3 * t) + 2e-12) +
           2e-15;
}

/* ---- Accurate ---- */

/* Beyond this squared chord, in units of the semi-minor axis, lies the neighbourhood of the
 * antipode, 174 degrees away; on ellipsoids flatter than the Earth 172. Beyond the last one an
 * ellipsoid like the Earth's takes two rounds, as flatter ones do everywhere. */
#define FAR_CHORD2 3.99
#define FLAT_FAR_CHORD2 3.98
#define ONE_ROUND_CHORD2 3.9

PREDT__DEVICE bool is_far(const predt__globe *globe, double t) {
    const predt__ellipsoid *e = &globe->ellipsoid;
    return t > (e->is_round ? FAR_CHORD2 : FLAT_FAR_CHORD2) * e->one_f * e->one_f;
}

/* Angle from its sine and cosine, neither negative: the tangent of half of it, or of what it lacks
 * to a right angle, is at most 0.42, and the polynomial is off by less than 2e-18. */
REAL_FUNCTION real first_quadrant(real sine, real cosine) {
    real low = WHERE(sine < cosine, sine, cosine), high = WHERE(sine < cosine, cosine, sine);
    real u = low / (1 + high), z = u * u;
    real zz = z * z; /* two chains, of even and of odd powers */
    real odd = -0.01780539720541943669 * zz - 0.05035102456601551543,
         even = 0.03796525745386592853 * zz + 0.05846878297330872454;
    odd = odd * zz - 0.06662951813629190079;
    even = even * zz + 0.07692045330902224951;
    odd = odd * zz - 0.09090896809064027076;
    even = even * zz + 0.1111111074491965824;
    odd = odd * zz - 0.1428571427925024494;
    even = even * zz + 0.1999999999994089146;
    odd = odd * zz - 0.3333333333333312116;
    real c = odd + z * even;
    real angle = 2 * (u + u * z * c);
    return WHERE(sine < cosine, angle, 1.5707963267948966 - angle);
}

/* What is the same in every round: of the squared sine of half the arc, the part of latitudes and
 * the factor of longitudes; and the product of the sines. */
typedef struct arc_ends {
    real along, across, sines;
} arc_ends;

/* The geodesic on the auxiliary sphere, in one round of the iteration. */
typedef struct arc {
    real sin_half, cos_half; /* of half the spherical longitude */
    real turned;             /* how much that longitude is more than the true one */
    real sin_arc, cos_arc, arc;
    real sin_equator;  /* sine of the azimuth at the equator */
    real eps, eps_cos; /* the expansion parameter, and times cos(2 sigma_m) */
} arc;

/* sin(2 l sigma) summed over both ends is 2 cos(2 l sigma_m) sin(l arc): those products, times
 * eps^l, for l = 1 to 4. */
REAL_FUNCTION void arc_harmonics(const arc *a, real harmonics[4]) {
    real e2 = a->eps * a->eps, w = a->eps_cos, s1 = a->sin_arc, c1 = a->cos_arc;
    real s2 = 2 * s1 * c1, c2 = 2 * c1 * c1 - 1, s3 = s2 * c1 + c2 * s1, s4 = 2 * s2 * c2;
    real w2 = 2 * w * w - e2, w3 = w * (4 * w * w - 3 * e2), w4 = 2 * w2 * w2 - e2 * e2;
    harmonics[0] = 2 * w * s1;
    harmonics[1] = 2 * w2 * s2;
    harmonics[2] = 2 * w3 * s3;
    harmonics[3] = 2 * w4 * s4;
}

/* The arc for its spherical longitude. */
REAL_FUNCTION void arc_measure(const predt__ellipsoid *e, const arc_ends *ends, arc *a) {
    real h = ends->along + ends->across * a->sin_half * a->sin_half;
    real sine = SQUARE_ROOT(h), cosine = SQUARE_ROOT(1 - h);
    a->sin_arc = 2 * sine * cosine;
    a->cos_arc = 1 - 2 * h;
    a->arc = 2 * first_quadrant(sine, cosine);
    a->sin_equator = ends->across * 2 * a->sin_half * a->cos_half / a->sin_arc;
    real cos2 = 1 - a->sin_equator * a->sin_equator, root = 1 + SQUARE_ROOT(1 + e->ep2 * cos2);
    real per = e->ep2 / (root * root);
    a->eps = per * cos2;
    a->eps_cos = per * (cos2 * a->cos_arc - 2 * ends->sines);
}

/* How much the spherical longitude is more than the true one (Karney 2013, equations 8, 24, 25). */
REAL_FUNCTION real arc_turn(const predt__ellipsoid *e, const arc *a) {
    double n = e->n;
    real x = a->eps, harmonics[4];
    real a3 = 1 - x * ((1 - n) / 2 +
                       x * (1.0 / 4 + n / 8 - 3 * n * n / 8 +
                            x * (1.0 / 16 + 3 * n / 16 + n * n / 16 + x * (3.0 / 64 + n / 32))));
    real c1 =
        (1 - n) / 4 +
        x * ((1 - n * n) / 8 + x * (3.0 / 64 + 3 * n / 64 - n * n / 64 + x * (5.0 / 128 + n / 64)));
    real c2 = 1.0 / 16 - 3 * n / 32 + n * n / 32 +
              x * (3.0 / 64 - n / 32 - 3 * n * n / 64 + x * (3.0 / 128 + n / 128));
    real c3 = 5.0 / 192 - 3 * n / 64 + 5 * n * n / 192 + x * (3.0 / 128 - 5 * n / 192);
    double c4 = 7.0 / 512 - 7 * n / 256;
    arc_harmonics(a, harmonics);
    real sum =
        a->arc + c1 * harmonics[0] + c2 * harmonics[1] + c3 * harmonics[2] + c4 * harmonics[3];
    return e->f * a->sin_equator * a3 * sum;
}

/* Length on the ellipsoid (equations 7, 17, 18). */
REAL_FUNCTION real arc_length(const predt__ellipsoid *e, const arc *a) {
    real x = a->eps, x2 = x * x, harmonics[4];
    real a1 = (1 + x2 * (1.0 / 4 + x2 * (1.0 / 64))) / (1 - x);
    arc_harmonics(a, harmonics);
    real sum = a->arc + (-1.0 / 2 + x2 * (3.0 / 16)) * harmonics[0] +
               (-1.0 / 16 + x2 * (1.0 / 32)) * harmonics[1] - 1.0 / 48 * harmonics[2] -
               5.0 / 512 * harmonics[3];
    return e->one_f * a1 * sum;
}

/* Turns the spherical longitude to be `turned` more than the true one. The angle is small: at most
 * f * 90 degrees. */
REAL_FUNCTION void arc_set(const pair *p, arc *a, real turned) {
    real d = turned / 2, d2 = d * d;
    real sine = d * (1 - d2 * (1.0 / 6 - d2 * (1.0 / 120 - d2 * (1.0 / 5040)))),
         cosine = 1 - d2 * (1.0 / 2 - d2 * (1.0 / 24 - d2 * (1.0 / 720)));
    a->turned = turned;
    a->sin_half = p->sin_half * cosine + p->cos_half * sine;
    a->cos_half = p->cos_half * cosine - p->sin_half * sine;
}

/* How fast the sine of the azimuth at the equator grows with the spherical longitude; the arc grows
 * by that sine itself. */
REAL_FUNCTION real arc_bend(const arc_ends *ends, const arc *a) {
    real cos_turn = 1 - 2 * a->sin_half * a->sin_half;
    return (ends->across * cos_turn - a->sin_equator * a->sin_equator * a->cos_arc) / a->sin_arc;
}

/* One step of Newton's method: the turn grows nearly as f * sin_equator * arc does. */
REAL_FUNCTION void arc_step(const predt__ellipsoid *e, const pair *p, const arc_ends *ends,
                            arc *a) {
    real growth = e->f * (arc_bend(ends, a) * a->arc + a->sin_equator * a->sin_equator);
    arc_set(p, a, a->turned + (arc_turn(e, a) - a->turned) / (1 - growth));
}

REAL_FUNCTION void arc_round(const predt__ellipsoid *e, const pair *p, const arc_ends *ends,
                             arc *a) {
    arc_step(e, p, ends, a);
    arc_measure(e, ends, a);
}

/* One more round than flattening asks for where the pair is far apart. */
REAL_FUNCTION arc_ends arc_find(const predt__globe *globe, const pair *p, arc *a) {
    const predt__ellipsoid *e = &globe->ellipsoid;
    real up = p->sin1 - p->sin2, out = p->cos1 - p->cos2;
    arc_ends ends = {(up * up + out * out) / 4, p->cos1 * p->cos2, p->sin1 * p->sin2};
    arc_set(p, a, 0 * p->sin1);
    arc_measure(e, &ends, a);
    arc_round(e, p, &ends, a);
    if (!e->is_round || ANY_LANE(p->a + p->b > ONE_ROUND_CHORD2 * e->one_f * e->one_f))
        arc_round(e, p, &ends, a);
    return ends;
}

/* The last longitude is a little off, by what is found now: the length is mended for that, as it
 * grows by the sine of the azimuth at the equator; nearly to third order. */
REAL_FUNCTION real accurate(const predt__globe *globe, const pair *p, arc *a) {
    const predt__ellipsoid *e = &globe->ellipsoid;
    arc_ends ends = arc_find(globe, p, a);
    real off = arc_turn(e, a) - a->turned;
    return arc_length(e, a) + off * (a->sin_equator + off * arc_bend(&ends, a) / 2);
}

/* The spherical longitude, which azimuths need better than lengths do. */
REAL_FUNCTION void accurate_longitude(const predt__globe *globe, const pair *p, arc *a) {
    arc_ends ends = arc_find(globe, p, a);
    arc_round(&globe->ellipsoid, p, &ends, a);
    arc_step(&globe->ellipsoid, p, &ends, a);
}

/* For rounding mostly: proofs/accurate_margin.py has the rest. */
PREDT__DEVICE double accurate_margin(double distance) { return distance * 1e-12 + 2e-15; }

/* ---- Rounding ---- */

/* How far a distance of any rung used for values may be from PROJ's. */
PREDT__DEVICE double value_error(double distance) { return 6e-12 * distance + 1.5e-15; }

#endif
