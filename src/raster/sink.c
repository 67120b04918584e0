#include "sink.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>

#include "files.h"
#include "units.h"

static bool refuse(const char *path, const char *why) {
    CPLError(CE_Failure, CPLE_AppDefined, "%s %s", path, why);
    return false;
}

/* ---- Which driver ---- */

static bool has(GDALDriverH driver, const char *item) { return GDALGetMetadataItem(driver, item, NULL) != NULL; }

static bool can_make(GDALDriverH driver) {
    return has(driver, GDAL_DCAP_RASTER) && (has(driver, GDAL_DCAP_CREATE) || has(driver, GDAL_DCAP_CREATECOPY)) &&
           !EQUAL(GDALGetDriverShortName(driver), "VRT") && /* holds no pixels */
           !EQUAL(GDALGetDriverShortName(driver), "MEM");   /* holds them no longer than the process lives */
}

static GDALDriverH driver_of_extension(const char *path) {
    const char *extension = CPLGetExtension(path);
    for (int i = 0; *extension && i < GDALGetDriverCount(); i++) {
        GDALDriverH driver = GDALGetDriver(i);
        const char *known = GDALGetMetadataItem(driver, GDAL_DMD_EXTENSIONS, NULL);
        char **extensions = known && can_make(driver) ? CSLTokenizeString(known) : NULL;
        bool found = CSLFindString(extensions, extension) >= 0;
        CSLDestroy(extensions);
        if (found) return driver;
    }
    return GDALGetDriverByName("GTiff");
}

static bool find_driver(predt__sink *sink, const predt__sink_plan *plan) {
    sink->driver = plan->format ? GDALGetDriverByName(plan->format) : driver_of_extension(plan->path);
    if (sink->driver && can_make(sink->driver)) return true;
    return refuse(plan->format ? plan->format : "GTiff", "is not a format that rasters can be written to: see --formats");
}

/* ---- Where ---- */

static bool check_place(const predt__sink *sink, const predt__sink_plan *plan, bool *exists) {
    VSIStatBufL stat;
    *exists = VSIStatL(sink->path, &stat) == 0;
    if (!*exists) return plan->update_band == 0 || refuse(plan->path, "does not exist, so no band of it can be updated");
    if (VSI_ISDIR(stat.st_mode)) return refuse(plan->path, "is a folder");
    if (!VSI_ISREG(stat.st_mode)) return refuse(plan->path, "is not a regular file");
    if (plan->update_band == 0 && !plan->overwrite)
        return refuse(plan->path, "exists: allow it to be replaced with --overwrite");
    return true;
}

/* ---- A file that is there ---- */

static bool open_for_update(predt__sink *sink, const predt__sink_plan *plan) {
    sink->updates = true;
    sink->work = CPLStrdup(sink->path);
    sink->dataset = GDALOpenEx(sink->path, GDAL_OF_RASTER | GDAL_OF_UPDATE, NULL, NULL, NULL);
    if (!sink->dataset) return refuse(plan->path, "exists and is not a raster that can be updated: use --overwrite");
    if (GDALGetRasterXSize(sink->dataset) != GDALGetRasterXSize(plan->like) ||
        GDALGetRasterYSize(sink->dataset) != GDALGetRasterYSize(plan->like))
        return refuse(plan->path, "exists and has another size than the source: use --overwrite to replace it");
    if (plan->update_band > GDALGetRasterCount(sink->dataset))
        return refuse(plan->path, CPLSPrintf("has no band %d", plan->update_band));
    sink->band = GDALGetRasterBand(sink->dataset, plan->update_band);
    if (!predt__kind_of_band(sink->band, &sink->kind)) return refuse(plan->path, "has a complex band there");
    return true;
}

/* ---- A new file ---- */

static void set_default(char ***options, const char *name, const char *value) {
    if (!CSLFetchNameValue(*options, name)) *options = CSLSetNameValue(*options, name, value);
}

static char **options_for(const predt__sink *sink, const predt__sink_plan *plan) {
    char **options = CSLDuplicate(plan->options);
    const char *format = GDALGetDriverShortName(sink->driver);
    if (!EQUAL(format, "GTiff") && !EQUAL(format, "COG")) return options;
    set_default(&options, "NUM_THREADS", plan->threads ? CPLSPrintf("%d", plan->threads) : "ALL_CPUS");
    set_default(&options, "BIGTIFF", "IF_SAFER");
    const char *predictor = CSLFetchNameValue(options, "PREDICTOR"); /* 3 is for real numbers only */
    if (predictor && EQUAL(predictor, "3") && !predt__kind_is_real(sink->kind))
        options = CSLSetNameValue(options, "PREDICTOR", "2");
#if GDAL_VERSION_NUM < GDAL_COMPUTE_VERSION(3, 7, 0)
    if (sink->kind == PREDT__I8) set_default(&options, "PIXELTYPE", "SIGNEDBYTE");
#endif
    return options;
}

