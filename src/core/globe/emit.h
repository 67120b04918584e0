/* From the answers of a row of a sub-strip to the outputs that were asked for. */
#ifndef PREDT__GLOBE_EMIT_H
#define PREDT__GLOBE_EMIT_H

#include "settle.h"

/* ---- Distances ---- */

static void emit_floats(row_answers *a, float *to) {
    float values[LANES_MAX];
    settle_floats(a);
    for (int i = 0; i < LANES_MAX; i++) values[i] = (float)a->distance[i];
    copy_out(to, values, (size_t)a->strip->lanes * sizeof *to, a->strip->stream);
}

/* As floats; -1 where no target is in reach, and past the last lane. The bits of the largest. */
static inline int32_t reached_floats(const row_answers *a, float values[LANES_MAX]) {
    const float_bits *bits = (const float_bits *)values;
    int32_t max = INT32_MIN;
    for (int i = 0; i < LANES_MAX; i++) {
        float value = (float)a->distance[i];
        values[i] = i < a->strip->lanes && value < INFINITY ? value : -1;
    }
    for (int i = 0; i < LANES_MAX; i++) max = bits[i] > max ? bits[i] : max;
    return max;
}

/* encode_float32, in loops of a fixed length: a row has few pixels. */
static void emit_encoded_floats(row_answers *a, predt__seen *seen) {
    const predt__encoding *e = &a->strip->outputs.encoding;
    int lanes = a->strip->lanes, at = 0;
    predt__piece piece = {a->strip->first_out_col, a->row, a->strip->col_step, lanes};
    float values[LANES_MAX], none = (float)e->none.f, fixed = (float)e->fixed.f, farthest = -1;
    int32_t like_none = 0;
    settle_floats(a);
    int32_t max = reached_floats(a, values);
    if (max >= 0) memcpy(&farthest, &max, sizeof farthest);
    if (may_be_farthest(seen, (double)farthest)) {
        while (values[at] != farthest) at++;
        see_farthest(seen, (double)farthest, &piece, at);
    }
    for (int i = 0; i < LANES_MAX; i++) {
        float value = e->is_fixed ? fixed : values[i];
        like_none += values[i] >= 0 && value == none;
        values[i] = values[i] >= 0 ? value : none;
    }
    seen->like_none += like_none;
    copy_out((float *)e->values + a->at, values, (size_t)lanes * sizeof *values, a->strip->stream);
}

static void emit_encoded(row_answers *a, predt__seen *seen) {
    const predt__encoding *e = &a->strip->outputs.encoding;
    int count = a->strip->lanes;
    predt__piece piece = {a->strip->first_out_col, a->row, a->strip->col_step, count};
    double values[LANES_MAX], squares[LANES_MAX];
    if (e->type == PREDT_FLOAT32) {
        emit_encoded_floats(a, seen);
        return;
    }
    if (e->type == PREDT_FLOAT64) settle_all(a);
    else {
        settle_farthest(a, e->scale, seen);
        settle_wholes(a, e->scale);
    }
    /* a square's root is the number again, to the last bit */
    for (int i = 0; i < count; i++) squares[i] = a->distance[i] * a->distance[i];
    encode_squares(e, &piece, squares, values, seen);
    memcpy((char *)e->values + a->at * e->bytes, values, (size_t)(count * e->bytes));
}

/* ---- Targets ---- */

/* Where the targets of a row are in the raster; -1: there is none in reach. */
typedef struct places {
    int32_t col[LANES_MAX], row[LANES_MAX];
} places;

/* Where columns are folded, the first that has the target. */
static void unfold(const row_answers *a, places *at) {
    const predt_index *index = a->strip->index;
    int32_t cols = (int32_t)a->strip->globe->cols;
    for (int i = 0; i < a->strip->lanes; i++) {
        const uint32_t *words = predt__block_words(index, at->row[i] / PREDT_SUBBLOCK_ROWS);
        bool is_first = words[at->col[i]] >> at->row[i] % PREDT_SUBBLOCK_ROWS & 1;
        at->col[i] += is_first ? 0 : cols;
    }
}

static void find_places(const row_answers *a, places *at) {
    const predt__substrip *strip = a->strip;
    int32_t period = (int32_t)strip->globe->period, first = strip->first_col, any = 0;
    for (int i = 0; i < LANES_MAX; i++) {
        int lane = i < strip->lanes ? i : 0;
        at->col[i] = apart_of(a, lane);
        at->row[i] = target_row(a, lane);
    }
    for (int i = 0; i < LANES_MAX; i++) {
        int32_t col = first + strip->lane[i] + at->col[i];
        col += col < 0 ? period : 0;
        at->col[i] = col - (period && col >= period ? period : 0);
        any |= !reached(a, i);
    }
    if (strip->globe->cols != strip->index->width) unfold(a, at);
    for (int i = 0; any && i < LANES_MAX; i++)
        if (!reached(a, i)) at->col[i] = at->row[i] = -1;
}

static void emit_places(const predt__substrip *strip, const int32_t *place, int32_t *to) {
    if (strip->lanes == LANES_MAX) memcpy(to, place, LANES_MAX * sizeof *to);
    else memcpy(to, place, (size_t)strip->lanes * sizeof *to);
}

