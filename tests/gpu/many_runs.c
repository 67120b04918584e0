/* Ten thousand small runs, and several contexts and threads at once, leave nothing behind on the
 * device. */
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "device.h"
#include "solve.h"

static struct scene small(uint64_t seed) {
    struct scene scene = scene_new(37, 41, &shapes[0], PREDT_LABEL_32, seed);
    scene_fill(&scene, 5);
    return scene;
}

static size_t free_memory(void) {
    size_t free_bytes, all;
    assert_int_equal(cudaMemGetInfo(&free_bytes, &all), cudaSuccess);
    return free_bytes;
}

/* The driver may keep a few pages more after the first runs. */
#define SLACK ((size_t)16 << 20)

static void ten_thousand_runs(void **nothing) {
    (void)nothing;
    struct scene scene = small(1);
    predt_ctx *cpu = open_engine("cpu", 0), *gpu = open_engine("cuda", 0);
    struct answer right = solve_whole(cpu, &scene);
    check_whole(gpu, &scene, &right);
    size_t before = free_memory();
    for (int i = 0; i < 10000; i++) check_whole(gpu, &scene, &right);
    assert_true(free_memory() + SLACK >= before);
    answer_free(&right);
    predt_close(&cpu);
    predt_close(&gpu);
    scene_free(&scene);
}

static void two_hundred_contexts(void **nothing) {
    (void)nothing;
    size_t before = 0;
    for (int i = 0; i < 200; i++) {
        struct scene scene = small((uint64_t)i);
        check_same(i % 4 ? "cuda" : "cuda-pr-edt", &scene, 0);
        if (i == 4) before = free_memory();
    }
    assert_true(free_memory() + SLACK >= before);
}

struct share {
    predt_ctx *ctx;
    const predt_index *index;
    const struct scene *scene;
    const struct answer *right;
};

static void *query_often(void *argument) {
    const struct share *share = argument;
    predt_window whole =
        PREDT_WINDOW_INIT(0, 0, share->scene->grid.width, share->scene->grid.height, 1);
    for (int i = 0; i < 200; i++)
        check_window(share->ctx, share->index, share->scene, share->right, &whole, i % 3);
    return NULL;
}

static void queries_from_many_threads(void **nothing) {
    (void)nothing;
    struct scene scene = small(9);
    predt_ctx *cpu = open_engine("cpu", 0), *gpu = open_engine("cuda", 0);
    struct answer right = solve_whole(cpu, &scene);
    predt_index *index = index_scene(gpu, &scene, 1, 1);
    struct share share = {gpu, index, &scene, &right};
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, query_often, &share), 0);
    for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL);
    answer_free(&right);
    predt_index_destroy(&index);
    predt_close(&cpu);
    predt_close(&gpu);
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_thousand_runs),
        cmocka_unit_test(two_hundred_contexts),
        cmocka_unit_test(queries_from_many_threads),
    };
    SKIP_WITHOUT_DEVICE();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
