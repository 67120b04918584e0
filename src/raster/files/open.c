/* Opening a sink: what is at its place, and what may become of that. */
#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contents.h"
#include "creation_options.h"
#include "formats.h"
#include "names.h"
#include "raster_files.h"
#include "sink.h"
#include "sink_trial.h"
#include "trial.h"
#include "update.h"

static bool refuse(const char *path, const char *why) {
    CPLError(CE_Failure, CPLE_AppDefined, "%.1000s %s", path, why);
    return false;
}

/* ---- Where ---- */

/* GDAL has buffers of 2,048 bytes for names; what it is given is longer by the folder that is made
 * beside the destination. */
#define LONGEST_PATH 2000

static bool can_be_written(const char *path) {
    static const char *const stores[] = {"/vsimem/",     "/vsis3/",  "/vsigs/",    "/vsiaz/",
                                         "/vsiadls/",    "/vsioss/", "/vsiswift/", "/vsihdfs/",
                                         "/vsiwebhdfs/", NULL};
    for (const char *const *store = stores; *store; store++)
        if (STARTS_WITH(path, *store)) return true;
    return predt__is_local(path);
}

static bool check_name(const predt__sink *sink) {
    if (!can_be_written(sink->place.path))
        return refuse(sink->place.path, "lies where no raster can be made: name a file on a disk");
    if (strlen(sink->place.path) > LONGEST_PATH)
        return refuse("a path of more than 2,000 bytes:", "GDAL cannot write there");
    if (!*predt__name_of(sink->place.path))
        return refuse(sink->place.path, "is the name of a folder");
    return true;
}

static bool is_dead_link(const char *path) {
    struct stat stat;
    return predt__is_local(path) && lstat(path, &stat) == 0 && S_ISLNK(stat.st_mode);
}

/* Whether it is there, and a file. */
static bool check_place(const predt__sink *sink, bool *exists) {
    VSIStatBufL stat;
    errno = 0;
    *exists = VSIStatL(sink->place.path, &stat) == 0;
    if (!*exists && is_dead_link(sink->place.path))
        return refuse(sink->plan.path, "is a link to a file that is not there");
    if (!*exists)
        return sink->plan.update_band == 0 ||
               refuse(sink->plan.path, "does not exist, so no band of it can be updated");
    if (VSI_ISDIR(stat.st_mode)) return refuse(sink->plan.path, "is a folder");
    if (!VSI_ISREG(stat.st_mode)) return refuse(sink->plan.path, "is not a regular file");
    /* though its folder would let it be replaced */
    if (predt__is_local(sink->place.path) && access(sink->place.path, W_OK) != 0)
        return refuse(sink->plan.path, CPLSPrintf("is there already and may not be written to: %s",
                                                  strerror(errno)));
    return true;
}

/* ---- A file that is there and is to be replaced, or added to ---- */

static bool is_added(const predt__sink *sink) {
    return predt__format_is(sink->form.driver, "GPKG") &&
           CSLFetchBoolean(sink->plan.layout.options, "APPEND_SUBDATASET", FALSE);
}

static bool refuse_container(const predt__sink *sink, const char *contents) {
    const char *add = sink->form.driver && predt__format_is(sink->form.driver, "GPKG")
                          ? "add to it with -co APPEND_SUBDATASET=YES -co RASTER_TABLE=NAME, write "
                            "to another file"
                          : "write to another file";
    CPLError(
        CE_Failure, CPLE_AppDefined,
        "%.1000s holds more than one raster (%.300s): %s, or let all of it go with --overwrite-all",
        sink->plan.path, contents, add);
    return false;
}

static bool check_replacing(const predt__sink *sink) {
    char *contents = sink->plan.overwrite_all ? NULL : predt__other_contents(sink->place.path);
    bool good =
        contents ? refuse_container(sink, contents)
                 : sink->plan.overwrite || sink->plan.overwrite_all ||
                       refuse(sink->plan.path, "exists: allow it to be replaced with --overwrite");
    CPLFree(contents);
    return good;
}

/* ---- Files of the old raster ---- */

static void list_owned(predt__sink *sink) {
    CPLPushErrorHandler(CPLQuietErrorHandler);
    GDALDatasetH old = GDALOpenEx(sink->place.path, GDAL_OF_RASTER, NULL, NULL, NULL);
    sink->place.owned = predt__files_of_raster(sink->place.path, old);
    if (old) GDALClose(old);
    CPLPopErrorHandler();
}

/* A companion without its raster would be taken for the new one's. */
static bool check_orphans(const predt__sink *sink) {
    for (char **file = sink->place.owned; *file; file++)
        if (!predt__same_file(*file, sink->place.path) && !sink->plan.overwrite &&
            !sink->plan.overwrite_all)
            return refuse(*file, "is there already and would be taken for a part of the new "
                                 "raster: move it away, or allow it to "
                                 "be replaced with --overwrite");
    return true;
}

/* ---- The folder to work in ---- */

static bool open_staging(predt__sink *sink) {
    char *home = predt__folder_of(sink->place.path);
    bool good = predt__staging_open(&sink->place.staging, home);
    if (good && predt__is_local(home)) {
        sink->place.checked = predt__checked_open(sink->place.staging.folder);
        if (!sink->place.checked) CPLError(CE_Failure, CPLE_OutOfMemory, "out of memory");
        good = sink->place.checked != NULL;
    }
    CPLFree(home);
    return good;
}

