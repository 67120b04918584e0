/* Engine "auto": cpu, and where this build has an accelerator (a GPU), that one for the windows
 * that it suits. All of it stands behind one question: which engine for this window? */
#ifndef PREDT__AUTO_H
#define PREDT__AUTO_H

#include "engine.h"
#include "platform.h"

/* A context's accelerator. */
typedef struct predt__auto {
    const predt__engine *engine; /* NULL: there is none, or the user has named an engine */
    predt__mutex lock;           /* guards the opening */
    _Atomic int stage;           /* see auto.c */
    void *state;                 /* of the engine, once it is open */
} predt__auto;

/* An engine, and what its open has made. */
typedef struct predt__opened {
    const predt__engine *engine;
    void *state;
} predt__opened;

void predt__auto_begin(predt__auto *automatic);
void predt__auto_end(predt__auto *automatic);

/* Which engine is to answer this window: the one that the user has named; or with "auto" the
 * accelerator if it suits the window and is there already, else cpu. The first window that suits it
 * opens the accelerator, which then starts in the background: asking about a whole raster before
 * its index is filled gives it the time. */
predt__opened predt__engine_for(predt_ctx *ctx, const predt_index *index,
                                const predt_window *window);

/* The engine chosen for a window has failed at it. True: it was the accelerator, which "auto" does
 * without from now on, and the log says so: ask the question above again. False: the query has
 * failed. */
bool predt__engine_replaced(predt_ctx *ctx, const predt__engine *failed);

#endif
