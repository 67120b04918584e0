/* voronoi-points: the point-by-point method, one of the serial methods of the raster Voronoi paper.
 * Every empty pixel tries every target. O(N * T). Exact for every pixel shape; it is the definition
 * of the answer. */
#include "methods.h"

static predt__site nearest_of(const predt__metric *metric, const predt__site *sites, int64_t count,
                              int32_t col, int32_t row) {
    predt__site best = PREDT__NO_SITE;
    double best_d2 = INFINITY;
    for (int64_t i = 0; i < count; i++) {
        double d2 = predt__site_d2(metric, sites[i], col, row);
        if (d2 > best_d2 || (d2 == best_d2 && !predt__wins(d2, sites[i], best_d2, best, row)))
            continue;
        best = sites[i];
        best_d2 = d2;
    }
    return best;
}

static predt_status find(const predt__task *task) {
    int64_t count = predt_index_targets(task->index);
    predt__site *sites = predt__sites(task->index), *nearest = task->nearest;
    if (!sites) return PREDT_ERROR_MEMORY;
    for (int32_t row = task->row; row < task->row + task->rows; row++)
        for (int32_t col = 0; col < task->width; col++)
            *nearest++ = predt__is_target(task->index, col, row)
                             ? (predt__site){col, row}
                             : nearest_of(task->metric, sites, count, col, row);
    free(sites);
    return PREDT_OK;
}

static const predt__method method = {.rows_alone = true, .find = find};

const predt__engine predt__voronoi_points = {
    .name = "voronoi-points",
    .summary = "reference: every target tried for every pixel",
    .exact = 1,
    .method = &method,
    .open = predt__reference_open,
    .solve = predt__reference_solve,
    .close = predt__reference_close,
};
