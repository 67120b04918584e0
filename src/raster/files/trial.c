#include "trial.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <string.h>

#include "../complaints.h"
#include "../geotransform.h"
#include "creation_options.h"
#include "formats.h"
#include "names.h"
#include "readback.h"

/* Formats that take only some sizes (1201 x 1201, say) take none that is small, and are tried with
 * the raster's own. */
#define SIDE 16
#define LARGEST_TRIAL (INT64_C(1) << 24)

void predt__copy_georeference(GDALDatasetH from, GDALDatasetH to) {
    double geotransform[6];
    const char *area_or_point = GDALGetMetadataItem(from, GDALMD_AREA_OR_POINT, NULL);
    int gcps = GDALGetGCPCount(from);
    CPLPushErrorHandler(CPLQuietErrorHandler);
    if (area_or_point) GDALSetMetadataItem(to, GDALMD_AREA_OR_POINT, area_or_point, NULL);
    if (GDALGetSpatialRef(from)) GDALSetSpatialRef(to, GDALGetSpatialRef(from));
    if (predt__geotransform(from, geotransform)) GDALSetGeoTransform(to, geotransform);
    else if (gcps > 0) GDALSetGCPs2(to, gcps, GDALGetGCPs(from), GDALGetGCPSpatialRef(from));
    CPLPopErrorHandler();
}

/* ---- Pixels that such rasters have ---- */

static predt__value value_of(predt__kind kind, int number) {
    static const double numbers[] = {
        0, 1, 1.41421356237309515, 2.2360679774997898, 3, 100, 1234.567, 30000};
    double real = numbers[number % 8], max = predt__kind_size(kind) == 1 ? 100 : 30000;
    if (real > max) real = max;
    if (predt__kind_is_real(kind))
        return (predt__value){.f = kind == PREDT__F32 ? (double)(float)real : real};
    return (predt__value){.u = (uint64_t)real};
}

static void put(predt__kind kind, void *pixels, int64_t at, predt__value value) {
    int size = predt__kind_size(kind);
    uint64_t bits = predt__value_bits(kind, value);
    memcpy((char *)pixels + at * size, &bits, (size_t)size);
}

/* A row of pixels, the last ones nodata. */
static bool fill_band(const predt__trial *trial, GDALRasterBandH band, predt__value nodata) {
    int width = GDALGetRasterBandXSize(band), height = GDALGetRasterBandYSize(band);
    void *row = VSIMalloc2((size_t)width, (size_t)predt__kind_size(trial->kind));
    bool good = row != NULL;
    for (int col = 0; col < width && good; col++)
        put(trial->kind, row, col, col >= width - 2 ? nodata : value_of(trial->kind, col));
    for (int y = 0; y < height && good; y++)
        good = GDALRasterIO(band, GF_Write, 0, y, width, 1, row, width, 1,
                            predt__kind_type(trial->kind), 0, 0) == CE_None;
    VSIFree(row);
    return good;
}

static GDALDatasetH make(const predt__trial *trial, GDALDriverH driver, const char *path,
                         char **options, int width, int height, predt__value nodata) {
    GDALDatasetH made =
        GDALCreate(driver, path, width, height, 1, predt__kind_type(trial->kind), options);
    if (!made) return NULL;
    predt__copy_georeference(trial->like, made);
    CPLPushErrorHandler(CPLQuietErrorHandler); /* what it keeps is read back */
    predt__value_set_nodata(GDALGetRasterBand(made, 1), trial->kind, nodata);
    CPLPopErrorHandler();
    if (fill_band(trial, GDALGetRasterBand(made, 1), nodata)) return made;
    GDALClose(made);
    return NULL;
}

/* ---- One trial ---- */

static bool write_file(const predt__trial *trial, GDALDatasetH meant, predt__value nodata) {
    int width = GDALGetRasterXSize(meant), height = GDALGetRasterYSize(meant);
    GDALDatasetH made =
        trial->streams
            ? make(trial, trial->driver, trial->path, trial->options, width, height, nodata)
            : GDALCreateCopy(trial->driver, trial->path, meant, FALSE, trial->options, NULL, NULL);
    if (!made) return false;
    GDALFlushCache(made);
    GDALClose(made);
    return true;
}

static bool is_nan(predt__kind kind, predt__value value) {
    return predt__kind_is_real(kind) && value.f != value.f;
}

/* False where the format means nodata by a number that such pixels cannot be. */
static bool find_nodata(predt__trial *trial, GDALRasterBandH band, predt__value wanted) {
    double number;
    bool nan_wanted = is_nan(trial->kind, wanted), has = predt__number_of_nodata(band, &number);
    trial->has_nodata = has;
    trial->same_nodata = has && nan_wanted && number != number;
    trial->own_nodata.f = number;
    if (!has || (number != number && predt__kind_is_real(trial->kind))) return true;
    if (!predt__value_of_nodata(band, trial->kind, &trial->own_nodata)) {
        CPLError(CE_Failure, CPLE_NotSupported, "its nodata is %.17g: try -ot Float32", number);
        return false;
    }
    trial->same_nodata = !nan_wanted && predt__compare(trial->kind, trial->own_nodata, wanted) == 0;
    return true;
}

