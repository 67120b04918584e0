/* What is sent for a strip, against the raster it came from. */
#include "gpu/gather.h"

#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "random.h"
#include "solve.h"

static bool is_target(const struct scene *scene, int64_t col, int64_t row) {
    return scene->is_target[row * scene->grid.width + col];
}

static uint64_t label(const struct scene *scene, const void *labels, int64_t at) {
    return scene->label_type == PREDT_LABEL_32 ? ((const uint32_t *)labels)[at]
                                               : ((const uint64_t *)labels)[at];
}

static predt__gather gather_new(const predt_index *index, int64_t first_block, int64_t blocks) {
    size_t width = (size_t)index->width, tiles = (width + 31) / 32, rows = (size_t)blocks * 32;
    predt__gather gather = {.index = index, .first_block = first_block, .blocks = blocks};
    gather.words = malloc((size_t)blocks * width * 4);
    gather.above = malloc(width * 4);
    gather.below = malloc(width * 4);
    if (!index->label_type) return gather;
    gather.label_blocks = malloc((size_t)blocks * 8);
    gather.label_starts = malloc((size_t)blocks * tiles * 4);
    gather.label_values = malloc(rows * width * 8);
    gather.above_labels = malloc(width * 8);
    gather.below_labels = malloc(width * 8);
    return gather;
}

static void gather_free(predt__gather *gather) {
    void *all[] = {gather->words,        gather->above,        gather->below,
                   gather->label_blocks, gather->label_starts, gather->label_values,
                   gather->above_labels, gather->below_labels};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

static void check_carries(const predt__gather *gather, const struct scene *scene) {
    int64_t begin = gather->first_block * 32, end = begin + gather->blocks * 32,
            width = scene->grid.width;
    for (int64_t col = 0; col < width; col++) {
        int64_t above = begin - 1, below = end;
        while (above >= 0 && !is_target(scene, col, above)) above--;
        while (below < scene->grid.height && !is_target(scene, col, below)) below++;
        assert_int_equal(gather->above[col], above);
        assert_int_equal(gather->below[col], below < scene->grid.height ? below : INT32_MAX);
        if (!scene->label_type) continue;
        if (above >= 0)
            assert_int_equal(label(scene, gather->above_labels, col),
                             label(scene, scene->labels, above * width + col));
        if (below < scene->grid.height)
            assert_int_equal(label(scene, gather->below_labels, col),
                             label(scene, scene->labels, below * width + col));
    }
}

/* Words, and labels in their order: tile by tile, row by row. */
static void check_block(const predt__gather *gather, const struct scene *scene, int64_t i) {
    int64_t width = scene->grid.width, top = (gather->first_block + i) * 32,
            tiles = (width + 31) / 32, rank = 0;
    for (int64_t tile = 0; tile < tiles; tile++) {
        if (scene->label_type) assert_int_equal(gather->label_starts[i * tiles + tile], rank);
        for (int64_t row = 0; row < 32; row++)
            for (int64_t col = tile * 32; col < tile * 32 + 32 && col < width; col++) {
                bool target = top + row < scene->grid.height && is_target(scene, col, top + row);
                assert_int_equal(gather->words[i * width + col] >> row & 1, target);
                if (!target || !scene->label_type) continue;
                int64_t at = (int64_t)gather->label_blocks[i] + rank++;
                assert_int_equal(label(scene, gather->label_values, at),
                                 label(scene, scene->labels, (top + row) * width + col));
            }
    }
}

static int64_t count_targets(const struct scene *scene, int64_t first_block, int64_t blocks) {
    int64_t count = 0, end = (first_block + blocks) * 32 * scene->grid.width;
    for (int64_t i = first_block * 32 * scene->grid.width;
         i < end && i < scene->grid.width * scene->grid.height; i++)
        count += scene->is_target[i] != 0;
    return count;
}

static void check_strip(const predt_index *index, const struct scene *scene, int64_t first_block,
                        int64_t blocks, int threads) {
    predt__gather gather = gather_new(index, first_block, blocks);
    predt__gather_strip(&gather, threads);
    check_carries(&gather, scene);
    for (int64_t i = 0; i < blocks; i++) check_block(&gather, scene, i);
    if (scene->label_type)
        assert_int_equal(predt__gather_count(index, first_block, blocks),
                         count_targets(scene, first_block, blocks));
    gather_free(&gather);
}

static void strips_of_random_rasters_are_right(void **nothing) {
    static const predt_label_type types[] = {PREDT_LABEL_NONE, PREDT_LABEL_32, PREDT_LABEL_64};
    (void)nothing;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t state = seed;
        struct scene scene =
            scene_new(1 + random_below(&state, 100), 1 + random_below(&state, 1500), &shapes[0],
                      types[seed % 3], seed);
        scene_fill(&scene, (int)(seed % (uint64_t)pattern_count));
        predt_ctx *ctx = open_ctx(1);
        predt_index *index = index_scene(ctx, &scene, 2, seed);
        for (int i = 0; i < 3; i++) {
            int64_t first = random_below(&state, index->blocks);
            check_strip(index, &scene, first, 1 + random_below(&state, index->blocks - first), 2);
        }
        predt_index_destroy(&index);
        predt_close(&ctx);
        scene_free(&scene);
    }
}

/* Wide enough for several threads, and for several turns of columns. */
static void a_large_strip_is_right(void **nothing) {
    (void)nothing;
    struct scene scene = scene_new(9001, 700, &shapes[0], PREDT_LABEL_32, 3);
    uint64_t state = 3;
    for (int i = 0; i < 30000; i++)
        scene_put(&scene, random_below(&state, 9001), random_below(&state, 700));
    predt_ctx *ctx = open_ctx(3);
    predt_index *index = index_scene(ctx, &scene, 4, 1);
    check_strip(index, &scene, 1, 20, 3);
    predt_index_destroy(&index);
    predt_close(&ctx);
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strips_of_random_rasters_are_right),
        cmocka_unit_test(a_large_strip_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
