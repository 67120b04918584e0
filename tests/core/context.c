/* Opening, closing, options, messages, and the table of engines. */
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "core/context.h"
#include "solve.h"

static void assert_opens(const predt_options *options, predt_status expected) {
    predt_ctx *ctx;
    assert_int_equal(predt_open(&ctx, options), expected);
    assert_non_null(ctx);
    if (expected != PREDT_OK) assert_true(strlen(predt_message(ctx)) > 0);
    predt_close(&ctx);
    assert_null(ctx);
}

static void defaults_open(void **nothing) {
    (void)nothing;
    predt_options options = PREDT_OPTIONS_INIT;
    assert_opens(NULL, PREDT_OK);
    assert_opens(&options, PREDT_OK);
}

static void negative_options_are_refused(void **nothing) {
    (void)nothing;
    predt_options options = PREDT_OPTIONS_INIT;
    options.threads = -1;
    assert_opens(&options, PREDT_ERROR_ARGUMENT);
    options.threads = 0;
    options.index_memory = -1;
    assert_opens(&options, PREDT_ERROR_ARGUMENT);
}

static void an_engine_asked_for_by_name_is_never_replaced(void **nothing) {
    (void)nothing;
    predt_options options = PREDT_OPTIONS_INIT;
    options.engine = "no-such-engine";
    assert_opens(&options, PREDT_ERROR_ENGINE);
    predt_ctx *ctx;
    assert_int_equal(predt_open(&ctx, &options), PREDT_ERROR_ENGINE);
    assert_non_null(strstr(predt_message(ctx), "no-such-engine"));
    predt_close(&ctx);
}

static void assert_refuses(const char *engine, const char *message) {
    predt_options options = PREDT_OPTIONS_INIT;
    options.engine = engine;
    predt_ctx *ctx;
    assert_int_equal(predt_open(&ctx, &options), PREDT_ERROR_ARGUMENT);
    assert_string_equal(predt_message(ctx), message);
    predt_close(&ctx);
}

static void settings_follow_an_engine_s_name(void **nothing) {
    (void)nothing;
    predt_options options = PREDT_OPTIONS_INIT;
    options.engine = "voronoi-circles:step=7,step=1000";
    assert_opens(&options, PREDT_OK);
    assert_refuses("voronoi-circles:step=0",
                   "engine voronoi-circles: step is a number from 1 to 1000, not '0'");
    assert_refuses("voronoi-circles:step=1001",
                   "engine voronoi-circles: step is a number from 1 to 1000, not '1001'");
    assert_refuses("voronoi-circles:step=1e2",
                   "engine voronoi-circles: step is a number from 1 to 1000, not '1e2'");
    assert_refuses("voronoi-circles:step=-1",
                   "engine voronoi-circles: step is a number from 1 to 1000, not '-1'");
    assert_refuses("voronoi-circles:step=",
                   "engine voronoi-circles: step is a number from 1 to 1000, not ''");
    assert_refuses("voronoi-circles:step",
                   "engine voronoi-circles: step is a number from 1 to 1000, not ''");
    assert_refuses(
        "voronoi-circles:step=99999999999999999999",
        "engine voronoi-circles: step is a number from 1 to 1000, not '99999999999999999999'");
    assert_refuses("voronoi-circles:", "engine voronoi-circles has no setting ''");
    assert_refuses("voronoi-circles:step=2,", "engine voronoi-circles has no setting ''");
    assert_refuses("voronoi-circles:steps=2", "engine voronoi-circles has no setting 'steps'");
    assert_refuses("cpu:step=2", "engine cpu has no setting 'step'");
    options.engine = "voronoi-circle:step=2"; /* another name */
    assert_opens(&options, PREDT_ERROR_ENGINE);
    options.engine = "auto:step=2";
    assert_opens(&options, PREDT_ERROR_ENGINE);
}

/* What the settings in the text amount to, of an engine that takes a word and a number. */
static void assert_told(const char *text, int64_t share, int64_t rows) {
    static const predt_setting share_is = {
        sizeof share_is, "share", "", "strided|contiguous|none", 0, 0, 1};
    static const predt_setting rows_are = {sizeof rows_are,  "rows", "", NULL, 1,
                                           INT64_C(1) << 40, 20};
    static const predt_setting *const settings[] = {&share_is, &rows_are, NULL};
    const predt__engine engine = {.name = "fake", .settings = settings};
    predt_ctx *ctx;
    assert_int_equal(predt_open(&ctx, NULL), PREDT_OK);
    predt_status status = predt__settings_check(ctx, &engine, text);
    assert_int_equal(status, share < 0 ? PREDT_ERROR_ARGUMENT : PREDT_OK);
    if (status == PREDT_OK) {
        ctx->settings = text ? strdup(text) : NULL;
        assert_int_equal(predt__setting(ctx, &share_is), share);
        assert_int_equal(predt__setting(ctx, &rows_are), rows);
    }
    predt_close(&ctx);
}

