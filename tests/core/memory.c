/* Each allocation failed in turn: the status says so and nothing is left behind. Linked with --wrap
 * for every function that hands out memory. */
#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>

#include "cmocka_all.h"
#include "oracle.h"
#include "solve.h"

/* ---- Wrapped allocators ---- */

static _Atomic bool armed;        /* count, and fail the one whose turn it is */
static _Atomic int64_t countdown; /* allocations until one fails */
static _Atomic int64_t live;      /* blocks and mappings made while armed and not given back */
static _Atomic int64_t failed;

static bool my_turn(void) {
    if (!armed || atomic_fetch_sub(&countdown, 1) != 1) return false;
    failed++;
    errno = ENOMEM;
    return true;
}

static void *counted(void *block) {
    if (armed && block) live++;
    return block;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **block, size_t alignment, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *block);
void *__real_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);
int __real_munmap(void *address, size_t size);
int __real_posix_fallocate(int file, off_t offset, off_t size);
int __real_mkostemp(char *path, int flags);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **block, size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *block);
void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);
int __wrap_munmap(void *address, size_t size);
int __wrap_posix_fallocate(int file, off_t offset, off_t size);
int __wrap_mkostemp(char *path, int flags);

void *__wrap_malloc(size_t size) { return my_turn() ? NULL : counted(__real_malloc(size)); }
void *__wrap_calloc(size_t count, size_t size) {
    return my_turn() ? NULL : counted(__real_calloc(count, size));
}
char *__wrap_strdup(const char *text) { return my_turn() ? NULL : counted(__real_strdup(text)); }

void *__wrap_realloc(void *block, size_t size) {
    if (my_turn()) return NULL;
    return block ? __real_realloc(block, size) : counted(__real_realloc(NULL, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return my_turn() ? NULL : counted(__real_aligned_alloc(alignment, size));
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size) {
    if (my_turn()) return ENOMEM;
    int fault = __real_posix_memalign(block, alignment, size);
    if (!fault) counted(*block);
    return fault;
}

void __wrap_free(void *block) {
    if (armed && block) live--;
    __real_free(block);
}

void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    if (my_turn()) return MAP_FAILED;
    void *mapped = __real_mmap(address, size, protection, flags, file, offset);
    return mapped == MAP_FAILED ? mapped : counted(mapped);
}

int __wrap_munmap(void *address, size_t size) {
    if (armed) live--;
    return __real_munmap(address, size);
}

int __wrap_posix_fallocate(int file, off_t offset, off_t size) {
    return my_turn() ? ENOSPC : __real_posix_fallocate(file, offset, size);
}

int __wrap_mkostemp(char *path, int flags) { return my_turn() ? -1 : __real_mkostemp(path, flags); }

/* ---- One run with one failure ---- */

static int open_files(void) {
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;
    while (readdir(folder)) count++;
    closedir(folder);
    return count;
}

#define MOST_PIXELS (150 * 200)
static uint16_t whole_numbers[MOST_PIXELS];

/* Opens, transforms and closes; the n-th allocation fails. Beside all other outputs distances are
 * asked for as whole numbers. */
static predt_status run(const struct scene *scene, const predt_options *options,
                        const struct answer *got, int64_t n) {
    predt_outputs outputs = answer_outputs(got, scene);
    predt_tally tally = PREDT_TALLY_INIT;
    predt_ctx *ctx;
    memset(whole_numbers, 0xa5, sizeof whole_numbers);
    predt_encoding encoding = {sizeof encoding, whole_numbers, PREDT_UINT16, 0, 1.0,
                               {65535},         {0},           &tally};
    outputs.encoding = &encoding;
    predt_message(NULL); /* this thread's room for messages stays as long as it lives */
    live = failed = 0;
    countdown = n;
    armed = true;
    predt_status status = predt_open(&ctx, options);
    if (status == PREDT_OK)
        status = predt_transform(ctx, &scene->grid, scene->is_target, scene->labels,
                                 scene->label_type, &outputs, NULL, NULL);
    bool has_message = predt_message(ctx)[0] != 0;
    predt_close(&ctx);
    armed = false;
    assert_true(status == PREDT_OK || has_message);
    assert_true(status == PREDT_OK || tally.farthest < 0);
    return status;
}

static void assert_same_whole_numbers(const struct answer *right) {
    for (int64_t i = 0; i < right->cols * right->rows; i++)
        assert_int_equal(whole_numbers[i],
                         isinf(right->distance2[i]) ? 65535 : round(sqrt(right->distance2[i])));
}

/* A failure either shows in the status, or did not matter and the answer is right (fewer threads
 * than asked for). */
static void check_failures(struct scene *scene, const predt_options *options) {
    struct answer right = oracle(scene);
    int files = open_files(), refused = 0;
    for (int64_t n = 1;; n++) {
        struct answer got = answer_new(scene->grid.width, scene->grid.height, 0, scene->label_type);
        predt_status status = run(scene, options, &got, n);
        assert_int_equal(live, 0);
        assert_int_equal(open_files(), files);
        if (status == PREDT_OK)
            assert_same_answer(&got, &right, scene, "after a failed allocation");
        if (status == PREDT_OK) assert_same_whole_numbers(&right);
        else assert_true(failed && (status == PREDT_ERROR_MEMORY || status == PREDT_ERROR_IO));
        answer_free(&got);
        refused += status != PREDT_OK;
        if (!failed) break;
        assert_true(n < 10000);
    }
    assert_true(refused >= 5);
    answer_free(&right);
    scene_free(scene);
}

static struct scene crowded(predt_label_type labels, int pattern) {
    struct scene scene = scene_new(150, 200, shape_named("square"), labels, 12);
    scene_fill(&scene, pattern);
    return scene;
}

static void each_allocation_on_one_thread(void **nothing) {
    (void)nothing;
    predt_options options = PREDT_OPTIONS_INIT;
    options.threads = 1;
    for (int pattern = 2; pattern < 12; pattern += 3) {
        struct scene scene = crowded(PREDT_LABEL_32, pattern);
        check_failures(&scene, &options);
    }
}

static void each_allocation_on_three_threads(void **nothing) {
    (void)nothing;
    predt_options options = PREDT_OPTIONS_INIT;
    options.threads = 3;
    struct scene scene = crowded(PREDT_LABEL_64, 4);
    check_failures(&scene, &options);
}

static void each_allocation_with_the_index_on_file(void **nothing) {
    (void)nothing;
    predt_options options = PREDT_OPTIONS_INIT;
    options.threads = 2;
    options.index_memory = 1;
    struct scene scene = crowded(PREDT_LABEL_32, 3);
    check_failures(&scene, &options);
}

static void each_allocation_of_the_reference_engines(void **nothing) {
    (void)nothing;
    static const char *const engines[] = {"breu", "voronoi-points", "voronoi-circles:step=3",
                                          "voronoi-dilate"};
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        predt_options options = PREDT_OPTIONS_INIT;
        options.threads = 1;
        options.engine = engines[i];
        struct scene scene = scene_new(60, 70, shape_named("square"), PREDT_LABEL_32, 12);
        scene_fill(&scene, 3);
        check_failures(&scene, &options);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation_on_one_thread),
        cmocka_unit_test(each_allocation_on_three_threads),
        cmocka_unit_test(each_allocation_with_the_index_on_file),
        cmocka_unit_test(each_allocation_of_the_reference_engines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
