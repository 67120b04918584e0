#include "selection.h"

#include <cpl_error.h>
#include <cpl_string.h>
#include <stdlib.h>
#include <string.h>

#include "words.h"

/* Both ends belong to it. */
typedef struct range {
    predt__value from, to;
} range;

/* Ranges are ascending and apart; a search does without the list of a user's wishes. */
struct predt__selection {
    predt__kind kind;
    const char *hint; /* while it is being read */
    int count, capacity;
    range *ranges;
    bool nan; /* so is NaN; of real kinds */
    bool nonzero_bytes;
    uint8_t is_target_byte[256]; /* for kinds of one byte */
};

/* Up to this many ranges are tried one after the other, each by a loop that compilers turn into
 * SIMD. */
#define FEW_RANGES 12

static bool append(predt__selection *selection, predt__value from, predt__value to) {
    if (predt__compare(selection->kind, from, to) > 0) return true;
    if (selection->count == selection->capacity) {
        int capacity = selection->capacity ? 2 * selection->capacity : 8;
        range *grown = VSIRealloc(selection->ranges, (size_t)capacity * sizeof *grown);
        if (!grown) return CPLError(CE_Failure, CPLE_OutOfMemory, "out of memory"), false;
        selection->ranges = grown;
        selection->capacity = capacity;
    }
    selection->ranges[selection->count++] = (range){from, to};
    return true;
}

static bool append_all_but(predt__selection *selection, range whole, predt__value hole) {
    predt__value below, above;
    if (predt__compare(selection->kind, hole, whole.from) < 0 ||
        predt__compare(selection->kind, hole, whole.to) > 0)
        return append(selection, whole.from, whole.to);
    return (!predt__value_next(selection->kind, hole, -1, &below) ||
            append(selection, whole.from, below)) &&
           (!predt__value_next(selection->kind, hole, 1, &above) ||
            append(selection, above, whole.to));
}

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
             predt__shown(item, shown), predt__kind_name(selection->kind), selection->hint);
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
    range whole;
    bool empty = false;
    if (range_end(from, selection->kind, false, &whole.from, &empty) == PREDT__NOT_A_NUMBER ||
        range_end(to, selection->kind, true, &whole.to, &empty) == PREDT__NOT_A_NUMBER)
        return fault(item, "is not a range");
    double first = CPLAtof(from), last = CPLAtof(to);
    if (first != first || last != last) return fault(item, "is not a range: NaN has no neighbours");
    if (first > last) return fault(item, "runs backwards: the smaller end comes first");
    if (empty || predt__compare(selection->kind, whole.from, whole.to) > 0)
        return cannot_occur(selection, CE_Warning, item);
    return nodata ? append_all_but(selection, whole, *nodata)
                  : append(selection, whole.from, whole.to);
}

static bool is_nan(const char *item) {
    char *end;
    double real = CPLStrtod(item, &end);
    return end != item && !*end && real != real;
}

static bool parse_number(predt__selection *selection, const char *item) {
    predt__value value;
    predt__fit fit = predt__value_parse(item, selection->kind, &value);
    bool real = predt__kind_is_real(selection->kind);
    if (is_nan(item))
        return real ? (selection->nan = true) : cannot_occur(selection, CE_Warning, item);
    if (fit == PREDT__NOT_A_NUMBER)
        return fault(item, "is not a number, a range, 'nan' or 'notnodata'");
    return fit == PREDT__FITS ? append(selection, value, value)
                              : cannot_occur(selection, CE_Warning, item);
}

static bool parse_item(predt__selection *selection, const char *item, const predt__value *nodata) {
    range all = {predt__kind_min(selection->kind), predt__kind_max(selection->kind)};
    if (EQUAL(item, "notnodata"))
        return nodata ? append_all_but(selection, all, *nodata)
                      : append(selection, all.from, all.to);
    return strchr(item, ':') ? parse_range(selection, item, nodata) : parse_number(selection, item);
}

