/* Cutting windows into strips, and which windows a device gets at all: sizes only, no device. */
#include "gpu/plan.h"

#include <string.h>

#include "cmocka_all.h"
#include "random.h"

static size_t workspace(int32_t width, int32_t rows, int32_t label_size) {
    return (size_t)width * (size_t)rows / 4 + (size_t)label_size * (size_t)width + 1000;
}

static predt__gpu_shape shape_of(int32_t width, int32_t label_size, int64_t targets) {
    return (predt__gpu_shape){.width = width,
                              .label_size = label_size,
                              .targets = targets,
                              .wanted = {true, false, label_size > 0, false, true, false},
                              .workspace = workspace};
}

/* ---- Layout ---- */

static void sections_are_aligned_and_large_enough(void **nothing) {
    (void)nothing;
    predt__gpu_shape shape = shape_of(70, 8, 1000);
    predt__gpu_layout layout = predt__gpu_layout_of(&shape, 40, 13);
    const size_t *start = layout.start;
    for (int section = 0; section <= PREDT__SECTIONS; section++)
        assert_int_equal(start[section] % 256, 0);
    assert_true(start[PREDT__WORDS + 1] - start[PREDT__WORDS] >= 2 * 70 * 4);
    assert_true(start[PREDT__LABEL_STARTS + 1] - start[PREDT__LABEL_STARTS] >= 2 * 3 * 4);
    assert_true(start[PREDT__LABEL_VALUES + 1] - start[PREDT__LABEL_VALUES] >= 13 * 8);
    assert_true(start[PREDT__DISTANCE + 1] - start[PREDT__DISTANCE] >= 40 * 70 * 4);
    assert_int_equal(start[PREDT__DISTANCE2 + 1], start[PREDT__DISTANCE2]);
    assert_true(start[PREDT__LABEL + 1] - start[PREDT__LABEL] >= 40 * 70 * 8);
    assert_true(start[PREDT__SECTIONS] - start[PREDT__WORKSPACE] >= workspace(70, 40, 8));
}

/* As gdal_predt asks for a Byte raster with an allocation of bytes. */
static void narrow_outputs_have_sections_of_their_own(void **nothing) {
    (void)nothing;
    predt__gpu_shape shape = {.width = 1000,
                              .label_size = 4,
                              .label_bytes = 1,
                              .whole_bytes = 2,
                              .tally_bytes = 777,
                              .wanted = {false, true, true, false, false, false, true, true},
                              .workspace = workspace};
    predt__gpu_layout layout = predt__gpu_layout_of(&shape, 32, 0);
    const size_t *start = layout.start;
    assert_in_range(start[PREDT__WHOLE + 1] - start[PREDT__WHOLE], 32 * 1000 * 2,
                    32 * 1000 * 2 + 255);
    assert_in_range(start[PREDT__NARROW_LABEL + 1] - start[PREDT__NARROW_LABEL], 32 * 1000,
                    32 * 1000 + 255);
    assert_in_range(start[PREDT__TALLIES + 1] - start[PREDT__TALLIES], 777, 777 + 255);
    assert_in_range(start[PREDT__DISTANCE2 + 1] - start[PREDT__DISTANCE2], 32 * 1000 * 8,
                    32 * 1000 * 8 + 255);
}

static void without_labels_nothing_of_them_goes_up(void **nothing) {
    (void)nothing;
    predt__gpu_shape shape = shape_of(70, 0, 1000);
    predt__gpu_layout layout = predt__gpu_layout_of(&shape, 40, 0);
    assert_int_equal(layout.start[PREDT__UPLOADED], layout.start[PREDT__ABOVE_LABELS]);
}

static void a_strip_never_has_more_labels_than_the_raster(void **nothing) {
    (void)nothing;
    predt__gpu_shape few = shape_of(10000, 4, 10), many = shape_of(10000, 4, INT64_C(1) << 40);
    assert_true(predt__gpu_max_layout(&few, 3200).start[PREDT__SECTIONS] + 4 * 10000 * 3000 <
                predt__gpu_max_layout(&many, 3200).start[PREDT__SECTIONS]);
}

/* ---- Strips ---- */

