/* What an engine is: a few functions that answer windows of a sealed index; and the engines of this
 * build. */
#ifndef PREDT__ENGINE_H
#define PREDT__ENGINE_H

#include <stdbool.h>

#include "outputs.h"
#include "predt.h"

/* What solve fills itself; the rest is made of that, see wide.h. */
typedef enum predt__encodes {
    PREDT__ENCODES_NOTHING, /* no encoding, no labels of fewer bytes, no mask and no minimum */
    PREDT__ENCODES_WHOLE,   /* integers of up to 4 bytes and labels of fewer bytes, nothing else */
    PREDT__ENCODES_ALL
} predt__encodes;

typedef struct predt__engine {
    const char *name;
    const char *summary;
    int exact;
    predt__encodes encodes;
    bool measures_globe;                  /* answers grids with a globe, too */
    const predt_setting *const *settings; /* optional; ended by NULL */
    /* optional: what differs between engines that share their functions, which alone read it */
    const void *method;
    /* Optional: why it cannot run here, in words; NULL: it can. Without a state it has not been
     * opened and the answer is a full one, which may take a tenth of a second; with a state it is
     * what has come out since. */
    const char *(*probe)(const void *state);
    /* Optional; *state is handed to the others. Fails if it is known at once that the engine cannot
     * run; what takes longer may go on in the background. */
    predt_status (*open)(predt_ctx *ctx, void **state);
    /* Index, window and outputs are checked; from any thread. */
    predt_status (*solve)(predt_ctx *ctx, void *state, const predt_index *index,
                          const predt_window *window, const predt__outputs *outputs);
    void (*close)(void *state); /* optional */
    /* Only where "auto" may take the engine: whether it is to answer this window now, rather than
     * so many CPU threads. Without a state: whether it is worth opening for this window. */
    bool (*suits)(const void *state, const predt_index *index, const predt_window *window,
                  int threads);
} predt__engine;

/* The published methods, which follow the core's own engines in the table; ended by NULL. A program
 * that links the core also links what defines this: ../methods/table.c, or no_methods.c, as the
 * library does. */
extern const predt__engine *const predt__methods[];

/* The engine of this name, settings after a colon apart; NULL: there is none. */
const predt__engine *predt__engine_named(const char *name);

/* The one that "auto" may take instead of cpu; NULL: this build has none. */
const predt__engine *predt__accelerator(void);

#endif
