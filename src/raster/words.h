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

bool predt_number_from_text(const char *text, double *value); /* not NaN */
bool predt_length_from_text(const char *text, double *value); /* not below 0 */
bool predt_whole_from_text(const char *text, int least, int *value);
bool predt_yes_or_no_from_text(const char *text, bool *value);
/* bytes: 512M, 4G, 1.5GB; a number alone counts bytes */
bool predt_size_from_text(const char *text, int64_t *value);
bool predt_nodata_from_text(const char *text);                    /* a number or "nan" */
bool predt_type_from_text(const char *text, GDALDataType *value); /* a type of one number a pixel */

/* A user's text as messages show it: on one line, and not without end. shown has PREDT_SHOWN bytes;
 * returns it. */
#define PREDT_SHOWN 208
const char *predt_shown(const char *text, char *shown);

#ifdef __cplusplus
}
#endif

#endif
