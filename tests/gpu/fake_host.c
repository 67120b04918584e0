#include "fake_host.h"

#include <stdio.h>
#include <string.h>

#include "answer.h"
#include "cmocka_all.h"
#include "random.h"
#include "solve.h"

char said[4096];
void (*answer_log)(void);

static void listen(const char *line, void *user) {
    (void)user;
    snprintf(said + strlen(said), sizeof said - strlen(said), "%s\n", line);
    void (*answer)(void) = answer_log;
    answer_log = NULL;
    if (answer) answer();
    answer_log = answer;
}

predt_ctx *open_engine(const char *engine, int64_t gpu_memory) {
    predt_options options = PREDT_OPTIONS_INIT;
    options.engine = engine;
    options.threads = 1;
    options.gpu_memory = gpu_memory;
    options.log = listen;
    predt_ctx *ctx;
    said[0] = 0;
    assert_ok(ctx, predt_open(&ctx, &options));
    return ctx;
}

void assert_nothing_left(void) {
    assert_int_equal(fake.allocated, 0);
    assert_int_equal(fake.pinned, 0);
    assert_int_equal(fake.streams, 0);
    assert_int_equal(fake.events, 0);
}

struct scene noise(predt_label_type label_type) {
    struct scene scene = scene_new(70, 200, &shapes[0], label_type, 5);
    uint64_t state = 5;
    for (int i = 0; i < 60; i++)
        scene_put(&scene, random_below(&state, 70), random_below(&state, 200));
    return scene;
}

predt_status query_all(predt_ctx *ctx, const struct scene *scene) {
    struct answer got = answer_new(scene->grid.width, scene->grid.height, 0, scene->label_type);
    predt_outputs outputs = answer_outputs(&got, scene);
    predt_status status = predt_transform(ctx, &scene->grid, scene->is_target, scene->labels,
                                          scene->label_type, &outputs, NULL, NULL);
    answer_free(&got);
    return status;
}
