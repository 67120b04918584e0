#include "units.h"

#include <cpl_error.h>
#include <cpl_string.h>
#include <ogr_srs_api.h>
#include <string.h>

/* In metres, exact by definition: the international foot and mile, the US survey foot, the nautical
 * mile. */
static const struct {
    const char *name, *band_unit;
    double metres;
} units[] = {
    [PREDT__UNIT_PIXEL] = {"PIXEL", "pixel", 0},
    [PREDT__UNIT_GEO] = {"GEO", "", 0},
    [PREDT__UNIT_METRE] = {"METRE", "metre", 1},
    [PREDT__UNIT_KM] = {"KM", "kilometre", 1000},
    [PREDT__UNIT_FOOT] = {"FOOT", "foot", 0.3048},
    [PREDT__UNIT_US_FOOT] = {"US_FOOT", "US survey foot", 1200.0 / 3937.0},
    [PREDT__UNIT_MILE] = {"MILE", "mile", 1609.344},
    [PREDT__UNIT_NMI] = {"NMI", "nautical mile", 1852},
};

#define UNITS ((int)(sizeof units / sizeof units[0]))

const char *predt__unit_name(int i) { return i < UNITS ? units[i].name : NULL; }

bool predt__unit_from_name(const char *name, predt__unit *unit) {
    for (int i = 0; i < UNITS; i++)
        if (EQUAL(name, units[i].name)) return *unit = (predt__unit)i, true;
    if (EQUAL(name, "METER")) return *unit = PREDT__UNIT_METRE, true;
    return false;
}

static bool refuse(const char *why) {
    CPLError(CE_Failure, CPLE_NotSupported, "%s", why);
    return false;
}

bool predt__geotransform(GDALDatasetH dataset, double geotransform[6]) {
    static const double identity[6] = {0, 1, 0, 0, 0, 1}, north_up[6] = {0, 1, 0, 0, 0, -1};
    if (GDALGetGeoTransform(dataset, geotransform) == CE_None &&
        !(GDALGetGCPCount(dataset) > 0 && memcmp(geotransform, identity, sizeof identity) == 0))
        return true;
    memcpy(geotransform, north_up, sizeof north_up);
    return false;
}

/* What the geotransform says of the size of pixels. */
typedef enum step_kind { MEASURED, FLAT, NONE } step_kind;

/* Within what the core measures with. */
static bool has_length(const double step[2]) {
    double length = hypot(step[0], step[1]);
    return length >= 1e-150 && length <= 1e140;
}

/* Pixels of no size, as some formats write where they know none, have their place in the grid all
 * the same. */
static step_kind read_steps(GDALDatasetH dataset, predt_grid *grid) {
    double g[6];
    bool has = predt__geotransform(dataset, g);
    *grid = (predt_grid){.size = sizeof *grid,
                         .width = GDALGetRasterXSize(dataset),
                         .height = GDALGetRasterYSize(dataset),
                         .col_step = {g[1], g[4]},
                         .row_step = {g[2], g[5]},
                         .metric = PREDT_METRIC_MAP,
                         .max_distance = INFINITY};
    bool sized = has_length(grid->col_step) && has_length(grid->row_step);
    if (!sized)
        grid->col_step[0] = 1, grid->col_step[1] = 0, grid->row_step[0] = 0, grid->row_step[1] = -1;
    return !has ? NONE : sized ? MEASURED : FLAT;
}

static void unit_of_crs(OGRSpatialReferenceH crs, char *name) {
    char *text = NULL;
    if (crs && OSRIsGeographic(crs)) OSRGetAngularUnits(crs, &text);
    else if (crs) OSRGetLinearUnits(crs, &text);
    CPLStrlcpy(name, text && !EQUAL(text, "unknown") ? text : "", PREDT__UNIT_NAME);
}

