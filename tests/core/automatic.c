/* "auto" with an accelerator that suits some windows: a made one here, that no build has. Linked
 * with --wrap for the look-up. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "core/context.h"
#include "oracle.h"
#include "solve.h"

/* ---- The made engine: it answers 7 everywhere, so that one sees who has answered ---- */

static struct made {
    predt_status open, solve;
    bool starting;
    atomic_int opened, solved;
} made;

static bool made_suits(const void *state, const predt_index *index, const predt_window *window,
                       int threads) {
    return (void)index, (void)threads, window->cols >= 20 && !(state && made.starting);
}

static predt_status made_open(predt_ctx *ctx, void **state) {
    *state = &made;
    made.opened++;
    return made.open == PREDT_OK ? PREDT_OK
                                 : predt__fail(ctx, made.open, "engine made: it does not start");
}

static predt_status made_solve(predt_ctx *ctx, void *state, const predt_index *index,
                               const predt_window *window, const predt__outputs *outputs) {
    (void)state, (void)index;
    made.solved++;
    for (int64_t i = 0; i < window->rows * window->cols; i++) outputs->distance[i] = 7;
    return made.solve == PREDT_OK ? PREDT_OK : predt__fail(ctx, made.solve, "it has broken down");
}

static const predt__engine engine = {
    .name = "made", .exact = 1, .open = made_open, .solve = made_solve, .suits = made_suits};

const predt__engine *__wrap_predt__accelerator(void);
const predt__engine *__wrap_predt__accelerator(void) { return &engine; }

/* ---- A context that writes down what it is told ---- */

static char said[2000];
static predt_ctx *logging;
static bool calling_back;

/* In a call that needs what is being told of, and in one that fails. */
static void call_back(void) {
    predt_grid grid = PREDT_GRID_INIT(30, 1), none = PREDT_GRID_INIT(0, 0);
    uint8_t mask[30] = {1};
    float distance[30];
    predt_outputs outputs = {.size = sizeof outputs, .distance = distance};
    predt_index *index;
    assert_ok(logging,
              predt_transform(logging, &grid, mask, NULL, PREDT_LABEL_NONE, &outputs, NULL, NULL));
    assert_int_equal(predt_index_create(logging, &none, PREDT_LABEL_NONE, &index),
                     PREDT_ERROR_ARGUMENT);
}

static void listen(const char *line, void *user) {
    (void)user;
    snprintf(said + strlen(said), sizeof said - strlen(said), "%s\n", line);
    if (!calling_back) return;
    calling_back = false;
    call_back();
    calling_back = true;
}

static void begin(struct made start) {
    predt_options options = PREDT_OPTIONS_INIT;
    made.open = start.open, made.solve = start.solve, made.starting = start.starting;
    made.opened = made.solved = 0;
    said[0] = 0;
    options.log = listen;
    assert_int_equal(predt_open(&logging, &options), PREDT_OK);
}

/* The distance at the end of a row of so many pixels, the first of which is a target. */
static float ask(int64_t cols) {
    static const uint8_t mask[100] = {1};
    static float distance[100];
    predt_grid grid = PREDT_GRID_INIT(cols, 1);
    predt_outputs outputs = {.size = sizeof outputs, .distance = distance};
    assert_ok(logging,
              predt_transform(logging, &grid, mask, NULL, PREDT_LABEL_NONE, &outputs, NULL, NULL));
    return distance[cols - 1];
}

/* ---- Tests ---- */

static void it_answers_what_it_suits(void **nothing) {
    (void)nothing;
    begin((struct made){.starting = false});
    assert_true(ask(10) == 9);
    assert_int_equal(made.opened, 0);
    assert_true(ask(40) == 7 && ask(50) == 7);
    assert_string_equal(predt_engine_name(logging), "made");
    assert_true(ask(10) == 9);
    assert_string_equal(predt_engine_name(logging), "cpu");
    assert_int_equal(made.opened, 1);
    assert_string_equal(said, "engine made: the raster is large enough for it\n");
    predt_close(&logging);
}

static void one_that_does_not_open_is_done_without_and_forgiven(void **nothing) {
    (void)nothing;
    begin((struct made){.open = PREDT_ERROR_ENGINE});
    assert_true(ask(40) == 39 && ask(40) == 39);
    assert_int_equal(made.opened, 1);
    assert_string_equal(said, "engine made: it does not start, so cpu it is\n");
    assert_string_equal(predt_message(logging), "");
    predt_close(&logging);
}

