/* Pixels and targets as pairs of points, a vector at a time. */
#ifndef PREDT__PAIRS_H
#define PREDT__PAIRS_H

#include "ladder.h"
#include "work.h"

/* Not fmin and fmax, which are calls. */
static inline double smaller(double a, double b) { return a < b ? a : b; }
static inline double larger(double a, double b) { return a > b ? a : b; }

REAL_FUNCTION real real_load(const double *from) {
    real loaded;
    memcpy(&loaded, from, sizeof loaded);
    return loaded;
}

REAL_FUNCTION void real_store(double *to, real value) { memcpy(to, &value, sizeof value); }

/* Elements of a table by number. */
REAL_FUNCTION real real_gather(const double *table, const int32_t *numbers) {
    double gathered[REAL_LANES];
    for (int i = 0; i < REAL_LANES; i++) gathered[i] = table[numbers[i]];
    return real_load(gathered);
}

REAL_FUNCTION real real_all(double value) { return (real){0} + value; }

/* A point of each lane: its row's tables. */
typedef struct points {
    real sin, cos, sin_geo, cos_geo;
} points;

REAL_FUNCTION points points_of_row(const predt__globe *globe, int64_t row) {
    const predt__parallels *r = &globe->row;
    return (points){real_all(r->sin[row]), real_all(r->cos[row]), real_all(r->sin_geo[row]),
                    real_all(r->cos_geo[row])};
}

REAL_FUNCTION points points_of_rows(const predt__globe *globe, const int32_t *rows) {
    const predt__parallels *r = &globe->row;
    return (points){real_gather(r->sin, rows), real_gather(r->cos, rows),
                    real_gather(r->sin_geo, rows), real_gather(r->cos_geo, rows)};
}

/* Of rows that follow each other. */
REAL_FUNCTION points points_from_row(const predt__globe *globe, int64_t row) {
    const predt__parallels *r = &globe->row;
    return (points){real_load(r->sin + row), real_load(r->cos + row), real_load(r->sin_geo + row),
                    real_load(r->cos_geo + row)};
}

/* Columns between the two meridians of each lane. */
typedef struct meridians {
    real chord2, sin_half, cos_half;
} meridians;

REAL_FUNCTION meridians meridians_apart(const predt__globe *globe, int64_t k) {
    const predt__meridians *apart = &globe->apart;
    return (meridians){real_all(apart->chord2[k]), real_all(apart->sin[k]),
                       real_all(apart->cos[k])};
}

REAL_FUNCTION meridians meridians_at(const predt__globe *globe, const int32_t *k) {
    const predt__meridians *apart = &globe->apart;
    return (meridians){real_gather(apart->chord2, k), real_gather(apart->sin, k),
                       real_gather(apart->cos, k)};
}

REAL_FUNCTION pair pair_up(const predt__globe *globe, const points *one, const points *other,
                           const meridians *apart) {
    real out = one->cos - other->cos, up = globe->ellipsoid.one_f * (one->sin - other->sin);
    return (pair){.a = out * out + up * up,
                  .b = one->cos * other->cos * apart->chord2,
                  .sin1 = one->sin,
                  .cos1 = one->cos,
                  .sin2 = other->sin,
                  .cos2 = other->cos,
                  .mid2 = (1 - one->cos_geo * other->cos_geo + one->sin_geo * other->sin_geo) / 2,
                  .sin_half = apart->sin_half,
                  .cos_half = apart->cos_half};
}

/* Pixels of one row, and for each the row of its target and columns between, which are not
 * negative. */
REAL_FUNCTION pair pair_in_row(const predt__globe *globe, int64_t row, const int32_t *target_rows,
                               const int32_t *apart) {
    points pixels = points_of_row(globe, row), targets = points_of_rows(globe, target_rows);
    meridians between = meridians_at(globe, apart);
    return pair_up(globe, &pixels, &targets, &between);
}

#endif
