#include "stamp.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../kin/kin.h"

/* A change within the second of the last one cannot be told from it; two allow for clocks that
 * differ a little. */
#define SETTLED_SECONDS 2

static bool is_local(const char *path) { return !STARTS_WITH(path, "/vsi"); }

/* A path of any length, and numbers. */
static char *line_with(const char *path, const char *format, ...) {
    char numbers[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(numbers, sizeof numbers, format, arguments);
    va_end(arguments);
    size_t size = strlen(path) + strlen(numbers) + 1;
    char *line = CPLMalloc(size);
    snprintf(line, size, "%s%s", path, numbers);
    return line;
}

static char *local_line(const char *path, const VSIStatBufL *stat) {
    return line_with(path,
                     " %" PRIu64 ":%" PRIu64 " %" PRId64 " %" PRId64 ".%09ld %" PRId64 ".%09ld",
                     (uint64_t)stat->st_dev, (uint64_t)stat->st_ino, (int64_t)stat->st_size,
                     (int64_t)stat->st_mtim.tv_sec, stat->st_mtim.tv_nsec,
                     (int64_t)stat->st_ctim.tv_sec, stat->st_ctim.tv_nsec);
}

/* NULL if the file cannot be looked up. CPLFree it. */
static char *line_of(const char *path, bool *settled) {
    VSIStatBufL stat;
    if (VSIStatL(path, &stat) != 0) return NULL;
    if (is_local(path)) return local_line(path, &stat);
    if (stat.st_mtime == 0 || time(NULL) - stat.st_mtime < SETTLED_SECONDS) *settled = false;
    return line_with(path, " %" PRId64 " %" PRId64, (int64_t)stat.st_size, (int64_t)stat.st_mtime);
}

/* ---- Lines, one after the other ---- */

typedef struct text {
    char *bytes;
    size_t length, capacity;
} text;

static void append_line(text *t, const char *line) {
    size_t length = strlen(line);
    if (t->length + length + 2 > t->capacity) {
        t->capacity = 2 * (t->length + length + 2);
        t->bytes = CPLRealloc(t->bytes, t->capacity);
    }
    memcpy(t->bytes + t->length, line, length);
    memcpy(t->bytes + t->length + length, "\n", 2);
    t->length += length + 1;
}

static bool append_file(text *t, const char *path, bool *settled) {
    char *line = line_of(path, settled);
    if (line) append_line(t, line);
    CPLFree(line);
    return line != NULL;
}

/* A dataset lists its own sources, but not theirs. */
static void append_kin(text *t, const char *name, bool *settled) {
    predt__kin *kin = predt__kin_open(name, NULL);
    for (char **names = predt__kin_names(kin); names && *names; names++)
        if (!predt__kin_is_here(*names) || !append_file(t, *names, settled)) *settled = false;
    predt__kin_close(&kin);
}

char *predt__stamp(const char *name, GDALDatasetH dataset, bool *settled) {
    char **files = GDALGetFileList(dataset);
    text stamp = {0};
    bool good = true;
    *settled = true;
    for (char **file = files; file && *file && good; file++)
        good = append_file(&stamp, *file, settled);
    CSLDestroy(files);
    if (good && stamp.bytes) append_kin(&stamp, name, settled);
    if (good) return stamp.bytes;
    CPLFree(stamp.bytes);
    return NULL;
}
