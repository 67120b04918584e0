/* The nearest target of one pixel of a column: squared chords to the candidates, outward from the
 * pixel's row, until the next rows alone are farther than the best; and a contest among those that
 * chords cannot tell apart. */
#ifndef PREDT__SCAN_H
#define PREDT__SCAN_H

#include "contest.h"

/* candidates that are looked at before it is asked whether that is enough */
#define SCAN_CHUNK 16

/* A pixel's scan: candidates [begin, end) have their chords in scratch->t. */
typedef struct scan_state {
    const predt__substrip *strip;
    predt__globe_scratch *s;
    pixel at;
    int lane;
    int32_t begin, end;
    double best;
} scan_state;

/* Squared chords of candidates from begin to end; returns the least. */
static double scan_chords(const scan_state *scan, int32_t begin, int32_t end) {
    const predt__carries *carries = scan->strip->carries;
    const double *restrict sines = carries->sin, *restrict cosines = carries->cos,
                           *restrict chord2 = scan->s->chord2;
    double *restrict t = scan->s->t, sine = scan->at.sin, cosine = scan->at.cos;
    double one_f = scan->strip->globe->ellipsoid.one_f, least = 8;
    for (int32_t j = begin; j < end; j++) {
        double out = cosine - cosines[j], up = one_f * (sine - sines[j]);
        t[j] = out * out + up * up + cosine * cosines[j] * chord2[j];
    }
    for (int32_t j = begin; j < end; j++) least = t[j] < least ? t[j] : least;
    return least;
}

/* Squared chord to the nearest point of a row. */
static double to_row(const scan_state *scan, int32_t j) {
    const predt__carries *carries = scan->strip->carries;
    return chord_along(scan->strip->globe, scan->at.sin, scan->at.cos, carries->sin[j],
                       carries->cos[j]);
}

/* A squared chord less its margin: where this exceeds the best chord, the target is certainly
 * farther. Grows with t. */
static inline double sure_chord(const predt__globe *globe, double t) {
    return t - chord_margin(globe, t);
}

static void scan_step(scan_state *scan, int32_t begin, int32_t end) {
    const predt__carries *carries = scan->strip->carries;
    int64_t first = block_of(carries, begin), last = block_of(carries, end - 1);
    for (int64_t block = first; block <= last; block++)
        need_column(scan->strip, scan->s, scan->lane, block);
    double least = scan_chords(scan, begin, end);
    if (least < scan->best) scan->best = least;
    if (begin < scan->begin) scan->begin = begin;
    if (end > scan->end) scan->end = end;
}

static bool may_be_nearer(const scan_state *scan, int32_t j) {
    return sure_chord(scan->strip->globe, to_row(scan, j)) <= scan->best;
}

/* Candidates low to high, both inclusive; middle: where the pixel's row is among them. */
static void scan_outward(scan_state *scan, int32_t low, int32_t high, int32_t middle) {
    bool up = true, down = true;
    scan->begin = scan->end = middle;
    while (up || down) {
        up = up && scan->begin > low && may_be_nearer(scan, scan->begin - 1);
        if (up)
            scan_step(scan, scan->begin - low < SCAN_CHUNK ? low : scan->begin - SCAN_CHUNK,
                      scan->begin);
        down = down && scan->end <= high && may_be_nearer(scan, scan->end);
        if (down)
            scan_step(scan, scan->end,
                      high + 1 - scan->end < SCAN_CHUNK ? high + 1 : scan->end + SCAN_CHUNK);
    }
}

/* Those whose chords do not say that they are farther than the best. */
static int32_t scan_contest(const scan_state *scan) {
    const predt__globe *globe = scan->strip->globe;
    const double *t = scan->s->t;
    contest c = {scan->strip, scan->s, scan->at, scan->lane, 0};
    for (int32_t j = scan->begin; j < scan->end; j++) {
        if (t[j] > scan->best && sure_chord(globe, t[j]) > scan->best) continue;
        scan->s->left[c.count] = j;
        scan->s->left_t[c.count++] = t[j];
    }
    return winner(&c);
}

/* First of the targets' rows that is not before a row of the raster, within low to high + 1. */
static int32_t first_from(const predt__carries *carries, int64_t row, int32_t low, int32_t high) {
    int32_t end = high + 1;
    while (low < end) {
        int32_t middle = low + (end - low) / 2;
        if (carries->rows[middle] < row) low = middle + 1;
        else end = middle;
    }
    return low;
}

/* The nearest of candidates low to high to the pixel of a row of the raster. */
static int32_t nearest_of(const predt__substrip *strip, predt__globe_scratch *s, int lane,
                          int64_t row, int32_t low, int32_t high) {
    scan_state scan = {
        .strip = strip, .s = s, .at = pixel_at(strip->globe, row), .lane = lane, .best = 8};
    if (low == high) {
        need_column(strip, s, lane, block_of(strip->carries, low));
        return low;
    }
    scan_outward(&scan, low, high, first_from(strip->carries, row, low, high));
    return scan_contest(&scan);
}

#endif
