/* The context: what an open call has settled, and what its calls share. */
#ifndef PREDT__CONTEXT_H
#define PREDT__CONTEXT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "auto.h"
#include "engine.h"
#include "message.h"
#include "platform.h"
#include "predt.h"
#include "settings.h"

struct predt_ctx {
    uint64_t serial;             /* see predt__new_serial */
    const predt__engine *engine; /* the one that the user has named; with "auto", cpu */
    void *engine_state;
    char *settings; /* of the engine, as given; NULL: none */
    predt__auto automatic;
    _Atomic(const predt__engine *) last; /* that answered */
    int threads;
    int device;
    int64_t gpu_memory;
    bool own_process;
    _Atomic(struct predt__wide_buffer *) idle_buffer; /* of wide.c, kept for the next query */
    int64_t index_memory;
    char *temp_dir;
    predt_log log;
    void *log_user;
    predt__last_failure *last_failure;
};

/* A number from 1 on that no other context or index of this process ever has: what is cached of one
 * is never taken for another's, whichever contexts ask and wherever in memory they lie. */
uint64_t predt__new_serial(void);

#endif
