/* A few pixels written in a format and read back, before hours of work go into a raster that it
 * cannot hold. */
#ifndef PREDT__TRIAL_H
#define PREDT__TRIAL_H

#include "../value.h"

typedef struct predt__trial {
    GDALDriverH driver;
    char **options; /* creation options */
    predt__kind kind;
    predt__value nodata; /* that is wanted */
    GDALDatasetH like;   /* CRS and georeference */
    const char *path;    /* where to try; its folder is emptied afterwards */
    bool streams;        /* written as rows come; else copied to */
    bool lossy;          /* pixels may come back changed */

    /* Found out: the value that pixels without a target should have, which is the one wanted unless
     * the format cannot keep it. */
    predt__value used_nodata;
    bool has_nodata, same_nodata; /* in the last trial: one came back, and it was that one */
    predt__value own_nodata;
} predt__trial;

/* False, with a CPLError, where the format cannot hold such a raster. */
bool predt__try_format(predt__trial *trial);

/* Size, CRS and georeference of another dataset. Metadata that a format cannot keep are dropped
 * without a word: who wants to know reads them back. */
void predt__copy_georeference(GDALDatasetH from, GDALDatasetH to);

#endif
