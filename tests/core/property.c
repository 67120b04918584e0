/* Seeded random rasters against the oracle, in every way of asking. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cmocka_all.h"
#include "oracle.h"
#include "random.h"
#include "solve.h"

#ifndef TEST_ROUNDS
#define TEST_ROUNDS 3000 /* the slow sanitizers ask for fewer */
#endif

#define COUNT(array) ((int64_t)(sizeof(array) / sizeof *(array)))
#define PICK(array, state) ((array)[random_below((state), COUNT(array))])

/* Around vectors, tiles, rank columns, sub-blocks and groups of sub-blocks; primes; and next to
 * nothing. */
static const int64_t small_sides[] = {1,  1,  2,  3,  5,  7,  8,  13, 16,  17,  31,  32,
                                      33, 47, 61, 63, 64, 65, 79, 97, 113, 127, 128, 129};
static const int64_t wide_sides[] = {255, 256, 257, 509, 511, 512, 513, 769, 1023, 1024, 1025};
static const int64_t high_sides[] = {255, 257, 479, 480,  511,  512,  513,
                                     543, 544, 545, 1023, 1024, 1025, 1057};

/* None, something between nothing and the whole raster, or just the distance of two pixels: as long
 * as the next larger one is farther off than the slack of the comparison, a part in 10^14 of d2. */
static double random_limit(const struct scene *scene, uint64_t *state) {
    const struct shape *shape = scene->shape;
    double dcol = (double)random_below(state, scene->grid.width),
           drow = (double)random_below(state, scene->grid.height);
    double d2 = shape->wx * dcol * dcol + shape->wy * drow * drow;
    double exact = sqrt(d2) * shape->unit * (d2 < 1e13 ? 1 : 1.0001);
    switch (random_below(state, 6)) {
    case 0:
        return exact;
    case 1:
        return exact * random_unit(state);
    case 2:
        return 10 * random_unit(state) *
               (shape->metric == PREDT_METRIC_PIXEL
                    ? 1
                    : hypot(shape->col_step[0], shape->col_step[1]));
    default:
        return (double)INFINITY;
    }
}

static struct scene random_scene(int64_t width, int64_t height, int pattern, uint64_t seed) {
    uint64_t state = seed;
    static const predt_label_type types[] = {PREDT_LABEL_NONE, PREDT_LABEL_32, PREDT_LABEL_32,
                                             PREDT_LABEL_64};
    const struct shape *shape =
        random_below(&state, 3) ? &shapes[random_below(&state, shape_count)] : &shapes[0];
    struct scene scene = scene_new(width, height, shape, PICK(types, &state), seed);
    scene_fill(&scene, pattern);
    scene.grid.max_distance = random_limit(&scene, &state);
    return scene;
}

/* Through predt_transform, and through an index and some windows. */
static void check_scene(struct scene *scene) {
    uint64_t state = scene->seed + 1;
    int threads = 1 + (int)random_below(&state, 4);
    predt_ctx *ctx = random_below(&state, 10) ? open_ctx(threads) : open_ctx_on_file(threads);
    struct answer right = oracle(scene);
    check_whole(ctx, scene, &right);
    predt_index *index = index_scene(ctx, scene, 1 + random_below(&state, 3), state);
    for (int i = 0; i < 3; i++) {
        predt_window window = random_window(scene, &state);
        check_window(ctx, index, scene, &right, &window, random_below(&state, 4));
    }
    predt_index_destroy(&index);
    answer_free(&right);
    predt_close(&ctx);
    scene_free(scene);
}

static void small_rasters(void **nothing) {
    (void)nothing;
    for (uint64_t seed = 1; seed <= TEST_ROUNDS; seed++) {
        uint64_t state = seed << 32;
        int64_t width = PICK(small_sides, &state), height = PICK(small_sides, &state);
        struct scene scene =
            random_scene(width, height, (int)random_below(&state, pattern_count), seed);
        check_scene(&scene);
    }
}

static void check_sides(const int64_t *widths, int64_t width_count, const int64_t *heights,
                        int64_t height_count, uint64_t rounds, uint64_t start) {
    for (uint64_t seed = start; seed < start + rounds; seed++) {
        uint64_t state = seed << 32;
        int64_t width = widths[random_below(&state, width_count)],
                height = heights[random_below(&state, height_count)];
        struct scene scene =
            random_scene(width, height, (int)random_below(&state, pattern_count), seed);
        check_scene(&scene);
    }
}

static void wide_rasters(void **nothing) {
    (void)nothing;
    check_sides(wide_sides, COUNT(wide_sides), small_sides, COUNT(small_sides), TEST_ROUNDS / 15,
                100000);
}

static void high_rasters(void **nothing) {
    (void)nothing;
    check_sides(small_sides, COUNT(small_sides), high_sides, COUNT(high_sides), TEST_ROUNDS / 15,
                200000);
}

/* Every pattern on sides that are no multiples of anything; W > H and W < H. */
static void large_rasters(void **nothing) {
    (void)nothing;
    for (int pattern = 0; pattern < pattern_count; pattern++) {
        uint64_t seed = 300000 + (uint64_t)pattern;
        bool wide = pattern % 2;
        if (TEST_ROUNDS < 1000 && pattern % 4) continue;
        struct scene scene = random_scene(wide ? 1301 : 701, wide ? 701 : 1301, pattern, seed);
        check_scene(&scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_rasters),
        cmocka_unit_test(wide_rasters),
        cmocka_unit_test(high_rasters),
        cmocka_unit_test(large_rasters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
