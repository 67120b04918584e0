/* Near blocks: where targets are few rows away, all columns of a sub-strip look for them together,
 * row by row outward, in float32. */
#ifndef PREDT__WINDOW_H
#define PREDT__WINDOW_H

#include "scan.h"
#include "values.h"

/* A block is near if its targets are within so many rows, and so many more for each owner. */
#define NEAR_ROWS 24
#define ROWS_PER_OWNER 6
#define FLOAT_ERROR 1e-6 /* relative, of a squared chord in float32 */

/* The squared chord of twice an angle of at most 90 degrees: within 5e-7 with its own rounding. */
static inline float float_chord2(float half) {
    float z = half * half;
    return z * (3.999999945f +
                z * (-1.33333191f +
                     z * (.1777716152f +
                          z * (-.01268839324f + z * (5.56855678e-4f + z * -1.443826517e-5f)))));
}

/* Where the lanes of a sub-strip are. */
typedef struct lanes_at {
    int32_t lane[LANES_MAX], col[LANES_MAX];
    int32_t cols, period;
} lanes_at;

static void place_lanes(const predt__substrip *strip, lanes_at *at) {
    for (int i = 0; i < LANES_MAX; i++) {
        at->lane[i] = strip->lane[i];
        at->col[i] = strip->first_col + strip->lane[i];
    }
    at->cols = (int32_t)strip->globe->cols;
    at->period = (int32_t)strip->globe->period;
}

static void fill_near_row(const lanes_at *at, float half_step, uint32_t bits, int32_t before,
                          int32_t after, float *restrict chord2) {
    for (int i = 0; i < LANES_MAX; i++) {
        int32_t apart =
            nearest_apart(bits, before, after, at->lane[i], at->col[i], at->cols, at->period);
        chord2[i] = float_chord2((float)apart * half_step);
    }
}

static void fill_near(const predt__substrip *strip, predt__globe_scratch *s, int64_t block) {
    targets_range range = targets_of(strip, block);
    float half_step = (float)(predt__degrees_apart(strip->globe, 1) * (RADIANS_PER_DEGREE / 2));
    lanes_at at;
    place_lanes(strip, &at);
    if (!s->have_bits[block]) fill_bits(strip, s, block);
    for (int32_t j = range.begin; j < range.end; j++)
        fill_near_row(&at, half_step, s->bits[j], s->before[j], s->after[j],
                      s->near_chord2 + (size_t)j * LANES_MAX);
    s->have_near[block] = 1;
}

/* Columns to each lane's target. */
static void near_aparts(const predt__substrip *strip, const predt__globe_scratch *s,
                        const int32_t *restrict who, int32_t *restrict apart) {
    uint32_t bits[LANES_MAX];
    int32_t before[LANES_MAX], after[LANES_MAX];
    lanes_at at;
    place_lanes(strip, &at);
    for (int i = 0; i < LANES_MAX; i++) {
        bits[i] = s->bits[who[i]];
        before[i] = s->before[who[i]];
        after[i] = s->after[who[i]];
    }
    for (int i = 0; i < LANES_MAX; i++)
        apart[i] =
            nearest_apart(bits[i], before[i], after[i], at.lane[i], at.col[i], at.cols, at.period);
}

/* Of each lane: the least squared chord and the one after it, and whose the first is. */
typedef struct nearest_two {
    float first[LANES_MAX], second[LANES_MAX];
    int32_t who[LANES_MAX];
} nearest_two;

#define MEET_ROWS 4

/* Some of the targets' rows on their way to meet the pixels: of each, the lanes' squared chords on
 * the unit circle, and what makes chords of the ellipsoid of them. */
typedef struct met_rows {
    const float *chord2[MEET_ROWS];
    float across[MEET_ROWS], along[MEET_ROWS];
    int32_t row[MEET_ROWS];
} met_rows;

static void meet(nearest_two *near, const met_rows *met) {
    for (int i = 0; i < LANES_MAX; i++) {
        float first = near->first[i], second = near->second[i];
        int32_t who = near->who[i];
#pragma GCC unroll 4
        for (int k = 0; k < MEET_ROWS; k++) {
            float t = met->chord2[k][i] * met->across[k] + met->along[k];
            float larger = t > first ? t : first;
            second = larger < second ? larger : second;
            who = t < first ? met->row[k] : who;
            first = t < first ? t : first;
        }
        near->first[i] = first;
        near->second[i] = second;
        near->who[i] = who;
    }
}

/* Floats that are not negative are ordered as their bits are. */
static float worst_of(const nearest_two *near) {
    int32_t bits[LANES_MAX], worst = 0;
    float first;
    memcpy(bits, near->first, sizeof bits);
    for (int i = 0; i < LANES_MAX; i++) worst = bits[i] > worst ? bits[i] : worst;
    memcpy(&first, &worst, sizeof first);
    return first;
}

/* At most MEET_ROWS of the targets' rows, at least one; rows that are none win nothing. */
static void meet_rows(const predt__substrip *strip, predt__globe_scratch *s, const pixel *at,
                      int32_t begin, int32_t end, nearest_two *near) {
    const predt__carries *carries = strip->carries;
    int64_t last = block_of(carries, end - 1);
    met_rows met;
    for (int64_t block = block_of(carries, begin); block <= last; block++)
        if (!s->have_near[block]) fill_near(strip, s, block);
    for (int k = 0; k < MEET_ROWS; k++) {
        int32_t j = begin + k < end ? begin + k : begin;
        double out = at->cos - carries->cos[j],
               up = strip->globe->ellipsoid.one_f * (at->sin - carries->sin[j]);
        met.chord2[k] = s->near_chord2 + (size_t)j * LANES_MAX;
        met.across[k] = (float)(at->cos * carries->cos[j]);
        met.along[k] = begin + k < end ? (float)(out * out + up * up) : 9;
        met.row[k] = j;
    }
    meet(near, &met);
}

