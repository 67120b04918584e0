/* Every instruction set of this build that this machine has gives the same bytes. */
#include "cmocka_all.h"
#include "core/bits.h"
#include "oracle.h"
#include "random.h"
#include "solve.h"

#ifndef TEST_ROUNDS
#define TEST_ROUNDS 3000
#endif

static struct scene random_scene(uint64_t seed) {
    uint64_t state = seed;
    int64_t width = 1 + random_below(&state, seed % 8 ? 300 : 1500),
            height = 1 + random_below(&state, 130);
    struct scene scene = scene_new(width, height, &shapes[seed % (uint64_t)shape_count],
                                   seed % 2 ? PREDT_LABEL_32 : PREDT_LABEL_64, seed);
    scene_fill(&scene, (int)random_below(&state, pattern_count));
    if (seed % 3 == 0) scene.grid.max_distance = scene.shape->unit * 50 * random_unit(&state);
    return scene;
}

static void every_instruction_set_gives_the_same_bytes(void **nothing) {
    (void)nothing;
    for (uint64_t seed = 1; seed <= TEST_ROUNDS / 5; seed++) {
        struct scene scene = random_scene(seed);
        struct answer right = oracle(&scene);
        for (int position = 0; predt__isa_name(position); position++) {
            predt__isa_force(position);
            predt_ctx *ctx = open_ctx(1);
            struct answer got = solve_whole(ctx, &scene);
            assert_same_answer(&got, &right, &scene, predt__isa_name(position));
            answer_free(&got);
            predt_close(&ctx);
        }
        predt__isa_force(-1);
        answer_free(&right);
        scene_free(&scene);
    }
}

/* What the index is made of, too: packed words, counts and gathered labels. */
static void every_instruction_set_packs_alike(void **nothing) {
    (void)nothing;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t state = seed;
        struct scene scene = scene_new(1 + random_below(&state, 400), 1 + random_below(&state, 32),
                                       &shapes[0], PREDT_LABEL_NONE, seed);
        scene_fill(&scene, (int)random_below(&state, pattern_count));
        int64_t width = scene.grid.width, count = 0;
        uint32_t words[400];
        for (int64_t i = 0; i < width * scene.grid.height; i++) count += scene.is_target[i] != 0;
        for (int position = 0; predt__isa_name(position); position++) {
            predt__isa_force(position);
            predt__bits_pack(scene.is_target, width, (int)scene.grid.height, words);
            for (int64_t i = 0; i < width * 32; i++) {
                int64_t row = i / width;
                int expected = row < scene.grid.height && scene.is_target[i];
                assert_int_equal((words[i % width] >> row) & 1, expected);
            }
            assert_int_equal(predt__bits_count(words, width, NULL), count);
        }
        predt__isa_force(-1);
        scene_free(&scene);
    }
}

static void the_plainest_one_is_always_there(void **nothing) {
    (void)nothing;
    assert_non_null(predt__isa_name(0));
    int count = 0;
    while (predt__isa_name(count)) count++;
    assert_string_equal(predt__isa_name(count - 1), "portable");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plainest_one_is_always_there),
        cmocka_unit_test(every_instruction_set_packs_alike),
        cmocka_unit_test(every_instruction_set_gives_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
