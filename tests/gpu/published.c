/* The published methods of gpu/methods/ against the oracle and engine cpu. Built twice: for a
 * device (gpu_published), and with the kernels as loops on the CPU (gpu_published_on_cpu, which
 * runs everywhere and stops at small rasters). Takes the number of random rasters for each engine
 * as an argument. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "device.h"
#include "oracle.h"
#include "random.h"
#include "solve.h"

#define COUNT(array) ((int64_t)(sizeof(array) / sizeof *(array)))

#ifdef TEST_ON_CPU
#include "cuda_on_cpu.h"
static int rounds = 30;
#else
static int rounds = 400;
#endif

/* Each method with each of its settings in turn. */
#define METHODS 4
#define VARIANTS 4
static const char *const engines[METHODS][VARIANTS] = {
    {"cuda-man", "cuda-man:group=1", "cuda-man:group=7", "cuda-man:group=65536"},
    {"cuda-black", "cuda-black", "cuda-black", "cuda-black"},
    {"cuda-voronoi-all", "cuda-voronoi-all:share=contiguous", "cuda-voronoi-all:threads=1000",
     "cuda-voronoi-all:share=contiguous,threads=37"},
    {"cuda-voronoi-grow", "cuda-voronoi-grow:share=contiguous",
     "cuda-voronoi-grow:share=strided,threads=101",
     "cuda-voronoi-grow:threads=1000,share=contiguous"},
};

/* Device memory in which the engine can just answer, in strips of a few rows. */
static int64_t scarce_memory(const struct scene *scene, uint64_t *state) {
    int64_t width = scene->grid.width, height = scene->grid.height, targets = 0;
    for (int64_t i = 0; i < width * height; i++) targets += scene->is_target[i] != 0;
    return 8 * targets + width * ((height + 95) / 32 * 4 + 300) + 8192 +
           random_below(state, 24 * width * height);
}

static void check_windows(const char *engine, const struct scene *scene, const struct answer *right,
                          uint64_t *state) {
    predt_ctx *ctx = open_engine(engine, random_below(state, 2) ? 0 : scarce_memory(scene, state));
    predt_index *index = index_scene(ctx, scene, 2, 1);
    predt_window whole = PREDT_WINDOW_INIT(0, 0, scene->grid.width, scene->grid.height, 1);
    check_window(ctx, index, scene, right, &whole, 3);
    for (int i = 0; i < 2; i++) {
        predt_window window = random_window(scene, state);
        check_window(ctx, index, scene, right, &window, i);
    }
    predt_index_destroy(&index);
    predt_close(&ctx);
}

/* Around warps, tiles and sub-blocks; primes; and next to nothing. */
static struct scene random_scene(uint64_t seed, uint64_t *state) {
    static const int64_t sides[] = {1, 2, 3, 7, 31, 32, 33, 61, 64, 65, 97, 131};
    static const predt_label_type types[] = {PREDT_LABEL_NONE, PREDT_LABEL_32, PREDT_LABEL_64};
    const struct shape *shape =
        random_below(state, 2) ? &shapes[0] : &shapes[random_below(state, shape_count)];
    struct scene scene =
        scene_new(sides[random_below(state, COUNT(sides))],
                  sides[random_below(state, COUNT(sides))], shape, types[seed % 3], seed);
    scene_fill(&scene, (int)(seed % (uint64_t)pattern_count));
    if (random_below(state, 4) == 0)
        scene.grid.max_distance = 30 * random_unit(state) * shape->unit;
    return scene;
}

static void random_rasters(void **nothing) {
    (void)nothing;
    for (uint64_t seed = 1; seed <= (uint64_t)rounds; seed++) {
        uint64_t state = seed;
        struct scene scene = random_scene(seed, &state);
        struct answer right = oracle(&scene);
        for (int i = 0; i < METHODS; i++)
            check_windows(engines[i][seed % VARIANTS], &scene, &right, &state);
        answer_free(&right);
        scene_free(&scene);
    }
}

static void every_pattern_on_every_shape(void **nothing) {
    (void)nothing;
    for (int pattern = 0; pattern < pattern_count; pattern++)
        for (int shape = 0; shape < shape_count && pattern * shape_count + shape < 3 * rounds;
             shape++) {
            struct scene scene = scene_new(83, 47, &shapes[shape], PREDT_LABEL_32,
                                           (uint64_t)(pattern * 100 + shape));
            scene_fill(&scene, pattern);
            struct answer right = oracle(&scene);
            uint64_t state = scene.seed;
            for (int i = 0; i < METHODS; i++)
                check_windows(engines[i][(pattern + shape) % VARIANTS], &scene, &right, &state);
            answer_free(&right);
            scene_free(&scene);
        }
}

