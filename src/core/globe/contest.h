/* Which of several targets is nearest to a pixel: the ladder of distances, climbed as far as
 * needed. A target is dropped only where another real target is certainly nearer, so that in the
 * end the nearest ones are left, whatever was dropped in which order. */
#ifndef PREDT__CONTEST_H
#define PREDT__CONTEST_H

#include <stdlib.h>

#include "candidates.h"
#include "last_rung.h"
#include "pairs.h"

/* A pixel in a column: scratch->apart and chord2 are that column's. */
typedef struct pixel {
    int64_t row;
    double sin, cos;
} pixel;

static inline pixel pixel_at(const predt__globe *globe, int64_t row) {
    return (pixel){row, globe->row.sin[row], globe->row.cos[row]};
}

/* In the unit of the grid. */
static inline double last_rung(const predt__globe *globe, int64_t row, int64_t target_row,
                               int32_t apart) {
    return predt__geodesic(globe, row, target_row, magnitude(apart), NULL);
}

/* The candidates still in the contest, in scratch->left, with their squared chords. */
typedef struct contest {
    const predt__substrip *strip;
    predt__globe_scratch *s;
    pixel at;
    int lane, count;
} contest;

static inline int64_t row_of(const contest *c, int i) {
    return c->strip->carries->rows[c->s->left[i]];
}

/* Keeps those whose number does not exceed that of the best by more than their margin. */
static void keep(contest *c, const double *numbers, double best, const double *margins) {
    int count = 0;
    for (int i = 0; i < c->count; i++) {
        if (numbers[i] - margins[i] > best) continue;
        c->s->left[count] = c->s->left[i];
        c->s->left_t[count++] = c->s->left_t[i];
    }
    c->count = count;
}

/* Squared chord between two targets of different rows. */
static double chord2_between(const contest *c, int32_t j, int32_t other) {
    const predt__globe *globe = c->strip->globe;
    const predt__carries *carries = c->strip->carries;
    int64_t turned = llabs((long long)c->s->apart[j] - c->s->apart[other]);
    if (globe->period && turned > globe->period / 2) turned = globe->period - turned;
    if (turned > globe->max_apart) return 4;
    return chord_along(globe, carries->sin[j], carries->cos[j], carries->sin[other],
                       carries->cos[other]) +
           carries->cos[j] * carries->cos[other] * globe->apart.chord2[turned];
}

/* Whether the target with the chord t2 is certainly farther than the one with t1: by what two
 * targets so near to each other can differ. */
static bool is_beaten(const contest *c, int32_t by, double t1, int32_t j, double t2) {
    if (!(t2 > t1) || t2 > NEAR_CHORD2) return false;
    double apart2 = chord2_between(c, by, j);
    return apart2 < 0.09 * t2 && is_past_near_margin(c->strip->globe, t2 - t1, t2, apart2);
}

/* Each is compared with those before it that are left: neighbours in a row of candidates are mostly
 * near to each other, and their margins are small. */
static void weed(contest *c) {
    int32_t *left = c->s->left;
    double *t = c->s->left_t;
    int count = 0;
    for (int i = 0; i < c->count; i++) {
        if (count && is_beaten(c, left[count - 1], t[count - 1], left[i], t[i])) continue;
        while (count && is_beaten(c, left[i], t[i], left[count - 1], t[count - 1])) count--;
        left[count] = left[i];
        t[count++] = t[i];
    }
    c->count = count;
}

/* A vector of those that are left, from the i-th on; the last one fills it up. */
static pair pair_left(const contest *c, int i) {
    int32_t rows[REAL_LANES], apart[REAL_LANES];
    for (int n = 0; n < REAL_LANES; n++) {
        int at = i + n < c->count ? i + n : c->count - 1;
        rows[n] = (int32_t)row_of(c, at);
        apart[n] = magnitude(c->s->apart[c->s->left[at]]);
    }
    return pair_in_row(c->strip->globe, c->at.row, rows, apart);
}

/* The arrays of scratch for distances and margins have room for a whole vector more. */
static double *distances_left(const contest *c) { return c->s->left_distance; }
static double *margins_left(const contest *c) {
    return c->s->left_distance + c->s->rows + LANES_MAX;
}

/* Distances are there: keeps those that may be the least. */
static void keep_nearest(contest *c) {
    const double *distance = distances_left(c), *margin = margins_left(c);
    double best = (double)INFINITY;
    for (int i = 0; i < c->count; i++) best = smaller(best, distance[i] + margin[i]);
    keep(c, distance, best, margin);
}

/* By the closed form, if all are near enough for it. */
static void climb_closed(contest *c) {
    const predt__globe *globe = c->strip->globe;
    double *distance = distances_left(c), *margin = margins_left(c);
    for (int i = 0; i < c->count; i++)
        if (c->s->left_t[i] >= CLOSED_CHORD2) return;
    for (int i = 0; i < c->count; i += REAL_LANES) {
        pair p = pair_left(c, i);
        real_store(distance + i, closed(globe, &p, true));
    }
    for (int i = 0; i < c->count; i++)
        margin[i] = closed_margin(globe, c->s->left_t[i], distance[i]);
    keep_nearest(c);
}

/* By the accurate distance; beyond its reach by PROJ. */
static void climb_accurate(contest *c) {
    const predt__globe *globe = c->strip->globe;
    double *distance = distances_left(c), *margin = margins_left(c);
    arc unused;
    for (int i = 0; i < c->count; i += REAL_LANES) {
        pair p = pair_left(c, i);
        real_store(distance + i, accurate(globe, &p, &unused));
    }
    for (int i = 0; i < c->count; i++) {
        if (is_far(globe, c->s->left_t[i]))
            distance[i] = last_rung(globe, c->at.row, row_of(c, i), c->s->apart[c->s->left[i]]) /
                          globe->ellipsoid.a;
        margin[i] = accurate_margin(distance[i]);
    }
    keep_nearest(c);
}

/* Column of a candidate in the raster. */
static int64_t column_of(const predt__substrip *strip, int lane, int32_t apart) {
    int64_t col = strip->first_col + strip->lane[lane] + apart, period = strip->globe->period;
    return col < 0 ? col + period : period && col >= period ? col - period : col;
}

/* By PROJ; of equally near ones the smaller column, then the smaller row. */
static int32_t decide(const contest *c) {
    int32_t best = c->s->left[0];
    double nearest = last_rung(c->strip->globe, c->at.row, row_of(c, 0), c->s->apart[best]);
    for (int i = 1; i < c->count; i++) {
        int32_t j = c->s->left[i];
        double distance = last_rung(c->strip->globe, c->at.row, row_of(c, i), c->s->apart[j]);
        if (distance > nearest ||
            (distance == nearest && column_of(c->strip, c->lane, c->s->apart[j]) >=
                                        column_of(c->strip, c->lane, c->s->apart[best])))
            continue;
        best = j;
        nearest = distance;
    }
    return best;
}

/* The nearest of the candidates that are left, at least one, in the order of their rows. */
static int32_t winner(contest *c) {
    if (c->count > 1) weed(c);
    if (c->count > 1) climb_closed(c);
    if (c->count > 1) climb_accurate(c);
    return c->count > 1 ? decide(c) : c->s->left[0];
}

#endif
