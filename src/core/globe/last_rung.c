#include "last_rung.h"

#include <geodesic.h>
#include <stdlib.h>

struct geod_geodesic *predt__geodesic_new(double a, double f) {
    struct geod_geodesic *solver = malloc(sizeof *solver);
    if (solver) geod_init(solver, a, f);
    return solver;
}

double predt__geodesic(const predt__globe *globe, int64_t row, int64_t target_row, int64_t k,
                       double *azimuth) {
    const double *degrees = globe->row.degrees;
    double length;
    geod_inverse(globe->solver, degrees[row], 0, degrees[target_row],
                 predt__degrees_apart(globe, k), &length, azimuth, NULL);
    return length;
}
