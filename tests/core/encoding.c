#include "encoding.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "random.h"
#include "solve.h"

#define POISON 0xa5

/* What is asked for, and where it goes. */
struct request {
    int64_t stride, count;
    void *values, *label;
    float *direction;
    uint8_t *mask;
    predt_outputs outputs;
    predt_encoding encoding;
    predt_tally tally;
};

static const int type_bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};

static bool is_real(predt_type type) { return type >= PREDT_FLOAT32; }
static bool is_signed(predt_type type) { return type % 2 == 1; }

/* ---- A request ---- */

static predt_number random_number(predt_type type, uint64_t *state) {
    int bits = 8 * type_bytes[type] - is_signed(type);
    uint64_t largest = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    if (is_real(type)) {
        static const double numbers[] = {NAN, 0, -1, -9999, 3, 1e30, INFINITY};
        return (predt_number){.f = (double)(float)numbers[random_below(state, 7)]};
    }
    if (random_below(state, 2)) return (predt_number){.u = largest};
    return (predt_number){.u = random_bits(state) % (largest < 40 ? largest : 40)};
}

static predt_encoding random_encoding(uint64_t *state) {
    static const double scales[] = {1, 1, 1, 0.5, 0.001, 7.7, 100, 1e6, 1e17, 1e300, 0};
    predt_encoding encoding = {.size = sizeof encoding,
                               .type = (predt_type)random_below(state, 10)};
    encoding.scale = scales[random_below(state, 11)];
    encoding.none = random_number(encoding.type, state);
    encoding.fixed = random_number(encoding.type, state);
    encoding.is_fixed = random_below(state, 6) == 0;
    return encoding;
}

static void *poisoned(int64_t bytes) {
    return memset(malloc((size_t)bytes), POISON, (size_t)bytes);
}

static struct request make(const struct scene *scene, const predt_window *window,
                           const predt_encoding *encoding, int label_bytes, int64_t gap) {
    struct request r = {.stride = window->cols + gap, .tally = PREDT_TALLY_INIT};
    r.count = r.stride * window->rows;
    r.values = poisoned(8 * r.count);
    r.direction = poisoned(4 * r.count);
    if (scene->label_type) r.label = poisoned(8 * r.count);
    r.outputs = (predt_outputs){.size = sizeof(predt_outputs),
                                .stride = r.stride,
                                .label = r.label,
                                .no_label = scene->no_label,
                                .direction = r.direction,
                                .label_bytes = label_bytes};
    r.encoding = *encoding;
    r.encoding.values = r.values;
    return r;
}

static void drop(struct request *r) {
    free(r->values);
    free(r->label);
    free(r->direction);
}

/* ---- What it must give, by other means than the core's: libm's round, doubles all the way ---- */

static double measure(const predt_encoding *e, float distance, double d2) {
    return e->type == PREDT_FLOAT32 ? (double)distance : sqrt(d2) * e->scale;
}

static bool is_out(const struct request *r, int64_t at, float distance, double d2) {
    double min = r->outputs.min_distance;
    if (r->outputs.mask && r->outputs.mask[at]) return true;
    if (!(min > 0)) return false;
    return r->encoding.type == PREDT_FLOAT32 ? distance < (float)min
                                             : sqrt(d2) * r->encoding.scale < min * (1 - 1e-12);
}

static predt_number whole_value(const predt_encoding *e, double distance, bool *clamped) {
    int bits = 8 * type_bytes[e->type] - is_signed(e->type);
    predt_number max = {.u = UINT64_MAX >> (64 - bits)};
    if (max.u == e->none.u) max.u--;
    double whole = round(distance),
           over = ldexp(1, bits) - (bits < 53 && max.u + 1 < UINT64_C(1) << bits);
    *clamped = whole >= over;
    return *clamped ? max : (predt_number){.u = (uint64_t)whole};
}

static bool equal(predt_type type, predt_number a, predt_number b) {
    return is_real(type) ? a.f == b.f : a.u == b.u;
}

static predt_number right_value(struct request *r, float distance, double d2, int64_t col,
                                int64_t row) {
    const predt_encoding *e = &r->encoding;
    double measured = measure(e, distance, d2);
    predt_number value = {.f = measured};
    bool clamped = false;
    if (!is_real(e->type)) value = whole_value(e, measured, &clamped);
    if (e->is_fixed) value = e->fixed;
    r->tally.clamped += clamped && !e->is_fixed;
    r->tally.like_none += equal(e->type, value, e->none);
    if (measured > r->tally.farthest) {
        r->tally.farthest = measured;
        r->tally.farthest_col = col;
        r->tally.farthest_row = row;
    }
    return value;
}

static void store(const predt_encoding *e, void *values, int64_t at, predt_number value) {
    float single = (float)value.f;
    const void *from = e->type == PREDT_FLOAT32 ? (const void *)&single : &value;
    /* little-endian, as all that predt runs on */
    memcpy((char *)values + at * type_bytes[e->type], from, (size_t)type_bytes[e->type]);
}

