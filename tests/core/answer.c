/* Compares answers to the last bit, and says in words where they differ. */
#include "answer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"

#define POISON 0xa5

static void *poisoned(int64_t bytes) {
    void *array = malloc((size_t)bytes + 1);
    assert_non_null(array);
    return memset(array, POISON, (size_t)bytes + 1);
}

struct answer answer_new(int64_t cols, int64_t rows, int64_t gap, predt_label_type label_type) {
    int64_t count = (cols + gap) * rows;
    return (struct answer){.cols = cols,
                           .rows = rows,
                           .stride = cols + gap,
                           .label_type = label_type,
                           .distance = poisoned(count * 4),
                           .distance2 = poisoned(count * 8),
                           .label = label_type ? poisoned(count * (int64_t)label_type) : NULL,
                           .nearest_col = poisoned(count * 4),
                           .nearest_row = poisoned(count * 4),
                           .direction = poisoned(count * 4)};
}

void answer_free(struct answer *answer) {
    free(answer->distance);
    free(answer->distance2);
    free(answer->label);
    free(answer->nearest_col);
    free(answer->nearest_row);
    free(answer->direction);
    memset(answer, 0, sizeof *answer);
}

predt_outputs answer_outputs(const struct answer *answer, const struct scene *scene) {
    return (predt_outputs){.size = sizeof(predt_outputs),
                           .stride = answer->stride == answer->cols ? 0 : answer->stride,
                           .distance = answer->distance,
                           .distance2 = answer->distance2,
                           .label = answer->label,
                           .no_label = scene->no_label,
                           .nearest_col = answer->nearest_col,
                           .nearest_row = answer->nearest_row,
                           .direction = answer->direction};
}

void answer_pick(struct answer *picked, const struct answer *whole, const predt_window *window) {
    size_t size = (size_t)whole->label_type;
    for (int64_t i = 0; i < window->rows; i++)
        for (int64_t j = 0; j < window->cols; j++) {
            int64_t from =
                (window->row + i * window->step) * whole->stride + window->col + j * window->step;
            int64_t to = i * picked->stride + j;
            picked->distance[to] = whole->distance[from];
            picked->distance2[to] = whole->distance2[from];
            if (size)
                memcpy((char *)picked->label + to * (int64_t)size,
                       (char *)whole->label + from * (int64_t)size, size);
            picked->nearest_col[to] = whole->nearest_col[from];
            picked->nearest_row[to] = whole->nearest_row[from];
            picked->direction[to] = whole->direction[from];
        }
}

static void print_pixel(const char *who, const struct answer *answer, int64_t at) {
    print_error("  %s: distance %.9g, squared %.17g, nearest (column %" PRId32 ", row %" PRId32
                "), direction %.9g\n",
                who, (double)answer->distance[at], answer->distance2[at], answer->nearest_col[at],
                answer->nearest_row[at], (double)answer->direction[at]);
}

static void compare(const void *got, const void *expected, size_t size, const char *name,
                    const struct answer *a, const struct answer *b, const struct scene *scene,
                    const char *how) {
    if (memcmp(got, expected, size * (size_t)(a->stride * a->rows)) == 0) return;
    int64_t at = 0;
    while (memcmp((const char *)got + at * (int64_t)size,
                  (const char *)expected + at * (int64_t)size, size) == 0)
        at++;
    scene_print(scene);
    print_error("%s: %s differs at column %" PRId64 ", row %" PRId64 " of %" PRId64 " x %" PRId64
                "\n",
                how, name, at % a->stride, at / a->stride, a->cols, a->rows);
    print_pixel("got     ", a, at);
    print_pixel("expected", b, at);
    fail();
}

void assert_same_answer(const struct answer *got, const struct answer *expected,
                        const struct scene *scene, const char *how) {
    assert_int_equal(got->stride, expected->stride);
    assert_int_equal(got->rows, expected->rows);
#define SAME(field, size)                                                                          \
    compare(got->field, expected->field, size, #field, got, expected, scene, how)
    SAME(nearest_col, 4);
    SAME(nearest_row, 4);
    SAME(distance2, 8);
    SAME(distance, 4);
    SAME(direction, 4);
    if (got->label_type) SAME(label, (size_t)got->label_type);
#undef SAME
}
