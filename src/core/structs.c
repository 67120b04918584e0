#include "structs.h"

#include <string.h>

#include "message.h"
#include "narrow.h"

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

static predt_status understand_whole(predt_ctx *ctx, const predt_whole *given,
                                     predt__question *question) {
    predt_whole known = PREDT_WHOLE_INIT;
    predt_tally tally = PREDT_TALLY_INIT;
    predt_status status = PREDT__KNOWN(ctx, predt_whole, given, &known);
    if (status == PREDT_OK && known.tally)
        status = PREDT__KNOWN(ctx, predt_tally, known.tally, &tally);
    if (status != PREDT_OK || !known.values) return status;
    question->outputs.whole = (predt__whole){known.values, known.bytes, known.scale,    known.least,
                                             known.most,   known.none,  &question->seen};
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
                            .label_bytes = known->label_bytes};
}

predt_status predt__understand(predt_ctx *ctx, const predt_outputs *given,
                               predt__question *question) {
    predt_outputs known = PREDT_OUTPUTS_INIT;
    predt_status status = PREDT__KNOWN(ctx, predt_outputs, given, &known);
    *question = (predt__question){.outputs = understood(&known), .seen = PREDT__SEEN_INIT};
    return status == PREDT_OK && known.whole ? understand_whole(ctx, known.whole, question)
                                             : status;
}

void predt__hand_tally(const predt__question *question) {
    predt_tally known = PREDT_TALLY_INIT;
    if (!question->tally || PREDT__KNOWN(NULL, predt_tally, question->tally, &known) != PREDT_OK)
        return;
    predt__seen sum = {known.farthest2, known.farthest_col, known.farthest_row, known.clamped,
                       known.like_none};
    predt__tally_add(&sum, &question->seen);
    known.farthest2 = sum.farthest2;
    known.farthest_col = sum.farthest_col;
    known.farthest_row = sum.farthest_row;
    known.clamped = sum.clamped;
    known.like_none = sum.like_none;
    predt__fill(question->tally, &known, sizeof known);
}
