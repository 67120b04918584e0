/* Who is told what when several threads fail, and what a log may do. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "core/context.h"
#include "core/parallel.h"
#include "solve.h"

#define SIDE_FAULT "a raster has 1 to 2147483647 columns and rows"
#define TYPE_FAULT "no such label type"

static void fail_with_sides(predt_ctx *ctx) {
    predt_grid grid = PREDT_GRID_INIT(0, 1);
    predt_index *index;
    assert_int_equal(predt_index_create(ctx, &grid, PREDT_LABEL_NONE, &index),
                     PREDT_ERROR_ARGUMENT);
}

static void fail_with_labels(predt_ctx *ctx) {
    predt_grid grid = PREDT_GRID_INIT(1, 1);
    predt_index *index;
    assert_int_equal(predt_index_create(ctx, &grid, (predt_label_type)3, &index),
                     PREDT_ERROR_ARGUMENT);
}

/* ---- Threads ---- */

#define ROUNDS 2000

static void *fail_and_read(void *ctx) {
    for (int i = 0; i < ROUNDS; i++) {
        fail_with_labels(ctx);
        assert_string_equal(predt_message(ctx), TYPE_FAULT);
    }
    return NULL;
}

static void *only_read(void *ctx) {
    for (int i = 0; i < ROUNDS; i++) {
        const char *text = predt_message(ctx);
        assert_true(!*text || strcmp(text, TYPE_FAULT) == 0 || strcmp(text, SIDE_FAULT) == 0);
    }
    return NULL;
}

static void a_thread_reads_its_own_failure_while_others_fail(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(1);
    pthread_t other, reader;
    assert_int_equal(pthread_create(&other, NULL, fail_and_read, ctx), 0);
    assert_int_equal(pthread_create(&reader, NULL, only_read, ctx), 0);
    for (int i = 0; i < ROUNDS; i++) {
        fail_with_sides(ctx);
        assert_string_equal(predt_message(ctx), SIDE_FAULT);
    }
    pthread_join(other, NULL);
    pthread_join(reader, NULL);
    predt_close(&ctx);
}

static void *fail_once(void *ctx) { return fail_with_sides(ctx), NULL; }

static void a_thread_without_a_failure_reads_that_of_another(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(1), *quiet = open_ctx(1);
    pthread_t other;
    assert_string_equal(predt_message(ctx), "");
    assert_int_equal(pthread_create(&other, NULL, fail_once, ctx), 0);
    pthread_join(other, NULL);
    assert_string_equal(predt_message(ctx), SIDE_FAULT);
    assert_string_equal(predt_message(quiet), "");
    predt_close(&ctx);
    predt_close(&quiet);
}

static void each_context_has_its_own(void **nothing) {
    (void)nothing;
    predt_ctx *a = open_ctx(1), *b = open_ctx(1);
    fail_with_sides(a);
    fail_with_labels(b);
    assert_string_equal(predt_message(a), SIDE_FAULT);
    assert_string_equal(predt_message(b), TYPE_FAULT);
    predt_close(&a);
    predt_close(&b);
}

static predt_status fail_as_a_helper(predt__queue *queue, void *ctx) {
    for (int64_t item; (item = predt__take(queue)) >= 0;)
        if (item == 99) return predt__fail(ctx, PREDT_ERROR_IO, "item 99");
    return PREDT_OK;
}

/* Whichever thread it happened on. */
static void the_failure_of_a_helper_is_the_caller_s(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(4);
    for (int i = 0; i < 200; i++) {
        predt__fail(ctx, PREDT_OK, "an older one");
        assert_int_equal(predt__end_call(ctx, predt__parallel(4, 100, fail_as_a_helper, ctx)),
                         PREDT_ERROR_IO);
        assert_string_equal(predt_message(ctx), "item 99");
    }
    predt_close(&ctx);
}

static void calls_without_a_context_have_one_too(void **nothing) {
    (void)nothing;
    predt_engine_info info = PREDT_ENGINE_INFO_INIT;
    assert_int_equal(predt_engine_named("no-such", &info), PREDT_ERROR_ARGUMENT);
    assert_string_equal(predt_message(NULL), "engine no-such: no such engine");
    predt_grid grid = PREDT_GRID_INIT(1, 0);
    predt_memory memory = PREDT_MEMORY_INIT;
    assert_int_equal(predt_memory_needed(&grid, PREDT_LABEL_NONE, 1, &memory),
                     PREDT_ERROR_ARGUMENT);
    assert_string_equal(predt_message(NULL), SIDE_FAULT);
}

/* ---- A log ---- */

struct book {
    predt_ctx *ctx;
    int lines;
};

static void fail_while_logging(const char *line, void *user) {
    struct book *book = user;
    assert_string_equal(line, "a choice was made: SIDE");
    fail_with_labels(book->ctx);
    assert_string_equal(predt_message(book->ctx), TYPE_FAULT);
    book->lines++;
}

static void a_log_may_fail_without_taking_the_caller_s_message(void **nothing) {
    (void)nothing;
    struct book book = {NULL, 0};
    predt_options options = PREDT_OPTIONS_INIT;
    options.log = fail_while_logging;
    options.log_user = &book;
    assert_int_equal(predt_open(&book.ctx, &options), PREDT_OK);
    predt_status status = predt__fail(book.ctx, PREDT_ERROR_ENGINE, "of the caller");
    predt__log_line(book.ctx, "a choice was made: %s", "SIDE");
    assert_int_equal(predt__end_call(book.ctx, status), PREDT_ERROR_ENGINE);
    assert_int_equal(book.lines, 1);
    assert_string_equal(predt_message(book.ctx), "of the caller");
    predt_close(&book.ctx);
}

/* So may a progress function. */
static int fail_in_progress(double complete, const char *message, void *user) {
    (void)message;
    fail_with_labels(user);
    return complete < 0.1;
}

static void a_progress_function_may_call_too(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_ctx(2);
    predt_grid grid = PREDT_GRID_INIT(40, 40);
    predt_outputs outputs = PREDT_OUTPUTS_INIT;
    static uint8_t mask[1600];
    assert_int_equal(
        predt_transform(ctx, &grid, mask, NULL, PREDT_LABEL_NONE, &outputs, fail_in_progress, ctx),
        PREDT_CANCELLED);
    assert_string_equal(predt_message(ctx), "cancelled");
    predt_close(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_reads_its_own_failure_while_others_fail),
        cmocka_unit_test(a_thread_without_a_failure_reads_that_of_another),
        cmocka_unit_test(each_context_has_its_own),
        cmocka_unit_test(the_failure_of_a_helper_is_the_caller_s),
        cmocka_unit_test(calls_without_a_context_have_one_too),
        cmocka_unit_test(a_log_may_fail_without_taking_the_caller_s_message),
        cmocka_unit_test(a_progress_function_may_call_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
