/* On a globe what is stored is PROJ's distance as it is rounded, not a distance that is nearly
 * PROJ's. Distances are made to lie where the last bit of a double decides. */
#include <math.h>

#include "cmocka_all.h"
#include "random.h"
#include "solve.h"
#include "world.h"

enum { COLS = 12, ROWS = 60, PIXELS = COLS * ROWS, TRIES = 40 };

/* A region, a band of a turn, and a strip from pole to pole; one target each. */
static void region_new(struct world *world, int kind, double axis) {
    static const predt_globe globes[] = {PREDT_GLOBE_INIT(62, -0.05, 0.07),
                                         PREDT_GLOBE_INIT(50, -1, 30), PREDT_GLOBE_INIT(90, -3, 9)};
    predt_globe globe = globes[kind];
    globe.semi_major_axis *= axis;
    world_new(world, COLS, ROWS, globe, PREDT_LABEL_NONE, 1);
    scene_put(&world->scene, 2, 11);
}

/* PROJ's distance of a pixel, with so many times the Earth's axis. */
static double distance_of(int kind, double axis, int64_t pixel) {
    struct world world;
    region_new(&world, kind, axis);
    struct answer right = world_oracle(&world);
    double distance = sqrt(right.distance2[pixel]);
    answer_free(&right);
    world_free(&world);
    return distance;
}

/* How large the Earth is to be for the distance to lie in the middle of two floats. */
static double axis_for_border(int kind, int64_t pixel) {
    double axis = 1;
    for (int i = 0; i < 3; i++) {
        double distance = distance_of(kind, axis, pixel);
        float below = nextafterf((float)distance, 0), above = nextafterf(below, INFINITY);
        axis *= ((double)below + (double)above) / 2 / distance;
    }
    return axis;
}

static int64_t pixel_of(int try_number) {
    uint64_t state = (uint64_t)try_number;
    int64_t pixel = random_below(&state, PIXELS);
    return pixel == 11 * COLS + 2 ? 0 : pixel;
}

static void floats_are_those_of_proj_on_the_border_of_two(void **nothing) {
    (void)nothing;
    for (int i = 0; i < TRIES; i++) {
        struct world world;
        region_new(&world, i % 3, axis_for_border(i % 3, pixel_of(i)));
        check_world(&world);
    }
}

static void a_minimum_is_compared_with_them(void **nothing) {
    (void)nothing;
    for (int i = 0; i < TRIES; i++) {
        struct world world;
        float got[PIXELS];
        int64_t pixel = pixel_of(i);
        region_new(&world, i % 3, axis_for_border(i % 3, pixel));
        struct answer right = world_oracle(&world);
        predt_ctx *ctx = open_ctx(1);
        predt_outputs outputs = PREDT_OUTPUTS_INIT;
        outputs.distance = got;
        outputs.min_distance = (double)nextafterf((float)sqrt(right.distance2[pixel]), INFINITY);
        for (int up = 0; up < 2; up++) {
            assert_ok(ctx, predt_transform(ctx, &world.scene.grid, world.scene.is_target, NULL,
                                           PREDT_LABEL_NONE, &outputs, NULL, NULL));
            for (int n = 0; n < PIXELS; n++) {
                bool out = (double)right.distance[n] < outputs.min_distance;
                assert_true(got[n] == (out ? INFINITY : right.distance[n]));
            }
            outputs.min_distance = (double)right.distance[pixel];
        }
        answer_free(&right);
        world_free(&world);
        predt_close(&ctx);
    }
}

static void a_target_at_the_limit_is_in_reach_to_the_last_bit(void **nothing) {
    (void)nothing;
    for (int i = 0; i < TRIES; i++) {
        struct world world;
        double distance = distance_of(i % 3, 1, pixel_of(i));
        for (int way = 0; way < 3; way++) {
            region_new(&world, i % 3, 1);
            world.scene.grid.max_distance =
                way == 0 ? distance : nextafter(distance, way == 1 ? 0 : INFINITY);
            check_world(&world);
        }
    }
}

/* Rounded half away from zero; and the farthest, which is told as it is. */
static void check_wholes(int kind, double scale, const struct answer *right) {
    struct world world;
    uint16_t wholes[PIXELS];
    predt_ctx *ctx = open_ctx(1);
    predt_tally tally = PREDT_TALLY_INIT;
    predt_encoding encoding = PREDT_ENCODING_INIT;
    predt_outputs outputs = PREDT_OUTPUTS_INIT;
    double farthest = 0;
    region_new(&world, kind, 1);
    encoding.values = wholes;
    encoding.type = PREDT_UINT16;
    encoding.none.i = 65535;
    encoding.scale = scale;
    encoding.tally = &tally;
    outputs.encoding = &encoding;
    assert_ok(ctx, predt_transform(ctx, &world.scene.grid, world.scene.is_target, NULL,
                                   PREDT_LABEL_NONE, &outputs, NULL, NULL));
    for (int n = 0; n < PIXELS; n++) {
        double value = sqrt(right->distance2[n]) * scale;
        assert_int_equal(wholes[n], (int)floor(value + 0.5));
        farthest = fmax(farthest, value);
    }
    assert_true(tally.farthest == farthest);
    world_free(&world);
    predt_close(&ctx);
}

static void whole_numbers_are_those_of_proj_on_the_border_of_two(void **nothing) {
    (void)nothing;
    for (int kind = 0; kind < 3; kind++) {
        struct world world;
        region_new(&world, kind, 1);
        struct answer right = world_oracle(&world);
        double far = 0;
        for (int n = 0; n < PIXELS; n++) far = fmax(far, sqrt(right.distance2[n]));
        for (int i = 0; i < 3 * TRIES; i++) {
            double distance = sqrt(right.distance2[pixel_of(i)]);
            double whole = floor(distance / far * (1000 + 100 * i)) + 0.5;
            check_wholes(kind, whole / distance, &right);
        }
        answer_free(&right);
        world_free(&world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_are_those_of_proj_on_the_border_of_two),
        cmocka_unit_test(a_minimum_is_compared_with_them),
        cmocka_unit_test(a_target_at_the_limit_is_in_reach_to_the_last_bit),
        cmocka_unit_test(whole_numbers_are_those_of_proj_on_the_border_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
