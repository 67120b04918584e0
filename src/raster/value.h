/* Pixel values in the band's own type: nothing here goes through a wider or a narrower one. */
#ifndef PREDT__VALUE_H
#define PREDT__VALUE_H

#include <gdal.h>
#include <stdbool.h>

#include "predt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As the core counts types. */
typedef enum predt__kind {
    PREDT__U8 = PREDT_UINT8,
    PREDT__I8 = PREDT_INT8,
    PREDT__U16 = PREDT_UINT16,
    PREDT__I16 = PREDT_INT16,
    PREDT__U32 = PREDT_UINT32,
    PREDT__I32 = PREDT_INT32,
    PREDT__U64 = PREDT_UINT64,
    PREDT__I64 = PREDT_INT64,
    PREDT__F32 = PREDT_FLOAT32,
    PREDT__F64 = PREDT_FLOAT64
} predt__kind;

/* One pixel value; its kind says which member counts. */
typedef predt_number predt__value;

/* What a number typed by a user is in a kind. */
typedef enum predt__fit { PREDT__FITS, PREDT__CANNOT_OCCUR, PREDT__NOT_A_NUMBER } predt__fit;

/* The kind of a band's pixels, and the type in which RasterIO hands them over. False for a complex
 * band. */
bool predt__kind_of_band(GDALRasterBandH band, predt__kind *kind);
bool predt__kind_of_type(GDALDataType type, predt__kind *kind);
GDALDataType predt__kind_type(predt__kind kind);

const char *predt__kind_name(predt__kind kind);
int predt__kind_size(predt__kind kind);
bool predt__kind_is_real(predt__kind kind);
bool predt__kind_is_signed(predt__kind kind); /* a signed integer */

predt__value predt__kind_min(predt__kind kind); /* of a real kind: minus infinity */
predt__value predt__kind_max(predt__kind kind);

int predt__compare(predt__kind kind, predt__value a, predt__value b);

/* Reads a whole text as a number of the kind; a real one is rounded to the kind, as storing it in a
 * raster does. */
predt__fit predt__value_parse(const char *text, predt__kind kind, predt__value *value);

/* The value next above (direction 1) or below (-1); false at the end of the kind. */
bool predt__value_next(predt__kind kind, predt__value value, int direction, predt__value *next);

/* The nodata value of a band; false where it has none that its pixels could hold. NaN counts as
 * none: NaN is never data. */
bool predt__value_of_nodata(GDALRasterBandH band, predt__kind kind, predt__value *value);
/* The same, NaN apart: whether a value is tagged, whatever it is, and that value as a number. */
bool predt__number_of_nodata(GDALRasterBandH band, double *number);
CPLErr predt__value_set_nodata(GDALRasterBandH band, predt__kind kind, predt__value value);

/* The value as the bits of a pixel, zero-extended: what labels are made of. */
uint64_t predt__value_bits(predt__kind kind, predt__value value);

/* Rounds a number to the kind, as storing it in a raster does; false where the kind cannot hold
 * it. */
bool predt__value_round(predt__kind kind, double number, predt__value *value);

/* Writes the value in digits, for messages; the text has room for 40 bytes. */
const char *predt__value_text(predt__kind kind, predt__value value, char *text);

#ifdef __cplusplus
}
#endif

#endif