static void keep_one(predt_outputs *one, const predt_outputs *all, int output) {
    *one = (predt_outputs){
        .size = sizeof(predt_outputs), .stride = all->stride, .no_label = all->no_label};
    if (output == 0) one->distance = all->distance;
    if (output == 1) one->distance2 = all->distance2;
    if (output == 2) one->label = all->label;
    if (output == 3) one->nearest_col = all->nearest_col;
    if (output == 4) one->nearest_row = all->nearest_row;
    if (output == 5) one->direction = all->direction;
}

static void each_output_alone(void **nothing) {
    (void)nothing;
    struct scene scene = scene_new(103, 71, &shapes[4], PREDT_LABEL_64, 7);
    scene_fill(&scene, 4);
    predt_ctx *cpu = open_engine("cpu", 0);
    predt_index *index = index_scene(cpu, &scene, 4, 1);
    predt_window whole = PREDT_WINDOW_INIT(0, 0, 103, 71, 1);
    for (int i = 0; i < METHODS; i++) {
        predt_ctx *gpu = open_engine(engines[i][0], 0);
        for (int output = 0; output < 6; output++) {
            struct answer right = answer_new(103, 71, 0, PREDT_LABEL_64),
                          got = answer_new(103, 71, 0, PREDT_LABEL_64);
            predt_outputs wanted[2] = {answer_outputs(&right, &scene),
                                       answer_outputs(&got, &scene)},
                          one;
            keep_one(&one, &wanted[0], output);
            assert_ok(cpu, predt_query(cpu, index, &whole, &one));
            keep_one(&one, &wanted[1], output);
            assert_ok(gpu, predt_query(gpu, index, &whole, &one));
            assert_same_answer(&got, &right, &scene, engines[i][0]);
            answer_free(&right);
            answer_free(&got);
        }
        predt_close(&gpu);
    }
    predt_index_destroy(&index);
    predt_close(&cpu);
    scene_free(&scene);
}

/* Seen from 2000 columns away, rows 3 and 2 apart are equally far in binary64; the nearer row still
 * is the answer. */
static void rows_that_rounding_makes_equal(void **nothing) {
    static const char *const all[] = {"cuda-pr-edt", "cuda-man", "cuda-black", "cuda-voronoi-all",
                                      "cuda-voronoi-grow"};
    (void)nothing;
    for (int i = 0; i < COUNT(all); i++) {
        if (engine_missing(all[i])) continue;
        struct scene scene = scene_new(2001, 6, shape_named("1000000 x 1"), PREDT_LABEL_32, 3);
        scene_put(&scene, 0, 0);
        scene_put(&scene, 0, 5);
        struct answer right = oracle(&scene);
        assert_int_equal(right.nearest_row[2 * 2001 + 2000], 0);
        assert_int_equal(right.nearest_row[3 * 2001 + 2000], 5);
        predt_ctx *ctx = open_engine(all[i], 0);
        check_whole(ctx, &scene, &right);
        predt_close(&ctx);
        answer_free(&right);
        scene_free(&scene);
    }
}

/* Weights that round: far from column 0 a border computed in binary64 lies on the wrong side of a
 * pixel that the squared distances still decide. */
static void borders_that_rounding_hides(void **nothing) {
    static const char *const rounding[] = {"1000000 x 1", "1 x 1.37", "300.0379 x 300.0417",
                                           "1 x 1000000"};
    (void)nothing;
    for (int seed = 1; seed <= 8; seed++) {
        struct scene scene =
            scene_new(4001, 8, shape_named(rounding[seed % 4]), PREDT_LABEL_NONE, (uint64_t)seed);
        uint64_t state = (uint64_t)seed;
        for (int i = 0; i < 60 * seed; i++)
            scene_put(&scene, random_below(&state, 2000) * 2, random_below(&state, 8));
        struct answer right = oracle(&scene);
        for (int i = 0; i < METHODS; i++) {
            predt_ctx *ctx = open_engine(engines[i][seed / 4 % VARIANTS], 0);
            check_whole(ctx, &scene, &right);
            predt_close(&ctx);
        }
        answer_free(&right);
        scene_free(&scene);
    }
}

/* A window of one row, whose targets are all outside of it: of two as far away the northern one
 * wins. */
