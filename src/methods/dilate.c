/* voronoi-dilate: morphological dilation, one of the serial methods of the raster Voronoi paper. In
 * every round each pixel looks at its eight neighbours and takes over the nearest of their targets:
 * the targets' regions are dilated by a 3 x 3 element. O(N * D).
 *
 * Changed: dilation by one and the same element gives chessboard distances; it is exact with the
 * elements of C. T. Huang, O. R. Mitchell, "A Euclidean distance transform using grayscale
 * morphology decomposition", IEEE Transactions on Pattern Analysis and Machine Intelligence 16 (4),
 * 1994: since k^2 = 1 + 3 + ... + (2k - 1), round k adds 2k - 1 to d2 for a step along a row or a
 * column, and after it every pixel knows the nearest of the targets at most k columns and rows
 * away. Here the sum is taken from the target itself. A round reads what the one before it has
 * written, nothing newer. A pixel looks no more when no target beyond the k-th column and row can
 * be nearer than its own; when none looks, the rounds end. */
#include <string.h>

#include "methods.h"

typedef struct rounds {
    const predt__task *task;
    predt__site *from, *to; /* before the round and after it */
    double known;           /* pixels within this d2 of their target have their nearest one */
} rounds;

/* The best of the pixel's own target and those of its neighbours. */
static predt__site best_around(const rounds *r, int32_t col, int32_t row, double *d2) {
    const predt__task *task = r->task;
    predt__site best = r->from[(int64_t)row * task->width + col];
    *d2 = best.col < 0 ? (double)INFINITY : predt__site_d2(task->metric, best, col, row);
    if (*d2 <= r->known) return best;
    for (int32_t other_row = row ? row - 1 : 0; other_row <= row + 1 && other_row < task->height;
         other_row++)
        for (int32_t other_col = col ? col - 1 : 0; other_col <= col + 1 && other_col < task->width;
             other_col++) {
            predt__site site = r->from[(int64_t)other_row * task->width + other_col];
            if (site.col < 0 || (site.col == best.col && site.row == best.row)) continue;
            double site_d2 = predt__site_d2(task->metric, site, col, row);
            if (best.col >= 0 && !predt__wins(site_d2, site, *d2, best, row)) continue;
            best = site;
            *d2 = site_d2;
        }
    return best;
}

/* One dilation; returns the largest d2 there is after it. */
static double dilate(const rounds *r) {
    double largest = 0, d2;
    for (int32_t row = 0; row < r->task->height; row++)
        for (int32_t col = 0; col < r->task->width; col++) {
            r->to[(int64_t)row * r->task->width + col] = best_around(r, col, row, &d2);
            largest = fmax(largest, d2);
        }
    return largest;
}

static void start(const rounds *r) {
    predt__site *to = r->to;
    for (int32_t row = 0; row < r->task->height; row++)
        for (int32_t col = 0; col < r->task->width; col++)
            *to++ = predt__is_target(r->task->index, col, row) ? (predt__site){col, row}
                                                               : PREDT__NO_SITE;
}

static void swap(rounds *r) {
    predt__site *from = r->from;
    r->from = r->to;
    r->to = from;
}

static predt_status find(const predt__task *task) {
    size_t bytes = (size_t)task->width * (size_t)task->height * sizeof *task->nearest;
    predt__site *other = malloc(bytes);
    if (!other) return PREDT_ERROR_MEMORY;
    rounds r = {task, other, task->nearest, 0};
    double unit = fmin(task->metric->wx, task->metric->wy), largest = INFINITY;
    start(&r);
    double last = predt_index_targets(task->index) ? fmax(task->width, task->height) - 1 : 0;
    for (double k = 1; k <= last && largest > r.known; k++) {
        swap(&r);
        largest = dilate(&r);
        r.known = k * k * unit;
    }
    if (r.to != task->nearest) memcpy(task->nearest, r.to, bytes);
    free(other);
    return PREDT_OK;
}

static const predt__method method = {.refuses = predt__wants_integers, .find = find};

const predt__engine predt__voronoi_dilate = {
    .name = "voronoi-dilate",
    .summary = "reference: regions dilated by a 3 x 3 element, again and again",
    .exact = 1,
    .method = &method,
    .open = predt__reference_open,
    .solve = predt__reference_solve,
    .close = predt__reference_close,
};
