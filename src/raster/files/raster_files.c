#include "raster_files.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <stdbool.h>
#include <string.h>

#include "names.h"

static bool has_stem(const char *name, const char *stem) {
    size_t length = strlen(stem);
    return strncmp(name, stem, length) == 0 && (name[length] == '.' || !name[length]);
}

char **predt__files_of_raster(const char *path, GDALDatasetH dataset) {
    static const char *const suffixes[] = {".aux.xml", ".ovr", ".msk", ".msk.ovr", ".ovr.aux.xml"};
    char **listed = dataset ? GDALGetFileList(dataset) : NULL, **files = CSLAddString(NULL, path);
    char *folder = predt__folder_of(path), *stem = predt__stem_of(predt__name_of(path));
    for (char **file = listed; file && *file; file++) {
        char *other = predt__folder_of(*file);
        if (strcmp(other, folder) == 0 && has_stem(predt__name_of(*file), stem) &&
            CSLFindStringCaseSensitive(files, *file) < 0)
            files = CSLAddString(files, *file);
        CPLFree(other);
    }
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        const char *companion = CPLSPrintf("%s%s", path, suffixes[i]);
        if (predt__exists(companion) && CSLFindStringCaseSensitive(files, companion) < 0)
            files = CSLAddString(files, companion);
    }
    CSLDestroy(listed);
    CPLFree(folder);
    CPLFree(stem);
    return files;
}
