/* Values that ride along: 32 and 64 bits, copied and never interpreted. */
#include <string.h>

#include "cmocka_all.h"
#include "oracle.h"
#include "random.h"
#include "solve.h"

static void bit_patterns_survive(void **nothing) {
    (void)nothing;
    static const uint64_t values[] = {0,
                                      1,
                                      UINT64_MAX,
                                      UINT64_C(1) << 63,
                                      (UINT64_C(1) << 53) + 1,
                                      UINT64_C(0x7ff8000000000001),
                                      UINT64_C(0x8000000000000000)};
    for (int i = 0; i < 7; i++) {
        uint64_t label64[3] = {7, values[i], 7}, got64[3];
        uint32_t label32[3] = {7, (uint32_t)values[i], 7}, got32[3];
        uint8_t mask[3] = {0, 1, 0};
        predt_grid grid = PREDT_GRID_INIT(3, 1);
        predt_ctx *ctx = open_ctx(1);
        assert_ok(ctx,
                  predt_transform(ctx, &grid, mask, label64, PREDT_LABEL_64,
                                  &(predt_outputs){.size = sizeof(predt_outputs), .label = got64},
                                  NULL, NULL));
        assert_ok(ctx,
                  predt_transform(ctx, &grid, mask, label32, PREDT_LABEL_32,
                                  &(predt_outputs){.size = sizeof(predt_outputs), .label = got32},
                                  NULL, NULL));
        for (int j = 0; j < 3; j++)
            assert_true(got64[j] == values[i] && got32[j] == (uint32_t)values[i]);
        predt_close(&ctx);
    }
}

/* The label is found by counting bits: every target its own value, widths around the stored
 * counts. */
static void every_target_keeps_its_own_label(void **nothing) {
    (void)nothing;
    static const int64_t widths[] = {1, 63, 64, 65, 127, 128, 129, 1000};
    for (int i = 0; i < 8; i++)
        for (int pattern = 1; pattern < pattern_count; pattern += 3) {
            struct scene scene = scene_new(widths[i], 70, shape_named("square"),
                                           i % 2 ? PREDT_LABEL_32 : PREDT_LABEL_64, (uint64_t)i);
            scene_fill(&scene, pattern);
            check_and_free(&scene);
        }
}

/* More than 2^16 targets in one sub-block. */
static void a_full_sub_block_of_many_columns(void **nothing) {
    (void)nothing;
    struct scene scene = scene_new(9001, 33, shape_named("square"), PREDT_LABEL_32, 2);
    memset(scene.is_target, 1, 9001 * 33);
    check_and_free(&scene);
}

static void labels_of_pixels_that_are_no_targets_are_never_read(void **nothing) {
    (void)nothing;
    struct scene scene = scene_new(90, 90, shape_named("square"), PREDT_LABEL_32, 3);
    scene_put(&scene, 40, 50);
    memset(scene.labels, 0x77, 90 * 90 * 4);
    ((uint32_t *)scene.labels)[50 * 90 + 40] = 42;
    predt_ctx *ctx = open_ctx(1);
    struct answer got = solve_whole(ctx, &scene);
    for (int i = 0; i < 90 * 90; i++) assert_int_equal(((uint32_t *)got.label)[i], 42);
    answer_free(&got);
    predt_close(&ctx);
    scene_free(&scene);
}

static void no_label_fills_what_is_out_of_reach(void **nothing) {
    (void)nothing;
    uint8_t mask[4] = {1, 0, 0, 0};
    uint32_t labels[4] = {5, 6, 7, 8}, got[4];
    predt_grid grid = PREDT_GRID_INIT(4, 1);
    grid.max_distance = 1.5;
    predt_outputs outputs = {
        .size = sizeof(predt_outputs), .label = got, .no_label = UINT64_C(0xffffffff00000063)};
    predt_ctx *ctx = open_ctx(1);
    assert_ok(ctx, predt_transform(ctx, &grid, mask, labels, PREDT_LABEL_32, &outputs, NULL, NULL));
    assert_int_equal(got[0], 5);
    assert_int_equal(got[1], 5);
    assert_int_equal(got[2], 0x63);
    assert_int_equal(got[3], 0x63);
    predt_close(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bit_patterns_survive),
        cmocka_unit_test(every_target_keeps_its_own_label),
        cmocka_unit_test(a_full_sub_block_of_many_columns),
        cmocka_unit_test(labels_of_pixels_that_are_no_targets_are_never_read),
        cmocka_unit_test(no_label_fills_what_is_out_of_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
