/* A band as a source of targets: pixels in, target marks and labels out. Useful alone: a driver
 * that answers blocks builds its index with the same calls. Failures go through CPLError. */
#ifndef PREDT__SOURCE_H
#define PREDT__SOURCE_H

#include "predt.h"
#include "selection.h"

typedef struct predt__source {
    GDALDatasetH dataset;
    GDALRasterBandH band;
    GDALRasterBandH mask;  /* NULL, or a band that is 0 where the pixel is no data */
    GDALRasterBandH alpha; /* the same, beside a mask or of fractions */
    bool owned;            /* the dataset is closed with the source */
    int64_t width, height;
    int block_cols, block_rows;
    predt__kind kind;
    bool has_nodata;
    predt__value nodata;
} predt__source;

/* A source of its own handle; several of them may be read by as many threads. The source is filled
 * even on failure and may be closed. */
bool predt__source_open(const char *path, int band, predt__source *source);

/* A source over a dataset that the caller keeps. */
bool predt__source_wrap(GDALDatasetH dataset, int band, predt__source *source);
void predt__source_close(predt__source *source);

/* What targets of the band carry as labels: the bits of a pixel, zero-extended to 4 or 8 bytes. */
predt_label_type predt__source_label_type(const predt__source *source);

/* Rows to work on at once in a raster: whole block rows and whole sub-blocks, so that each block is
 * decoded or encoded once, near `wanted` pixels in all. Whole sub-blocks only where block rows
 * would exceed max_pixels. */
int32_t predt__strip_rows(int64_t width, int64_t height, int64_t block_rows, int64_t wanted,
                          int64_t max_pixels);
int64_t predt__least_common_multiple(int64_t a, int64_t b);

/* Buffers for one strip. */
typedef struct predt__strip {
    void *pixels;
    uint8_t *marks, *mask;
    void *alpha, *wide;
    const uint8_t *is_target; /* what predt_index_add takes, until the next read into this strip */
    const void *labels;       /* the same; NULL unless wanted */
} predt__strip;

/* Bytes of it for one pixel. */
int predt__strip_bytes(const predt__source *source, bool labels);

bool predt__strip_allocate(predt__strip *strip, const predt__source *source, int64_t pixels,
                           bool labels);
void predt__strip_free(predt__strip *strip);

bool predt__source_read(const predt__source *source, const predt__selection *selection, int64_t row,
                        int32_t rows, predt__strip *strip);

/* Writes 1 to is_nodata where a pixel of the window, whose step is 1, is nodata, NaN or masked, 0
 * elsewhere: a target has data, for somebody asked for it. It uses the strip's buffers. */
bool predt__source_read_nodata(const predt__source *source, const predt__selection *selection,
                               const predt_window *window, predt__strip *strip, uint8_t *is_nodata);

#endif
