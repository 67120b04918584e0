#include "answers.h"

#include <cpl_vsi.h>

static bool float_is_enough(const predt__question *question) {
    return question->encoding.kind == PREDT__F32;
}

/* Whether pixels are taken out of the answer before it is written. */
static bool clears_pixels(const predt__question *question) {
    return question->request->use_input_nodata || question->request->min_distance > 0;
}

/* Where pixels are cleared the core would have counted them. */
bool predt__answers_rounded(const predt__question *question) {
    predt__kind kind = question->encoding.kind;
    return !predt__kind_is_real(kind) && predt__kind_size(kind) <= 4 && !clears_pixels(question);
}

/* ---- Buffers ---- */

static int pixel_bytes(const predt__question *question, predt__product product) {
    bool needed = predt__asks_for(question, product) ||
                  (product == PREDT__DISTANCE && question->request->min_distance > 0);
    return needed ? predt__kind_size(predt__kind_of_product(question, product)) : 0;
}

static int squares_bytes(const predt__question *question) {
    return pixel_bytes(question, PREDT__DISTANCE) && !float_is_enough(question) &&
                   !predt__answers_rounded(question)
               ? 8
               : 0;
}

int64_t predt__answers_bytes(const predt__question *question) {
    int64_t bytes = squares_bytes(question) + question->request->use_input_nodata;
    for (int product = 0; product < PREDT__PRODUCTS; product++)
        bytes += pixel_bytes(question, product);
    return bytes;
}

int64_t predt__answers_core_bytes(const predt__question *question) {
    int label_bytes = pixel_bytes(question, PREDT__ALLOCATION);
    return (predt__answers_rounded(question) ? 8 : 0) + (label_bytes && label_bytes < 4 ? 4 : 0);
}

static void *allocate(size_t pixels, int bytes, bool *good) {
    void *taken = bytes && *good ? VSIMalloc2(pixels, (size_t)bytes) : NULL;
    if (bytes && !taken) *good = false;
    return taken;
}

bool predt__answers_allocate(predt__answers *answers, const predt__question *question,
                             size_t pixels) {
    bool good = true;
    for (int product = 0; product < PREDT__PRODUCTS; product++)
        answers->pixels[product] = allocate(pixels, pixel_bytes(question, product), &good);
    answers->squares = allocate(pixels, squares_bytes(question), &good);
    answers->is_nodata = allocate(pixels, question->request->use_input_nodata, &good);
    return good;
}

void predt__answers_free(predt__answers *answers) {
    for (int product = 0; product < PREDT__PRODUCTS; product++) VSIFree(answers->pixels[product]);
    VSIFree(answers->squares);
    VSIFree(answers->is_nodata);
    *answers = (predt__answers){.squares = NULL};
}

/* ---- Pixels that are to be nodata ---- */

static uint64_t no_label(const predt__question *question, const predt__solver *solver) {
    return predt__value_bits(question->source.kind, solver->label_nodata);
}

static void store_label(void *labels, int bytes, int64_t i, uint64_t bits) {
    if (bytes == 1) ((uint8_t *)labels)[i] = (uint8_t)bits;
    else if (bytes == 2) ((uint16_t *)labels)[i] = (uint16_t)bits;
    else if (bytes == 4) ((uint32_t *)labels)[i] = (uint32_t)bits;
    else ((uint64_t *)labels)[i] = bits;
}

/* A distance is compared as it is stored: 0.7 in float32 is not nearer than a minimum of 0.7. */
static bool too_near(const predt__answers *answers, const predt__question *question, int64_t i) {
    double min = question->request->min_distance;
    if (min <= 0) return false;
    if (!answers->squares) return ((const float *)answers->pixels[PREDT__DISTANCE])[i] < (float)min;
    return sqrt(answers->squares[i]) * question->encoding.scale < min * (1 - 1e-12);
}

static void clear(const predt__answers *answers, const predt__question *question, uint64_t no_label,
                  int64_t pixels) {
    float *distance = answers->pixels[PREDT__DISTANCE],
          *direction = answers->pixels[PREDT__DIRECTION];
    void *labels = answers->pixels[PREDT__ALLOCATION];
    int label_bytes = pixel_bytes(question, PREDT__ALLOCATION);
    for (int64_t i = 0; i < pixels; i++) {
        if (!(answers->is_nodata && answers->is_nodata[i]) && !too_near(answers, question, i))
            continue;
        if (answers->squares) answers->squares[i] = INFINITY;
        else if (distance) distance[i] = INFINITY;
        if (labels) store_label(labels, label_bytes, i, no_label);
        if (direction) direction[i] = NAN;
    }
}

/* ---- Asking ---- */

static void replace_nan(float *pixels, int64_t count, float nodata) {
    for (int64_t i = 0; i < count; i++)
        if (pixels[i] != pixels[i]) pixels[i] = nodata;
}

static void encode(const predt__answers *answers, const predt__question *question,
                   const predt_window *window, predt__tally *tally) {
    char *out = answers->pixels[PREDT__DISTANCE];
    int size = predt__kind_size(question->encoding.kind);
    for (int64_t i = 0; i < window->rows; i++)
        predt__encode_distance(&question->encoding,
                               answers->squares ? (void *)(answers->squares + i * window->cols)
                                                : out + i * window->cols * size,
                               window->col, window->row + i, window->cols,
                               out + i * window->cols * size, tally);
}

static predt_status query(const predt__answers *answers, const predt__question *question,
                          const predt__solver *solver, const predt_window *window,
                          predt_tally *tally) {
    predt_outputs outputs = PREDT_OUTPUTS_INIT;
    predt_whole whole = PREDT_WHOLE_INIT;
    void *distance = answers->pixels[PREDT__DISTANCE];
    outputs.label = answers->pixels[PREDT__ALLOCATION];
    outputs.direction = answers->pixels[PREDT__DIRECTION];
    outputs.distance2 = answers->squares;
    if (float_is_enough(question)) outputs.distance = distance;
    if (predt__answers_rounded(question)) {
        whole = predt__encoding_whole(&question->encoding, distance, tally);
        outputs.whole = &whole;
    }
    if (outputs.label) {
        int bytes = pixel_bytes(question, PREDT__ALLOCATION);
        outputs.no_label = no_label(question, solver);
        outputs.label_bytes = bytes < 4 ? bytes : 0;
    }
    return predt_query(solver->ctx, solver->index, window, &outputs);
}

static void add_whole(const predt__encoding *encoding, const predt_tally *seen,
                      predt__tally *tally) {
    predt__tally_see(tally, seen->farthest2, seen->farthest_col, seen->farthest_row);
    tally->clamped += encoding->fixed ? 0 : seen->clamped;
    tally->like_nodata += seen->like_none;
}

predt_status predt__answers_query(const predt__answers *answers, const predt__question *question,
                                  const predt__solver *solver, const predt_window *window,
                                  predt__tally *tally) {
    predt_tally seen = PREDT_TALLY_INIT;
    predt_status status = query(answers, question, solver, window, &seen);
    if (status != PREDT_OK) return status;
    if (clears_pixels(question))
        clear(answers, question, no_label(question, solver), window->rows * window->cols);
    if (predt__answers_rounded(question)) add_whole(&question->encoding, &seen, tally);
    else if (answers->pixels[PREDT__DISTANCE]) encode(answers, question, window, tally);
    if (answers->pixels[PREDT__DIRECTION] &&
        question->direction_nodata.f == question->direction_nodata.f)
        replace_nan(answers->pixels[PREDT__DIRECTION], window->rows * window->cols,
                    (float)question->direction_nodata.f);
    return PREDT_OK;
}