/* ---- A new raster ---- */

static bool create(predt__sink *sink) {
    bool streams = sink->form.streams && (sink->place.watched || !sink->place.checked);
    sink->place.name =
        predt__sink_name(sink, "new", predt__name_of(sink->place.path), sink->place.watched);
    if (!streams)
        sink->place.raw = predt__sink_name(sink, "raw", predt__name_of(sink->place.path), true);
    GDALDriverH driver = streams ? sink->form.driver : GDALGetDriverByName("GTiff");
    char **options = streams ? CSLDuplicate(sink->form.options) : predt__raw_options(sink->kind);
    CPLErrorReset();
    sink->dataset = GDALCreate(
        driver, streams ? sink->place.name : sink->place.raw, GDALGetRasterXSize(sink->plan.like),
        GDALGetRasterYSize(sink->plan.like), 1, predt__kind_type(sink->kind), options);
    CSLDestroy(options);
    if (!sink->dataset)
        return CPLGetLastErrorType() >= CE_Failure ? false
                                                   : refuse(sink->plan.path, "cannot be created");
    sink->band = GDALGetRasterBand(sink->dataset, 1);
    sink->blocks.direct = EQUAL(GDALGetDriverShortName(driver), "GTiff");
    predt__copy_georeference(sink->plan.like, sink->dataset);
    return true;
}

/* GeoPackages that are added to: a copy of the file gets the raster, so that a failed run leaves it
 * as it was. */
static bool add_to_copy(predt__sink *sink) {
    const char *table = CSLFetchNameValue(sink->plan.layout.options, "RASTER_TABLE");
    char *stem = predt__stem_of(predt__name_of(sink->place.path));
    sink->place.table = CPLStrdup(table ? table : stem);
    CPLFree(stem);
    sink->place.owned = CSLAddString(NULL, sink->place.path);
    if (predt__has_table(sink->place.path, sink->place.table))
        return refuse(
            sink->plan.path,
            CPLSPrintf("holds a table %.200s already: name another one with -co RASTER_TABLE=NAME",
                       sink->place.table));
    return predt__copy_files(sink, sink->place.owned);
}

/* Whether it has blocks of fewer columns than the raster. */
static bool is_tiled(const predt__form *form) {
    if (predt__format_is(form->driver, "GTiff"))
        return CSLFetchBoolean(form->options, "TILED", FALSE);
    return predt__format_is(form->driver, "HFA") || predt__format_is(form->driver, "Zarr");
}

static bool open_new(predt__sink *sink, bool exists) {
    sink->form.driver = predt__format_find(sink->plan.layout.format, sink->plan.path);
    if (!sink->form.driver) return false;
    bool adds = exists && is_added(sink);
    if (exists && !adds && !check_replacing(sink)) return false;
    sink->form.options =
        predt__format_options(sink->form.driver, sink->plan.layout.options, sink->kind,
                              sink->plan.categories, sink->plan.layout.threads);
    sink->form.streams = predt__format_streams(sink->form.driver) &&
                         (!sink->plan.layout.by_columns || is_tiled(&sink->form));
    sink->form.lossy = predt__format_is_lossy(sink->form.driver, sink->form.options, sink->kind);
    if (!adds) list_owned(sink);
    if (!adds && !exists && !check_orphans(sink)) return false;
    return open_staging(sink) && predt__sink_try(sink) && (!adds || add_to_copy(sink)) &&
           create(sink);
}

/* ---- A raster that is updated ---- */

static bool open_update(predt__sink *sink) {
    char *contents = predt__other_contents(sink->place.path);
    if (contents) {
        sink->form.driver = GDALIdentifyDriver(sink->place.path, NULL);
        refuse_container(sink, contents);
        CPLFree(contents);
        return false;
    }
    CPLPushErrorHandler(CPLQuietErrorHandler);
    GDALDatasetH old = GDALOpenEx(sink->place.path, GDAL_OF_RASTER, NULL, NULL, NULL);
    CPLPopErrorHandler();
    if (!old)
        return refuse(sink->plan.path, "exists and is not a raster: use --overwrite to replace it");
    sink->form.driver = GDALGetDatasetDriver(old);
    sink->place.owned = predt__files_of_raster(sink->place.path, old);
    bool good = predt__check_update(sink, old);
    GDALClose(old);
    if (!good || !open_staging(sink) || !predt__copy_files(sink, sink->place.owned)) return false;
    sink->place.watched = sink->place.checked && predt__format_is_checked(sink->form.driver);
    sink->place.name =
        predt__sink_name(sink, "new", predt__name_of(sink->place.path), sink->place.watched);
    return predt__open_copy(sink);
}

bool predt__sink_open(predt__sink *sink, const predt__sink_plan *plan) {
    bool exists;
    *sink = (predt__sink){.plan = *plan, .kind = plan->kind, .place = {.staging = {.lock = -1}}};
    sink->place.path = predt__final_path(plan->path);
    sink->place.shown = CPLStrdup(plan->path);
    if (!check_name(sink) || !check_place(sink, &exists)) return false;
    if (!(predt__updates(sink) ? open_update(sink) : open_new(sink, exists))) return false;
    GDALGetBlockSize(sink->band, &sink->blocks.cols, &sink->blocks.rows);
    sink->samples = (predt__samples){.kind = sink->kind,
                                     .width = GDALGetRasterBandXSize(sink->band),
                                     .height = GDALGetRasterBandYSize(sink->band)};
    return true;
}
