/* Among equally near targets the westernmost wins, then the northernmost. */
#include "cmocka_all.h"
#include "oracle.h"
#include "solve.h"

static void assert_nearest(const struct answer *got, int64_t col, int64_t row, int32_t nearest_col,
                           int32_t nearest_row) {
    assert_int_equal(got->nearest_col[row * got->stride + col], nearest_col);
    assert_int_equal(got->nearest_row[row * got->stride + col], nearest_row);
}

static struct answer solve_pair(int64_t width, int64_t height, int64_t col_a, int64_t row_a,
                                int64_t col_b, int64_t row_b) {
    struct scene scene = scene_new(width, height, shape_named("square"), PREDT_LABEL_NONE, 0);
    scene_put(&scene, col_a, row_a);
    scene_put(&scene, col_b, row_b);
    predt_ctx *ctx = open_ctx(1);
    struct answer got = solve_whole(ctx, &scene);
    predt_close(&ctx);
    scene_free(&scene);
    return got;
}

static void westernmost_target_wins_a_tie(void **state) {
    (void)state;
    struct answer got = solve_pair(3, 3, 0, 1, 2, 1);
    for (int64_t row = 0; row < 3; row++) assert_nearest(&got, 1, row, 0, 1);
    answer_free(&got);
}

static void northernmost_target_wins_a_tie_within_a_column(void **state) {
    (void)state;
    struct answer got = solve_pair(3, 5, 1, 0, 1, 4);
    for (int64_t col = 0; col < 3; col++) assert_nearest(&got, col, 2, 1, 0);
    answer_free(&got);
}

static void west_comes_before_north(void **state) {
    (void)state;
    struct answer got = solve_pair(5, 5, 4, 0, 0, 4);
    for (int64_t i = 0; i < 5; i++) assert_nearest(&got, i, i, 0, 4);
    answer_free(&got);
}

static void a_tie_across_sub_blocks_goes_north(void **state) {
    (void)state;
    struct answer got = solve_pair(1, 4097, 0, 0, 0, 4096);
    assert_nearest(&got, 0, 2048, 0, 0);
    assert_nearest(&got, 0, 2049, 0, 4096);
    answer_free(&got);
}

/* 5^2 = 3^2 + 4^2: four and more targets in different columns and rows, all at 5. */
static void twelve_targets_on_one_circle(void **state) {
    (void)state;
    static const int at[12][2] = {{5, 0},  {4, 3},   {3, 4},   {0, 5},  {-3, 4}, {-4, 3},
                                  {-5, 0}, {-4, -3}, {-3, -4}, {0, -5}, {3, -4}, {4, -3}};
    for (int gone = 0; gone < 12; gone++) {
        struct scene scene =
            scene_new(80, 80, shape_named("square"), PREDT_LABEL_32, (uint64_t)gone);
        for (int i = 0; i < 12; i++)
            if (i != gone) scene_put(&scene, 40 + at[i][0], 32 + at[i][1]);
        check_and_free(&scene);
    }
}

/* Every pixel between the sites of a lattice ties; sides around vector widths. */
static void lattices(void **state) {
    (void)state;
    for (int across = 1; across <= 16; across++)
        for (int down = 1; down <= 16; down += 3) {
            struct scene scene =
                scene_new(67, 71, shape_named("square"), PREDT_LABEL_32, (uint64_t)across);
            for (int row = across % 5; row < 71; row += down * 2)
                for (int col = down % 4; col < 67; col += across * 2) scene_put(&scene, col, row);
            check_and_free(&scene);
        }
}

/* 3 * 4 = 2 * 6: with sides 2 and 3 a target 6 columns away ties with one 4 rows away. */
static void ties_between_columns_and_rows_of_oblong_pixels(void **state) {
    (void)state;
    struct scene scene = scene_new(40, 40, shape_named("20 x 30"), PREDT_LABEL_64, 9);
    scene_put(&scene, 26, 20);
    scene_put(&scene, 20, 24);
    scene_put(&scene, 14, 20);
    predt_ctx *ctx = open_ctx(1);
    struct answer got = solve_whole(ctx, &scene);
    assert_nearest(&got, 20, 20, 14, 20);
    answer_free(&got);
    predt_close(&ctx);
    check_and_free(&scene);
}

/* Columns a thousand million times as wide as rows are high: the squares of 5 and 2 rows drown in
 * that of one column. */
static void fewer_rows_win_where_rounding_hides_them(void **state) {
    (void)state;
    static const double wide = 1.05e9 + 0.3;
    const struct shape shape = {"wide",      {wide, 0}, {0, -1}, PREDT_METRIC_MAP,
                                wide * wide, 1,         1,       false};
    struct scene scene = scene_new(2, 8, &shape, PREDT_LABEL_32, 1);
    scene_put(&scene, 0, 0);
    scene_put(&scene, 0, 7);
    check_and_free(&scene);
}

/* d2 + 1 is d2 there: "no target" needs a value of its own. */
static void huge_pixels_without_a_target_have_none(void **state) {
    (void)state;
    static const double side = 1e7;
    const struct shape shape = {"huge",
                                {side, 0},
                                {0, -side * 1.37},
                                PREDT_METRIC_MAP,
                                side * side,
                                side * 1.37 * (side * 1.37),
                                1,
                                false};
    struct scene scene = scene_new(40, 40, &shape, PREDT_LABEL_32, 1);
    scene.grid.max_distance = 20 * side;
    check_and_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fewer_rows_win_where_rounding_hides_them),
        cmocka_unit_test(huge_pixels_without_a_target_have_none),
        cmocka_unit_test(westernmost_target_wins_a_tie),
        cmocka_unit_test(northernmost_target_wins_a_tie_within_a_column),
        cmocka_unit_test(west_comes_before_north),
        cmocka_unit_test(a_tie_across_sub_blocks_goes_north),
        cmocka_unit_test(twelve_targets_on_one_circle),
        cmocka_unit_test(lattices),
        cmocka_unit_test(ties_between_columns_and_rows_of_oblong_pixels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
