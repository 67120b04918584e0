/* How far the owners are: in closed form where they are near, else along each column by polynomials
 * through accurate distances. */
#ifndef PREDT__VALUES_H
#define PREDT__VALUES_H

#include "contest.h"

#define BEYOND_LADDER (-1.0) /* a distance that PROJ is to say */

static inline double chord2_of(const pair *p) { return p->a + p->b; }

/* Any distance, one by one. */
static double value_of(const predt__globe *globe, const pair *p) {
    arc unused;
    if (chord2_of(p) < SHORT_CHORD2) return closed(globe, p, false);
    return is_far(globe, chord2_of(p)) ? BEYOND_LADDER : accurate_of(globe, p, &unused);
}

/* ---- Pixels of one row ---- */

static void values_of_row(const predt__substrip *strip, int64_t row, int count,
                          const int32_t *target, const int32_t *apart, double *distance) {
    const predt__globe *globe = strip->globe;
    const int32_t *rows = strip->carries->rows;
    double longest = 0;
    for (int i = 0; i < count; i++) {
        pair p = pair_of(globe, row, rows[target[i]], magnitude(apart[i]));
        distance[i] = closed(globe, &p, false);
        longest = chord2_of(&p) > longest ? chord2_of(&p) : longest;
    }
    if (longest < SHORT_CHORD2) return;
    for (int i = 0; i < count; i++) {
        pair p = pair_of(globe, row, rows[target[i]], magnitude(apart[i]));
        distance[i] = value_of(globe, &p);
    }
}

/* ---- Pixels of one column that have one owner ---- */

/* The owner, in a row of the raster and so many columns away; the pixels by their rows, as they are
 * asked for, from one on. */
typedef struct column_run {
    const predt__substrip *strip;
    int64_t target_row;
    int32_t apart;
    double *distance;
} column_run;

static inline pair pair_in(const column_run *run, int64_t i) {
    return pair_of(run->strip->globe, asked_row(run->strip, i), run->target_row, run->apart);
}

static void closed_values(const column_run *run, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
        pair p = pair_in(run, i);
        run->distance[i] = closed(run->strip->globe, &p, false);
    }
}

#define NODES 8

