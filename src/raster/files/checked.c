#define _GNU_SOURCE
#include "checked.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "names.h"

#define PREFIX "/vsipredt/"

/* Bytes after which the kernel is asked to begin with writing, so that little is left to wait for
 * at the end. */
#define BEGIN_BYTES ((off_t)16 << 20)

typedef struct handle {
    predt__checked *watch;   /* whose folder it lies in; NULL: in none that is watched */
    predt__checked *checked; /* the same where it is open for writing; else NULL */
    int file;
    off_t at, end; /* end: what the file's size would be if every write had worked */
    off_t written; /* since the kernel was asked to begin */
    bool writes, at_end;
    char *name; /* for messages */
} handle;

/* ---- Files ---- */

static int flags_of(const char *access) {
    int flags = strchr(access, '+') ? O_RDWR : access[0] == 'r' ? O_RDONLY : O_WRONLY;
    if (access[0] == 'w') flags |= O_CREAT | O_TRUNC;
    if (access[0] == 'a') flags |= O_CREAT;
    return flags | O_CLOEXEC;
}

static void *open_file(void *user, const char *path, const char *access) {
    (void)user;
    int flags = flags_of(access);
    bool writes = (flags & O_ACCMODE) != O_RDONLY;
    handle *made = VSICalloc(1, sizeof *made);
    if (!made) return NULL;
    *made = (handle){.watch = predt__watch_of(path), .writes = writes};
    if (writes) made->checked = made->watch;
    made->file = open(path, flags, 0666);
    if (made->file >= 0) made->name = VSIStrdup(predt__name_of(path));
    if (made->name) {
        if (access[0] == 'a') made->at = lseek(made->file, 0, SEEK_END);
        return made;
    }
    if (made->file >= 0) close(made->file), errno = ENOMEM;
    if (writes && (flags & O_CREAT))
        predt__checked_note(made->watch, "making", predt__name_of(path));
    /* the folder is ours */
    else if (errno != ENOENT && errno != ENOTDIR)
        predt__checked_note(made->watch, "opening", predt__name_of(path));
    VSIFree(made);
    return NULL;
}

static vsi_l_offset tell(void *file) { return (vsi_l_offset)((handle *)file)->at; }

static off_t size_of(const handle *h) {
    struct stat stat;
    off_t size = fstat(h->file, &stat) == 0 ? stat.st_size : 0;
    return size > h->end ? size : h->end;
}

static int seek(void *file, vsi_l_offset offset, int whence) {
    handle *h = file;
    off_t from = whence == SEEK_CUR ? h->at : whence == SEEK_END ? size_of(h) : 0;
    h->at = from + (off_t)offset;
    h->at_end = false;
    return 0;
}

static size_t read_file(void *file, void *buffer, size_t size, size_t count) {
    handle *h = file;
    size_t wanted = size * count, done = 0;
    while (done < wanted) {
        ssize_t some = pread(h->file, (char *)buffer + done, wanted - done, h->at + (off_t)done);
        if (some < 0 && errno == EINTR) continue;
        if (some < 0 && errno != EISDIR) predt__checked_note(h->watch, "reading", h->name);
        if (some <= 0) break;
        done += (size_t)some;
    }
    if (done < wanted) h->at_end = true;
    size_t whole = size ? done / size : 0;
    h->at += (off_t)(whole * size);
    return whole;
}

static int at_end(void *file) { return ((handle *)file)->at_end; }

/* What cannot be done here is no fault: fsync tells in the end. */
static void begin_writing_back(handle *h) {
#ifdef SYNC_FILE_RANGE_WRITE
    if (h->written < BEGIN_BYTES) return;
    sync_file_range(h->file, 0, 0, SYNC_FILE_RANGE_WRITE);
    h->written = 0;
#else
    (void)h;
#endif
}

static size_t write_file(void *file, const void *buffer, size_t size, size_t count) {
    handle *h = file;
    const char *unused;
    size_t wanted = size * count, done = 0;
    while (done < wanted && !predt__checked_failed(h->checked, &unused)) {
        ssize_t some =
            pwrite(h->file, (const char *)buffer + done, wanted - done, h->at + (off_t)done);
        if (some < 0 && errno == EINTR) continue;
        if (some == 0) errno = EIO;
        if (some <= 0) {
            predt__checked_note(h->checked, "writing", h->name);
            break;
        }
        done += (size_t)some;
    }
    if (!h->checked && done < wanted) return done / (size ? size : 1);
    h->at += (off_t)wanted;
    h->written += (off_t)wanted;
    if (h->at > h->end) h->end = h->at;
    begin_writing_back(h);
    return count;
}

static int truncate_file(void *file, vsi_l_offset size) {
    handle *h = file;
    h->end = (off_t)size;
    if (ftruncate(h->file, (off_t)size) == 0) return 0;
    predt__checked_note(h->checked, "setting the size", h->name);
    return h->checked ? 0 : -1;
}

static int flush_file(void *file) { return (void)file, 0; } /* nothing is held back */

/* NULL: GDAL 3.13 closes a file that has been closed once more. */
static int close_file(void *file) {
    handle *h = file;
    if (!h) return 0;
    predt__checked_keep(h->checked, h->file, h->name);
    VSIFree(h->name);
    VSIFree(h);
    return 0;
}

/* ---- Names ---- */

static int stat_file(void *user, const char *path, VSIStatBufL *stat, int flags) {
    return (void)user, (void)flags, VSIStatL(path, stat);
}

static int unlink_file(void *user, const char *path) { return (void)user, unlink(path); }
static int rename_file(void *user, const char *from, const char *to) {
    return (void)user, rename(from, to);
}
static int remove_folder(void *user, const char *path) { return (void)user, rmdir(path); }

static int make_folder(void *user, const char *path, long mode) {
    (void)user;
    if (mkdir(path, (mode_t)mode) == 0) return 0;
    if (errno != EEXIST) predt__checked_note(predt__watch_of(path), "making", predt__name_of(path));
    return -1;
}

static char **read_folder(void *user, const char *path, int max) {
    return (void)user, VSIReadDirEx(path, max);
}

static void install(void) {
    VSIFilesystemPluginCallbacksStruct *calls = VSIAllocFilesystemPluginCallbacksStruct();
    calls->stat = stat_file;
    calls->unlink = unlink_file;
    calls->rename = rename_file;
    calls->mkdir = make_folder;
    calls->rmdir = remove_folder;
    calls->read_dir = read_folder;
    calls->open = open_file;
    calls->tell = tell;
    calls->seek = seek;
    calls->read = read_file;
    calls->eof = at_end;
    calls->write = write_file;
    calls->flush = flush_file;
    calls->truncate = truncate_file;
    calls->close = close_file;
    VSIInstallPluginHandler(PREFIX, calls);
    VSIFreeFilesystemPluginCallbacksStruct(calls);
}

char *predt__checked_name(const char *path) {
    size_t length = strlen(path);
    char *name = CPLMalloc(sizeof PREFIX + length);
    memcpy(name, PREFIX, sizeof PREFIX - 1);
    memcpy(name + sizeof PREFIX - 1, path, length + 1);
    return name;
}

predt__checked *predt__checked_open(const char *folder) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    return predt__watches_add(folder);
}
