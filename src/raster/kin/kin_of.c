/* Whether a path is one of a source's files, or would be taken for one. */
#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <string.h>

#include "kin.h"
#include "kin_paths.h"
#include "kin_set.h"
#include "kin_texts.h"

static const char *at_place(const predt__kin *kin, const char *path) {
    struct stat status;
    if (predt__kin_is_virtual(path) || stat(path, &status) != 0) return NULL;
    const predt__place *p = predt__kin_place(kin, &status);
    return p ? p->name : NULL;
}

static const char *of_name(const predt__kin *kin, const char *path) {
    char *name = predt__kin_spelled(path);
    const char *found = CPLHashSetLookup(kin->known, name);
    CPLFree(name);
    return found ? found : at_place(kin, path);
}

/* In a folder that is one of them, such as a .zarr. */
static const char *around(const predt__kin *kin, const char *path) {
    char *folder = predt__kin_folder_of(path);
    const char *found = NULL;
    while (*folder && strcmp(folder, "/") != 0 && !(found = of_name(kin, folder))) {
        char *outer = predt__kin_folder_of(folder);
        CPLFree(folder);
        folder = outer;
    }
    CPLFree(folder);
    return found;
}

static const char *owner(const predt__kin *kin, const char *path) {
    size_t length = strlen(path);
    const char *found = NULL;
    for (const char *const *suffix = predt__kin_companions; *suffix && !found; suffix++) {
        size_t size = strlen(*suffix);
        if (length <= size || !EQUAL(path + length - size, *suffix)) continue;
        char *name = CPLStrdup(path);
        name[length - size] = 0;
        found = of_name(kin, name);
        if (!found) found = owner(kin, name); /* a.tif.msk.ovr */
        CPLFree(name);
    }
    return found;
}

typedef struct search {
    const predt__kin *kin;
    const char *found;
} search;

static bool search_piece(const char *piece, void *user) {
    search *s = user;
    if (!s->found) s->found = at_place(s->kin, piece);
    return s->found != NULL;
}

static const char *of_archive(const predt__kin *kin, const char *path) {
    search s = {kin, NULL};
    if (predt__kin_is_virtual(path)) predt__pieces_of_name(path, search_piece, &s);
    return s.found;
}

/* Companions under the stem are known to drivers only: a raster of this stem is asked now. */
static void ask_namesakes(predt__kin *kin, const char *path) {
    char *folder = predt__kin_folder_of(path), **names = VSIReadDir(*folder ? folder : ".");
    size_t stem = strcspn(predt__kin_last_part(path), ".");
    for (char **name = names; name && *name; name++) {
        if (!EQUALN(*name, predt__kin_last_part(path), stem) ||
            ((*name)[stem] && (*name)[stem] != '.'))
            continue;
        char *sibling = predt__kin_joined(folder, *name);
        if (at_place(kin, sibling) && predt__kin_is_there(sibling, false))
            predt__kin_open_and_list(kin, sibling);
        CPLFree(sibling);
    }
    CSLDestroy(names);
    CPLFree(folder);
}

static const char *known(const predt__kin *kin, const char *path) {
    const char *found = of_name(kin, path);
    if (!found) found = around(kin, path);
    if (!found) found = owner(kin, path);
    return found ? found : of_archive(kin, path);
}

const char *predt__kin_of(predt__kin *kin, const char *path) {
    const char *found = known(kin, path);
    if (found || !kin->opens || predt__kin_is_virtual(path) || !predt__kin_is_there(path, true))
        return found;
    CPLPushErrorHandler(CPLQuietErrorHandler);
    ask_namesakes(kin, path);
    CPLPopErrorHandler();
    return known(kin, path);
}

bool predt__kin_is_here(const char *name) {
    return !predt__kin_is_remote(name) && predt__kin_is_there(name, true);
}
