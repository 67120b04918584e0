/* The solver: every column against every pixel. */
#include "fake_kernels.h"

#include <stdlib.h>
#include <string.h>

static bool is_target(const predt__gpu_strip *strip, int64_t row, int64_t col) {
    return strip->words[row / 32 * strip->width + col] >> row % 32 & 1;
}

/* Raster row of the column's target that is nearest to a row of the strip, the northern one of two;
 * -1: none. */
static int64_t nearest_in_column(const predt__gpu_strip *strip, int64_t row, int64_t col) {
    int64_t up = row, down = row + 1;
    while (up >= 0 && !is_target(strip, up, col)) up--;
    while (down < strip->rows && !is_target(strip, down, col)) down++;
    up = up >= 0 ? up + strip->first_row : strip->above[col];
    down = down < strip->rows               ? down + strip->first_row
           : strip->below[col] == INT32_MAX ? -1
                                            : strip->below[col];
    int64_t here = row + strip->first_row;
    if (up < 0 || down < 0) return up < 0 ? down : up;
    return here - up <= down - here ? up : down;
}

static uint64_t read_label(const void *labels, int32_t size, uint64_t at) {
    return size == 4 ? ((const uint32_t *)labels)[at] : ((const uint64_t *)labels)[at];
}

static uint64_t label_in(const predt__gpu_strip *strip, const void *labels, uint64_t at) {
    return read_label(labels, strip->label_size, at);
}

static uint64_t label_of(const predt__gpu_strip *strip, int64_t raster_row, int64_t col) {
    int64_t row = raster_row - strip->first_row, block = row / 32, tiles = (strip->width + 31) / 32,
            tile = col / 32;
    if (row < 0) return label_in(strip, strip->above_labels, (uint64_t)col);
    if (row >= strip->rows) return label_in(strip, strip->below_labels, (uint64_t)col);
    uint64_t rank = strip->label_blocks[block] + strip->label_starts[block * tiles + tile];
    for (int64_t r = block * 32; r <= row; r++)
        for (int64_t c = tile * 32; c < tile * 32 + 32 && c < strip->width && (r < row || c < col);
             c++)
            rank += is_target(strip, r, c);
    return label_in(strip, strip->label_values, rank);
}

static double d2_of(const predt__metric *metric, int64_t dcol, int64_t drow) {
    if (metric->number == PREDT__REAL)
        return predt__d2_real(metric->wx, metric->wy, (double)dcol, (double)drow);
    return (double)predt__d2_int((int64_t)metric->wx, (int64_t)metric->wy, dcol, drow);
}

static void write_pixel(const predt__gpu_strip *strip, int64_t row, int64_t col, double d2,
                        int64_t to_row, int64_t to_col) {
    int64_t i = row * strip->width + col, here = row + strip->first_row;
    bool none = to_row < 0 || d2 > strip->metric.limit;
    uint64_t label = none || !strip->label ? strip->no_label : label_of(strip, to_row, to_col);
    if (strip->distance)
        strip->distance[i] = none ? INFINITY : predt__distance(d2, strip->metric.unit);
    if (strip->distance2)
        strip->distance2[i] = none ? (double)INFINITY : predt__distance2(d2, strip->metric.unit);
    if (strip->label)
        memcpy((char *)strip->label + i * strip->label_size, &label, (size_t)strip->label_size);
    if (strip->nearest_col) strip->nearest_col[i] = none ? -1 : (int32_t)to_col;
    if (strip->nearest_row) strip->nearest_row[i] = none ? -1 : (int32_t)to_row;
    if (strip->direction)
        strip->direction[i] =
            none ? NAN
                 : predt__azimuth(&strip->metric, (double)(to_col - col), (double)(to_row - here));
}

void fake_solve(const predt__gpu_strip *strip) {
    int64_t *nearest = malloc((size_t)strip->width * sizeof *nearest);
    for (int64_t row = 0; row < strip->rows; row++) {
        for (int64_t col = 0; col < strip->width; col++)
            nearest[col] = nearest_in_column(strip, row, col);
        for (int64_t col = 0; col < strip->width; col++) {
            double best = INFINITY;
            int64_t to_col = -1;
            for (int64_t other = 0; other < strip->width; other++) {
                if (nearest[other] < 0) continue;
                double d2 =
                    d2_of(&strip->metric, col - other, strip->first_row + row - nearest[other]);
                if (d2 < best) best = d2, to_col = other;
            }
            write_pixel(strip, row, col, best, to_col < 0 ? -1 : nearest[to_col], to_col);
        }
    }
    free(nearest);
}

/* ---- Narrow outputs ---- */

/* Rows are dealt out to the tallies, so that all of them count. */
void fake_narrow(const predt__gpu_narrowing *n) {
    int32_t tallies = predt__gpu_tallies(n->rows, n->cols);
    for (int32_t i = 0; n->distance2 && i < tallies; i++)
        n->tallies[i] = (predt__seen)PREDT__SEEN_INIT;
    for (int64_t i = 0; i < n->rows * n->cols; i++) {
        int64_t row = n->first_row + i / n->cols * n->step,
                col = n->first_col + i % n->cols * n->step;
        int64_t at = (row - n->strip_row) * n->width + col;
        if (n->distance2) {
            predt__seen *tally = &n->tallies[i / n->cols % tallies];
            int64_t value = predt__whole_value(&n->encoding, n->distance2[at], col, row, tally);
            memcpy((char *)n->encoding.values + i * n->encoding.bytes, &value,
                   (size_t)n->encoding.bytes);
        }
        if (n->label) {
            uint64_t label = read_label(n->label, n->label_size, (uint64_t)at);
            memcpy((char *)n->narrow_label + i * n->label_bytes, &label, (size_t)n->label_bytes);
        }
    }
}
