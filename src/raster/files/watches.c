#include "watches.h"

#include <cpl_vsi.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Closed files whose descriptors are kept until the end: an error of the disk that comes late is
 * reported on a descriptor that was open when the bytes were written. Formats of many files have
 * theirs waited for when they are closed. */
#define KEPT 8

struct predt__checked {
    predt__checked *next;
    char *folder;
    size_t length;
    pthread_mutex_t lock; /* guards what follows */
    int kept[KEPT], kept_count;
    char why[512];
    atomic_bool failed;
};

static struct {
    pthread_mutex_t lock;
    predt__checked *first;
} watches = {PTHREAD_MUTEX_INITIALIZER, NULL};

predt__checked *predt__watch_of(const char *path) {
    pthread_mutex_lock(&watches.lock);
    predt__checked *checked = watches.first;
    while (checked &&
           !(strncmp(path, checked->folder, checked->length) == 0 && path[checked->length] == '/'))
        checked = checked->next;
    pthread_mutex_unlock(&watches.lock);
    return checked;
}

void predt__checked_note(predt__checked *checked, const char *what, const char *name) {
    int fault = errno;
    if (!checked) return;
    pthread_mutex_lock(&checked->lock);
    if (!checked->failed)
        snprintf(checked->why, sizeof checked->why, "%s of %.255s: %s", what, name,
                 strerror(fault));
    checked->failed = true;
    pthread_mutex_unlock(&checked->lock);
}

bool predt__checked_failed(predt__checked *checked, const char **why) {
    if (!checked || !checked->failed) return false;
    *why = checked->why; /* is not written to a second time */
    return true;
}

/* ---- Descriptors ---- */

static bool keep(predt__checked *checked, int file) {
    pthread_mutex_lock(&checked->lock);
    bool kept = checked->kept_count < KEPT;
    if (kept) checked->kept[checked->kept_count++] = file;
    pthread_mutex_unlock(&checked->lock);
    return kept;
}

void predt__checked_keep(predt__checked *checked, int file, const char *name) {
    if (checked && keep(checked, file)) return;
    if (checked && fsync(file) != 0) predt__checked_note(checked, "writing", name);
    if (close(file) != 0) predt__checked_note(checked, "closing", name);
}

bool predt__checked_sync(predt__checked *checked) {
    pthread_mutex_lock(&checked->lock);
    int count = checked->kept_count, files[KEPT];
    memcpy(files, checked->kept, sizeof files);
    checked->kept_count = 0;
    pthread_mutex_unlock(&checked->lock);
    for (int i = 0; i < count; i++) {
        struct stat stat;
        /* a temporary file of a driver's */
        bool removed = fstat(files[i], &stat) == 0 && stat.st_nlink == 0;
        if (!removed && fsync(files[i]) != 0)
            predt__checked_note(checked, "writing", checked->folder);
        if (close(files[i]) != 0) predt__checked_note(checked, "closing", checked->folder);
    }
    return !checked->failed;
}

/* ---- Opening and closing a watch ---- */

predt__checked *predt__watches_add(const char *folder) {
    predt__checked *checked = VSICalloc(1, sizeof *checked);
    if (checked) checked->folder = VSIStrdup(folder);
    if (!checked || !checked->folder) {
        VSIFree(checked);
        return NULL;
    }
    checked->length = strlen(folder);
    pthread_mutex_init(&checked->lock, NULL);
    pthread_mutex_lock(&watches.lock);
    checked->next = watches.first;
    watches.first = checked;
    pthread_mutex_unlock(&watches.lock);
    return checked;
}

void predt__checked_close(predt__checked *checked) {
    if (!checked) return;
    pthread_mutex_lock(&watches.lock);
    predt__checked **link = &watches.first;
    while (*link != checked) link = &(*link)->next;
    *link = checked->next;
    pthread_mutex_unlock(&watches.lock);
    for (int i = 0; i < checked->kept_count; i++) close(checked->kept[i]);
    pthread_mutex_destroy(&checked->lock);
    VSIFree(checked->folder);
    VSIFree(checked);
}
