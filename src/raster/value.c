#include "value.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct kind_row {
    const char *name;
    GDALDataType type;
    int size;
    bool is_signed, is_real;
} kind_row;

static const kind_row kinds[] = {
    [PREDT__U8] = {"Byte", GDT_Byte, 1, false, false},
    [PREDT__I8] = {"Int8", GDT_Byte, 1, true, false},
    [PREDT__U16] = {"UInt16", GDT_UInt16, 2, false, false},
    [PREDT__I16] = {"Int16", GDT_Int16, 2, true, false},
    [PREDT__U32] = {"UInt32", GDT_UInt32, 4, false, false},
    [PREDT__I32] = {"Int32", GDT_Int32, 4, true, false},
    [PREDT__U64] = {"UInt64", GDT_UInt64, 8, false, false},
    [PREDT__I64] = {"Int64", GDT_Int64, 8, true, false},
    [PREDT__F32] = {"Float32", GDT_Float32, 4, false, true},
    [PREDT__F64] = {"Float64", GDT_Float64, 8, false, true},
};
#define KINDS (int)(sizeof kinds / sizeof kinds[0])

bool predt__kind_of_type(GDALDataType type, predt__kind *kind) {
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 7, 0)
    if (type == GDT_Int8) return *kind = PREDT__I8, true;
#endif
    for (int i = 0; i < KINDS; i++)
        if (kinds[i].type == type && i != PREDT__I8) return *kind = (predt__kind)i, true;
    *kind = PREDT__F32; /* a half float: read as float32 */
    return !GDALDataTypeIsComplex(type) && type != GDT_Unknown;
}

bool predt__kind_of_band(GDALRasterBandH band, predt__kind *kind) {
    if (!predt__kind_of_type(GDALGetRasterDataType(band), kind)) return false;
#if GDAL_VERSION_NUM < GDAL_COMPUTE_VERSION(3, 7, 0)
    const char *signed_byte = GDALGetMetadataItem(band, "PIXELTYPE", "IMAGE_STRUCTURE");
    if (*kind == PREDT__U8 && signed_byte && EQUAL(signed_byte, "SIGNEDBYTE")) *kind = PREDT__I8;
#endif
    return true;
}

GDALDataType predt__kind_type(predt__kind kind) {
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 7, 0)
    if (kind == PREDT__I8) return GDT_Int8;
#endif
    return kinds[kind].type;
}

const char *predt__kind_name(predt__kind kind) { return kinds[kind].name; }
int predt__kind_size(predt__kind kind) { return kinds[kind].size; }
bool predt__kind_is_real(predt__kind kind) { return kinds[kind].is_real; }
bool predt__kind_is_signed(predt__kind kind) { return kinds[kind].is_signed; }

predt__value predt__kind_min(predt__kind kind) {
    if (kinds[kind].is_real) return (predt__value){.f = -INFINITY};
    if (!kinds[kind].is_signed) return (predt__value){.u = 0};
    return (predt__value){.i = INT64_MIN >> (64 - 8 * kinds[kind].size)};
}

predt__value predt__kind_max(predt__kind kind) {
    int unused = 64 - 8 * kinds[kind].size;
    if (kinds[kind].is_real) return (predt__value){.f = INFINITY};
    if (!kinds[kind].is_signed) return (predt__value){.u = UINT64_MAX >> unused};
    return (predt__value){.i = INT64_MAX >> unused};
}

int predt__compare(predt__kind kind, predt__value a, predt__value b) {
    if (kinds[kind].is_real) return (a.f > b.f) - (a.f < b.f);
    if (kinds[kind].is_signed) return (a.i > b.i) - (a.i < b.i);
    return (a.u > b.u) - (a.u < b.u);
}

/* ---- Reading ---- */

/* Digits alone are read exactly; "1e3" and "10.0" go through a double and must be whole. */
static predt__fit parse_integer(const char *text, predt__kind kind, predt__value *value) {
    char *end;
    bool negative = text[0] == '-',
         plain = strspn(text + (negative || text[0] == '+'), "0123456789") > 0;
    errno = 0;
    predt__value read = {.u = strtoull(text + negative, &end, 10)};
    bool too_large = errno == ERANGE;
    /* a double may be too short for these digits */
    if (plain && *end == '.' && !end[1 + strspn(end + 1, "0123456789")]) {
        if (end[1 + strspn(end + 1, "0")]) return PREDT__CANNOT_OCCUR;
        end += strlen(end);
    }
    if (!plain || *end) {
        double real = CPLStrtod(text, &end);
        if (end == text || *end || real != real) return PREDT__NOT_A_NUMBER;
        if (real != floor(real) || fabs(real) >= 0x1p64) return PREDT__CANNOT_OCCUR;
        negative = real < 0;
        read.u = (uint64_t)fabs(real);
        too_large = false;
    }
    predt__value max = predt__kind_max(kind), min = predt__kind_min(kind);
    if (read.u == 0) negative = false;
    uint64_t largest = negative ? (kinds[kind].is_signed ? 0 - (uint64_t)min.i : 0) : max.u;
    if (too_large || read.u > largest) return PREDT__CANNOT_OCCUR;
    value->u = negative ? 0 - read.u : read.u;
    return PREDT__FITS;
}

