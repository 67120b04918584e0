/* Memory for an index: the process's own up to a limit, beyond it a temporary file without a name,
 * both mapped piece by piece. */
#ifndef PREDT__STORE_H
#define PREDT__STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "predt.h"

typedef struct predt__store predt__store;

/* With the limit and the folder of the context. NULL: out of memory. */
predt__store *predt__store_new(predt_ctx *ctx);

/* All of it; does nothing if it is NULL. */
void predt__store_free(predt__store *store);

/* Bytes that live as long as the store; NULL on failure, with the context's message set and
 * *status why. */
void *predt__store_take(predt__store *store, size_t bytes, predt_status *status);

/* So many bytes are about to be read or written, or have been. Pages of a file stay in memory once
 * they are touched, and the user's limit would not hold: when there may be more of them than it
 * allows, all are dropped. From any thread, at any time: whoever is using them gets them again. */
void predt__store_touch(predt__store *store, int64_t bytes);

/* Whether any of it is in a file, and predt__store_touch is of any use. */
bool predt__store_has_file(const predt__store *store);

#endif
