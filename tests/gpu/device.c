#include "device.h"

#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "solve.h"

const char *engine_missing(const char *engine) {
    predt_engine_info info = PREDT_ENGINE_INFO_INIT;
    for (int i = 0; predt_engine_at(i, &info) == PREDT_OK; i++)
        if (strcmp(info.name, engine) == 0) return info.unavailable;
    return "not built in";
}

predt_ctx *open_engine(const char *engine, int64_t gpu_memory) {
    predt_options options = PREDT_OPTIONS_INIT;
    options.engine = engine;
    options.gpu_memory = gpu_memory;
    predt_ctx *ctx;
    assert_ok(ctx, predt_open(&ctx, &options));
    /* settings may follow the name */
    assert_memory_equal(predt_engine_name(ctx), engine, strcspn(engine, ":"));
    return ctx;
}

struct answer ask(predt_ctx *ctx, const struct scene *scene, const predt_window *window) {
    predt_window whole = PREDT_WINDOW_INIT(0, 0, scene->grid.width, scene->grid.height, 1);
    if (!window) window = &whole;
    predt_index *index = index_scene(ctx, scene, 4, 1);
    struct answer got = answer_new(window->cols, window->rows, 3, scene->label_type);
    predt_outputs outputs = answer_outputs(&got, scene);
    assert_ok(ctx, predt_query(ctx, index, window, &outputs));
    predt_index_destroy(&index);
    return got;
}

void check_same(const char *engine, struct scene *scene, int64_t gpu_memory) {
    predt_ctx *cpu = open_engine("cpu", 0), *gpu = open_engine(engine, gpu_memory);
    struct answer right = ask(cpu, scene, NULL), got = ask(gpu, scene, NULL);
    char how[100];
    snprintf(how, sizeof how, "engine %s, %lld bytes of device memory", engine,
             (long long)gpu_memory);
    assert_same_answer(&got, &right, scene, how);
    answer_free(&right);
    answer_free(&got);
    predt_close(&cpu);
    predt_close(&gpu);
    scene_free(scene);
}
