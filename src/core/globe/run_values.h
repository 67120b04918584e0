/* How far one owner is along a column: in closed form where it is near, else by polynomials through
 * accurate distances. */
#ifndef PREDT__RUN_VALUES_H
#define PREDT__RUN_VALUES_H

#include "../numbers.h"
#include "pairs.h"

/* The owner, in a row of the raster and so many columns away; distances from a row asked for on. */
typedef struct column_run {
    const predt__substrip *strip;
    int64_t target_row;
    int32_t apart;
    int64_t first;
    double *distance;
} column_run;

REAL_FUNCTION pair pair_in_column(const column_run *run, const points *pixels) {
    const predt__globe *globe = run->strip->globe;
    points target = points_of_row(globe, run->target_row);
    meridians between = meridians_apart(globe, run->apart);
    return pair_up(globe, pixels, &target, &between);
}

/* Rows asked for from i on; the last one fills the vector up. */
REAL_FUNCTION points points_asked(const predt__substrip *strip, int64_t i, int64_t end) {
    int32_t rows[REAL_LANES];
    if (strip->row_step == 1 && i + REAL_LANES <= end)
        return points_from_row(strip->globe, asked_row(strip, i));
    for (int n = 0; n < REAL_LANES; n++)
        rows[n] = (int32_t)asked_row(strip, i + n < end ? i + n : end - 1);
    return points_of_rows(strip->globe, rows);
}

REAL_FUNCTION real reduced_asked(const predt__substrip *strip, int64_t i, int64_t end) {
    const double *red = strip->globe->row.red;
    int32_t rows[REAL_LANES];
    if (strip->row_step == 1 && i + REAL_LANES <= end) return real_load(red + asked_row(strip, i));
    for (int n = 0; n < REAL_LANES; n++)
        rows[n] = (int32_t)asked_row(strip, i + n < end ? i + n : end - 1);
    return real_gather(red, rows);
}

/* Of rows from i on: those beyond the run are overwritten when their turn comes. */
REAL_FUNCTION void store_rows(const column_run *run, int64_t i, real distance) {
    real_store(run->distance + (i - run->first), distance);
}

static void closed_values(const column_run *run, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i += REAL_LANES) {
        points pixels = points_asked(run->strip, i, end);
        pair p = pair_in_column(run, &pixels);
        store_rows(run, i, closed(run->strip->globe, &p, false));
    }
}

#define NODES 8

/* Accurate distances to so many rows. */
static void accurate_values(const column_run *run, const int32_t rows[NODES],
                            double distance[NODES]) {
    const predt__globe *globe = run->strip->globe;
    arc unused;
    for (int i = 0; i < NODES; i += REAL_LANES) {
        points pixels = points_of_rows(globe, rows + i);
        pair p = pair_in_column(run, &pixels);
        real_store(distance + i, accurate(globe, &p, &unused));
    }
}

/* Radians of a piece of a column over which the squared distance is a polynomial of degree 7, but
 * for a part in 10^13: it is analytic up to the antipode. nearest: what the piece comes near to the
 * target, at least; farthest: at most. */
static double piece_length(double nearest, double farthest) {
    double room = 3.141592653589793 - farthest - 0.03;
    return 3 * room * 0.0237137 * sqrt(sqrt(nearest));
}

/* Squared distances through the nodes, as Newton has it: of x - x0, scaled. */
static void divided_differences(const double x[NODES], double y[NODES]) {
#pragma GCC unroll 8
    for (int level = 1; level < NODES; level++) {
        double before = y[level - 1];
#pragma GCC unroll 8
        for (int i = level; i < NODES; i++) {
            double here = y[i];
            y[i] = (here - before) / (x[i] - x[i - level]);
            before = here;
        }
    }
}

static void interpolate(const column_run *run, const double x[NODES], const double c[NODES],
                        int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i += REAL_LANES) {
        real at = reduced_asked(run->strip, i, end), sum = real_all(c[NODES - 1]);
        for (int n = NODES - 2; n >= 0; n--) sum = c[n] + (at - x[n]) * sum;
        store_rows(run, i, SQUARE_ROOT(sum));
    }
}

