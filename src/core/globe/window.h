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
        for (int i = 0; i < strip->lanes; i++)
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

static float worst_of(const nearest_two *near, int lanes) {
    float worst = 0;
    for (int i = 0; i < lanes; i++) worst = near->first[i] > worst ? near->first[i] : worst;
    return worst;
}

/* Meets the j-th row, unless it is too far to matter to any lane. */
static bool meet(const predt__substrip *strip, predt__globe_scratch *s, const pixel *at, int32_t j,
                 nearest_two *near, double worst) {
    const predt__carries *carries = strip->carries;
    double along = chord_along(strip->globe, at->sin, at->cos, carries->sin[j], carries->cos[j]);
    if (sure_chord(strip->globe, along) * (1 - FLOAT_ERROR) > worst * (1 + FLOAT_ERROR))
        return false;
    int64_t block = block_of(carries, j);
    if (!s->have_near[block]) fill_near(strip, s, block);
    meet_row(near, s->near_chord2 + (size_t)j * LANES_MAX, (float)(at->cos * carries->cos[j]),
             (float)along, j);
    return true;
}

static void find_near(const predt__substrip *strip, predt__globe_scratch *s, const pixel *at,
                      nearest_two *near) {
    int32_t high = strip->carries->count - 1, down = first_from(strip->carries, at->row, 0, high),
            up = down - 1;
    bool up_open = true, down_open = true;
    for (int i = 0; i < LANES_MAX; i++) near->first[i] = near->second[i] = 8, near->who[i] = 0;
    while (up_open || down_open) {
        double worst = (double)worst_of(near, strip->lanes);
        down_open = down_open && down <= high && meet(strip, s, at, down++, near, worst);
        up_open = up_open && up >= 0 && meet(strip, s, at, up--, near, worst);
    }
}

/* Lanes whose two nearest float32 cannot tell apart. */
static bool is_tie(const predt__globe *globe, const nearest_two *near, int i) {
    double second = (double)near->second[i];
    return sure_chord(globe, second) * (1 - FLOAT_ERROR) <=
           (double)near->first[i] * (1 + FLOAT_ERROR);
}

/* The answers of one row, for all lanes. */
static void near_row(const predt__substrip *strip, predt__globe_scratch *s, int64_t row,
                     const found_answers *to) {
    nearest_two near;
    pixel at = pixel_at(strip->globe, row);
    find_near(strip, s, &at, &near);
    for (int i = 0; i < strip->lanes; i++) {
        to->target[i] = near.who[i];
        to->apart[i] = s->near_apart[(size_t)near.who[i] * LANES_MAX + (size_t)i];
        if (!is_tie(strip->globe, &near, i)) continue;
        to->target[i] = nearest_of(strip, s, i, row, 0, strip->carries->count - 1);
        to->apart[i] = s->apart[to->target[i]];
    }
    values_of_row(strip, row, strip->lanes, to->target, to->apart, to->distance);
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
