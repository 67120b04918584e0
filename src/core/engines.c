/* The table of engines: the one file that knows whether CUDA was built in. */
#include "engine.h"

#include <string.h>

#include "../methods/methods.h"
#include "cpu/cpu.h"
#include "message.h"
#include "structs.h"
#ifdef PREDT__CUDA
#include "../../gpu/engine.h"
#endif
#ifdef PREDT__BENCH
#include "../../bench/zeros.h"
#endif

const predt__engine *const predt__engines[] = {
#ifdef PREDT__CUDA
    &predt__cuda,
#endif
    &predt__cpu,
#ifdef PREDT__CUDA
    &predt__cuda_pr_edt,
    &predt__cuda_man,
    &predt__cuda_black,
    &predt__cuda_voronoi_all,
    &predt__cuda_voronoi_grow,
#endif
#ifdef PREDT__BENCH
    &predt__zeros,
#endif
    &predt__breu,
    &predt__voronoi_points,
    &predt__voronoi_circles,
    &predt__voronoi_dilate,
    &predt__voronoi_cityblock,
    &predt__voronoi_octagonal,
    &predt__voronoi_chessboard,
    NULL,
};

/* ---- Looking one up ---- */

/* The name ends at the settings, if there are any. */
static bool named(const predt__engine *engine, const char *text) {
    size_t length = strcspn(text, ":");
    return strlen(engine->name) == length && strncmp(engine->name, text, length) == 0;
}

const predt__engine *predt__engine_named(const char *name) {
    for (const predt__engine *const *at = predt__engines; *at; at++)
        if (named(*at, name)) return *at;
    return NULL;
}

const predt__engine *predt__accelerator(void) {
    for (const predt__engine *const *at = predt__engines; *at; at++)
        if ((*at)->suits) return *at;
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
    for (int i = 0; position >= 0 && predt__engines[i]; i++)
        if (i == position) return describe(predt__engines[i], info);
    return predt__fail(NULL, PREDT_ERROR_ARGUMENT, "there is no engine at position %d", position);
}

predt_status predt_engine_at(int position, predt_engine_info *info) {
    return predt__end_call(NULL, find_at(position, info));
}
