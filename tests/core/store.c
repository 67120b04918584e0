/* An index that may not stay in memory lives in a temporary file without a name. */
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "core/store.h"
#include "oracle.h"
#include "solve.h"

static char folder[64];

static int make_folder(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/predt-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder); /* fails if a file was left in it */
}

static predt_ctx *open_in(const char *temp_dir, int64_t index_memory) {
    predt_options options = PREDT_OPTIONS_INIT;
    options.threads = 1;
    options.temp_dir = temp_dir;
    options.index_memory = index_memory;
    predt_ctx *ctx;
    predt_status status = predt_open(&ctx, &options);
    assert_ok(ctx, status);
    return ctx;
}

static int entries(const char *path) {
    DIR *opened = opendir(path);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(opened));) count += entry->d_name[0] != '.';
    closedir(opened);
    return count;
}

/* Bytes of the deleted file in this folder that the process holds open; -1: there is none. */
static int64_t hidden_bytes(void) {
    int64_t bytes = -1;
    for (int file = 0; file < 256; file++) {
        char link[64], path[512];
        struct stat info;
        snprintf(link, sizeof link, "/proc/self/fd/%d", file);
        ssize_t length = readlink(link, path, sizeof path - 1);
        if (length < 0 || strncmp(path, folder, strlen(folder)) != 0 || fstat(file, &info))
            continue;
        assert_int_equal(info.st_nlink, 0);
        bytes = info.st_size;
    }
    return bytes;
}

/* Bytes of such files that are in memory. */
static int64_t resident_bytes(void) {
    FILE *maps = fopen("/proc/self/smaps", "r");
    char line[512];
    int64_t sum = 0;
    bool ours = false;
    while (fgets(line, sizeof line, maps)) {
        long long kilobytes;
        if (line[0] >= 'A' && line[0] <= 'Z') {
            if (ours && sscanf(line, "Rss: %lld kB", &kilobytes) == 1) sum += kilobytes * 1024;
        } else {
            ours = strstr(line, folder) != NULL;
        }
    }
    fclose(maps);
    return sum;
}

static void the_file_has_no_name_and_the_answer_is_the_same(void **nothing) {
    (void)nothing;
    struct scene scene = scene_new(211, 1200, shape_named("square"), PREDT_LABEL_32, 5);
    scene_fill(&scene, 4);
    struct answer right = oracle(&scene);
    predt_ctx *ctx = open_in(folder, 1);
    predt_index *index = index_scene(ctx, &scene, 2, 3);
    assert_int_equal(entries(folder), 0);
    assert_true(hidden_bytes() >= 211 * 1200 / 8);
    predt_window all = PREDT_WINDOW_INIT(0, 0, 211, 1200, 1);
    check_window(ctx, index, &scene, &right, &all, 0);
    predt_index_destroy(&index);
    assert_int_equal(hidden_bytes(), -1);
    predt_close(&ctx);
    answer_free(&right);
    scene_free(&scene);
}

static void below_the_limit_there_is_no_file(void **nothing) {
    (void)nothing;
    struct scene scene = scene_new(64, 64, shape_named("square"), PREDT_LABEL_NONE, 5);
    predt_ctx *ctx = open_in(folder, 1 << 20);
    predt_index *index = index_scene(ctx, &scene, 1, 1);
    assert_int_equal(hidden_bytes(), -1);
    predt_index_destroy(&index);
    predt_close(&ctx);
    scene_free(&scene);
}

static void a_folder_that_takes_no_file_is_an_error(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_in("/dev/null/nowhere", 1);
    predt_grid grid = PREDT_GRID_INIT(64, 64);
    predt_index *index;
    assert_int_equal(predt_index_create(ctx, &grid, PREDT_LABEL_NONE, &index), PREDT_ERROR_IO);
    assert_null(index);
    assert_non_null(strstr(predt_message(ctx), "/dev/null/nowhere"));
    predt_close(&ctx);
}

static void tmpdir_is_where_it_goes_by_default(void **nothing) {
    (void)nothing;
    setenv("TMPDIR", folder, 1);
    predt_ctx *ctx = open_in(NULL, 1);
    unsetenv("TMPDIR");
    predt_grid grid = PREDT_GRID_INIT(64, 64);
    predt_index *index;
    assert_ok(ctx, predt_index_create(ctx, &grid, PREDT_LABEL_NONE, &index));
    assert_true(hidden_bytes() > 0);
    predt_index_destroy(&index);
    predt_close(&ctx);
}

