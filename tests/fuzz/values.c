/* Texts of -values over every kind of pixel: what is selected is what the text says by a plain
 * reading, and marking pixels tells the same as asking for each. Input: kind, whether there is a
 * nodata value, its 8 bytes, the text. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cpl_string.h>

#include "fuzz.h"
#include "selection.h"

#define KINDS (PREDT__F64 + 1)
#define MOST_ITEMS 64
#define MOST_SAMPLES 1024

/* ---- A plain reading ---- */

typedef struct value_item {
    long double from, to;
    bool is_range, all;
} value_item;

typedef struct reading {
    value_item items[MOST_ITEMS];
    int count;
    bool plain; /* nothing in it that is open to another reading */
} reading;

/* Digits with a point: what nobody reads in two ways. 18 digits are exact in a long double. */
static bool read_number(const char *text, long double *number) {
    const char *digits = text + (*text == '-');
    size_t length = strspn(digits, "0123456789"),
           more = digits[length] == '.' ? 1 + strspn(digits + length + 1, "0123456789") : 0;
    if (length == 0 || more == 1 || length + more > 18 || digits[length + more]) return false;
    *number = strtold(text, NULL);
    return true;
}

static bool read_item(char *text, value_item *item) {
    char *colon = strchr(text, ':');
    *item = (struct value_item){.is_range = colon != NULL, .all = EQUAL(text, "notnodata")};
    if (item->all) return true;
    if (colon) *colon = 0;
    if (!read_number(text, &item->from)) return false;
    if (!colon) return item->to = item->from, true;
    return read_number(colon + 1, &item->to) && item->from <= item->to;
}

static void read_text(const char *text, reading *r) {
    char **items = CSLTokenizeString2(text, ",", CSLT_ALLOWEMPTYTOKENS);
    r->count = CSLCount(items);
    r->plain = r->count > 0 && r->count <= MOST_ITEMS;
    for (int i = 0; i < r->count && r->plain; i++) r->plain = read_item(items[i], &r->items[i]);
    CSLDestroy(items);
}

/* In a real kind a number is what storing it in a raster makes of it. */
static long double stored(predt__kind kind, long double number) {
    if (kind == PREDT__F32) return (float)(double)number;
    return kind == PREDT__F64 ? (double)number : number;
}

static long double number_of(predt__kind kind, predt__value value) {
    if (predt__kind_is_real(kind)) return value.f;
    return predt__kind_is_signed(kind) ? (long double)value.i : (long double)value.u;
}

static bool says(const reading *r, predt__kind kind, const predt__value *nodata,
                 predt__value value) {
    long double number = number_of(kind, value);
    bool is_nodata = nodata && number == number_of(kind, *nodata);
    for (int i = 0; i < r->count; i++) {
        const value_item *item = &r->items[i];
        bool inside = number >= stored(kind, item->from) && number <= stored(kind, item->to);
        if (item->all ? !is_nodata : inside && !(item->is_range && is_nodata)) return true;
    }
    return false;
}

/* ---- Pixels to ask for ---- */

typedef struct samples {
    predt__kind kind;
    int count;
    predt__value values[MOST_SAMPLES];
} samples;

static void add(samples *s, predt__value value) {
    if (s->count < MOST_SAMPLES) s->values[s->count++] = value;
}

static void add_around(samples *s, predt__value value) {
    predt__value next;
    add(s, value);
    if (predt__value_next(s->kind, value, 1, &next)) add(s, next);
    if (predt__value_next(s->kind, value, -1, &next)) add(s, next);
}

static void add_number(samples *s, long double number) {
    predt__value value;
    char text[64];
    CPLsnprintf(text, sizeof text, "%.0f", (double)floorl(number));
    if (predt__value_parse(text, s->kind, &value) == PREDT__FITS) add_around(s, value);
    if (predt__kind_is_real(s->kind))
        add_around(s, (predt__value){.f = (double)stored(s->kind, number)});
}

static void store(predt__kind kind, predt__value value, char *pixel) {
    float f32 = (float)value.f;
    if (kind == PREDT__F32) memcpy(pixel, &f32, 4);
    /* little-endian: the low bytes come first */
    else memcpy(pixel, &value, (size_t)predt__kind_size(kind));
}

/* ---- The fuzzer ---- */

static void compare(const predt__selection *selection, const samples *s, const reading *r,
                    const predt__value *nodata) {
    char pixels[8 * MOST_SAMPLES];
    uint8_t marks[MOST_SAMPLES];
    int size = predt__kind_size(s->kind);
    for (int i = 0; i < s->count; i++) store(s->kind, s->values[i], pixels + i * size);
    predt__selection_mark(selection, pixels, (size_t)s->count, marks);
    for (int i = 0; i < s->count; i++) {
        predt__value value = s->values[i];
        bool is_nan = predt__kind_is_real(s->kind) && isnan(value.f);
        if (marks[i] != predt__selection_contains(selection, value))
            fuzz_fault("a mark and a question have two answers");
        if (r->plain && !is_nan && marks[i] != says(r, s->kind, nodata, value))
            fuzz_fault("a pixel is not what the text says");
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    fuzz_gdal();
    return 0;
}

static predt__value value_of(predt__kind kind, const uint8_t *bytes) {
    predt__value value;
    float f32;
    memcpy(&value, bytes, 8);
    memcpy(&f32, bytes, 4);
    if (kind == PREDT__F32) return (predt__value){.f = f32};
    if (kind == PREDT__F64) return value;
    int spare = 64 - 8 * predt__kind_size(kind);
    if (predt__kind_is_signed(kind)) value.i = (int64_t)(value.u << spare) >> spare;
    else value.u = value.u << spare >> spare;
    return value;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static samples s;
    static reading r;
    if (size < 10) return 0;
    s = (samples){.kind = (predt__kind)(data[0] % KINDS)};
    predt__value nodata = value_of(s.kind, data + 2);
    bool has_nodata = data[1] % 2 && !(predt__kind_is_real(s.kind) && isnan(nodata.f));
    char *text = fuzz_text(data + 10, size - 10);
    predt__selection *selection =
        predt__selection_parse(text, s.kind, has_nodata ? &nodata : NULL, "");
    read_text(text, &r);
    if (selection) {
        add_around(&s, predt__kind_min(s.kind)), add_around(&s, predt__kind_max(s.kind)),
            add_around(&s, nodata);
        add_number(&s, 0), add_number(&s, 1);
        if (predt__kind_is_real(s.kind)) add(&s, (predt__value){.f = NAN});
        for (int i = 0; i < r.count && r.plain; i++)
            add_number(&s, r.items[i].from), add_number(&s, r.items[i].to);
        for (size_t at = 10; at + 8 <= size && at < 200; at++) add(&s, value_of(s.kind, data + at));
        compare(selection, &s, &r, has_nodata ? &nodata : NULL);
    }
    predt__selection_free(selection);
    free(text);
    return 0;
}
