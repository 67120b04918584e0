/* The globe under a grid: what the rows and columns of a longitude/latitude raster are on an
 * ellipsoid, in tables. Lengths are in units of the semi-major axis.
 *
 * Longitudes enter as differences only, in columns: k of them are k * step degrees, of which no
 * more than half a turn is ever needed. A raster of more than half a turn is cyclic: a turn has
 * `period` columns. Columns from the period on are meridians that the first columns are already:
 * they are folded onto those, and `cols` are left. */
#ifndef PREDT__GLOBE_H
#define PREDT__GLOBE_H

#include <math.h>
#include <stdbool.h>

#include "predt.h"

typedef struct predt__ellipsoid {
    double a, f;
    double one_f, e2, ep2, n; /* 1 - f, eccentricities squared, third flattening */
    double e2_ratio;          /* e2 beside that of WGS 84, at least 1: errors grow with it */
    bool is_round;            /* so little flattened that distances converge at once */
} predt__ellipsoid;

/* Of each row. Reduced latitudes: tan = (1 - f) tan latitude. */
typedef struct predt__parallels {
    double *degrees;           /* geodetic latitude */
    double *sin_geo, *cos_geo; /* of it */
    double *red, *sin, *cos;   /* of the reduced one, which comes in radians */
} predt__parallels;

/* Where a latitude lies among the rows: the range of sin / (|sin| + cos) of the reduced latitude,
 * which grows steadily with it, in as many pieces as there are rows. */
typedef struct predt__row_finder {
    double origin, pieces_per; /* a row's piece: (its number - origin) * pieces_per */
    int32_t *first; /* of each piece, and one more: the first row that lies in it or beyond */
} predt__row_finder;

/* Of each number of columns between two meridians, 0 to max_apart. */
typedef struct predt__meridians {
    double *chord2;    /* squared chord of the angle on the unit circle */
    double *sin, *cos; /* of half the angle */
} predt__meridians;

typedef struct predt__globe {
    predt__ellipsoid ellipsoid;
    predt__parallels row;
    predt__row_finder finder;
    predt__meridians apart;
    int64_t height, cols;
    int64_t period; /* 0: the raster is not cyclic */
    int64_t max_apart;
    double step;                  /* degrees between two columns, positive */
    bool westward;                /* columns run west */
    bool southward;               /* rows do */
    double limit;                 /* the largest distance in reach, in the grid's unit */
    double *memory;               /* of all tables */
    struct geod_geodesic *solver; /* see last_rung.h */
} predt__globe;

#define RADIANS_PER_DEGREE 0.017453292519943295769

/* Of k columns, in degrees: half a turn is exact. */
static inline double predt__degrees_apart(const predt__globe *globe, int64_t k) {
    return globe->period ? (double)k * 360.0 / (double)globe->period : (double)k * globe->step;
}

/* A number that grows with the reduced latitude, from -1 to 1. */
static inline double predt__row_number(double sine, double cosine) {
    return sine / (fabs(sine) + cosine);
}

static inline int64_t predt__row_piece(const predt__globe *globe, double number) {
    double piece = (number - globe->finder.origin) * globe->finder.pieces_per,
           last = (double)(globe->height - 1);
    return (int64_t)(piece < 0 ? 0 : piece > last ? last : piece);
}

/* The first row that lies beyond a reduced latitude, or on it, seen from the first row; the height:
 * there is none. */
static inline int64_t predt__row_from(const predt__globe *globe, double sine, double cosine) {
    const double *sines = globe->row.sin;
    int64_t row = globe->finder.first[predt__row_piece(globe, predt__row_number(sine, cosine))];
    while (row > 0 && (globe->southward ? sines[row - 1] <= sine : sines[row - 1] >= sine)) row--;
    while (row < globe->height && (globe->southward ? sines[row] > sine : sines[row] < sine)) row++;
    return row;
}

/* The given grid has a globe; both are checked. Returns PREDT_OK and the tables, to be freed by
 * predt__globe_free, or fails with a message. */
predt_status predt__globe_new(predt_ctx *ctx, const predt_grid *grid, predt__globe **out);
void predt__globe_free(predt__globe *globe);

/* Only checks: fails as predt__globe_new would. */
predt_status predt__globe_check(predt_ctx *ctx, const predt_grid *grid);

#endif
