/* What there is to know of GDAL's raster formats before one is written: which driver a name means,
 * and how it is written. */
#ifndef PREDT__FORMATS_H
#define PREDT__FORMATS_H

#include "../value.h"

/* The driver of that name; without one the driver that the path's extension stands for, GTiff where
 * there is no extension. NULL, with a CPLError that lists what there is, for anything that rasters
 * cannot be written to. */
GDALDriverH predt__format_find(const char *format, const char *path);

bool predt__format_is(GDALDriverH driver, const char *name);

/* Bands of a file that is there can be written to anew. */
bool predt__format_updates(GDALDriverH driver);

/* Strips can be written straight into its files; other formats are copied from a GeoTIFF when that
 * is complete. */
bool predt__format_streams(GDALDriverH driver);

/* It writes through GDAL's virtual file systems, so that its writes can be checked, see
 * checked.h. */
bool predt__format_is_checked(GDALDriverH driver);

/* Whether the word is in a list that ends with NULL, whatever the case. */
bool predt__is_one_of(const char *word, const char *const *words);

#endif
