#include "update.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_minixml.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "creation_options.h"
#include "formats.h"
#include "names.h"

static bool refuse(const char *path, const char *why) {
    CPLError(CE_Failure, CPLE_AppDefined, "%.1000s %s", path, why);
    return false;
}

/* ---- Checks ---- */

static bool refuse_grid(const char *path, char *why) {
    CPLError(
        CE_Failure, CPLE_AppDefined,
        "%.1000s exists and is of another grid than the source: %s; use --overwrite to replace it",
        path, why);
    CPLFree(why);
    return false;
}

static bool check_grid(const predt__sink_plan *plan, GDALDatasetH old) {
    char *why;
    if (GDALGetRasterXSize(old) != GDALGetRasterXSize(plan->like) ||
        GDALGetRasterYSize(old) != GDALGetRasterYSize(plan->like))
        return refuse_grid(
            plan->path,
            CPLStrdup(CPLSPrintf("its size is %d x %d, that of the source %d x %d",
                                 GDALGetRasterXSize(old), GDALGetRasterYSize(old),
                                 GDALGetRasterXSize(plan->like), GDALGetRasterYSize(plan->like))));
    return (predt__same_geotransform(old, plan->like, &why) &&
            predt__same_crs(old, plan->like, &why)) ||
           refuse_grid(plan->path, why);
}

bool predt__check_update(predt__sink *sink, GDALDatasetH old) {
    if (!predt__format_updates(sink->form.driver))
        return refuse(
            sink->plan.path,
            CPLSPrintf(
                "exists, and files of format %s cannot be updated: allow it to be replaced with "
                "--overwrite",
                GDALGetDriverShortName(sink->form.driver)));
    if (!check_grid(&sink->plan, old)) return false;
    if (sink->plan.update_band > GDALGetRasterCount(old))
        return refuse(sink->plan.path, CPLSPrintf("has no band %d", sink->plan.update_band));
    return predt__kind_of_band(GDALGetRasterBand(old, sink->plan.update_band), &sink->kind) ||
           refuse(sink->plan.path, "has a complex band there");
}

/* ---- Copies ---- */

#define PIECE ((size_t)4 << 20)

static bool copy_bytes(VSILFILE *from, VSILFILE *to) {
    void *piece = VSIMalloc(PIECE);
    size_t some = 0;
    bool good = piece != NULL;
    while (good && (some = VSIFReadL(piece, 1, PIECE, from)) > 0)
        good = VSIFWriteL(piece, 1, some, to) == some;
    good = good && VSIFEofL(from);
    VSIFree(piece);
    return good;
}

/* Read through the checked file system, too: it tells of faults of the disk. */
static bool copy_file(predt__sink *sink, const char *file) {
    char *made = predt__staged(&sink->place.staging, "new", predt__name_of(file));
    char *name = sink->place.checked ? predt__checked_name(made) : CPLStrdup(made);
    VSILFILE *from = VSIFOpenL(file, "rb"), *to = from ? VSIFOpenL(name, "wb") : NULL;
    bool good = to && copy_bytes(from, to);
    if (from) VSIFCloseL(from);
    if (to && VSIFCloseL(to) != 0) good = false;
    const char *why = strerror(errno);
    if (!predt__checked_failed(sink->place.checked, &why) && good) why = NULL;
    if (why)
        CPLError(CE_Failure, CPLE_FileIO, "%.1000s cannot be copied to be updated: %s", file, why);
    CPLFree(name);
    CPLFree(made);
    return !why;
}

static bool shows_old_values(const char *file) {
    const char *extension = predt__extension_of(file);
    return EQUAL(extension, "ovr") || EQUAL(extension, "rrd") ||
           (strlen(file) > 12 && EQUAL(file + strlen(file) - 12, ".ovr.aux.xml"));
}

bool predt__copy_files(predt__sink *sink, char **files) {
    bool good = true;
    for (char **file = files; *file && good; file++)
        if (!shows_old_values(*file)) good = copy_file(sink, *file);
    return good;
}

/* ---- What belongs to the old values ---- */

