/* Memory for an index: the process's own up to a limit, beyond it a temporary file without a name,
 * both mapped piece by piece. */
#ifndef PREDT__STORE_H
#define PREDT__STORE_H

#include <stdbool.h>

#include "context.h"
#include "platform.h"

typedef struct predt__store {
    predt_ctx *ctx;
    predt__mutex lock;
    int64_t memory_bytes;
    int file; /* -1: none yet */
    atomic_bool has_file;
    _Atomic int64_t resident; /* bytes of the file that are in memory, at most */
    _Atomic int64_t allowed;  /* how many may be */
    int64_t file_bytes;
    struct predt__piece *pieces; /* newest first */
} predt__store;

void predt__store_open(predt__store *store, predt_ctx *ctx);

/* Bytes that live until predt__store_close; NULL on failure, with the context's message set and
 * *status why. */
void *predt__store_take(predt__store *store, size_t bytes, predt_status *status);

/* So many bytes are about to be read or written, or have been. Pages of a file stay in memory once
 * they are touched, and the user's limit would not hold: when there may be more of them than it
 * allows, all are dropped. From any thread, at any time: whoever is using them gets them again. */
void predt__store_touch(predt__store *store, int64_t bytes);

void predt__store_close(predt__store *store);

#endif
