#include "files.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Names ---- */

static bool same_inode(const char *a, const char *b) {
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

bool predt__same_file(const char *a, const char *b) {
    if (strcmp(a, b) == 0 || same_inode(a, b)) return true;
    if (strcmp(CPLGetFilename(a), CPLGetFilename(b)) != 0) return false;
    char *folder = CPLStrdup(CPLGetDirname(a));
    bool same = same_inode(folder, CPLGetDirname(b));
    CPLFree(folder);
    return same;
}

char *predt__final_path(const char *path) {
    char *real = STARTS_WITH(path, "/vsi") ? NULL : realpath(path, NULL);
    char *copy = CPLStrdup(real ? real : path);
    free(real);
    return copy;
}

char *predt__working_name(const char *path, const char *mark, const char *extension) {
    char *folder = CPLStrdup(CPLGetPath(path)), *stem = CPLStrdup(CPLGetBasename(path)), *name = NULL;
    VSIStatBufL stat;
    for (int attempt = 0; !name || VSIStatL(name, &stat) == 0; attempt++) {
        CPLFree(name);
        const char *unique = CPLSPrintf("%s-%s%d-%d", stem, mark, (int)getpid(), attempt);
        name = CPLStrdup(CPLFormFilename(folder, unique, extension));
    }
    CPLFree(folder);
    CPLFree(stem);
    return name;
}

/* ---- Companions ---- */

/* Names in the folder that are the path's stem and some extension. A working name has a stem of its own, so all of them
 * belong to it, whether or not a driver lists them (a .tfw, a file that a stopped copy left). */
static char **files_of(const char *path) {
    char *stem = CPLStrdup(CPLGetBasename(path)), *folder = CPLStrdup(CPLGetPath(path));
    char **names = VSIReadDir(*folder ? folder : "."), **files = NULL;
    size_t length = strlen(stem);
    for (char **name = names; name && *name; name++)
        if (strncmp(*name, stem, length) == 0 && ((*name)[length] == '.' || !(*name)[length]))
            files = CSLAddString(files, *name);
    CSLDestroy(names);
    CPLFree(folder);
    CPLFree(stem);
    return files;
}

static const char *beside(const char *path, const char *name) { return CPLFormFilename(CPLGetPath(path), name, NULL); }

void predt__remove_dataset(const char *path) {
    char **files = files_of(path);
    for (char **file = files; file && *file; file++) {
        VSIStatBufL stat;
        char *name = CPLStrdup(beside(path, *file));
        if (VSIStatL(name, &stat) == 0 && VSI_ISDIR(stat.st_mode)) VSIRmdirRecursive(name);
        else VSIUnlink(name);
        CPLFree(name);
    }
    CSLDestroy(files);
}

/* What belonged to the raster that is being replaced, and would be taken for the new one's. */
static void remove_companions(const char *path) {
    static const char *const suffixes[] = {".aux.xml", ".ovr", ".msk", ".msk.ovr"};
    CPLPushErrorHandler(CPLQuietErrorHandler);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        VSIStatBufL stat;
        const char *companion = CPLSPrintf("%s%s", path, suffixes[i]);
        if (VSIStatL(companion, &stat) == 0) VSIUnlink(companion);
    }
    CPLPopErrorHandler();
}

/* The new name of a companion: the stem is another, what follows it stays. */
static char *renamed(const char *file, const char *from, const char *to) {
    const char *rest = file + strlen(CPLGetBasename(from));
    if (strcmp(file, CPLGetFilename(from)) == 0) return CPLStrdup(to);
    return CPLStrdup(beside(to, CPLSPrintf("%s%s", CPLGetBasename(to), rest)));
}

static bool move_file(const char *file, const char *from, const char *to) {
    char *old_name = CPLStrdup(beside(from, file)), *new_name = renamed(file, from, to);
    bool good = VSIRename(old_name, new_name) == 0;
    CPLFree(old_name);
    CPLFree(new_name);
    return good;
}

/* The main file goes last: from then on the raster is there, with all its companions. */
static bool move_files(const char *from, const char *to) {
    char **files = files_of(from);
    const char *main_file = CPLGetFilename(from);
    bool good = true;
    for (char **file = files; file && *file && good; file++)
        if (strcmp(*file, main_file) != 0) good = move_file(*file, from, to);
    CSLDestroy(files);
    return good && move_file(main_file, from, to);
}

bool predt__move_dataset(const char *from, const char *to, GDALDriverH driver) {
    remove_companions(to);
    errno = 0;
    if (EQUAL(GDALGetDriverShortName(driver), "HFA")) /* its files name each other */
        return GDALRenameDataset(driver, to, from) == CE_None;
    if (move_files(from, to)) return true;
    CPLError(CE_Failure, CPLE_FileIO, "%s cannot be put in place: %s", to, VSIStrerror(errno));
    return false;
}