static char **raw_options(const predt__sink *sink) {
    char **options = CSLSetNameValue(NULL, "BIGTIFF", "IF_SAFER");
    options = CSLSetNameValue(options, "TILED", "YES");
#if GDAL_VERSION_NUM < GDAL_COMPUTE_VERSION(3, 7, 0)
    if (sink->kind == PREDT__I8) options = CSLSetNameValue(options, "PIXELTYPE", "SIGNEDBYTE");
#else
    (void)sink;
#endif
    return options;
}

static void copy_georeference(GDALDatasetH from, GDALDatasetH to) {
    double geotransform[6];
    const char *area_or_point = GDALGetMetadataItem(from, GDALMD_AREA_OR_POINT, NULL);
    int gcps = GDALGetGCPCount(from);
    CPLPushErrorHandler(CPLQuietErrorHandler); /* a format that cannot keep them says so at length */
    if (area_or_point) GDALSetMetadataItem(to, GDALMD_AREA_OR_POINT, area_or_point, NULL);
    if (GDALGetSpatialRef(from)) GDALSetSpatialRef(to, GDALGetSpatialRef(from));
    if (predt_geotransform(from, geotransform)) GDALSetGeoTransform(to, geotransform);
    else if (gcps > 0) GDALSetGCPs2(to, gcps, GDALGetGCPs(from), GDALGetGCPSpatialRef(from));
    CPLPopErrorHandler();
}

static bool create(predt__sink *sink, const predt__sink_plan *plan) {
    bool direct = has(sink->driver, GDAL_DCAP_CREATE);
    sink->options = options_for(sink, plan);
    sink->work = predt__working_name(sink->path, "predt", CPLGetExtension(sink->path));
    if (!direct) sink->raw = predt__working_name(sink->path, "raw", "tif");
    GDALDriverH driver = direct ? sink->driver : GDALGetDriverByName("GTiff");
    char **options = direct ? CSLDuplicate(sink->options) : raw_options(sink);
    CPLErrorReset();
    sink->dataset = GDALCreate(driver, direct ? sink->work : sink->raw, GDALGetRasterXSize(plan->like),
                               GDALGetRasterYSize(plan->like), 1, predt__kind_type(sink->kind), options);
    CSLDestroy(options);
    if (!sink->dataset) return CPLGetLastErrorType() >= CE_Failure ? false : refuse(plan->path, "cannot be created");
    sink->band = GDALGetRasterBand(sink->dataset, 1);
    sink->by_block = EQUAL(GDALGetDriverShortName(driver), "GTiff");
    copy_georeference(plan->like, sink->dataset);
    return true;
}

/* The driver may have made another type of band than asked for; a wider one will do, as text formats have. */
static bool check_type(predt__sink *sink) {
    predt__kind made;
    GDALDataType type = predt__kind_type(sink->kind);
    if (predt__kind_of_band(sink->band, &made) &&
        (made == sink->kind || GDALDataTypeUnion(type, predt__kind_type(made)) == predt__kind_type(made)))
        return true;
    return refuse(GDALGetDriverShortName(sink->driver),
                  CPLSPrintf("cannot hold pixels of type %s", predt__kind_name(sink->kind)));
}

bool predt__sink_open(predt__sink *sink, const predt__sink_plan *plan) {
    bool exists;
    *sink = (predt__sink){.path = predt__final_path(plan->path), .kind = plan->kind};
    if (!check_place(sink, plan, &exists)) return false;
    if (plan->update_band > 0) {
        if (!open_for_update(sink, plan)) return false;
    } else if (!find_driver(sink, plan) || !create(sink, plan) || !check_type(sink)) return false;
    GDALGetBlockSize(sink->band, &sink->block_cols, &sink->block_rows);
    return true;
}

/* ---- What the band is ---- */

bool predt__sink_describe(predt__sink *sink, predt__value nodata, const char *description, const char *unit) {
    CPLErrorReset();
    if (predt__value_set_nodata(sink->band, sink->kind, nodata) != CE_None) {
        if (CPLGetLastErrorType() < CE_Failure) refuse(sink->path, "cannot be tagged with a nodata value");
        return false;
    }
    if (sink->updates && GDALGetRasterCount(sink->dataset) > 1 &&
        EQUAL(GDALGetDriverShortName(GDALGetDatasetDriver(sink->dataset)), "GTiff"))
        CPLError(CE_Warning, CPLE_AppDefined, "%s: all bands of a GeoTIFF share one nodata value, that of the distances now",
                 sink->path);
    CPLPushErrorHandler(CPLQuietErrorHandler); /* not every format has these */
    GDALSetDescription(sink->band, description);
    if (*unit) GDALSetRasterUnitType(sink->band, unit);
    CPLPopErrorHandler();
    return true;
}

void predt__sink_copy_classes(predt__sink *sink, GDALRasterBandH from) {
    CPLPushErrorHandler(CPLQuietErrorHandler);
    if (GDALGetRasterColorTable(from)) GDALSetRasterColorTable(sink->band, GDALGetRasterColorTable(from));
    if (GDALGetRasterCategoryNames(from)) GDALSetRasterCategoryNames(sink->band, GDALGetRasterCategoryNames(from));
    if (GDALGetDefaultRAT(from)) GDALSetDefaultRAT(sink->band, GDALGetDefaultRAT(from));
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
    if (result != CE_None && CPLGetLastErrorType() < CE_Failure) refuse(sink->path, "cannot be written to");
    return result == CE_None;
}

