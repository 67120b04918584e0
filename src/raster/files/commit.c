#define _GNU_SOURCE
#include "commit.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <errno.h>
#include <fcntl.h>
#include <gdal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../kin/kin.h"
#include "names.h"

/* ---- Planning ---- */

static bool is_in(char **files, const char *path) {
    bool found = false;
    for (char **file = files; file && *file && !found; file++)
        found = predt__same_file(*file, path);
    return found;
}

static void add(predt__commit *commit, predt__staging *staging, const char *from, const char *to) {
    if (commit->count == commit->capacity) {
        commit->capacity = 2 * commit->capacity + 8;
        commit->moves = CPLRealloc(commit->moves, (size_t)commit->capacity * sizeof *commit->moves);
    }
    commit->moves[commit->count++] =
        (predt__move){.staging = staging,
                      .from = from ? CPLStrdup(from) : NULL,
                      .to = CPLStrdup(to),
                      .aside = predt__staged(staging, "old", predt__name_of(to))};
}

/* Whether another dataset of the same stem counts the file among its own, as two rasters may share
 * a header. */
static bool has_another_owner(const char *path, const char *main_file) {
    char **names, *folder = predt__folder_of(main_file),
                  *stem = predt__stem_of(predt__name_of(main_file));
    size_t length = strlen(stem);
    bool found = false;
    CPLPushErrorHandler(CPLQuietErrorHandler);
    predt__list_folder(folder, &names);
    for (char **name = names; name && *name && !found; name++) {
        char *other = predt__join(folder, *name);
        bool candidate = strncmp(*name, stem, length) == 0 && (*name)[length] == '.' &&
                         !predt__same_file(other, path) && !predt__same_file(other, main_file);
        GDALDatasetH dataset =
            candidate ? GDALOpenEx(other, GDAL_OF_RASTER | GDAL_OF_VECTOR, NULL, NULL, NULL) : NULL;
        char **files = dataset ? GDALGetFileList(dataset) : NULL;
        /* else it is only the main file seen through a part of it */
        found = is_in(files, path) && is_in(files, other);
        CSLDestroy(files);
        if (dataset) GDALClose(dataset);
        CPLFree(other);
    }
    CPLPopErrorHandler();
    CSLDestroy(names);
    CPLFree(folder);
    CPLFree(stem);
    return found;
}

/* Whether a new file may take the place of what is at its final path. */
static bool may_replace(const char *to, const char *final, char **owned, predt__kin *kin) {
    const char *why = NULL;
    if (!predt__exists(to)) return true;
    if (predt__kin_of(kin, to)) why = "is a part of the source";
    else if (!is_in(owned, to)) why = "is there already and does not belong to it";
    else if (!predt__same_file(to, final) && has_another_owner(to, final))
        why = "belongs to another raster, too";
    if (why)
        CPLError(CE_Failure, CPLE_FileIO, "%s would be replaced, which %s: write to another name",
                 to, why);
    return !why;
}

static bool plan_new(predt__commit *commit, predt__staging *staging, const char *name,
                     const char *final, char **owned, predt__kin *kin) {
    char *from = predt__staged(staging, "new", name), *to = predt__join(staging->home, name);
    bool good = may_replace(to, final, owned, kin);
    if (good) add(commit, staging, from, to);
    CPLFree(from);
    CPLFree(to);
    return good;
}

bool predt__commit_plan(predt__commit *commit, predt__staging *staging, const char *final,
                        char **owned, predt__kin *kin) {
    char **names, *folder = predt__join(staging->folder, "new");
    const char *main_name = predt__name_of(final);
    bool good = predt__list_folder(folder, &names);
    if (good && CSLFindStringCaseSensitive(names, main_name) < 0) {
        CPLError(CE_Failure, CPLE_FileIO, "the format has not made a file of that name");
        good = false;
    }
    for (char **file = owned; file && *file && good; file++)
        if (CSLFindStringCaseSensitive(names, predt__name_of(*file)) < 0 && predt__exists(*file) &&
            !predt__kin_of(kin, *file) && !has_another_owner(*file, final))
            add(commit, staging, NULL, *file);
    for (char **name = names; name && *name && good; name++)
        if (strcmp(*name, main_name) != 0)
            good = plan_new(commit, staging, *name, final, owned, kin);
    /* with it the raster is there: so it goes last */
    good = good && plan_new(commit, staging, main_name, final, owned, kin);
    CSLDestroy(names);
    CPLFree(folder);
    return good;
}

/* ---- Waiting for the disk ---- */

/* Who makes thousands of small rasters that can be made again may do without. */
bool predt__waits_for_disk(void) { return CPLTestBool(CPLGetConfigOption("PREDT_SYNC", "YES")); }

/* A folder that may not be read is synced with all else of its file system. */
static bool sync_folder(const char *path) {
    if (!predt__is_local(path) || !predt__waits_for_disk()) return true;
    int file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0 && errno == EACCES) return sync(), true;
    if (file < 0) return false;
    /* there are file systems without */
    bool good = fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP;
    int fault = errno;
    close(file);
    errno = fault;
    return good;
}

static bool sync_file(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool good = file >= 0 && (fsync(file) == 0 || errno == EINVAL);
    int fault = errno;
    if (file >= 0 && close(file) != 0 && good) return false;
    errno = fault;
    return good;
}

