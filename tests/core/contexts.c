/* An index is answered through any context: nothing that a context has kept of one index is taken
 * for another's. */
#include <string.h>

#include "cmocka_all.h"
#include "core/context.h"
#include "core/index.h"
#include "encoding.h"
#include "oracle.h"
#include "random.h"
#include "solve.h"

static predt_ctx *open_engine(const char *engine) {
    predt_options options = PREDT_OPTIONS_INIT;
    options.engine = engine;
    options.threads = 1;
    predt_ctx *ctx;
    predt_status status = predt_open(&ctx, &options);
    assert_ok(ctx, status);
    return ctx;
}

/* Sparse, and over several groups: the carry rows of a group are kept for the next query, if any
 * are. */
static struct scene sparse(uint64_t seed) {
    struct scene scene = scene_new(90, 1100, shape_named("square"), PREDT_LABEL_32, seed);
    uint64_t state = seed;
    for (int i = 0; i < 20; i++)
        scene_put(&scene, random_below(&state, 90), random_below(&state, 1100));
    return scene;
}

/* Each context has made one index, so that numbers of its own would be the same; both indexes are
 * asked for through one of them. */
static void check_two(const char *engine) {
    predt_ctx *ctx[2] = {open_engine(engine), open_engine("cpu")};
    struct scene scenes[2] = {sparse(1), sparse(2)};
    struct answer right[2] = {oracle(&scenes[0]), oracle(&scenes[1])};
    predt_index *index[2];
    uint64_t state = 7;
    for (int i = 0; i < 2; i++) index[i] = index_scene(ctx[i], &scenes[i], 3, 1);
    for (int turn = 0; turn < 12; turn++) {
        predt_window window = PREDT_WINDOW_INIT(0, turn * 5, 90, 40, 1);
        check_window(ctx[0], index[turn % 2], &scenes[turn % 2], &right[turn % 2], &window, 0);
        check_encoding(ctx[0], index[turn % 2], &scenes[turn % 2], &right[turn % 2], &window,
                       &state);
    }
    for (int i = 0; i < 2; i++) {
        predt_index_destroy(&index[i]);
        answer_free(&right[i]);
        scene_free(&scenes[i]);
    }
    for (int i = 0; i < 2; i++) predt_close(&ctx[i]);
}

static void every_engine_answers_the_index_of_another_context(void **nothing) {
    (void)nothing;
    predt_engine_info info = PREDT_ENGINE_INFO_INIT;
    for (int i = 0; predt_engine_at(i, &info) == PREDT_OK; i++)
        if (info.exact && !info.unavailable) check_two(info.name);
}

/* The heap gives the same place again and again: each index of this loop is another one there. */
static void check_one_after_another(const char *engine) {
    predt_ctx *asked = open_engine(engine), *maker = NULL;
    predt_window window = PREDT_WINDOW_INIT(0, 300, 90, 70, 1);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct scene scene = sparse(seed);
        struct answer right = oracle(&scene);
        predt_close(&maker);
        maker = open_engine("cpu");
        predt_index *index = index_scene(maker, &scene, 3, 1);
        for (int i = 0; i < 2; i++) check_window(asked, index, &scene, &right, &window, 0);
        predt_index_destroy(&index);
        answer_free(&right);
        scene_free(&scene);
    }
    predt_close(&maker);
    predt_close(&asked);
}

static void an_index_where_another_one_was_is_another_one(void **nothing) {
    (void)nothing;
    predt_engine_info info = PREDT_ENGINE_INFO_INIT;
    for (int i = 0; predt_engine_at(i, &info) == PREDT_OK; i++)
        if (info.exact && !info.unavailable) check_one_after_another(info.name);
}

static void no_two_indexes_have_the_same_number(void **nothing) {
    (void)nothing;
    predt_ctx *ctx[2] = {open_ctx(1), open_ctx(1)};
    predt_grid grid = PREDT_GRID_INIT(5, 5);
    uint64_t last = 0;
    for (int i = 0; i < 8; i++) {
        predt_index *index;
        assert_ok(ctx[i % 2], predt_index_create(ctx[i % 2], &grid, PREDT_LABEL_NONE, &index));
        assert_true(index->serial > last && index->serial != ctx[0]->serial &&
                    index->serial != ctx[1]->serial);
        last = index->serial;
        predt_index_destroy(&index);
    }
    predt_close(&ctx[0]);
    predt_close(&ctx[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_engine_answers_the_index_of_another_context),
        cmocka_unit_test(an_index_where_another_one_was_is_another_one),
        cmocka_unit_test(no_two_indexes_have_the_same_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
