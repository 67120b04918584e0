/* Copies between the structs of callers and those of this version, as far as both go. */
#include "structs.h"

#include <float.h>
#include <string.h>

#include "encode.h"
#include "message.h"

/* No struct of this library will ever be as large as this, and memory without a size in front
 * seldom begins with less. */
#define LARGEST_STRUCT 4096

predt_status predt__known(predt_ctx *ctx, const char *type, const void *given, void *known,
                          size_t size) {
    size_t theirs = 0;
    if (!given) return predt__fail(ctx, PREDT_ERROR_ARGUMENT, "no %s was given", type);
    memcpy(&theirs, given, sizeof theirs);
    if (theirs < sizeof theirs || theirs > LARGEST_STRUCT)
        return predt__fail(
            ctx, PREDT_ERROR_ARGUMENT,
            "%s.size is %zu: it has to be sizeof(%s), as its initializer in predt.h says", type,
            theirs, type);
    memcpy(known, given, theirs < size ? theirs : size);
    memcpy(known, &size, sizeof size);
    return PREDT_OK;
}

void predt__fill(void *given, const void *known, size_t size) {
    size_t theirs, first = sizeof theirs;
    memcpy(&theirs, given, sizeof theirs);
    if (theirs > size) theirs = size;
    memcpy((char *)given + first, (const char *)known + first, theirs - first);
}

/* ---- A query's ---- */

static int type_bytes(predt_type type) {
    static const int bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return bytes[type];
}

static bool is_real(predt_type type) { return type >= PREDT_FLOAT32; }
static bool is_signed(predt_type type) { return type % 2 == 1; }

/* The largest value of an integer type, but for `none`. */
static predt_number max_value(predt_type type, predt_number none) {
    predt_number max = {.u = UINT64_MAX >> (64 - 8 * type_bytes(type) + is_signed(type))};
    if (max.u == none.u) max.u--;
    return max;
}

static bool fits(predt_type type, predt_number value) {
    int bits = 8 * type_bytes(type) - is_signed(type);
    if (is_real(type) || type_bytes(type) == 8) return true;
    int64_t over = INT64_C(1) << bits;
    return value.i >= (is_signed(type) ? -over : 0) && value.i < over;
}

static const char *encoding_fault(const predt_encoding *known) {
    if ((int)known->type < 0 || known->type > PREDT_FLOAT64)
        return "distances in a type that there is not";
    if (!(known->scale >= 0) || known->scale > DBL_MAX)
        return "the scale of encoded distances is negative or not finite";
    if (!fits(known->type, known->none) || (known->is_fixed && !fits(known->type, known->fixed)))
        return "a value of encoded distances does not fit their type";
    return NULL;
}

/* For the outputs of a query that has asked for values. */
static predt__encoding understood_encoding(const predt_encoding *known, predt__seen *seen) {
    predt__encoding encoding = {.values = known->values,
                                .type = known->type,
                                .bytes = type_bytes(known->type),
                                .scale = known->scale,
                                .is_fixed = known->is_fixed != 0,
                                .none = known->none,
                                .fixed = known->fixed,
                                .seen = seen};
    if (!is_real(known->type)) encoding.max = max_value(known->type, known->none);
    return encoding;
}

static predt_status understand_encoding(predt_ctx *ctx, const predt_encoding *given,
                                        predt__question *question) {
    predt_encoding known = PREDT_ENCODING_INIT;
    predt_tally tally = PREDT_TALLY_INIT;
    predt_status status = PREDT__KNOWN(ctx, predt_encoding, given, &known);
    if (status == PREDT_OK && known.tally)
        status = PREDT__KNOWN(ctx, predt_tally, known.tally, &tally);
    if (status != PREDT_OK || !known.values) return status;
    const char *fault = encoding_fault(&known);
    if (fault) return predt__fail(ctx, PREDT_ERROR_ARGUMENT, "%s", fault);
    question->outputs.encoding = understood_encoding(&known, &question->seen);
    question->tally = known.tally;
    return PREDT_OK;
}

static predt__outputs understood(const predt_outputs *known) {
    return (predt__outputs){.stride = known->stride,
                            .distance = known->distance,
                            .distance2 = known->distance2,
                            .label = known->label,
                            .no_label = known->no_label,
                            .nearest_col = known->nearest_col,
                            .nearest_row = known->nearest_row,
                            .direction = known->direction,
                            .label_bytes = known->label_bytes,
                            .mask = known->mask,
                            .min_distance = known->min_distance};
}

predt_status predt__understand(predt_ctx *ctx, const predt_outputs *given,
                               predt__question *question) {
    predt_outputs known = PREDT_OUTPUTS_INIT;
    predt_status status = PREDT__KNOWN(ctx, predt_outputs, given, &known);
    *question = (predt__question){.outputs = understood(&known), .seen = PREDT__SEEN_INIT};
    if (status == PREDT_OK && !(known.min_distance >= 0))
        return predt__fail(ctx, PREDT_ERROR_ARGUMENT,
                           "the minimum distance is negative or not a number");
    return status == PREDT_OK && known.encoding ? understand_encoding(ctx, known.encoding, question)
                                                : status;
}

void predt__hand_tally(const predt__question *question) {
    predt_tally known = PREDT_TALLY_INIT;
    if (!question->tally || PREDT__KNOWN(NULL, predt_tally, question->tally, &known) != PREDT_OK)
        return;
    predt__seen sum = {known.farthest, known.farthest_col, known.farthest_row, known.clamped,
                       known.like_none};
    predt__tally_add(&sum, &question->seen);
    known.farthest = sum.farthest;
    known.farthest_col = sum.farthest_col;
    known.farthest_row = sum.farthest_row;
    known.clamped = sum.clamped;
    known.like_none = sum.like_none;
    predt__fill(question->tally, &known, sizeof known);
}