static void strips_fit_the_budget(void **nothing) {
    (void)nothing;
    uint64_t state = 1;
    for (int i = 0; i < 20000; i++) {
        predt__gpu_shape shape =
            shape_of(1 + (int32_t)random_below(&state, 200000),
                     4 * (int32_t)random_below(&state, 3), random_below(&state, 1000000000));
        int64_t rows = 1 + random_below(&state, 100000),
                budget = random_below(&state, INT64_C(1) << (10 + i % 26));
        predt__gpu_plan plan = predt__gpu_plan_strips(&shape, rows, budget, INT32_MAX);
        size_t least = predt__gpu_max_layout(&shape, 32).start[PREDT__SECTIONS];
        if (!plan.rows) {
            assert_true(least > (size_t)budget);
            continue;
        }
        assert_int_equal(plan.rows % 32, 0);
        assert_in_range(plan.slots, 1, PREDT__GPU_SLOTS);
        assert_true(predt__gpu_max_layout(&shape, plan.rows).start[PREDT__SECTIONS] *
                        (size_t)plan.slots <=
                    (size_t)budget);
        assert_true(plan.rows < rows + 32);
    }
}

static void a_large_window_keeps_all_slots_busy(void **nothing) {
    (void)nothing;
    predt__gpu_shape shape = shape_of(8192, 4, 1000000);
    predt__gpu_plan plan = predt__gpu_plan_strips(&shape, 8192, INT64_C(16) << 30, INT32_MAX);
    assert_int_equal(plan.slots, PREDT__GPU_SLOTS);
    assert_int_equal(plan.rows, 2048);
}

static void the_widest_raster_goes_sub_block_by_sub_block(void **nothing) {
    (void)nothing;
    predt__gpu_shape shape = shape_of(INT32_MAX, 8, INT64_C(1) << 60);
    predt__gpu_plan plan = predt__gpu_plan_strips(&shape, INT32_MAX, INT64_C(1) << 60, INT32_MAX);
    assert_int_equal(plan.rows, 32);
}

static void most_rows_is_obeyed(void **nothing) {
    (void)nothing;
    predt__gpu_shape shape = shape_of(8192, 4, 1000000);
    assert_int_equal(predt__gpu_plan_strips(&shape, 8192, INT64_C(16) << 30, 100).rows, 96);
}

static void shrinking_ends_with_one_sub_block_in_one_slot(void **nothing) {
    (void)nothing;
    predt__gpu_plan plan = {2048, 3};
    int times = 0;
    while (predt__gpu_shrink(&plan)) times++;
    assert_int_equal(times, 7);
    assert_int_equal(plan.rows, 32);
    assert_int_equal(plan.slots, 1);
}

/* Every row asked for is answered once, by a strip that holds it. */
static void cuts_cover_the_window(void **nothing) {
    (void)nothing;
    uint64_t state = 2;
    for (int i = 0; i < 20000; i++) {
        int64_t height = 1 + random_below(&state, 3000);
        predt_window window = PREDT_WINDOW_INIT(0, random_below(&state, height), 0, 0,
                                                1 + random_below(&state, i % 2 ? 100 : 3));
        window.rows = 1 + random_below(&state, (height - 1 - window.row) / window.step + 1);
        int32_t strip_rows = 32 * (1 + (int32_t)random_below(&state, 20));
        predt__gpu_cut cut;
        for (int64_t row = 0; row < window.rows; row += cut.window_rows) {
            cut = predt__gpu_cut_at(&window, height, strip_rows, row);
            int64_t first = window.row + row * window.step,
                    last = first + (cut.window_rows - 1) * window.step;
            assert_true(cut.window_row == row && cut.window_rows >= 1 &&
                        row + cut.window_rows <= window.rows);
            assert_true(cut.first_row % 32 == 0 && cut.rows <= strip_rows &&
                        cut.first_row + cut.rows <= height);
            assert_true(cut.first_row <= first && last < cut.first_row + cut.rows);
            assert_true(cut.rows % 32 == 0 || cut.first_row + cut.rows == height);
        }
    }
}

static void the_budget_is_a_share_of_what_is_free_or_the_limit(void **nothing) {
    (void)nothing;
    assert_int_equal(predt__gpu_budget(1000, 0, 0), 900);
    assert_int_equal(predt__gpu_budget(400, 600, 0), 900);
    assert_int_equal(predt__gpu_budget(1000, 0, 300), 300);
    assert_int_equal(predt__gpu_budget(1000, 0, 5000), 900);
}

