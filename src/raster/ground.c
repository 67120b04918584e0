#include "ground.h"

#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <math.h>
#include <ogr_srs_api.h>

#include "cylinder.h"
#include "geotransform.h"

static bool refuse(const char *why) {
    CPLError(CE_Failure, CPLE_NotSupported, "%s", why);
    return false;
}

/* Pixels by which a row may leave its parallel over the whole width: what rounding makes of it, and
 * nobody means. */
#define DRIFT 1e-6

static bool is_turned(GDALDatasetH dataset, const double g[6]) {
    double width = GDALGetRasterXSize(dataset), height = GDALGetRasterYSize(dataset);
    return !(fabs(g[4]) * width <= DRIFT * fabs(g[5]) && fabs(g[2]) * height <= DRIFT * fabs(g[1]));
}

static void read_ellipsoid(predt__ground *ground, OGRSpatialReferenceH crs, double metres) {
    OGRErr bad_axis, bad_flattening;
    double inverse = OSRGetInvFlattening(crs, &bad_flattening);
    const char *name = OSRGetAttrValue(crs, "SPHEROID", 0);
    ground->globe = (predt_globe)PREDT_GLOBE_INIT(0, 0, 0);
    ground->globe.semi_major_axis = OSRGetSemiMajor(crs, &bad_axis) / metres;
    ground->globe.flattening = inverse != 0 ? 1 / inverse : 0; /* 0 stands for a sphere */
    CPLStrlcpy(ground->ellipsoid, name && !EQUAL(name, "unknown") ? name : "the CRS's ellipsoid",
               sizeof ground->ellipsoid);
}

/* ---- Rasters in degrees ---- */

/* 1 where the raster's axis (1: along rows, 2: along columns) runs as `positive` does, -1 where it
 * runs the other way, 0 where it is another one. */
static int sign_of_axis(OGRSpatialReferenceH crs, int axis, OGRAxisOrientation positive,
                        OGRAxisOrientation negative) {
    OGRAxisOrientation orientation = OAO_Other;
    int count = 0;
    const int *mapping = OSRGetDataAxisToSRSAxisMapping(crs, &count);
    int mapped = count >= axis ? mapping[axis - 1] : axis;
    OSRGetAxis(crs, NULL, abs(mapped) - 1, &orientation);
    int sign = orientation == positive ? 1 : orientation == negative ? -1 : 0;
    return mapped < 0 ? -sign : sign;
}

/* Degrees and grads come as radians: 0.9 shall be 0.9. */
static double degrees_in(double radians) {
    double degrees = radians * (180 / M_PI), rounded = floor(degrees * 1e9 + 0.5) / 1e9;
    return fabs(degrees - rounded) < 1e-13 ? rounded : degrees;
}

static bool read_degrees(predt__ground *ground, OGRSpatialReferenceH crs, const double g[6]) {
    double unit = degrees_in(OSRGetAngularUnits(crs, NULL));
    int east = sign_of_axis(crs, 1, OAO_East, OAO_West),
        north = sign_of_axis(crs, 2, OAO_North, OAO_South);
    if (OSRIsDerivedGeographic(crs))
        return refuse("the source has a derived geographic CRS, as one with a rotated pole, whose "
                      "columns are not meridians: resample it with gdalwarp first");
    if (!east || !north)
        return refuse("in the source's CRS latitude runs along rows, not longitude: resample it "
                      "with gdalwarp first, or correct its CRS with gdal_edit.py -a_srs");
    ground->globe.first_latitude = north * (g[3] + g[5] / 2) * unit;
    ground->globe.latitude_step = north * g[5] * unit;
    ground->globe.longitude_step = east * g[1] * unit;
    return true;
}

/* ---- All of them ---- */

static bool read_rows_and_columns(predt__ground *ground, GDALDatasetH dataset,
                                  OGRSpatialReferenceH crs) {
    double g[6];
    predt__geotransform(dataset, g);
    if (is_turned(dataset, g))
        return refuse("the geotransform is rotated or sheared, so that columns are not meridians: "
                      "resample the raster with gdalwarp first");
    if (OSRIsGeographic(crs)) return read_degrees(ground, crs, g);
    bool good =
        predt__cylinder_read(crs, g, GDALGetRasterXSize(dataset), GDALGetRasterYSize(dataset),
                             &ground->globe.longitude_step, &ground->latitudes);
    ground->globe.latitudes = ground->latitudes;
    return good;
}

bool predt__ground_open(predt__ground *ground, GDALDatasetH dataset, double metres) {
    OGRSpatialReferenceH crs = OSRClone(GDALGetSpatialRef(dataset));
    *ground = (predt__ground){.latitudes = NULL};
    OSRStripVertical(crs);
    bool good = OSRIsGeographic(crs) || OSRIsProjected(crs);
    if (!good)
        refuse("the source's CRS is neither geographic nor projected, so there is no ellipsoid to "
               "measure along: resample the raster with gdalwarp -t_srs EPSG:4326 first");
    if (good) read_ellipsoid(ground, crs, metres);
    good = good && read_rows_and_columns(ground, dataset, crs);
    OSRDestroySpatialReference(crs);
    return good;
}

void predt__ground_close(predt__ground *ground) {
    VSIFree(ground->latitudes);
    *ground = (predt__ground){.latitudes = NULL};
}