static bool parse_items(predt__selection *selection, const char *text, const predt__value *nodata) {
    char **items = CSLTokenizeString2(
        text, ",", CSLT_ALLOWEMPTYTOKENS | CSLT_STRIPLEADSPACES | CSLT_STRIPENDSPACES);
    bool good = CSLCount(items) > 0 || fault(text, "names no value");
    for (int i = 0; good && items[i]; i++) good = parse_item(selection, items[i], nodata);
    CSLDestroy(items);
    if (good && selection->count == 0 && !selection->nan)
        return cannot_occur(selection, CE_Failure, text);
    return good;
}

/* ---- Building ---- */

#define DEFINE_ORDER(name, member)                                                                 \
    static int name(const void *a, const void *b) {                                                \
        const range *first = a, *second = b;                                                       \
        return (first->from.member > second->from.member) -                                        \
               (first->from.member < second->from.member);                                         \
    }

DEFINE_ORDER(by_real, f)
DEFINE_ORDER(by_signed, i)
DEFINE_ORDER(by_unsigned, u)

static void sort(predt__selection *selection) {
    predt__kind kind = selection->kind;
    qsort(selection->ranges, (size_t)selection->count, sizeof *selection->ranges,
          predt__kind_is_real(kind)     ? by_real
          : predt__kind_is_signed(kind) ? by_signed
                                        : by_unsigned);
}

static void merge(predt__selection *selection) {
    int kept = 0;
    for (int i = 1; i < selection->count; i++) {
        range *last = &selection->ranges[kept], *next = &selection->ranges[i];
        if (predt__compare(selection->kind, next->from, last->to) > 0)
            selection->ranges[++kept] = *next;
        else if (predt__compare(selection->kind, next->to, last->to) > 0) last->to = next->to;
    }
    if (selection->count) selection->count = kept + 1;
}

bool predt__selection_contains(const predt__selection *selection, predt__value value) {
    if (predt__kind_is_real(selection->kind) && value.f != value.f) return selection->nan;
    int low = 0, high = selection->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (predt__compare(selection->kind, value, selection->ranges[middle].to) > 0)
            low = middle + 1;
        else high = middle;
    }
    return low < selection->count &&
           predt__compare(selection->kind, value, selection->ranges[low].from) >= 0 &&
           predt__compare(selection->kind, value, selection->ranges[low].to) <= 0;
}

static void fill_byte_table(predt__selection *selection) {
    if (predt__kind_size(selection->kind) != 1) return;
    selection->nonzero_bytes = true;
    for (int byte = 0; byte < 256; byte++) {
        predt__value value = {.i = selection->kind == PREDT__I8 ? (int8_t)byte : byte};
        selection->is_target_byte[byte] = predt__selection_contains(selection, value);
        if (selection->is_target_byte[byte] != (byte != 0)) selection->nonzero_bytes = false;
    }
}

/* Nodata may be zero itself; then it is carved out already. */
static bool append_nonzero(predt__selection *selection, const predt__value *nodata) {
    predt__value zero = {.u = 0}, after, before; /* all bits zero is 0.0 too */
    predt__value_next(selection->kind, zero, 1, &after);
    range positive = {after, predt__kind_max(selection->kind)};
    bool good = nodata ? append_all_but(selection, positive, *nodata)
                       : append(selection, positive.from, positive.to);
    if (!good || !predt__value_next(selection->kind, zero, -1, &before)) return good;
    range negative = {predt__kind_min(selection->kind), before};
    return nodata ? append_all_but(selection, negative, *nodata)
                  : append(selection, negative.from, negative.to);
}

predt__selection *predt__selection_parse(const char *text, predt__kind kind,
                                         const predt__value *nodata, const char *hint) {
    predt__selection *selection = VSICalloc(1, sizeof *selection);
    if (!selection) return CPLError(CE_Failure, CPLE_OutOfMemory, "out of memory"), NULL;
    selection->kind = kind;
    selection->hint = hint;
    if (!(text ? parse_items(selection, text, nodata) : append_nonzero(selection, nodata))) {
        predt__selection_free(selection);
        return NULL;
    }
    selection->hint = NULL;
    if (selection->count) sort(selection);
    merge(selection);
    fill_byte_table(selection);
    return selection;
}

