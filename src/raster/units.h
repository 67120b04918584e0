/* Units of distance, and what a CRS and a geotransform make of them. */
#ifndef PREDT__UNITS_H
#define PREDT__UNITS_H

#include <gdal.h>
#include <stdbool.h>

#include "predt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum predt__unit {
    PREDT__UNIT_PIXEL, /* pixels, whatever their shape */
    PREDT__UNIT_GEO,   /* the CRS's own unit */
    PREDT__UNIT_METRE,
    PREDT__UNIT_KM,
    PREDT__UNIT_FOOT,
    PREDT__UNIT_US_FOOT,
    PREDT__UNIT_MILE,
    PREDT__UNIT_NMI
} predt__unit;

/* Reads "PIXEL", "GEO", "METRE", ... whatever the case; false if there is no such unit. */
bool predt__unit_from_name(const char *name, predt__unit *unit);

/* The names by number, for messages; NULL after the last one. */
const char *predt__unit_name(int i);

/* The dataset's geotransform; false where it has none. Ground control points go before an identity,
 * which some formats write where they have no geotransform. Without one, the numbers are those of
 * north-up pixels of one unit. */
bool predt__geotransform(GDALDatasetH dataset, double geotransform[6]);

#define PREDT__UNIT_NAME 32

/* Fills the grid for distances in the unit over the dataset's pixels (max_distance stays INFINITY)
 * and writes the unit's name as a band's unit type to name (PREDT__UNIT_NAME bytes). False, with a
 * CPLError, where the unit has no meaning: a sheared geotransform or one whose pixels have no size,
 * a length on a geographic CRS, a length without a CRS. Warns once for degrees. */
bool predt__unit_grid(GDALDatasetH dataset, predt__unit unit, predt_grid *grid, char *name);

/* Divides the grid by the length of a step along a row, which it returns: squares of square pixels
 * are whole numbers then, and a distance that is made of them is rounded once. */
double predt__unit_take_scale(predt_grid *grid);

#ifdef __cplusplus
}
#endif

#endif
