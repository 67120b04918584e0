/* Structs of callers that were compiled with an older or a newer predt.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "solve.h"

#define GUARD 0xa5

/* A copy of a struct at the end of its memory: as much as its size says, so that a sanitizer sees
 * what reads or writes beyond; a compiler that looked inside would warn of our own reading, which
 * keeps to what there is. */
static void *cut(const void *given, size_t size) {
    void *(*volatile allocate)(size_t) = malloc, *copy = allocate(size);
    memcpy(copy, given, size);
    memcpy(copy, &size, sizeof size);
    return copy;
}

/* A newer one: known members, then members of which this version knows nothing. */
static void *grown(const void *given, size_t size, size_t more) {
    char *copy = malloc(size + more);
    memcpy(copy, given, size);
    memset(copy + size, GUARD, more);
    size += more;
    memcpy(copy, &size, sizeof size);
    return copy;
}

static void assert_guarded(const void *grown_one, size_t size, size_t more) {
    for (size_t i = 0; i < more; i++)
        assert_int_equal(((const unsigned char *)grown_one)[size + i], GUARD);
}

/* ---- One question, whose structs may be of any size ---- */

static const predt_grid grid = PREDT_GRID_INIT(6, 1);
static const uint8_t mask[6] = {1};
static const uint32_t labels[6] = {77};
static float distance[6];
static uint8_t wholes[6];
static uint32_t label[6];

static predt_status ask(predt_ctx *ctx, const predt_outputs *outputs) {
    return predt_transform(ctx, &grid, mask, labels, PREDT_LABEL_32, outputs, NULL, NULL);
}

static void an_older_window_takes_every_pixel(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(1);
    predt_index *index;
    predt_window window = PREDT_WINDOW_INIT(0, 0, 6, 1, 77);
    predt_window *old = cut(&window, offsetof(predt_window, step));
    predt_outputs outputs = {.size = sizeof outputs, .distance = distance};
    assert_ok(ctx, predt_index_create(ctx, &grid, PREDT_LABEL_NONE, &index));
    assert_ok(ctx, predt_index_add(index, 0, 1, mask, NULL));
    assert_ok(ctx, predt_index_seal(index));
    assert_ok(ctx, predt_query(ctx, index, old, &outputs));
    assert_true(distance[5] == 5);
    predt_index_destroy(&index);
    free(old);
    predt_close(&ctx);
}

static void an_older_grid_has_no_limit(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(1);
    predt_grid limited = PREDT_GRID_INIT(6, 1),
               *old = cut(&limited, offsetof(predt_grid, max_distance));
    predt_outputs outputs = {.size = sizeof outputs, .distance = distance};
    assert_ok(ctx, predt_transform(ctx, old, mask, NULL, PREDT_LABEL_NONE, &outputs, NULL, NULL));
    assert_true(distance[5] == 5);
    free(old);
    predt_close(&ctx);
}

static void an_older_grid_is_on_the_plane(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(1);
    predt_globe globe = PREDT_GLOBE_INIT(0, -1, 1);
    predt_grid on_the_globe = PREDT_GRID_INIT(6, 1);
    on_the_globe.globe = &globe;
    predt_grid *old = cut(&on_the_globe, offsetof(predt_grid, globe));
    predt_outputs outputs = {.size = sizeof outputs, .distance = distance};
    assert_ok(ctx, predt_transform(ctx, old, mask, NULL, PREDT_LABEL_NONE, &outputs, NULL, NULL));
    assert_true(distance[5] == 5);
    free(old);
    predt_close(&ctx);
}

static void an_older_globe_has_equal_steps(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(1);
    predt_globe globe = PREDT_GLOBE_INIT(0, -1, 1), *old;
    globe.latitudes = (const double *)1;
    old = cut(&globe, offsetof(predt_globe, latitudes));
    predt_grid on_the_globe = PREDT_GRID_INIT(6, 1);
    on_the_globe.globe = old;
    predt_outputs outputs = {.size = sizeof outputs, .distance = distance};
    assert_ok(ctx, predt_transform(ctx, &on_the_globe, mask, NULL, PREDT_LABEL_NONE, &outputs, NULL,
                                   NULL));
    assert_true(fabs((double)distance[5] - 5 * 111319.49) < 1);
    free(old);
    predt_close(&ctx);
}

/* The outputs of the first release: no label_bytes, no encoding. */
static void older_outputs_have_whole_labels_and_no_encoding(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(1);
    predt_encoding whole = {.size = sizeof whole, .values = wholes, .type = (predt_type)99};
    predt_outputs outputs = {.size = sizeof outputs,
                             .distance = distance,
                             .label = label,
                             .label_bytes = 99,
                             .encoding = &whole};
    predt_outputs *old = cut(&outputs, offsetof(predt_outputs, label_bytes));
    assert_ok(ctx, ask(ctx, old));
    assert_true(distance[5] == 5 && label[5] == 77);
    free(old);
    predt_close(&ctx);
}

