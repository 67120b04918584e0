#include "words.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <string.h>

bool predt__number_from_text(const char *text, double *value) {
    char *end;
    *value = CPLStrtod(text, &end);
    return end != text && !*end && *value == *value;
}

bool predt__whole_from_text(const char *text, int min, int *value) {
    double read;
    if (!predt__number_from_text(text, &read) || read < min || read > INT_MAX || read != (int)read)
        return false;
    *value = (int)read;
    return true;
}

bool predt__yes_or_no_from_text(const char *text, bool *value) {
    *value = CPLTestBool(text);
    return EQUAL(text, "YES") || EQUAL(text, "NO") || EQUAL(text, "TRUE") || EQUAL(text, "FALSE") ||
           EQUAL(text, "ON") || EQUAL(text, "OFF") || EQUAL(text, "1") || EQUAL(text, "0");
}

bool predt__size_from_text(const char *text, int64_t *value) {
    static const char suffixes[] = "KMGT";
    char *end;
    double bytes = CPLStrtod(text, &end);
    if (end == text || !(bytes > 0)) return false;
    const char *suffix = *end ? strchr(suffixes, toupper((unsigned char)*end)) : NULL;
    if (suffix) {
        bytes = ldexp(bytes, 10 * (int)(suffix - suffixes + 1));
        end++;
    }
    if (EQUAL(end, "B") || (suffix && EQUAL(end, "iB"))) end += strlen(end);
    *value = bytes < 0x1p62 ? (int64_t)bytes : INT64_C(1) << 62;
    return *end == 0;
}

bool predt__nodata_from_text(const char *text) {
    double unused;
    return EQUAL(text, "nan") || predt__number_from_text(text, &unused);
}

bool predt__type_from_text(const char *text, GDALDataType *value) {
    *value = GDALGetDataTypeByName(text);
    return *value != GDT_Unknown && !GDALDataTypeIsComplex(*value);
}

/* Control characters become spaces; a letter of several bytes is not cut in two. */
const char *predt__shown(const char *text, char *shown) {
    size_t size = PREDT__SHOWN - sizeof "...", length = strlen(text);
    bool cut = length > size;
    if (cut)
        for (length = size; length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80;) length--;
    for (size_t i = 0; i < length; i++) shown[i] = iscntrl((unsigned char)text[i]) ? ' ' : text[i];
    strcpy(shown + length, cut ? "..." : "");
    return shown;
}
