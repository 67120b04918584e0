/* A column's far rows by divide and conquer. Of two targets the southern one is nearer to all
 * pixels of a meridian south of one latitude, and to none north of it; so along a column the
 * nearest target's row moves one way only. Where the first and the last row of a segment have one
 * owner, all between have it. Else the row where both owners are equally far is asked; it has one
 * of the two, or a third one that divides the segment. */
#ifndef PREDT__DIVIDE_H
#define PREDT__DIVIDE_H

#include "../numbers.h"
#include "scan.h"

/* A segment of the rows asked for, whose ends have their owners. tries: how often the guess of a
 * border between these two has failed; is_after: the last one was its first row, not its last. */
typedef struct segment {
    int32_t begin, end;
    int16_t tries;
    bool is_after;
} segment;

/* The cosine and sine of the reduced latitude on the pixels' meridian where two targets have equal
 * chords. */
typedef struct on_meridian {
    double sin, cos;
} on_meridian;

static on_meridian equal_chords(const predt__substrip *strip, const predt__globe_scratch *s,
                                int32_t north, int32_t south) {
    const predt__carries *carries = strip->carries;
    double one_f = strip->globe->ellipsoid.one_f, one_f2 = one_f * one_f;
    double cos_n = carries->cos[north], cos_s = carries->cos[south], sin_n = carries->sin[north],
           sin_s = carries->sin[south];
    double out = cos_n * (1 - s->chord2[north] / 2) - cos_s * (1 - s->chord2[south] / 2);
    double up = one_f2 * (sin_n - sin_s), length = sqrt(out * out + up * up);
    double v = ((cos_n - cos_s) * (cos_n + cos_s) + one_f2 * (sin_n - sin_s) * (sin_n + sin_s)) /
               (2 * length);
    v = smaller(larger(v, -1), 1);
    double w = sqrt(1 - v * v), cos_t = out / length, sin_t = up / length;
    return (on_meridian){sin_t * v - cos_t * w, cos_t * v + sin_t * w};
}

/* First of the rows asked for that lies beyond the point, seen from the first one. */
static int32_t row_beyond(const predt__substrip *strip, on_meridian point) {
    int64_t row = predt__row_from(strip->globe, point.sin, point.cos) - strip->first_row;
    return (int32_t)(strip->row_step == 1 ? row : predt__parts(row, strip->row_step));
}

/* The first row of the second owner, as far as chords have it, mended by how far they were off for
 * the same two rows in the column before. */
static int32_t expected_border(const predt__substrip *strip, predt__globe_scratch *s, int32_t first,
                               int32_t last) {
    predt__known_border *known = &s->borders[first];
    bool south = strip->globe->southward;
    int32_t at =
        row_beyond(strip, equal_chords(strip, s, south ? first : last, south ? last : first));
    if (known->last != last) known->off = 0;
    known->last = last;
    known->expected = at;
    return at + known->off;
}

static void note_border(predt__globe_scratch *s, int32_t first, int32_t last, int32_t at) {
    predt__known_border *known = &s->borders[first];
    if (known->last == last) known->off = at - known->expected;
}

/* A row inside the segment, near the border of its two owners. After a try that failed, some more
 * rows away from it, on the side where the border is; after many, in the middle. */
static int32_t guess(const predt__substrip *strip, predt__globe_scratch *s, const segment *part,
                     int32_t first, int32_t last) {
    int32_t begin = part->begin, end = part->end, middle = begin + (end - begin) / 2;
    if (part->tries > 5) return middle;
    if (part->tries == 0) {
        int32_t at = expected_border(strip, s, first, last);
        return at <= begin ? begin + 1 : at < end ? at : end - 1;
    }
    int32_t by = 1 << (part->tries - 1);
    if (part->is_after) return begin + by < middle ? begin + by : middle;
    return end - by > middle ? end - by : middle;
}

static int push(predt__globe_scratch *s, int count, segment part) {
    memcpy(s->pending + 3 * count, &part, sizeof part);
    return count + 1;
}

/* Owners of all rows of a segment whose ends have theirs. */
static void divide(const predt__substrip *strip, predt__globe_scratch *s, int lane, int32_t *owner,
                   int32_t begin, int32_t end) {
    segment part;
    int count = push(s, 0, (segment){begin, end, 0, false});
    while (count > 0) {
        memcpy(&part, s->pending + 3 * --count, sizeof part);
        int32_t first = owner[part.begin], last = owner[part.end];
        if (first == last) {
            for (int32_t i = part.begin + 1; i < part.end; i++) owner[i] = first;
            continue;
        }
        if (part.end - part.begin < 2) {
            note_border(s, first, last, part.end);
            continue;
        }
        int32_t at = guess(strip, s, &part, first, last), low = first < last ? first : last,
                high = first < last ? last : first;
        int32_t here = owner[at] = nearest_of(strip, s, lane, asked_row(strip, at), low, high);
        int16_t again = (int16_t)(part.tries + 1);
        count = push(s, count, (segment){at, part.end, here == first ? again : 0, true});
        count = push(s, count, (segment){part.begin, at, here == last ? again : 0, false});
    }
}

/* The owners of rows [begin, end) asked for of one lane. */
static void divide_rows(const predt__substrip *strip, predt__globe_scratch *s, int lane,
                        int32_t begin, int32_t end) {
    int32_t high = strip->carries->count - 1;
    int64_t from = lane * (int64_t)s->asked;
    int32_t *owner = s->far.target + from, *apart = s->far.apart + from;
    owner[begin] = nearest_of(strip, s, lane, asked_row(strip, begin), 0, high);
    owner[end - 1] = nearest_of(strip, s, lane, asked_row(strip, end - 1), 0, high);
    divide(strip, s, lane, owner, begin, end - 1);
    for (int32_t i = begin; i < end; i++) apart[i] = s->apart[owner[i]];
}

#endif
