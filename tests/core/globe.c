/* Distances on a globe are those of PROJ, to the nearest target, whatever the grid. */
#include <string.h>

#include "cmocka_all.h"
#include "core/bits.h"
#include "random.h"
#include "solve.h"
#include "world.h"

#ifndef TEST_ROUNDS
#define TEST_ROUNDS 3000
#endif
#define WORLDS (TEST_ROUNDS / 15)

static void every_pixel_has_the_target_that_proj_says_is_nearest(void **nothing) {
    (void)nothing;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        struct world world;
        world_draw(&world, seed);
        struct answer right = world_oracle(&world);
        for (int position = 0; predt__isa_name(position); position++) {
            predt__isa_force(position);
            predt_ctx *ctx = open_ctx(1);
            check_world_answers(ctx, &world, &right, seed % 5 == 0, predt__isa_name(position));
            predt_close(&ctx);
        }
        predt__isa_force(-1);
        answer_free(&right);
        world_free(&world);
    }
}

static void any_window_at_any_step_gives_the_bytes_of_the_whole(void **nothing) {
    (void)nothing;
    uint64_t state = 5;
    for (uint64_t seed = 1; seed <= 42; seed++) {
        struct world world;
        world_draw(&world, seed);
        predt_ctx *ctx = seed % 3 ? open_ctx(1 + (int)seed % 4) : open_ctx_on_file(2);
        struct answer right = solve_whole(ctx, &world.scene);
        predt_index *index = index_scene(ctx, &world.scene, 1, seed);
        for (int i = 0; i < 20; i++) {
            predt_window window = random_window(&world.scene, &state);
            check_window(ctx, index, &world.scene, &right, &window, random_below(&state, 9));
        }
        predt_index_destroy(&index);
        answer_free(&right);
        world_free(&world);
        predt_close(&ctx);
    }
}

static void cells_that_are_rounded_in_the_file_go_around(void **nothing) {
    (void)nothing;
    static const struct {
        int64_t width;
        double step;
    } cells[] = {{4320, 0.083333333}, {2160, 0.16666667}, {10800, 0.0333333333}};
    for (int i = 0; i < 3; i++) {
        struct world world;
        predt_globe globe = PREDT_GLOBE_INIT(60, -1, cells[i].step);
        world_new(&world, cells[i].width, 3, globe, PREDT_LABEL_NONE, 1);
        scene_put(&world.scene, cells[i].width - 1, 1);
        predt_ctx *ctx = open_ctx(1);
        predt_index *index = index_scene(ctx, &world.scene, 1, 1);
        int32_t col;
        float distance;
        predt_outputs outputs = PREDT_OUTPUTS_INIT;
        outputs.nearest_col = &col, outputs.distance = &distance;
        predt_window window = PREDT_WINDOW_INIT(0, 1, 1, 1, 1);
        assert_ok(ctx, predt_query(ctx, index, &window, &outputs));
        assert_int_equal(col, cells[i].width - 1);
        assert_true((double)distance < 112000 * 0.52 * cells[i].step);
        predt_index_destroy(&index);
        predt_close(&ctx);
        world_free(&world);
    }
}

/* The last row of nodes lies 4e-5 of a row beyond the pole. */
static void rows_that_are_rounded_in_the_file_end_at_the_pole(void **nothing) {
    (void)nothing;
    struct world world;
    world_new(&world, 36, 37, (predt_globe)PREDT_GLOBE_INIT(90, -5.000005, 10), PREDT_LABEL_32, 1);
    scene_put(&world.scene, 3, 30);
    scene_put(&world.scene, 20, 36);
    check_world(&world);
}

/* Rows of a Mercator map, closer and closer together in latitude. */
static void latitudes_may_be_given_row_by_row(void **nothing) {
    (void)nothing;
    for (int pattern = 0; pattern < 3; pattern++) {
        struct world world;
        double latitudes[60];
        for (int i = 0; i < 60; i++)
            latitudes[i] = 57.29577951 * atan(sinh(3.1 * (1 - (double)i / 29.5)));
        predt_globe globe = PREDT_GLOBE_INIT(0, 0, 6);
        globe.latitudes = latitudes;
        world_new(&world, 60, 60, globe, PREDT_LABEL_NONE, 7);
        uint64_t state = 9;
        for (int i = 0; i < (pattern ? 400 * pattern : 3); i++)
            scene_put(&world.scene, random_below(&state, 60), random_below(&state, 60));
        check_world(&world);
    }
}

