#include "selection.h"

#include <cpl_error.h>
#include <cpl_string.h>
#include <string.h>

#include "mark.h"
#include "words.h"

struct predt__selection {
    predt__ranges ranges;
    const char *hint; /* while it is being read */
    bool nan;         /* NaN is selected; of real kinds */
    bool nonzero_bytes;
    uint8_t is_target_byte[256]; /* for kinds of one byte */
};

/* ---- Parsing ---- */

static bool fault(const char *item, const char *why) {
    char shown[PREDT__SHOWN];
    CPLError(CE_Failure, CPLE_IllegalArg, "values: '%s' %s", predt__shown(item, shown), why);
    return false;
}

/* The whole number inside of an end with digits after its point, from the digits before it: a
 * double has too few for 64 bits. */
static bool whole_end(const char *text, predt__kind kind, bool upper, predt__value *end) {
    char whole[64];
    const char *point = strchr(text, '.');
    bool negative = strchr(text, '-') != NULL;
    if (!point || strpbrk(text, "eE")) return false;
    CPLStrlcpy(whole, text, (size_t)(point - text) + 1);
    if (predt__value_parse(whole, kind, end) != PREDT__FITS) return false;
    return negative != upper || predt__value_next(kind, *end, upper ? -1 : 1, end);
}

static bool cannot_occur(const predt__selection *selection, CPLErr level, const char *item) {
    char shown[PREDT__SHOWN];
    CPLError(level, CPLE_IllegalArg, "values: '%s' cannot occur in a band of type %s%s",
             predt__shown(item, shown), predt__kind_name(selection->ranges.kind), selection->hint);
    return level == CE_Warning;
}

/* An end of a range may lie outside the kind, or between two of its values: it is moved to the
 * nearest one inside. */
static predt__fit range_end(const char *text, predt__kind kind, bool upper, predt__value *end,
                            bool *empty) {
    predt__fit fit = predt__value_parse(text, kind, end);
    if (fit != PREDT__CANNOT_OCCUR ||
        (!predt__kind_is_real(kind) && whole_end(text, kind, upper, end)))
        return fit == PREDT__CANNOT_OCCUR ? PREDT__FITS : fit;
    double real = CPLAtof(text);
    char whole[64];
    CPLsnprintf(whole, sizeof whole, "%.0f", upper ? floor(real) : ceil(real));
    if (predt__value_parse(whole, kind, end) != PREDT__FITS) {
        *end = real < 0 ? predt__kind_min(kind) : predt__kind_max(kind);
        *empty |= (real < 0) == upper;
    }
    return PREDT__FITS;
}

static bool parse_range(predt__selection *selection, const char *item, const predt__value *nodata) {
    char from[64], to[64];
    const char *colon = strchr(item, ':');
    if (colon - item >= (int)sizeof from || strlen(colon + 1) >= sizeof to)
        return fault(item, "is not a range");
    CPLStrlcpy(from, item, (size_t)(colon - item) + 1);
    CPLStrlcpy(to, colon + 1, sizeof to);
    predt__range whole;
    bool empty = false;
    if (range_end(from, selection->ranges.kind, false, &whole.from, &empty) ==
            PREDT__NOT_A_NUMBER ||
        range_end(to, selection->ranges.kind, true, &whole.to, &empty) == PREDT__NOT_A_NUMBER)
        return fault(item, "is not a range");
    double first = CPLAtof(from), last = CPLAtof(to);
    if (first != first || last != last) return fault(item, "is not a range: NaN has no neighbours");
    if (first > last) return fault(item, "runs backwards: the smaller end comes first");
    if (empty || predt__compare(selection->ranges.kind, whole.from, whole.to) > 0)
        return cannot_occur(selection, CE_Warning, item);
    return predt__ranges_add_all_but(&selection->ranges, whole, nodata);
}

static bool is_nan(const char *item) {
    char *end;
    double real = CPLStrtod(item, &end);
    return end != item && !*end && real != real;
}

