#define _GNU_SOURCE
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct predt__piece {
    struct predt__piece *next;
    void *bytes;
    size_t mapped; /* 0: on the heap */
} piece;

void predt__store_open(predt__store *store, predt_ctx *ctx) {
    *store = (predt__store){.ctx = ctx, .file = -1};
    pthread_mutex_init(&store->lock, NULL);
}

static predt_status file_fault(predt__store *store) {
    return predt__fail(store->ctx, PREDT_ERROR_IO, "temporary file in %s: %s", store->ctx->temp_dir, strerror(errno));
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
static predt_status map_file(predt__store *store, piece *piece, size_t bytes) {
    predt_status status = store->file < 0 ? open_file(store) : PREDT_OK;
    if (status != PREDT_OK) return status;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), mapped = (bytes + page - 1) / page * page;
    errno = posix_fallocate(store->file, store->file_bytes, (off_t)mapped);
    if (errno) return file_fault(store);
    void *address = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, store->file, store->file_bytes);
    if (address == MAP_FAILED) return file_fault(store);
    store->file_bytes += (int64_t)mapped;
    piece->bytes = address;
    piece->mapped = mapped;
    return PREDT_OK;
}

static predt_status take(predt__store *store, piece *piece, size_t bytes) {
    int64_t limit = store->ctx->index_memory;
    if (limit && store->heap_bytes + (int64_t)bytes > limit) return map_file(store, piece, bytes);
    piece->bytes = calloc(1, bytes ? bytes : 1);
    if (!piece->bytes) return predt__fail(store->ctx, PREDT_ERROR_MEMORY, "out of memory: %zu bytes for the index", bytes);
    store->heap_bytes += (int64_t)bytes;
    return PREDT_OK;
}

void *predt__store_take(predt__store *store, size_t bytes, predt_status *status) {
    piece *piece = calloc(1, sizeof *piece);
    if (!piece) {
        *status = predt__fail(store->ctx, PREDT_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    pthread_mutex_lock(&store->lock);
    *status = take(store, piece, bytes);
    void *taken = piece->bytes;
    if (*status == PREDT_OK) {
        piece->next = store->pieces;
        store->pieces = piece;
    } else {
        free(piece);
    }
    pthread_mutex_unlock(&store->lock);
    return taken;
}

void predt__store_rest(predt__store *store, const void *bytes, size_t count) {
    if (store->file < 0) return;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)bytes + page - 1) / page * page, end = ((uintptr_t)bytes + count) / page * page;
    pthread_mutex_lock(&store->lock);
    for (const piece *piece = store->pieces; piece; piece = piece->next) {
        uintptr_t start = (uintptr_t)piece->bytes;
        if (piece->mapped && start <= (uintptr_t)bytes && (uintptr_t)bytes < start + piece->mapped && first < end)
            madvise((void *)first, end - first, MADV_DONTNEED); /* MAP_SHARED: the file keeps what was written */
    }
    pthread_mutex_unlock(&store->lock);
}

void predt__store_close(predt__store *store) {
    for (piece *piece = store->pieces, *next; piece; piece = next) {
        next = piece->next;
        if (piece->mapped) munmap(piece->bytes, piece->mapped);
        else free(piece->bytes);
        free(piece);
    }
    if (store->file >= 0) close(store->file);
    pthread_mutex_destroy(&store->lock);
}
