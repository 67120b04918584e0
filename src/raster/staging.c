#define _GNU_SOURCE
#include "staging.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "files.h"

#define PREFIX ".predt-"
#define LOCK "lock"
#define NEW_LOCK "lock.new"

/* A folder without a lock is that of a run that has just begun, or died at once: the latter after this many seconds. */
#define BEGINNING_SECONDS 60

static const char *const parts[] = {"new", "raw", "old", "try"};
#define PARTS (sizeof parts / sizeof parts[0])

static bool refuse(const char *what, const char *path) {
    CPLError(CE_Failure, CPLE_FileIO, "%s in %s: %s", what, path, strerror(errno));
    return false;
}

char *predt__staged(const predt__staging *staging, const char *part, const char *name) {
    char *folder = predt__join(staging->folder, part), *path = predt__join(folder, name);
    CPLFree(folder);
    return path;
}

/* ---- The lock: a file that names the host and is locked for as long as the run lives ---- */

static void host_name(char name[256]) {
    memset(name, 0, 256);
    if (gethostname(name, 255) != 0) name[0] = 0;
}

/* Renamed when it is locked: whoever finds it unlocked knows that the run is dead. Where there are no locks (some network file
 * systems) it names no host, and nobody dares to remove the folder. */
static bool take_lock(predt__staging *staging) {
    char host[256], *early = predt__join(staging->folder, NEW_LOCK), *lock = predt__join(staging->folder, LOCK);
    staging->lock = open(early, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool good = staging->lock >= 0;
    host_name(host);
    if (good && flock(staging->lock, LOCK_EX | LOCK_NB) == 0)
        good = write(staging->lock, host, strlen(host)) == (ssize_t)strlen(host);
    good = good && rename(early, lock) == 0;
    CPLFree(early);
    CPLFree(lock);
    return good;
}

static bool is_ours(const char *folder) {
    struct stat stat;
    return lstat(folder, &stat) == 0 && S_ISDIR(stat.st_mode) && stat.st_uid == geteuid();
}

static bool is_old(const char *folder) {
    struct stat stat;
    return lstat(folder, &stat) == 0 && time(NULL) - stat.st_mtime > BEGINNING_SECONDS;
}

/* A run of this host that has ended; *file then holds its lock. */
static bool is_dead(const char *folder, int *file) {
    char host[256], written[256] = {0}, *lock = predt__join(folder, LOCK);
    *file = open(lock, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    bool missing = *file < 0 && errno == ENOENT;
    CPLFree(lock);
    if (*file < 0) return missing && is_old(folder);
    host_name(host);
    return read(*file, written, sizeof written - 1) >= 0 && *host && strcmp(host, written) == 0 &&
           flock(*file, LOCK_EX | LOCK_NB) == 0;
}

/* ---- What dead runs have left ---- */

/* A raster's files are taken away before its new ones come. A run that died in between replaced nothing: they go back. */
static bool replaced_something(char **names, const char *old, const char *home) {
    bool replaced = false;
    for (char **name = names; name && *name && !replaced; name++) {
        char *before = predt__join(old, *name), *now = predt__join(home, *name);
        replaced = predt__exists(now) && !predt__same_file(before, now);
        CPLFree(before);
        CPLFree(now);
    }
    return replaced;
}

static void restore(const char *folder, const char *home) {
    char **names = NULL, *old = predt__join(folder, "old");
    bool some = predt__exists(old) && predt__list_folder(old, &names) && !replaced_something(names, old, home);
    for (char **name = names; some && name && *name; name++) {
        char *from = predt__join(old, *name), *to = predt__join(home, *name);
        if (!predt__exists(to) && rename(from, to) == 0) CPLDebug("PREDT", "%s is back in its place", to);
        CPLFree(from);
        CPLFree(to);
    }
    CSLDestroy(names);
    CPLFree(old);
}

static void sweep_one(const char *folder, const char *home) {
    int lock = -1;
    if (is_ours(folder) && is_dead(folder, &lock)) {
        restore(folder, home);
        if (predt__remove(folder)) CPLDebug("PREDT", "%s, left by a run that died, is removed", folder);
    }
    if (lock >= 0) close(lock);
}

/* Failures are none of this run's. */
static void sweep(const char *home) {
    DIR *opened = opendir(home);
    if (!opened) return;
    CPLPushErrorHandler(CPLQuietErrorHandler);
    for (struct dirent *entry; (entry = readdir(opened));) {
        if (!STARTS_WITH(entry->d_name, PREFIX)) continue;
        char *folder = predt__join(home, entry->d_name);
        sweep_one(folder, home);
        CPLFree(folder);
    }
    CPLPopErrorHandler();
    closedir(opened);
}

/* ---- Making and removing ---- */

static bool make_parts(const predt__staging *staging) {
    bool good = true;
    for (size_t i = 0; i < PARTS && good; i++) {
        char *folder = predt__join(staging->folder, parts[i]);
        good = VSIMkdir(folder, 0700) == 0;
        CPLFree(folder);
    }
    return good;
}

static bool make_local(predt__staging *staging) {
    char *folder = predt__join(staging->home, PREFIX "XXXXXX");
    sweep(staging->home);
    if (!mkdtemp(folder)) {
        CPLFree(folder);
        return refuse("cannot make a working folder", staging->home);
    }
    staging->folder = folder;
    return (take_lock(staging) && make_parts(staging)) || refuse("cannot make a working folder", staging->home);
}

/* Memory and object stores: folders of a name that nobody else has. */
static bool make_elsewhere(predt__staging *staging) {
    static int number;
    char name[64];
    snprintf(name, sizeof name, PREFIX "%d-%d", (int)getpid(), __atomic_add_fetch(&number, 1, __ATOMIC_RELAXED));
    staging->folder = predt__join(staging->home, name);
    return (VSIMkdir(staging->folder, 0700) == 0 && make_parts(staging)) ||
           refuse("cannot make a working folder", staging->home);
}

bool predt__staging_open(predt__staging *staging, const char *home) {
    *staging = (predt__staging){.home = CPLStrdup(home), .lock = -1};
    errno = 0;
    return predt__is_local(home) ? make_local(staging) : make_elsewhere(staging);
}

void predt__staging_close(predt__staging *staging) {
    if (staging->folder) {
        CPLPushErrorHandler(CPLQuietErrorHandler);
        bool removed = predt__remove(staging->folder);
        CPLPopErrorHandler();
        if (!removed) CPLError(CE_Warning, CPLE_FileIO, "%s could not be removed: %s", staging->folder, strerror(errno));
    }
    if (staging->home && staging->lock >= 0) close(staging->lock);
    CPLFree(staging->folder);
    CPLFree(staging->home);
    *staging = (predt__staging){.lock = -1};
}
