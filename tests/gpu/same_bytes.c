/* The device's answers against engine cpu's: random rasters, every pattern, shape, output, window
 * and strip height. Takes the number of random rasters as an argument, for slow tools that watch
 * the run. */
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "device.h"
#include "encoding.h"
#include "random.h"
#include "solve.h"

#define COUNT(array) ((int64_t)(sizeof(array) / sizeof *(array)))

static int rounds = 600;

/* Around warps, tiles, sub-blocks, thread blocks and groups of sub-blocks; primes; and next to
 * nothing. */
static const int64_t sides[] = {1,   2,   3,   7,    31,   32,   33,   61,   63,   64,
                                65,  127, 128, 129,  255,  256,  257,  479,  511,  512,
                                513, 769, 997, 1023, 1024, 1025, 1057, 1531, 2049, 2111};

/* Strip heights: from one sub-block a strip to the whole raster at once. What does not fit a single
 * sub-block is no test. */
static int64_t random_memory(const struct scene *scene, uint64_t *state) {
    int64_t block = scene->grid.width * 32 * 72 + (1 << 20); /* a bound on what 32 rows take */
    return random_below(state, 2) ? 0 : block * (1 + random_below(state, 8));
}

static struct scene random_scene(uint64_t seed, uint64_t *state) {
    static const predt_label_type types[] = {PREDT_LABEL_NONE, PREDT_LABEL_32, PREDT_LABEL_32,
                                             PREDT_LABEL_64};
    int64_t width = sides[random_below(state, COUNT(sides))],
            height = sides[random_below(state, COUNT(sides))];
    const struct shape *shape =
        random_below(state, 2) ? &shapes[0] : &shapes[random_below(state, shape_count)];
    struct scene scene = scene_new(width, height, shape, types[random_below(state, 4)], seed);
    scene_fill(&scene, (int)(seed % (uint64_t)pattern_count));
    if (random_below(state, 4) == 0)
        scene.grid.max_distance = 50 * random_unit(state) * shape->unit;
    return scene;
}

static void check_random(const char *engine, uint64_t seed) {
    uint64_t state = seed;
    struct scene scene = random_scene(seed, &state);
    int64_t memory = random_memory(&scene, &state);
    if (random_below(&state, 3)) {
        check_same(engine, &scene, memory);
        return;
    }
    predt_ctx *cpu = open_engine("cpu", 0), *gpu = open_engine(engine, memory);
    for (int i = 0; i < 4; i++) {
        predt_window window = random_window(&scene, &state);
        struct answer right = ask(cpu, &scene, &window), got = ask(gpu, &scene, &window);
        assert_same_answer(&got, &right, &scene, engine);
        answer_free(&right);
        answer_free(&got);
    }
    predt_close(&cpu);
    predt_close(&gpu);
    scene_free(&scene);
}

static void random_rasters_on_the_fast_engine(void **nothing) {
    (void)nothing;
    for (int seed = 1; seed <= rounds; seed++) check_random("cuda", (uint64_t)seed);
}

static void random_rasters_on_pr_edt(void **nothing) {
    (void)nothing;
    for (int seed = 1; seed <= rounds / 3; seed++)
        check_random("cuda-pr-edt", (uint64_t)seed + 100000);
}

/* The kernels that round and shorten, against what the host makes of engine cpu's wide answer. */
static void narrow_outputs_of_random_rasters(void **nothing) {
    (void)nothing;
    for (int round = 1; round <= rounds / 3; round++) {
        uint64_t seed = (uint64_t)round + 200000, state = seed;
        struct scene scene = random_scene(seed, &state);
        predt_ctx *cpu = open_engine("cpu", 0),
                  *gpu = open_engine("cuda", random_memory(&scene, &state));
        struct answer right = solve_whole(cpu, &scene);
        predt_index *index = index_scene(gpu, &scene, 4, 1);
        predt_window whole = PREDT_WINDOW_INIT(0, 0, scene.grid.width, scene.grid.height, 1);
        check_encoding(gpu, index, &scene, &right, &whole, &state);
        for (int i = 0; i < 3; i++) {
            predt_window window = random_window(&scene, &state);
            check_encoding(gpu, index, &scene, &right, &window, &state);
        }
        predt_index_destroy(&index);
        predt_close(&cpu);
        predt_close(&gpu);
        answer_free(&right);
        scene_free(&scene);
    }
}

