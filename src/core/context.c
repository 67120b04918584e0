#include "context.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parallel.h"

#define TEXT(x) #x
#define VERSION(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *predt_version(void) { return VERSION(PREDT_VERSION_MAJOR, PREDT_VERSION_MINOR, PREDT_VERSION_PATCH); }

predt_status predt__fail(predt_ctx *ctx, predt_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&ctx->message_lock);
    vsnprintf(ctx->message, sizeof ctx->message, format, arguments);
    pthread_mutex_unlock(&ctx->message_lock);
    va_end(arguments);
    return status;
}

void predt__tell(const predt_ctx *ctx, const char *format, ...) {
    char line[512];
    if (!ctx->log) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    ctx->log(line, ctx->log_user);
}

static predt_options known_options(const predt_options *options) {
    predt_options known = PREDT_OPTIONS_INIT;
    if (options) memcpy(&known, options, options->size < sizeof known ? options->size : sizeof known);
    return known;
}

static predt_status start(predt_ctx *ctx, const predt_options *options) {
    if (options->threads < 0) return predt__fail(ctx, PREDT_ERROR_ARGUMENT, "the number of threads is negative");
    if (options->index_memory < 0) return predt__fail(ctx, PREDT_ERROR_ARGUMENT, "the memory limit is negative");
    if (options->device < 0) return predt__fail(ctx, PREDT_ERROR_ARGUMENT, "the number of the device is negative");
    if (options->gpu_memory < 0) return predt__fail(ctx, PREDT_ERROR_ARGUMENT, "the limit of the device's memory is negative");
    ctx->device = options->device;
    ctx->gpu_memory = options->gpu_memory;
    ctx->own_process = options->own_process != 0;
    ctx->threads = predt__threads_for(options->threads);
    ctx->index_memory = options->index_memory;
    ctx->log = options->log;
    ctx->log_user = options->log_user;
    const char *folder = options->temp_dir ? options->temp_dir : getenv("TMPDIR");
    ctx->temp_dir = strdup(folder && *folder ? folder : "/tmp");
    if (!ctx->temp_dir) return predt__fail(ctx, PREDT_ERROR_MEMORY, "out of memory");

    const char *why;
    ctx->automatic = !options->engine || strcmp(options->engine, "auto") == 0;
    ctx->engine = predt__engine_find(options->engine, &why);
    if (!ctx->engine)
        return predt__fail(ctx, PREDT_ERROR_ENGINE, "engine %s: %s", options->engine ? options->engine : "auto", why);
    ctx->last = ctx->engine;
    const char *settings = options->engine ? strchr(options->engine, ':') : NULL;
    predt_status status = predt__settings_check(ctx, ctx->engine, settings ? settings + 1 : NULL);
    if (status != PREDT_OK) return status;
    if (settings && !(ctx->settings = strdup(settings + 1))) return predt__fail(ctx, PREDT_ERROR_MEMORY, "out of memory");
    return ctx->engine->open ? ctx->engine->open(ctx, &ctx->engine_state) : PREDT_OK;
}

predt_status predt_open(predt_ctx **out, const predt_options *options) {
    *out = NULL;
    predt_ctx *ctx = calloc(1, sizeof *ctx);
    if (!ctx) return PREDT_ERROR_MEMORY;
    pthread_mutex_init(&ctx->message_lock, NULL);
    pthread_mutex_init(&ctx->faster.lock, NULL);
    *out = ctx;
    predt_options known = known_options(options);
    return start(ctx, &known);
}

void predt_close(predt_ctx **ctx) {
    if (!*ctx) return;
    const predt__faster *faster = &(*ctx)->faster;
    if (faster->state && faster->engine->close) faster->engine->close(faster->state);
    if ((*ctx)->engine && (*ctx)->engine->close) (*ctx)->engine->close((*ctx)->engine_state);
    pthread_mutex_destroy(&(*ctx)->faster.lock);
    pthread_mutex_destroy(&(*ctx)->message_lock);
    free((*ctx)->idle_room);
    free((*ctx)->settings);
    free((*ctx)->temp_dir);
    free(*ctx);
    *ctx = NULL;
}

const char *predt_message(const predt_ctx *ctx) { return ctx ? ctx->message : "out of memory"; }

const char *predt_engine_name(const predt_ctx *ctx) { return ctx->last ? ctx->last->name : "none"; }
