/* All outputs of a query or of an oracle, with guards. */
#ifndef TEST_ANSWER_H
#define TEST_ANSWER_H

#include "predt.h"
#include "scene.h"

struct answer {
    int64_t cols, rows, stride; /* elements */
    predt_label_type label_type;
    float *distance;
    double *distance2;
    void *label;
    int32_t *nearest_col, *nearest_row;
    float *direction;
};

/* Rows of cols + gap elements, all of them poisoned. */
struct answer answer_new(int64_t cols, int64_t rows, int64_t gap, predt_label_type label_type);
void answer_free(struct answer *answer);

/* The arrays as predt takes them. */
predt_outputs answer_outputs(const struct answer *answer, const struct scene *scene);

/* Picks the window's pixels out of a whole raster's answer. */
void answer_pick(struct answer *picked, const struct answer *whole, const predt_window *window);

/* Byte for byte, the poison between the rows included. On a difference prints the scene, `how`, and
 * the first pixel that differs, and fails the test. */
void assert_same_answer(const struct answer *got, const struct answer *expected,
                        const struct scene *scene, const char *how);

#endif