static void fill_pixel(struct request *r, const struct answer *right, int64_t from, int64_t to,
                       int64_t col, int64_t row) {
    const predt_outputs *outputs = &r->outputs;
    float distance = right->distance[from];
    double d2 = right->distance2[from];
    bool out = isinf(d2) || is_out(r, to, distance, d2);
    uint64_t label = outputs->no_label;
    predt_number value = out ? r->encoding.none : right_value(r, distance, d2, col, row);
    store(&r->encoding, r->values, to, value);
    r->direction[to] = out ? NAN : right->direction[from];
    if (!r->label) return;
    size_t wide = (size_t)right->label_type,
           bytes = outputs->label_bytes ? (size_t)outputs->label_bytes : wide;
    if (!out) memcpy(&label, (char *)right->label + from * (int64_t)wide, wide);
    memcpy((char *)r->label + to * (int64_t)bytes, &label, bytes);
}

static void fill_right(struct request *r, const struct answer *right, const predt_window *window) {
    for (int64_t i = 0; i < window->rows; i++)
        for (int64_t j = 0; j < window->cols; j++) {
            int64_t row = window->row + i * window->step, col = window->col + j * window->step;
            fill_pixel(r, right, row * right->stride + col, i * r->stride + j, col, row);
        }
}

/* ---- Both ---- */

static bool same_tally(const predt_tally *a, const predt_tally *b) {
    return a->farthest == b->farthest && a->clamped == b->clamped && a->like_none == b->like_none &&
           (a->farthest < 0 ||
            (a->farthest_col == b->farthest_col && a->farthest_row == b->farthest_row));
}

static void print_tally(const char *what, const predt_tally *tally) {
    print_error("  %s %.17g at %" PRId64 ", %" PRId64 "; %" PRId64 " clamped, %" PRId64
                " like none\n",
                what, tally->farthest, tally->farthest_col, tally->farthest_row, tally->clamped,
                tally->like_none);
}

static void assert_same(const struct request *got, const struct request *right,
                        const struct scene *scene, const predt_window *window) {
    const predt_encoding *e = &right->encoding;
    size_t count = (size_t)right->count;
    bool values = memcmp(got->values, right->values, 8 * count) == 0;
    bool label = !right->label || memcmp(got->label, right->label, 8 * count) == 0;
    bool direction = memcmp(got->direction, right->direction, 4 * count) == 0;
    bool tally = same_tally(&got->tally, &right->tally);
    if (values && label && direction && tally) return;
    scene_print(scene);
    print_error("window %" PRId64 "+%" PRId64 ", %" PRId64 "+%" PRId64 ", step %" PRId64
                "; type %d, scale %g, none %" PRId64 " or %g, fixed %d, mask %d, min %g:%s%s%s%s\n",
                window->col, window->cols, window->row, window->rows, window->step, (int)e->type,
                e->scale, e->none.i, e->none.f, e->is_fixed, right->outputs.mask != NULL,
                right->outputs.min_distance, values ? "" : " values differ",
                label ? "" : " labels differ", direction ? "" : " directions differ",
                tally ? "" : " tallies differ");
    print_tally("got", &got->tally);
    print_tally("not", &right->tally);
    fail();
}

static void assert_plain(const double *squares, const struct request *r, const struct answer *right,
                         const predt_window *window) {
    for (int64_t i = 0; i < window->rows; i++)
        for (int64_t j = 0; j < window->cols; j++) {
            int64_t from =
                (window->row + i * window->step) * right->stride + window->col + j * window->step;
            bool out = is_out(r, i * r->stride + j, right->distance[from], right->distance2[from]);
            assert_true(squares[i * r->stride + j] ==
                        (out ? (double)INFINITY : right->distance2[from]));
        }
}

static uint8_t *random_mask(int64_t count, uint64_t *state) {
    uint8_t *mask = malloc((size_t)count);
    int64_t share = 1 + random_below(state, 4);
    for (int64_t i = 0; i < count; i++) mask[i] = random_below(state, share) == 0;
    return mask;
}

void check_encoding(predt_ctx *ctx, const predt_index *index, const struct scene *scene,
                    const struct answer *right, const predt_window *window, uint64_t *state) {
    predt_encoding encoding = random_encoding(state);
    int label_bytes = random_below(state, 4) ? 1 << random_below(state, 3) : 0;
    int64_t gap = (int64_t)random_below(state, 3);
    struct request got = make(scene, window, &encoding, label_bytes, gap),
                   expected = make(scene, window, &encoding, label_bytes, gap);
    double *squares = random_below(state, 2) ? malloc((size_t)got.count * sizeof *squares) : NULL;
    uint8_t *mask = random_below(state, 3) ? NULL : random_mask(got.count, state);
    double unit = encoding.type == PREDT_FLOAT32 ? scene->grid.col_step[0] : encoding.scale;
    double min = random_below(state, 3) ? 0 : fabs(unit) * 5 * random_unit(state);
    got.outputs.mask = expected.outputs.mask = mask;
    got.outputs.min_distance = expected.outputs.min_distance = isfinite(min) ? min : 0;
    got.outputs.distance2 = squares; /* where the caller wants both */
    got.outputs.encoding = &got.encoding;
    if (random_below(state, 4)) got.encoding.tally = &got.tally;
    fill_right(&expected, right, window);
    assert_ok(ctx, predt_query(ctx, index, window, &got.outputs));
    if (!got.encoding.tally) got.tally = expected.tally;
    assert_same(&got, &expected, scene, window);
    if (squares) assert_plain(squares, &expected, right, window);
    free(squares);
    free(mask);
    drop(&got);
    drop(&expected);
}
