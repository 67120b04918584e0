/* The nearest target of one pixel of a column: squared chords to the candidates, outward from the
 * pixel's row, until the next rows alone are farther than the best; and a contest among those that
 * chords cannot tell apart. */
#ifndef PREDT__SCAN_H
#define PREDT__SCAN_H

#include "contest.h"

/* candidates that are looked at before it is asked whether that is enough: whole vectors */
#define SCAN_CHUNK 16
#define SCAN_ALL 64 /* so few are not asked about */

/* A pixel's scan: candidates [begin, end) have their chords in scratch->t. */
typedef struct scan_state {
    const predt__substrip *strip;
    predt__globe_scratch *s;
    pixel at;
    int lane;
    int32_t begin, end;
    double best;
} scan_state;

/* How much longer than one squared chord, at most t, another one has to be for its target to be
 * certainly farther: relatively, beside CHORD_NOISE. */
static inline double sure_slack(const predt__globe *globe, double t) {
    return 1.21 * chord_slack(globe, 1.1 * t);
}

/* A target whose squared chord is longer than this is certainly farther than one whose is t. */
static inline double sure_limit(const predt__globe *globe, double t) {
    return t + t * sure_slack(globe, t) + 1.1 * CHORD_NOISE;
}

REAL_FUNCTION double least_lane(real of) {
    double least = of[0];
    for (int i = 1; i < REAL_LANES; i++) least = of[i] < least ? of[i] : least;
    return least;
}

/* Squared chords of whole vectors of candidates from begin to end; returns the least. */
static double scan_chords(const scan_state *scan, int32_t begin, int32_t end) {
    const predt__carries *carries = scan->strip->carries;
    const double *sines = carries->sin, *cosines = carries->cos, *chord2 = scan->s->chord2;
    double one_f = scan->strip->globe->ellipsoid.one_f;
    real sine = real_all(scan->at.sin), cosine = real_all(scan->at.cos), least = real_all(8);
    for (int32_t j = begin; j < end; j += REAL_LANES) {
        real other = real_load(cosines + j), out = cosine - other,
             up = one_f * (sine - real_load(sines + j));
        real t = out * out + up * up + cosine * other * real_load(chord2 + j);
        least = WHERE(t < least, t, least);
        real_store(scan->s->t + j, t);
    }
    return least_lane(least);
}

/* Squared chord to the nearest point of a row. */
static double to_row(const scan_state *scan, int32_t j) {
    const predt__carries *carries = scan->strip->carries;
    return chord_along(scan->strip->globe, scan->at.sin, scan->at.cos, carries->sin[j],
                       carries->cos[j]);
}

static int32_t whole_vectors(int32_t count) {
    return (count + REAL_LANES - 1) / REAL_LANES * REAL_LANES;
}

/* Whole vectors of candidates that have `begin` first or, if upward, end with `end`: more than were
 * asked for do no harm, nor do entries past the last one. */
static void scan_step(scan_state *scan, int32_t begin, int32_t end, bool upward) {
    int32_t whole = whole_vectors(end - begin), count = scan->strip->carries->count;
    if (upward && end < whole) begin = 0, whole = whole_vectors(scan->end);
    else if (upward) begin = end - whole;
    end = begin + whole;
    need_columns(scan->strip, scan->s, scan->lane, begin, end < count ? end : count);
    double least = scan_chords(scan, begin, end);
    if (least < scan->best) scan->best = least;
    if (begin < scan->begin) scan->begin = begin;
    if (end > scan->end) scan->end = end;
}

static bool may_be_nearer(const scan_state *scan, int32_t j) {
    return to_row(scan, j) <= sure_limit(scan->strip->globe, scan->best);
}

/* Candidates low to high, both inclusive; middle: where the pixel's row is among them. More at a
 * time the farther it goes. */
static void scan_outward(scan_state *scan, int32_t low, int32_t high, int32_t middle) {
    bool up = true, down = true;
    scan->begin = scan->end = middle;
    for (int32_t chunk = SCAN_CHUNK; up || down; chunk += chunk / 2) {
        up = up && scan->begin > low && may_be_nearer(scan, scan->begin - 1);
        if (up)
            scan_step(scan, scan->begin - low < chunk ? low : scan->begin - chunk, scan->begin,
                      true);
        down = down && scan->end <= high && may_be_nearer(scan, scan->end);
        if (down)
            scan_step(scan, scan->end, high + 1 - scan->end < chunk ? high + 1 : scan->end + chunk,
                      false);
    }
}

/* Those of a vector whose chords do not say that they are farther than the best. */
REAL_FUNCTION int32_t collect(const scan_state *scan, int32_t j, double limit, int32_t count) {
    predt__globe_scratch *s = scan->s;
    if (!ANY_LANE(real_load(s->t + j) <= limit)) return count;
    for (int i = 0; i < REAL_LANES; i++) {
        if (s->t[j + i] > limit) continue;
        s->left[count] = j + i;
        s->left_t[count++] = s->t[j + i];
    }
    return count;
}

static int32_t scan_contest(const scan_state *scan) {
    double limit = sure_limit(scan->strip->globe, scan->best);
    contest c = {scan->strip, scan->s, scan->at, scan->lane, 0};
    for (int32_t j = scan->begin; j < scan->end; j += REAL_LANES)
        c.count = collect(scan, j, limit, c.count);
    return winner(&c);
}

/* The nearest of candidates low to high to the pixel of a row of the raster; or of more. */
static int32_t nearest_of(const predt__substrip *strip, predt__globe_scratch *s, int lane,
                          int64_t row, int32_t low, int32_t high) {
    scan_state scan = {
        .strip = strip, .s = s, .at = pixel_at(strip->globe, row), .lane = lane, .best = 8};
    int32_t middle = strip->carries->rank[row];
    if (low == high) {
        need_column(strip, s, lane, block_of(strip->carries, low));
        return low;
    }
    if (middle < low) middle = low;
    if (middle > high) middle = high + 1;
    scan.begin = scan.end = low;
    if (high - low < SCAN_ALL) scan_step(&scan, low, high + 1, false);
    else scan_outward(&scan, low, high, middle);
    return scan_contest(&scan);
}

#endif
