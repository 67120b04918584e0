#include "engine.h"

#include <stdbool.h>
#include <string.h>

#include "cpu/cpu.h"

const predt__engine predt__engines[] = {
    {.name = "cpu",
     .summary = "threads and SIMD on the CPU: windows where targets are near, proximate lists elsewhere",
     .exact = 1,
     .probe = predt__cpu_probe,
     .open = predt__cpu_open,
     .solve = predt__cpu_solve,
     .close = predt__cpu_close},
    {.name = NULL},
};

const predt__engine *predt__engine_find(const char *name, const char **why) {
    bool automatic = !name || strcmp(name, "auto") == 0;
    *why = "no such engine";
    for (const predt__engine *engine = predt__engines; engine->name; engine++) {
        if (automatic ? !engine->exact : strcmp(engine->name, name) != 0) continue;
        *why = engine->probe();
        if (!*why) return engine;
        if (!automatic) return NULL;
    }
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