static bool parse_number(predt__selection *selection, const char *item) {
    predt__value value;
    predt__fit fit = predt__value_parse(item, selection->ranges.kind, &value);
    bool real = predt__kind_is_real(selection->ranges.kind);
    if (is_nan(item))
        return real ? (selection->nan = true) : cannot_occur(selection, CE_Warning, item);
    if (fit == PREDT__NOT_A_NUMBER)
        return fault(item, "is not a number, a range, 'nan' or 'notnodata'");
    return fit == PREDT__FITS ? predt__ranges_add(&selection->ranges, (predt__range){value, value})
                              : cannot_occur(selection, CE_Warning, item);
}

static bool parse_item(predt__selection *selection, const char *item, const predt__value *nodata) {
    predt__range all = {predt__kind_min(selection->ranges.kind),
                        predt__kind_max(selection->ranges.kind)};
    if (EQUAL(item, "notnodata")) return predt__ranges_add_all_but(&selection->ranges, all, nodata);
    return strchr(item, ':') ? parse_range(selection, item, nodata) : parse_number(selection, item);
}

static bool parse_items(predt__selection *selection, const char *text, const predt__value *nodata) {
    char **items = CSLTokenizeString2(
        text, ",", CSLT_ALLOWEMPTYTOKENS | CSLT_STRIPLEADSPACES | CSLT_STRIPENDSPACES);
    bool good = CSLCount(items) > 0 || fault(text, "names no value");
    for (int i = 0; good && items[i]; i++) good = parse_item(selection, items[i], nodata);
    CSLDestroy(items);
    if (good && selection->ranges.count == 0 && !selection->nan)
        return cannot_occur(selection, CE_Failure, text);
    return good;
}

/* ---- Building ---- */

static void fill_byte_table(predt__selection *selection) {
    predt__kind kind = selection->ranges.kind;
    if (predt__kind_size(kind) != 1) return;
    selection->nonzero_bytes = true;
    for (int byte = 0; byte < 256; byte++) {
        predt__value value = {.i = kind == PREDT__I8 ? (int8_t)byte : byte};
        selection->is_target_byte[byte] = predt__ranges_contain(&selection->ranges, value);
        if (selection->is_target_byte[byte] != (byte != 0)) selection->nonzero_bytes = false;
    }
}

/* Nodata may be zero itself; then it is carved out already. */
static bool add_nonzero(predt__ranges *ranges, const predt__value *nodata) {
    predt__value zero = {.u = 0}; /* all bits zero is 0.0 too */
    predt__range positive = {zero, predt__kind_max(ranges->kind)},
                 negative = {predt__kind_min(ranges->kind), zero};
    predt__value_next(ranges->kind, zero, 1, &positive.from);
    return predt__ranges_add_all_but(ranges, positive, nodata) &&
           (!predt__value_next(ranges->kind, zero, -1, &negative.to) ||
            predt__ranges_add_all_but(ranges, negative, nodata));
}

predt__selection *predt__selection_parse(const char *text, predt__kind kind,
                                         const predt__value *nodata, const char *hint) {
    predt__selection *selection = VSICalloc(1, sizeof *selection);
    if (!selection) return CPLError(CE_Failure, CPLE_OutOfMemory, "out of memory"), NULL;
    selection->ranges.kind = kind;
    selection->hint = hint;
    if (!(text ? parse_items(selection, text, nodata) : add_nonzero(&selection->ranges, nodata))) {
        predt__selection_free(selection);
        return NULL;
    }
    selection->hint = NULL;
    predt__ranges_order(&selection->ranges);
    fill_byte_table(selection);
    return selection;
}

void predt__selection_free(predt__selection *selection) {
    if (!selection) return;
    predt__ranges_free(&selection->ranges);
    VSIFree(selection);
}

/* ---- Asking ---- */

bool predt__selection_contains(const predt__selection *selection, predt__value value) {
    if (predt__kind_is_real(selection->ranges.kind) && value.f != value.f) return selection->nan;
    return predt__ranges_contain(&selection->ranges, value);
}

bool predt__selection_is_nonzero_bytes(const predt__selection *selection) {
    return selection->nonzero_bytes;
}

void predt__selection_mark(const predt__selection *selection, const void *pixels, size_t count,
                           uint8_t *is_target) {
    const uint8_t *bytes = pixels;
    if (predt__kind_size(selection->ranges.kind) != 1)
        predt__mark(&selection->ranges, selection->nan, pixels, count, is_target);
    else
        for (size_t i = 0; i < count; i++) is_target[i] = selection->is_target_byte[bytes[i]];
}
