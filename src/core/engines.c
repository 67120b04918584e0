/* The table of engines: the one file that knows whether CUDA was built in. */
#include "engine.h"

#include <string.h>

#include "cpu/cpu.h"
#include "message.h"
#include "structs.h"
#ifdef PREDT__CUDA
#include "../../gpu/engine.h"
#endif
#ifdef PREDT__BENCH
#include "../../bench/zeros.h"
#endif

/* Best first. */
static const predt__engine *const own_engines[] = {
#ifdef PREDT__CUDA
    &predt__cuda,
#endif
    &predt__cpu,
#ifdef PREDT__BENCH
    &predt__zeros,
#endif
};

enum { OWN_ENGINES = sizeof own_engines / sizeof *own_engines };

/* The core's own engines come first, the methods that were linked after them. NULL: no engine is at
 * this position. */
static const predt__engine *engine_at(int position) {
    if (position < 0) return NULL;
    if (position < OWN_ENGINES) return own_engines[position];
    const predt__engine *const *method = predt__methods;
    for (int i = OWN_ENGINES; *method && i < position; i++) method++;
    return *method;
}

/* ---- Looking one up ---- */

/* The name ends at the settings, if there are any. */
static bool named(const predt__engine *engine, const char *text) {
    size_t length = strcspn(text, ":");
    return strlen(engine->name) == length && strncmp(engine->name, text, length) == 0;
}

const predt__engine *predt__engine_named(const char *name) {
    const predt__engine *engine = NULL;
    for (int i = 0; (engine = engine_at(i)) && !named(engine, name);) i++;
    return engine;
}

const predt__engine *predt__accelerator(void) {
    for (int i = 0; i < OWN_ENGINES; i++)
        if (own_engines[i]->suits) return own_engines[i];
    return NULL;
}

static predt_status describe(const predt__engine *engine, predt_engine_info *info) {
    predt_engine_info known = PREDT_ENGINE_INFO_INIT;
    predt_status status = PREDT__KNOWN(NULL, predt_engine_info, info, &known);
    if (status != PREDT_OK) return status;
    known = (predt_engine_info){.size = sizeof known,
                                .name = engine->name,
                                .summary = engine->summary,
                                .exact = engine->exact,
                                .unavailable = engine->probe ? engine->probe(NULL) : NULL,
                                .settings = engine->settings};
    predt__fill(info, &known, sizeof known);
    return PREDT_OK;
}

static predt_status find_named(const char *name, predt_engine_info *info) {
    const predt__engine *engine = name ? predt__engine_named(name) : NULL;
    return engine ? describe(engine, info)
                  : predt__fail(NULL, PREDT_ERROR_ARGUMENT, "engine %s: no such engine",
                                name ? name : "auto");
}

predt_status predt_engine_named(const char *name, predt_engine_info *info) {
    return predt__end_call(NULL, find_named(name, info));
}

static predt_status find_at(int position, predt_engine_info *info) {
    const predt__engine *engine = engine_at(position);
    return engine ? describe(engine, info)
                  : predt__fail(NULL, PREDT_ERROR_ARGUMENT, "there is no engine at position %d",
                                position);
}

predt_status predt_engine_at(int position, predt_engine_info *info) {
    return predt__end_call(NULL, find_at(position, info));
}
