/* The table of engines: the one file that knows whether CUDA was built in. */
#include "engine.h"

#include <string.h>

#include "../reference/reference.h"
#include "cpu/cpu.h"
#include "structs.h"
#ifdef PREDT__CUDA
#include "../../gpu/engine.h"
#endif
#ifdef PREDT__BENCH
#include "../../bench/zeros.h"
#endif

bool predt__never(const predt_index *index, const predt_window *window, int threads) {
    return (void)index, (void)window, (void)threads, false;
}

static const predt__engine cpu = {
    .name = "cpu",
    .summary =
        "threads and SIMD on the CPU: windows where targets are near, proximate lists elsewhere",
    .exact = 1,
    .probe = predt__cpu_probe,
    .open = predt__cpu_open,
    .solve = predt__cpu_solve,
    .close = predt__cpu_close,
};

#ifdef PREDT__CUDA
static const predt__engine cuda = {
    .name = "cuda",
    .summary = "an NVIDIA GPU: strips of the raster go to the device and come back while others "
               "are solved",
    .exact = 1,
    .narrows = true,
    .suits = predt__cuda_suits,
    .probe = predt__cuda_probe,
    .glance = predt__cuda_glance,
    .open = predt__cuda_open,
    .solve = predt__cuda_solve,
    .check = predt__cuda_check,
    .starting = predt__cuda_starting,
    .close = predt__cuda_close,
};
#endif

#ifdef PREDT__BENCH
static const predt__engine zeros = {
    .name = "zeros",
    .summary = "writes zeros: what a run costs without solving, for benchmarks",
    .narrows = true,
    .suits = predt__never,
    .probe = predt__zeros_probe,
    .solve = predt__zeros_solve,
};
#endif

const predt__engine *const predt__engines[] = {
#ifdef PREDT__CUDA
    &cuda,
#endif
    &cpu,
#ifdef PREDT__CUDA
    &predt__cuda_pr_edt,
    &predt__cuda_man,
    &predt__cuda_black,
    &predt__cuda_voronoi_all,
    &predt__cuda_voronoi_grow,
#endif
#ifdef PREDT__BENCH
    &zeros,
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

const char *predt__engine_glance(const predt__engine *engine) {
    return engine->glance ? engine->glance() : engine->probe();
}

const predt__engine *predt__engine_find(const char *name, const char **why) {
    bool automatic = !name || strcmp(name, "auto") == 0;
    *why = "no such engine";
    for (const predt__engine *const *at = predt__engines; *at; at++) {
        const predt__engine *engine = *at;
        if (automatic ? !engine->exact || engine->suits : !named(engine, name)) continue;
        *why = predt__engine_glance(engine);
        if (!*why) return engine;
        if (!automatic) return NULL;
    }
    return NULL;
}

const predt__engine *predt__engine_for(const predt_index *index, const predt_window *window,
                                       int threads) {
    for (const predt__engine *const *at = predt__engines; *at; at++)
        if ((*at)->exact && (*at)->suits && (*at)->suits(index, window, threads)) return *at;
    return NULL;
}

static predt_status describe(const predt__engine *engine, predt_engine_info *info) {
    predt_engine_info known = {sizeof known,  engine->name,    engine->summary,
                               engine->exact, engine->probe(), engine->settings};
    predt__fill(info, &known, sizeof known);
    return PREDT_OK;
}

static predt_status find_named(const char *name, predt_engine_info *info) {
    predt_engine_info checked;
    predt_status status = PREDT__KNOWN(NULL, predt_engine_info, info, &checked);
    if (status != PREDT_OK) return status;
    for (const predt__engine *const *at = predt__engines; name && *at; at++)
        if (named(*at, name)) return describe(*at, info);
    return predt__fail(NULL, PREDT_ERROR_ARGUMENT, "engine %s: no such engine",
                       name ? name : "auto");
}

predt_status predt_engine_named(const char *name, predt_engine_info *info) {
    return predt__end_call(NULL, find_named(name, info));
}

static predt_status find_at(int position, predt_engine_info *info) {
    predt_engine_info checked;
    predt_status status = PREDT__KNOWN(NULL, predt_engine_info, info, &checked);
    if (status != PREDT_OK) return status;
    for (int i = 0; position >= 0 && predt__engines[i]; i++)
        if (i == position) return describe(predt__engines[i], info);
    return predt__fail(NULL, PREDT_ERROR_ARGUMENT, "there is no engine at position %d", position);
}

predt_status predt_engine_at(int position, predt_engine_info *info) {
    return predt__end_call(NULL, find_at(position, info));
}
