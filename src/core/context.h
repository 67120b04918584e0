/* The context, and how the rooms of the core report to it. */
#ifndef PREDT__CONTEXT_H
#define PREDT__CONTEXT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "engine.h"
#include "predt.h"

/* With "auto", an engine for some windows only, opened when the first raster or window comes that
 * it suits. */
typedef struct predt__faster {
    pthread_mutex_t lock;        /* guards the opening */
    const predt__engine *engine; /* NULL: not asked for yet */
    void *state;
    atomic_bool useless; /* it cannot run here, or has failed */
} predt__faster;

struct predt_ctx {
    uint64_t serial; /* see predt__new_serial */
    const predt__engine *engine;
    void *engine_state;
    char *settings; /* of the engine, as told; NULL: none */
    bool automatic; /* "auto": `engine` suits everything, and `faster` some windows */
    predt__faster faster;
    _Atomic(const predt__engine *) last; /* that answered */
    int threads;
    int device;
    int64_t gpu_memory;
    bool own_process;
    _Atomic(struct predt__room *) idle_room; /* of narrow.c, kept for the next query */
    int64_t index_memory;
    char *temp_dir;
    predt_log log;
    void *log_user;
    pthread_mutex_t message_lock; /* guards message: calls may fail in several threads */
    char message[PREDT__MESSAGE]; /* of the last public call that failed, in whatever thread */
};

/* A number from 1 on that no other context or index of this process ever has: what is cached of one
 * is never taken for another's, whichever contexts ask and wherever in memory they lie. */
uint64_t predt__new_serial(void);

/* ---- Messages ----
 *
 * What goes wrong is put into words where it does, on whatever thread, and is heard only if the
 * public call fails for it: an engine that fails and is replaced leaves no message. */

/* Keeps the text as this thread's and returns status, so that a failing function ends with `return
 * predt__fail(...)`. */
predt_status predt__fail(predt_ctx *ctx, predt_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Every public function ends with `return predt__end_call(...)` where it may fail: a failure's
 * text, this thread's last one, becomes that of the context (NULL: of the calls that have none). */
predt_status predt__end_call(predt_ctx *ctx, predt_status status);

/* PREDT__MESSAGE bytes: this thread's last text. */
const char *predt__last_text(void);

/* With "auto", starts the engine that would answer the whole of this raster: devices take a while,
 * and the index is to be filled first. */
void predt__look_ahead(predt_ctx *ctx, const predt_index *index);

/* Tells the user, if there is a log. No lock is held: the user's function may call predt itself. */
void predt__tell(const predt_ctx *ctx, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
