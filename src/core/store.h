/* Memory for indexes: anonymous up to a limit, beyond it an unlinked temporary file, both mapped
 * piece by piece. */
#ifndef PREDT__STORE_H
#define PREDT__STORE_H

#include <stdbool.h>

#include "context.h"

typedef struct predt__store {
    predt_ctx *ctx;
    pthread_mutex_t lock;
    int64_t memory_bytes;
    int file; /* -1: none yet */
    atomic_bool has_file;
    _Atomic int64_t awake;   /* bytes of the file that may be in memory, at most */
    _Atomic int64_t allowed; /* what of it is to be there */
    int64_t file_bytes;
    struct predt__piece *pieces; /* newest first */
} predt__store;

void predt__store_open(predt__store *store, predt_ctx *ctx);

/* Bytes that live until predt__store_close; NULL on failure, with the context's message set and
 * *status why. */
void *predt__store_take(predt__store *store, size_t bytes, predt_status *status);

/* So many bytes are about to be read or written, or have been. Pages of the file that come into
 * memory stay there, and no limit that the user has set would hold: when they may be more than the
 * limit leaves room for, all are given back. From any thread, at any time: whoever is using them
 * gets them again. */
void predt__store_touch(predt__store *store, int64_t bytes);

void predt__store_close(predt__store *store);

#endif
