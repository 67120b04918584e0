/* A library for LD_PRELOAD: makes the n-th allocation of a process fail, counted from the end of
 * GDALAllRegister on (what fails before is GDAL's start).
 *
 *   PREDT_FAULT_NTH      which one, from 1; 0: none
 *   PREDT_FAULT_ON       from then on, if set
 *   PREDT_FAULT_REPORT   a file that gets "N OBJECT" when one fails first: OBJECT is the program or
 *                        library that asked
 *
 * No report means that n was past the end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VISIBLE __attribute__((visibility("default")))

/* glibc's own names: what we stand before, without a look-up that would itself allocate. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static long nth;
static bool on;
static int report_file = -1;
static atomic_bool armed;
static atomic_long count;
static atomic_flag told = ATOMIC_FLAG_INIT;

static void tell(long number, void *caller) {
    Dl_info object;
    char text[512];
    if (atomic_flag_test_and_set(&told) || report_file < 0) return;
    bool known = dladdr(caller, &object) && object.dli_fname;
    int length = snprintf(text, sizeof text, "%ld %s\n", number, known ? object.dli_fname : "?");
    if (write(report_file, text, (size_t)length) != length) abort();
}

static bool fails(void *caller) {
    if (!atomic_load_explicit(&armed, memory_order_relaxed)) return false;
    long number = atomic_fetch_add(&count, 1) + 1;
    if (number != nth && !(on && number > nth)) return false;
    tell(number, caller);
    errno = ENOMEM;
    return true;
}

#define FAILS fails(__builtin_return_address(0))

VISIBLE void *malloc(size_t size) { return FAILS ? NULL : __libc_malloc(size); }
VISIBLE void *calloc(size_t count_of, size_t size) {
    return FAILS ? NULL : __libc_calloc(count_of, size);
}
VISIBLE void *realloc(void *old, size_t size) {
    return size && FAILS ? NULL : __libc_realloc(old, size);
}
VISIBLE void *memalign(size_t alignment, size_t size) {
    return FAILS ? NULL : __libc_memalign(alignment, size);
}
VISIBLE void *aligned_alloc(size_t alignment, size_t size) {
    return FAILS ? NULL : __libc_memalign(alignment, size);
}

VISIBLE int posix_memalign(void **made, size_t alignment, size_t size) {
    void *bytes = FAILS ? NULL : __libc_memalign(alignment, size);
    if (!bytes) return ENOMEM;
    *made = bytes;
    return 0;
}

VISIBLE void GDALAllRegister(void) {
    void (*real)(void);
    *(void **)&real = dlsym(RTLD_NEXT, "GDALAllRegister");
    real();
    const char *number = getenv("PREDT_FAULT_NTH"), *report = getenv("PREDT_FAULT_REPORT");
    nth = number ? strtol(number, NULL, 10) : 0;
    on = getenv("PREDT_FAULT_ON") != NULL;
    if (report) report_file = open(report, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    atomic_store(&armed, nth > 0);
}
