/* An output raster while it is written; how it is opened is in open.c, how it is completed in
 * finish.c. */
#include "sink.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <string.h>

#include "formats.h"

static bool refuse(const char *path, const char *why) {
    CPLError(CE_Failure, CPLE_AppDefined, "%.1000s %s", path, why);
    return false;
}

char *predt__sink_name(const predt__sink *sink, const char *part, const char *name,
                       bool watched_one) {
    char *path = predt__staged(&sink->place.staging, part, name);
    if (!sink->place.checked || !watched_one) return path;
    char *watched = predt__checked_name(path);
    CPLFree(path);
    return watched;
}

/* ---- What the band is ---- */

bool predt__sink_describe(predt__sink *sink, predt__value nodata, const char *description,
                          const char *unit) {
    sink->nodata = nodata;
    CPLErrorReset();
    if (predt__value_set_nodata(sink->band, sink->kind, nodata) != CE_None) {
        if (CPLGetLastErrorType() < CE_Failure)
            refuse(sink->place.shown, "cannot be tagged with a nodata value");
        return false;
    }
    if (predt__updates(sink) && GDALGetRasterCount(sink->dataset) > 1 &&
        predt__format_is(sink->form.driver, "GTiff"))
        CPLError(
            CE_Warning, CPLE_AppDefined,
            "%.1000s: all bands of a GeoTIFF share one nodata value, that of the distances now",
            sink->place.shown);
    CPLPushErrorHandler(CPLQuietErrorHandler); /* not every format has these */
    GDALSetDescription(sink->band, description);
    if (*unit) GDALSetRasterUnitType(sink->band, unit);
    CPLPopErrorHandler();
    return true;
}

void predt__sink_copy_classes(predt__sink *sink, GDALRasterBandH from) {
    CPLPushErrorHandler(CPLQuietErrorHandler);
    if (GDALGetRasterColorTable(from))
        GDALSetRasterColorTable(sink->band, GDALGetRasterColorTable(from));
    if (GDALGetRasterCategoryNames(from))
        GDALSetRasterCategoryNames(sink->band, GDALGetRasterCategoryNames(from));
    if (GDALGetDefaultRAT(from)) GDALSetDefaultRAT(sink->band, GDALGetDefaultRAT(from));
    if (GDALGetRasterScale(from, NULL) != 1)
        GDALSetRasterScale(sink->band, GDALGetRasterScale(from, NULL));
    if (GDALGetRasterOffset(from, NULL) != 0)
        GDALSetRasterOffset(sink->band, GDALGetRasterOffset(from, NULL));
    CPLPopErrorHandler();
}

/* ---- Writing ---- */

static bool written(const predt__sink *sink, CPLErr result) {
    const char *why;
    if (predt__checked_failed(sink->place.checked, &why)) {
        CPLError(CE_Failure, CPLE_FileIO, "%s", why);
        return false;
    }
    if (result != CE_None && CPLGetLastErrorType() < CE_Failure)
        refuse(sink->place.shown, "cannot be written to");
    return result == CE_None;
}

/* Blocks stick out of the raster at its right and lower edges; what lies there is whatever the
 * buffer held. */
static bool write_block_row(predt__sink *sink, int64_t row, int32_t rows, const char *pixels) {
    int64_t width = GDALGetRasterBandXSize(sink->band), size = predt__kind_size(sink->kind);
    int64_t pitch = sink->blocks.cols * size;
    if (!sink->block) sink->block = VSICalloc((size_t)sink->blocks.rows, (size_t)pitch);
    if (!sink->block) return refuse(sink->place.shown, "out of memory for a block");
    for (int64_t col = 0; col < width; col += sink->blocks.cols) {
        int64_t cols = width - col < sink->blocks.cols ? width - col : sink->blocks.cols;
        for (int32_t i = 0; i < rows; i++)
            memcpy((char *)sink->block + i * pitch, pixels + (i * width + col) * size,
                   (size_t)(cols * size));
        int x = (int)(col / sink->blocks.cols), y = (int)(row / sink->blocks.rows);
        if (!written(sink, GDALWriteBlock(sink->band, x, y, sink->block))) return false;
    }
    return true;
}

static bool write_blocks(predt__sink *sink, int64_t row, int32_t rows, const char *pixels) {
    int64_t pitch = (int64_t)GDALGetRasterBandXSize(sink->band) * predt__kind_size(sink->kind);
    bool good = true;
    for (int32_t done = 0; done < rows && good; done += sink->blocks.rows) {
        int32_t some = rows - done < sink->blocks.rows ? rows - done : sink->blocks.rows;
        good = write_block_row(sink, row + done, some, pixels + done * pitch);
    }
    return good;
}

/* GDAL takes what it only reads as void *, too. */
static bool write_rows(predt__sink *sink, int64_t row, int32_t rows, const void *pixels) {
    int width = GDALGetRasterBandXSize(sink->band);
    return written(sink, GDALRasterIOEx(sink->band, GF_Write, 0, (int)row, width, rows,
                                        (void *)(uintptr_t)pixels, width, rows,
                                        predt__kind_type(sink->kind), 0, 0, NULL));
}

static void sample(predt__sink *sink, int64_t row, int32_t rows, const char *pixels) {
    int64_t width = GDALGetRasterBandXSize(sink->band), size = predt__kind_size(sink->kind);
    for (int32_t i = 0; i < rows; i++, pixels += width * size)
        predt__samples_see(&sink->samples, row + i, pixels);
}

bool predt__sink_write(predt__sink *sink, int64_t row, int32_t rows, const void *pixels) {
    int64_t height = GDALGetRasterBandYSize(sink->band);
    bool whole_blocks =
        row % sink->blocks.rows == 0 && (rows % sink->blocks.rows == 0 || row + rows == height);
    if (!whole_blocks) sink->blocks.direct = false;
    CPLErrorReset();
    sample(sink, row, rows, pixels);
    sink->bytes_written +=
        (int64_t)rows * GDALGetRasterBandXSize(sink->band) * predt__kind_size(sink->kind);
    return sink->blocks.direct ? write_blocks(sink, row, rows, pixels)
                               : write_rows(sink, row, rows, pixels);
}

void predt__sink_close(predt__sink *sink) {
    if (sink->dataset) GDALClose(sink->dataset);
    predt__checked_close(sink->place.checked);
    predt__staging_close(&sink->place.staging);
    predt__samples_free(&sink->samples);
    CPLFree(sink->place.path);
    CPLFree(sink->place.shown);
    CPLFree(sink->place.name);
    CPLFree(sink->place.raw);
    CPLFree(sink->place.table);
    CSLDestroy(sink->place.owned);
    CSLDestroy(sink->form.options);
    VSIFree(sink->block);
    *sink = (predt__sink){0};
}