/* What places the pixels where there is no geotransform; NULL: nothing. */
static const char *other_georeference(GDALDatasetH dataset) {
    if (GDALGetGCPCount(dataset) > 0) return "ground control points";
    if (GDALGetMetadata(dataset, "RPC")) return "rational polynomials (RPC)";
    return GDALGetMetadata(dataset, "GEOLOCATION") ? "geolocation arrays" : NULL;
}

/* False, with the reason, where pixels have no size; a raster without any georeference at all
 * passes. */
static bool check_size(GDALDatasetH dataset, step_kind steps) {
    const char *other = other_georeference(dataset);
    if (steps == MEASURED || (steps == NONE && !other)) return true;
    if (other)
        CPLError(CE_Failure, CPLE_NotSupported,
                 "the source has %s and no geotransform, so its pixels have no size: resample it "
                 "with gdalwarp first, or use "
                 "-distunits PIXEL",
                 other);
    else
        refuse("the geotransform has steps of 0, or none that can be measured with, so the pixels "
               "have no size: use -distunits PIXEL");
    return false;
}

static bool geo_grid(bool has_steps, OGRSpatialReferenceH crs, char *name) {
    if (!has_steps)
        CPLError(CE_Warning, CPLE_AppDefined,
                 "the source has no geotransform: distances count pixels");
    unit_of_crs(crs, name);
    if (crs && OSRIsGeographic(crs))
        CPLError(CE_Warning, CPLE_AppDefined,
                 "the source has a geographic CRS: distances are in %ss of longitude and "
                 "latitude, not on the ground",
                 *name ? name : "degree");
    return true;
}

static bool length_grid(predt__unit unit, bool has_steps, OGRSpatialReferenceH crs,
                        predt_grid *grid) {
    if (!crs)
        return refuse(
            "the source has no CRS, so a length has no meaning: use -distunits GEO or PIXEL");
    if (OSRIsGeographic(crs))
        return refuse("the source has a geographic CRS: project it with gdalwarp first, or use "
                      "-distunits GEO for degrees");
    if (!has_steps)
        return refuse("the source has no geotransform, so its pixels have no size: georeference "
                      "it, or resample "
                      "it with gdalwarp first");
    double scale = OSRGetLinearUnits(crs, NULL) / units[unit].metres;
    if (scale == 1) return true;
    for (int i = 0; i < 2; i++) grid->col_step[i] *= scale, grid->row_step[i] *= scale;
    return true;
}

bool predt__unit_grid(GDALDatasetH dataset, predt__unit unit, predt_grid *grid, char *name) {
    step_kind steps = read_steps(dataset, grid);
    OGRSpatialReferenceH crs = GDALGetSpatialRef(dataset);
    CPLStrlcpy(name, units[unit].band_unit, PREDT__UNIT_NAME);
    if (unit == PREDT__UNIT_PIXEL) {
        grid->metric = PREDT_METRIC_PIXEL;
        if (predt_grid_is_sheared(grid))
            CPLError(CE_Warning, CPLE_AppDefined,
                     "the geotransform is sheared: distances count pixels");
        return true;
    }
    if (!check_size(dataset, steps)) return false;
    if (predt_grid_is_sheared(grid))
        return refuse("the geotransform is sheared (rows and columns are not perpendicular): "
                      "resample the raster with "
                      "gdalwarp first");
    return unit == PREDT__UNIT_GEO ? geo_grid(steps == MEASURED, crs, name)
                                   : length_grid(unit, steps == MEASURED, crs, grid);
}

double predt__unit_take_scale(predt_grid *grid) {
    double scale = hypot(grid->col_step[0], grid->col_step[1]);
    if (grid->metric == PREDT_METRIC_PIXEL) return 1;
    if (!(scale > 0) || !isfinite(scale)) return 1; /* the core refuses it */
    for (int i = 0; i < 2; i++) grid->col_step[i] /= scale, grid->row_step[i] /= scale;
    grid->max_distance /= scale;
    return scale;
}