static void settings_are_words_or_numbers(void **nothing) {
    (void)nothing;
    assert_told(NULL, 1, 20);
    assert_told("rows=7", 1, 7);
    assert_told("share=strided", 0, 20);
    assert_told("share=none,rows=1099511627776", 2, INT64_C(1) << 40);
    assert_told("rows=0007,share=contiguous,rows=8", 1, 8);
    assert_told("share=stride", -1, 0);
    assert_told("share=strided|contiguous", -1, 0);
    assert_told("share=", -1, 0);
    assert_told("share=1", -1, 0);
    assert_told("rows=1099511627777", -1, 0);
    assert_told("rows= 7", -1, 0);
    assert_told("rows=7=8", -1, 0);
    assert_told("=7", -1, 0);
}

static void every_engine_that_can_run_opens_by_name(void **nothing) {
    (void)nothing;
    predt_engine_info info = PREDT_ENGINE_INFO_INIT;
    int position = 0, runs = 0;
    for (; predt_engine_at(position, &info) == PREDT_OK; position++) {
        assert_true(info.name[0] && info.summary[0]);
        predt_options options = PREDT_OPTIONS_INIT;
        options.engine = info.name;
        assert_opens(&options, info.unavailable ? PREDT_ERROR_ENGINE : PREDT_OK);
        predt_engine_info same = PREDT_ENGINE_INFO_INIT;
        assert_int_equal(predt_engine_named(info.name, &same), PREDT_OK);
        assert_string_equal(same.name, info.name);
        assert_int_equal(!same.unavailable, !info.unavailable);
        runs += !info.unavailable;
    }
    assert_true(position >= 1 && runs >= 1);
    assert_int_equal(predt_engine_at(-1, &info), PREDT_ERROR_ARGUMENT);
    assert_int_equal(predt_engine_at(position + 100, &info), PREDT_ERROR_ARGUMENT);
    assert_int_equal(predt_engine_named("breu:a=1", &info), PREDT_OK);
    assert_int_equal(predt_engine_named("bre", &info), PREDT_ERROR_ARGUMENT);
    assert_int_equal(predt_engine_named("auto", &info), PREDT_ERROR_ARGUMENT);
    assert_int_equal(predt_engine_named(NULL, &info), PREDT_ERROR_ARGUMENT);
}

static void auto_takes_an_exact_engine(void **nothing) {
    (void)nothing;
    predt_options options = PREDT_OPTIONS_INIT;
    options.engine = "auto";
    predt_ctx *ctx;
    assert_int_equal(predt_open(&ctx, &options), PREDT_OK);
    predt_engine_info info = PREDT_ENGINE_INFO_INIT;
    int position = 0;
    while (predt_engine_at(position, &info) == PREDT_OK &&
           strcmp(info.name, predt_engine_name(ctx)) != 0)
        position++;
    assert_string_equal(info.name, predt_engine_name(ctx));
    assert_int_equal(info.exact, 1);
    predt_close(&ctx);
}

/* A caller built against an older header hands over a shorter struct: what lies behind it is not
 * read. */
static void a_shorter_options_struct_is_a_known_older_one(void **nothing) {
    (void)nothing;
    predt_options options = PREDT_OPTIONS_INIT;
    options.size = offsetof(predt_options, index_memory);
    options.threads = 1;
    options.index_memory = -1;
    options.temp_dir = (const char *)1;
    assert_opens(&options, PREDT_OK);
}

static void closing_null_does_nothing_and_null_has_a_message(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = NULL;
    predt_close(&ctx);
    assert_non_null(predt_message(NULL));
}

static void the_version_is_that_of_the_header(void **nothing) {
    (void)nothing;
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", PREDT_VERSION_MAJOR, PREDT_VERSION_MINOR,
             PREDT_VERSION_PATCH);
    assert_string_equal(predt_version(), version);
}

static void two_contexts_never_meet(void **nothing) {
    (void)nothing;
    predt_ctx *a = open_ctx(1), *b = open_ctx(2);
    predt_grid bad = PREDT_GRID_INIT(0, 0);
    predt_index *index;
    assert_int_equal(predt_index_create(a, &bad, PREDT_LABEL_NONE, &index), PREDT_ERROR_ARGUMENT);
    assert_true(predt_message(a)[0] != 0);
    assert_string_equal(predt_message(b), "");
    predt_close(&a);
    predt_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_open),
        cmocka_unit_test(negative_options_are_refused),
        cmocka_unit_test(an_engine_asked_for_by_name_is_never_replaced),
        cmocka_unit_test(settings_follow_an_engine_s_name),
        cmocka_unit_test(settings_are_words_or_numbers),
        cmocka_unit_test(every_engine_that_can_run_opens_by_name),
        cmocka_unit_test(auto_takes_an_exact_engine),
        cmocka_unit_test(a_shorter_options_struct_is_a_known_older_one),
        cmocka_unit_test(closing_null_does_nothing_and_null_has_a_message),
        cmocka_unit_test(the_version_is_that_of_the_header),
        cmocka_unit_test(two_contexts_never_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
