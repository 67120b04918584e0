/* How distances over a raster are measured: what a unit means there, on the plane of the CRS or on
 * the ellipsoid under it. */
#ifndef PREDT__MEASURE_H
#define PREDT__MEASURE_H

#include "ground.h"
#include "units.h"

/* It stays where it is, for the grid points into it. */
typedef struct predt__measure {
    predt_grid grid;             /* max_distance is INFINITY */
    predt__ground ground;        /* if the grid has a globe: it is this one's */
    char unit[PREDT__UNIT_NAME]; /* as a band's unit type */
} predt__measure;

/* False, with a CPLError, where the unit has no meaning: a sheared geotransform or one whose pixels
 * have no size, a length without a CRS, one on a geographic CRS's plane, one on the ellipsoid where
 * rows are no parallels. Close it either way. */
bool predt__measure_open(predt__measure *measure, GDALDatasetH dataset, predt__unit unit,
                         predt__surface surface);
void predt__measure_close(predt__measure *measure);

/* Divides a plane's grid by the length of a step along a row, which it returns: squares of square
 * pixels are whole numbers then, and a distance that is made of them is rounded once. 1 for a
 * globe. */
double predt__measure_take_scale(predt__measure *measure);

#endif
