#include "kin.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_hash_set.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "kin_paths.h"
#include "kin_set.h"
#include "kin_texts.h"

/* A description of a mosaic of a million tiles is smaller; a raster is not read for names. */
#define MOST_BYTES (512 << 20)

/* Enough for such a mosaic. */
#define MOST_FILES 4000000

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

/* ---- The sets ---- */

static unsigned long hash_place(const void *element) {
    const predt__place *p = element;
    return (unsigned long)p->inode * 31 + (unsigned long)p->device;
}

static int same_place(const void *a, const void *b) {
    const predt__place *first = a, *second = b;
    return first->device == second->device && first->inode == second->inode;
}

const predt__place *predt__kin_place(const predt__kin *kin, const struct stat *stat) {
    predt__place sought = {.device = stat->st_dev, .inode = stat->st_ino};
    return CPLHashSetLookup(kin->places, &sought);
}

static void note_place(predt__kin *kin, const struct stat *stat, const char *name) {
    if (predt__kin_place(kin, stat)) return;
    predt__place *p = CPLMalloc(sizeof *p);
    *p = (predt__place){stat->st_dev, stat->st_ino, name};
    CPLHashSetInsert(kin->places, p);
}

static bool has_room(predt__kin *kin) {
    if (kin->count + 1 < kin->capacity) return true;
    int capacity = kin->capacity ? 2 * kin->capacity : 64;
    char **names = VSIRealloc(kin->names, (size_t)capacity * sizeof *names);
    if (names) kin->names = names;
    bool *rasters = VSIRealloc(kin->rasters, (size_t)capacity * sizeof *rasters);
    if (rasters) kin->rasters = rasters;
    if (!names || !rasters) return false;
    kin->capacity = capacity;
    return true;
}

static void append(predt__kin *kin, char *name, bool raster) {
    struct stat status;
    if (CPLHashSetLookup(kin->known, name) || kin->count >= MOST_FILES || !has_room(kin)) {
        CPLFree(name);
        return;
    }
    CPLHashSetInsert(kin->known, name);
    if (stat(name, &status) == 0) note_place(kin, &status, name);
    kin->rasters[kin->count] = raster;
    kin->names[kin->count++] = name;
    kin->names[kin->count] = NULL;
}

/* ---- Names ---- */

static bool take_path(predt__kin *kin, const char *path, bool folders) {
    if (!predt__kin_is_there(path, folders)) return false;
    append(kin, predt__kin_spelled(path), true);
    kin->found = true;
    return true;
}

/* Both are tried, where a name might count from the folder of the text that holds it or from the
 * working folder. */
static bool take_name(predt__kin *kin, const char *name, bool folders) {
    bool beside = false;
    if (!*name || predt__kin_is_remote(name)) return false;
    if (kin->folder && *kin->folder && *name != '/') {
        char *path = predt__kin_joined(kin->folder, name);
        beside = take_path(kin, path, folders);
        CPLFree(path);
    }
    return take_path(kin, name, folders) || beside;
}

static bool take_piece(const char *piece, void *user) { return take_name(user, piece, false); }

static void take_pieces(predt__kin *kin, const char *name) {
    predt__pieces_of_name(name, take_piece, kin);
    if (!strchr(name, '%')) return;
    char *plain = CPLUnescapeString(name, NULL, CPLES_URL);
    predt__pieces_of_name(plain, take_piece, kin);
    CPLFree(plain);
}

static void take_text(const char *text, predt__text_kind kind, void *user);

static bool take_inline_xml(predt__kin *kin, const char *name) {
    const char *begin = strchr(name, '<');
    if (!begin || !strchr(begin, '>')) return false;
    CPLXMLNode *root = CPLParseXMLString(begin);
    predt__texts_of_xml(root, take_text, kin);
    CPLDestroyXMLNode(root);
    return root != NULL;
}

static void take_text(const char *text, predt__text_kind kind, void *user) {
    predt__kin *kin = user;
    kin->found = false;
    take_name(kin, text, kind == PREDT__SOURCE_NAME);
    if (!kin->found && predt__kin_leads_out(text)) append(kin, CPLStrdup(text), true);
    bool in_pieces = predt__kin_is_virtual(text) || (kind != PREDT__ANY_TEXT && !kin->found);
    if (!in_pieces || take_inline_xml(kin, text)) return;
    take_pieces(kin, text);
    if (kind == PREDT__SOURCE_NAME && !kin->found) append(kin, CPLStrdup(text), true);
}

/* ---- Inside a file ---- */

/* Where GDAL counts relative names from: the file's folder, and the folder that a link leads to. */
static void take_texts_of_file(predt__kin *kin, const char *path, const char *text, char first) {
    CPLXMLNode *root = first == '<' ? CPLParseXMLString(text) : NULL;
    char *real = predt__kin_is_virtual(path) ? NULL : realpath(path, NULL);
    char *folders[2] = {predt__kin_folder_of(path), predt__kin_folder_of(real ? real : path)};
    for (int i = 0; i < (strcmp(folders[0], folders[1]) ? 2 : 1); i++) {
        kin->folder = folders[i];
        if (root) predt__texts_of_xml(root, take_text, kin);
        if (first == '{' || first == '[') predt__texts_of_json(text, take_text, kin);
    }
    kin->folder = NULL;
    CPLDestroyXMLNode(root);
    CPLFree(folders[0]);
    CPLFree(folders[1]);
    free(real);
}

