/* Whether a projection is a normal cylindrical one is not looked up by its name but measured, on
 * points of the raster and beyond it. */
#include "cylinder.h"

#include <cpl_error.h>
#include <cpl_vsi.h>
#include <math.h>

/* Degrees, a tenth of a millimetre: a hundred thousand times what rounding makes. */
#define TOLERANCE 1e-9

/* How far from the raster's centre is measured, for a raster of a few metres shows no meridian
 * converge: a hundredth of the earth's radius, where they do so by metres. */
#define REACH 0.01

typedef struct cylinder {
    OGRCoordinateTransformationH to_degrees; /* of longitude and latitude, in `unit` */
    double unit;                             /* in degrees */
    const double *g;                         /* the geotransform */
    int width, height;
    double reach; /* in units of the CRS */
} cylinder;

static double x_of(const cylinder *c, double col) { return c->g[0] + (col + 0.5) * c->g[1]; }
static double y_of(const cylinder *c, double row) { return c->g[3] + (row + 0.5) * c->g[5]; }

/* In place: x becomes longitude, y latitude. */
static bool transform(const cylinder *c, int count, double *x, double *y) {
    CPLPushErrorHandler(CPLQuietErrorHandler);
    bool good = OCTTransform(c->to_degrees, count, x, y, NULL);
    CPLPopErrorHandler();
    for (int i = 0; i < count && good; i++) {
        x[i] *= c->unit;
        y[i] *= c->unit;
        good = isfinite(x[i]) && isfinite(y[i]);
    }
    return good;
}

/* ---- Is it one? ---- */

#define PROBES 5

/* x of points that lie apart, from west to east in no order; the first two are the widest apart
 * that cannot be half a turn or more. */
static void spread_out(const cylinder *c, double x[PROBES]) {
    double centre = x_of(c, (c->width - 1) / 2.0);
    x[0] = centre - c->reach;
    x[1] = centre + c->reach;
    x[2] = centre;
    x[3] = x_of(c, 0);
    x[4] = x_of(c, c->width - 1);
}

/* The angle from one meridian to another that is nearest to what was expected. */
static double angle(double from, double to, double expected) {
    double apart = to - from;
    return apart + 360 * floor((expected - apart) / 360 + 0.5);
}

/* Degrees of longitude in a unit of x, as precisely as the raster's width allows. */
static double slope_of(const double x[PROBES], const double longitude[PROBES]) {
    double slope = angle(longitude[0], longitude[1], 0) / (x[1] - x[0]), width = x[4] - x[3];
    if (!(fabs(width) > x[1] - x[0])) return slope;
    return angle(longitude[3], longitude[4], slope * width) / width;
}

static bool fits(const double x[PROBES], const double longitude[PROBES],
                 const double latitude[PROBES], double slope) {
    for (int i = 0; i < PROBES; i++) {
        double expected = slope * (x[i] - x[2]);
        double measured = angle(longitude[2], longitude[i], expected);
        if (!(fabs(measured - expected) <= TOLERANCE)) return false;
        if (!(fabs(latitude[i] - latitude[2]) <= TOLERANCE)) return false;
    }
    return true;
}

/* The probes of one row; the first row says where the meridians are, the others agree. */
static bool probe(const cylinder *c, double y, double *slope, double *centre) {
    double x[PROBES], longitude[PROBES], latitude[PROBES];
    bool is_first = *slope == 0;
    spread_out(c, x);
    for (int i = 0; i < PROBES; i++) longitude[i] = x[i], latitude[i] = y;
    if (!transform(c, PROBES, longitude, latitude)) return false;
    if (is_first) *slope = slope_of(x, longitude), *centre = longitude[2];
    return fits(x, longitude, latitude, *slope) &&
           fabs(angle(*centre, longitude[2], 0)) <= TOLERANCE;
}

/* Whether a row far to the north or south agrees; it may lie beyond a pole. */
static bool may_agree(const cylinder *c, double y, double slope, double centre) {
    double longitude = x_of(c, (c->width - 1) / 2.0), latitude = y;
    return !transform(c, 1, &longitude, &latitude) || probe(c, y, &slope, &centre);
}

/* At the first row, the middle and the last one, and beyond. */
static bool measure(const cylinder *c, double *longitude_step) {
    double slope = 0, centre = 0, middle = y_of(c, (c->height - 1) / 2.0);
    for (int i = 0; i < 3; i++)
        if (!probe(c, y_of(c, i * (c->height - 1) / 2.0), &slope, &centre)) return false;
    *longitude_step = slope * c->g[1];
    return may_agree(c, middle - c->reach, slope, centre) &&
           may_agree(c, middle + c->reach, slope, centre);
}

/* ---- Its rows ---- */

#define ROWS_AT_ONCE 1024

static bool read_rows(const cylinder *c, double *latitudes) {
    double x[ROWS_AT_ONCE];
    for (int row = 0, rows; row < c->height; row += rows) {
        rows = c->height - row < ROWS_AT_ONCE ? c->height - row : ROWS_AT_ONCE;
        for (int i = 0; i < rows; i++) {
            x[i] = x_of(c, (c->width - 1) / 2.0);
            latitudes[row + i] = y_of(c, row + i);
        }
        if (!transform(c, rows, x, latitudes + row)) return false;
    }
    return true;
}

/* ---- All of it ---- */

static bool refuse(OGRSpatialReferenceH crs) {
    const char *name = OSRGetName(crs);
    CPLError(
        CE_Failure, CPLE_NotSupported,
        "geodesic distances need columns that are meridians and rows that are parallels, as in "
        "a CRS in degrees or a normal cylindrical projection, and %.80s is none: resample the "
        "raster with gdalwarp -t_srs EPSG:4326 first, or measure on the plane",
        name && *name ? name : "the source's CRS");
    return false;
}

/* Its own geographic CRS, longitude first. */
static bool open_transformation(cylinder *c, OGRSpatialReferenceH crs) {
    OGRSpatialReferenceH degrees = OSRCloneGeogCS(crs);
    if (!degrees) return false;
    OSRSetAxisMappingStrategy(degrees, OAMS_TRADITIONAL_GIS_ORDER);
    c->unit = OSRGetAngularUnits(degrees, NULL) * (180 / M_PI);
    c->reach = REACH * OSRGetSemiMajor(degrees, NULL) / OSRGetLinearUnits(crs, NULL);
    CPLPushErrorHandler(CPLQuietErrorHandler);
    c->to_degrees = OCTNewCoordinateTransformation(crs, degrees);
    CPLPopErrorHandler();
    OSRDestroySpatialReference(degrees);
    return c->to_degrees != NULL;
}

bool predt__cylinder_read(OGRSpatialReferenceH crs, const double geotransform[6], int width,
                          int height, double *longitude_step, double **latitudes) {
    cylinder c = {.g = geotransform, .width = width, .height = height};
    bool good = open_transformation(&c, crs) && measure(&c, longitude_step);
    *latitudes = good ? VSIMalloc2((size_t)height, sizeof **latitudes) : NULL;
    if (good && !*latitudes) CPLError(CE_Failure, CPLE_OutOfMemory, "out of memory for latitudes");
    else if (!good || !read_rows(&c, *latitudes)) good = refuse(crs);
    good = good && *latitudes;
    if (c.to_degrees) OCTDestroyCoordinateTransformation(c.to_degrees);
    return good;
}
