#define _GNU_SOURCE
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Memory comes from the system in pieces that grow from the first size to the last, and is handed
 * out from the newest one. From LARGE_PAGES on the kernel is asked for large pages: zeroing and
 * mapping small ones costs as much as filling them. */
#define FIRST_PIECE ((size_t)1 << 20)
#define LAST_PIECE ((size_t)1 << 25)
#define LARGE_PAGES ((size_t)1 << 22)

/* Of a file that much may be in memory, however small the limit: giving pages back and getting them
 * again takes its time. */
#define LEAST_AWAKE (INT64_C(1) << 20)

typedef struct predt__piece {
    struct predt__piece *next;
    char *bytes;
    size_t size, used;
    bool in_file;
} piece;

void predt__store_open(predt__store *store, predt_ctx *ctx) {
    *store = (predt__store){.ctx = ctx, .file = -1};
    pthread_mutex_init(&store->lock, NULL);
}

static predt_status file_fault(predt__store *store) {
    return predt__fail(store->ctx, PREDT_ERROR_IO, "temporary file in %s: %s", store->ctx->temp_dir,
                       strerror(errno));
}

/* A file without a name: nothing is left behind, however the process ends. */
static predt_status open_file(predt__store *store) {
    size_t length = strlen(store->ctx->temp_dir) + sizeof "/predt-XXXXXX";
    char *path = malloc(length);
    if (!path) return predt__fail(store->ctx, PREDT_ERROR_MEMORY, "out of memory");
    snprintf(path, length, "%s/predt-XXXXXX", store->ctx->temp_dir);
    store->file = mkostemp(path, O_CLOEXEC);
    if (store->file >= 0) unlink(path);
    free(path);
    return store->file >= 0 ? PREDT_OK : file_fault(store);
}

/* posix_fallocate, not ftruncate: a full disk is an error here, not a SIGBUS at the first write. */
static predt_status map_file(predt__store *store, piece *piece) {
    predt_status status = store->file < 0 ? open_file(store) : PREDT_OK;
    if (status != PREDT_OK) return status;
    errno = posix_fallocate(store->file, store->file_bytes, (off_t)piece->size);
    if (errno) return file_fault(store);
    piece->bytes =
        mmap(NULL, piece->size, PROT_READ | PROT_WRITE, MAP_SHARED, store->file, store->file_bytes);
    if (piece->bytes == MAP_FAILED) return file_fault(store);
    store->file_bytes += (int64_t)piece->size;
    piece->in_file = true;
    store->allowed = store->ctx->index_memory - store->memory_bytes;
    if (store->allowed < LEAST_AWAKE) store->allowed = LEAST_AWAKE;
    store->has_file = true;
    return PREDT_OK;
}

static predt_status map_memory(predt__store *store, piece *piece) {
    piece->bytes =
        mmap(NULL, piece->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (piece->bytes == MAP_FAILED)
        return predt__fail(store->ctx, PREDT_ERROR_MEMORY, "out of memory: %zu bytes for the index",
                           piece->size);
    if (piece->size >= LARGE_PAGES) madvise(piece->bytes, piece->size, MADV_HUGEPAGE);
    store->memory_bytes += (int64_t)piece->size;
    return PREDT_OK;
}

static bool fits(const predt__store *store, size_t bytes) {
    int64_t limit = store->ctx->index_memory;
    return !limit || store->memory_bytes + (int64_t)bytes <= limit;
}

/* Puts a new piece for at least `bytes` in front. */
static predt_status grow(predt__store *store, size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE),
           usual = store->pieces ? 2 * store->pieces->size : FIRST_PIECE;
    if (usual > LAST_PIECE) usual = LAST_PIECE;
    if (bytes > usual || !fits(store, usual)) usual = bytes;
    piece *piece = calloc(1, sizeof *piece);
    if (!piece) return predt__fail(store->ctx, PREDT_ERROR_MEMORY, "out of memory");
    piece->size = (usual + page - 1) / page * page;
    predt_status status =
        fits(store, piece->size) ? map_memory(store, piece) : map_file(store, piece);
    if (status != PREDT_OK) {
        free(piece);
        return status;
    }
    piece->next = store->pieces;
    store->pieces = piece;
    return PREDT_OK;
}

/* Everything handed out starts a cache line. */
#define LINE ((size_t)64)

void *predt__store_take(predt__store *store, size_t bytes, predt_status *status) {
    void *taken = NULL;
    bytes = (bytes + LINE - 1) / LINE * LINE;
    pthread_mutex_lock(&store->lock);
    *status = store->pieces && store->pieces->size - store->pieces->used >= bytes
                  ? PREDT_OK
                  : grow(store, bytes);
    if (*status == PREDT_OK) {
        taken = store->pieces->bytes + store->pieces->used;
        store->pieces->used += bytes;
    }
    pthread_mutex_unlock(&store->lock);
    return taken;
}

/* MAP_SHARED: the file keeps what was written. */
static void rest(const predt__store *store) {
    for (const piece *piece = store->pieces; piece; piece = piece->next)
        if (piece->in_file) madvise(piece->bytes, piece->size, MADV_DONTNEED);
}

void predt__store_touch(predt__store *store, int64_t bytes) {
    if (!store->has_file || atomic_fetch_add(&store->awake, bytes) + bytes <= store->allowed)
        return;
    pthread_mutex_lock(&store->lock);
    if (store->awake > store->allowed) { /* nobody else has done it meanwhile */
        rest(store);
        store->awake = bytes;
    }
    pthread_mutex_unlock(&store->lock);
}

void predt__store_close(predt__store *store) {
    for (piece *piece = store->pieces, *next; piece; piece = next) {
        next = piece->next;
        munmap(piece->bytes, piece->size);
        free(piece);
    }
    if (store->file >= 0) close(store->file);
    pthread_mutex_destroy(&store->lock);
}