static predt__fit parse_real(const char *text, predt__kind kind, predt__value *value) {
    char *end;
    double real = CPLStrtod(text, &end);
    if (end == text || *end) return PREDT__NOT_A_NUMBER;
    bool finite = isfinite(real) ||
                  !strpbrk(text, "nN"); /* 1e400 is infinite by accident, "inf" on purpose */
    if (kind == PREDT__F32) real = (double)(float)real;
    value->f = real;
    return finite && !isfinite(real) ? PREDT__CANNOT_OCCUR : PREDT__FITS;
}

predt__fit predt__value_parse(const char *text, predt__kind kind, predt__value *value) {
    if (!*text || isspace((unsigned char)*text)) return PREDT__NOT_A_NUMBER;
    return kinds[kind].is_real ? parse_real(text, kind, value) : parse_integer(text, kind, value);
}

static bool next_real(predt__kind kind, double value, double towards, predt__value *next) {
    next->f = kind == PREDT__F32 ? (double)nextafterf((float)value, (float)towards)
                                 : nextafter(value, towards);
    return true;
}

bool predt__value_next(predt__kind kind, predt__value value, int direction, predt__value *next) {
    predt__value end = direction > 0 ? predt__kind_max(kind) : predt__kind_min(kind);
    if (predt__compare(kind, value, end) == 0) return false;
    if (kinds[kind].is_real) return next_real(kind, value.f, end.f, next);
    next->u = value.u + (uint64_t)(int64_t)direction;
    return true;
}

/* ---- Nodata ---- */

static bool nodata_from_double(predt__kind kind, double nodata, predt__value *value) {
    if (nodata != nodata) return false;
    if (kind == PREDT__F64) return value->f = nodata, true;
    if (kind == PREDT__F32) {
        value->f = (double)(float)nodata;
        return isfinite(nodata) == isfinite(value->f);
    }
    char text[64];
    CPLsnprintf(text, sizeof text, "%.17g", nodata);
    return parse_integer(text, kind, value) == PREDT__FITS;
}

bool predt__value_of_nodata(GDALRasterBandH band, predt__kind kind, predt__value *value) {
    int has = FALSE;
    if (kind == PREDT__I64) value->i = GDALGetRasterNoDataValueAsInt64(band, &has);
    else if (kind == PREDT__U64) value->u = GDALGetRasterNoDataValueAsUInt64(band, &has);
    else {
        double nodata = GDALGetRasterNoDataValue(band, &has);
        return has && nodata_from_double(kind, nodata, value);
    }
    return has;
}

bool predt__number_of_nodata(GDALRasterBandH band, double *number) {
    int has = FALSE;
    GDALDataType type = GDALGetRasterDataType(band);
    if (type == GDT_Int64) *number = (double)GDALGetRasterNoDataValueAsInt64(band, &has);
    else if (type == GDT_UInt64) *number = (double)GDALGetRasterNoDataValueAsUInt64(band, &has);
    else *number = GDALGetRasterNoDataValue(band, &has);
    return has;
}

CPLErr predt__value_set_nodata(GDALRasterBandH band, predt__kind kind, predt__value value) {
    if (kind == PREDT__I64) return GDALSetRasterNoDataValueAsInt64(band, value.i);
    if (kind == PREDT__U64) return GDALSetRasterNoDataValueAsUInt64(band, value.u);
    if (kinds[kind].is_real) return GDALSetRasterNoDataValue(band, value.f);
    return GDALSetRasterNoDataValue(band,
                                    kinds[kind].is_signed ? (double)value.i : (double)value.u);
}

/* ---- Bits and text ---- */

uint64_t predt__value_bits(predt__kind kind, predt__value value) {
    uint64_t bits = value.u;
    if (kind == PREDT__F32) {
        float single = (float)value.f;
        uint32_t narrow;
        memcpy(&narrow, &single, sizeof narrow);
        bits = narrow;
    }
    return bits & (UINT64_MAX >> (64 - 8 * kinds[kind].size));
}

const char *predt__value_text(predt__kind kind, predt__value value, char *text) {
    if (kinds[kind].is_real) CPLsnprintf(text, 40, kind == PREDT__F32 ? "%.9g" : "%.17g", value.f);
    else if (kinds[kind].is_signed) snprintf(text, 40, "%" PRId64, value.i);
    else snprintf(text, 40, "%" PRIu64, value.u);
    return text;
}

bool predt__value_round(predt__kind kind, double number, predt__value *value) {
    if (predt__kind_is_real(kind)) {
        value->f = kind == PREDT__F32 ? (double)(float)number : number;
        return isfinite(number) == isfinite(value->f);
    }
    double whole = round(number),
           min = predt__kind_is_signed(kind) ? (double)predt__kind_min(kind).i : 0;
    double over = ldexp(1, 8 * predt__kind_size(kind) - predt__kind_is_signed(kind));
    if (!(whole >= min && whole < over)) return false;
    if (predt__kind_is_signed(kind)) value->i = (int64_t)whole;
    else value->u = (uint64_t)whole;
    return true;
}