/* Neighbours have the same target mostly. */
static void emit_labels(const row_answers *a, const places *place) {
    const predt__substrip *strip = a->strip;
    const predt__outputs *out = &strip->outputs;
    int bytes = out->label_bytes ? out->label_bytes : (int)strip->index->label_type;
    int32_t last_col = -1, last_row = -1;
    uint64_t label = out->no_label;
    for (int i = 0; i < strip->lanes; i++) {
        int32_t col = place->col[i], row = place->row[i];
        if (col != last_col || row != last_row)
            label = row < 0 ? out->no_label : predt__label_at(strip->index, col, row);
        last_col = col, last_row = row;
        predt__store_bytes(out->label, bytes, a->at + i, label);
    }
}

static void emit_targets(const row_answers *a) {
    const predt__outputs *out = &a->strip->outputs;
    places place;
    find_places(a, &place);
    if (out->label) emit_labels(a, &place);
    if (out->nearest_col) emit_places(a->strip, place.col, out->nearest_col + a->at);
    if (out->nearest_row) emit_places(a->strip, place.row, out->nearest_row + a->at);
}

/* ---- Direction ---- */

/* An azimuth as if the target lay east is in the true one's place; north is 360. */
static float direction_of(double degrees, bool west) {
    float value = (float)(west ? 360 - degrees : degrees);
    return value > 0 ? value : 360.0f;
}

/* Beyond this squared chord azimuths turn too fast for what the iteration leaves. */
#define AZIMUTH_CHORD2 3.5

/* By the geodesic on the auxiliary sphere. off: how wrong it may be; both in degrees. */
static void azimuths_of(const predt__globe *globe, const pair *p, double degrees[REAL_LANES],
                        double off[REAL_LANES]) {
    const double degree = 57.295779513082321;
    double east[REAL_LANES], north[REAL_LANES];
    arc a;
    accurate_longitude(globe, p, &a);
    real half2 = a.sin_half * a.sin_half;
    real_store(east, p->cos2 * 2 * a.sin_half * a.cos_half);
    real_store(north, p->cos1 * p->sin2 - p->sin1 * p->cos2 + 2 * p->sin1 * p->cos2 * half2);
    for (int i = 0; i < REAL_LANES; i++) {
        degrees[i] = atan2(east[i], north[i]) * degree;
        off[i] = (1e-10 + 1e-15 / sqrt(east[i] * east[i] + north[i] * north[i])) * degree;
    }
}

/* degrees: what the ladder says; t: the squared chord. */
static float settled_direction(const row_answers *a, int i, double degrees, double off, double t) {
    const predt__globe *globe = a->strip->globe;
    int32_t k = magnitude(apart_of(a, i));
    bool half_turn = globe->period && 2 * (int64_t)k == globe->period,
         west = !half_turn && (apart_of(a, i) < 0) != globe->westward;
    float low = direction_of(degrees - off, west), high = direction_of(degrees + off, west);
    if (!(t > 0)) return 0;
    if (t < AZIMUTH_CHORD2 && globe->row.cos[a->row] > 0 && k > 0 && !half_turn && low == high)
        return low;
    predt__geodesic(globe, a->row, target_row(a, i), k, &degrees);
    return direction_of(degrees, west);
}

/* Of a vector of lanes from the first on. */
static void emit_some_directions(const row_answers *a, int first, float *to) {
    double t[REAL_LANES], degrees[REAL_LANES], off[REAL_LANES];
    int32_t rows[REAL_LANES], apart[REAL_LANES];
    int count = a->strip->lanes - first < REAL_LANES ? a->strip->lanes - first : REAL_LANES;
    for (int i = 0; i < REAL_LANES; i++) {
        int lane = first + (i < count ? i : 0);
        rows[i] = target_row(a, lane);
        apart[i] = magnitude(apart_of(a, lane));
    }
    pair p = pair_in_row(a->strip->globe, a->row, rows, apart);
    real_store(t, p.a + p.b);
    azimuths_of(a->strip->globe, &p, degrees, off);
    for (int i = 0; i < count; i++)
        to[first + i] =
            reached(a, first + i) ? settled_direction(a, first + i, degrees[i], off[i], t[i]) : NAN;
}

static void emit_directions(const row_answers *a) {
    float *to = a->strip->outputs.direction + a->at;
    for (int i = 0; i < a->strip->lanes; i += REAL_LANES) emit_some_directions(a, i, to);
}

/* ---- All of it ---- */

static void set_distances(row_answers *a, const double *distance) {
    double axis = a->strip->globe->ellipsoid.a;
    int any = 0;
    for (int i = 0; i < LANES_MAX; i++) {
        a->distance[i] = distance[i] * axis;
        a->off[i] = distance[i] > 0 ? value_error(distance[i]) * axis : 0;
        any |= distance[i] < 0;
    }
    for (int i = 0; any && i < a->strip->lanes; i++)
        if (distance[i] < 0) ask_proj(a, i);
}

static void emit_row(const predt__substrip *strip, predt__seen *seen, int64_t i,
                     const found_answers *answers) {
    const predt__outputs *out = &strip->outputs;
    row_answers a = {
        .strip = strip, .row = asked_row(strip, i), .at = i * out->stride, .found = answers};
    set_distances(&a, answers->distance);
    if (strip->globe->limit < (double)INFINITY) take_out_of_reach(&a);
    if (predt__takes_out(out)) take_out(&a);
    if (out->distance2) settle_all(&a);
    if (out->distance) emit_floats(&a, out->distance + a.at);
    if (out->encoding.values) emit_encoded(&a, seen);
    for (int n = 0; out->distance2 && n < strip->lanes; n++)
        out->distance2[a.at + n] = a.distance[n] * a.distance[n];
    if (out->label || out->nearest_col || out->nearest_row) emit_targets(&a);
    if (out->direction) emit_directions(&a);
}

#endif
