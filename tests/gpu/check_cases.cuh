/* The rasters of predt_gpu_check: everything about one follows from its seed. */
#ifndef TEST_GPU_CHECK_CASES_CUH
#define TEST_GPU_CHECK_CASES_CUH

#include <math.h>
#include <stdio.h>

#include "strip.h"

typedef struct test {
    uint64_t seed;
    int32_t width, height, kind, label_size, strip_rows;
    bool label_raster;
    predt__number number; /* for the GPU, where the metric leaves a choice */
    predt_grid grid;
} test;

static uint64_t draw_from(uint64_t *state) { /* splitmix64 */
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static int32_t between(uint64_t *state, int32_t low, int32_t high) {
    return low + (int32_t)(draw_from(state) % (uint64_t)(high - low + 1));
}

enum {
    RANDOM_KINDS = 9,
    EMPTY,
    FULL,
    ONE,
    LATTICE,
    DIAGONAL,
    CIRCLE,
    HALF,
    ROW_LINE,
    COLUMN_LINE,
    HOLES,
    KINDS
};
static const double shares[RANDOM_KINDS] = {0.0001, 0.0005, 0.002, 0.005, 0.01,
                                            0.05,   0.2,    0.57,  0.99};

static bool target_at(const test *t, int32_t row, int32_t col, uint64_t *state) {
    const int32_t w = t->width, h = t->height, pitch = 7 + (int32_t)(t->seed % 90);
    if (t->kind < RANDOM_KINDS) return (double)(draw_from(state) >> 11) * 0x1p-53 < shares[t->kind];
    switch (t->kind) {
    case FULL:
        return true;
    case ONE:
        return row == (int32_t)(t->seed % (uint64_t)h) &&
               col == (int32_t)(t->seed / 7 % (uint64_t)w);
    case LATTICE:
        return row % pitch == 0 && col % pitch == 0;
    case DIAGONAL:
        return row == col || col == row / 2 || row + col == w;
    case CIRCLE: {
        double r = 0.45 * (w < h ? w : h), x = col - (w - 1) / 2.0, y = row - (h - 1) / 2.0;
        return fabs(sqrt(x * x + y * y) - r) < 0.6;
    }
    case HALF:
        return col < w / 3 && row < h / 2;
    case ROW_LINE:
        return row == h / 2 && col % 3 != 1;
    case COLUMN_LINE:
        return col == w / 3;
    case HOLES:
        return (row / 80 + col / 150) % 3 == 0 && draw_from(state) % 50 == 0;
    default:
        return false;
    }
}

static const double steps[][2] = {{1, 1},  {30, 30},       {2, 3},     {0.1, 0.1}, {1, 64},
                                  {64, 1}, {1, 1.2345678}, {7.7, 3.3}, {1, 1e6},   {1e6, 1}};
static const double limits[] = {INFINITY, INFINITY, INFINITY, 3, 20, 100.5, 1000};

static test draw_test(uint64_t seed) {
    static const int32_t sides[] = {1,   2,   31,  32,  33,   64,   65,  255,
                                    256, 257, 400, 997, 1024, 1025, 2300};
    uint64_t state = seed;
    test t = {};
    t.seed = seed;
    t.width = sides[between(&state, 0, 14)];
    t.height = sides[between(&state, 0, 14)];
    if (between(&state, 0, 19) == 0)
        t.width = between(&state, 1, 2) == 1 ? 70001 : 46341, t.height = between(&state, 1, 70);
    if (between(&state, 0, 19) == 0) t.height = 50021, t.width = between(&state, 1, 40);
    t.kind = between(&state, 0, KINDS - 1);
    t.label_size = between(&state, 0, 2) * 4;
    t.label_raster = between(&state, 0, 1);
    static const int32_t strip_rows[] = {32, 64, 256, 1024, 1 << 30};
    t.strip_rows = strip_rows[between(&state, 0, 4)];
    if (t.strip_rows < t.height / 100) t.strip_rows = 1024;
    t.grid = PREDT_GRID_INIT(t.width, t.height);
    const double *step = steps[between(&state, 0, 2) ? 0 : between(&state, 0, 9)];
    t.grid.col_step[0] = step[0];
    t.grid.row_step[1] = -step[1];
    bool wide = t.width > 40000 || t.height > 40000 || step[0] != step[1];
    t.number = between(&state, 0, 1) && !wide ? PREDT__INT32
               : between(&state, 0, 1)        ? PREDT__REAL
                                              : PREDT__INT64;
    t.grid.max_distance = limits[between(&state, 0, 6)] * step[0];
    return t;
}

static void print_test(const test *t) {
    printf("seed %llu: %d x %d, kind %d, labels %d (%s), strips of %d rows, number %d, steps %g "
           "%g, limit %g\n",
           (unsigned long long)t->seed, t->width, t->height, t->kind, t->label_size,
           t->label_raster ? "raster" : "values", t->strip_rows, (int)t->number,
           t->grid.col_step[0], t->grid.row_step[1], t->grid.max_distance);
}

#endif
