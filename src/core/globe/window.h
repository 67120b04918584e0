/* Near blocks: where targets are few rows away, all columns of a sub-strip look for them together,
 * row by row outward, in float32. */
#ifndef PREDT__WINDOW_H
#define PREDT__WINDOW_H

#include "scan.h"
#include "values.h"

#define NEAR_ROWS 12     /* a block is near if its middle has a target within so many rows */
#define FLOAT_ERROR 3e-7 /* relative, of a squared chord in float32 */

static void fill_near(const predt__substrip *strip, predt__globe_scratch *s, int64_t block) {
    const predt__globe *globe = strip->globe;
    int32_t begin = strip->carries->starts[block], end = strip->carries->starts[block + 1];
    int32_t cols = (int32_t)globe->cols, period = (int32_t)globe->period;
    if (!s->have_bits[block]) fill_bits(strip, s, block);
    for (int32_t j = begin; j < end; j++)
        for (int i = 0; i < LANES_MAX; i++)
            s->near_apart[(size_t)j * LANES_MAX + (size_t)i] =
                nearest_apart(s->bits[j], s->before[j], s->after[j], strip->lane[i],
                              strip->first_col + strip->lane[i], cols, period);
    for (size_t i = (size_t)begin * LANES_MAX; i < (size_t)end * LANES_MAX; i++)
        s->near_chord2[i] = (float)globe->apart.chord2[magnitude(s->near_apart[i])];
    s->have_near[block] = 1;
}

/* Of each lane: the least squared chord and the one after it, and whose the first is. */
typedef struct nearest_two {
    float first[LANES_MAX], second[LANES_MAX];
    int32_t who[LANES_MAX];
} nearest_two;

static void meet_row(nearest_two *near, const float *restrict chord2, float across, float along,
                     int32_t j) {
    for (int i = 0; i < LANES_MAX; i++) {
        float t = chord2[i] * across + along, first = near->first[i];
        float larger = t > first ? t : first, second = near->second[i];
        near->second[i] = larger < second ? larger : second;
        near->who[i] = t < first ? j : near->who[i];
        near->first[i] = t < first ? t : first;
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

/* Meets the j-th row, unless it is too far to matter to any lane. */
static inline bool meet(const predt__substrip *strip, predt__globe_scratch *s, const pixel *at,
                        int32_t j, nearest_two *near, double worst) {
    const predt__carries *carries = strip->carries;
    double along = chord_along(strip->globe, at->sin, at->cos, carries->sin[j], carries->cos[j]);
    if (along > worst) return false;
    int64_t block = block_of(carries, j);
    if (!s->have_near[block]) fill_near(strip, s, block);
    meet_row(near, s->near_chord2 + (size_t)j * LANES_MAX, (float)(at->cos * carries->cos[j]),
             (float)along, j);
    return true;
}

/* A chord that is longer than this is certainly farther than those that are no longer than `t`. */
static double with_margin(const predt__globe *globe, double t) {
    return (t + 1.1 * chord_margin(globe, 1.1 * t)) * (1 + 3 * FLOAT_ERROR);
}

/* Both ways alternately; returns the worst of the nearest chords. */
static double find_near(const predt__substrip *strip, predt__globe_scratch *s, const pixel *at,
                        nearest_two *near) {
    int32_t high = strip->carries->count - 1, down = first_from(strip->carries, at->row, 0, high),
            up = down - 1;
    bool up_open = up >= 0, down_open = down <= high;
    double worst = 8;
    for (int i = 0; i < LANES_MAX; i++) near->first[i] = near->second[i] = 8, near->who[i] = 0;
    while (up_open || down_open) {
        down_open = down_open && meet(strip, s, at, down, near, worst) && ++down <= high;
        up_open = up_open && meet(strip, s, at, up, near, worst) && --up >= 0;
        worst = with_margin(strip->globe, (double)worst_of(near));
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
    for (int i = 0; i < LANES_MAX; i++) {
        to->target[i] = near.who[i];
        to->apart[i] = s->near_apart[near.who[i] * LANES_MAX + i];
    }
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

/* Whether the middle of a block of rows asked for has a target near by. */
static bool is_near(const predt__substrip *strip, predt__globe_scratch *s, int64_t begin,
                    int64_t end) {
    const predt__globe *globe = strip->globe;
    int64_t row = asked_row(strip, begin + (end - begin) / 2),
            next = row + 1 < globe->height ? row + 1 : row - 1;
    double step = next < 0 ? 0 : globe->row.red[row] - globe->row.red[next],
           reach = NEAR_ROWS * step;
    scan_state scan = {
        .strip = strip, .s = s, .at = pixel_at(globe, row), .lane = strip->lanes / 2};
    int32_t high = strip->carries->count - 1;
    scan.best = reach * reach;
    scan_outward(&scan, 0, high, first_from(strip->carries, row, 0, high));
    return scan.best < reach * reach;
}

#endif
