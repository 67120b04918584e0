/* The table of engines: the one file that knows whether CUDA was built in. */
#include "engine.h"

#include <string.h>

#include "cpu/cpu.h"
#ifdef PREDT__CUDA
#include "../../gpu/engine.h"
#endif
#ifdef PREDT__BENCH
#include "../../bench/zeros.h"
#endif

#ifdef PREDT__CUDA
static bool never(const predt_index *index, const predt_window *window, int threads) {
    return (void)index, (void)window, (void)threads, false;
}
#endif

const predt__engine predt__engines[] = {
#ifdef PREDT__CUDA
    {.name = "cuda",
     .summary = "an NVIDIA GPU: strips of the raster go to the device and come back while others are solved",
     .exact = 1,
     .narrows = true,
     .suits = predt__cuda_suits,
     .probe = predt__cuda_probe,
     .open = predt__cuda_open,
     .solve = predt__cuda_solve,
     .starting = predt__cuda_starting,
     .close = predt__cuda_close},
#endif
    {.name = "cpu",
     .summary = "threads and SIMD on the CPU: windows where targets are near, proximate lists elsewhere",
     .exact = 1,
     .probe = predt__cpu_probe,
     .open = predt__cpu_open,
     .solve = predt__cpu_solve,
     .close = predt__cpu_close},
#ifdef PREDT__CUDA
    {.name = "cuda-pr-edt",
     .summary = "an NVIDIA GPU: PR-EDT as published, kept for comparison",
     .exact = 1,
     .suits = never,
     .probe = predt__pr_edt_probe,
     .open = predt__pr_edt_open,
     .solve = predt__pr_edt_solve,
     .close = predt__pr_edt_close},
#endif
#ifdef PREDT__BENCH
    {.name = "zeros",
     .summary = "writes zeros: what a run costs without solving, for benchmarks",
     .narrows = true,
     .probe = predt__zeros_probe,
     .solve = predt__zeros_solve},
#endif
    {.name = NULL},
};

const predt__engine *predt__engine_find(const char *name, const char **why) {
    bool automatic = !name || strcmp(name, "auto") == 0;
    *why = "no such engine";
    for (const predt__engine *engine = predt__engines; engine->name; engine++) {
        if (automatic ? !engine->exact || engine->suits : strcmp(engine->name, name) != 0) continue;
        *why = engine->probe();
        if (!*why) return engine;
        if (!automatic) return NULL;
    }
    return NULL;
}

const predt__engine *predt__engine_for(const predt_index *index, const predt_window *window, int threads) {
    for (const predt__engine *engine = predt__engines; engine->name; engine++)
        if (engine->exact && engine->suits && engine->suits(index, window, threads)) return engine;
    return NULL;
}

predt_status predt_engine_at(int position, predt_engine_info *info) {
    if (position < 0) return PREDT_ERROR_ARGUMENT;
    const predt__engine *engine = predt__engines;
    while (engine->name && position-- > 0) engine++;
    if (!engine->name) return PREDT_ERROR_ARGUMENT;
    *info = (predt_engine_info){engine->name, engine->summary, engine->exact, engine->probe()};
    return PREDT_OK;
}
