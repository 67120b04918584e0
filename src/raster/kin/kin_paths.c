/* Paths of any length: GDAL's own functions for them stop at 2,048 bytes. */
#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kin_paths.h"

bool predt__kin_is_virtual(const char *name) { return STARTS_WITH(name, "/vsi"); }

/* The word is in lower case. */
bool predt__kin_has_word(const char *text, const char *word) {
    for (size_t length = strlen(word); *text; text++)
        if ((*text | 0x20) == *word && EQUALN(text, word, length)) return true;
    return false;
}

bool predt__kin_leads_out(const char *name) {
    static const char *const marks[] = {
        "/vsicurl",  "/vsis3",      "/vsigs",    "/vsiaz",     "/vsiadls", "/vsioss", "/vsiswift",
        "/vsihdfs",  "/vsiwebhdfs", "/vsistdin", "http:",      "https:",   "ftp:",    "s3:",
        "gs:",       "wms:",        "wmts:",     "wcs:",       "pg:",      "eedai:",  "ogcapi:",
        "plmosaic:", "daas:",       "ngw:",      "georaster:", "iip:"};
    if (!strchr(name, ':') && !strstr(name, "/vsi")) return false; /* nearly all */
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (predt__kin_has_word(name, marks[i])) return true;
    return false;
}

bool predt__kin_is_remote(const char *name) {
    bool begins =
        predt__kin_is_virtual(name) || STARTS_WITH_CI(name, "http") || STARTS_WITH_CI(name, "ftp");
    return begins && predt__kin_leads_out(name);
}

char *predt__kin_joined(const char *folder, const char *name) {
    size_t length = strlen(folder), size = length + strlen(name) + 2;
    char *path = CPLMalloc(size);
    snprintf(path, size, "%s%s%s", folder, length && folder[length - 1] != '/' ? "/" : "", name);
    return path;
}

/* "" where the path is a bare name. */
char *predt__kin_folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = CPLStrdup(path);
    folder[slash ? slash - path + (slash == path) : 0] = 0;
    return folder;
}

const char *predt__kin_last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The folder without links, so that a name has one spelling and circles end. The last part stays:
 * GDAL looks for companions beside the name that it was given. */
char *predt__kin_spelled(const char *path) {
    char *folder = predt__kin_folder_of(path);
    char *real = predt__kin_is_virtual(path) ? NULL : realpath(*folder ? folder : ".", NULL);
    char *name = real ? predt__kin_joined(real, predt__kin_last_part(path)) : CPLStrdup(path);
    CPLFree(folder);
    free(real);
    return name;
}

/* A file, or a folder that is named as a raster is. */
bool predt__kin_is_there(const char *path, bool folders) {
    VSIStatBufL status;
    if (VSIStatExL(path, &status, VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG) != 0) return false;
    return folders ? *predt__kin_last_part(path) && *predt__kin_last_part(path) != '.'
                   : !VSI_ISDIR(status.st_mode);
}