static void an_older_encoding_has_no_tally(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(1);
    predt_encoding whole = {sizeof whole, wholes, PREDT_UINT8, 0,
                            1.0,          {255},  {0},         (predt_tally *)1},
                   *old = cut(&whole, offsetof(predt_encoding, tally));
    predt_outputs outputs = {.size = sizeof outputs, .encoding = old};
    assert_ok(ctx, ask(ctx, &outputs));
    assert_int_equal(wholes[5], 5);
    free(old);
    predt_close(&ctx);
}

static void an_older_tally_is_not_written_beyond_its_end(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(1);
    predt_tally start = PREDT_TALLY_INIT, *old = cut(&start, offsetof(predt_tally, clamped));
    predt_encoding whole = {sizeof whole, wholes, PREDT_UINT8, 0, 1.0, {255}, {0}, old};
    predt_outputs outputs = {.size = sizeof outputs, .encoding = &whole};
    assert_ok(ctx, ask(ctx, &outputs));
    assert_true(old->farthest == 5 && old->farthest_col == 5);
    assert_int_equal(old->size, offsetof(predt_tally, clamped));
    free(old);
    predt_close(&ctx);
}

static void an_older_engine_info_is_not_written_beyond_its_end(void **nothing) {
    (void)nothing;
    predt_engine_info start = PREDT_ENGINE_INFO_INIT,
                      *old = cut(&start, offsetof(predt_engine_info, unavailable));
    assert_int_equal(predt_engine_named("cpu", old), PREDT_OK);
    assert_string_equal(old->name, "cpu");
    assert_int_equal(old->exact, 1);
    assert_int_equal(old->size, offsetof(predt_engine_info, unavailable));
    assert_int_equal(predt_engine_at(0, old), PREDT_OK);
    free(old);
}

static void an_older_memory_is_not_written_beyond_its_end(void **nothing) {
    (void)nothing;
    predt_memory start = PREDT_MEMORY_INIT, *old = cut(&start, offsetof(predt_memory, query_min));
    assert_int_equal(predt_memory_needed(&grid, PREDT_LABEL_NONE, 1, old), PREDT_OK);
    assert_true(old->index > 0 && old->index_min > 0);
    free(old);
}

#define MORE 40

static void newer_structs_work_and_what_is_unknown_is_left_alone(void **nothing) {
    (void)nothing;
    predt_options first = PREDT_OPTIONS_INIT, *options = grown(&first, sizeof first, MORE);
    predt_tally start = PREDT_TALLY_INIT, *tally = grown(&start, sizeof start, MORE);
    predt_encoding plain = {sizeof plain, wholes, PREDT_UINT8, 0, 60.0, {255}, {0}, tally},
                   *whole = grown(&plain, sizeof plain, MORE);
    predt_outputs known = {.size = sizeof known, .distance = distance, .encoding = whole},
                  *outputs = grown(&known, sizeof known, MORE);
    predt_grid *newer_grid = grown(&grid, sizeof grid, MORE);
    predt_window all = PREDT_WINDOW_INIT(0, 0, 6, 1, 1), *window = grown(&all, sizeof all, MORE);
    predt_ctx *ctx;
    predt_index *index;
    assert_int_equal(predt_open(&ctx, options), PREDT_OK);
    assert_ok(ctx, predt_index_create(ctx, newer_grid, PREDT_LABEL_NONE, &index));
    assert_ok(ctx, predt_index_add(index, 0, 1, mask, NULL));
    assert_ok(ctx, predt_index_seal(index));
    assert_ok(ctx, predt_query(ctx, index, window, outputs));
    assert_true(distance[5] == 5 && wholes[5] == 254);
    assert_int_equal(tally->clamped, 1);
    assert_int_equal(tally->size, sizeof start + MORE);
    assert_guarded(tally, sizeof start, MORE);
    predt_index_destroy(&index);
    predt_close(&ctx);
    free(options), free(tally), free(whole), free(outputs), free(newer_grid), free(window);
}

static void a_newer_engine_info_keeps_what_is_unknown(void **nothing) {
    (void)nothing;
    predt_engine_info start = PREDT_ENGINE_INFO_INIT, *newer = grown(&start, sizeof start, MORE);
    assert_int_equal(predt_engine_at(0, newer), PREDT_OK);
    assert_non_null(newer->name);
    assert_int_equal(newer->size, sizeof start + MORE);
    assert_guarded(newer, sizeof start, MORE);
    free(newer);
}

/* ---- Sizes that are none ---- */

