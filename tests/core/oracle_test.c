/* The two oracles agree, so that the quick one may stand for the plain one. */
#include "cmocka_all.h"
#include "oracle.h"
#include "random.h"

static void the_quick_oracle_answers_as_brute_force_does(void **nothing) {
    (void)nothing;
    for (uint64_t seed = 0; seed < 600; seed++) {
        uint64_t state = seed;
        int64_t width = 1 + random_below(&state, 45), height = 1 + random_below(&state, 45);
        struct scene scene =
            scene_new(width, height, &shapes[seed % (uint64_t)shape_count], PREDT_LABEL_32, seed);
        scene_fill(&scene, (int)random_below(&state, pattern_count));
        if (seed % 3 == 0) scene.grid.max_distance = 20 * random_unit(&state) * scene.shape->unit;
        struct answer brute = oracle_brute(&scene), quick = oracle_search(&scene);
        assert_same_answer(&quick, &brute, &scene, "quick oracle");
        answer_free(&brute);
        answer_free(&quick);
        scene_free(&scene);
    }
}

/* A comparison that cannot fail proves nothing. */
static void the_patterns_are_neither_all_empty_nor_all_alike(void **nothing) {
    (void)nothing;
    int64_t filled = 0;
    for (int pattern = 0; pattern < pattern_count; pattern++) {
        struct scene scene = scene_new(97, 61, shape_named("square"), PREDT_LABEL_NONE, 4);
        scene_fill(&scene, pattern);
        int64_t count = 0;
        for (int i = 0; i < 97 * 61; i++) count += scene.is_target[i] != 0;
        filled += count > 0 && count < 97 * 61;
        scene_free(&scene);
    }
    assert_true(filled >= pattern_count - 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_quick_oracle_answers_as_brute_force_does),
        cmocka_unit_test(the_patterns_are_neither_all_empty_nor_all_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
