/* The ellipsoid under a raster, and where on it the raster's rows and columns lie: on parallels and
 * on meridians at equal steps, or there is no measuring along it. */
#ifndef PREDT__GROUND_H
#define PREDT__GROUND_H

#include <gdal.h>
#include <stdbool.h>

#include "predt.h"

#define PREDT__ELLIPSOID_NAME 64

typedef struct predt__ground {
    predt_globe globe; /* its latitudes are those below */
    double *latitudes; /* of rows at unequal steps, in degrees; NULL: the globe has a step */
    char ellipsoid[PREDT__ELLIPSOID_NAME]; /* "WGS 84"; shortened if need be */
} predt__ground;

/* Reads the ground of a dataset with a geotransform; distances on it will be in a unit of so many
 * metres. False, with a CPLError, where rows are not parallels or columns not meridians. Close it
 * either way. */
bool predt__ground_open(predt__ground *ground, GDALDatasetH dataset, double metres);

void predt__ground_close(predt__ground *ground);

#endif
