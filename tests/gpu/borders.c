/* Sizes at which a number type ends, on the device: thin rasters reach them with few pixels. */
#include <stdlib.h>

#include "cmocka_all.h"
#include "device.h"
#include "random.h"

static struct scene sites(int64_t width, int64_t height, const char *shape, int64_t count,
                          predt_label_type label_type) {
    struct scene scene =
        scene_new(width, height, shape_named(shape), label_type, (uint64_t)(width + height));
    uint64_t state = scene.seed;
    for (int64_t i = 0; i < count; i++)
        scene_put(&scene, random_below(&state, width), random_below(&state, height));
    return scene;
}

static void check_both_ways(int64_t a, int64_t b, const char *shape, int64_t count) {
    struct scene wide = sites(a, b, shape, count, PREDT_LABEL_32);
    check_same("cuda", &wide, 0);
    struct scene high = sites(b, a, shape, count, PREDT_LABEL_64);
    check_same("cuda", &high, 0);
}

static void where_int32_ends(void **nothing) {
    (void)nothing;
    static const int64_t sides[] = {32767, 32768, 32769, 46340, 46341, 46342, 65535, 65536, 65537};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        for (int64_t count = 1; count < 100000; count *= 20)
            check_both_ways(sides[i], 2 + 31 * (int64_t)(i % 3), "square", count);
}

static void far_corners_of_65536_x_2(void **nothing) {
    (void)nothing;
    struct scene scene = scene_new(65536, 2, shape_named("square"), PREDT_LABEL_32, 1);
    scene_put(&scene, 0, 0);
    check_same("cuda", &scene, 0);
}

static void float_roots_beyond_2_to_the_24(void **nothing) {
    (void)nothing;
    struct scene scene = scene_new(8193, 1, shape_named("square"), PREDT_LABEL_32, 1);
    scene_put(&scene, 0, 0);
    scene_put(&scene, 8192, 0);
    check_same("cuda", &scene, 0);
}

/* wx is 4096: 2^53 is passed at 1482911 columns. */
static void where_exact_doubles_end(void **nothing) {
    (void)nothing;
    static const int64_t widths[] = {1482910, 1482912, 1500007};
    for (size_t i = 0; i < 3; i++)
        for (int64_t count = 1; count < 10000; count *= 50) {
            struct scene scene = sites(widths[i], 3, "64 x 1", count, PREDT_LABEL_32);
            check_same("cuda", &scene, 0);
        }
    struct scene high = sites(3, 1500007, "1 x 64", 200, PREDT_LABEL_NONE);
    check_same("cuda", &high, 0);
}

static void rounded_weights_on_wide_rasters(void **nothing) {
    (void)nothing;
    for (int64_t count = 1; count < 10000; count *= 50)
        check_both_ways(100003, 65, "300.0379 x 300.0417", count);
}

/* At the place of the next lane's first pixel, three columns beyond the edge, d2 to one of the two
 * targets would not fit 32 bits and to the other it would: who is nearer there must not decide who
 * is nearer at the edge. wx is 4096. */
static void beyond_the_edge(void **nothing) {
    (void)nothing;
    struct scene scene = scene_new(642, 21553, shape_named("64 x 1"), PREDT_LABEL_32, 1);
    scene_put(&scene, 0, 21185);
    scene_put(&scene, 2, 21431);
    check_same("cuda", &scene, 0);
}

/* Rasters too wide for 32 bits, in which some segments see near targets, some far ones and some
 * both. */
static void near_and_far_segments(void **nothing) {
    (void)nothing;
    static const struct {
        int64_t width, height;
        const char *shape;
    } rasters[] = {{100003, 97, "square"},
                   {97, 100003, "square"},
                   {70001, 40, "64 x 1"},
                   {200003, 33, "1 x 64"}};
    for (size_t i = 0; i < sizeof rasters / sizeof *rasters; i++) {
        struct scene scene = scene_new(rasters[i].width, rasters[i].height,
                                       shape_named(rasters[i].shape), PREDT_LABEL_32, 1);
        uint64_t state = scene.seed;
        int64_t west = rasters[i].width / 4 + 1, north = rasters[i].height / 4 + 1;
        for (int k = 0; k < 300; k++)
            scene_put(&scene, random_below(&state, west), random_below(&state, north));
        check_same("cuda", &scene, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_int32_ends),
        cmocka_unit_test(far_corners_of_65536_x_2),
        cmocka_unit_test(float_roots_beyond_2_to_the_24),
        cmocka_unit_test(where_exact_doubles_end),
        cmocka_unit_test(rounded_weights_on_wide_rasters),
        cmocka_unit_test(beyond_the_edge),
        cmocka_unit_test(near_and_far_segments),
    };
    SKIP_WITHOUT_DEVICE();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
