/* Option values as people write them, for the command and the driver alike. Each function returns
 * false where the text makes no sense; *value is then undefined. */
#ifndef PREDT__WORDS_H
#define PREDT__WORDS_H

#include <gdal.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

bool predt__number_from_text(const char *text, double *value); /* not NaN */
bool predt__whole_from_text(const char *text, int min, int *value);
bool predt__yes_or_no_from_text(const char *text, bool *value);
/* bytes: 512M, 4G, 1.5GB; a number alone counts bytes */
bool predt__size_from_text(const char *text, int64_t *value);
bool predt__nodata_from_text(const char *text); /* a number or "nan" */
/* a type of one number a pixel */
bool predt__type_from_text(const char *text, GDALDataType *value);

/* A user's text as messages show it: on one line, and not without end. shown has PREDT__SHOWN
 * bytes; returns it. */
#define PREDT__SHOWN 208
const char *predt__shown(const char *text, char *shown);

#ifdef __cplusplus
}
#endif

#endif