static bool sync_tree(const char *path) {
    struct stat stat;
    char **names;
    if (lstat(path, &stat) != 0) return false;
    if (!S_ISDIR(stat.st_mode)) return sync_file(path);
    bool good = predt__list_folder(path, &names);
    for (char **name = names; name && *name && good; name++) {
        char *inner = predt__join(path, *name);
        good = sync_tree(inner);
        CPLFree(inner);
    }
    CSLDestroy(names);
    return good && sync_folder(path);
}

bool predt__sync_path(const char *path) { return !predt__is_local(path) || sync_tree(path); }

/* ---- The journal: the next run takes back what a run that died has moved ---- */

static bool write_entry(FILE *file, const predt__move *move) {
    struct stat stat;
    return lstat(move->from, &stat) == 0 &&
           fprintf(file, "%llu %s", (unsigned long long)stat.st_ino, predt__name_of(move->to)) >
               0 &&
           fputc(0, file) == 0;
}

static bool write_journal(const predt__commit *commit, const predt__staging *staging) {
    char *path = predt__join(staging->folder, PREDT__JOURNAL);
    FILE *file = fopen(path, "wxe");
    bool good = file != NULL;
    for (int i = 0; i < commit->count && good; i++)
        if (commit->moves[i].staging == staging && commit->moves[i].from)
            good = write_entry(file, &commit->moves[i]);
    good = good && fflush(file) == 0 && (!predt__waits_for_disk() || fsync(fileno(file)) == 0);
    int fault = errno;
    if (file && fclose(file) != 0 && good) good = false;
    else errno = fault;
    CPLFree(path);
    return good && sync_folder(staging->folder);
}

static bool write_journals(const predt__commit *commit) {
    bool good = true;
    for (int i = 0; i < commit->count && good; i++) {
        const predt__staging *staging = commit->moves[i].staging;
        bool seen = i > 0 && commit->moves[i - 1].staging == staging;
        if (!seen && predt__is_local(staging->folder)) good = write_journal(commit, staging);
    }
    return good;
}

/* ---- Moving ---- */

/* A second name keeps the old file without a moment in which there is none; folders, and some file
 * systems, have none. */
static bool keep_old(predt__move *move) {
    if (!predt__exists(move->to)) return true;
    move->linked = move->from && predt__is_local(move->to) && link(move->to, move->aside) == 0;
    move->kept = move->linked || VSIRename(move->to, move->aside) == 0;
    return move->kept;
}

/* The new file is as open to others as the one it replaces. */
static bool take_over_rights(const predt__move *move) {
    struct stat old;
    if (!move->from || !move->kept || !predt__is_local(move->aside) || stat(move->aside, &old) != 0)
        return true;
    if (!S_ISREG(old.st_mode)) return true;
    if (chown(move->from, old.st_uid, old.st_gid) != 0 &&
        chown(move->from, (uid_t)-1, old.st_gid) != 0)
        errno = 0; /* not everybody may give a file away */
    return chmod(move->from, old.st_mode & 07777) == 0;
}

static bool put_in_place(predt__move *move) {
    if (!keep_old(move) || !take_over_rights(move)) return false;
    move->done = !move->from || VSIRename(move->from, move->to) == 0;
    return move->done;
}

static bool undo(const predt__move *move) {
    if (move->kept) return VSIRename(move->aside, move->to) == 0;
    return !move->done || !move->from || predt__remove(move->to);
}

static void add_text(char **text, const char *before, const char *more) {
    size_t length = strlen(*text), size = length + strlen(before) + strlen(more) + 1;
    *text = CPLRealloc(*text, size);
    snprintf(*text + length, size - length, "%s%s", before, more);
}

/* CPLFree what it gives: nothing, or what could not be undone and the folders where the old files
 * are. */
static char *undo_all(const predt__commit *commit) {
    char *left = CPLStrdup("");
    for (int i = commit->count - 1; i >= 0; i--) {
        const predt__move *move = &commit->moves[i];
        if (undo(move) || move->staging->keep) continue;
        if (!move->kept) {
            add_text(&left, "; this could not be removed: ", move->to);
            continue;
        }
        predt__staging_keep(move->staging);
        char *old = predt__folder_of(move->aside);
        add_text(&left, "; what could not be put back is in ", old);
        CPLFree(old);
    }
    return left;
}

static bool sync_names(const predt__commit *commit) {
    bool good = true;
    for (int i = 0; i < commit->count && good; i++) {
        char *folder = predt__folder_of(commit->moves[i].to);
        good = sync_folder(folder);
        CPLFree(folder);
    }
    return good;
}

bool predt__commit_run(predt__commit *commit) {
    int at = 0;
    errno = 0;
    bool good = write_journals(commit);
    while (good && at < commit->count && put_in_place(&commit->moves[at])) at++;
    if (good && at == commit->count && sync_names(commit)) return true;
    int fault = errno;
    char *left = undo_all(commit);
    CPLError(CE_Failure, CPLE_FileIO, "%s cannot be put in place: %s%s",
             commit->moves[at < commit->count ? at : 0].to,
             fault ? strerror(fault) : "unknown fault", left);
    CPLFree(left);
    return false;
}

void predt__commit_free(predt__commit *commit) {
    for (int i = 0; i < commit->count; i++) {
        CPLFree(commit->moves[i].from);
        CPLFree(commit->moves[i].to);
        CPLFree(commit->moves[i].aside);
    }
    CPLFree(commit->moves);
    *commit = (predt__commit){0};
}
