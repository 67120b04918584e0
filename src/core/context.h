/* The context, and how the rooms of the core report to it. */
#ifndef PREDT__CONTEXT_H
#define PREDT__CONTEXT_H

#include <pthread.h>

#include "engine.h"
#include "predt.h"

struct predt_ctx {
    const predt__engine *engine;
    void *engine_state;
    int threads;
    int64_t index_memory;
    char *temp_dir;
    predt_log log;
    void *log_user;
    pthread_mutex_t message_lock; /* guards message: calls may fail in several threads */
    char message[512];
};

/* Keeps the text for predt_message and returns status, so that a failing function ends with `return predt__fail(...)`. */
predt_status predt__fail(predt_ctx *ctx, predt_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