static bool reaches(const predt__substrip *strip, const pixel *at, int32_t j, double worst) {
    const predt__carries *carries = strip->carries;
    return chord_along(strip->globe, at->sin, at->cos, carries->sin[j], carries->cos[j]) <= worst;
}

/* Both ways alternately; returns what no nearest chord is longer than, with its margin, which may
 * be that of a longer one. */
static double find_near(const predt__substrip *strip, predt__globe_scratch *s, const pixel *at,
                        nearest_two *near) {
    int32_t count = strip->carries->count, down = strip->carries->rank[at->row], up = down;
    bool up_open = true, down_open = true;
    double worst = 8, slack = -1;
    for (int i = 0; i < LANES_MAX; i++) near->first[i] = near->second[i] = 8, near->who[i] = 0;
    while (up_open || down_open) {
        int32_t begin = up < MEET_ROWS ? 0 : up - MEET_ROWS,
                end = count - down < MEET_ROWS ? count : down + MEET_ROWS;
        down_open = down_open && down < count && reaches(strip, at, down, worst);
        up_open = up_open && up > 0 && reaches(strip, at, up - 1, worst);
        if (down_open) meet_rows(strip, s, at, down, end, near), down = end;
        if (up_open) meet_rows(strip, s, at, begin, up, near), up = begin;
        worst = (double)worst_of(near);
        if (slack < 0) slack = sure_slack(strip->globe, worst) + 4 * FLOAT_ERROR;
        worst += worst * slack + 1.2 * CHORD_NOISE;
    }
    return worst;
}

/* Lanes whose two nearest float32 cannot tell apart, as bits. worst: of all lanes, with its
 * margin. */
static uint32_t ties_of(const predt__globe *globe, const nearest_two *near, double worst) {
    float margin = (float)(1.1 * chord_slack(globe, worst) + 3 * FLOAT_ERROR);
    float noise = (float)(1.1 * CHORD_NOISE);
    int32_t tied[LANES_MAX], any = 0;
    uint32_t ties = 0;
    for (int i = 0; i < LANES_MAX; i++) {
        tied[i] = near->second[i] - near->second[i] * margin <= near->first[i] + noise;
        any |= tied[i];
    }
    for (int i = 0; any && i < LANES_MAX; i++) ties |= (uint32_t)tied[i] << i;
    return ties;
}

/* The answers of one row, for all lanes. */
static void near_row(const predt__substrip *strip, predt__globe_scratch *s, int64_t row,
                     const found_answers *to) {
    nearest_two near;
    pixel at = pixel_at(strip->globe, row);
    int32_t rows[LANES_MAX], apart[LANES_MAX];
    double worst = find_near(strip, s, &at, &near);
    memcpy(to->target, near.who, sizeof near.who);
    near_aparts(strip, s, near.who, to->apart);
    for (uint32_t ties = ties_of(strip->globe, &near, worst); ties; ties &= ties - 1) {
        int i = __builtin_ctz(ties);
        to->target[i] = nearest_of(strip, s, i, row, 0, strip->carries->count - 1);
        to->apart[i] = s->apart[to->target[i]];
    }
    for (int i = 0; i < LANES_MAX; i++) {
        rows[i] = strip->carries->rows[to->target[i]];
        apart[i] = magnitude(to->apart[i]);
    }
    values_of_row(strip->globe, row, rows, apart, to->distance);
}

/* ---- Near or far ---- */

/* In the middle of a sub-strip, at a row: the nearest of the targets' rows, and how many rows'
 * lengths away its target is; -1: so far that the chords of neighbours do not differ enough. */
typedef struct near_by {
    int32_t target;
    double rows;
} near_by;

static near_by look_near(const predt__substrip *strip, predt__globe_scratch *s, int64_t i) {
    const predt__globe *globe = strip->globe;
    int64_t row = asked_row(strip, i), next = row + 1 < globe->height ? row + 1 : row - 1;
    double step = next < 0 ? 0 : fabs(globe->row.red[row] - globe->row.red[next]),
           reach = 2.7 * sqrt(step);
    scan_state scan = {
        .strip = strip, .s = s, .at = pixel_at(globe, row), .lane = strip->lanes / 2};
    near_by found = {-1, 0};
    scan.best = reach * reach;
    scan_outward(&scan, 0, strip->carries->count - 1, strip->carries->rank[row]);
    for (int32_t j = scan.begin; j < scan.end && found.target < 0; j++)
        if (s->t[j] <= scan.best) found = (near_by){j, sqrt(scan.best) / step};
    return found;
}

/* Whether a block of rows asked for, with these at its ends, is solved faster by windows: they cost
 * by the rows they have, dividing by the owners of a column. */
static bool is_near(near_by first, near_by last) {
    if (first.target < 0 || last.target < 0) return false;
    double rows = larger(first.rows, last.rows);
    return rows < NEAR_ROWS + ROWS_PER_OWNER * abs(last.target - first.target);
}

#endif
