#include "solver.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <string.h>

#include "words.h"

static bool refuse(const char *why) {
    CPLError(CE_Failure, CPLE_IllegalArg, "%s", why);
    return false;
}

static bool is_engine(const char *name, predt_engine_info *engine) {
    return !name || strcmp(name, "auto") == 0 || predt_engine_named(name, engine) == PREDT_OK;
}

/* Says that there is no such engine, and which ones there are. */
static bool refuse_engine(const char *name) {
    predt_engine_info engine = PREDT_ENGINE_INFO_INIT;
    char shown[PREDT__SHOWN];
    char *names = CPLStrdup("");
    for (int i = 0; predt_engine_at(i, &engine) == PREDT_OK; i++) {
        char *longer = CPLStrdup(CPLSPrintf("%s, %s", names, engine.name));
        CPLFree(names);
        names = longer;
    }
    CPLError(CE_Failure, CPLE_IllegalArg, "engine %s: no such engine; there are auto%s",
             predt__shown(name, shown), names);
    CPLFree(names);
    return false;
}

bool predt__check_engine(const char *name) {
    predt_engine_info engine = PREDT_ENGINE_INFO_INIT;
    if (!is_engine(name, &engine)) return refuse_engine(name);
    if (!engine.unavailable) return true;
    CPLError(CE_Failure, CPLE_IllegalArg, "engine %s: %s", engine.name, engine.unavailable);
    return false;
}

bool predt__solver_open(predt__solver *solver, const predt__question *question,
                        const predt__machine *machine, int threads, int64_t index_memory) {
    predt_options options = PREDT_OPTIONS_INIT;
    predt_engine_info unused = PREDT_ENGINE_INFO_INIT;
    *solver = (predt__solver){0};
    options.engine = machine->engine;
    options.threads = threads;
    options.index_memory = index_memory;
    options.device = machine->device;
    options.gpu_memory = machine->gpu_memory;
    options.own_process = machine->own_process;
    options.log = machine->log;
    options.log_user = machine->log_user;
    predt_status status = predt_open(&solver->ctx, &options);
    if (status == PREDT_ERROR_ENGINE && !is_engine(machine->engine, &unused))
        return refuse_engine(machine->engine);
    return (status == PREDT_OK &&
            predt_index_create(solver->ctx, &question->measure.grid, predt__labels_needed(question),
                               &solver->index) == PREDT_OK) ||
           refuse(predt_message(solver->ctx));
}

void predt__solver_close(predt__solver *solver) {
    if (solver->index) solver->targets = predt_index_targets(solver->index);
    if (solver->ctx)
        CPLStrlcpy(solver->engine, predt_engine_name(solver->ctx), sizeof solver->engine);
    predt_index_destroy(&solver->index);
    predt_close(&solver->ctx);
}