static void rows_above_and_below_a_strip(void **nothing) {
    (void)nothing;
    struct scene scene = scene_new(40, 50, &shapes[0], PREDT_LABEL_64, 5);
    for (int64_t col = 0; col < 40; col++) scene_put(&scene, col, 10), scene_put(&scene, col, 30);
    struct answer right = oracle(&scene);
    for (int i = 0; i < METHODS; i++) {
        predt_ctx *ctx = open_engine(engines[i][0], 0);
        predt_index *index = index_scene(ctx, &scene, 1, 1);
        for (int64_t row = 19; row < 22; row++) {
            predt_window window = PREDT_WINDOW_INIT(3, row, 30, 1, 1);
            check_window(ctx, index, &scene, &right, &window, 0);
        }
        predt_index_destroy(&index);
        predt_close(&ctx);
    }
    assert_int_equal(right.nearest_row[20 * 40], 10);
    answer_free(&right);
    scene_free(&scene);
}

/* Slow methods take time with the square of the pixels: rasters of more than a few thousand are for
 * devices. */
static void larger_rasters(void **nothing) {
    (void)nothing;
#ifndef TEST_ON_CPU
    for (int pattern = 0; pattern < pattern_count && pattern < rounds / 20; pattern++)
        for (int i = 0; i < METHODS; i++) {
            struct scene scene = scene_new(331, 257, &shapes[pattern % 2 ? 0 : pattern],
                                           PREDT_LABEL_32, (uint64_t)pattern);
            scene_fill(&scene, pattern);
            check_same(engines[i][pattern % VARIANTS], &scene, 0);
        }
#endif
}

/* Thin rasters reach the sizes at which a number type ends; the windows are some columns of
 * them. */
static void check_border(int64_t width, int64_t height, const char *shape, int64_t count) {
    struct scene scene = scene_new(width, height, shape_named(shape), PREDT_LABEL_32,
                                   (uint64_t)(width + height + count));
    uint64_t state = scene.seed;
    for (int64_t i = 0; i < count; i++)
        scene_put(&scene, random_below(&state, width), random_below(&state, height));
    int64_t step = (width > height ? width : height) / 23 + 1;
    predt_window window =
        PREDT_WINDOW_INIT(0, 0, (width - 1) / step + 1, (height - 1) / step + 1, step);
    predt_ctx *cpu = open_engine("cpu", 0);
    struct answer right = ask(cpu, &scene, &window);
    for (int i = 0; i < METHODS; i++) {
        const char *engine = engines[i][(width + count) % VARIANTS];
        predt_ctx *gpu = open_engine(engine, 0);
        struct answer got = ask(gpu, &scene, &window);
        assert_same_answer(&got, &right, &scene, engine);
        answer_free(&got);
        predt_close(&gpu);
    }
    answer_free(&right);
    predt_close(&cpu);
    scene_free(&scene);
}

static void where_number_types_end(void **nothing) {
    static const int64_t sides[] = {32767, 46341, 65537};
    (void)nothing;
    /* few targets are slow, and a tool that watches the run slows them down more */
    int64_t least = rounds < 20 ? 900 : 1;
    for (int64_t i = 0; i < COUNT(sides); i++)
        for (int64_t count = least; count < 1000; count *= 30) {
            check_border(sides[i], 3, "square", count);
            check_border(3, sides[i], "square", count);
        }
    check_border(100003, 3, "300.0379 x 300.0417", 900);
    if (rounds < 20) return;
    check_border(1482912, 2, "64 x 1", 30);
    check_border(2, 1500007, "1 x 64", 30);
}

/* ---- What goes wrong, and what is said ---- */

static void too_little_device_memory_is_said(void **nothing) {
    (void)nothing;
    struct scene scene = scene_new(1000, 40, &shapes[0], PREDT_LABEL_NONE, 1);
    scene_fill(&scene, 1);
    for (int i = 0; i < METHODS; i++) {
        predt_ctx *ctx = open_engine(engines[i][0], 5000);
        predt_index *index = index_scene(ctx, &scene, 1, 1);
        float distance = 0;
        predt_window window = PREDT_WINDOW_INIT(0, 0, 1, 1, 1);
        predt_outputs outputs = {.size = sizeof(predt_outputs), .distance = &distance};
        assert_int_equal(predt_query(ctx, index, &window, &outputs), PREDT_ERROR_MEMORY);
        assert_non_null(strstr(predt_message(ctx), "out of device memory"));
        predt_index_destroy(&index);
        predt_close(&ctx);
    }
    scene_free(&scene);
}

