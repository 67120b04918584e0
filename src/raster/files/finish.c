/* Completing a sink: closing, copying to formats that are copied to, reading back, waiting for the
 * disk. */
#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <errno.h>
#include <string.h>

#include "apart.h"
#include "formats.h"
#include "names.h"
#include "sink.h"

/* Rasters of up to this many pixels are read back whole where there is something to compare them
 * with. */
#define READ_WHOLE (INT64_C(1) << 22)

static bool refuse(const char *path, const char *why) {
    CPLError(CE_Failure, CPLE_AppDefined, "%.1000s %s", path, why);
    return false;
}

static const char *format_of(const predt__sink *sink) {
    return GDALGetDriverShortName(sink->form.driver);
}

/* ---- Closing: GDAL tells of what fails through the error handler, or not at all ---- */

static bool close_dataset(predt__sink *sink, predt__complaints *complaints) {
    const char *why;
    GDALFlushCache(sink->dataset);
    GDALClose(sink->dataset);
    sink->dataset = NULL;
    if (predt__checked_failed(sink->place.checked, &why))
        CPLError(CE_Failure, CPLE_FileIO, "%s", why);
    return !predt__has_failed(complaints);
}

/* ---- Copying to a format that is copied to ---- */

static bool copy_as(predt__sink *sink, const char *name, GDALProgressFunc progress, void *user) {
    GDALDatasetH raw =
        GDALOpenEx(sink->place.raw, GDAL_OF_RASTER | GDAL_OF_VERBOSE_ERROR, NULL, NULL, NULL);
    if (!raw) return false;
    bool notes_source = predt__format_is(sink->form.driver, "Rasterlite");
    if (notes_source) GDALSetDescription(raw, predt__name_of(sink->place.path));
    CPLErrorReset();
    sink->dataset =
        GDALCreateCopy(sink->form.driver, name, raw, FALSE, sink->form.options, progress, user);
    if (notes_source)
        GDALSetDescription(raw, sink->place.raw); /* where its metadata would be saved */
    GDALClose(raw);
    if (!sink->dataset && CPLGetLastErrorType() < CE_Failure)
        refuse(sink->place.shown, "cannot be created");
    return sink->dataset != NULL;
}

/* Drivers that write files of their own note names in them: in a process of our own they see none
 * but the last part. */
static bool copy_from_raw(predt__sink *sink, predt__complaints *complaints,
                          GDALProgressFunc progress, void *user) {
    char *folder = predt__join(sink->place.staging.folder, "new");
    int before = sink->plan.own_process && sink->place.checked && !sink->place.watched
                     ? predt__go_to(folder)
                     : -1;
    bool good = copy_as(sink, before < 0 ? sink->place.name : predt__name_of(sink->place.path),
                        progress, user) &&
                close_dataset(sink, complaints);
    predt__come_back(before);
    CPLFree(folder);
    return good;
}

/* ---- Names that a driver has noted ---- */

/* Puts the final name in the place of the one that the file was made under, filled up with
 * blanks. */
static bool mend_bytes(const char *file, const char *made, const char *final) {
    size_t length = strlen(made), size = strlen(final);
    GByte *bytes = NULL;
    vsi_l_offset count = 0;
    if (!VSIIngestFile(NULL, file, &bytes, &count, 1 << 20)) return false;
    VSILFILE *out = NULL;
    for (vsi_l_offset at = 0; at + length <= count; at++) {
        if (memcmp(bytes + at, made, length) != 0) continue;
        memset(bytes + at, ' ', length);
        memcpy(bytes + at, final, size);
        out = out ? out : VSIFOpenL(file, "r+b");
        if (out && VSIFSeekL(out, at, SEEK_SET) == 0) VSIFWriteL(bytes + at, 1, length, out);
    }
    VSIFree(bytes);
    return !out || VSIFCloseL(out) == 0;
}

/* ENVI's header describes the raster by its name. */
static bool mend_names(const predt__sink *sink) {
    if (!predt__format_is(sink->form.driver, "ENVI") || predt__updates(sink)) return true;
    char *stem = predt__stem_of(sink->place.name), *header = CPLStrdup(CPLSPrintf("%s.hdr", stem));
    bool good = mend_bytes(header, sink->place.name, sink->place.path);
    if (!good) refuse(sink->place.shown, "has a header that cannot be written to");
    CPLFree(stem);
    CPLFree(header);
    return good;
}

/* ---- Reading back: what the file says it is ---- */

static void warn(const predt__sink *sink, const char *what, char *detail) {
    CPLError(CE_Warning, CPLE_AppDefined, "%.1000s: the format %s %s%s%s", sink->place.shown,
             format_of(sink), what, detail ? ": " : "", detail ? detail : "");
    CPLFree(detail);
}

static void check_georeference(const predt__sink *sink, GDALDatasetH made) {
    double unused[6];
    char *why;
    if (GDALGetGeoTransform(sink->plan.like, unused) == CE_None &&
        !predt__same_geotransform(made, sink->plan.like, &why))
        warn(sink, "does not keep the georeference", why);
    if (GDALGetSpatialRef(sink->plan.like) && !predt__same_crs(made, sink->plan.like, &why))
        warn(sink, "does not keep the CRS", why);
    if (GDALGetGCPCount(sink->plan.like) > 0 && GDALGetGCPCount(made) == 0 &&
        GDALGetGeoTransform(sink->plan.like, unused) != CE_None)
        warn(sink, "does not keep ground control points", NULL);
}

static bool is_nodata(const predt__sink *sink, GDALRasterBandH band) {
    predt__value value;
    double number;
    bool has = predt__number_of_nodata(band, &number);
    if (predt__kind_is_real(sink->kind) && sink->nodata.f != sink->nodata.f)
        return has && number != number;
    return predt__value_of_nodata(band, sink->kind, &value) &&
           predt__compare(sink->kind, value, sink->nodata) == 0;
}

