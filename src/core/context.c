/* Opens and closes a context: options, the engine and its settings. */
#include "context.h"

#include <stdlib.h>
#include <string.h>

#include "cpu/cpu.h"
#include "parallel.h"
#include "structs.h"

#define TEXT(x) #x
#define VERSION(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *predt_version(void) {
    return VERSION(PREDT_VERSION_MAJOR, PREDT_VERSION_MINOR, PREDT_VERSION_PATCH);
}

uint64_t predt__new_serial(void) {
    static _Atomic uint64_t last;
    return atomic_fetch_add(&last, 1) + 1;
}

/* ---- Opening ---- */

static const char *options_fault(const predt_options *options) {
    if (options->threads < 0) return "the number of threads is negative";
    if (options->index_memory < 0) return "the memory limit is negative";
    if (options->device < 0) return "the number of the device is negative";
    if (options->gpu_memory < 0) return "the limit of the device's memory is negative";
    return NULL;
}

static predt_status take_options(predt_ctx *ctx, const predt_options *options) {
    const char *fault = options_fault(options);
    if (fault) return predt__fail(ctx, PREDT_ERROR_ARGUMENT, "%s", fault);
    ctx->device = options->device;
    ctx->gpu_memory = options->gpu_memory;
    ctx->own_process = options->own_process != 0;
    ctx->threads = predt__threads_for(options->threads);
    ctx->index_memory = options->index_memory;
    ctx->log = options->log;
    ctx->log_user = options->log_user;
    ctx->temp_dir =
        strdup(options->temp_dir && *options->temp_dir ? options->temp_dir : predt__temp_folder());
    return ctx->temp_dir ? PREDT_OK : predt__out_of_memory(ctx);
}

/* name: NULL or "auto", or an engine's with its settings. */
static predt_status take_engine(predt_ctx *ctx, const char *name) {
    bool automatic = !name || strcmp(name, "auto") == 0;
    if (automatic) ctx->automatic.engine = predt__accelerator();
    ctx->last = ctx->engine = automatic ? &predt__cpu : predt__engine_named(name);
    if (!ctx->engine)
        return predt__fail(ctx, PREDT_ERROR_ENGINE, "engine %s: no such engine", name);
    const char *settings = automatic ? NULL : strchr(name, ':');
    predt_status status = predt__settings_check(ctx, ctx->engine, settings ? settings + 1 : NULL);
    if (status != PREDT_OK) return status;
    if (settings && !(ctx->settings = strdup(settings + 1))) return predt__out_of_memory(ctx);
    return ctx->engine->open ? ctx->engine->open(ctx, &ctx->engine_state) : PREDT_OK;
}

static predt_status start(predt_ctx *ctx, const predt_options *given) {
    predt_options options = PREDT_OPTIONS_INIT;
    predt_status status = given ? PREDT__KNOWN(ctx, predt_options, given, &options) : PREDT_OK;
    if (status == PREDT_OK) status = take_options(ctx, &options);
    return status == PREDT_OK ? take_engine(ctx, options.engine) : status;
}

static predt_ctx *new_ctx(void) {
    predt_ctx *ctx = calloc(1, sizeof *ctx);
    if (!ctx) return NULL;
    ctx->last_failure = predt__last_failure_new();
    if (!ctx->last_failure) {
        free(ctx);
        return NULL;
    }
    ctx->serial = predt__new_serial();
    predt__auto_begin(&ctx->automatic);
    return ctx;
}

predt_status predt_open(predt_ctx **out, const predt_options *options) {
    predt_ctx *ctx = *out = new_ctx();
    if (!ctx) return predt__end_call(NULL, predt__out_of_memory(NULL));
    return predt__end_call(ctx, start(ctx, options));
}

void predt_close(predt_ctx **ctx) {
    predt_ctx *closing = *ctx;
    *ctx = NULL;
    if (!closing) return;
    predt__auto_end(&closing->automatic);
    if (closing->engine && closing->engine->close) closing->engine->close(closing->engine_state);
    predt__last_failure_free(closing->last_failure);
    free(closing->idle_buffer);
    free(closing->settings);
    free(closing->temp_dir);
    free(closing);
}

const char *predt_engine_name(const predt_ctx *ctx) { return ctx->last ? ctx->last->name : "none"; }
