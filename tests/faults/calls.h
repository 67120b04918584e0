/* The system calls that inject.c can make fail, in families: one family is one kind of thing that
 * goes wrong on real disks. */
#ifndef PREDT_FAULTS_CALLS_H
#define PREDT_FAULTS_CALLS_H

#include <sys/syscall.h>

/* What a call is about: decides whether it lies below the folders that count. */
typedef enum subject {
    BY_FD,   /* the file behind a descriptor */
    BY_PATH, /* a path */
    BY_AT,   /* a path relative to the folder whose descriptor stands before it */
    /* the file that is mapped; memory without a file counts from the first file below on */
    BY_MAP,
    ALWAYS
} subject;

typedef struct traced_call {
    const char *family, *name;
    int number;
    subject subject;
    int argument; /* which one the subject is, from 0 */
} traced_call;

#define CALL(family, name, subject, argument)                                                      \
    { family, #name, SYS_##name, subject, argument }

static const traced_call calls[] = {
    CALL("write", write, BY_FD, 0),
    CALL("write", pwrite64, BY_FD, 0),
    CALL("write", writev, BY_FD, 0),
    CALL("write", pwritev, BY_FD, 0),
    CALL("write", pwritev2, BY_FD, 0),
    CALL("write", sendfile, BY_FD, 0),
    CALL("write", copy_file_range, BY_FD, 2),
    CALL("read", read, BY_FD, 0),
    CALL("read", pread64, BY_FD, 0),
    CALL("read", readv, BY_FD, 0),
    CALL("read", preadv, BY_FD, 0),
    CALL("seek", lseek, BY_FD, 0),
    CALL("sync", fsync, BY_FD, 0),
    CALL("sync", fdatasync, BY_FD, 0),
    CALL("sync", sync_file_range, BY_FD, 0),
    CALL("sync", syncfs, BY_FD, 0),
    CALL("sync", msync, ALWAYS, 0),
    CALL("close", close, BY_FD, 0),
    CALL("rename", rename, BY_PATH, 0),
    CALL("rename", renameat, BY_AT, 1),
    CALL("rename", renameat2, BY_AT, 1),
    CALL("link", link, BY_PATH, 0),
    CALL("link", linkat, BY_AT, 1),
    CALL("link", symlink, BY_PATH, 1),
    CALL("link", symlinkat, BY_AT, 2),
    CALL("unlink", unlink, BY_PATH, 0),
    CALL("unlink", unlinkat, BY_AT, 1),
    CALL("unlink", rmdir, BY_PATH, 0),
    CALL("mkdir", mkdir, BY_PATH, 0),
    CALL("mkdir", mkdirat, BY_AT, 1),
    CALL("truncate", ftruncate, BY_FD, 0),
    CALL("truncate", truncate, BY_PATH, 0),
    CALL("truncate", fallocate, BY_FD, 0),
    CALL("open", open, BY_PATH, 0),
    CALL("open", openat, BY_AT, 1),
    CALL("open", openat2, BY_AT, 1),
    CALL("open", creat, BY_PATH, 0),
    CALL("stat", stat, BY_PATH, 0),
    CALL("stat", lstat, BY_PATH, 0),
    CALL("stat", fstat, BY_FD, 0),
    CALL("stat", newfstatat, BY_AT, 1),
    CALL("stat", statx, BY_AT, 1),
    CALL("stat", statfs, BY_PATH, 0),
    CALL("stat", fstatfs, BY_FD, 0),
    CALL("stat", access, BY_PATH, 0),
    CALL("stat", faccessat, BY_AT, 1),
    CALL("stat", faccessat2, BY_AT, 1),
    CALL("list", getdents64, BY_FD, 0),
    CALL("mode", chmod, BY_PATH, 0),
    CALL("mode", fchmod, BY_FD, 0),
    CALL("mode", fchmodat, BY_AT, 1),
    CALL("mode", chown, BY_PATH, 0),
    CALL("mode", fchown, BY_FD, 0),
    CALL("mode", fchownat, BY_AT, 1),
    CALL("mode", fsetxattr, BY_FD, 0),
    CALL("lock", flock, BY_FD, 0),
    CALL("lock", fcntl, BY_FD, 0),
    CALL("map", mmap, BY_MAP, 4),
    CALL("thread", clone, ALWAYS, 0),
    CALL("thread", clone3, ALWAYS, 0),
};

#define CALLS (sizeof calls / sizeof calls[0])

#endif
