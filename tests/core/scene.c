/* Makes, fills and frees test rasters. */
#include "scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "random.h"

#define COS30 0.86602540378443865
#define ROOT2 1.4142135623730951

const struct shape shapes[] = {
    {"square", {1, 0}, {0, -1}, PREDT_METRIC_MAP, 1, 1, 1, true},
    {"30 m with noise", {30, 0}, {0, -30.000000000000004}, PREDT_METRIC_MAP, 1, 1, 30, true},
    {"south-up 0.1", {0.1, 0}, {0, 0.1}, PREDT_METRIC_MAP, 1, 1, 0.1, true},
    {"1 x 3", {1, 0}, {0, -3}, PREDT_METRIC_MAP, 1, 9, 1, true},
    {"20 x 30", {20, 0}, {0, -30}, PREDT_METRIC_MAP, 4, 9, 10, true},
    {"0.5 x 0.7", {0.5, 0}, {0, -0.7}, PREDT_METRIC_MAP, 25, 49, 0.1, true},
    {"64 x 1", {64, 0}, {0, -1}, PREDT_METRIC_MAP, 4096, 1, 1, true},
    {"1 x 64", {1, 0}, {0, -64}, PREDT_METRIC_MAP, 1, 4096, 1, true},
    {"root 2 x 1", {ROOT2, 0}, {0, -1}, PREDT_METRIC_MAP, 2, 1, 1, true},
    {"300.0379 x 300.0417",
     {300.0379, 0},
     {0, -300.0417},
     PREDT_METRIC_MAP,
     300.0379 * 300.0379,
     300.0417 * 300.0417,
     1,
     false},
    {"1 x 1.37", {1, 0}, {0, -1.3700001}, PREDT_METRIC_MAP, 1, 1.3700001 * 1.3700001, 1, false},
    {"1 x 1000000", {1, 0}, {0, -1e6}, PREDT_METRIC_MAP, 1, 1e12, 1, false},
    {"1000000 x 1", {1e6, 0}, {0, -1}, PREDT_METRIC_MAP, 1e12, 1, 1, false},
    {"square turned 30", {10 * COS30, 5}, {5, -10 * COS30}, PREDT_METRIC_MAP, 1, 1, 10, true},
    {"pixels of 2 x 7", {2, 0}, {0, -7}, PREDT_METRIC_PIXEL, 1, 1, 1, true},
    {"pixels, sheared", {10, 0}, {5, -10}, PREDT_METRIC_PIXEL, 1, 1, 1, true},
};
const int shape_count = sizeof shapes / sizeof *shapes;

const struct shape *shape_named(const char *name) {
    for (int i = 0; i < shape_count; i++)
        if (strcmp(shapes[i].name, name) == 0) return &shapes[i];
    fail_msg("no shape is called %s", name);
    return NULL;
}

struct scene scene_new(int64_t width, int64_t height, const struct shape *shape,
                       predt_label_type label_type, uint64_t seed) {
    struct scene scene = {.shape = shape,
                          .label_type = label_type,
                          .no_label = UINT64_C(0xfeedfacecafef00d),
                          .pattern = "by hand",
                          .seed = seed};
    scene.grid = (predt_grid)PREDT_GRID_INIT(width, height);
    memcpy(scene.grid.col_step, shape->col_step, sizeof shape->col_step);
    memcpy(scene.grid.row_step, shape->row_step, sizeof shape->row_step);
    scene.grid.metric = shape->metric;
    size_t pixels = (size_t)(width * height), label_words = pixels * label_type / 4;
    scene.is_target = calloc(pixels, 1);
    scene.labels = label_type ? malloc(label_words * 4) : NULL;
    uint64_t state = seed ^ UINT64_C(0x1abe15);
    for (size_t i = 0; i < label_words; i++)
        ((uint32_t *)scene.labels)[i] = (uint32_t)random_bits(&state);
    return scene;
}

void scene_free(struct scene *scene) {
    free(scene->is_target);
    free(scene->labels);
    memset(scene, 0, sizeof *scene);
}

void scene_put(struct scene *scene, int64_t col, int64_t row) {
    scene->is_target[row * scene->grid.width + col] = 1;
}

void scene_print(const struct scene *scene) {
    print_error("%" PRId64 " columns x %" PRId64
                " rows, pixels %s, pattern %s, maximum %.17g, labels of %d bytes, seed %" PRIu64
                "\n",
                scene->grid.width, scene->grid.height, scene->shape->name, scene->pattern,
                scene->grid.max_distance, (int)scene->label_type, scene->seed);
}
