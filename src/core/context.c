#include "context.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- Messages ---- */

/* Of one thread: what went wrong last inside, what public call has failed for it, and what it was
 * told of other threads. Allocated when a thread first fails: the C library ends a process that has
 * no memory for thread-local variables. */
typedef struct messages {
    char text[PREDT__MESSAGE], failure[PREDT__MESSAGE], borrowed[PREDT__MESSAGE],
        without_context[PREDT__MESSAGE];
    uint64_t failed; /* serial of the context whose call it was */
} messages;

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool has_key;

static void make_key(void) { has_key = pthread_key_create(&key, free) == 0; }

/* NULL: out of memory, and that is the message. */
static messages *own_messages(void) {
    pthread_once(&once, make_key);
    messages *own = has_key ? pthread_getspecific(key) : NULL;
    if (own || !has_key) return own;
    own = calloc(1, sizeof *own);
    if (own && pthread_setspecific(key, own) == 0) return own;
    free(own);
    return NULL;
}

#define NO_MEMORY "out of memory"

const char *predt__last_text(void) {
    const messages *own = own_messages();
    return own ? own->text : NO_MEMORY;
}

predt_status predt__fail(predt_ctx *ctx, predt_status status, const char *format, ...) {
    messages *own = own_messages();
    va_list arguments;
    (void)ctx;
    if (!own) return status;
    va_start(arguments, format);
    vsnprintf(own->text, sizeof own->text, format, arguments);
    va_end(arguments);
    return status;
}

predt_status predt__end_call(predt_ctx *ctx, predt_status status) {
    if (status == PREDT_OK) return status;
    messages *own = own_messages();
    if (own && !ctx) memcpy(own->without_context, own->text, sizeof own->text);
    if (!ctx) return status;
    if (own) {
        memcpy(own->failure, own->text, sizeof own->text);
        own->failed = ctx->serial;
    }
    pthread_mutex_lock(&ctx->message_lock);
    snprintf(ctx->message, sizeof ctx->message, "%s", own ? own->text : NO_MEMORY);
    pthread_mutex_unlock(&ctx->message_lock);
    return status;
}

const char *predt_message(const predt_ctx *ctx) {
    messages *own = own_messages();
    if (!own) return NO_MEMORY;
    if (!ctx) return own->without_context;
    if (own->failed == ctx->serial) return own->failure;
    pthread_mutex_t *lock = &((predt_ctx *)ctx)->message_lock;
    pthread_mutex_lock(lock);
    memcpy(own->borrowed, ctx->message, sizeof own->borrowed);
    pthread_mutex_unlock(lock);
    return own->borrowed;
}

/* A log that calls predt, and fails, must not put its text in the place of ours. */
void predt__tell(const predt_ctx *ctx, const char *format, ...) {
    char line[PREDT__MESSAGE], kept[PREDT__MESSAGE];
    messages *own = own_messages();
    if (!ctx->log) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (own) memcpy(kept, own->text, sizeof kept);
    ctx->log(line, ctx->log_user);
    if (own) memcpy(own->text, kept, sizeof kept);
}

/* ---- Opening ---- */

static predt_status start(predt_ctx *ctx, const predt_options *options) {
    if (options->threads < 0)
        return predt__fail(ctx, PREDT_ERROR_ARGUMENT, "the number of threads is negative");
    if (options->index_memory < 0)
        return predt__fail(ctx, PREDT_ERROR_ARGUMENT, "the memory limit is negative");
    if (options->device < 0)
        return predt__fail(ctx, PREDT_ERROR_ARGUMENT, "the number of the device is negative");
    if (options->gpu_memory < 0)
        return predt__fail(ctx, PREDT_ERROR_ARGUMENT,
                           "the limit of the device's memory is negative");
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
        return predt__fail(ctx, PREDT_ERROR_ENGINE, "engine %s: %s",
                           options->engine ? options->engine : "auto", why);
    ctx->last = ctx->engine;
    const char *settings = options->engine ? strchr(options->engine, ':') : NULL;
    predt_status status = predt__settings_check(ctx, ctx->engine, settings ? settings + 1 : NULL);
    if (status != PREDT_OK) return status;
    if (settings && !(ctx->settings = strdup(settings + 1)))
        return predt__fail(ctx, PREDT_ERROR_MEMORY, "out of memory");
    return ctx->engine->open ? ctx->engine->open(ctx, &ctx->engine_state) : PREDT_OK;
}

predt_status predt_open(predt_ctx **out, const predt_options *options) {
    predt_options known = PREDT_OPTIONS_INIT;
    predt_ctx *ctx = *out = calloc(1, sizeof *ctx);
    if (!ctx) return predt__end_call(NULL, predt__fail(NULL, PREDT_ERROR_MEMORY, "out of memory"));
    ctx->serial = predt__new_serial();
    pthread_mutex_init(&ctx->message_lock, NULL);
    pthread_mutex_init(&ctx->faster.lock, NULL);
    predt_status status = options ? PREDT__KNOWN(ctx, predt_options, options, &known) : PREDT_OK;
    return predt__end_call(ctx, status == PREDT_OK ? start(ctx, &known) : status);
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

const char *predt_engine_name(const predt_ctx *ctx) { return ctx->last ? ctx->last->name : "none"; }
