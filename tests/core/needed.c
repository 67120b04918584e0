/* What work on a grid takes in memory, told before it is done. */
#include "cmocka_all.h"
#include "core/cpu/cpu.h"
#include "core/index.h"
#include "core/parallel.h"
#include "core/platform.h"
#include "oracle.h"
#include "solve.h"

static predt_memory needed(int64_t width, int64_t height, predt_label_type labels, int threads) {
    predt_grid grid = PREDT_GRID_INIT(width, height);
    predt_memory memory = PREDT_MEMORY_INIT;
    assert_int_equal(predt_memory_needed(&grid, labels, threads, &memory), PREDT_OK);
    return memory;
}

/* Whether an index whose memory is limited to this much has gone to a file. */
static bool goes_to_a_file(const struct scene *scene, int64_t index_memory) {
    predt_options options = PREDT_OPTIONS_INIT;
    options.index_memory = index_memory;
    predt_ctx *ctx;
    predt_status status = predt_open(&ctx, &options);
    assert_ok(ctx, status);
    predt_index *index = index_scene(ctx, scene, 3, 1);
    bool in_file = predt__store_has_file(index->store);
    predt_index_destroy(&index);
    predt_close(&ctx);
    return in_file;
}

static void an_index_stays_in_memory_with_as_much_as_was_told(void **nothing) {
    (void)nothing;
    static const int64_t sides[][2] = {{3000, 2000}, {100000, 33}, {40, 90000}, {5000, 1}};
    for (int i = 0; i < 4; i++) {
        struct scene scene =
            scene_new(sides[i][0], sides[i][1], shape_named("square"), PREDT_LABEL_NONE, 1);
        int64_t told = needed(sides[i][0], sides[i][1], PREDT_LABEL_NONE, 1).index;
        assert_false(goes_to_a_file(&scene, told));
        assert_true(goes_to_a_file(&scene, told * 4 / 5 - 20000));
        scene_free(&scene);
    }
}

/* One row of 2,000,000,000 columns: one word a column, two carry rows, and three rows for each
 * thread that is of use. */
static void a_long_row_takes_what_its_columns_take(void **nothing) {
    (void)nothing;
    int64_t width = 2000000000;
    predt_memory memory = needed(width, 1, PREDT_LABEL_NONE, 16);
    assert_true(memory.index >= 12 * width && memory.index < 12 * width + 100000);
    assert_true(memory.index_min >= 12 * width && memory.index_min <= memory.index);
    assert_int_equal(memory.query_min, 12 * width);
    assert_true(memory.query_max > 20 * width && memory.query_max < 80 * width);
}

static void every_thread_that_has_work_takes_its_own(void **nothing) {
    (void)nothing;
    predt_memory one = needed(10000, 320, PREDT_LABEL_32, 1),
                 four = needed(10000, 320, PREDT_LABEL_32, 4);
    assert_int_equal(four.query_min, 4 * one.query_min);
    assert_int_equal(four.query_max, 4 * one.query_max);
    /* there are ten sub-blocks */
    assert_int_equal(needed(10000, 320, PREDT_LABEL_32, 50).query_min, 10 * one.query_min);
    assert_true(one.query_min < one.query_max);
}

static void a_tall_raster_is_in_memory_only_in_part(void **nothing) {
    (void)nothing;
    predt_memory memory = needed(60000, 60000, PREDT_LABEL_NONE, 1);
    assert_true(memory.index > 60000 * (int64_t)60000 / 8);
    assert_true(memory.index_min < 6000000);
}

static void a_grid_that_no_index_is_made_of_is_refused(void **nothing) {
    (void)nothing;
    predt_grid grid = PREDT_GRID_INIT(10, 0);
    predt_memory memory = PREDT_MEMORY_INIT;
    assert_int_equal(predt_memory_needed(&grid, PREDT_LABEL_NONE, 1, &memory),
                     PREDT_ERROR_ARGUMENT);
    grid.height = 10;
    assert_int_equal(predt_memory_needed(&grid, (predt_label_type)3, 1, &memory),
                     PREDT_ERROR_ARGUMENT);
    assert_int_equal(predt_memory_needed(&grid, PREDT_LABEL_NONE, -1, &memory),
                     PREDT_ERROR_ARGUMENT);
}

static void a_number_of_threads_has_an_end(void **nothing) {
    (void)nothing;
    int cpus = predt__cpu_count();
    assert_int_equal(predt__threads_for(0), cpus);
    assert_int_equal(predt__threads_for(3), 3);
    assert_true(predt__threads_for(100000) >= 64 && predt__threads_for(100000) <= 4 * cpus + 64);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_index_stays_in_memory_with_as_much_as_was_told),
        cmocka_unit_test(a_long_row_takes_what_its_columns_take),
        cmocka_unit_test(every_thread_that_has_work_takes_its_own),
        cmocka_unit_test(a_tall_raster_is_in_memory_only_in_part),
        cmocka_unit_test(a_grid_that_no_index_is_made_of_is_refused),
        cmocka_unit_test(a_number_of_threads_has_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
