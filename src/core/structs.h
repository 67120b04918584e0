/* Public structs, which the caller may have compiled with another version of predt.h, in the form
 * that this version knows. */
#ifndef PREDT__STRUCTS_H
#define PREDT__STRUCTS_H

#include "outputs.h"

/* Copies what the caller's struct has over the defaults in *known. Fails if no struct has its
 * size. */
#define PREDT__KNOWN(ctx, type, given, known)                                                      \
    predt__known((ctx), #type, (given), (known), sizeof(type))
predt_status predt__known(predt_ctx *ctx, const char *type, const void *given, void *known,
                          size_t size);

/* Fills the caller's struct, whose size has been checked, from *known: as much of it as there
 * is. */
void predt__fill(void *given, const void *known, size_t size);

/* What a query is asked for. */
typedef struct predt__question {
    predt__outputs outputs;
    predt__seen seen;   /* where outputs.encoding.seen points to, if there is one */
    predt_tally *tally; /* the caller's, or NULL */
} predt__question;

/* The question must stay where it is: its outputs point into it. */
predt_status predt__understand(predt_ctx *ctx, const predt_outputs *given,
                               predt__question *question);

/* The query has succeeded: the caller's tally gets what was seen. */
void predt__hand_tally(const predt__question *question);

#endif
