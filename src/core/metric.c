/* Which grids are refused; for the others, weights and the type in which distances are compared. */
#include "metric.h"

#include "structs.h"

/* Steps that differ by less count as equal: files carry 30.000000000000004. */
#define EQUAL_STEPS 1e-10
/* Steps farther from a right angle (cosine) are shear. An angle off by this much moves no distance
 * by half a float32 ulp. */
#define RIGHT_ANGLE 1e-8
/* A squared distance this much (relative) beyond the maximum still is inclusive: 3 * 0.1 against
 * 0.3 is 3e-16 off. More would let in true neighbours: on 1 : 1000000 pixels squared distances
 * 7e-13 apart occur. */
#define LIMIT_SLACK 1e-14
/* Weights whose ratio is p/q with both up to this count as integers: sides in a ratio of up to
 * 64. */
#define LARGEST_WEIGHT 4096

/* Writes ratio as p/q with the smallest q, by continued fractions; false if p or q would be too
 * large. */
static bool small_ratio(double ratio, double *p, double *q) {
    double p0 = 0, q0 = 1, p1 = 1, q1 = 0, rest = ratio;
    for (;;) {
        double whole = floor(rest);
        double p2 = whole * p1 + p0, q2 = whole * q1 + q0;
        if (p2 > LARGEST_WEIGHT || q2 > LARGEST_WEIGHT) return false;
        if (p2 > 0 && fabs(p2 / q2 - ratio) <= 2 * EQUAL_STEPS * ratio) {
            *p = p2, *q = q2;
            return true;
        }
        p0 = p1, q0 = q1, p1 = p2, q1 = q2;
        rest = 1.0 / (rest - whole);
    }
}

static bool is_length(double length) { return length >= 1e-150 && length <= 1e140; }

/* Divided before they are multiplied: lengths may be as large as 1e140. */
static bool is_sheared(const predt_grid *grid) {
    const double *col = grid->col_step, *row = grid->row_step;
    double col_length = hypot(col[0], col[1]), row_length = hypot(row[0], row[1]);
    double cosine =
        col[0] / col_length * (row[0] / row_length) + col[1] / col_length * (row[1] / row_length);
    return col_length > 0 && row_length > 0 && fabs(cosine) > RIGHT_ANGLE;
}

int predt_grid_is_sheared(const predt_grid *given) {
    predt_grid grid = PREDT_GRID_INIT(1, 1);
    return given && PREDT__KNOWN(NULL, predt_grid, given, &grid) == PREDT_OK && is_sheared(&grid);
}

static const char *fault_of(const predt_grid *grid) {
    const double *col = grid->col_step, *row = grid->row_step;
    if (grid->width < 1 || grid->height < 1 || grid->width > INT32_MAX || grid->height > INT32_MAX)
        return "a raster has 1 to 2147483647 columns and rows";
    if (!(grid->max_distance >= 0)) return "the maximum distance is negative or not a number";
    double col_length = hypot(col[0], col[1]), row_length = hypot(row[0], row[1]);
    if (!is_length(col_length) || !is_length(row_length))
        return "the pixel size is zero or not a finite number";
    if (grid->metric == PREDT_METRIC_MAP && is_sheared(grid))
        return "the geotransform is sheared (rows and columns are not perpendicular): resample the "
               "raster with gdalwarp first";
    return NULL;
}

/* Squared distance from one corner of the raster to the opposite one. */
static double farthest(const predt__metric *metric, const predt_grid *grid) {
    double cols = (double)(grid->width - 1), rows = (double)(grid->height - 1);
    return metric->wx * (cols * cols) + metric->wy * (rows * rows);
}

/* Weights for pixels with these sides: small integers where the sides allow it, else their
 * squares. */
static void set_weights(predt__metric *metric, const predt_grid *grid, double col, double row) {
    metric->integer = small_ratio((col / row) * (col / row), &metric->wx, &metric->wy);
    metric->unit = col / sqrt(metric->wx);
    /* 1:1 stays below: 2 * (2^31 - 2)^2 < 2^63 - 2^33 */
    if (metric->integer && farthest(metric, grid) < 0x1p63) return;
    metric->unit = 1.0;
    metric->wx = col * col;
    metric->wy = row * row;
    metric->integer = floor(metric->wx) == metric->wx && floor(metric->wy) == metric->wy &&
                      farthest(metric, grid) < 0x1p53;
}

static predt__number number_for(const predt__metric *metric, double largest) {
    if (!metric->integer) return PREDT__REAL;
    if (largest < 0x1p31) return PREDT__INT32;
    return largest < 0x1p53 ? PREDT__REAL : PREDT__INT64;
}

static double limit_for(const predt__metric *metric, double max_distance) {
    double reach = max_distance / metric->unit, limit = reach * reach * (1.0 + LIMIT_SLACK);
    return metric->integer ? floor(limit) : limit;
}

const char *predt__metric_from_grid(predt__metric *metric, const predt_grid *grid) {
    const double *col = grid->col_step, *row = grid->row_step;
    const char *fault = fault_of(grid);
    if (fault) return fault;
    bool in_map = grid->metric == PREDT_METRIC_MAP;
    *metric = (predt__metric){.col_step = {col[0], col[1]}, .row_step = {row[0], row[1]}};
    set_weights(metric, grid, in_map ? hypot(col[0], col[1]) : 1.0,
                in_map ? hypot(row[0], row[1]) : 1.0);
    metric->number = number_for(metric, farthest(metric, grid));
    metric->limit = limit_for(metric, grid->max_distance);
    return NULL;
}
