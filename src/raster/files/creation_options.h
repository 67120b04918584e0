/* Which creation options keep values as they are, and which do not. */
#ifndef PREDT__CREATION_OPTIONS_H
#define PREDT__CREATION_OPTIONS_H

#include "../value.h"

/* The creation options to use: the user's, and where these say nothing such as lose no values and
 * are fast. categories: pixels are classes or angles, of which no mean may be taken: overviews take
 * the nearest one, and options that lose values are left out, with a warning. CSLDestroy it. */
char **predt__format_options(GDALDriverH driver, char **options, predt__kind kind, bool categories,
                             int threads);

/* Whether pixels may come back changed: the format is like that, or one of the options. */
bool predt__format_is_lossy(GDALDriverH driver, char **options, predt__kind kind);

/* How the bands of a dataset that is there are compressed, if pixels may come back changed. */
bool predt__dataset_is_lossy(GDALDatasetH dataset);

/* Adds the option by which GDAL before 3.7 knows signed bytes, where the kind is that. */
void predt__say_signed(char ***options, predt__kind kind);

/* Options for a GeoTIFF that is copied from. CSLDestroy it. */
char **predt__raw_options(predt__kind kind);

#endif
