/* An output raster: made in a folder of its own beside its final place, written piece by piece,
 * read back, moved when it and all other outputs of the run are complete. A raster that is updated
 * is copied there first, and the copy takes its place. */
#ifndef PREDT__SINK_H
#define PREDT__SINK_H

#include "../complaints.h"
#include "checked.h"
#include "commit.h"
#include "readback.h"
#include "staging.h"

/* How its pixels are to lie. */
typedef struct predt__layout {
    const char *format; /* NULL: by the path's extension, else GTiff */
    char **options;     /* creation options */
    int threads;        /* for compression; 0: all */
    /* windows will be higher than wide: a layout of rows is copied to from tiles */
    bool by_columns;
} predt__layout;

/* What a new raster is to be. */
typedef struct predt__sink_plan {
    const char *path;
    int update_band; /* 0: a new file; n: band n of the file that is there */
    /* a file that is there may be replaced; even one that holds other things, too */
    bool overwrite, overwrite_all;
    predt__layout layout;
    predt__kind kind;    /* of the pixels; an existing band keeps its own */
    bool categories;     /* pixels are classes or angles: their means make no sense */
    predt__value nodata; /* that is wanted */
    GDALDatasetH like;   /* size, CRS, georeference */
    bool own_process;    /* nothing else runs in it */
} predt__sink_plan;

/* Where it goes, and where it is made. */
typedef struct predt__place {
    char *path;  /* the final name; NULL: not in use */
    char *shown; /* as the user has named it */
    predt__staging staging;
    predt__checked *checked; /* NULL: not a local file */
    bool watched;            /* the driver writes through it */
    char *name;              /* under which GDAL makes it, in the staging's folder */
    char *raw;   /* the same of a tiled GeoTIFF to copy from, where the form streams not; or NULL */
    char *table; /* of a GeoPackage that it is added to; else NULL */
    char **owned; /* the files of the raster that is replaced */
} predt__place;

/* In which format. */
typedef struct predt__form {
    GDALDriverH driver;
    char **options;
    bool streams; /* windows are written straight to it */
    bool lossy;
    bool has_own_nodata; /* the format has one nodata value, and pixels are to get it */
    predt__value own_nodata;
} predt__form;

typedef struct predt__blocks {
    int cols, rows;
    bool direct; /* whole blocks go straight to the driver, past GDAL's block cache */
} predt__blocks;

typedef struct predt__sink {
    predt__sink_plan plan;
    predt__place place;
    predt__form form;
    GDALDatasetH dataset;
    GDALRasterBandH band;
    predt__kind kind;
    predt__value nodata;
    predt__blocks blocks;
    void *block; /* buffer for one */
    int64_t bytes_written;
    predt__samples samples;
} predt__sink;

/* Whether a band of a raster that was there before is written to. */
static inline bool predt__updates(const predt__sink *sink) { return sink->plan.update_band > 0; }

/* The plan's pointers are kept. Fails before anything is written: a folder, a file that must not be
 * replaced, an unknown format, another grid, a type that the format cannot hold. */
bool predt__sink_open(predt__sink *sink, const predt__sink_plan *plan);

/* Under which name GDAL is to know a file in a part of the staging. CPLFree it. */
char *predt__sink_name(const predt__sink *sink, const char *part, const char *name, bool watched);

/* Names the band and tags its nodata value: call before the first write. */
bool predt__sink_describe(predt__sink *sink, predt__value nodata, const char *description,
                          const char *unit);

/* Copies what gives values a meaning: scale and offset, colour table, category names and attribute
 * table. */
void predt__sink_copy_classes(predt__sink *sink, GDALRasterBandH from);

/* Whether the window ends where blocks do, or at the right and lower edges. */
bool predt__sink_has_whole_blocks(const predt__sink *sink, const predt_window *window);

/* Writes a window whose step is 1, row by row; pixels are of the sink's kind. Windows have whole
 * blocks, or the driver has to read blocks back. */
bool predt__sink_write(predt__sink *sink, const predt_window *window, const void *pixels);

/* Completes the file in its folder, reads it back and waits until it is on the disk; progress
 * belongs to a copy, which may take its time. What the format has not kept is said in warnings. */
bool predt__sink_finish(predt__sink *sink, predt__complaints *complaints, GDALProgressFunc progress,
                        void *user);

/* Releases the sink, and the files that it made if they are still in its folder. */
void predt__sink_close(predt__sink *sink);

#endif
