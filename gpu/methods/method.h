/* A published method as an engine: what each of them brings (predt__ref_method), and the host side
 * that they share. It cuts a window into strips that fit the device; each is sent, solved and
 * fetched in turn. Plain on purpose: nothing overlaps, as in the papers, whose times are those of
 * the steps alone.
 *
 * Times. After each solve the context's log gets one line:
 *
 *     NAME: N strips; STEP X ms, STEP X ms, ...; B bytes on the device
 *
 * with the method's steps in order and the time of each on the device, transfers apart, summed over
 * the strips; and the most memory that the method held there. */
#ifndef PREDT__METHODS_METHOD_H
#define PREDT__METHODS_METHOD_H

#include "../../src/core/engine.h"
#include "strip.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PREDT__REF_STEPS 3 /* the most that a method has */

typedef enum predt__ref_input {
    PREDT__REF_STRIP,  /* the words of the strip, and its carry rows */
    PREDT__REF_RASTER, /* the words of the whole raster */
    PREDT__REF_TARGETS /* the list of all targets */
} predt__ref_input;

typedef struct predt__ref_method {
    const char *name;
    predt__ref_input reads;
    const char *steps[PREDT__REF_STEPS]; /* NULL after the last */

    /* Bytes of device memory that run needs beside the strip's own, on the current device. The
     * strip's pointers may not be set yet. */
    size_t (*workspace)(const predt__ref_strip *strip);

    /* Answers the strip on the stream; may return before that is done. marks: an event to record
     * before the first step and one after each step, or NULL. */
    cudaError_t (*run)(const predt__ref_strip *strip, void *workspace, cudaStream_t stream,
                       const cudaEvent_t *marks);
} predt__ref_method;

/* What an engine's state is. */
typedef struct predt__ref_state {
    const predt__ref_method *method;
    int64_t setting[PREDT__REF_SETTINGS];
    int64_t memory; /* bytes of the device's that may be used; 0: no limit but what is free */
} predt__ref_state;

const char *predt__ref_probe(const void *state);

/* open, solve and close of an engine, whose `method` is a predt__ref_method, with up to
 * PREDT__REF_SETTINGS settings. */
predt_status predt__ref_open(predt_ctx *ctx, void **state);
predt_status predt__ref_solve(predt_ctx *ctx, void *state, const predt_index *index,
                              const predt_window *window, const predt__outputs *outputs);
void predt__ref_close(void *state);

#ifdef __cplusplus
}
#endif

#endif
