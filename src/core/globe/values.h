/* How far the owners are. */
#ifndef PREDT__VALUES_H
#define PREDT__VALUES_H

#include "contest.h"
#include "run_values.h"

/* ---- Pixels of one row ---- */

/* Those that the closed form does not reach, once more. */
static void mend_long(const predt__globe *globe, const pair *p, double *distance) {
    double longer[REAL_LANES], t[REAL_LANES];
    arc unused;
    real_store(t, p->a + p->b);
    real_store(longer, accurate(globe, p, &unused));
    for (int i = 0; i < REAL_LANES; i++)
        if (t[i] >= SHORT_CHORD2) distance[i] = is_far(globe, t[i]) ? BEYOND_LADDER : longer[i];
}

REAL_FUNCTION void store_values(const predt__globe *globe, const pair *p, double *distance) {
    real_store(distance, closed(globe, p, false));
    if (ANY_LANE(p->a + p->b >= SHORT_CHORD2)) mend_long(globe, p, distance);
}

/* Of LANES_MAX lanes. */
static void values_of_row(const predt__globe *globe, int64_t row, const int32_t *target_rows,
                          const int32_t *apart, double *distance) {
    for (int i = 0; i < LANES_MAX; i += REAL_LANES) {
        pair p = pair_in_row(globe, row, target_rows + i, apart + i);
        store_values(globe, &p, distance + i);
    }
}

/* ---- Pixels of one column ---- */

#define SHORT_RUN 12 /* so many rows of one owner are not worth its own while */

/* Rows asked for of a lane, with whatever owners; distances from one row on. */
typedef struct column_rows {
    const predt__substrip *strip;
    const int32_t *target, *apart;
    int64_t first;
    double *distance;
} column_rows;

static void mixed_values(const column_rows *rows, int64_t begin, int64_t end) {
    const predt__substrip *strip = rows->strip;
    const predt__globe *globe = strip->globe;
    for (int64_t i = begin; i < end; i += REAL_LANES) {
        int32_t target[REAL_LANES], apart[REAL_LANES];
        for (int n = 0; n < REAL_LANES; n++) {
            int64_t at = i + n < end ? i + n : end - 1;
            target[n] = strip->carries->rows[rows->target[at]];
            apart[n] = magnitude(rows->apart[at]);
        }
        points pixels = points_asked(strip, i, end), targets = points_of_rows(globe, target);
        meridians between = meridians_at(globe, apart);
        pair p = pair_up(globe, &pixels, &targets, &between);
        store_values(globe, &p, rows->distance + (i - rows->first));
    }
}

/* Distances of rows [begin, end) of a lane whose owners are known. Runs of one owner are handled at
 * once, if they are long. */
static void values_of_column(const predt__substrip *strip, const predt__globe_scratch *s, int lane,
                             int64_t begin, int64_t end) {
    int64_t from = lane * (int64_t)s->asked, mixed = begin;
    const int32_t *target = s->far.target + from, *apart = s->far.apart + from;
    column_rows rows = {strip, target, apart, begin, s->far.distance + lane * FAR_STRIDE};
    for (int64_t i = begin, stop; i < end; i = stop) {
        int32_t owner = target[i];
        for (stop = i; stop < end && target[stop] == owner;) stop++;
        if (stop - i < SHORT_RUN) continue;
        column_run run = {strip, strip->carries->rows[owner], magnitude(apart[i]), begin,
                          rows.distance};
        mixed_values(&rows, mixed, i);
        owner_values(&run, i, stop);
        mixed = stop;
    }
    mixed_values(&rows, mixed, end);
}

#endif
