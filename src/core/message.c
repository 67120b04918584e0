/* Texts of threads and contexts, and the log. */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "platform.h"

/* Of one thread: what went wrong last inside, what public call has failed for it, and what it was
 * last shown of other threads. */
typedef struct thread_texts {
    char text[PREDT__MESSAGE], failure[PREDT__MESSAGE], borrowed[PREDT__MESSAGE],
        without_context[PREDT__MESSAGE];
    uint64_t failed; /* serial of the context whose call it was */
} thread_texts;

#define NO_MEMORY "out of memory"

/* NULL: out of memory, and that is the message. */
static thread_texts *own_texts(void) { return predt__thread_memory(sizeof(thread_texts)); }

const char *predt__last_text(void) {
    const thread_texts *own = own_texts();
    return own ? own->text : NO_MEMORY;
}

predt_status predt__fail(predt_ctx *ctx, predt_status status, const char *format, ...) {
    thread_texts *own = own_texts();
    va_list arguments;
    (void)ctx;
    if (!own) return status;
    va_start(arguments, format);
    vsnprintf(own->text, sizeof own->text, format, arguments);
    va_end(arguments);
    return status;
}

predt_status predt__out_of_memory(predt_ctx *ctx) {
    return predt__fail(ctx, PREDT_ERROR_MEMORY, NO_MEMORY);
}

/* ---- Public calls ---- */

predt__last_failure *predt__last_failure_new(void) {
    predt__last_failure *failure = calloc(1, sizeof *failure);
    if (failure) predt__mutex_init(&failure->lock);
    return failure;
}

void predt__last_failure_free(predt__last_failure *failure) {
    predt__mutex_destroy(&failure->lock);
    free(failure);
}

static void keep_for_thread(thread_texts *own, const predt_ctx *ctx) {
    memcpy(ctx ? own->failure : own->without_context, own->text, sizeof own->text);
    if (ctx) own->failed = ctx->serial;
}

static void keep_for_others(predt__last_failure *last, const char *text) {
    predt__mutex_lock(&last->lock);
    snprintf(last->text, sizeof last->text, "%s", text);
    predt__mutex_unlock(&last->lock);
}

predt_status predt__end_call(predt_ctx *ctx, predt_status status) {
    if (status == PREDT_OK) return status;
    thread_texts *own = own_texts();
    if (own) keep_for_thread(own, ctx);
    if (ctx) keep_for_others(ctx->last_failure, own ? own->text : NO_MEMORY);
    return status;
}

static const char *borrow(thread_texts *own, predt__last_failure *last) {
    predt__mutex_lock(&last->lock);
    memcpy(own->borrowed, last->text, sizeof own->borrowed);
    predt__mutex_unlock(&last->lock);
    return own->borrowed;
}

const char *predt_message(const predt_ctx *ctx) {
    thread_texts *own = own_texts();
    if (!own) return NO_MEMORY;
    if (!ctx) return own->without_context;
    return own->failed == ctx->serial ? own->failure : borrow(own, ctx->last_failure);
}

/* ---- The log ---- */

/* A log that calls predt, and fails, must not put its text in the place of ours. */
void predt__log_line(const predt_ctx *ctx, const char *format, ...) {
    char line[PREDT__MESSAGE], kept[PREDT__MESSAGE];
    thread_texts *own = own_texts();
    if (!ctx->log) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (own) memcpy(kept, own->text, sizeof kept);
    ctx->log(line, ctx->log_user);
    if (own) memcpy(own->text, kept, sizeof kept);
}
