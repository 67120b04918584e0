/* What went wrong, in words. A text is written where the failure is, on whatever thread; it becomes
 * a message only if a public call fails because of it: an engine that fails and is replaced leaves
 * none. */
#ifndef PREDT__MESSAGE_H
#define PREDT__MESSAGE_H

#include "platform.h"
#include "predt.h"

#define PREDT__MESSAGE 512 /* bytes of a message */

/* Keeps the text as this thread's and returns status, so that a failing function ends with `return
 * predt__fail(...)`. */
predt_status predt__fail(predt_ctx *ctx, predt_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

predt_status predt__out_of_memory(predt_ctx *ctx);

/* Every public function ends with `return predt__end_call(...)` where it may fail: a failure's
 * text, this thread's last one, becomes that of the context (NULL: of the calls that have none). */
predt_status predt__end_call(predt_ctx *ctx, predt_status status);

/* PREDT__MESSAGE bytes: this thread's last text. */
const char *predt__last_text(void);

/* The message of the last call with a context that failed, in whatever thread. It lies apart from
 * the context, which is const for those who read it. */
typedef struct predt__last_failure {
    predt__mutex lock;
    char text[PREDT__MESSAGE];
} predt__last_failure;

/* NULL: out of memory. */
predt__last_failure *predt__last_failure_new(void);
void predt__last_failure_free(predt__last_failure *failure);

/* One line for the user's log, if there is one. No lock may be held: the user's function may call
 * predt itself. */
void predt__log_line(const predt_ctx *ctx, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