/* ---- auto ---- */

static bool suits(int64_t width, int64_t height, predt_window window, int threads) {
    predt_index index;
    memset(&index, 0, sizeof index);
    index.width = width;
    index.height = height;
    return predt__cuda_suits(&index, &window, threads);
}

/* A raster of 65536 columns with at least so many pixels. */
static int64_t height_for(int64_t pixels) { return (pixels + 65535) / 65536; }

static void the_device_gets_large_windows_of_large_rasters(void **nothing) {
    (void)nothing;
    int64_t height = height_for(predt__cuda_min_pixels(1));
    assert_true(suits(65536, height, (predt_window)PREDT_WINDOW_INIT(0, 0, 65536, 512, 1), 1));
    assert_false(suits(65536, height - 1, (predt_window)PREDT_WINDOW_INIT(0, 0, 65536, 512, 1), 1));
    assert_true(suits(INT32_MAX, INT32_MAX,
                      (predt_window)PREDT_WINDOW_INIT(0, 0, INT32_MAX, INT32_MAX, 1), 1));
    assert_false(suits(4096, 4096, (predt_window)PREDT_WINDOW_INIT(0, 0, 4096, 4096, 1), 1));
}

/* The more threads, the larger a raster has to be, until the CPU is always as fast. */
static void many_threads_put_the_device_off(void **nothing) {
    (void)nothing;
    for (int threads = 1; threads < 1000; threads++) {
        assert_true(predt__cuda_min_pixels(threads) > 0);
        assert_true(predt__cuda_min_pixels(threads) <= predt__cuda_min_pixels(threads + 1));
    }
    assert_true(predt__cuda_min_pixels(1000) == INT64_MAX);
    assert_false(suits(INT32_MAX, INT32_MAX,
                       (predt_window)PREDT_WINDOW_INIT(0, 0, INT32_MAX, INT32_MAX, 1), 1000));
}

static void a_large_window_is_worth_waiting_for(void **nothing) {
    (void)nothing;
    assert_true(predt__cpu_is_sooner(&(predt_window)PREDT_WINDOW_INIT(0, 0, 1000, 1000, 1), 1));
    assert_false(predt__cpu_is_sooner(&(predt_window)PREDT_WINDOW_INIT(0, 0, 65536, 65536, 1), 1));
    assert_false(predt__cpu_is_sooner(
        &(predt_window)PREDT_WINDOW_INIT(0, 0, INT32_MAX, INT32_MAX, 1), 1000));
}

static void narrow_thin_and_sparse_windows_are_the_cpus(void **nothing) {
    (void)nothing;
    assert_false(suits(65536, 65536, (predt_window)PREDT_WINDOW_INIT(0, 0, 1000, 65536, 1), 1));
    assert_false(suits(65536, 65536, (predt_window)PREDT_WINDOW_INIT(0, 0, 65536, 1, 1), 1));
    assert_false(suits(65536, 65536, (predt_window)PREDT_WINDOW_INIT(0, 0, 6553, 6553, 10), 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_are_aligned_and_large_enough),
        cmocka_unit_test(narrow_outputs_have_sections_of_their_own),
        cmocka_unit_test(without_labels_nothing_of_them_goes_up),
        cmocka_unit_test(a_strip_never_has_more_labels_than_the_raster),
        cmocka_unit_test(strips_fit_the_budget),
        cmocka_unit_test(a_large_window_keeps_all_slots_busy),
        cmocka_unit_test(the_widest_raster_goes_sub_block_by_sub_block),
        cmocka_unit_test(most_rows_is_obeyed),
        cmocka_unit_test(shrinking_ends_with_one_sub_block_in_one_slot),
        cmocka_unit_test(cuts_cover_the_window),
        cmocka_unit_test(the_budget_is_a_share_of_what_is_free_or_the_limit),
        cmocka_unit_test(the_device_gets_large_windows_of_large_rasters),
        cmocka_unit_test(many_threads_put_the_device_off),
        cmocka_unit_test(a_large_window_is_worth_waiting_for),
        cmocka_unit_test(narrow_thin_and_sparse_windows_are_the_cpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
