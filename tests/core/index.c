/* Filling an index: any order of strips, and what is refused. */
#include <string.h>

#include "cmocka_all.h"
#include "oracle.h"
#include "solve.h"

static uint8_t mask[100 * 70]; /* no target; enough for every strip below */

static predt_index *new_index(predt_ctx *ctx, int64_t width, int64_t height,
                              predt_label_type labels) {
    predt_grid grid = PREDT_GRID_INIT(width, height);
    predt_index *index;
    assert_ok(ctx, predt_index_create(ctx, &grid, labels, &index));
    assert_non_null(index);
    return index;
}

static void assert_refused(predt_ctx *ctx, predt_status status) {
    assert_int_equal(status, PREDT_ERROR_ARGUMENT);
    assert_true(strlen(predt_message(ctx)) > 0);
    assert_null(strchr(predt_message(ctx), '\n'));
}

static void strips_in_any_order_give_the_same_bytes(void **state) {
    (void)state;
    predt_ctx *ctx = open_ctx(1);
    struct scene scene = scene_new(45, 1100, shape_named("square"), PREDT_LABEL_32, 11);
    scene_fill(&scene, 4);
    struct answer right = oracle(&scene);
    predt_window all = PREDT_WINDOW_INIT(0, 0, 45, 1100, 1);
    for (uint64_t order = 0; order < 30; order++) {
        predt_index *index = index_scene(ctx, &scene, 1 + (int64_t)order % 5, order);
        check_window(ctx, index, &scene, &right, &all, 0);
        predt_index_destroy(&index);
    }
    answer_free(&right);
    scene_free(&scene);
    predt_close(&ctx);
}

static void targets_are_counted(void **state) {
    (void)state;
    predt_ctx *ctx = open_ctx(1);
    struct scene scene = scene_new(97, 89, shape_named("square"), PREDT_LABEL_NONE, 3);
    scene_fill(&scene, 5);
    int64_t count = 0;
    for (int i = 0; i < 97 * 89; i++) count += scene.is_target[i] != 0;
    predt_index *index = index_scene(ctx, &scene, 1, 1);
    assert_true(count > 0 && predt_index_targets(index) == count);
    predt_index_destroy(&index);
    scene_free(&scene);
    predt_close(&ctx);
}

static void rows_added_twice_are_refused(void **state) {
    (void)state;
    predt_ctx *ctx = open_ctx(1);
    predt_index *index = new_index(ctx, 100, 70, PREDT_LABEL_NONE);
    assert_ok(ctx, predt_index_add(index, 32, 32, mask, NULL));
    assert_refused(ctx, predt_index_add(index, 32, 32, mask, NULL));
    assert_refused(ctx, predt_index_add(index, 0, 70, mask, NULL));
    predt_index_destroy(&index);
    predt_close(&ctx);
}

static void sealing_with_rows_missing_is_refused(void **state) {
    (void)state;
    predt_ctx *ctx = open_ctx(1);
    predt_index *index = new_index(ctx, 100, 70, PREDT_LABEL_NONE);
    assert_refused(ctx, predt_index_seal(index));
    assert_ok(ctx, predt_index_add(index, 64, 6, mask, NULL));
    assert_ok(ctx, predt_index_add(index, 0, 32, mask, NULL));
    assert_refused(ctx, predt_index_seal(index));
    assert_ok(ctx, predt_index_add(index, 32, 32, mask, NULL));
    assert_ok(ctx, predt_index_seal(index));
    assert_refused(ctx, predt_index_add(index, 0, 32, mask, NULL));
    predt_index_destroy(&index);
    predt_close(&ctx);
}

static void strips_that_are_no_whole_sub_blocks_are_refused(void **state) {
    (void)state;
    predt_ctx *ctx = open_ctx(1);
    predt_index *index = new_index(ctx, 100, 70, PREDT_LABEL_NONE);
    static const int strips[][2] = {{0, 31},   {1, 32}, {32, 33}, {0, 0},   {0, -32},
                                    {-32, 32}, {64, 7}, {64, 32}, {96, 32}, {0, 71}};
    for (int i = 0; i < 10; i++)
        assert_refused(ctx, predt_index_add(index, strips[i][0], strips[i][1], mask, NULL));
    assert_ok(ctx, predt_index_add(index, 0, 70, mask, NULL));
    predt_index_destroy(&index);
    predt_close(&ctx);
}

static void labels_must_be_given_where_they_are_announced(void **state) {
    (void)state;
    predt_ctx *ctx = open_ctx(1);
    predt_index *index = new_index(ctx, 100, 70, PREDT_LABEL_32);
    assert_refused(ctx, predt_index_add(index, 0, 70, mask, NULL));
    predt_index_destroy(&index);
    predt_grid grid = PREDT_GRID_INIT(100, 70);
    assert_refused(ctx, predt_index_create(ctx, &grid, (predt_label_type)3, &index));
    assert_null(index);
    predt_close(&ctx);
}

static void sides_out_of_range_are_refused(void **state) {
    (void)state;
    predt_ctx *ctx = open_ctx(1);
    static const int64_t sides[][2] = {{0, 1},
                                       {1, 0},
                                       {-5, 3},
                                       {INT64_C(1) << 31, 1},
                                       {1, INT64_C(1) << 31},
                                       {INT64_MAX, INT64_MAX}};
    for (int i = 0; i < 6; i++) {
        predt_grid grid = PREDT_GRID_INIT(sides[i][0], sides[i][1]);
        predt_index *index = (predt_index *)mask;
        assert_refused(ctx, predt_index_create(ctx, &grid, PREDT_LABEL_NONE, &index));
        assert_null(index);
    }
    predt_close(&ctx);
}

static void destroy_sets_null_and_shrugs_at_null(void **state) {
    (void)state;
    predt_ctx *ctx = open_ctx(1);
    predt_index *index = new_index(ctx, 10, 10, PREDT_LABEL_NONE);
    predt_index_destroy(&index);
    assert_null(index);
    predt_index_destroy(&index);
    predt_close(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strips_in_any_order_give_the_same_bytes),
        cmocka_unit_test(targets_are_counted),
        cmocka_unit_test(rows_added_twice_are_refused),
        cmocka_unit_test(sealing_with_rows_missing_is_refused),
        cmocka_unit_test(strips_that_are_no_whole_sub_blocks_are_refused),
        cmocka_unit_test(labels_must_be_given_where_they_are_announced),
        cmocka_unit_test(sides_out_of_range_are_refused),
        cmocka_unit_test(destroy_sets_null_and_shrugs_at_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
