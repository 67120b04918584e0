#define _GNU_SOURCE
#include "names.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Names; GDAL's own functions for them end at 2,048 bytes ---- */

bool predt__is_local(const char *path) { return !STARTS_WITH(path, "/vsi"); }

const char *predt__name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static char *part(const char *text, size_t length) {
    char *copy = CPLMalloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

char *predt__folder_of(const char *path) {
    size_t length = (size_t)(predt__name_of(path) - path);
    if (length == 0) return CPLStrdup(".");
    return part(path, length > 1 ? length - 1 : 1); /* "/" stays */
}

const char *predt__extension_of(const char *name) {
    const char *dot = strrchr(predt__name_of(name), '.');
    return dot ? dot + 1 : name + strlen(name);
}

char *predt__stem_of(const char *name) {
    const char *extension = predt__extension_of(name);
    return part(name, (size_t)(extension - name) -
                          (*extension || (extension > name && extension[-1] == '.')));
}

char *predt__join(const char *folder, const char *name) {
    size_t length = strlen(folder), size = strlen(name);
    char *path = CPLMalloc(length + size + 2);
    memcpy(path, folder, length);
    path[length] = '/';
    memcpy(path + length + (length == 0 || folder[length - 1] != '/'), name, size + 1);
    return path;
}

char *predt__final_path(const char *path) {
    char *real = predt__is_local(path) ? realpath(path, NULL) : NULL;
    if (!real && predt__is_local(path)) { /* not there yet */
        char *folder = predt__folder_of(path), *real_folder = realpath(folder, NULL);
        char *joined = real_folder ? predt__join(real_folder, predt__name_of(path)) : NULL;
        free(real_folder);
        CPLFree(folder);
        if (joined) return joined;
    }
    char *copy = CPLStrdup(real ? real : path);
    free(real);
    return copy;
}

/* ---- Same or not, there or not ---- */

static bool same_inode(const char *a, const char *b) {
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

bool predt__same_file(const char *a, const char *b) {
    if (strcmp(a, b) == 0 || same_inode(a, b)) return true;
    if (strcmp(predt__name_of(a), predt__name_of(b)) != 0) return false;
    char *folder = predt__folder_of(a), *other = predt__folder_of(b);
    bool same = same_inode(folder, other);
    CPLFree(folder);
    CPLFree(other);
    return same;
}

bool predt__exists(const char *path) {
    struct stat local;
    VSIStatBufL other;
    return predt__is_local(path) ? lstat(path, &local) == 0 : VSIStatL(path, &other) == 0;
}

/* ---- Folders ---- */

static int ascending(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* CSLAddString would count the list anew for each name. */
static bool list_local(const char *folder, char ***names) {
    DIR *opened = opendir(folder);
    if (!opened) return false;
    size_t count = 0, capacity = 0;
    errno = 0;
    for (struct dirent *entry; (entry = readdir(opened)); errno = 0) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (count + 1 >= capacity)
            *names = CPLRealloc(*names, (capacity = 2 * capacity + 8) * sizeof **names);
        (*names)[count++] = CPLStrdup(entry->d_name);
        (*names)[count] = NULL;
    }
    int fault = errno;
    closedir(opened);
    errno = fault;
    return fault == 0;
}

bool predt__list_folder(const char *folder, char ***names) {
    *names = NULL;
    bool good = true;
    if (predt__is_local(folder)) good = list_local(folder, names);
    else {
        char **all = VSIReadDir(folder);
        for (char **name = all; name && *name; name++)
            if (strcmp(*name, ".") != 0 && strcmp(*name, "..") != 0)
                *names = CSLAddString(*names, *name);
        CSLDestroy(all);
    }
    if (!good)
        CPLError(CE_Failure, CPLE_FileIO, "%s cannot be read: %s", folder, VSIStrerror(errno));
    if (*names) qsort(*names, (size_t)CSLCount(*names), sizeof **names, ascending);
    return good;
}

static bool is_folder(const char *path) {
    struct stat local;
    VSIStatBufL other;
    if (predt__is_local(path)) return lstat(path, &local) == 0 && S_ISDIR(local.st_mode);
    return VSIStatL(path, &other) == 0 && VSI_ISDIR(other.st_mode);
}

static bool remove_tree(const char *folder) {
    char **names;
    bool good = predt__list_folder(folder, &names);
    for (char **name = names; name && *name; name++) {
        char *inner = predt__join(folder, *name);
        good &= predt__remove(inner);
        CPLFree(inner);
    }
    CSLDestroy(names);
    return VSIRmdir(folder) == 0 && good;
}

bool predt__remove(const char *path) {
    return is_folder(path) ? remove_tree(path) : VSIUnlink(path) == 0;
}