/* What is written stays written after the pages were dropped. */
static void dropped_bytes_come_back(void **nothing) {
    (void)nothing;
    predt_ctx *ctx = open_in(folder, 1);
    predt_status status;
    predt__store *store = predt__store_new(ctx);
    size_t size = 1 << 20;
    unsigned char *bytes = predt__store_take(store, size, &status);
    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++) assert_int_equal(bytes[i], 0);
    for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)(i * 31 / 7);
    predt__store_touch(store, 1 << 30);
    assert_int_equal(resident_bytes(), 0);
    for (size_t i = 0; i < size; i++) assert_int_equal(bytes[i], (unsigned char)(i * 31 / 7));
    predt__store_free(store);
    predt_close(&ctx);
}

/* ---- What of the file is in memory ---- */

struct watch {
    atomic_bool over;
    int64_t max;
};

static void *watch_pages(void *argument) {
    struct watch *watch = argument;
    while (!watch->over) {
        int64_t now = resident_bytes();
        if (now > watch->max) watch->max = now;
    }
    return NULL;
}

#define WIDE 2000
#define TALL 60000

static uint8_t some_targets[WIDE * PREDT_SUBBLOCK_ROWS];
static uint32_t some_labels[WIDE * PREDT_SUBBLOCK_ROWS];

static void fill(predt_ctx *ctx, predt_index *index, bool labels) {
    for (int i = 0; i < WIDE * PREDT_SUBBLOCK_ROWS; i++) some_targets[i] = i % 37 == 0;
    for (int64_t row = 0; row < TALL; row += PREDT_SUBBLOCK_ROWS)
        assert_ok(ctx, predt_index_add(index, row, PREDT_SUBBLOCK_ROWS, some_targets,
                                       labels ? some_labels : NULL));
    assert_ok(ctx, predt_index_seal(index));
}

/* All of it row by row out of order, then in large windows, a pixel every few hundred columns. */
static void ask(predt_ctx *ctx, const predt_index *index, bool labels) {
    static float distance[2000 * 16];
    static uint32_t label[2000 * 16];
    predt_outputs outputs = {
        .size = sizeof outputs, .distance = distance, .label = labels ? label : NULL};
    for (int64_t i = 0; i < TALL / 100; i++) {
        predt_window row = PREDT_WINDOW_INIT(0, i * 7919 % TALL, WIDE, 1, 1);
        assert_ok(ctx, predt_query(ctx, index, &row, &outputs));
    }
    predt_window all = PREDT_WINDOW_INIT(0, 0, 5, 2000, 30);
    assert_ok(ctx, predt_query(ctx, index, &all, &outputs));
}

/* Its words alone are 15 MB; one megabyte may be in memory, and what is being read, with the pages
 * that the kernel maps around each: a quarter of the words at most. */
static void check_pages(predt_label_type type, int64_t index_memory) {
    predt_grid grid = PREDT_GRID_INIT(WIDE, TALL);
    predt_ctx *ctx = open_in(folder, index_memory);
    predt_index *index;
    struct watch watch = {.over = false};
    pthread_t watcher;
    assert_int_equal(pthread_create(&watcher, NULL, watch_pages, &watch), 0);
    assert_ok(ctx, predt_index_create(ctx, &grid, type, &index));
    fill(ctx, index, type != PREDT_LABEL_NONE);
    ask(ctx, index, type != PREDT_LABEL_NONE);
    watch.over = true;
    pthread_join(watcher, NULL);
    assert_true(hidden_bytes() > 15000000);
    predt_index_destroy(&index);
    predt_close(&ctx);
    assert_true(watch.max > 0);
    if (watch.max > 15000000 / 4)
        fail_msg("%lld bytes of the file were in memory", (long long)watch.max);
}

static void little_of_the_file_is_in_memory_at_any_time(void **nothing) {
    (void)nothing;
    check_pages(PREDT_LABEL_NONE, 1);
    check_pages(PREDT_LABEL_32, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_file_has_no_name_and_the_answer_is_the_same),
        cmocka_unit_test(below_the_limit_there_is_no_file),
        cmocka_unit_test(a_folder_that_takes_no_file_is_an_error),
        cmocka_unit_test(tmpdir_is_where_it_goes_by_default),
        cmocka_unit_test(dropped_bytes_come_back),
        cmocka_unit_test(little_of_the_file_is_in_memory_at_any_time),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
