/* Threads: as many as one likes inside a call, and many calls at once. */
#include <pthread.h>

#include "cmocka_all.h"
#include "oracle.h"
#include "random.h"
#include "solve.h"

static void any_number_of_threads_gives_the_same_bytes(void **nothing) {
    (void)nothing;
    for (int pattern = 1; pattern < pattern_count; pattern += 2) {
        struct scene scene =
            scene_new(203, 333, shape_named("square"), PREDT_LABEL_32, (uint64_t)pattern);
        scene_fill(&scene, pattern);
        struct answer right = oracle(&scene);
        for (int threads = 0; threads <= 9; threads++) {
            predt_ctx *ctx = open_ctx(threads);
            check_whole(ctx, &scene, &right);
            predt_close(&ctx);
        }
        answer_free(&right);
        scene_free(&scene);
    }
}

/* ---- Many calls at once on one context and one index ---- */

#define CALLERS 4

typedef struct stage {
    predt_ctx *ctx;
    predt_index *index;
    const struct scene *scene;
    const struct answer *right;
    int caller;
} stage;

static void *ask_windows(void *argument) {
    stage *mine = argument;
    uint64_t state = (uint64_t)mine->caller;
    for (int i = 0; i < 25; i++) {
        predt_window window = random_window(mine->scene, &state);
        check_window(mine->ctx, mine->index, mine->scene, mine->right, &window, 0);
    }
    return NULL;
}

/* Adds the sub-blocks whose number leaves this caller's rest. */
static void *add_blocks(void *argument) {
    stage *mine = argument;
    int64_t width = mine->scene->grid.width, height = mine->scene->grid.height;
    for (int64_t row = mine->caller * PREDT_SUBBLOCK_ROWS; row < height;
         row += CALLERS * PREDT_SUBBLOCK_ROWS) {
        int64_t rows = row + PREDT_SUBBLOCK_ROWS < height ? PREDT_SUBBLOCK_ROWS : height - row;
        assert_ok(mine->ctx, predt_index_add(mine->index, row, (int32_t)rows,
                                             mine->scene->is_target + row * width,
                                             (uint32_t *)mine->scene->labels + row * width));
    }
    return NULL;
}

static void run_all(stage *stages, void *(*work)(void *)) {
    pthread_t ids[CALLERS];
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&ids[i], NULL, work, &stages[i]), 0);
    for (int i = 0; i < CALLERS; i++) pthread_join(ids[i], NULL);
}

static void check_callers(predt_ctx *ctx) {
    struct scene scene = scene_new(177, 700, shape_named("square"), PREDT_LABEL_32, 6);
    scene_fill(&scene, 4);
    struct answer right = oracle(&scene);
    predt_index *index;
    assert_ok(ctx, predt_index_create(ctx, &scene.grid, PREDT_LABEL_32, &index));
    stage stages[CALLERS];
    for (int i = 0; i < CALLERS; i++) stages[i] = (stage){ctx, index, &scene, &right, i};
    run_all(stages, add_blocks);
    assert_ok(ctx, predt_index_seal(index));
    run_all(stages, ask_windows);
    predt_index_destroy(&index);
    answer_free(&right);
    scene_free(&scene);
    predt_close(&ctx);
}

static void several_callers_share_one_index(void **nothing) {
    (void)nothing;
    check_callers(open_ctx(1));
    check_callers(open_ctx(3));
}

static void several_callers_share_one_index_on_file(void **nothing) {
    (void)nothing;
    check_callers(open_ctx_on_file(2));
}

static void *fail_often(void *argument) {
    predt_index *index;
    predt_grid grid = PREDT_GRID_INIT(0, 1);
    for (int i = 0; i < 200; i++) predt_index_create(argument, &grid, PREDT_LABEL_NONE, &index);
    return NULL;
}

static void failures_in_several_threads_leave_one_whole_message(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(1);
    pthread_t ids[CALLERS];
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&ids[i], NULL, fail_often, ctx), 0);
    for (int i = 0; i < CALLERS; i++) pthread_join(ids[i], NULL);
    assert_string_equal(predt_message(ctx), "a raster has 1 to 2147483647 columns and rows");
    predt_close(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same_bytes),
        cmocka_unit_test(several_callers_share_one_index),
        cmocka_unit_test(several_callers_share_one_index_on_file),
        cmocka_unit_test(failures_in_several_threads_leave_one_whole_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
