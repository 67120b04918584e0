#include "kin_texts.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kin_paths.h"
#include "kin_set.h"

/* No file system takes longer names; inline XML is looked through by another way. */
#define LONGEST_NAME 8192

/* Look-ups for one name at most: a name of 60 separators, which no driver has. */
#define MOST_PIECES 4096

/* ---- What a text may be ---- */

/* A word without a point or a slash is a type, a method or a title far more often than a file. */
static bool looks_like_name(const char *text) {
    char *end;
    if (!strpbrk(text, "./")) return false;
    strtod(text, &end);
    return *end != 0;
}

/* ---- XML ---- */

static bool is_among(const char *name, const char *const *names) {
    while (*names && !EQUAL(name, *names)) names++;
    return *names != NULL;
}

/* Elements of VRT, sparse files and tile indexes, and keys such as X_DATASET or RPC_DEM. */
static predt__text_kind kind_of(const char *name) {
    static const char *const sources[] = {"SourceFilename", "SourceDataset", "Filename",
                                          "IndexDataset", NULL};
    static const char *const words[] = {"file",   "dataset", "path", "url",
                                        "source", "index",   "dem",  NULL};
    if (is_among(name, sources)) return PREDT__SOURCE_NAME;
    for (const char *const *word = words; *word; word++)
        if (predt__kin_has_word(name, *word)) return PREDT__PERHAPS_NAME;
    return PREDT__ANY_TEXT;
}

static void take_value(const CPLXMLNode *owner, const char *value, predt__take_text *take,
                       void *user) {
    predt__text_kind kind = kind_of(owner->pszValue);
    if (STARTS_WITH(owner->pszValue, "xmlns") ||
        predt__kin_has_word(owner->pszValue, "schemalocation"))
        return;
    if (kind == PREDT__ANY_TEXT && owner->eType == CXT_Element)
        kind = kind_of(CPLGetXMLValue(owner, "key", CPLGetXMLValue(owner, "name", "")));
    if (kind != PREDT__ANY_TEXT || looks_like_name(value)) take(value, kind, user);
}

void predt__texts_of_xml(const CPLXMLNode *node, predt__take_text *take, void *user) {
    for (; node; node = node->psNext) {
        if (node->eType != CXT_Element && node->eType != CXT_Attribute) continue;
        for (const CPLXMLNode *child = node->psChild; child; child = child->psNext)
            if (child->eType == CXT_Text || child->eType == CXT_Literal)
                take_value(node, child->pszValue, take, user);
        predt__texts_of_xml(node->psChild, take, user);
    }
}

/* ---- JSON ---- */

static char *append_utf8(char *to, unsigned code) {
    if (code < 0x80) return *to++ = (char)code, to;
    if (code < 0x800) {
        *to++ = (char)(0xC0 | code >> 6);
    } else {
        *to++ = (char)(0xE0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3F));
    }
    *to++ = (char)(0x80 | (code & 0x3F));
    return to;
}

/* What follows a backslash. A pair of surrogates becomes two characters of nonsense: a name with
 * one is not found. */
static const char *unescape(const char *from, char **to) {
    static const char letters[] = "bfnrt", meanings[] = "\b\f\n\r\t";
    unsigned code;
    int read = 0;
    if (*from == 'u' && sscanf(from + 1, "%4x%n", &code, &read) == 1 && code) {
        *to = append_utf8(*to, code);
        return from + 1 + read;
    }
    const char *letter = *from ? strchr(letters, *from) : NULL;
    *(*to)++ = letter ? meanings[letter - letters] : *from;
    return from + (*from != 0);
}

/* The string that begins here, after its quotation mark; returns where it ends. It never grows:
 * \uXXXX is six bytes. */
static const char *read_string(const char *from, char *to) {
    while (*from && *from != '"') {
        if (*from == '\\') from = unescape(from + 1, &to);
        else *to++ = *from++;
    }
    *to = 0;
    return from;
}

/* What stands behind "source" is one, whatever it looks like. */
void predt__texts_of_json(const char *json, predt__take_text *take, void *user) {
    static const char *const sources[] = {"source", "href", NULL};
    predt__text_kind kind = PREDT__PERHAPS_NAME;
    char *text = VSIMalloc(strlen(json) + 1);
    for (const char *at = text ? strchr(json, '"') : NULL; at;
         at = *at ? strchr(at + 1, '"') : NULL) {
        at = read_string(at + 1, text);
        if (kind == PREDT__SOURCE_NAME || looks_like_name(text)) take(text, kind, user);
        bool is_key = *at && at[1 + strspn(at + 1, " \t\r\n")] == ':';
        kind = is_key && is_among(text, sources) ? PREDT__SOURCE_NAME : PREDT__PERHAPS_NAME;
    }
    VSIFree(text);
}

/* ---- Pieces of a name ---- */

static bool separates(char c) { return c && strchr(":\"',=?&;|<>(){}[]! \t\r\n", c); }

/* After "/vsizip/" and its like. */
static bool ends_prefix(const char *name, size_t at) {
    size_t begin = at - 1;
    if (name[at - 1] != '/') return false;
    while (begin > 0 && name[begin - 1] != '/') begin--;
    return begin > 0 && STARTS_WITH(name + begin, "vsi");
}

static bool may_begin(const char *name, size_t at) {
    if (at == 0 || separates(name[at - 1]) || ends_prefix(name, at)) return true;
    return at >= 2 && name[at - 1] == '/' && name[at - 2] == '/'; /* vrt://a.vrt */
}

static bool may_end(const char *name, size_t at) {
    return !name[at] || name[at] == '/' || separates(name[at]);
}

static void try_from(const char *name, size_t begin, size_t length, int *tries,
                     bool (*is_one)(const char *, void *), void *user) {
    char piece[LONGEST_NAME];
    CPLStrlcpy(piece, name + begin, sizeof piece);
    for (size_t end = length - begin; end > 0 && *tries < MOST_PIECES; end--) {
        if (!may_end(name, begin + end)) continue;
        piece[end] = 0;
        ++*tries;
        if (is_one(piece, user)) return;
    }
}

void predt__pieces_of_name(const char *name, bool (*is_one)(const char *, void *), void *user) {
    size_t length = strlen(name);
    int tries = 0;
    if (length >= LONGEST_NAME) return;
    for (size_t begin = 0; begin < length; begin++)
        if (may_begin(name, begin)) try_from(name, begin, length, &tries, is_one, user);
}
