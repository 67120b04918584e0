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

#include "names.h"

#define PREFIX ".predt-"
#define LOCK "lock"
#define NEW_LOCK "lock.new"
#define KEEP "keep"

/* A folder without a lock is that of a run that has just begun, or died at once: the latter after
 * this many seconds. */
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

/* Renamed when it is locked: whoever finds it unlocked knows that the run is dead. Where there are
 * no locks (some network file systems) it names no host, and nobody dares to remove the folder. */
static bool take_lock(predt__staging *staging) {
    char host[256], *early = predt__join(staging->folder, NEW_LOCK),
                    *lock = predt__join(staging->folder, LOCK);
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

static bool is_there(const char *folder, const char *part, const char *name) {
    char *inner = part ? predt__join(folder, part) : CPLStrdup(folder),
         *path = predt__join(inner, name);
    bool there = predt__exists(path);
    CPLFree(inner);
    CPLFree(path);
    return there;
}

/* The names of a journal, in order, with their inodes; NULL where there is none: nothing was
 * moved. */
static char **read_journal(const char *folder) {
    char *path = predt__join(folder, PREDT__JOURNAL), **entries = NULL;
    GByte *bytes = NULL;
    vsi_l_offset count = 0;
    if (VSIIngestFile(NULL, path, &bytes, &count, 1 << 24))
        for (vsi_l_offset at = 0; at < count; at += strlen((char *)bytes + at) + 1)
            entries = CSLAddString(entries, (char *)bytes + at);
    VSIFree(bytes);
    CPLFree(path);
    return entries;
}

static const char *name_in(const char *entry) {
    return strchr(entry, ' ') ? strchr(entry, ' ') + 1 : "";
}

/* Takes back one move: the new file goes if it is still the one that was put there, and the old one
 * returns. */
static bool take_back(const char *folder, const char *home, const char *name,
                      unsigned long long inode) {
    struct stat now;
    char *old = predt__join(folder, "old"), *before = predt__join(old, name),
         *to = predt__join(home, name);
    bool there = lstat(to, &now) == 0, ours = there && (unsigned long long)now.st_ino == inode,
         good = true;
    if (predt__exists(before)) good = !(ours || !there) || rename(before, to) == 0;
    else if (ours) good = predt__remove(to);
    CPLFree(old);
    CPLFree(before);
    CPLFree(to);
    return good;
}

/* A raster is in place when its main file is, which is moved last: then there is nothing to take
 * back. */
static bool restore(const char *folder, const char *home) {
    char **entries = read_journal(folder), **names = NULL, *old = predt__join(folder, "old");
    int count = CSLCount(entries);
    bool good = true;
    if (count && is_there(folder, "new", name_in(entries[count - 1]))) {
        for (int i = 0; i < count; i++)
            good &= take_back(folder, home, name_in(entries[i]), strtoull(entries[i], NULL, 10));
        good &= predt__list_folder(old, &names); /* those that were only taken away */
        for (char **name = names; name && *name; name++) good &= take_back(folder, home, *name, 0);
    }
    CSLDestroy(names);
    CSLDestroy(entries);
    CPLFree(old);
    return good;
}

static void sweep_one(const char *folder, const char *home) {
    int lock = -1;
    if (is_ours(folder) && is_dead(folder, &lock) && !is_there(folder, NULL, KEEP)) {
        if (restore(folder, home) && predt__remove(folder))
            CPLDebug("PREDT", "%s, left by a run that died, is removed", folder);
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
    return (take_lock(staging) && make_parts(staging)) ||
           refuse("cannot make a working folder", staging->home);
}

/* Memory and object stores: folders of a name that nobody else has. */
static bool make_elsewhere(predt__staging *staging) {
    static int number;
    char name[64];
    snprintf(name, sizeof name, PREFIX "%d-%d", (int)getpid(),
             __atomic_add_fetch(&number, 1, __ATOMIC_RELAXED));
    staging->folder = predt__join(staging->home, name);
    return (VSIMkdir(staging->folder, 0700) == 0 && make_parts(staging)) ||
           refuse("cannot make a working folder", staging->home);
}

bool predt__staging_open(predt__staging *staging, const char *home) {
    *staging = (predt__staging){.home = CPLStrdup(home), .lock = -1};
    errno = 0;
    return predt__is_local(home) ? make_local(staging) : make_elsewhere(staging);
}

void predt__staging_keep(predt__staging *staging) {
    char *mark = predt__join(staging->folder, KEEP);
    staging->keep = true;
    VSIMkdir(mark, 0700);
    CPLFree(mark);
}

void predt__staging_close(predt__staging *staging) {
    if (staging->folder && !staging->keep) {
        CPLPushErrorHandler(CPLQuietErrorHandler);
        bool removed = predt__remove(staging->folder);
        CPLPopErrorHandler();
        if (!removed)
            CPLError(CE_Warning, CPLE_FileIO, "%s could not be removed: %s", staging->folder,
                     strerror(errno));
    }
    if (staging->home && staging->lock >= 0) close(staging->lock);
    CPLFree(staging->folder);
    CPLFree(staging->home);
    *staging = (predt__staging){.lock = -1};
}
