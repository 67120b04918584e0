#include "answers.h"

#include <cpl_vsi.h>
#include <string.h>

static bool float_is_enough(const predt__run *run) { return run->encoding.kind == PREDT__F32; }

/* Whether pixels are taken out of the answer before it is written. */
static bool clears_pixels(const predt__run *run) {
    return run->job->request.use_input_nodata || run->job->request.min_distance > 0;
}

/* Where pixels are cleared the core would have counted them. */
bool predt__answers_rounded(const predt__run *run) {
    predt__kind kind = run->encoding.kind;
    return !predt__kind_is_real(kind) && predt__kind_size(kind) <= 4 && !clears_pixels(run);
}

/* ---- Room ---- */

static int64_t measured_bytes(const predt__run *run) {
    bool needed = predt__wanted(run, PREDT__DISTANCE) || run->job->request.min_distance > 0;
    return !needed                       ? 0
           : float_is_enough(run)        ? 4
           : predt__answers_rounded(run) ? predt__kind_size(run->encoding.kind)
                                         : 8;
}

static int64_t label_bytes(const predt__run *run) {
    return predt__wanted(run, PREDT__ALLOCATION) ? predt__kind_size(run->source.kind) : 0;
}

static int64_t direction_bytes(const predt__run *run) {
    return predt__wanted(run, PREDT__DIRECTION) ? 4 : 0;
}

int64_t predt__answers_bytes(const predt__run *run) {
    return measured_bytes(run) + label_bytes(run) + direction_bytes(run) +
           (run->job->request.use_input_nodata ? 1 : 0);
}

int64_t predt__answers_core_bytes(const predt__run *run) {
    bool narrow_labels = predt__wanted(run, PREDT__ALLOCATION) && label_bytes(run) < 4;
    return (predt__answers_rounded(run) ? 8 : 0) + (narrow_labels ? 4 : 0);
}

static void *room(size_t pixels, int64_t bytes, bool *good) {
    void *taken = bytes && *good ? VSIMalloc2(pixels, (size_t)bytes) : NULL;
    if (bytes && !taken) *good = false;
    return taken;
}

bool predt__answers_allocate(predt__answers *answers, const predt__run *run, size_t pixels) {
    bool good = true;
    answers->measured = room(pixels, measured_bytes(run), &good);
    answers->labels = room(pixels, label_bytes(run), &good);
    answers->direction = room(pixels, direction_bytes(run), &good);
    answers->is_nodata = room(pixels, run->job->request.use_input_nodata ? 1 : 0, &good);
    return good;
}

void predt__answers_free(predt__answers *answers) {
    VSIFree(answers->measured);
    VSIFree(answers->labels);
    VSIFree(answers->direction);
    VSIFree(answers->is_nodata);
    *answers = (predt__answers){0};
}

predt__answers predt__answers_from(const predt__answers *answers, const predt__run *run,
                                   int64_t pixel) {
    predt__answers from = *answers;
    if (from.measured) from.measured = (char *)from.measured + pixel * measured_bytes(run);
    if (from.labels) from.labels = (char *)from.labels + pixel * label_bytes(run);
    if (from.direction) from.direction += pixel;
    if (from.is_nodata) from.is_nodata += pixel;
    return from;
}

/* ---- Asking ---- */

static uint64_t no_label(const predt__run *run) {
    return predt__value_bits(run->source.kind, run->label_nodata[run->label_chosen]);
}

predt_status predt__answers_query(const predt__answers *answers, const predt__run *run,
                                  const predt_window *window, predt_tally *whole_tally) {
    predt_outputs outputs = {
        .size = sizeof(predt_outputs), .label = answers->labels, .direction = answers->direction};
    predt_whole whole = PREDT_WHOLE_INIT;
    if (predt__answers_rounded(run))
        whole = predt__encoding_whole(&run->encoding, answers->measured, whole_tally);
    if (float_is_enough(run)) outputs.distance = answers->measured;
    else if (predt__answers_rounded(run)) outputs.whole = &whole;
    else outputs.distance2 = answers->measured;
    if (outputs.label) outputs.no_label = no_label(run);
    if (outputs.label && label_bytes(run) < 4) outputs.label_bytes = (int)label_bytes(run);
    return predt_query(run->ctx, run->index, window, &outputs);
}

void predt__answers_adopt(const predt__run *run, const predt_tally *seen, predt__tally *tally) {
    if (predt__answers_rounded(run))
        *tally = (predt__tally){seen->farthest2, seen->farthest_col, seen->farthest_row,
                                run->encoding.fixed ? 0 : seen->clamped, seen->like_none};
}

/* ---- Pixels that are to be nodata ---- */

static void store_label(void *labels, int64_t bytes, int64_t i, uint64_t bits) {
    if (bytes == 1) ((uint8_t *)labels)[i] = (uint8_t)bits;
    else if (bytes == 2) ((uint16_t *)labels)[i] = (uint16_t)bits;
    else if (bytes == 4) ((uint32_t *)labels)[i] = (uint32_t)bits;
    else ((uint64_t *)labels)[i] = bits;
}

static void clear_pixel(const predt__answers *answers, const predt__run *run, int64_t i) {
    if (answers->measured && float_is_enough(run)) ((float *)answers->measured)[i] = INFINITY;
    else if (answers->measured) ((double *)answers->measured)[i] = INFINITY;
    if (answers->labels) store_label(answers->labels, label_bytes(run), i, no_label(run));
    if (answers->direction) answers->direction[i] = NAN;
}

/* A distance is compared as it is stored: 0.7 in float32 is not nearer than a minimum of 0.7. */
static bool too_near(const predt__answers *answers, const predt__run *run, int64_t i) {
    double least = run->job->request.min_distance;
    if (least <= 0) return false;
    if (float_is_enough(run)) return ((const float *)answers->measured)[i] < (float)least;
    return sqrt(((const double *)answers->measured)[i]) * run->encoding.scale < least * (1 - 1e-12);
}

void predt__answers_clear(const predt__answers *answers, const predt__run *run, int64_t pixels) {
    if (!clears_pixels(run)) return;
    for (int64_t i = 0; i < pixels; i++)
        if ((answers->is_nodata && answers->is_nodata[i]) || too_near(answers, run, i))
            clear_pixel(answers, run, i);
}

/* ---- Pixels of the outputs ---- */

static void replace_nan(float *pixels, int64_t count, float nodata) {
    for (int64_t i = 0; i < count; i++)
        if (pixels[i] != pixels[i]) pixels[i] = nodata;
}

void predt__answers_encode(const predt__answers *answers, const predt__run *run,
                           predt__product product, int64_t col, int64_t row, int64_t cols,
                           void *out, predt__tally *tally) {
    const void *arrays[] = {answers->measured, answers->labels, answers->direction};
    int64_t sizes[] = {measured_bytes(run), label_bytes(run), direction_bytes(run)};
    if (product == PREDT__DISTANCE && !predt__answers_rounded(run))
        predt__encode_distance(&run->encoding, answers->measured, col, row, cols, out, tally);
    else memcpy(out, arrays[product], (size_t)(cols * sizes[product]));
    bool nan = run->direction_nodata.f != run->direction_nodata.f;
    if (product == PREDT__DIRECTION && !nan) replace_nan(out, cols, (float)run->direction_nodata.f);
}