static void without_a_target_nothing_is_in_reach(void **nothing) {
    (void)nothing;
    struct world world;
    world_new(&world, 90, 45, (predt_globe)PREDT_GLOBE_INIT(88, -4, 4), PREDT_LABEL_32, 1);
    check_world(&world);
}

/* Every type of pixel is made of PROJ's number. */
static void encoded_distances_are_those_of_proj(void **nothing) {
    (void)nothing;
    struct world world;
    predt_ctx *ctx = open_ctx(2);
    world_draw(&world, 19 * 3 + 1);
    world.scene.grid.max_distance = INFINITY;
    struct answer right = world_oracle(&world);
    int64_t count = right.cols * right.rows;
    double scale = 60000 / (3.2 * world.globe.semi_major_axis), *numbers;
    uint16_t *wholes = test_malloc((size_t)count * sizeof *wholes);
    numbers = test_malloc((size_t)count * sizeof *numbers);
    predt_tally tally = PREDT_TALLY_INIT;
    predt_encoding encoding = PREDT_ENCODING_INIT;
    encoding.values = wholes;
    encoding.type = PREDT_UINT16;
    encoding.none.i = 65535;
    encoding.scale = scale;
    encoding.tally = &tally;
    predt_outputs outputs = PREDT_OUTPUTS_INIT;
    outputs.encoding = &encoding;
    const struct scene *scene = &world.scene;
    assert_ok(ctx, predt_transform(ctx, &scene->grid, scene->is_target, NULL, PREDT_LABEL_NONE,
                                   &outputs, NULL, NULL));
    double farthest = 0;
    for (int64_t i = 0; i < count; i++) {
        double distance = sqrt(right.distance2[i]);
        assert_int_equal(wholes[i], (int)floor(distance * scale + 0.5));
        farthest = fmax(farthest, distance * scale);
    }
    assert_true(tally.farthest == farthest);
    encoding.values = numbers;
    encoding.type = PREDT_FLOAT64;
    encoding.scale = 1;
    assert_ok(ctx, predt_transform(ctx, &scene->grid, scene->is_target, NULL, PREDT_LABEL_NONE,
                                   &outputs, NULL, NULL));
    for (int64_t i = 0; i < count; i++) assert_true(numbers[i] == sqrt(right.distance2[i]));
    test_free(wholes);
    test_free(numbers);
    answer_free(&right);
    world_free(&world);
    predt_close(&ctx);
}

static void a_mask_and_a_minimum_take_pixels_out(void **nothing) {
    (void)nothing;
    struct world world;
    predt_ctx *ctx = open_ctx(1);
    world_new(&world, 64, 40, (predt_globe)PREDT_GLOBE_INIT(20, -1, 1), PREDT_LABEL_NONE, 1);
    scene_put(&world.scene, 30, 20);
    struct answer right = world_oracle(&world);
    uint8_t mask[64 * 40] = {0};
    float distance[64 * 40];
    for (int i = 0; i < 64 * 40; i += 3) mask[i] = 1;
    predt_outputs outputs = PREDT_OUTPUTS_INIT;
    outputs.distance = distance;
    outputs.mask = mask;
    outputs.min_distance = 300000;
    assert_ok(ctx, predt_transform(ctx, &world.scene.grid, world.scene.is_target, NULL,
                                   PREDT_LABEL_NONE, &outputs, NULL, NULL));
    for (int i = 0; i < 64 * 40; i++)
        assert_true(distance[i] ==
                    (mask[i] || right.distance[i] < 300000 ? INFINITY : right.distance[i]));
    answer_free(&right);
    world_free(&world);
    predt_close(&ctx);
}

/* ---- What is refused ---- */

