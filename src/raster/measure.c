#include "measure.h"

#include <cpl_error.h>
#include <cpl_string.h>
#include <ogr_srs_api.h>

#include "geotransform.h"

static bool refuse(const char *why) {
    CPLError(CE_Failure, CPLE_NotSupported, "%s", why);
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

static bool check_shear(const predt_grid *grid) {
    return !predt_grid_is_sheared(grid) ||
           refuse("the geotransform is sheared (rows and columns are not perpendicular): resample "
                  "the raster with gdalwarp first");
}

/* ---- PIXEL and GEO ---- */

static bool in_pixels(predt__measure *measure) {
    measure->grid.metric = PREDT_METRIC_PIXEL;
    if (predt_grid_is_sheared(&measure->grid))
        CPLError(CE_Warning, CPLE_AppDefined,
                 "the geotransform is sheared: distances count pixels");
    return true;
}

static bool in_units_of_crs(predt__measure *measure, bool has_steps, OGRSpatialReferenceH crs) {
    if (!check_shear(&measure->grid)) return false;
    if (!has_steps)
        CPLError(CE_Warning, CPLE_AppDefined,
                 "the source has no geotransform: distances count pixels");
    unit_of_crs(crs, measure->unit);
    return true;
}

/* ---- Lengths ---- */

static bool on_plane(predt__measure *measure, predt__unit unit, OGRSpatialReferenceH crs) {
    predt_grid *grid = &measure->grid;
    if (OSRIsGeographic(crs))
        return refuse("the source has a geographic CRS, on whose plane there are no lengths: leave "
                      "-metric plane out for geodesic ones, or use -distunits GEO for degrees");
    if (!check_shear(grid)) return false;
    double scale = OSRGetLinearUnits(crs, NULL) / predt__unit_metres(unit);
    if (scale == 1) return true;
    for (int i = 0; i < 2; i++) grid->col_step[i] *= scale, grid->row_step[i] *= scale;
    return true;
}

static bool on_ellipsoid(predt__measure *measure, predt__unit unit, GDALDatasetH dataset) {
    if (!predt__ground_open(&measure->ground, dataset, predt__unit_metres(unit))) return false;
    measure->grid.globe = &measure->ground.globe;
    return true;
}

static bool in_lengths(predt__measure *measure, GDALDatasetH dataset, predt__unit unit,
                       predt__surface surface, bool has_steps) {
    OGRSpatialReferenceH crs = GDALGetSpatialRef(dataset);
    if (!crs)
        return refuse(
            "the source has no CRS, so a length has no meaning: use -distunits GEO or PIXEL");
    if (!has_steps)
        return refuse("the source has no geotransform, so its pixels have no size: georeference "
                      "it, or resample it with gdalwarp first");
    bool ellipsoid = surface == PREDT__SURFACE_ELLIPSOID ||
                     (surface == PREDT__SURFACE_BY_CRS && OSRIsGeographic(crs));
    return ellipsoid ? on_ellipsoid(measure, unit, dataset) : on_plane(measure, unit, crs);
}

/* ---- All of them ---- */

bool predt__measure_open(predt__measure *measure, GDALDatasetH dataset, predt__unit unit,
                         predt__surface surface) {
    *measure = (predt__measure){.ground = {.latitudes = NULL}};
    step_kind steps = read_steps(dataset, &measure->grid);
    CPLStrlcpy(measure->unit, predt__unit_of_band(unit), PREDT__UNIT_NAME);
    if (surface == PREDT__SURFACE_ELLIPSOID && predt__unit_metres(unit) == 0)
        return refuse("-metric geodesic measures lengths: say in which unit, as with -distunits "
                      "METRE or KM");
    if (unit == PREDT__UNIT_PIXEL) return in_pixels(measure);
    if (!check_size(dataset, steps)) return false;
    return unit == PREDT__UNIT_GEO
               ? in_units_of_crs(measure, steps == MEASURED, GDALGetSpatialRef(dataset))
               : in_lengths(measure, dataset, unit, surface, steps == MEASURED);
}

void predt__measure_close(predt__measure *measure) {
    predt__ground_close(&measure->ground);
    *measure = (predt__measure){.ground = {.latitudes = NULL}};
}

double predt__measure_take_scale(predt__measure *measure) {
    predt_grid *grid = &measure->grid;
    double scale = hypot(grid->col_step[0], grid->col_step[1]);
    if (grid->globe || grid->metric == PREDT_METRIC_PIXEL) return 1;
    if (!(scale > 0) || !isfinite(scale)) return 1; /* the core refuses it */
    for (int i = 0; i < 2; i++) grid->col_step[i] /= scale, grid->row_step[i] /= scale;
    grid->max_distance /= scale;
    return scale;
}