/* Blocks stick out of the raster at its right and lower edges; what lies there is whatever the buffer held. */
static bool write_block_row(predt__sink *sink, int64_t row, int32_t rows, predt__fill fill, void *user) {
    int64_t width = GDALGetRasterBandXSize(sink->band), pitch = (int64_t)sink->block_cols * predt__kind_size(sink->kind);
    if (!reserve(sink, (size_t)(pitch * sink->block_rows))) return false;
    for (int64_t col = 0; col < width; col += sink->block_cols) {
        int64_t cols = width - col < sink->block_cols ? width - col : sink->block_cols;
        for (int32_t line = 0; line < rows; line++) fill(user, col, row + line, cols, (char *)sink->buffer + line * pitch);
        int x = (int)(col / sink->block_cols), y = (int)(row / sink->block_rows);
        if (!written(sink, GDALWriteBlock(sink->band, x, y, sink->buffer))) return false;
    }
    return true;
}

static bool write_rows(predt__sink *sink, int64_t row, int32_t rows, predt__fill fill, void *user) {
    int width = GDALGetRasterBandXSize(sink->band);
    int64_t pitch = (int64_t)width * predt__kind_size(sink->kind);
    if (!reserve(sink, (size_t)(pitch * rows))) return false;
    for (int32_t line = 0; line < rows; line++) fill(user, 0, row + line, width, (char *)sink->buffer + line * pitch);
    return written(sink, GDALRasterIOEx(sink->band, GF_Write, 0, (int)row, width, rows, sink->buffer, width, rows,
                                        predt__kind_type(sink->kind), 0, 0, NULL));
}

bool predt__sink_write(predt__sink *sink, int64_t row, int32_t rows, predt__fill fill, void *user) {
    int64_t height = GDALGetRasterBandYSize(sink->band);
    bool whole_blocks = row % sink->block_rows == 0 && (rows % sink->block_rows == 0 || row + rows == height);
    if (!whole_blocks) sink->by_block = false;
    bool good = true;
    CPLErrorReset();
    if (!sink->by_block) good = write_rows(sink, row, rows, fill, user);
    else
        for (int32_t done = 0; done < rows && good; done += sink->block_rows) {
            int32_t some = rows - done < sink->block_rows ? rows - done : sink->block_rows;
            good = write_block_row(sink, row + done, some, fill, user);
        }
    sink->bytes_written += (int64_t)rows * GDALGetRasterBandXSize(sink->band) * predt__kind_size(sink->kind);
    return good;
}

/* ---- The end ---- */

/* GDALClose tells of a failed write through the error handler only. */
static bool close_dataset(predt__sink *sink, predt__complaints *complaints) {
    predt__forgive(complaints);
    GDALFlushCache(sink->dataset);
    GDALClose(sink->dataset);
    sink->dataset = NULL;
    return !predt__has_failed(complaints);
}

static bool copy_from_raw(predt__sink *sink, GDALProgressFunc progress, void *user) {
    GDALDatasetH raw = GDALOpenEx(sink->raw, GDAL_OF_RASTER | GDAL_OF_VERBOSE_ERROR, NULL, NULL, NULL);
    if (!raw) return false;
    CPLErrorReset();
    sink->dataset = GDALCreateCopy(sink->driver, sink->work, raw, FALSE, sink->options, progress, user);
    GDALClose(raw);
    if (!sink->dataset && CPLGetLastErrorType() < CE_Failure) refuse(sink->path, "cannot be created");
    sink->band = sink->dataset ? GDALGetRasterBand(sink->dataset, 1) : NULL;
    return sink->band && check_type(sink);
}

bool predt__sink_finish(predt__sink *sink, predt__complaints *complaints, GDALProgressFunc progress, void *user) {
    if (!close_dataset(sink, complaints)) return false;
    if (!sink->raw) return true;
    bool good = copy_from_raw(sink, progress, user) && close_dataset(sink, complaints);
    predt__remove_dataset(sink->raw);
    CPLFree(sink->raw);
    sink->raw = NULL;
    return good;
}

bool predt__sink_commit(predt__sink *sink) {
    if (sink->updates) return true;
    if (!predt__move_dataset(sink->work, sink->path, sink->driver)) return false;
    CPLFree(sink->work);
    sink->work = NULL;
    return true;
}

void predt__sink_close(predt__sink *sink) {
    if (sink->dataset) GDALClose(sink->dataset);
    if (sink->work && !sink->updates) predt__remove_dataset(sink->work);
    if (sink->raw) predt__remove_dataset(sink->raw);
    CPLFree(sink->path);
    CPLFree(sink->work);
    CPLFree(sink->raw);
    CSLDestroy(sink->options);
    VSIFree(sink->buffer);
    *sink = (predt__sink){0};
}
