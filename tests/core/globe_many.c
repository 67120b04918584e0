/* Not in the suite: solves as many random worlds as you like, with every instruction set, and
 * counts the pixels whose answer is not that of trying every target's row with PROJ.
 *
 *     core_globe_many FIRST_SEED WORLDS */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "core/bits.h"
#include "random.h"
#include "solve.h"
#include "world.h"

#define WINDOWS 2 /* of each world and instruction set */
#define PRINTED 20

struct counts {
    int64_t worlds, pixels, window_pixels, owners, distances, directions, labels, wholes;
};

static int64_t printed;

static void print_wrong(const struct world *world, const char *how, const struct answer *got,
                        const struct answer *right, int64_t at) {
    if (printed++ >= PRINTED) return;
    scene_print(&world->scene);
    printf("seed %" PRIu64 ", %s, column %" PRId64 ", row %" PRId64 ": (%d, %d) %.9g toward %.9g, "
           "right is (%d, %d) %.9g (%.17g) toward %.9g\n",
           world->scene.seed, how, at % got->stride, at / got->stride, got->nearest_col[at],
           got->nearest_row[at], (double)got->distance[at], (double)got->direction[at],
           right->nearest_col[at], right->nearest_row[at], (double)right->distance[at],
           sqrt(right->distance2[at]), (double)right->direction[at]);
}

static bool differs(const void *got, const void *right, int64_t at, size_t bytes) {
    return memcmp((const char *)got + (size_t)at * bytes, (const char *)right + (size_t)at * bytes,
                  bytes) != 0;
}

/* squares: whether they were asked for. */
static void count_wrong(struct counts *counts, const struct world *world, const char *how,
                        const struct answer *got, const struct answer *right, bool squares) {
    for (int64_t at = 0; at < got->stride * got->rows; at++) {
        bool owner = differs(got->nearest_col, right->nearest_col, at, 4) ||
                     differs(got->nearest_row, right->nearest_row, at, 4);
        bool distance = differs(got->distance, right->distance, at, 4) ||
                        (squares && differs(got->distance2, right->distance2, at, 8));
        bool direction = differs(got->direction, right->direction, at, 4);
        bool label =
            got->label_type && differs(got->label, right->label, at, (size_t)got->label_type);
        counts->owners += owner;
        counts->distances += distance;
        counts->directions += direction;
        counts->labels += label;
        if (owner || distance || direction || label) print_wrong(world, how, got, right, at);
    }
}

/* The farthest distance is told as it is, before it is rounded. */
static void count_wrong_wholes(struct counts *counts, const uint16_t *wholes,
                               const struct answer *right, double scale, double farthest) {
    double far = -1;
    for (int64_t at = 0; at < right->cols * right->rows; at++) {
        double distance = sqrt(right->distance2[at]) * scale;
        bool reached = right->nearest_col[at] >= 0;
        counts->wholes += wholes[at] != (reached ? (uint16_t)floor(distance + 0.5) : 65535);
        if (reached) far = fmax(far, distance);
    }
    counts->wholes += far != farthest;
}

static void solve_all(struct counts *counts, predt_ctx *ctx, const struct world *world,
                      const struct answer *right, const char *how) {
    const struct scene *scene = &world->scene;
    bool squares = scene->seed % 5 == 0;
    struct answer got = answer_new(right->cols, right->rows, 0, scene->label_type);
    predt_outputs outputs = answer_outputs(&got, scene);
    if (!squares) outputs.distance2 = NULL;
    predt_tally tally = PREDT_TALLY_INIT;
    predt_encoding encoding = PREDT_ENCODING_INIT;
    encoding.type = PREDT_UINT16;
    encoding.none.i = 65535;
    encoding.scale = 60000 / (3.2 * world->globe.semi_major_axis);
    encoding.tally = &tally;
    encoding.values = malloc((size_t)(right->cols * right->rows) * sizeof(uint16_t));
    if (scene->seed % 3 == 0) outputs.encoding = &encoding;
    assert_ok(ctx, predt_transform(ctx, &scene->grid, scene->is_target, scene->labels,
                                   scene->label_type, &outputs, NULL, NULL));
    count_wrong(counts, world, how, &got, right, squares);
    if (outputs.encoding)
        count_wrong_wholes(counts, encoding.values, right, encoding.scale, tally.farthest);
    counts->pixels += right->cols * right->rows;
    free(encoding.values);
    answer_free(&got);
}

static void solve_windows(struct counts *counts, predt_ctx *ctx, const struct world *world,
                          const struct answer *right, uint64_t state) {
    const struct scene *scene = &world->scene;
    predt_index *index = index_scene(ctx, scene, 1, state);
    for (int i = 0; i < WINDOWS; i++) {
        predt_window window = random_window(scene, &state);
        struct answer got = answer_new(window.cols, window.rows, 3, scene->label_type),
                      expected = answer_new(window.cols, window.rows, 3, scene->label_type);
        predt_outputs outputs = answer_outputs(&got, scene);
        outputs.distance2 = NULL;
        assert_ok(ctx, predt_query(ctx, index, &window, &outputs));
        answer_pick(&expected, right, &window);
        count_wrong(counts, world, "a window", &got, &expected, false);
        counts->window_pixels += window.cols * window.rows;
        answer_free(&got);
        answer_free(&expected);
    }
    predt_index_destroy(&index);
}

static void try_world(struct counts *counts, uint64_t seed) {
    struct world world;
    world_draw(&world, seed);
    struct answer right = world_oracle(&world);
    for (int position = 0; predt__isa_name(position); position++) {
        predt__isa_force(position);
        predt_ctx *ctx = open_ctx(1);
        solve_all(&counts[position], ctx, &world, &right, predt__isa_name(position));
        solve_windows(&counts[position], ctx, &world, &right, seed * 31 + (uint64_t)position);
        counts[position].worlds++;
        predt_close(&ctx);
    }
    answer_free(&right);
    world_free(&world);
}

static bool print_counts(const struct counts *counts) {
    bool wrong = false;
    for (int position = 0; predt__isa_name(position); position++) {
        const struct counts *c = &counts[position];
        printf("%-8s %" PRId64 " worlds, %" PRId64 " pixels (and %" PRId64
               " in windows): wrong owners %" PRId64 ", distances %" PRId64 ", directions %" PRId64
               ", labels %" PRId64 ", whole numbers %" PRId64 "\n",
               predt__isa_name(position), c->worlds, c->pixels, c->window_pixels, c->owners,
               c->distances, c->directions, c->labels, c->wholes);
        wrong = wrong || c->owners || c->distances || c->directions || c->labels || c->wholes;
    }
    fflush(stdout);
    return wrong;
}

int main(int argc, char **argv) {
    if (argc != 3) return fprintf(stderr, "usage: %s FIRST_SEED WORLDS\n", argv[0]), 2;
    uint64_t first = strtoull(argv[1], NULL, 10), worlds = strtoull(argv[2], NULL, 10);
    struct counts counts[PREDT__ISAS] = {{0}};
    for (uint64_t i = 0; i < worlds; i++) {
        try_world(counts, first + i);
        if (i % 1000 == 999) print_counts(counts);
    }
    return print_counts(counts);
}