void predt__selection_free(predt__selection *selection) {
    if (!selection) return;
    VSIFree(selection->ranges);
    VSIFree(selection);
}

/* ---- Marking ---- */

bool predt__selection_is_nonzero_bytes(const predt__selection *selection) {
    return selection->nonzero_bytes;
}

/* Pixels marked before the next range is tried: they stay in the first-level cache. */
#define CHUNK 4096

/* NaN compares false with both ends of a range. */
#define DEFINE_MARK(name, type, member)                                                            \
    static void name(const predt__selection *s, const type *restrict pixels, size_t count,         \
                     uint8_t *restrict out) {                                                      \
        for (int r = 0; r < s->count; r++) {                                                       \
            type from = (type)s->ranges[r].from.member, to = (type)s->ranges[r].to.member;         \
            for (size_t i = 0; i < count; i++)                                                     \
                out[i] |= (uint8_t)((pixels[i] >= from) & (pixels[i] <= to));                      \
        }                                                                                          \
    }                                                                                              \
    static void name##_many(const predt__selection *s, const type *pixels, size_t count,           \
                            uint8_t *out) {                                                        \
        for (size_t i = 0; i < count; i++)                                                         \
            out[i] = predt__selection_contains(s, (predt__value){.member = pixels[i]});            \
    }

DEFINE_MARK(mark_u16, uint16_t, u)
DEFINE_MARK(mark_i16, int16_t, i)
DEFINE_MARK(mark_u32, uint32_t, u)
DEFINE_MARK(mark_i32, int32_t, i)
DEFINE_MARK(mark_u64, uint64_t, u)
DEFINE_MARK(mark_i64, int64_t, i)
DEFINE_MARK(mark_f32, float, f)
DEFINE_MARK(mark_f64, double, f)

static void mark_nan_f32(const float *restrict pixels, size_t count, uint8_t *restrict out) {
    for (size_t i = 0; i < count; i++) out[i] |= (uint8_t)(pixels[i] != pixels[i]);
}

static void mark_nan_f64(const double *restrict pixels, size_t count, uint8_t *restrict out) {
    for (size_t i = 0; i < count; i++) out[i] |= (uint8_t)(pixels[i] != pixels[i]);
}

static void mark_bytes(const predt__selection *selection, const uint8_t *pixels, size_t count,
                       uint8_t *is_target) {
    for (size_t i = 0; i < count; i++) is_target[i] = selection->is_target_byte[pixels[i]];
}

#define MARK(name)                                                                                 \
    (many ? name##_many(selection, pixels, count, is_target)                                       \
          : name(selection, pixels, count, is_target))

static void mark_chunk(const predt__selection *selection, const void *pixels, size_t count,
                       uint8_t *is_target) {
    bool many = selection->count > FEW_RANGES;
    switch (selection->kind) {
    case PREDT__U8:
    case PREDT__I8:
        mark_bytes(selection, pixels, count, is_target);
        break;
    case PREDT__U16:
        MARK(mark_u16);
        break;
    case PREDT__I16:
        MARK(mark_i16);
        break;
    case PREDT__U32:
        MARK(mark_u32);
        break;
    case PREDT__I32:
        MARK(mark_i32);
        break;
    case PREDT__U64:
        MARK(mark_u64);
        break;
    case PREDT__I64:
        MARK(mark_i64);
        break;
    case PREDT__F32:
        MARK(mark_f32);
        if (selection->nan) mark_nan_f32(pixels, count, is_target);
        break;
    case PREDT__F64:
        MARK(mark_f64);
        if (selection->nan) mark_nan_f64(pixels, count, is_target);
        break;
    }
}

void predt__selection_mark(const predt__selection *selection, const void *pixels, size_t count,
                           uint8_t *is_target) {
    size_t size = (size_t)predt__kind_size(selection->kind);
    memset(is_target, 0, count);
    for (size_t done = 0; done < count; done += CHUNK)
        mark_chunk(selection, (const char *)pixels + done * size,
                   count - done < CHUNK ? count - done : CHUNK, is_target + done);
}