/* Whether the format is known for pixels of this type; one that is not may still keep them, but
 * then exactly. */
static bool is_listed(const predt__trial *trial) {
    const char *known = GDALGetMetadataItem(trial->driver, GDAL_DMD_CREATIONDATATYPES, NULL);
    char **types = known ? CSLTokenizeString(known) : NULL;
    bool found =
        !known || CSLFindString(types, GDALGetDataTypeName(predt__kind_type(trial->kind))) >= 0;
    CSLDestroy(types);
    return found;
}

/* Formats that resample have other pixels. */
static bool keeps_pixels(const predt__trial *trial, GDALDatasetH meant, GDALDatasetH made) {
    predt__difference difference;
    if (GDALGetRasterXSize(made) != GDALGetRasterXSize(meant) ||
        GDALGetRasterYSize(made) != GDALGetRasterYSize(meant))
        return is_listed(trial);
    return predt__compare_bands(GDALGetRasterBand(meant, 1), GDALGetRasterBand(made, 1),
                                trial->kind, &difference) &&
           ((trial->lossy && is_listed(trial)) || difference.close);
}

static bool read_back(predt__trial *trial, GDALDatasetH meant, predt__value nodata) {
    GDALDatasetH made =
        GDALOpenEx(trial->path, GDAL_OF_RASTER | GDAL_OF_VERBOSE_ERROR, NULL, NULL, NULL);
    if (!made) return false;
    GDALRasterBandH band = GDALGetRasterBand(made, 1);
    bool good = band && find_nodata(trial, band, nodata) && keeps_pixels(trial, meant, made);
    GDALClose(made);
    return good;
}

static void clean(const predt__trial *trial) {
    char *folder = predt__folder_of(trial->path);
    CPLPushErrorHandler(CPLQuietErrorHandler);
    char **names;
    predt__list_folder(folder, &names);
    for (char **name = names; name && *name; name++) {
        char *path = predt__join(folder, *name);
        predt__remove(path);
        CPLFree(path);
    }
    CPLPopErrorHandler();
    CSLDestroy(names);
    CPLFree(folder);
}

/* True if pixels come back and nothing is complained of. */
static bool try_once(predt__trial *trial, predt__complaints *heard, int width, int height,
                     predt__value nodata) {
    char **options = NULL;
    predt__complaints_forget(heard);
    predt__say_signed(&options, trial->kind);
    trial->has_nodata = trial->same_nodata = false;
    GDALDatasetH meant =
        make(trial, GDALGetDriverByName("MEM"), "", options, width, height, nodata);
    bool good = meant && write_file(trial, meant, nodata) && read_back(trial, meant, nodata);
    if (meant) GDALClose(meant);
    clean(trial);
    CSLDestroy(options);
    return good && !predt__has_failed(heard);
}

/* What distances and directions never are, for formats without NaN. */
#define NO_DISTANCE (-9999)

/* With the nodata value that is wanted; else with the one that the format insists on; else, for
 * NaN, with a number. */
static bool try_size(predt__trial *trial, predt__complaints *heard, int width, int height) {
    predt__value number = {.f = NO_DISTANCE}, wanted = trial->nodata;
    trial->used_nodata = wanted;
    bool good = try_once(trial, heard, width, height, wanted);
    if (good && trial->same_nodata) return true;
    if (trial->has_nodata && !trial->same_nodata && !is_nan(trial->kind, trial->own_nodata)) {
        trial->used_nodata = trial->own_nodata;
        return try_once(trial, heard, width, height, trial->used_nodata);
    }
    if (!is_nan(trial->kind, wanted)) return good;
    trial->used_nodata = number;
    if (try_once(trial, heard, width, height, number) && (trial->same_nodata || !good)) return true;
    trial->used_nodata = good ? wanted : trial->own_nodata;
    return try_once(trial, heard, width, height, trial->used_nodata);
}

/* ---- Trials ---- */

bool predt__try_format(predt__trial *trial) {
    predt__complaints heard;
    int width = GDALGetRasterXSize(trial->like), height = GDALGetRasterYSize(trial->like);
    predt__complaints_open(&heard);
    bool good = try_size(trial, &heard, SIDE, SIDE);
    if (!good && (int64_t)width * height <= LARGEST_TRIAL)
        good = try_size(trial, &heard, width, height);
    char *why = CPLStrdup(heard.failure);
    predt__complaints_forget(&heard);
    predt__complaints_close(&heard, false);
    if (!good)
        CPLError(CE_Failure, CPLE_NotSupported, "%s cannot hold pixels of type %s as they are%s%s",
                 GDALGetDriverShortName(trial->driver), predt__kind_name(trial->kind),
                 *why ? ": " : "", why);
    CPLFree(why);
    return good;
}