static void few_values(const column_run *run, int64_t begin, int64_t end) {
    int32_t rows[NODES];
    double distance[NODES];
    for (int i = 0; i < NODES; i++)
        rows[i] = (int32_t)asked_row(run->strip, begin + i < end ? begin + i : end - 1);
    accurate_values(run, rows, distance);
    memcpy(run->distance + (begin - run->first), distance,
           (size_t)(end - begin) * sizeof *distance);
}

/* Nodes are spread by rows. Whether their latitudes are spread about as evenly: a polynomial is not
 * to be trusted in a wide gap beside narrow ones. */
static bool is_even(const double x[NODES]) {
    double mean = fabs(x[NODES - 1] - x[0]) / (NODES - 1);
    for (int i = 1; i < NODES; i++) {
        double gap = fabs(x[i] - x[i - 1]);
        if (gap < mean / 2 || gap > 2 * mean) return false;
    }
    return true;
}

static void piece_values(const column_run *run, int64_t begin, int64_t end) {
    int32_t nodes[NODES];
    double x[NODES], c[NODES];
    for (int i = 0; i < NODES; i++) {
        nodes[i] = (int32_t)asked_row(run->strip, begin + (end - 1 - begin) * i / (NODES - 1));
        x[i] = run->strip->globe->row.red[nodes[i]];
    }
    if (!is_even(x)) {
        for (; begin < end; begin += NODES)
            few_values(run, begin, end - begin < NODES ? end : begin + NODES);
        return;
    }
    accurate_values(run, nodes, c);
    for (int i = 0; i < NODES; i++) c[i] *= c[i];
    divided_differences(x, c);
    interpolate(run, x, c, begin, end);
}

/* Least distance of a target from the meridian, on the sphere of reduced latitudes. */
static double from_meridian(const column_run *run) {
    const predt__globe *globe = run->strip->globe;
    double sine = globe->apart.sin[run->apart], cosine = globe->apart.cos[run->apart];
    return globe->row.cos[run->target_row] * (sine < cosine ? 2 * sine * cosine : 1);
}

/* How many rows from the first of [begin, end) on are within so many radians of it. */
static int64_t rows_within(const column_run *run, int64_t begin, int64_t end, double length) {
    const double *red = run->strip->globe->row.red;
    double start = red[asked_row(run->strip, begin)];
    int64_t low = 1, high = end - begin;
    while (low < high) {
        int64_t middle = high - (high - low) / 2;
        double last = red[asked_row(run->strip, begin + middle - 1)];
        if (fabs(last - start) <= length) low = middle;
        else high = middle - 1;
    }
    return low;
}

/* End of the piece that begins with a row. */
static int64_t piece_end(const column_run *run, int64_t begin, int64_t end, double from_it,
                         double farthest) {
    const double *red = run->strip->globe->row.red;
    double start = red[asked_row(run->strip, begin)], target = red[run->target_row];
    double last = red[asked_row(run->strip, end - 1)];
    bool passes = (start - target) * (last - target) <= 0;
    double gap = passes ? 0 : smaller(fabs(start - target), fabs(last - target));
    int64_t count = rows_within(run, begin, end, piece_length(larger(from_it, gap), farthest));
    return end - begin - count < NODES + 2 && count > NODES + 2 ? begin + (end - begin + 1) / 2
                                                                : begin + count;
}

/* All rows are too far for the closed form, and none is too far for accurate distances. */
static void long_values(const column_run *run, int64_t begin, int64_t end, double longest) {
    double chord = sqrt(longest) / 2 / run->strip->globe->ellipsoid.one_f;
    double farthest = 2 * asin(smaller(chord, 1)), from_it = from_meridian(run);
    while (begin < end) {
        int64_t stop = end - begin > NODES ? piece_end(run, begin, end, from_it, farthest) : end;
        if (stop - begin > NODES) piece_values(run, begin, stop);
        else few_values(run, begin, stop);
        begin = stop;
    }
}

/* Least and largest squared chord of a run of rows. */
typedef struct chord_range {
    double min, max;
} chord_range;