static void assert_refused(predt_ctx *ctx, int64_t width, int64_t height, const predt_globe *globe,
                           const char *why) {
    predt_grid grid = PREDT_GRID_INIT(width, height);
    predt_index *index;
    predt_memory memory = PREDT_MEMORY_INIT;
    grid.globe = globe;
    assert_int_equal(predt_index_create(ctx, &grid, PREDT_LABEL_NONE, &index),
                     PREDT_ERROR_ARGUMENT);
    assert_non_null(strstr(predt_message(ctx), why));
    assert_null(index);
    assert_int_equal(predt_memory_needed(&grid, PREDT_LABEL_NONE, 1, &memory),
                     PREDT_ERROR_ARGUMENT);
}

static void grids_without_an_answer_are_refused_in_words(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(1);
    predt_globe globe = PREDT_GLOBE_INIT(45, -1, 1), changed = globe;
    changed.flattening = -1e-3;
    assert_refused(ctx, 10, 10, &changed, "prolate");
    changed.flattening = 1.0 / 100;
    assert_refused(ctx, 10, 10, &changed, "1/150");
    changed = globe, changed.semi_major_axis = 0;
    assert_refused(ctx, 10, 10, &changed, "semi-major");
    changed = globe, changed.first_latitude = 95;
    assert_refused(ctx, 10, 3, &changed, "beyond a pole");
    assert_refused(ctx, 10, 137, &globe, "beyond a pole");
    changed = globe, changed.longitude_step = 0;
    assert_refused(ctx, 10, 3, &changed, "longitude step");
    changed = globe, changed.latitude_step = 0;
    assert_refused(ctx, 10, 3, &changed, "latitude step");
    changed = globe, changed.longitude_step = 0.7;
    assert_refused(ctx, 300, 3, &changed, "no whole number");
    assert_refused(ctx, 720, 3, &globe, "twice or more");
    double folded[] = {10, 20, 15};
    changed = globe, changed.latitudes = folded;
    assert_refused(ctx, 10, 3, &changed, "neither rise nor fall");
    changed = globe, changed.size = 3;
    assert_refused(ctx, 10, 3, &changed, "predt_globe.size");
    predt_close(&ctx);
}

/* Half a turn at a pitch that does not divide one needs no turn at all. */
static void up_to_half_a_turn_any_pitch_will_do(void **nothing) {
    (void)nothing;
    struct world world;
    world_new(&world, 250, 12, (predt_globe)PREDT_GLOBE_INIT(66, -6, 0.7), PREDT_LABEL_NONE, 1);
    scene_put(&world.scene, 0, 6);
    scene_put(&world.scene, 249, 2);
    check_world(&world);
}

static void other_engines_refuse_a_globe(void **nothing) {
    (void)nothing;
    predt_options options = PREDT_OPTIONS_INIT;
    options.engine = "breu";
    predt_ctx *ctx;
    struct world world;
    float distance[100];
    world_new(&world, 10, 10, (predt_globe)PREDT_GLOBE_INIT(45, -1, 1), PREDT_LABEL_NONE, 1);
    assert_int_equal(predt_open(&ctx, &options), PREDT_OK);
    predt_outputs outputs = PREDT_OUTPUTS_INIT;
    outputs.distance = distance;
    assert_int_equal(predt_transform(ctx, &world.scene.grid, world.scene.is_target, NULL,
                                     PREDT_LABEL_NONE, &outputs, NULL, NULL),
                     PREDT_ERROR_ARGUMENT);
    assert_non_null(strstr(predt_message(ctx), "plane only"));
    predt_close(&ctx);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pixel_has_the_target_that_proj_says_is_nearest),
        cmocka_unit_test(any_window_at_any_step_gives_the_bytes_of_the_whole),
        cmocka_unit_test(cells_that_are_rounded_in_the_file_go_around),
        cmocka_unit_test(rows_that_are_rounded_in_the_file_end_at_the_pole),
        cmocka_unit_test(latitudes_may_be_given_row_by_row),
        cmocka_unit_test(without_a_target_nothing_is_in_reach),
        cmocka_unit_test(encoded_distances_are_those_of_proj),
        cmocka_unit_test(a_mask_and_a_minimum_take_pixels_out),
        cmocka_unit_test(grids_without_an_answer_are_refused_in_words),
        cmocka_unit_test(up_to_half_a_turn_any_pitch_will_do),
        cmocka_unit_test(other_engines_refuse_a_globe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