static void one_that_fails_is_replaced_for_good_and_forgiven(void **nothing) {
    (void)nothing;
    begin((struct made){.solve = PREDT_ERROR_ENGINE});
    assert_true(ask(40) == 39 && ask(40) == 39);
    assert_int_equal(made.solved, 1);
    assert_non_null(strstr(said, "engine made has failed (it has broken down), cpu goes on\n"));
    assert_string_equal(predt_message(logging), "");
    predt_close(&logging);
}

static void one_that_still_starts_is_not_waited_for(void **nothing) {
    (void)nothing;
    begin((struct made){.starting = true});
    assert_true(ask(40) == 39);
    made.starting = false;
    assert_true(ask(40) == 7);
    predt_close(&logging);
}

/* An index of so many columns, begun and given up. */
static void begin_index(predt_ctx *ctx, int64_t cols) {
    predt_grid grid = PREDT_GRID_INIT(cols, 1);
    predt_index *index;
    assert_ok(ctx, predt_index_create(ctx, &grid, PREDT_LABEL_NONE, &index));
    predt_index_destroy(&index);
}

static void it_starts_when_an_index_that_it_suits_is_begun(void **nothing) {
    (void)nothing;
    begin((struct made){.starting = true});
    begin_index(logging, 10);
    assert_int_equal(made.opened, 0);
    begin_index(logging, 40);
    assert_int_equal(made.opened, 1);
    assert_int_equal(made.solved, 0);
    predt_close(&logging);
}

static void an_engine_that_was_named_is_left_alone(void **nothing) {
    (void)nothing;
    predt_options options = PREDT_OPTIONS_INIT;
    options.engine = "cpu";
    made.opened = 0;
    assert_int_equal(predt_open(&logging, &options), PREDT_OK);
    begin_index(logging, 40);
    assert_true(ask(40) == 39);
    assert_int_equal(made.opened, 0);
    predt_close(&logging);
}

static const char *gone(const void *state) { return state ? "it has gone" : NULL; }

static void strips_are_refused_once_a_named_engine_is_known_not_to_run(void **nothing) {
    (void)nothing;
    const predt__engine broken = {.name = "broken", .probe = gone}, *kept;
    predt_grid grid = PREDT_GRID_INIT(40, 1);
    uint8_t mask[40] = {1};
    predt_index *index;
    begin((struct made){.starting = false});
    assert_ok(logging, predt_index_create(logging, &grid, PREDT_LABEL_NONE, &index));
    kept = logging->engine, logging->engine = &broken;
    assert_int_equal(predt_index_add(index, 0, 1, mask, NULL), PREDT_ERROR_ENGINE);
    assert_string_equal(predt_message(logging), "engine broken: it has gone");
    logging->engine = kept;
    predt_index_destroy(&index);
    predt_close(&logging);
}

static void a_log_may_call_predt(void **nothing) {
    (void)nothing;
    calling_back = true;
    begin((struct made){.solve = PREDT_ERROR_ENGINE});
    assert_true(ask(40) == 39);
    assert_non_null(strstr(said, "engine made has failed (it has broken down), cpu goes on\n"));
    predt_close(&logging);
    begin((struct made){.open = PREDT_ERROR_ENGINE});
    assert_true(ask(40) == 39);
    predt_close(&logging);
    calling_back = false;
}

static void *ask_often(void *nothing) {
    predt_grid grid = PREDT_GRID_INIT(40, 1);
    uint8_t mask[40] = {1};
    float distance[40];
    predt_outputs outputs = {.size = sizeof outputs, .distance = distance};
    for (int i = 0; i < 100; i++) {
        assert_ok(logging, predt_transform(logging, &grid, mask, NULL, PREDT_LABEL_NONE, &outputs,
                                           NULL, NULL));
        assert_true(distance[39] == 39);
    }
    return nothing;
}

static void it_may_fail_in_several_threads_at_once(void **nothing) {
    (void)nothing;
    begin((struct made){.solve = PREDT_ERROR_ENGINE});
    pthread_t other[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&other[i], NULL, ask_often, NULL), 0);
    for (int i = 0; i < 3; i++) pthread_join(other[i], NULL);
    assert_string_equal(predt_message(logging), "");
    predt_close(&logging);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_answers_what_it_suits),
        cmocka_unit_test(one_that_does_not_open_is_done_without_and_forgiven),
        cmocka_unit_test(one_that_fails_is_replaced_for_good_and_forgiven),
        cmocka_unit_test(one_that_still_starts_is_not_waited_for),
        cmocka_unit_test(it_starts_when_an_index_that_it_suits_is_begun),
        cmocka_unit_test(an_engine_that_was_named_is_left_alone),
        cmocka_unit_test(strips_are_refused_once_a_named_engine_is_known_not_to_run),
        cmocka_unit_test(a_log_may_call_predt),
        cmocka_unit_test(it_may_fail_in_several_threads_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
