#include "encode.h"

#include <math.h>
#include <string.h>

bool predt__encoding_round(predt__kind kind, double number, predt__value *value) {
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

/* ---- The farthest pixel ---- */

static bool is_new_farthest(const predt__tally *tally, double max, int64_t col, int64_t row) {
    if (max < 0 || max < tally->farthest) return false;
    if (max > tally->farthest) return true;
    return row < tally->farthest_row || (row == tally->farthest_row && col < tally->farthest_col);
}

void predt__tally_see(predt__tally *tally, double max, int64_t col, int64_t row) {
    if (!is_new_farthest(tally, max, col, row)) return;
    tally->farthest = max;
    tally->farthest_row = row;
    tally->farthest_col = col;
}

static void farthest_square(const double *squares, int64_t col, int64_t row, int64_t count,
                            predt__tally *tally) {
    int64_t at = -1;
    for (int64_t i = 0; i < count; i++)
        if (squares[i] < INFINITY && (at < 0 || squares[i] > squares[at])) at = i;
    if (at >= 0) predt__tally_see(tally, squares[at], col + at, row);
}

/* ---- Distances in Float32 ---- */

/* Floats that are not negative are ordered as their bits are, and integers have a SIMD maximum
 * without more ado. */
typedef int32_t __attribute__((may_alias)) float_bits;
#define INFINITY_BITS 0x7f800000
#define NAN_BITS 0x7fc00000

/* The usual case: one pass that copies, puts NaN for infinity and finds the largest distance. */
static void encode_plain(const float *distance, int64_t col, int64_t row, int64_t count, float *out,
                         predt__tally *tally) {
    const float_bits *from = (const float_bits *)distance;
    float_bits *to = (float_bits *)out;
    int32_t max = -1;
    for (int64_t i = 0; i < count; i++) {
        int32_t bits = from[i], reached = bits < INFINITY_BITS ? bits : -1;
        to[i] = bits < INFINITY_BITS ? bits : NAN_BITS;
        max = reached > max ? reached : max;
    }
    float farthest = -1;
    if (max >= 0) memcpy(&farthest, &max, sizeof farthest);
    if (!is_new_farthest(tally, farthest, col, row)) return;
    int64_t at = 0;
    while (distance[at] != farthest) at++;
    predt__tally_see(tally, farthest, col + at, row);
}

/* After the pass above: what is nodata to the user, and what is fixed. */
static void recode_f32(const predt__encoding *e, int64_t count, float *out, predt__tally *tally) {
    float nodata = (float)e->nodata.f, fixed = (float)e->fixed_value.f;
    for (int64_t i = 0; i < count; i++) {
        bool reached = out[i] == out[i];
        out[i] = !reached ? nodata : e->fixed ? fixed : out[i];
        tally->like_nodata += reached && out[i] == nodata;
    }
}

/* ---- Distances in other types, from squares ---- */

static void encode_f64(const predt__encoding *e, const double *square, int64_t count, double *out,
                       predt__tally *tally) {
    for (int64_t i = 0; i < count; i++) {
        bool reached = square[i] < INFINITY;
        out[i] = !reached ? e->nodata.f : e->fixed ? e->fixed_value.f : sqrt(square[i]) * e->scale;
        tally->like_nodata += reached && out[i] == e->nodata.f;
    }
}

/* Rounded half away from zero. A distance beyond the type becomes its largest value that is not
 * nodata. */
#define DEFINE_ENCODE(name, type, member)                                                          \
    static void name(const predt__encoding *e, const double *square, int64_t count, type *out,     \
                     predt__tally *tally) {                                                        \
        type nodata = (type)e->nodata.member, fixed = (type)e->fixed_value.member;                 \
        type top = (type)predt__kind_max(e->kind).member;                                          \
        if (top == nodata) top--;                                                                  \
        double over = (double)top + 1;                                                             \
        for (int64_t i = 0; i < count; i++) {                                                      \
            bool reached = square[i] < INFINITY;                                                   \
            double distance = reached && !e->fixed ? round(sqrt(square[i]) * e->scale) : 0;        \
            bool fits = distance < over;                                                           \
            out[i] = !reached ? nodata : e->fixed ? fixed : fits ? (type)distance : top;           \
            tally->clamped += !fits;                                                               \
            tally->like_nodata += reached && out[i] == nodata;                                     \
        }                                                                                          \
    }

DEFINE_ENCODE(encode_u8, uint8_t, u)
DEFINE_ENCODE(encode_i8, int8_t, i)
DEFINE_ENCODE(encode_u16, uint16_t, u)
DEFINE_ENCODE(encode_i16, int16_t, i)
DEFINE_ENCODE(encode_u32, uint32_t, u)
DEFINE_ENCODE(encode_i32, int32_t, i)
DEFINE_ENCODE(encode_u64, uint64_t, u)
DEFINE_ENCODE(encode_i64, int64_t, i)

static void encode_square(const predt__encoding *e, const double *square, int64_t count, void *out,
                          predt__tally *tally) {
    switch (e->kind) {
    case PREDT__U8:
        encode_u8(e, square, count, out, tally);
        break;
    case PREDT__I8:
        encode_i8(e, square, count, out, tally);
        break;
    case PREDT__U16:
        encode_u16(e, square, count, out, tally);
        break;
    case PREDT__I16:
        encode_i16(e, square, count, out, tally);
        break;
    case PREDT__U32:
        encode_u32(e, square, count, out, tally);
        break;
    case PREDT__I32:
        encode_i32(e, square, count, out, tally);
        break;
    case PREDT__U64:
        encode_u64(e, square, count, out, tally);
        break;
    case PREDT__I64:
        encode_i64(e, square, count, out, tally);
        break;
    case PREDT__F64:
        encode_f64(e, square, count, out, tally);
        break;
    case PREDT__F32:
        break; /* not from squares */
    }
}

void predt__encode_distance(const predt__encoding *encoding, const void *measured, int64_t col,
                            int64_t row, int64_t count, void *out, predt__tally *tally) {
    if (encoding->kind == PREDT__F32) {
        encode_plain(measured, col, row, count, out, tally);
        bool nan = encoding->nodata.f != encoding->nodata.f;
        if (!nan || encoding->fixed) recode_f32(encoding, count, out, tally);
    } else {
        farthest_square(measured, col, row, count, tally);
        encode_square(encoding, measured, count, out, tally);
    }
}

predt_whole predt__encoding_whole(const predt__encoding *e, void *values, predt_tally *tally) {
    bool is_signed = predt__kind_is_signed(e->kind);
    predt__value max = predt__kind_max(e->kind);
    predt_whole whole = {.size = sizeof whole,
                         .values = values,
                         .bytes = predt__kind_size(e->kind),
                         .scale = e->scale,
                         .tally = tally};
    whole.none = is_signed ? e->nodata.i : (int64_t)e->nodata.u;
    whole.most = is_signed ? max.i : (int64_t)max.u;
    if (whole.most == whole.none) whole.most--;
    if (e->fixed)
        whole.least = whole.most = is_signed ? e->fixed_value.i : (int64_t)e->fixed_value.u;
    return whole;
}
