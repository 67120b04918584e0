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

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

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

/* The block at so many pixels right of and below the window's first one. What sticks out of the
 * raster is whatever the buffer held. */
static bool write_block(predt__sink *sink, const predt_window *window, int64_t right, int64_t down,
                        const char *pixels) {
    const predt__blocks *blocks = &sink->blocks;
    int64_t size = predt__kind_size(sink->kind), pitch = blocks->cols * size,
            cols = smaller(window->cols - right, blocks->cols),
            rows = smaller(window->rows - down, blocks->rows);
    for (int64_t i = 0; i < rows; i++)
        memcpy((char *)sink->block + i * pitch, pixels + ((down + i) * window->cols + right) * size,
               (size_t)(cols * size));
    int x = (int)((window->col + right) / blocks->cols),
        y = (int)((window->row + down) / blocks->rows);
    return written(sink, GDALWriteBlock(sink->band, x, y, sink->block));
}

static bool write_blocks(predt__sink *sink, const predt_window *window, const char *pixels) {
    const predt__blocks *blocks = &sink->blocks;
    size_t pitch = (size_t)blocks->cols * (size_t)predt__kind_size(sink->kind);
    bool good = true;
    if (!sink->block) sink->block = VSICalloc((size_t)blocks->rows, pitch);
    if (!sink->block) return refuse(sink->place.shown, "out of memory for a block");
    for (int64_t down = 0; down < window->rows && good; down += blocks->rows)
        for (int64_t right = 0; right < window->cols && good; right += blocks->cols)
            good = write_block(sink, window, right, down, pixels);
    return good;
}

/* GDAL takes what it only reads as void *, too. */
static bool write_window(predt__sink *sink, const predt_window *window, const void *pixels) {
    int cols = (int)window->cols, rows = (int)window->rows;
    return written(sink, GDALRasterIOEx(sink->band, GF_Write, (int)window->col, (int)window->row,
                                        cols, rows, (void *)(uintptr_t)pixels, cols, rows,
                                        predt__kind_type(sink->kind), 0, 0, NULL));
}

/* Whether [begin, begin + count) of `all` is whole blocks. */
static bool is_whole(int64_t begin, int64_t count, int64_t block, int64_t all) {
    return begin % block == 0 && (count % block == 0 || begin + count == all);
}

bool predt__sink_has_whole_blocks(const predt__sink *sink, const predt_window *window) {
    const predt__blocks *blocks = &sink->blocks;
    return is_whole(window->col, window->cols, blocks->cols, GDALGetRasterBandXSize(sink->band)) &&
           is_whole(window->row, window->rows, blocks->rows, GDALGetRasterBandYSize(sink->band));
}

bool predt__sink_write(predt__sink *sink, const predt_window *window, const void *pixels) {
    predt__blocks *blocks = &sink->blocks;
    if (!predt__sink_has_whole_blocks(sink, window)) blocks->direct = false;
    CPLErrorReset();
    predt__samples_see(&sink->samples, window, pixels);
    sink->bytes_written += window->rows * window->cols * predt__kind_size(sink->kind);
    return blocks->direct ? write_blocks(sink, window, pixels) : write_window(sink, window, pixels);
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
