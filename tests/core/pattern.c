/* The patterns: where the targets of a test raster lie. */
#include <math.h>
#include <string.h>

#include "random.h"
#include "scene.h"

/* A picture being painted: the mask with its sides and the random numbers left to use. */
struct canvas {
    uint8_t *mask;
    int64_t width, height;
    uint64_t state;
};

static void dot(struct canvas *canvas, int64_t col, int64_t row) {
    if (col < 0 || row < 0 || col >= canvas->width || row >= canvas->height) return;
    canvas->mask[row * canvas->width + col] =
        (uint8_t)(1 + random_below(&canvas->state, 255)); /* any non-zero byte is a target */
}

static void noise(struct canvas *canvas, double density) {
    for (int64_t row = 0; row < canvas->height; row++)
        for (int64_t col = 0; col < canvas->width; col++)
            if (random_unit(&canvas->state) < density) dot(canvas, col, row);
}

static void line(struct canvas *canvas, double col, double row, double dcol, double drow) {
    int64_t steps = (int64_t)(canvas->width + canvas->height) * 2;
    for (int64_t i = -steps; i <= steps; i++)
        dot(canvas, llround(col + (double)i * dcol), llround(row + (double)i * drow));
}

static void empty(struct canvas *canvas) { (void)canvas; }
static void full(struct canvas *canvas) { noise(canvas, 2.0); }
static void one_site(struct canvas *canvas) {
    dot(canvas, random_below(&canvas->state, canvas->width),
        random_below(&canvas->state, canvas->height));
}

static void few_sites(struct canvas *canvas) {
    for (int64_t i = 2 + random_below(&canvas->state, 12); i > 0; i--) one_site(canvas);
}

static void sparse_noise(struct canvas *canvas) {
    noise(canvas, pow(10.0, -3.0 + 2.0 * random_unit(&canvas->state)));
}
static void noise_at_random(struct canvas *canvas) {
    noise(canvas, 0.1 + 0.8 * random_unit(&canvas->state));
}
static void nearly_full(struct canvas *canvas) { noise(canvas, 0.99); }

/* Equal distances everywhere: sites on a lattice. */
static void lattice(struct canvas *canvas) {
    int64_t across = 2 + random_below(&canvas->state, 40),
            down = 2 + random_below(&canvas->state, 40);
    for (int64_t row = random_below(&canvas->state, down); row < canvas->height; row += down)
        for (int64_t col = random_below(&canvas->state, across); col < canvas->width; col += across)
            dot(canvas, col, row);
}

static void checkerboard(struct canvas *canvas) {
    int64_t side = 1 + random_below(&canvas->state, 70);
    for (int64_t row = 0; row < canvas->height; row++)
        for (int64_t col = 0; col < canvas->width; col++)
            if ((row / side + col / side) % 2) dot(canvas, col, row);
}

static void slopes(struct canvas *canvas) {
    static const double slope[][2] = {{1, 0},   {0, 1},       {1, 1},     {1, -1},
                                      {0.5, 1}, {1, 1.0 / 3}, {1, -0.05}, {0.03, 1}};
    for (int64_t i = 1 + random_below(&canvas->state, 3); i > 0; i--) {
        const double *way = slope[random_below(&canvas->state, 8)];
        line(canvas, random_unit(&canvas->state) * (double)canvas->width,
             random_unit(&canvas->state) * (double)canvas->height, way[0], way[1]);
    }
}

/* All of its sites are equally far from the centre. */
static void circle(struct canvas *canvas) {
    double radius =
        0.45 * (double)(canvas->width < canvas->height ? canvas->width : canvas->height);
    for (int i = 0; i < 8 * (int)radius + 4; i++) {
        double angle = i * 0.78539816339744831 / (radius + 0.5);
        dot(canvas, llround((double)(canvas->width / 2) + radius * cos(angle)),
            llround((double)(canvas->height / 2) + radius * sin(angle)));
    }
}

/* Dense blobs beside wide voids. */
static void blobs(struct canvas *canvas) {
    for (int64_t i = 1 + random_below(&canvas->state, 4); i > 0; i--) {
        int64_t col = random_below(&canvas->state, canvas->width),
                row = random_below(&canvas->state, canvas->height);
        int64_t side = 1 + random_below(&canvas->state, canvas->width / 6 + 2);
        for (int64_t j = side * side / 2; j > 0; j--)
            dot(canvas, col + random_below(&canvas->state, side),
                row + random_below(&canvas->state, side));
    }
}

/* Stripes of dense columns, sparse columns and empty ones. */
static void stripes(struct canvas *canvas) {
    int64_t wide = 1 + random_below(&canvas->state, 90);
    uint64_t kind = random_bits(&canvas->state);
    for (int64_t col = 0; col < canvas->width; col++) {
        double density = (double[]){0.0, 0.9, 0.002, 0.0}[(kind >> (col / wide % 16 * 2)) & 3];
        for (int64_t row = 0; row < canvas->height; row++)
            if (random_unit(&canvas->state) < density) dot(canvas, col, row);
    }
}

/* Rows of targets with gaps of many sub-blocks between them. */
static void rows(struct canvas *canvas) {
    for (int64_t i = 1 + random_below(&canvas->state, 3); i > 0; i--) {
        int64_t row = random_below(&canvas->state, canvas->height);
        for (int64_t col = 0; col < canvas->width; col++)
            if (random_below(&canvas->state, 8)) dot(canvas, col, row);
    }
}

/* The border of a wavy land: sums of sines, the outline or the land itself. */
static void coast(struct canvas *canvas) {
    double a = 6.2831853 * random_unit(&canvas->state), b = 1 + 20 * random_unit(&canvas->state);
    bool land = random_below(&canvas->state, 2);
    for (int64_t col = 0; col < canvas->width; col++) {
        double x = (double)col / (double)canvas->width;
        double shore = (0.5 + 0.3 * sin(a + 5 * x) + 0.08 * sin(a + b * 9 * x) +
                        0.02 * random_unit(&canvas->state)) *
                       (double)canvas->height;
        for (int64_t row = (int64_t)shore; row < (land ? canvas->height : (int64_t)shore + 2);
             row++)
            dot(canvas, col, row);
    }
}

static const struct {
    const char *name;
    void (*paint)(struct canvas *canvas);
} brushes[] = {
    {"empty", empty},
    {"full", full},
    {"one site", one_site},
    {"few sites", few_sites},
    {"sparse noise", sparse_noise},
    {"noise", noise_at_random},
    {"nearly full", nearly_full},
    {"lattice", lattice},
    {"checkerboard", checkerboard},
    {"slopes", slopes},
    {"circle", circle},
    {"blobs", blobs},
    {"stripes", stripes},
    {"rows", rows},
    {"coast", coast},
};
const int pattern_count = sizeof brushes / sizeof *brushes;

void scene_fill(struct scene *scene, int pattern) {
    struct canvas canvas = {scene->is_target, scene->grid.width, scene->grid.height, scene->seed};
    scene->pattern = brushes[pattern].name;
    brushes[pattern].paint(&canvas);
}