/* Every pattern on every shape of pixel, at a size that is no multiple of anything. */
static void every_pattern_on_every_shape(void **nothing) {
    (void)nothing;
    for (int pattern = 0; pattern < pattern_count; pattern++)
        for (int shape = 0; shape < shape_count && shape * pattern_count + pattern < rounds;
             shape++) {
            struct scene scene = scene_new(1013, 331, &shapes[shape], PREDT_LABEL_32,
                                           (uint64_t)(pattern * 100 + shape));
            scene_fill(&scene, pattern);
            check_same("cuda", &scene, 0);
        }
}

/* Squared distances that can need more than 32 bits, though most do not: the kernels of both widths
 * share such rasters. */
static void both_widths_of_numbers(void **nothing) {
    (void)nothing;
    for (int pattern = 0; pattern < pattern_count && pattern < rounds; pattern++) {
        struct scene scene =
            scene_new(331, 1013, shape_named("1 x 64"), PREDT_LABEL_32, (uint64_t)pattern);
        scene_fill(&scene, pattern);
        check_same("cuda", &scene, 0);
    }
}

/* One output at a time: kernels are made for what is asked. */
static void each_output_alone(void **nothing) {
    (void)nothing;
    struct scene scene = scene_new(1013, 331, &shapes[0], PREDT_LABEL_64, 7);
    scene_fill(&scene, 4);
    predt_ctx *cpu = open_engine("cpu", 0), *gpu = open_engine("cuda", 0);
    predt_index *index = index_scene(cpu, &scene, 4, 1),
                *gpu_index = index_scene(gpu, &scene, 4, 1);
    predt_window whole = PREDT_WINDOW_INIT(0, 0, 1013, 331, 1);
    for (int output = 0; output < 6; output++) {
        struct answer right = answer_new(1013, 331, 0, PREDT_LABEL_64),
                      got = answer_new(1013, 331, 0, PREDT_LABEL_64);
        predt_outputs outputs[2] = {answer_outputs(&right, &scene), answer_outputs(&got, &scene)};
        for (int i = 0; i < 2; i++) {
            predt_outputs *all = &outputs[i], one = {.size = sizeof(predt_outputs),
                                                     .stride = all->stride,
                                                     .no_label = all->no_label};
            if (output == 0) one.distance = all->distance;
            if (output == 1) one.distance2 = all->distance2;
            if (output == 2) one.label = all->label;
            if (output == 3) one.nearest_col = all->nearest_col;
            if (output == 4) one.nearest_row = all->nearest_row;
            if (output == 5) one.direction = all->direction;
            assert_ok(i ? gpu : cpu,
                      predt_query(i ? gpu : cpu, i ? gpu_index : index, &whole, &one));
        }
        assert_same_answer(&got, &right, &scene, "one output alone");
        answer_free(&right);
        answer_free(&got);
    }
    predt_index_destroy(&index);
    predt_index_destroy(&gpu_index);
    predt_close(&cpu);
    predt_close(&gpu);
    scene_free(&scene);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pattern_on_every_shape),
        cmocka_unit_test(both_widths_of_numbers),
        cmocka_unit_test(each_output_alone),
        cmocka_unit_test(random_rasters_on_the_fast_engine),
        cmocka_unit_test(random_rasters_on_pr_edt),
        cmocka_unit_test(narrow_outputs_of_random_rasters),
    };
    SKIP_WITHOUT_DEVICE();
    if (argc > 1) rounds = atoi(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
