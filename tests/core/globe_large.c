/* Not in the suite: solves large rasters of the whole globe, and counts the sampled pixels whose
 * answer is not PROJ's, found apart: of each row the target that is nearest along the parallel; of
 * those, all that may be nearest by the bounds b sigma <= distance <= a sigma, where sigma is the
 * angle on the sphere of reduced latitudes.
 *
 *     core_globe_large WIDTH SAMPLED_COLUMNS PATTERN|all */
#include <geodesic.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "core/bits.h"
#include "random.h"
#include "solve.h"

#define ROWS_SAMPLED 25 /* of a column */
#define PI 3.14159265358979324
#define STRIP 512

/* A raster of the whole globe, by centres of its pixels. */
struct large {
    int64_t width, height;
    uint8_t *is_target;
    bool *has_target; /* by row */
};

/* ---- Patterns ---- */

static void put(const struct large *large, double x, double y) {
    int64_t col = (int64_t)floor(x) % large->width, row = (int64_t)floor(y);
    if (col < 0) col += large->width;
    if (row >= 0 && row < large->height) large->is_target[row * large->width + col] = 1;
}

static void scatter(const struct large *large, int64_t count, uint64_t *state) {
    for (int64_t i = 0; i < count; i++)
        put(large, random_unit(state) * (double)large->width,
            random_unit(state) * (double)large->height);
}

/* Noise at a point of a lattice that goes around. */
static double lattice(int64_t col, int64_t row, int64_t cols, int octave) {
    uint64_t state = (uint64_t)(col % cols + row * 100003 + octave * 7000000007);
    return random_unit(&state) - 0.5;
}

static double noise(double x, double y, int64_t cols, int octave) {
    int64_t col = (int64_t)x, row = (int64_t)y;
    double u = x - (double)col, v = y - (double)row;
    return (1 - v) * ((1 - u) * lattice(col, row, cols, octave) +
                      u * lattice(col + 1, row, cols, octave)) +
           v * ((1 - u) * lattice(col, row + 1, cols, octave) +
                u * lattice(col + 1, row + 1, cols, octave));
}

/* Land as octaves of noise have it, each half as wide and half as high as the one before. */
static void draw_land(const struct large *large, int octaves) {
    for (int64_t row = 0; row < large->height; row++)
        for (int64_t col = 0; col < large->width; col++) {
            double height = -0.1, amplitude = 1;
            int64_t cols = 9;
            for (int octave = 0; octave < octaves; octave++, cols *= 2, amplitude *= 0.6) {
                double per = (double)cols / (double)large->width;
                height += amplitude * noise((double)col * per, (double)row * per, cols, octave);
                if (fabs(height) > 1.2 * amplitude) break; /* the rest cannot change its sign */
            }
            large->is_target[row * large->width + col] = height > 0;
        }
}

/* Leaves of the land what has sea beside it. */
static void leave_coast(const struct large *large) {
    int64_t w = large->width, h = large->height;
    uint8_t *map = large->is_target;
    for (int64_t row = 0; row < h; row++)
        for (int64_t col = 0; col < w; col++) {
            uint8_t *here = map + row * w + col;
            bool sea = !(here - col)[(col + 1) % w] || !(here - col)[(col + w - 1) % w] ||
                       (row > 0 && !here[-w]) || (row + 1 < h && !here[w]);
            if (*here && sea) *here = 2;
        }
    for (int64_t i = 0; i < w * h; i++) map[i] = map[i] == 2;
}

/* Great circles of 1 to 9,000 km. */
static void draw_roads(const struct large *large, int count, uint64_t *state) {
    double step = PI / (double)large->height;
    for (int i = 0; i < count; i++) {
        double lat = (random_unit(state) * 160 - 80) * PI / 180, lon = random_unit(state) * 2 * PI,
               azimuth = random_unit(state) * 2 * PI,
               length = pow(10, random_unit(state) * 3.95) / 6371;
        for (double s = 0; s < length; s += step / 2) {
            double sine = sin(lat) * cos(s) + cos(lat) * sin(s) * cos(azimuth);
            double turned = atan2(sin(azimuth) * sin(s) * cos(lat), cos(s) - sin(lat) * sine);
            put(large, (lon + turned) / step, (PI / 2 - asin(sine)) / step);
        }
    }
}

static void draw_disc(const struct large *large, double radius) {
    double step = PI / (double)large->height;
    for (int64_t row = 0; row < large->height; row++)
        for (int64_t col = 0; col < large->width; col++) {
            double lat = PI / 2 - ((double)row + 0.5) * step, lon = ((double)col + 0.5) * step;
            double cosine = sin(lat) * sin(0.5) + cos(lat) * cos(0.5) * cos(lon - 3);
            large->is_target[row * large->width + col] = cosine > cos(radius);
        }
}

