/* The rasters of pr_edt_check: patterns that fill, miss and dominate. */
#ifndef TEST_GPU_PR_EDT_CHECK_RASTERS_CUH
#define TEST_GPU_PR_EDT_CHECK_RASTERS_CUH

#include <math.h>
#include <stdint.h>
#include <string.h>

/* splitmix64: any seed is a good one. */
static uint64_t random_bits(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double random_unit(uint64_t *state) { return (double)(random_bits(state) >> 11) * 0x1p-53; }

typedef struct raster {
    uint8_t *mask;
    int64_t width, height;
    uint64_t seed;
} raster;

static void dot(raster *r, double col, double row) {
    int64_t c = llround(col), y = llround(row);
    if (c >= 0 && y >= 0 && c < r->width && y < r->height) r->mask[y * r->width + c] = 1;
}

static void noise(raster *r, double density) {
    for (int64_t i = 0; i < r->width * r->height; i++)
        if (random_unit(&r->seed) < density) r->mask[i] = 1;
}

static void scattered(raster *r, int count) {
    for (int i = 0; i < count; i++)
        dot(r, (double)r->width * random_unit(&r->seed), (double)r->height * random_unit(&r->seed));
}

static void line(raster *r, double slope, double offset) {
    for (double col = 0; col < (double)r->width; col += 1 / (1 + fabs(slope)))
        dot(r, col, col * slope + offset);
}

static void circle(raster *r) {
    double side = (double)(r->width < r->height ? r->width : r->height);
    for (double turn = 0; turn < 6.3; turn += 0.5 / side)
        dot(r, (double)r->width / 2 + 0.45 * side * cos(turn),
            (double)r->height / 2 + 0.45 * side * sin(turn));
}

static void lattice(raster *r, int64_t gap) {
    for (int64_t row = gap / 2; row < r->height; row += gap)
        for (int64_t col = gap / 3; col < r->width; col += gap) dot(r, (double)col, (double)row);
}

/* A valley: every column has its target, and the whole row of them is dominated from its ends. */
static void parabola(raster *r, double sign) {
    double half = (double)r->width / 2;
    for (int64_t col = 0; col < r->width; col++) {
        double bend =
            ((double)col - half) * ((double)col - half) / (half * half + 1) * (double)r->height / 2;
        dot(r, (double)col, sign > 0 ? bend : (double)r->height - 1 - bend);
    }
}

enum {
    NOTHING,
    EVERYTHING,
    ONE,
    FEW,
    SPARSE,
    THIN,
    MIDDLE,
    DENSE,
    DIAGONALS,
    CIRCLE,
    LATTICE,
    VALLEY,
    HILL,
    LAST_ROW,
    PATTERNS
};

static void paint(raster *r, int pattern) {
    memset(r->mask, 0, (size_t)(r->width * r->height));
    switch (pattern) {
    case EVERYTHING:
        memset(r->mask, 1, (size_t)(r->width * r->height));
        break;
    case ONE:
        scattered(r, 1);
        break;
    case FEW:
        scattered(r, 9);
        break;
    case SPARSE:
        noise(r, 0.001);
        break;
    case THIN:
        noise(r, 0.02);
        break;
    case MIDDLE:
        noise(r, 0.5);
        break;
    case DENSE:
        noise(r, 0.99);
        break;
    case DIAGONALS:
        line(r, 1, 0), line(r, 0.5, 7);
        break;
    case CIRCLE:
        circle(r);
        break;
    case LATTICE:
        lattice(r, 8);
        break;
    case VALLEY:
        parabola(r, 1);
        break;
    case HILL:
        parabola(r, -1);
        break;
    case LAST_ROW:
        memset(r->mask + (r->height - 1) * r->width, 1, (size_t)r->width);
        break;
    }
}

#endif
