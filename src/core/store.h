/* Memory for indexes: anonymous up to a limit, beyond it an unlinked temporary file, both mapped piece by piece. */
#ifndef PREDT__STORE_H
#define PREDT__STORE_H

#include <stdbool.h>

#include "context.h"

typedef struct predt__store {
    predt_ctx *ctx;
    pthread_mutex_t lock;
    int64_t memory_bytes;
    int file; /* -1: none yet */
    int64_t file_bytes;
    struct predt__piece *pieces; /* newest first */
} predt__store;

void predt__store_open(predt__store *store, predt_ctx *ctx);

/* Bytes that live until predt__store_close; NULL on failure, with the context's message set and *status why. */
void *predt__store_take(predt__store *store, size_t bytes, predt_status *status);

/* The caller is done with these bytes for a while: pages that lie in the file need not stay in memory. */
void predt__store_rest(predt__store *store, const void *bytes, size_t count);

void predt__store_close(predt__store *store);

#endif
