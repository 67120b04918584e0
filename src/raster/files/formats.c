#include "formats.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"

static bool refuse(const char *subject, const char *why) {
    CPLError(CE_Failure, CPLE_NotSupported, "%.300s %s", subject, why);
    return false;
}

bool predt__is_one_of(const char *word, const char *const *words) {
    for (; *words; words++)
        if (EQUAL(word, *words)) return true;
    return false;
}

static bool has(GDALDriverH driver, const char *item) {
    return GDALGetMetadataItem(driver, item, NULL) != NULL;
}

bool predt__format_updates(GDALDriverH driver) { return has(driver, GDAL_DCAP_CREATE); }

bool predt__format_is(GDALDriverH driver, const char *name) {
    return EQUAL(GDALGetDriverShortName(driver), name);
}

/* ---- Which driver ---- */

/* VRT holds no pixels, MEM holds them no longer than the process lives. */
static bool can_make(GDALDriverH driver) {
    return has(driver, GDAL_DCAP_RASTER) &&
           (has(driver, GDAL_DCAP_CREATE) || has(driver, GDAL_DCAP_CREATECOPY)) &&
           !predt__format_is(driver, "VRT") && !predt__format_is(driver, "MEM");
}

static char **extensions_of(GDALDriverH driver) {
    const char *known = GDALGetMetadataItem(driver, GDAL_DMD_EXTENSIONS, NULL);
    return known && can_make(driver) ? CSLTokenizeString(known) : NULL;
}

/* Every extension once, as "tif (GTiff), img (HFA)". */
static char *list_extensions(void) {
    char **seen = NULL, *text = CPLStrdup("");
    for (int i = 0; i < GDALGetDriverCount(); i++) {
        char **extensions = extensions_of(GDALGetDriver(i));
        if (extensions && extensions[0] && CSLFindString(seen, extensions[0]) < 0) {
            seen = CSLAddString(seen, extensions[0]);
            char *longer =
                CPLStrdup(CPLSPrintf("%s%s%s (%s)", text, *text ? ", " : "", extensions[0],
                                     GDALGetDriverShortName(GDALGetDriver(i))));
            CPLFree(text);
            text = longer;
        }
        CSLDestroy(extensions);
    }
    CSLDestroy(seen);
    return text;
}

static GDALDriverH driver_of_extension(const char *path) {
    const char *extension = predt__extension_of(path);
    if (!*extension) return GDALGetDriverByName("GTiff");
    for (int i = 0; i < GDALGetDriverCount(); i++) {
        char **extensions = extensions_of(GDALGetDriver(i));
        bool found = CSLFindString(extensions, extension) >= 0;
        CSLDestroy(extensions);
        if (found) return GDALGetDriver(i);
    }
    char *known = list_extensions();
    CPLError(CE_Failure, CPLE_NotSupported,
             "%.300s: rasters cannot be written as .%.40s; name a format with -of, or use one of "
             "the extensions %s",
             path, extension, known);
    CPLFree(known);
    return NULL;
}

GDALDriverH predt__format_find(const char *format, const char *path) {
    if (!format) return driver_of_extension(path);
    GDALDriverH driver = GDALGetDriverByName(format);
    if (driver && can_make(driver)) return driver;
    refuse(format, driver && predt__format_is(driver, "VRT") ? "holds no pixels: use another format"
                   : driver && predt__format_is(driver, "MEM")
                       ? "is gone when the command ends: use another format"
                       : "is not a format that rasters can be written to: see --formats");
    return NULL;
}

/* ---- How it is written ---- */

/* Formats that take rows as they come, checked in tests/command/sweep.py. What is not here is
 * copied to, as gdal_translate does. */
bool predt__format_streams(GDALDriverH driver) {
    static const char *const names[] = {"GTiff",   "HFA", "ENVI", "EHdr", "SAGA",
                                        "RRASTER", "ERS", "RST",  "Zarr", NULL};
    return predt__is_one_of(GDALGetDriverShortName(driver), names);
}

/* These have files of their own (SQLite sees to its writes itself), or note the name they are
 * written under. */
bool predt__format_is_checked(GDALDriverH driver) {
    static const char *const own_files[] = {"GPKG", "MBTiles",   "Rasterlite", "netCDF", "BAG",
                                            "KEA",  "HDF4Image", "FITS",       "PCIDSK", NULL};
    return has(driver, GDAL_DCAP_VIRTUALIO) &&
           !predt__is_one_of(GDALGetDriverShortName(driver), own_files);
}
