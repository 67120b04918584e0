/* Target patterns for the bench programs, by the same rules as patterns.py: square rasters of n x n
 * bytes, 1 for a target.
 *
 * Every random choice is a pure function of its number, draw(k), so that the two languages and any
 * order of filling give the same raster. */
#ifndef PREDT_BENCH_PATTERNS_H
#define PREDT_BENCH_PATTERNS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SEED 42u

/* The k-th number of the splitmix64 generator (Steele, Lea, Flood 2014) that starts from SEED. */
static inline uint64_t draw(uint64_t k) {
    uint64_t z = SEED + (k + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline double draw_unit(uint64_t k) { return (double)(draw(k) >> 11) * 0x1p-53; }

static void set(uint8_t *raster, int64_t n, double row, double col) {
    int64_t r = (int64_t)floor(row + 0.5), c = (int64_t)floor(col + 0.5);
    if (r >= 0 && r < n && c >= 0 && c < n) raster[r * n + c] = 1;
}

static void fill_count(uint8_t *raster, int64_t n, int64_t count) {
    for (uint64_t k = 0; count > 0; k++) {
        uint8_t *pixel = raster + draw(k) % (uint64_t)(n * n);
        count -= !*pixel;
        *pixel = 1;
    }
}

/* `count` pixels of a raster of any shape, from its pixel number `first` on. */
static inline void fill_share(uint8_t *pixels, int64_t first, int64_t count, double share) {
    for (int64_t k = 0; k < count; k++) pixels[k] = draw_unit((uint64_t)(first + k)) < share;
}

/* Two lines through the north-west corner, of slopes 1 and 2. */
static void fill_diagonals(uint8_t *raster, int64_t n) {
    for (int64_t row = 0; row < n; row++) raster[row * n + row] = raster[row * n + row / 2] = 1;
}

/* A closed line one pixel wide. */
static void fill_circle(uint8_t *raster, int64_t n) {
    double middle = (double)(n - 1) / 2, radius = 0.45 * (double)n;
    for (int64_t t = 0; t < n; t++) {
        double off = (double)t - middle, half = sqrt(fmax(radius * radius - off * off, 0));
        if (fabs(off) > radius) continue;
        for (int side = -1; side <= 1; side += 2) {
            set(raster, n, (double)t, middle + side * half);
            set(raster, n, middle + side * half, (double)t);
        }
    }
}

/* A fractal line from west to east, three pixels wide: midpoint displacement, each halving moves
 * the middle by 2^-0.7 of what the one before did. */
static bool fill_coast(uint8_t *raster, int64_t n) {
    int64_t span = 1;
    while (span < n) span *= 2;
    double *line = malloc((size_t)(span + 1) * sizeof *line), reach = (double)n / 4;
    if (!line) return false;
    line[0] = line[span] = (double)n / 2;
    for (int64_t step = span; step > 1; step /= 2, reach *= 0.6155722066724582)
        for (int64_t mid = step / 2; mid < span; mid += step)
            line[mid] = (line[mid - step / 2] + line[mid + step / 2]) / 2 +
                        reach * (2 * draw_unit((uint64_t)mid) - 1);
    for (int64_t col = 0; col < n; col++) {
        double low = floor(fmin(line[col], line[col + 1])) - 1,
               high = floor(fmax(line[col], line[col + 1])) + 1;
        for (double row = low; row <= high; row++) set(raster, n, row, (double)col);
    }
    free(line);
    return true;
}

/* Forty straight lines, one pixel wide, from edge to edge, each through two random points. */
static void fill_roads(uint8_t *raster, int64_t n) {
    for (uint64_t road = 0; road < 40; road++) {
        double r0 = draw_unit(4 * road) * (double)n, c0 = draw_unit(4 * road + 1) * (double)n;
        double dr = draw_unit(4 * road + 2) * (double)n - r0,
               dc = draw_unit(4 * road + 3) * (double)n - c0;
        for (int64_t t = 0; t < n; t++) {
            if (fabs(dc) >= fabs(dr)) set(raster, n, r0 + ((double)t - c0) * dr / dc, (double)t);
            else set(raster, n, (double)t, c0 + ((double)t - r0) * dc / dr);
        }
    }
}

#define CORNERS 24

/* The inside of a star-shaped polygon (even-odd rule): each edge toggles all pixels east of it. */
static void fill_polygon(uint8_t *raster, int64_t n) {
    double row[CORNERS + 1], col[CORNERS + 1];
    for (int k = 0; k <= CORNERS; k++) {
        double angle = 2 * acos(-1.0) * (k % CORNERS) / CORNERS;
        double radius = (double)n * (0.15 + 0.3 * draw_unit((uint64_t)(k % CORNERS)));
        row[k] = (double)n / 2 + radius * sin(angle), col[k] = (double)n / 2 + radius * cos(angle);
    }
    for (int k = 0; k < CORNERS; k++)
        for (int64_t r = 0; r < n; r++) {
            double y = (double)r;
            if ((row[k] <= y) == (row[k + 1] <= y)) continue;
            double x = ceil(col[k] + (y - row[k]) * (col[k + 1] - col[k]) / (row[k + 1] - row[k]));
            if (x < (double)n) raster[r * n + (int64_t)fmax(x, 0)] ^= 1;
        }
    for (int64_t r = 0; r < n; r++)
        for (int64_t c = 1; c < n; c++) raster[r * n + c] ^= raster[r * n + c - 1];
}

static void invert(uint8_t *raster, int64_t n) {
    for (int64_t k = 0; k < n * n; k++) raster[k] ^= 1;
}

#include "hard_patterns.h"

/* True for "random-SHARE%", whose pixels are drawn one by one. */
static inline bool share_of(const char *name, double *share) {
    char *end;
    if (strncmp(name, "random-", 7) != 0) return false;
    double percent = strtod(name + 7, &end);
    *share = percent / 100;
    return end != name + 7 && strcmp(end, "%") == 0 && percent >= 0 && percent <= 100;
}

/* "random-100": a number of targets. */
static bool fill_random(uint8_t *raster, int64_t n, const char *amount) {
    char *end;
    double value = strtod(amount, &end);
    if (end == amount || *end || value < 0 || value > (double)(n * n)) return false;
    fill_count(raster, n, (int64_t)value);
    return true;
}

/* Fills n x n bytes; false if there is no such pattern. */
static bool pattern_fill(const char *name, uint8_t *raster, int64_t n) {
    double share;
    if (share_of(name, &share)) return fill_share(raster, 0, n * n, share), true;
    memset(raster, 0, (size_t)(n * n));
    if (!strncmp(name, "random-", 7)) return fill_random(raster, n, name + 7);
    if (!strcmp(name, "coast")) return fill_coast(raster, n);
    if (!strcmp(name, "diagonals")) fill_diagonals(raster, n);
    else if (!strcmp(name, "circle")) fill_circle(raster, n);
    else if (!strcmp(name, "roads")) fill_roads(raster, n);
    else if (!strcmp(name, "polygon")) fill_polygon(raster, n);
    else if (!strcmp(name, "polygon-outside")) fill_polygon(raster, n), invert(raster, n);
    else return fill_hard(name, raster, n);
    return true;
}

#endif