static bool forget_overviews(predt__sink *sink) {
    bool had = false;
    for (char **file = sink->place.owned; *file; file++) had |= shows_old_values(*file);
    if (GDALGetOverviewCount(sink->band) == 0) return had;
    CPLPushErrorHandler(CPLQuietErrorHandler);
    CPLErr removed = GDALBuildOverviews(sink->dataset, "NONE", 0, NULL, 0, NULL, NULL, NULL);
    CPLPopErrorHandler();
    if (removed != CE_None || GDALGetOverviewCount(sink->band) > 0)
        CPLError(CE_Warning, CPLE_AppDefined,
                 "%.1000s keeps overviews of its old values: make them anew with gdaladdo",
                 sink->place.path);
    return true;
}

static bool forget_statistics(predt__sink *sink) {
    char **items = CSLDuplicate(GDALGetMetadata(sink->band, NULL));
    bool had = false;
    for (char **item = items; item && *item; item++) {
        if (!STARTS_WITH(*item, "STATISTICS_")) continue;
        char *name = NULL;
        CPLParseNameValue(*item, &name);
        if (name) GDALSetMetadataItem(sink->band, name, NULL, NULL);
        CPLFree(name);
        had = true;
    }
    CSLDestroy(items);
    GDALDatasetClearStatistics(sink->dataset);
    return had;
}

/* GDAL has no call that takes a histogram away again: it is taken out of the copy's .aux.xml before
 * that is read. */
static bool remove_histograms(CPLXMLNode *root, int band) {
    bool had = false;
    for (CPLXMLNode *node = root ? root->psChild : NULL; node; node = node->psNext) {
        if (node->eType != CXT_Element || !EQUAL(node->pszValue, "PAMRasterBand")) continue;
        CPLXMLNode *histograms = atoi(CPLGetXMLValue(node, "band", "1")) == band
                                     ? CPLGetXMLNode(node, "Histograms")
                                     : NULL;
        if (!histograms) continue;
        CPLRemoveXMLChild(node, histograms);
        CPLDestroyXMLNode(histograms);
        had = true;
    }
    return had;
}

static bool forget_histograms(const predt__sink *sink) {
    char *name = CPLStrdup(CPLSPrintf("%s.aux.xml", sink->place.name));
    CPLPushErrorHandler(CPLQuietErrorHandler);
    CPLXMLNode *tree = predt__exists(name) ? CPLParseXMLFile(name) : NULL;
    CPLPopErrorHandler();
    bool had = remove_histograms(CPLGetXMLNode(tree, "=PAMDataset"), sink->plan.update_band);
    if (had) CPLSerializeXMLTreeToFile(tree, name);
    CPLDestroyXMLNode(tree);
    CPLFree(name);
    return had;
}

/* Distances are what they are: a scale would make others of them. */
static void forget_scale(predt__sink *sink) {
    int has_scale = FALSE, has_offset = FALSE;
    double scale = GDALGetRasterScale(sink->band, &has_scale),
           offset = GDALGetRasterOffset(sink->band, &has_offset);
    if ((!has_scale || scale == 1) && (!has_offset || offset == 0)) return;
    GDALSetRasterScale(sink->band, 1);
    GDALSetRasterOffset(sink->band, 0);
    CPLError(CE_Warning, CPLE_AppDefined,
             "%.1000s: the scale and offset of its old values are gone", sink->place.shown);
}

bool predt__open_copy(predt__sink *sink) {
    bool had = forget_histograms(sink);
    CPLPushErrorHandler(CPLQuietErrorHandler);
    sink->dataset = GDALOpenEx(sink->place.name, GDAL_OF_RASTER | GDAL_OF_UPDATE, NULL, NULL, NULL);
    CPLPopErrorHandler();
    if (!sink->dataset)
        return refuse(
            sink->plan.path,
            "exists and cannot be updated, as its format is: use --overwrite to replace it");
    sink->band = GDALGetRasterBand(sink->dataset, sink->plan.update_band);
    if (!sink->band) return refuse(sink->plan.path, "cannot be opened again");
    sink->form.lossy = predt__dataset_is_lossy(sink->dataset);
    forget_scale(sink);
    had |= forget_overviews(sink);
    had |= forget_statistics(sink);
    if (had)
        CPLError(CE_Warning, CPLE_AppDefined,
                 "%.1000s: the statistics and overviews of its old values are gone",
                 sink->plan.path);
    return true;
}
