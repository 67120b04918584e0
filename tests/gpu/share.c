/* How the raster Voronoi engines share pixels among threads. */
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "gpu/methods/share.h"

static void each_pixel_once(int64_t pixels, int64_t threads, int way) {
    predt__share share = predt__share_out(pixels, threads, way);
    uint8_t *seen = calloc((size_t)pixels, 1);
    assert_true(share.threads <= threads && share.threads * share.rounds >= pixels);
    for (int64_t thread = 0; thread < share.threads; thread++)
        for (int64_t round = 0; round < share.rounds; round++) {
            int64_t pixel = predt__share_pixel(&share, thread, round);
            if (pixel >= 0) seen[pixel]++;
        }
    for (int64_t i = 0; i < pixels; i++) assert_int_equal(seen[i], 1);
    free(seen);
}

static void every_pixel_has_one_thread(void **nothing) {
    (void)nothing;
    for (int64_t pixels = 1; pixels < 90; pixels++)
        for (int64_t threads = 1; threads < 100; threads++)
            for (int way = PREDT__SHARE_STRIDED; way <= PREDT__SHARE_CONTIGUOUS; way++)
                each_pixel_once(pixels, threads, way);
    each_pixel_once(1000003, 4096, PREDT__SHARE_STRIDED);
    each_pixel_once(1000003, 4096, PREDT__SHARE_CONTIGUOUS);
}

static void neighbours_in_a_round_or_in_a_thread(void **nothing) {
    (void)nothing;
    predt__share strided = predt__share_out(100, 10, PREDT__SHARE_STRIDED);
    predt__share contiguous = predt__share_out(100, 10, PREDT__SHARE_CONTIGUOUS);
    assert_int_equal(predt__share_pixel(&strided, 3, 2), 23);
    assert_int_equal(predt__share_pixel(&strided, 4, 2), 24);
    assert_int_equal(predt__share_pixel(&contiguous, 3, 2), 32);
    assert_int_equal(predt__share_pixel(&contiguous, 3, 3), 33);
}

static void more_pixels_than_int32_counts(void **nothing) {
    (void)nothing;
    int64_t pixels = INT64_C(5000000000);
    predt__share strided = predt__share_out(pixels, 270336, PREDT__SHARE_STRIDED);
    predt__share contiguous = predt__share_out(pixels, 270336, PREDT__SHARE_CONTIGUOUS);
    assert_int_equal(strided.rounds, 18496);
    assert_int_equal(predt__share_pixel(&strided, 0, 18495), INT64_C(18495) * 270336);
    assert_int_equal(predt__share_pixel(&strided, 270335, 18495), -1);
    assert_int_equal(predt__share_pixel(&contiguous, 270000, 5), INT64_C(270000) * 18496 + 5);
    assert_int_equal(predt__share_pixel(&contiguous, 270335, 18495), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pixel_has_one_thread),
        cmocka_unit_test(neighbours_in_a_round_or_in_a_thread),
        cmocka_unit_test(more_pixels_than_int32_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
