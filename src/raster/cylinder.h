/* Rasters in normal cylindrical projections, as Mercator is one: their columns are meridians at
 * equal steps and their rows parallels, though not at equal steps. */
#ifndef PREDT__CYLINDER_H
#define PREDT__CYLINDER_H

#include <ogr_srs_api.h>
#include <stdbool.h>

/* Degrees of longitude from a column to the next, and the latitude of each row's centres in the
 * CRS's own geographic CRS, to be freed with VSIFree. The geotransform has no rotation. False, with
 * a CPLError, where the projection is of another kind. */
bool predt__cylinder_read(OGRSpatialReferenceH crs, const double geotransform[6], int width,
                          int height, double *longitude_step, double **latitudes);

#endif
