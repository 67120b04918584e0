/* platform.h on Linux. */
#define _GNU_SOURCE
#include "platform.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char *predt__system_error(void) { return strerror(errno); }

/* ---- Threads ---- */

void predt__mutex_init(predt__mutex *mutex) { pthread_mutex_init(mutex, NULL); }
void predt__mutex_destroy(predt__mutex *mutex) { pthread_mutex_destroy(mutex); }
void predt__mutex_lock(predt__mutex *mutex) { pthread_mutex_lock(mutex); }
void predt__mutex_unlock(predt__mutex *mutex) { pthread_mutex_unlock(mutex); }

bool predt__thread_start(predt__thread *thread, void *(*run)(void *), void *argument) {
    return pthread_create(thread, NULL, run, argument) == 0;
}

void predt__thread_join(predt__thread thread) { pthread_join(thread, NULL); }

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool has_key;

static void make_key(void) { has_key = pthread_key_create(&key, free) == 0; }

/* Allocated when a thread first asks: the C library ends a process that has no memory for
 * thread-local variables. */
void *predt__thread_memory(size_t bytes) {
    pthread_once(&once, make_key);
    void *own = has_key ? pthread_getspecific(key) : NULL;
    if (own || !has_key) return own;
    own = calloc(1, bytes);
    if (own && pthread_setspecific(key, own) == 0) return own;
    free(own);
    return NULL;
}

/* ---- Processor ---- */

int predt__cpu_count(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

bool predt__cpu_has_avx2(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
#else
    return false;
#endif
}

bool predt__cpu_has_avx512(void) {
#if defined(__x86_64__)
    return predt__cpu_has_avx2() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd");
#else
    return false;
#endif
}

/* ---- Memory ---- */

size_t predt__page_bytes(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static void *map(size_t bytes, int flags, int file, int64_t start) {
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, file, start);
    return pages == MAP_FAILED ? NULL : pages;
}

/* From here on the kernel is asked for large pages: zeroing and mapping small ones costs as much as
 * filling them. */
#define LARGE_PAGES ((size_t)1 << 22)

void *predt__pages_new(size_t bytes) {
    void *pages = map(bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages && bytes >= LARGE_PAGES) madvise(pages, bytes, MADV_HUGEPAGE);
    return pages;
}

void *predt__pages_sparse(size_t bytes) {
    return map(bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

void predt__pages_free(void *pages, size_t bytes) { munmap(pages, bytes); }

/* ---- Temporary files ---- */

const char *predt__temp_folder(void) {
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

int predt__file_new(const char *folder) {
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/predt-XXXXXX", folder);
    if (length >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int file = mkostemp(path, O_CLOEXEC);
    if (file >= 0) unlink(path);
    return file;
}

void predt__file_close(int file) { close(file); }

/* posix_fallocate, not ftruncate: with that a full disk is a SIGBUS at the first write. */
void *predt__file_pages(int file, int64_t start, size_t bytes) {
    errno = posix_fallocate(file, start, (off_t)bytes);
    return errno ? NULL : map(bytes, MAP_SHARED, file, start);
}

void predt__file_pages_drop(void *pages, size_t bytes) { madvise(pages, bytes, MADV_DONTNEED); }
