#include "answers.h"

#include <cpl_vsi.h>

/* ---- Buffers ---- */

static int pixel_bytes(const predt__question *question, predt__product product) {
    return predt__asks_for(question, product)
               ? predt__kind_size(predt__kind_of_product(question, product))
               : 0;
}

int64_t predt__answers_bytes(const predt__question *question) {
    int64_t bytes = question->request->use_input_nodata;
    for (predt__product product = 0; product < PREDT__PRODUCTS; product++)
        bytes += pixel_bytes(question, product);
    return bytes;
}

int64_t predt__answers_core_bytes(const predt__question *question) {
    int distance = pixel_bytes(question, PREDT__DISTANCE),
        label = pixel_bytes(question, PREDT__ALLOCATION);
    bool whole = distance && distance < 8 && question->encoding.type != PREDT_FLOAT32;
    bool apart = !distance && question->request->min_distance > 0;
    return (whole ? 8 : apart ? 4 : 0) + (label && label < 4 ? 4 : 0);
}

static void *allocate(size_t pixels, int bytes, bool *good) {
    void *taken = bytes && *good ? VSIMalloc2(pixels, (size_t)bytes) : NULL;
    if (bytes && !taken) *good = false;
    return taken;
}

bool predt__answers_allocate(predt__answers *answers, const predt__question *question,
                             size_t pixels) {
    bool good = true;
    for (predt__product product = 0; product < PREDT__PRODUCTS; product++)
        answers->pixels[product] = allocate(pixels, pixel_bytes(question, product), &good);
    answers->is_nodata = allocate(pixels, question->request->use_input_nodata, &good);
    return good;
}

void predt__answers_free(predt__answers *answers) {
    for (predt__product product = 0; product < PREDT__PRODUCTS; product++)
        VSIFree(answers->pixels[product]);
    VSIFree(answers->is_nodata);
    *answers = (predt__answers){.is_nodata = NULL};
}

/* ---- Asking ---- */

/* Where the window's pixels begin. */
static void *first_of(const predt__answers *answers, const predt_window *window, void *pixels,
                      int bytes) {
    int64_t before = (window->row - answers->row) * answers->stride + window->col - answers->col;
    return pixels ? (char *)pixels + before * bytes : NULL;
}

static void *of_product(const predt__answers *answers, const predt__question *question,
                        const predt_window *window, predt__product product) {
    return first_of(answers, window, answers->pixels[product], pixel_bytes(question, product));
}

static void ask_for_labels(const predt__question *question, const predt__solver *solver,
                           predt_outputs *outputs) {
    int bytes = pixel_bytes(question, PREDT__ALLOCATION);
    outputs->label_bytes = bytes < 4 ? bytes : 0;
    outputs->no_label = predt__value_bits(question->source.kind, solver->label_nodata);
}

/* Formats whose only nodata value is a number have it in directions, too. */
static void replace_nan(float *pixels, int64_t stride, const predt_window *window, double nodata) {
    for (int64_t row = 0; pixels && nodata == nodata && row < window->rows; row++)
        for (int64_t i = row * stride; i < row * stride + window->cols; i++)
            if (pixels[i] != pixels[i]) pixels[i] = (float)nodata;
}

predt_status predt__answers_query(const predt__answers *answers, const predt__question *question,
                                  const predt__solver *solver, const predt_window *window,
                                  predt_tally *tally) {
    predt_outputs outputs = PREDT_OUTPUTS_INIT;
    predt_encoding encoding = question->encoding;
    encoding.values = of_product(answers, question, window, PREDT__DISTANCE);
    encoding.tally = tally;
    outputs.stride = answers->stride;
    outputs.encoding = &encoding;
    outputs.direction = of_product(answers, question, window, PREDT__DIRECTION);
    outputs.label = of_product(answers, question, window, PREDT__ALLOCATION);
    outputs.mask = first_of(answers, window, answers->is_nodata, 1);
    outputs.min_distance = question->request->min_distance;
    if (outputs.label) ask_for_labels(question, solver, &outputs);
    predt_status status = predt_query(solver->ctx, solver->index, window, &outputs);
    if (status == PREDT_OK)
        replace_nan(outputs.direction, answers->stride, window, question->direction_nodata.f);
    return status;
}
