/* What there is to know of GDAL's raster formats before one is written: which driver a name means,
 * how it is written, which creation options keep values as they are. */
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

/* The creation options to use: the user's, and where these say nothing such as lose no values and
 * are fast. categories: pixels are classes or angles, of which no mean may be taken: overviews take
 * the nearest one, and options that lose values are left out, with a warning. CSLDestroy it. */
char **predt__format_options(GDALDriverH driver, char **options, predt__kind kind, bool categories,
                             int threads);

/* Whether pixels may come back changed: the format is like that, or one of the options. */
bool predt__format_is_lossy(GDALDriverH driver, char **options, predt__kind kind);

/* How the bands of a dataset that is there are compressed, if pixels may come back changed. */
bool predt__dataset_is_lossy(GDALDatasetH dataset);

/* What an existing file holds beside one raster ("the layers roads, towns"); NULL: nothing. CPLFree
 * it. */
char *predt__other_contents(const char *path);

/* Whether a GeoPackage holds a raster or a layer of that name. */
bool predt__has_table(const char *path, const char *table);

/* Adds the option by which GDAL before 3.7 knows signed bytes, where the kind is that. */
void predt__say_signed(char ***options, predt__kind kind);

/* Options for a GeoTIFF that is copied from. CSLDestroy it. */
char **predt__raw_options(predt__kind kind);

#endif
