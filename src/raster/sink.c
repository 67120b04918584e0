/* An output raster while it is written; how it is opened is in place.c, how it is completed in
 * finish.c. */
#include "sink.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>

#include "formats.h"

static bool refuse(const char *path, const char *why) {
    CPLError(CE_Failure, CPLE_AppDefined, "%.1000s %s", path, why);
    return false;
}

/* ---- What the band is ---- */

bool predt__sink_describe(predt__sink *sink, predt__value nodata, const char *description,
                          const char *unit) {
    sink->nodata = nodata;
    CPLErrorReset();
    if (predt__value_set_nodata(sink->band, sink->kind, nodata) != CE_None) {
        if (CPLGetLastErrorType() < CE_Failure)
            refuse(sink->shown, "cannot be tagged with a nodata value");
        return false;
    }
    if (sink->updates && GDALGetRasterCount(sink->dataset) > 1 &&
        predt__format_is(sink->driver, "GTiff"))
        CPLError(
            CE_Warning, CPLE_AppDefined,
            "%.1000s: all bands of a GeoTIFF share one nodata value, that of the distances now",
            sink->shown);
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

static bool reserve(predt__sink *sink, size_t bytes) {
    if (bytes <= sink->buffer_bytes) return true;
    VSIFree(sink->buffer);
    sink->buffer = VSICalloc(bytes, 1);
    sink->buffer_bytes = sink->buffer ? bytes : 0;
    if (!sink->buffer) CPLError(CE_Failure, CPLE_OutOfMemory, "out of memory for encoded rows");
    return sink->buffer != NULL;
}

static bool written(const predt__sink *sink, CPLErr result) {
    const char *why;
    if (predt__checked_failed(sink->checked, &why)) {
        CPLError(CE_Failure, CPLE_FileIO, "%s", why);
        return false;
    }
    if (result != CE_None && CPLGetLastErrorType() < CE_Failure)
        refuse(sink->shown, "cannot be written to");
    return result == CE_None;
}

static void fill_piece(predt__sink *sink, int64_t col, int64_t row, int64_t cols, void *out,
                       predt__fill fill, void *user) {
    fill(user, col, row, cols, out);
    predt__samples_see(&sink->samples, col, row, cols, out);
}

/* Blocks stick out of the raster at its right and lower edges; what lies there is whatever the
 * buffer held. */
static bool write_block_row(predt__sink *sink, int64_t row, int32_t rows, predt__fill fill,
                            void *user) {
    int64_t width = GDALGetRasterBandXSize(sink->band),
            pitch = (int64_t)sink->block_cols * predt__kind_size(sink->kind);
    if (!reserve(sink, (size_t)(pitch * sink->block_rows))) return false;
    for (int64_t col = 0; col < width; col += sink->block_cols) {
        int64_t cols = width - col < sink->block_cols ? width - col : sink->block_cols;
        char *line = sink->buffer;
        for (int32_t i = 0; i < rows; i++, line += pitch)
            fill_piece(sink, col, row + i, cols, line, fill, user);
        int x = (int)(col / sink->block_cols), y = (int)(row / sink->block_rows);
        if (!written(sink, GDALWriteBlock(sink->band, x, y, sink->buffer))) return false;
    }
    return true;
}

static bool write_rows(predt__sink *sink, int64_t row, int32_t rows, predt__fill fill, void *user) {
    int width = GDALGetRasterBandXSize(sink->band);
    int64_t pitch = (int64_t)width * predt__kind_size(sink->kind);
    if (!reserve(sink, (size_t)(pitch * rows))) return false;
    char *line = sink->buffer;
    for (int32_t i = 0; i < rows; i++, line += pitch)
        fill_piece(sink, 0, row + i, width, line, fill, user);
    return written(
        sink, GDALRasterIOEx(sink->band, GF_Write, 0, (int)row, width, rows, sink->buffer, width,
                             rows, predt__kind_type(sink->kind), 0, 0, NULL));
}

bool predt__sink_write(predt__sink *sink, int64_t row, int32_t rows, predt__fill fill, void *user) {
    int64_t height = GDALGetRasterBandYSize(sink->band);
    bool whole_blocks =
        row % sink->block_rows == 0 && (rows % sink->block_rows == 0 || row + rows == height);
    if (!whole_blocks) sink->by_block = false;
    bool good = true;
    CPLErrorReset();
    if (!sink->by_block) good = write_rows(sink, row, rows, fill, user);
    else
        for (int32_t done = 0; done < rows && good; done += sink->block_rows) {
            int32_t some = rows - done < sink->block_rows ? rows - done : sink->block_rows;
            good = write_block_row(sink, row + done, some, fill, user);
        }
    sink->bytes_written +=
        (int64_t)rows * GDALGetRasterBandXSize(sink->band) * predt__kind_size(sink->kind);
    return good;
}

void predt__sink_close(predt__sink *sink) {
    if (sink->dataset) GDALClose(sink->dataset);
    predt__checked_close(sink->checked);
    predt__staging_close(&sink->staging);
    predt__samples_free(&sink->samples);
    CPLFree(sink->path);
    CPLFree(sink->shown);
    CPLFree(sink->name);
    CPLFree(sink->raw);
    CPLFree(sink->table);
    CSLDestroy(sink->owned);
    CSLDestroy(sink->options);
    VSIFree(sink->buffer);
    *sink = (predt__sink){0};
}