static const char *const patterns[] = {"1",    "100",   "10000", "0.1%",    "1%",    "10%",
                                       "land", "coast", "lands", "fractal", "roads", "disc"};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

static void draw(const struct large *large, int pattern, uint64_t *state) {
    int64_t pixels = large->width * large->height;
    const int64_t counts[] = {1, 100, 10000, pixels / 1000, pixels / 100, pixels / 10};
    memset(large->is_target, 0, (size_t)pixels);
    if (pattern < 6) scatter(large, counts[pattern], state);
    else if (pattern < 10) draw_land(large, pattern < 8 ? 5 : 11);
    else if (pattern == 10) draw_roads(large, 200, state);
    else draw_disc(large, 15 * PI / 180);
    if (pattern == 7 || pattern == 9) leave_coast(large);
    for (int64_t row = 0; row < large->height; row++)
        large->has_target[row] =
            memchr(large->is_target + row * large->width, 1, (size_t)large->width) != NULL;
}

/* ---- Right answers ---- */

/* In each row the target that is nearest to one column along the parallel: how far, and its own
 * column; -1: there is none. And tables by row. */
struct column {
    int64_t *apart, *target;
    double *degrees, *sin, *cos, *half2; /* half2: sin^2 of half the angle of `apart` */
};

static struct column column_new(const struct large *large) {
    size_t rows = (size_t)large->height;
    struct column c = {calloc(rows, 8), calloc(rows, 8), calloc(rows, 8),
                       calloc(rows, 8), calloc(rows, 8), calloc(rows, 8)};
    predt_globe earth = PREDT_GLOBE_INIT(0, 0, 0);
    for (int64_t row = 0; row < large->height; row++) {
        double step = 180.0 / (double)large->height;
        c.degrees[row] = 90 - step / 2 + (double)row * -step;
        double reduced = atan((1 - earth.flattening) * tan(c.degrees[row] * PI / 180));
        c.sin[row] = sin(reduced), c.cos[row] = cos(reduced);
    }
    return c;
}

static void column_free(struct column *c) {
    free(c->apart), free(c->target), free(c->degrees), free(c->sin), free(c->cos), free(c->half2);
}

static void look_along(const struct large *large, struct column *c, int64_t col) {
    int64_t w = large->width;
    for (int64_t row = 0; row < large->height; row++) {
        const uint8_t *map = large->is_target + row * w;
        c->target[row] = -1;
        if (!large->has_target[row]) continue;
        for (int64_t k = 0; c->target[row] < 0; k++) {
            int64_t west = (col - k + w) % w, east = (col + k) % w;
            if (!map[west] && !map[east]) continue;
            c->apart[row] = k;
            c->target[row] = !map[west] ? east : !map[east] || west < east ? west : east;
        }
        double half = sin(PI * (double)c->apart[row] / (double)w);
        c->half2[row] = half * half;
    }
}

/* sin^2 of half the angle on the sphere of reduced latitudes. */
static double half_angle2(const struct column *c, int64_t row, int64_t other) {
    double up = c->sin[row] - c->sin[other], out = c->cos[row] - c->cos[other];
    return (up * up + out * out) / 4 + c->cos[row] * c->cos[other] * c->half2[other];
}

struct truth {
    double distance;
    int64_t row, col;
};

static struct truth find_truth(const struct large *large, const struct column *c,
                               const struct geod_geodesic *solver, int64_t row) {
    struct truth best = {INFINITY, -1, -1};
    double nearest = 1;
    for (int64_t other = 0; other < large->height; other++)
        if (c->target[other] >= 0) nearest = fmin(nearest, half_angle2(c, row, other));
    double angle = asin(sqrt(nearest)) / (1 - solver->f) * (1 + 1e-9) + 1e-9,
           limit = angle < PI / 2 ? sin(angle) * sin(angle) : 2;
    for (int64_t other = 0; other < large->height; other++) {
        double distance;
        int64_t col = c->target[other];
        if (col < 0 || half_angle2(c, row, other) > limit) continue;
        geod_inverse(solver, c->degrees[row], 0, c->degrees[other],
                     (double)c->apart[other] * 360 / (double)large->width, &distance, NULL, NULL);
        if (distance < best.distance || (distance == best.distance && col < best.col))
            best = (struct truth){distance, other, col};
    }
    return best;
}

