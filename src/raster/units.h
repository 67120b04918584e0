/* Units of distance, and what a CRS and a geotransform make of them. */
#ifndef PREDT__UNITS_H
#define PREDT__UNITS_H

#include <gdal.h>
#include <stdbool.h>

#include "predt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum predt_unit {
    PREDT_UNIT_PIXEL, /* pixels, whatever their shape */
    PREDT_UNIT_GEO,   /* the CRS's own unit */
    PREDT_UNIT_METRE,
    PREDT_UNIT_KM,
    PREDT_UNIT_FOOT,
    PREDT_UNIT_US_FOOT,
    PREDT_UNIT_MILE,
    PREDT_UNIT_NMI
} predt_unit;

/* Reads "PIXEL", "GEO", "METRE", ... whatever the case; false if there is no such unit. */
bool predt_unit_from_name(const char *name, predt_unit *unit);

/* All names, for messages. */
#define PREDT_UNIT_NAMES "PIXEL, GEO, METRE, KM, FOOT, US_FOOT, MILE or NMI"

/* The dataset's geotransform; false where it has none. Ground control points go before an identity,
 * which some formats write where they have no geotransform. Without one, the numbers are those of
 * north-up pixels of one unit. */
bool predt_geotransform(GDALDatasetH dataset, double geotransform[6]);

/* Fills the grid for distances in the unit over the dataset's pixels (max_distance stays INFINITY)
 * and writes the unit's name as a band's unit type to name (at least 32 bytes). False, with a
 * CPLError, where the unit has no meaning: a sheared geotransform or one whose pixels have no size,
 * a length on a geographic CRS, a length without a CRS. Warns once for degrees. */
bool predt_unit_grid(GDALDatasetH dataset, predt_unit unit, predt_grid *grid, char *name);

#ifdef __cplusplus
}
#endif

#endif
