/* The last rung of the ladder of distances, which decides what "nearest" means: PROJ's solution of
 * the inverse geodesic problem (C. F. F. Karney, Algorithms for geodesics, 2013). */
#ifndef PREDT__LAST_RUNG_H
#define PREDT__LAST_RUNG_H

#include "globe.h"

/* The solver of an ellipsoid, to be freed with free; NULL: out of memory. */
struct geod_geodesic *predt__geodesic_new(double a, double f);

/* From a pixel to a target of target_row that is k columns away, in the grid's unit. If azimuth is
 * not NULL it gets that at which the geodesic leaves the pixel, in degrees clockwise from north, as
 * if the target lay east. */
double predt__geodesic(const predt__globe *globe, int64_t row, int64_t target_row, int64_t k,
                       double *azimuth);

#endif
