/* What an engine is: a few functions over a sealed index. */
#ifndef PREDT__ENGINE_H
#define PREDT__ENGINE_H

#include <stdbool.h>

#include "predt.h"

#define PREDT__MESSAGE 512 /* bytes of a message */

/* ---- What is asked for: predt_outputs and what belongs to it, in this version's form ---- */

/* predt_tally. */
typedef struct predt__seen {
    double farthest2;
    int64_t farthest_col, farthest_row;
    int64_t clamped, like_none;
} predt__seen;

#define PREDT__SEEN_INIT                                                                           \
    { -1.0, 0, 0, 0, 0 }

/* predt_whole. */
typedef struct predt__whole {
    void *values; /* NULL: not asked for */
    int bytes;
    double scale;
    int64_t least, most, none;
    predt__seen *seen;
} predt__whole;

/* predt_outputs; the stride is never 0. */
typedef struct predt__outputs {
    int64_t stride;
    float *distance;
    double *distance2;
    void *label;
    uint64_t no_label;
    int32_t *nearest_col, *nearest_row;
    float *direction;
    int label_bytes;
    predt__whole whole;
} predt__outputs;

/* ---- Engines ---- */

typedef struct predt__engine {
    const char *name;
    const char *summary;
    int exact;
    /* solve fills `whole` and labels of fewer bytes; else they are made of what it fills, see
     * narrow.h */
    bool narrows;
    /* what tells engines apart that share their functions; theirs alone */
    const void *method;
    const predt_setting *const *settings; /* optional; ended by NULL */
    /* optional: when "auto" may take it; it always may where there is none */
    bool (*suits)(const predt_index *index, const predt_window *window, int threads);
    /* NULL: it can run here; else why not, in words */
    const char *(*probe)(void);
    /* optional: as much of that as takes no time; check and solve tell the rest */
    const char *(*glance)(void);
    /* optional; *state is handed to the others */
    predt_status (*open)(predt_ctx *ctx, void **state);
    /* window and outputs are checked; from any thread */
    predt_status (*solve)(predt_ctx *ctx, void *state, const predt_index *index,
                          const predt_window *window, const predt__outputs *outputs);
    /* optional: fails if it is known by now that solve will */
    predt_status (*check)(predt_ctx *ctx, void *state);
    /* optional: it is not ready yet, and another engine will have answered this window before it
     * is */
    bool (*starting)(void *state, const predt_window *window, int threads);
    void (*close)(void *state); /* optional */
} predt__engine;

/* Every engine of this build, best first, ended by NULL. */
extern const predt__engine *const predt__engines[];

/* For .suits of an engine that "auto" never takes: it is there to be asked for by name. */
bool predt__never(const predt_index *index, const predt_window *window, int threads);

/* Why the engine cannot run here, as far as can be told at once; NULL: it seems that it can. */
const char *predt__engine_glance(const predt__engine *engine);

/* The engine that can run here and bears the name, settings after a colon apart (NULL or "auto":
 * the first exact one that suits everything); NULL, with *why, if there is none. */
const predt__engine *predt__engine_find(const char *name, const char **why);

/* The first exact engine that suits this window more than everything, whether it can run or not;
 * NULL: none. */
const predt__engine *predt__engine_for(const predt_index *index, const predt_window *window,
                                       int threads);

/* ---- Settings: NAME:KEY=VALUE,KEY=VALUE ---- */

/* Checks the settings in the text, NULL for none, against those that the engine has. */
predt_status predt__settings_check(predt_ctx *ctx, const predt__engine *engine, const char *text);

/* What the user has told the engine for this one of its settings: the number, or the position of
 * the word. An engine reads them in its open. */
int64_t predt__setting(const predt_ctx *ctx, const predt_setting *setting);

/* The outputs from element `pixels` of each array on. */
static inline predt__outputs predt__outputs_from(const predt__outputs *outputs, int64_t pixels,
                                                 predt_label_type label_type) {
    predt__outputs moved = *outputs;
    if (moved.distance) moved.distance += pixels;
    if (moved.distance2) moved.distance2 += pixels;
    if (moved.label)
        moved.label = (char *)moved.label +
                      pixels * (moved.label_bytes ? moved.label_bytes : (int64_t)label_type);
    if (moved.nearest_col) moved.nearest_col += pixels;
    if (moved.nearest_row) moved.nearest_row += pixels;
    if (moved.direction) moved.direction += pixels;
    if (moved.whole.values)
        moved.whole.values = (char *)moved.whole.values + pixels * moved.whole.bytes;
    return moved;
}

#endif
