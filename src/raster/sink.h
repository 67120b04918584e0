/* An output raster: made beside its final name, written strip by strip, moved to that name when it is complete. */
#ifndef PREDT__SINK_H
#define PREDT__SINK_H

#include "complaints.h"
#include "value.h"

/* What a new raster is to be. */
typedef struct predt__sink_plan {
    const char *path;
    int update_band; /* 0: a new file; n: band n of the file that is there */
    bool overwrite;
    const char *format; /* NULL: by the path's extension, else GTiff */
    char **options;     /* creation options */
    int threads;        /* for compression; 0: all */
    predt__kind kind;   /* of the pixels; an existing band keeps its own */
    GDALDatasetH like;  /* size, CRS, georeference */
} predt__sink_plan;

typedef struct predt__sink {
    char *path; /* the final name; NULL: not in use */
    char *work; /* the name it is made under; equal to path when a file is updated */
    char *raw;  /* a GTiff to copy from, for formats that can only be copied to; else NULL */
    bool updates;
    GDALDriverH driver;
    char **options;
    GDALDatasetH dataset;
    GDALRasterBandH band;
    predt__kind kind;
    int block_cols, block_rows;
    bool by_block; /* whole blocks go straight to the driver, past GDAL's block cache */
    void *buffer;  /* encoded pixels */
    size_t buffer_bytes;
    int64_t bytes_written;
} predt__sink;

/* Fails before anything is written: a folder, a file that must not be replaced, an unknown format, a size that differs. */
bool predt__sink_open(predt__sink *sink, const predt__sink_plan *plan);

/* Names the band and tags its nodata value: call before the first write. */
bool predt__sink_describe(predt__sink *sink, predt__value nodata, const char *description, const char *unit);

/* Copies colour table, category names and attribute table. */
void predt__sink_copy_classes(predt__sink *sink, GDALRasterBandH from);

/* Fills one row's piece: `cols` pixels from (col, row) of the raster on. */
typedef void (*predt__fill)(void *user, int64_t col, int64_t row, int64_t cols, void *out);

/* Writes whole rows. Strips come in order; all but the last are whole block rows, or the driver has to read blocks back. */
bool predt__sink_write(predt__sink *sink, int64_t row, int32_t rows, predt__fill fill, void *user);

/* Completes the file under its working name; progress belongs to a copy, which may take its time. */
bool predt__sink_finish(predt__sink *sink, predt__complaints *complaints, GDALProgressFunc progress, void *user);

/* Gives a finished file its final name. */
bool predt__sink_commit(predt__sink *sink);

/* Releases the sink and whatever files it made that are not committed. */
void predt__sink_close(predt__sink *sink);

#endif
