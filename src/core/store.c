/* Blocks are cut from pieces of memory or of a file, and are given back all at once. */
#include "store.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "context.h"
#include "numbers.h"

/* Memory comes from the system in pieces that grow from the first size to the last, and is handed
 * out from the newest one. */
#define FIRST_PIECE (INT64_C(1) << 20)
#define LAST_PIECE (INT64_C(1) << 25)

/* Of a file that much may be in memory, however small the limit: giving pages back and getting them
 * again takes its time. */
#define MIN_ALLOWED (INT64_C(1) << 20)

#define CACHE_LINE 64 /* bytes: whatever is handed out starts one */

struct piece {
    struct piece *next;
    char *bytes;
    int64_t size, used;
    bool in_file;
};

struct predt__store {
    predt_ctx *ctx;
    predt__mutex lock; /* guards all but what is atomic */
    int64_t memory_bytes;
    int file; /* below 0: none yet */
    atomic_bool has_file;
    _Atomic int64_t resident; /* bytes of the file that are in memory, at most */
    _Atomic int64_t allowed;  /* how many may be */
    int64_t file_bytes;
    struct piece *pieces; /* newest first */
};

predt__store *predt__store_new(predt_ctx *ctx) {
    predt__store *store = calloc(1, sizeof *store);
    if (!store) return NULL;
    store->ctx = ctx;
    store->file = -1;
    predt__mutex_init(&store->lock);
    return store;
}

/* ---- A new piece ---- */

static predt_status file_fault(predt__store *store) {
    return predt__fail(store->ctx, PREDT_ERROR_IO, "temporary file in %s: %s", store->ctx->temp_dir,
                       predt__system_error());
}

static predt_status map_file(predt__store *store, struct piece *piece) {
    if (store->file < 0) store->file = predt__file_new(store->ctx->temp_dir);
    if (store->file < 0) return file_fault(store);
    piece->bytes = predt__file_pages(store->file, store->file_bytes, (size_t)piece->size);
    if (!piece->bytes) return file_fault(store);
    store->file_bytes += piece->size;
    piece->in_file = true;
    store->allowed = predt__max(store->ctx->index_memory - store->memory_bytes, MIN_ALLOWED);
    store->has_file = true;
    return PREDT_OK;
}

static predt_status map_memory(predt__store *store, struct piece *piece) {
    piece->bytes = predt__pages_new((size_t)piece->size);
    if (!piece->bytes)
        return predt__fail(store->ctx, PREDT_ERROR_MEMORY,
                           "out of memory: %lld bytes for the index", (long long)piece->size);
    store->memory_bytes += piece->size;
    return PREDT_OK;
}

static bool fits(const predt__store *store, int64_t bytes) {
    int64_t limit = store->ctx->index_memory;
    return !limit || store->memory_bytes + bytes <= limit;
}

/* Of a piece that holds at least `bytes`. */
static int64_t next_size(const predt__store *store, int64_t bytes) {
    int64_t usual = store->pieces ? predt__min(2 * store->pieces->size, LAST_PIECE) : FIRST_PIECE;
    bool as_usual = bytes <= usual && fits(store, usual);
    return predt__round_up(as_usual ? usual : bytes, (int64_t)predt__page_bytes());
}

static predt_status map_piece(predt__store *store, struct piece *piece) {
    return fits(store, piece->size) ? map_memory(store, piece) : map_file(store, piece);
}

/* Puts a new piece for at least `bytes` in front. */
static predt_status grow(predt__store *store, int64_t bytes) {
    struct piece *piece = calloc(1, sizeof *piece);
    if (!piece) return predt__out_of_memory(store->ctx);
    piece->size = next_size(store, bytes);
    piece->next = store->pieces;
    predt_status status = map_piece(store, piece);
    if (status == PREDT_OK) store->pieces = piece;
    else free(piece);
    return status;
}

/* ---- Handing out ---- */

static bool has_left(const predt__store *store, int64_t bytes) {
    return store->pieces && store->pieces->size - store->pieces->used >= bytes;
}

void *predt__store_take(predt__store *store, size_t bytes, predt_status *status) {
    void *taken = NULL;
    int64_t size = predt__round_up((int64_t)bytes, CACHE_LINE);
    predt__mutex_lock(&store->lock);
    *status = has_left(store, size) ? PREDT_OK : grow(store, size);
    if (*status == PREDT_OK) {
        taken = store->pieces->bytes + store->pieces->used;
        store->pieces->used += size;
    }
    predt__mutex_unlock(&store->lock);
    return taken;
}

/* ---- Keeping to the limit ---- */

static void drop_pages(const predt__store *store) {
    for (const struct piece *piece = store->pieces; piece; piece = piece->next)
        if (piece->in_file) predt__file_pages_drop(piece->bytes, (size_t)piece->size);
}

void predt__store_touch(predt__store *store, int64_t bytes) {
    if (!store->has_file || atomic_fetch_add(&store->resident, bytes) + bytes <= store->allowed)
        return;
    predt__mutex_lock(&store->lock);
    if (store->resident > store->allowed) { /* nobody else has done it meanwhile */
        drop_pages(store);
        store->resident = bytes;
    }
    predt__mutex_unlock(&store->lock);
}

bool predt__store_has_file(const predt__store *store) { return store->has_file; }

static void free_pieces(predt__store *store) {
    for (struct piece *piece = store->pieces, *next; piece; piece = next) {
        next = piece->next;
        predt__pages_free(piece->bytes, (size_t)piece->size);
        free(piece);
    }
}

void predt__store_free(predt__store *store) {
    if (!store) return;
    free_pieces(store);
    if (store->file >= 0) predt__file_close(store->file);
    predt__mutex_destroy(&store->lock);
    free(store);
}
