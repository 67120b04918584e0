#include "stamp.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

/* A change within the second of the last one cannot be told from it; two leave room for clocks that differ a little. */
#define SETTLED_SECONDS 2

static bool is_local(const char *path) { return !STARTS_WITH(path, "/vsi"); }

static const char *local_line(const char *path, const VSIStatBufL *stat) {
    return CPLSPrintf("%s %" PRIu64 ":%" PRIu64 " %" PRId64 " %" PRId64 ".%09ld %" PRId64 ".%09ld", path,
                      (uint64_t)stat->st_dev, (uint64_t)stat->st_ino, (int64_t)stat->st_size, (int64_t)stat->st_mtim.tv_sec,
                      stat->st_mtim.tv_nsec, (int64_t)stat->st_ctim.tv_sec, stat->st_ctim.tv_nsec);
}

/* NULL if the file cannot be looked up. */
static const char *line_of(const char *path, bool *settled) {
    VSIStatBufL stat;
    if (VSIStatL(path, &stat) != 0) return NULL;
    if (is_local(path)) return local_line(path, &stat);
    if (stat.st_mtime == 0 || time(NULL) - stat.st_mtime < SETTLED_SECONDS) *settled = false;
    return CPLSPrintf("%s %" PRId64 " %" PRId64, path, (int64_t)stat.st_size, (int64_t)stat.st_mtime);
}

static char *append_line(char *text, const char *line) {
    size_t before = text ? strlen(text) : 0, length = strlen(line);
    text = CPLRealloc(text, before + length + 2);
    memcpy(text + before, line, length);
    memcpy(text + before + length, "\n", 2);
    return text;
}

char *predt__stamp(GDALDatasetH dataset, bool *settled) {
    char **files = GDALGetFileList(dataset), *stamp = NULL;
    *settled = true;
    for (char **file = files; file && *file; file++) {
        const char *line = line_of(*file, settled);
        if (line) {
            stamp = append_line(stamp, line);
            continue;
        }
        CPLFree(stamp);
        stamp = NULL;
        break;
    }
    CSLDestroy(files);
    return stamp;
}