static void assert_size_is_refused(const predt_ctx *ctx, predt_status status, const char *type,
                                   size_t size) {
    char expected[200];
    snprintf(expected, sizeof expected,
             "%s.size is %zu: it has to be sizeof(%s), as its initializer in predt.h says", type,
             size, type);
    assert_int_equal(status, PREDT_ERROR_ARGUMENT);
    assert_string_equal(predt_message(ctx), expected);
}

static void check_size(size_t size) {
    predt_ctx *ctx;
    predt_options options = PREDT_OPTIONS_INIT;
    options.size = size;
    predt_status opened = predt_open(&ctx, &options);
    assert_size_is_refused(ctx, opened, "predt_options", size);
    predt_close(&ctx);
    ctx = open_ctx(1);
    predt_grid wrong_grid = PREDT_GRID_INIT(6, 1);
    predt_window window = PREDT_WINDOW_INIT(0, 0, 6, 1, 1);
    predt_tally tally = PREDT_TALLY_INIT;
    predt_encoding whole = {sizeof whole, wholes, PREDT_UINT8, 0, 1.0, {255}, {0}, &tally};
    predt_outputs outputs = {.size = size, .distance = distance, .encoding = &whole};
    predt_index *index;
    wrong_grid.size = size;
    assert_size_is_refused(ctx, predt_index_create(ctx, &wrong_grid, PREDT_LABEL_NONE, &index),
                           "predt_grid", size);
    assert_null(index);
    assert_ok(ctx, predt_index_create(ctx, &grid, PREDT_LABEL_NONE, &index));
    assert_ok(ctx, predt_index_add(index, 0, 1, mask, NULL));
    assert_ok(ctx, predt_index_seal(index));
    assert_size_is_refused(ctx, predt_query(ctx, index, &window, &outputs), "predt_outputs", size);
    assert_size_is_refused(ctx, ask(ctx, &outputs), "predt_outputs", size);
    outputs.size = sizeof outputs;
    whole.size = size;
    assert_size_is_refused(ctx, predt_query(ctx, index, &window, &outputs), "predt_encoding", size);
    whole.size = sizeof whole;
    tally.size = size;
    assert_size_is_refused(ctx, predt_query(ctx, index, &window, &outputs), "predt_tally", size);
    tally.size = sizeof tally;
    window.size = size;
    assert_size_is_refused(ctx, predt_query(ctx, index, &window, &outputs), "predt_window", size);
    predt_index_destroy(&index);
    predt_engine_info info = PREDT_ENGINE_INFO_INIT;
    info.size = size;
    assert_size_is_refused(NULL, predt_engine_at(0, &info), "predt_engine_info", size);
    assert_size_is_refused(NULL, predt_engine_named("cpu", &info), "predt_engine_info", size);
    predt_memory memory = PREDT_MEMORY_INIT;
    memory.size = size;
    assert_size_is_refused(NULL, predt_memory_needed(&grid, PREDT_LABEL_NONE, 1, &memory),
                           "predt_memory", size);
    predt_close(&ctx);
}

static void a_size_that_is_none_is_refused_by_every_call(void **nothing) {
    (void)nothing;
    static const size_t sizes[] = {0, 1, 7, 4097, 1000000, SIZE_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) check_size(sizes[i]);
}

static void a_struct_that_is_not_there_is_refused(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(1);
    predt_index *index;
    assert_int_equal(predt_index_create(ctx, NULL, PREDT_LABEL_NONE, &index), PREDT_ERROR_ARGUMENT);
    assert_string_equal(predt_message(ctx), "no predt_grid was given");
    assert_int_equal(ask(ctx, NULL), PREDT_ERROR_ARGUMENT);
    assert_string_equal(predt_message(ctx), "no predt_outputs was given");
    predt_close(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_older_window_takes_every_pixel),
        cmocka_unit_test(an_older_grid_has_no_limit),
        cmocka_unit_test(an_older_grid_is_on_the_plane),
        cmocka_unit_test(an_older_globe_has_equal_steps),
        cmocka_unit_test(older_outputs_have_whole_labels_and_no_encoding),
        cmocka_unit_test(an_older_encoding_has_no_tally),
        cmocka_unit_test(an_older_tally_is_not_written_beyond_its_end),
        cmocka_unit_test(an_older_engine_info_is_not_written_beyond_its_end),
        cmocka_unit_test(an_older_memory_is_not_written_beyond_its_end),
        cmocka_unit_test(newer_structs_work_and_what_is_unknown_is_left_alone),
        cmocka_unit_test(a_newer_engine_info_keeps_what_is_unknown),
        cmocka_unit_test(a_size_that_is_none_is_refused_by_every_call),
        cmocka_unit_test(a_struct_that_is_not_there_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