static bool check_nodata(const predt__sink *sink, GDALRasterBandH band) {
    char text[40], number[40];
    double value;
    bool has = predt__number_of_nodata(band, &value);
    if (is_nodata(sink, band)) return true;
    predt__value_text(sink->kind, sink->nodata, text);
    CPLsnprintf(number, sizeof number, "%.17g", value);
    if (!has)
        warn(sink,
             CPLSPrintf("cannot say which value is nodata: pixels without a target are %s", text),
             NULL);
    if (has && !sink->form.lossy)
        return refuse(
            sink->place.shown,
            CPLSPrintf("says that %s is nodata, and pixels without a target are %s", number, text));
    if (has)
        warn(sink,
             CPLSPrintf("says that %s is nodata, and pixels without a target are %s", number, text),
             NULL);
    return true;
}

/* ---- Reading back: pixels ---- */

static bool judge(const predt__sink *sink, const predt__difference *d) {
    char detail[200];
    if (d->different == 0) return true;
    CPLsnprintf(detail, sizeof detail,
                CPL_FRMT_GIB " of " CPL_FRMT_GIB " pixels read back differ, by up to %.6g",
                (GIntBig)d->different, (GIntBig)d->pixels, d->largest);
    if (d->close && !sink->plan.categories) warn(sink, "keeps fewer digits", CPLStrdup(detail));
    else if (sink->form.lossy && !sink->plan.categories)
        warn(sink, "changes values, perhaps nodata, too", CPLStrdup(detail));
    else return refuse(sink->place.shown, CPLSPrintf("is not what was written to it: %s", detail));
    return true;
}

static bool compare_whole(const predt__sink *sink, GDALRasterBandH band,
                          predt__difference *difference) {
    GDALDatasetH raw =
        GDALOpenEx(sink->place.raw, GDAL_OF_RASTER | GDAL_OF_VERBOSE_ERROR, NULL, NULL, NULL);
    bool good =
        raw && predt__compare_bands(GDALGetRasterBand(raw, 1), band, sink->kind, difference);
    if (raw) GDALClose(raw);
    return good;
}

/* Where a driver writes past the checked file system everything is compared: nothing else would
 * show a lost write. */
static bool check_pixels(const predt__sink *sink, GDALRasterBandH band) {
    predt__difference difference;
    int64_t pixels = (int64_t)GDALGetRasterBandXSize(band) * GDALGetRasterBandYSize(band);
    bool whole = sink->place.raw && (pixels <= READ_WHOLE || !sink->place.watched);
    bool read = whole ? compare_whole(sink, band, &difference)
                      : predt__compare_samples(&sink->samples, band, &difference);
    if (!read || !judge(sink, &difference)) return false;
    bool tiff =
        predt__format_is(sink->form.driver, "GTiff") || predt__format_is(sink->form.driver, "COG");
    bool sparse = predt__updates(sink) || CSLFetchBoolean(sink->form.options, "SPARSE_OK", FALSE);
    return !tiff || sparse || predt__has_all_blocks(band) ||
           refuse(sink->place.shown, "lacks blocks that were written to it");
}

/* A raster that a GeoPackage holds beside others. */
static char *name_to_open(const predt__sink *sink) {
    return CPLStrdup(sink->place.table
                         ? CPLSPrintf("GPKG:%s:%s", sink->place.name, sink->place.table)
                         : sink->place.name);
}

static bool read_back(predt__sink *sink) {
    char *name = name_to_open(sink);
    GDALDatasetH made = GDALOpenEx(name, GDAL_OF_RASTER | GDAL_OF_VERBOSE_ERROR, NULL, NULL, NULL);
    GDALRasterBandH band =
        made ? GDALGetRasterBand(made, predt__updates(sink) ? sink->plan.update_band : 1) : NULL;
    bool good = band != NULL || (made && refuse(sink->place.shown, "has lost its band"));
    bool resampled = good && (GDALGetRasterXSize(made) != GDALGetRasterXSize(sink->plan.like) ||
                              GDALGetRasterYSize(made) != GDALGetRasterYSize(sink->plan.like));
    if (good && resampled)
        warn(sink,
             CPLSPrintf("has resampled it to %d x %d pixels", GDALGetRasterXSize(made),
                        GDALGetRasterYSize(made)),
             NULL);
    if (good && !resampled) {
        check_georeference(sink, made);
        good = check_nodata(sink, band) && check_pixels(sink, band);
    }
    if (made) GDALClose(made);
    CPLFree(name);
    return good;
}

/* ---- The disk ---- */

static bool sync_files(const predt__sink *sink) {
    const char *why;
    if (!sink->place.checked || !predt__waits_for_disk()) return true;
    char *folder = predt__join(sink->place.staging.folder, "new");
    bool kept = predt__checked_sync(sink->place.checked), good = predt__sync_path(folder);
    CPLFree(folder);
    if (!kept && predt__checked_failed(sink->place.checked, &why))
        CPLError(CE_Failure, CPLE_FileIO, "%s", why);
    if (kept && !good)
        CPLError(CE_Failure, CPLE_FileIO, "not all of it reached the disk: %s", strerror(errno));
    return kept && good;
}

bool predt__sink_finish(predt__sink *sink, predt__complaints *complaints, GDALProgressFunc progress,
                        void *user) {
    if (!close_dataset(sink, complaints)) return false;
    if (sink->place.raw && !copy_from_raw(sink, complaints, progress, user)) return false;
    return mend_names(sink) && read_back(sink) && sync_files(sink) &&
           !predt__has_failed(complaints);
}
