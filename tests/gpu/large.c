/* Rasters of more than 2^31 and 2^32 pixels, window by window on both engines. Index and windows
 * take 2 GB of memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "device.h"
#include "random.h"
#include "solve.h"

/* Noise of `every`: a target in so many pixels, drawn strip by strip. Both contexts may query
 * it. */
static predt_index *index_of_noise(predt_ctx *ctx, int64_t width, int64_t height, int64_t every) {
    predt_grid grid = PREDT_GRID_INIT(width, height);
    predt_index *index;
    uint8_t *is_target = malloc((size_t)width * 32);
    int32_t *labels = malloc((size_t)width * 32 * sizeof *labels);
    uint64_t state = (uint64_t)width;
    for (int64_t i = 0; i < width * 32; i++) labels[i] = (int32_t)i;
    assert_ok(ctx, predt_index_create(ctx, &grid, PREDT_LABEL_32, &index));
    for (int64_t row = 0; row < height; row += 32) {
        int32_t rows = (int32_t)(height - row < 32 ? height - row : 32);
        memset(is_target, 0, (size_t)width * 32);
        for (int64_t i = 0; i < width * rows / every; i++)
            is_target[random_below(&state, width * rows)] = 1;
        assert_ok(ctx, predt_index_add(index, row, rows, is_target, labels));
    }
    assert_ok(ctx, predt_index_seal(index));
    free(is_target);
    free(labels);
    return index;
}

static void check_windows(int64_t width, int64_t height, int64_t every) {
    predt_ctx *cpu = open_engine("cpu", 0), *gpu = open_engine("cuda", 0);
    predt_index *index = index_of_noise(cpu, width, height, every);
    int64_t rows = 4096, pixels = width * rows;
    float *distance[2] = {malloc((size_t)pixels * 4), malloc((size_t)pixels * 4)};
    uint32_t *label[2] = {malloc((size_t)pixels * 4), malloc((size_t)pixels * 4)};
    for (int64_t row = 0; row < height; row += rows) {
        predt_window window =
            PREDT_WINDOW_INIT(0, row, width, height - row < rows ? height - row : rows, 1);
        for (int i = 0; i < 2; i++) {
            predt_outputs outputs = {.size = sizeof(predt_outputs),
                                     .distance = distance[i],
                                     .label = label[i],
                                     .no_label = 99};
            memset(distance[i], 0xb0 + i, (size_t)pixels * 4);
            memset(label[i], 0xb0 + i, (size_t)pixels * 4);
            assert_ok(i ? gpu : cpu, predt_query(i ? gpu : cpu, index, &window, &outputs));
        }
        size_t bytes = (size_t)(window.rows * width) * 4;
        if (memcmp(distance[0], distance[1], bytes) != 0 || memcmp(label[0], label[1], bytes) != 0)
            fail_msg("%lld x %lld, 1 in %lld: rows from %lld differ", (long long)width,
                     (long long)height, (long long)every, (long long)row);
    }
    for (int i = 0; i < 2; i++) free(distance[i]), free(label[i]);
    predt_index_destroy(&index);
    predt_close(&cpu);
    predt_close(&gpu);
}

static void more_than_2_to_the_31_pixels(void **nothing) {
    (void)nothing;
    check_windows(46342, 46343, 1000);
}

static void more_than_2_to_the_32_pixels(void **nothing) {
    (void)nothing;
    check_windows(65537, 65539, 100000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_than_2_to_the_31_pixels),
        cmocka_unit_test(more_than_2_to_the_32_pixels),
    };
    SKIP_WITHOUT_DEVICE();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
