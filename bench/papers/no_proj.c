/* In place of src/core/globe/last_rung.c where nothing but a compiler is needed: without PROJ there
 * is no solver, and grids on a globe are refused. */
#include "src/core/globe/last_rung.h"

#include <math.h>
#include <stddef.h>

struct geod_geodesic *predt__geodesic_new(double a, double f) {
    (void)a, (void)f;
    return NULL;
}

double predt__geodesic(const predt__globe *globe, int64_t row, int64_t target_row, int64_t k,
                       double *azimuth) {
    (void)globe, (void)row, (void)target_row, (void)k, (void)azimuth;
    return (double)NAN;
}