/* ---- Comparing ---- */

static struct { int64_t pixels, owners, distances; } counts;

static void check_column(const struct large *large, struct column *c,
                         const struct geod_geodesic *solver, const struct answer *got,
                         int64_t first, int64_t col, uint64_t *state) {
    look_along(large, c, col);
    for (int i = 0; i < ROWS_SAMPLED; i++) {
        int64_t row = random_below(state, large->height), at = row * got->stride + col - first;
        struct truth right = find_truth(large, c, solver, row);
        bool owner = got->nearest_col[at] != right.col || got->nearest_row[at] != right.row,
             distance = got->distance[at] != (float)right.distance;
        counts.pixels++, counts.owners += owner, counts.distances += distance;
        if (owner || distance)
            printf("column %" PRId64 ", row %" PRId64 ": (%d, %d) %.9g, right is (%" PRId64
                   ", %" PRId64 ") %.17g\n",
                   col, row, got->nearest_col[at], got->nearest_row[at], (double)got->distance[at],
                   right.col, right.row, right.distance);
    }
}

/* Strip by strip: their columns are drawn beforehand, so many of all. */
static void check_strips(const struct large *large, predt_ctx *ctx, const predt_index *index,
                         int64_t columns, uint64_t *state) {
    struct geod_geodesic solver;
    struct column c = column_new(large);
    predt_globe earth = PREDT_GLOBE_INIT(0, 0, 0);
    struct scene none = {.seed = 0};
    geod_init(&solver, earth.semi_major_axis, earth.flattening);
    for (int64_t first = 0, begin = 0; first < large->width; first += STRIP) {
        int64_t width = large->width - first < STRIP ? large->width - first : STRIP,
                end = (first + width) * columns / large->width;
        struct answer got = answer_new(width, large->height, 0, PREDT_LABEL_NONE);
        predt_outputs outputs = answer_outputs(&got, &none);
        outputs.distance2 = NULL, outputs.direction = NULL;
        predt_window window = PREDT_WINDOW_INIT(first, 0, width, large->height, 1);
        assert_ok(ctx, predt_query(ctx, index, &window, &outputs));
        for (; begin < end; begin++) {
            int64_t at = begin % 4 ? random_below(state, width) : begin % 8 ? 0 : width - 1;
            check_column(large, &c, &solver, &got, first, first + at, state);
        }
        answer_free(&got);
    }
    column_free(&c);
}

static bool try_pattern(const struct large *large, int pattern, int64_t columns) {
    uint64_t state = 77 + (uint64_t)pattern;
    double step = 180.0 / (double)large->height;
    predt_globe globe = PREDT_GLOBE_INIT(90 - step / 2, -step, 360.0 / (double)large->width);
    predt_grid grid = PREDT_GRID_INIT(large->width, large->height);
    predt_ctx *ctx = open_ctx(1);
    predt_index *index;
    grid.globe = &globe;
    draw(large, pattern, &state);
    assert_ok(ctx, predt_index_create(ctx, &grid, PREDT_LABEL_NONE, &index));
    for (int64_t row = 0; row < large->height; row += 32)
        assert_ok(ctx,
                  predt_index_add(index, row,
                                  (int32_t)(large->height - row < 32 ? large->height - row : 32),
                                  large->is_target + row * large->width, NULL));
    assert_ok(ctx, predt_index_seal(index));
    int64_t targets = predt_index_targets(index);
    memset(&counts, 0, sizeof counts);
    check_strips(large, ctx, index, columns, &state);
    printf("%-8s %" PRId64 " targets, %" PRId64 " pixels sampled: wrong owners %" PRId64
           ", distances %" PRId64 "\n",
           patterns[pattern], targets, counts.pixels, counts.owners, counts.distances);
    fflush(stdout);
    predt_index_destroy(&index);
    predt_close(&ctx);
    return counts.owners || counts.distances;
}

int main(int argc, char **argv) {
    if (argc != 4)
        return fprintf(stderr, "usage: %s WIDTH SAMPLED_COLUMNS PATTERN|all\n", argv[0]), 2;
    int64_t width = strtoll(argv[1], NULL, 10), height = width / 2;
    struct large large = {width, height, malloc((size_t)(width * height)), malloc((size_t)height)};
    bool wrong = false;
    for (int i = 0; i < PATTERNS; i++)
        if (!strcmp(argv[3], "all") || !strcmp(argv[3], patterns[i]))
            wrong = try_pattern(&large, i, strtoll(argv[2], NULL, 10)) || wrong;
    free(large.is_target);
    free(large.has_target);
    return wrong;
}