/* Accurate distances to up to NODES rows. */
static void accurate_values(const column_run *run, const int64_t *rows, int count,
                            double *distance) {
    const predt__globe *globe = run->strip->globe;
    if (globe->ellipsoid.rounds > 4)
        for (int i = 0; i < count; i++) {
            pair p = pair_in(run, rows[i]);
            arc unused;
            distance[i] = accurate(globe, &p, true, &unused);
        }
    else
        for (int i = 0; i < count; i++) {
            pair p = pair_in(run, rows[i]);
            arc unused;
            distance[i] = accurate(globe, &p, false, &unused);
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
    for (int level = 1; level < NODES; level++)
        for (int i = NODES - 1; i >= level; i--) y[i] = (y[i] - y[i - 1]) / (x[i] - x[i - level]);
}

static void interpolate(const column_run *run, const double x[NODES], const double c[NODES],
                        int64_t begin, int64_t end) {
    const double *red = run->strip->globe->row.red;
    for (int64_t i = begin; i < end; i++) {
        double at = red[asked_row(run->strip, i)], sum = c[NODES - 1];
        for (int n = NODES - 2; n >= 0; n--) sum = c[n] + (at - x[n]) * sum;
        run->distance[i] = sqrt(sum);
    }
}

static void piece_values(const column_run *run, int64_t begin, int64_t end) {
    int64_t nodes[NODES];
    double x[NODES], c[NODES];
    for (int i = 0; i < NODES; i++) nodes[i] = begin + (end - 1 - begin) * i / (NODES - 1);
    accurate_values(run, nodes, NODES, c);
    for (int i = 0; i < NODES; i++) {
        x[i] = run->strip->globe->row.red[asked_row(run->strip, nodes[i])];
        c[i] *= c[i];
    }
    divided_differences(x, c);
    interpolate(run, x, c, begin, end);
}

/* Least distance of a target from the meridian, on the sphere of reduced latitudes. */
static double from_meridian(const column_run *run) {
    const predt__globe *globe = run->strip->globe;
    double sine = globe->apart.sin[run->apart], cosine = globe->apart.cos[run->apart];
    return globe->row.cos[run->target_row] * (sine < cosine ? 2 * sine * cosine : 1);
}

/* End of the piece that begins with a row. */
static int64_t piece_end(const column_run *run, int64_t begin, int64_t end, double from_it,
                         double farthest) {
    const double *red = run->strip->globe->row.red;
    double start = red[asked_row(run->strip, begin)], target = red[run->target_row];
    double step = fabs(red[asked_row(run->strip, begin + 1)] - start);
    double last = red[asked_row(run->strip, end - 1)];
    bool passes = (start - target) * (last - target) <= 0;
    double gap = passes ? 0 : fmin(fabs(start - target), fabs(last - target));
    double rows = piece_length(fmax(from_it, gap), farthest) / step;
    int64_t count = rows < 1 ? 1 : rows > (double)(end - begin) ? end - begin : (int64_t)rows;
    return end - begin - count < NODES + 2 && count > NODES + 2 ? begin + (end - begin + 1) / 2
                                                                : begin + count;
}

/* All rows are too far for the closed form, and none is too far for accurate distances. */
static void long_values(const column_run *run, int64_t begin, int64_t end, double longest) {
    double chord = sqrt(longest) / 2 / run->strip->globe->ellipsoid.one_f;
    double farthest = 2 * asin(fmin(chord, 1)), from_it = from_meridian(run);
    while (begin < end) {
        int64_t stop = end - begin > NODES ? piece_end(run, begin, end, from_it, farthest) : end;
        int64_t rows[NODES];
        if (stop - begin > NODES) piece_values(run, begin, stop);
        else {
            for (int i = 0; i < stop - begin; i++) rows[i] = begin + i;
            accurate_values(run, rows, (int)(stop - begin), run->distance + begin);
        }
        begin = stop;
    }
}

enum { SHORT, LONG, BEYOND };

static int kind_of(const predt__globe *globe, double t) {
    return t < SHORT_CHORD2 ? SHORT : is_far(globe, t) ? BEYOND : LONG;
}

/* Rows of one kind. distance has their squared chords. */
static void run_values(const column_run *run, int kind, int64_t begin, int64_t end) {
    double longest = 0;
    for (int64_t i = begin; i < end; i++)
        longest = run->distance[i] > longest ? run->distance[i] : longest;
    if (kind == SHORT) closed_values(run, begin, end);
    else if (kind == LONG) long_values(run, begin, end, longest);
    else
        for (int64_t i = begin; i < end; i++) run->distance[i] = BEYOND_LADDER;
}

static void owner_values(const column_run *run, int64_t begin, int64_t end) {
    const predt__globe *globe = run->strip->globe;
    const predt__parallels *row = &globe->row;
    double longest = 0, sine = row->sin[run->target_row], cosine = row->cos[run->target_row],
           chord2 = globe->apart.chord2[run->apart];
    for (int64_t i = begin; i < end; i++) {
        int64_t at = asked_row(run->strip, i);
        double t = chord_along(globe, row->sin[at], row->cos[at], sine, cosine) +
                   cosine * row->cos[at] * chord2;
        run->distance[i] = t;
        longest = t > longest ? t : longest;
    }
    if (longest < SHORT_CHORD2) {
        closed_values(run, begin, end);
        return;
    }
    for (int64_t i = begin, stop; i < end; i = stop) {
        int kind = kind_of(globe, run->distance[i]);
        for (stop = i + 1; stop < end && kind_of(globe, run->distance[stop]) == kind;) stop++;
        run_values(run, kind, i, stop);
    }
}

/* Distances and columns of rows [begin, end) of a lane whose owners are known. */
static void values_of_column(const predt__substrip *strip, const predt__globe_scratch *s, int lane,
                             int64_t begin, int64_t end) {
    int64_t from = lane * (int64_t)s->asked;
    const int32_t *target = s->far.target + from;
    int32_t *apart = s->far.apart + from;
    for (int64_t i = begin, stop; i < end; i = stop) {
        int32_t owner = target[i];
        column_run run = {strip, strip->carries->rows[owner], magnitude(s->apart[owner]),
                          s->far.distance + from};
        for (stop = i; stop < end && target[stop] == owner; stop++) apart[stop] = s->apart[owner];
        owner_values(&run, i, stop);
    }
}

#endif
