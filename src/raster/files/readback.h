/* Reading back what was written: what a file holds is what counts, not what a driver was given. */
#ifndef PREDT__READBACK_H
#define PREDT__READBACK_H

#include "../value.h"
#include "predt.h"

/* Some stretches of rows as they were handed over to be written, spread over the raster. A stretch
 * may come in parts. */
#define PREDT__SAMPLES 64
#define PREDT__SAMPLE_PIXELS 512

typedef struct predt__sample {
    int64_t col, row;
    int32_t count;
    void *pixels;
} predt__sample;

typedef struct predt__samples {
    predt__kind kind;
    int64_t width, height;
    predt__sample list[PREDT__SAMPLES];
} predt__samples;

/* Shows a window that is being written, row by row. */
void predt__samples_see(predt__samples *samples, const predt_window *window, const void *pixels);
void predt__samples_free(predt__samples *samples);

/* How what was read differs from what was meant. */
typedef struct predt__difference {
    int64_t pixels, different;
    double largest; /* of two numbers */
    /* no more than digits that a text leaves out, and no number became NaN or the other way
     * round */
    bool close;
} predt__difference;

/* Each false, with a CPLError, where the file cannot be read. */
bool predt__compare_samples(const predt__samples *samples, GDALRasterBandH band,
                            predt__difference *difference);
bool predt__compare_bands(GDALRasterBandH meant, GDALRasterBandH band, predt__kind kind,
                          predt__difference *difference);

/* Whether two datasets lie on the same grid; else *why says, in words, how the first differs from
 * the second ("its CRS is ..., that of the source ..."), for CPLFree. */
bool predt__same_geotransform(GDALDatasetH a, GDALDatasetH b, char **why);
bool predt__same_crs(GDALDatasetH a, GDALDatasetH b, char **why);

/* Whether every block of a GeoTIFF has bytes in the file. */
bool predt__has_all_blocks(GDALRasterBandH band);

#endif
