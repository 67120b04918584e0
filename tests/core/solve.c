/* Runs test rasters through the library in strips, windows and all at once. */
#include "solve.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmocka_all.h"
#include "oracle.h"
#include "random.h"

void assert_status_ok(const predt_ctx *ctx, predt_status status, const char *file, int line) {
    if (status == PREDT_OK) return;
    print_error("%s:%d: status %d: %s\n", file, line, (int)status, predt_message(ctx));
    fail();
}

static predt_ctx *open_with(int threads, int64_t index_memory) {
    predt_options options = PREDT_OPTIONS_INIT;
    options.threads = threads;
    options.index_memory = index_memory;
    predt_ctx *ctx;
    predt_status status = predt_open(&ctx, &options);
    assert_ok(ctx, status);
    return ctx;
}

predt_ctx *open_ctx(int threads) { return open_with(threads, 0); }
predt_ctx *open_ctx_on_file(int threads) { return open_with(threads, 1); }

struct answer solve_whole(predt_ctx *ctx, const struct scene *scene) {
    struct answer got = answer_new(scene->grid.width, scene->grid.height, 0, scene->label_type);
    predt_outputs outputs = answer_outputs(&got, scene);
    assert_ok(ctx, predt_transform(ctx, &scene->grid, scene->is_target, scene->labels,
                                   scene->label_type, &outputs, NULL, NULL));
    return got;
}

static void shuffle(int64_t *items, int64_t count, uint64_t seed) {
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t other = random_below(&seed, i + 1), kept = items[i];
        items[i] = items[other];
        items[other] = kept;
    }
}

static predt_status add_strip(predt_index *index, const struct scene *scene, int64_t row,
                              int64_t rows) {
    if (row + rows > scene->grid.height) rows = scene->grid.height - row;
    int64_t pixel = row * scene->grid.width;
    const void *labels =
        scene->labels ? (const char *)scene->labels + pixel * (int64_t)scene->label_type : NULL;
    return predt_index_add(index, row, (int32_t)rows, scene->is_target + pixel, labels);
}

predt_index *index_scene(predt_ctx *ctx, const struct scene *scene, int64_t strip_blocks,
                         uint64_t seed) {
    int64_t rows = strip_blocks * PREDT_SUBBLOCK_ROWS,
            count = (scene->grid.height + rows - 1) / rows;
    int64_t *order = malloc((size_t)count * sizeof *order);
    for (int64_t i = 0; i < count; i++) order[i] = i;
    shuffle(order, count, seed);
    predt_index *index;
    assert_ok(ctx, predt_index_create(ctx, &scene->grid, scene->label_type, &index));
    for (int64_t i = 0; i < count; i++)
        assert_ok(ctx, add_strip(index, scene, order[i] * rows, rows));
    free(order);
    assert_ok(ctx, predt_index_seal(index));
    return index;
}

void check_window(predt_ctx *ctx, const predt_index *index, const struct scene *scene,
                  const struct answer *right, const predt_window *window, int64_t gap) {
    struct answer got = answer_new(window->cols, window->rows, gap, scene->label_type);
    struct answer expected = answer_new(window->cols, window->rows, gap, scene->label_type);
    predt_outputs outputs = answer_outputs(&got, scene);
    assert_ok(ctx, predt_query(ctx, index, window, &outputs));
    answer_pick(&expected, right, window);
    char how[160];
    snprintf(how, sizeof how,
             "window at column %" PRId64 ", row %" PRId64 ", step %" PRId64 ", gap %" PRId64,
             window->col, window->row, window->step, gap);
    assert_same_answer(&got, &expected, scene, how);
    answer_free(&got);
    answer_free(&expected);
}

predt_window random_window(const struct scene *scene, uint64_t *state) {
    predt_window window = {.size = sizeof window};
    window.col = random_below(state, scene->grid.width);
    window.row = random_below(state, scene->grid.height);
    window.step = random_below(state, 3) ? 1 : 1 + random_below(state, 40);
    window.cols = 1 + random_below(state, (scene->grid.width - 1 - window.col) / window.step + 1);
    window.rows = 1 + random_below(state, (scene->grid.height - 1 - window.row) / window.step + 1);
    return window;
}

void check_whole(predt_ctx *ctx, const struct scene *scene, const struct answer *right) {
    struct answer got = solve_whole(ctx, scene);
    assert_same_answer(&got, right, scene, "whole raster");
    answer_free(&got);
}

void check_and_free(struct scene *scene) {
    predt_ctx *ctx = open_ctx(2);
    struct answer right = oracle(scene);
    check_whole(ctx, scene, &right);
    answer_free(&right);
    predt_close(&ctx);
    scene_free(scene);
}