/* The first character that counts: it tells what a file is; 0: it cannot be read. */
static char first_of(const char *path, unsigned char *head, size_t size) {
    VSILFILE *file = VSIFOpenL(path, "rb");
    memset(head, 0, size);
    if (!file) return 0;
    VSIFReadL(head, 1, size - 1, file);
    VSIFCloseL(file);
    const char *text = (const char *)head;
    if (STARTS_WITH(text, BYTE_ORDER_MARK)) text += strlen(BYTE_ORDER_MARK);
    return text[strspn(text, " \t\r\n")];
}

/* These lie in one file, and their companions bear its name: opening the thousands of a mosaic
 * would tell nothing. */
static bool is_one_file(const unsigned char *head) {
    static const char *const marks[] = {"II*",     "MM\0*",        "II+",         "MM\0+",
                                        "\x89PNG", "\xFF\xD8\xFF", "\0\0\0\x0CjP"};
    static const size_t sizes[] = {4, 4, 4, 4, 4, 3, 6};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (memcmp(head, marks[i], sizes[i]) == 0) return true;
    return false;
}

static void take_list(predt__kin *kin, GDALDatasetH dataset) {
    char **files = GDALGetFileList(dataset);
    for (char **file = files; file && *file; file++) {
        if (predt__kin_is_remote(*file)) append(kin, CPLStrdup(*file), false);
        else if (predt__kin_is_there(*file, true)) append(kin, predt__kin_spelled(*file), false);
        if (predt__kin_is_virtual(*file)) take_pieces(kin, *file);
    }
    CSLDestroy(files);
}

void predt__kin_open_and_list(predt__kin *kin, const char *path) {
    GDALDatasetH dataset = GDALOpenEx(path, GDAL_OF_RASTER, NULL, NULL, NULL);
    if (!dataset) return;
    take_list(kin, dataset);
    GDALClose(dataset);
}

const char *const predt__kin_companions[] = {".aux.xml", ".msk", ".ovr", ".vat.dbf", NULL};

/* What GDAL reads beside any file, whether or not a driver lists it. */
static void take_companions(predt__kin *kin, const char *path) {
    for (const char *const *suffix = predt__kin_companions; *suffix; suffix++) {
        size_t size = strlen(path) + strlen(*suffix) + 1;
        char *name = CPLMalloc(size);
        snprintf(name, size, "%s%s", path, *suffix);
        if (predt__kin_is_there(name, false)) append(kin, name, false);
        else CPLFree(name);
    }
}

static void look_through(predt__kin *kin, const char *path, char first) {
    GByte *bytes = NULL;
    vsi_l_offset size;
    if (VSIIngestFile(NULL, path, &bytes, &size, MOST_BYTES)) {
        const char *text = (const char *)bytes;
        take_texts_of_file(
            kin, path, text + (STARTS_WITH(text, BYTE_ORDER_MARK) ? strlen(BYTE_ORDER_MARK) : 0),
            first);
    }
    VSIFree(bytes);
}

static void look_into(predt__kin *kin, const char *path, bool raster) {
    unsigned char head[1024];
    if (predt__kin_is_remote(path) || !predt__kin_is_there(path, true)) return;
    char first = first_of(path, head, sizeof head);
    if (raster) take_companions(kin, path);
    if (first == '<' || first == '{' || first == '[') look_through(kin, path, first);
    else if (raster && kin->opens && path != kin->opened && !is_one_file(head))
        predt__kin_open_and_list(kin, path);
}

/* ---- All of it ---- */

/* The list grows meanwhile. */
static void look_into_all(predt__kin *kin) {
    for (; kin->looked < kin->count; kin->looked++)
        look_into(kin, kin->names[kin->looked], kin->rasters[kin->looked]);
}

predt__kin *predt__kin_open(const char *name, GDALDatasetH opened) {
    predt__kin *kin = CPLCalloc(1, sizeof *kin);
    kin->known = CPLHashSetNew(CPLHashSetHashStr, CPLHashSetEqualStr, NULL);
    kin->places = CPLHashSetNew(hash_place, same_place, CPLFree);
    kin->opens = opened != NULL;
    CPLPushErrorHandler(CPLQuietErrorHandler);
    take_text(name, PREDT__SOURCE_NAME, kin);
    if (opened && kin->count == 1 && predt__kin_is_there(name, true)) kin->opened = kin->names[0];
    look_into_all(kin);
    if (opened) take_list(kin, opened);
    look_into_all(kin);
    CPLPopErrorHandler();
    CPLErrorReset();
    return kin;
}

void predt__kin_close(predt__kin **kin) {
    if (!*kin) return;
    CPLHashSetDestroy((*kin)->known);
    CPLHashSetDestroy((*kin)->places);
    for (int i = 0; i < (*kin)->count; i++) CPLFree((*kin)->names[i]);
    VSIFree((*kin)->names);
    VSIFree((*kin)->rasters);
    CPLFree(*kin);
    *kin = NULL;
}

char **predt__kin_names(const predt__kin *kin) { return kin->names; }