static void a_device_that_is_not_there_is_said(void **nothing) {
    (void)nothing;
    struct scene scene = scene_new(10, 10, &shapes[0], PREDT_LABEL_NONE, 1);
    predt_options options = PREDT_OPTIONS_INIT;
    options.engine = "cuda-black";
    options.device = 99;
    predt_ctx *ctx;
    float distance[100];
    predt_outputs outputs = {.size = sizeof(predt_outputs), .distance = distance};
    assert_ok(ctx, predt_open(&ctx, &options));
    assert_int_equal(predt_transform(ctx, &scene.grid, scene.is_target, NULL, PREDT_LABEL_NONE,
                                     &outputs, NULL, NULL),
                     PREDT_ERROR_ENGINE);
    assert_string_equal(predt_message(ctx), "cuda-black, CUDA device 99: invalid device ordinal");
    predt_close(&ctx);
    scene_free(&scene);
}

#ifdef TEST_ON_CPU
/* Each call of the runtime fails in turn; what is left behind, the sanitizer says. */
static void every_failing_call_is_said(void **nothing) {
    (void)nothing;
    struct scene scene = scene_new(40, 70, &shapes[0], PREDT_LABEL_32, 2);
    scene_fill(&scene, 4);
    struct answer right = oracle(&scene);
    for (int i = 0; i < METHODS; i++) {
        predt_ctx *ctx = open_engine(engines[i][0], 0);
        predt_index *index = index_scene(ctx, &scene, 1, 1);
        predt_status status = PREDT_ERROR_ENGINE;
        for (long failing = 1; status != PREDT_OK; failing++) {
            struct answer got = answer_new(40, 70, 0, PREDT_LABEL_32);
            predt_outputs outputs = answer_outputs(&got, &scene);
            predt_window whole = PREDT_WINDOW_INIT(0, 0, 40, 70, 1);
            cuda_on_cpu = (struct cuda_on_cpu){.failing_call = failing};
            status = predt_query(ctx, index, &whole, &outputs);
            assert_int_equal(status == PREDT_OK, cuda_on_cpu.calls < failing);
            if (status == PREDT_OK) assert_same_answer(&got, &right, &scene, engines[i][0]);
            else assert_memory_equal(predt_message(ctx), engines[i][0], strlen(engines[i][0]));
            answer_free(&got);
        }
        predt_index_destroy(&index);
        predt_close(&ctx);
    }
    cuda_on_cpu = (struct cuda_on_cpu){0};
    answer_free(&right);
    scene_free(&scene);
}
#endif

static char said[1000];

static void listen(const char *line, void *user) {
    (void)user;
    snprintf(said, sizeof said, "%s", line);
}

static void times_and_memory_are_told(void **nothing) {
    (void)nothing;
    static float distance[70 * 50];
    struct scene scene = scene_new(70, 50, &shapes[0], PREDT_LABEL_NONE, 1);
    scene_fill(&scene, 4);
    predt_options options = PREDT_OPTIONS_INIT;
    options.engine = "cuda-man";
    options.log = listen;
    predt_ctx *ctx;
    assert_ok(ctx, predt_open(&ctx, &options));
    predt_outputs outputs = {.size = sizeof(predt_outputs), .distance = distance};
    assert_ok(ctx, predt_transform(ctx, &scene.grid, scene.is_target, NULL, PREDT_LABEL_NONE,
                                   &outputs, NULL, NULL));
    double ms[3];
    long strips, bytes;
    assert_int_equal(sscanf(said,
                            "cuda-man: %ld strips; columns %lf ms, proximate points %lf ms, "
                            "distances %lf ms; %ld bytes on the "
                            "device",
                            &strips, &ms[0], &ms[1], &ms[2], &bytes),
                     5);
    assert_int_equal(strips, 1);
    assert_true(bytes > 70 * 50 * 16);
    predt_close(&ctx);
    scene_free(&scene);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_rasters),
        cmocka_unit_test(every_pattern_on_every_shape),
        cmocka_unit_test(each_output_alone),
        cmocka_unit_test(rows_that_rounding_makes_equal),
        cmocka_unit_test(borders_that_rounding_hides),
        cmocka_unit_test(rows_above_and_below_a_strip),
        cmocka_unit_test(larger_rasters),
        cmocka_unit_test(where_number_types_end),
        cmocka_unit_test(too_little_device_memory_is_said),
        cmocka_unit_test(a_device_that_is_not_there_is_said),
#ifdef TEST_ON_CPU
        cmocka_unit_test(every_failing_call_is_said),
#endif
        cmocka_unit_test(times_and_memory_are_told),
    };
    if (engine_missing("cuda-man")) {
        print_message("skipped: %s\n", engine_missing("cuda-man"));
        return SKIPPED;
    }
    if (argc > 1) rounds = atoi(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