static double chord2_from(const column_run *run, double sine, double cosine) {
    const predt__globe *globe = run->strip->globe;
    double sin_target = globe->row.sin[run->target_row],
           cos_target = globe->row.cos[run->target_row];
    return chord_along(globe, sine, cosine, sin_target, cos_target) +
           cosine * cos_target * globe->apart.chord2[run->apart];
}

/* What flattening may hide of the largest chord. */
#define ANTIPODE_SLACK 3e-4

/* The point of the pixels' meridian that the target or its antipode is nearest to, which half of a
 * meridian has one of; about: as if the ellipsoid were a sphere. */
typedef struct extreme_point {
    double sin, cos;
    bool is_antipode;
} extreme_point;

static extreme_point extreme_of(const column_run *run) {
    const predt__globe *globe = run->strip->globe;
    double sine = globe->row.sin[run->target_row],
           cosine = globe->row.cos[run->target_row] * (1 - globe->apart.chord2[run->apart] / 2);
    double per = (cosine < 0 ? -1 : 1) / sqrt(sine * sine + cosine * cosine + 1e-300);
    return (extreme_point){sine * per, cosine * per, cosine < 0};
}

/* Along half a meridian chords have one extreme: the least where it passes the target, or the
 * largest where it passes the target's antipode. */
static chord_range range_of(const column_run *run, int64_t begin, int64_t end) {
    const predt__parallels *r = &run->strip->globe->row;
    int64_t first = asked_row(run->strip, begin), last = asked_row(run->strip, end - 1);
    double one = chord2_from(run, r->sin[first], r->cos[first]),
           other = chord2_from(run, r->sin[last], r->cos[last]);
    chord_range range = {smaller(one, other), larger(one, other)};
    extreme_point point = extreme_of(run);
    if ((r->sin[first] - point.sin) * (r->sin[last] - point.sin) >= 0) return range;
    double extreme = chord2_from(run, point.sin, point.cos);
    range.min = smaller(range.min, extreme);
    range.max = larger(range.max, point.is_antipode ? extreme + ANTIPODE_SLACK : extreme);
    return range;
}

typedef enum rung { CLOSED, ACCURATE, PROJ } rung;

static rung rung_for(const predt__globe *globe, double t) {
    return t < SHORT_CHORD2 ? CLOSED : is_far(globe, t) ? PROJ : ACCURATE;
}

static rung rung_at(const column_run *run, int64_t i) {
    const predt__globe *globe = run->strip->globe;
    int64_t row = asked_row(run->strip, i);
    return rung_for(globe, chord2_from(run, globe->row.sin[row], globe->row.cos[row]));
}

/* Where a run whose rows want several rungs is cut: where one ends, or at the extreme. */
static int64_t cut_of(const column_run *run, int64_t begin, int64_t end) {
    rung first = rung_at(run, begin);
    if (rung_at(run, end - 1) == first) {
        extreme_point point = extreme_of(run);
        int64_t row = predt__row_from(run->strip->globe, point.sin, point.cos);
        int64_t cut = predt__parts(row - run->strip->first_row, run->strip->row_step);
        return cut <= begin ? begin + 1 : cut < end ? cut : end - 1;
    }
    while (end - begin > 2) { /* the row of the end is not the first's kind */
        int64_t middle = begin + (end - begin) / 2;
        if (rung_at(run, middle) == first) begin = middle;
        else end = middle + 1;
    }
    return end - 1;
}

static void values_by(const column_run *run, int64_t begin, int64_t end, rung which,
                      double longest) {
    if (which == CLOSED) closed_values(run, begin, end);
    else if (which == ACCURATE) long_values(run, begin, end, longest);
    else
        for (int64_t i = begin; i < end; i++) run->distance[i - run->first] = BEYOND_LADDER;
}

/* Cut until each piece is of one kind. */
static void owner_values(const column_run *run, int64_t begin, int64_t end) {
    const predt__globe *globe = run->strip->globe;
    chord_range range = range_of(run, begin, end);
    rung which = rung_for(globe, range.min);
    if (which == rung_for(globe, range.max)) {
        values_by(run, begin, end, which, range.max);
        return;
    }
    int64_t cut = cut_of(run, begin, end);
    owner_values(run, begin, cut);
    owner_values(run, cut, end);
}

#endif
