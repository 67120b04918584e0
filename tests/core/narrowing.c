#include "narrowing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "random.h"
#include "solve.h"

#define POISON 0xa5

typedef struct narrow {
    int64_t stride, count;
    void *values, *label;
    predt_outputs outputs;
    predt_whole whole;
    predt_tally tally;
} narrow;

static predt_whole random_whole(uint64_t *state) {
    static const double scales[] = {1, 1, 1, 0.5, 0.001, 7.7, 100, 1e6, 1e300, 0};
    predt_whole whole = {.size = sizeof whole,
                         .bytes = 1 << random_below(state, 3),
                         .scale = scales[random_below(state, 10)]};
    bool is_signed = random_below(state, 2);
    int64_t over = INT64_C(1) << (8 * whole.bytes - is_signed), least = is_signed ? -over : 0;
    whole.most = random_below(state, 3) ? over - 1 : random_below(state, over);
    whole.least = random_below(state, 2) ? 0 : random_below(state, whole.most + 1);
    whole.none = random_below(state, 2) ? least : random_below(state, over);
    if (random_below(state, 8) == 0) whole.least = whole.most = random_below(state, over);
    return whole;
}

static narrow make(const struct scene *scene, const predt_window *window, const predt_whole *whole,
                   int label_bytes, int64_t gap) {
    narrow n = {.stride = window->cols + gap, .tally = PREDT_TALLY_INIT};
    n.count = n.stride * window->rows;
    n.values = memset(malloc((size_t)n.count * 4), POISON, (size_t)n.count * 4);
    if (scene->label_type)
        n.label = memset(malloc((size_t)n.count * 4), POISON, (size_t)n.count * 4);
    n.outputs = (predt_outputs){.size = sizeof(predt_outputs),
                                .stride = n.stride,
                                .label = n.label,
                                .no_label = scene->no_label,
                                .label_bytes = label_bytes};
    n.whole = *whole;
    n.whole.values = n.values;
    return n;
}

static void drop(narrow *n) {
    free(n->values);
    free(n->label);
}

/* What the pixel must be, by other means than the core's: libm's round, doubles all the way. */
static int64_t right_value(const predt_whole *whole, double d2, int64_t col, int64_t row,
                           predt_tally *tally) {
    if (isinf(d2)) return whole->none;
    double value = round(sqrt(d2) * whole->scale);
    tally->clamped += value > (double)whole->most;
    if (value > (double)whole->most) value = (double)whole->most;
    if (value < (double)whole->least) value = (double)whole->least;
    tally->like_none += value == (double)whole->none;
    if (d2 > tally->farthest2)
        *tally = (predt_tally){sizeof *tally, d2, col, row, tally->clamped, tally->like_none};
    return (int64_t)value;
}

static void fill_right(narrow *n, const struct answer *right, const predt_window *window) {
    const predt_outputs *outputs = &n->outputs;
    int bytes = n->whole.bytes, label_bytes = outputs->label_bytes;
    for (int64_t i = 0; i < window->rows; i++)
        for (int64_t j = 0; j < window->cols; j++) {
            int64_t row = window->row + i * window->step, col = window->col + j * window->step;
            int64_t from = row * right->stride + col, to = i * n->stride + j;
            int64_t value = right_value(&n->whole, right->distance2[from], col, row, &n->tally);
            /* little-endian, as all that predt runs on */
            memcpy((char *)n->values + to * bytes, &value, (size_t)bytes);
            if (n->label)
                memcpy((char *)n->label + to * label_bytes,
                       (char *)right->label + from * (int64_t)right->label_type,
                       (size_t)label_bytes);
        }
}

static void assert_same(const narrow *got, const narrow *right, const struct scene *scene,
                        const predt_window *window) {
    const predt_whole *whole = &right->whole;
    bool values = memcmp(got->values, right->values, (size_t)right->count * 4) == 0;
    bool label = !right->label || memcmp(got->label, right->label, (size_t)right->count * 4) == 0;
    bool tally =
        got->tally.farthest2 == right->tally.farthest2 &&
        got->tally.clamped == right->tally.clamped &&
        got->tally.like_none == right->tally.like_none &&
        (got->tally.farthest2 < 0 || (got->tally.farthest_col == right->tally.farthest_col &&
                                      got->tally.farthest_row == right->tally.farthest_row));
    if (values && label && tally) return;
    scene_print(scene);
    print_error("window %" PRId64 "+%" PRId64 ", %" PRId64 "+%" PRId64 ", step %" PRId64
                "; %d bytes, %" PRId64 " to %" PRId64 ", none %" PRId64 ", scale %g: %s%s%s\n",
                window->col, window->cols, window->row, window->rows, window->step, whole->bytes,
                whole->least, whole->most, whole->none, whole->scale,
                values ? "" : " values differ", label ? "" : " labels differ",
                tally ? "" : " tallies differ");
    print_error("  got %.17g at %" PRId64 ", %" PRId64 "; %" PRId64 " clamped, %" PRId64
                " like none\n",
                got->tally.farthest2, got->tally.farthest_col, got->tally.farthest_row,
                got->tally.clamped, got->tally.like_none);
    print_error("  not %.17g at %" PRId64 ", %" PRId64 "; %" PRId64 " clamped, %" PRId64
                " like none\n",
                right->tally.farthest2, right->tally.farthest_col, right->tally.farthest_row,
                right->tally.clamped, right->tally.like_none);
    fail();
}

void check_narrow(predt_ctx *ctx, const predt_index *index, const struct scene *scene,
                  const struct answer *right, const predt_window *window, uint64_t *state) {
    predt_whole whole = random_whole(state);
    int label_bytes = 1 << random_below(state, 3);
    int64_t gap = random_below(state, 3);
    narrow got = make(scene, window, &whole, label_bytes, gap),
           expected = make(scene, window, &whole, label_bytes, gap);
    double *squares = random_below(state, 2) ? malloc((size_t)got.count * sizeof *squares) : NULL;
    got.outputs.distance2 = squares; /* where the caller wants both */
    got.outputs.whole = &got.whole;
    if (random_below(state, 4)) got.whole.tally = &got.tally;
    fill_right(&expected, right, window);
    assert_ok(ctx, predt_query(ctx, index, window, &got.outputs));
    if (!got.whole.tally) got.tally = expected.tally;
    assert_same(&got, &expected, scene, window);
    for (int64_t i = 0; squares && i < window->rows; i++)
        for (int64_t j = 0; j < window->cols; j++)
            assert_true(squares[i * got.stride + j] ==
                        right->distance2[(window->row + i * window->step) * right->stride +
                                         window->col + j * window->step]);
    free(squares);
    drop(&got);
    drop(&expected);
}
