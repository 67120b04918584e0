/* Two oracles: every target for every pixel, and a search outward column by column. */
#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"

/* How the oracle holds a target seen from a pixel. long double keeps every integer below 2^64 and
 * every double as it is. */
struct sight {
    long double d2;
    int64_t col, row;
};

#define NOTHING ((struct sight){INFINITY, -1, -1})

static long double squared(const struct shape *shape, int64_t dcol, int64_t drow) {
    if (shape->integer)
        return (long double)((int64_t)shape->wx * (dcol * dcol) +
                             (int64_t)shape->wy * (drow * drow));
    return shape->wx * (double)(dcol * dcol) + shape->wy * (double)(drow * drow);
}

/* Whether a beats b, seen from a pixel in this row. Rows that rounding makes equally far are still
 * told apart. */
static bool beats(struct sight a, struct sight b, int64_t row) {
    if (a.d2 != b.d2) return a.d2 < b.d2;
    if (a.col != b.col) return a.col < b.col;
    int64_t down_a = llabs(a.row - row), down_b = llabs(b.row - row);
    return down_a != down_b ? down_a < down_b : a.row < b.row;
}

/* Inclusive; the slack stands for binary fractions such as 3 * 0.1 against 0.3. */
static bool in_reach(const struct scene *scene, long double d2) {
    return sqrtl(d2) * scene->shape->unit <= (long double)scene->grid.max_distance * (1 + 3e-15L);
}

static float azimuth(const predt_grid *grid, int64_t dcol, int64_t drow) {
    if (dcol == 0 && drow == 0) return 0.0f;
    double east = (double)dcol * grid->col_step[0] + (double)drow * grid->row_step[0];
    double north = (double)dcol * grid->col_step[1] + (double)drow * grid->row_step[1];
    long double angle = atan2l(east, north) * 57.295779513082320876798154814105L;
    return (float)(angle <= 0 ? angle + 360 : angle);
}

static void write_label(struct answer *answer, const struct scene *scene, int64_t pixel,
                        struct sight seen) {
    int64_t size = scene->label_type;
    if (!size) return;
    uint32_t low = (uint32_t)scene->no_label;
    const void *from = size == 4 ? (const void *)&low : &scene->no_label;
    if (seen.row >= 0)
        from = (const char *)scene->labels + (seen.row * scene->grid.width + seen.col) * size;
    memcpy((char *)answer->label + pixel * size, from, (size_t)size);
}

static void write_pixel(struct answer *answer, const struct scene *scene, int64_t col, int64_t row,
                        struct sight seen) {
    int64_t pixel = row * scene->grid.width + col;
    if (seen.row >= 0 && !in_reach(scene, seen.d2)) seen = NOTHING;
    double d2 = (double)seen.d2, unit = scene->shape->unit;
    answer->distance[pixel] = (float)(sqrt(d2) * unit);
    answer->distance2[pixel] = d2 * (unit * unit);
    answer->nearest_col[pixel] = (int32_t)seen.col;
    answer->nearest_row[pixel] = (int32_t)seen.row;
    answer->direction[pixel] =
        seen.row < 0 ? NAN : azimuth(&scene->grid, seen.col - col, seen.row - row);
    write_label(answer, scene, pixel, seen);
}

/* ---- Brute force ---- */

static int64_t collect(const struct scene *scene, struct sight **sites) {
    int64_t pixels = scene->grid.width * scene->grid.height, count = 0;
    for (int64_t i = 0; i < pixels; i++) count += scene->is_target[i] != 0;
    *sites = malloc((size_t)(count + 1) * sizeof **sites);
    assert_non_null(*sites);
    count = 0;
    for (int64_t i = 0; i < pixels; i++)
        if (scene->is_target[i])
            (*sites)[count++] = (struct sight){0, i % scene->grid.width, i / scene->grid.width};
    return count;
}

struct answer oracle_brute(const struct scene *scene) {
    struct sight *sites;
    int64_t count = collect(scene, &sites), width = scene->grid.width;
    struct answer answer = answer_new(width, scene->grid.height, 0, scene->label_type);
    for (int64_t row = 0; row < scene->grid.height; row++)
        for (int64_t col = 0; col < width; col++) {
            struct sight best = NOTHING;
            for (int64_t i = 0; i < count; i++) {
                struct sight seen = {squared(scene->shape, sites[i].col - col, sites[i].row - row),
                                     sites[i].col, sites[i].row};
                if (best.row < 0 || beats(seen, best, row)) best = seen;
            }
            write_pixel(&answer, scene, col, row, best);
        }
    free(sites);
    return answer;
}

/* ---- Search outward ---- */

/* The columns that hold a target, and for the current row the target nearest in each. */
struct columns {
    int64_t count;
    /* first_after: where this column's next target at or below the row is; -1: none */
    int64_t *col, *first_after, *nearest;
    int64_t *last; /* last target above the row; -1: none */
};

static int64_t next_target(const struct scene *scene, int64_t col, int64_t row) {
    while (row < scene->grid.height && !scene->is_target[row * scene->grid.width + col]) row++;
    return row < scene->grid.height ? row : -1;
}

static struct columns columns_new(const struct scene *scene) {
    size_t bytes = (size_t)scene->grid.width * sizeof(int64_t);
    struct columns columns = {0, malloc(bytes), malloc(bytes), malloc(bytes), malloc(bytes)};
    for (int64_t col = 0; col < scene->grid.width; col++) {
        int64_t first = next_target(scene, col, 0);
        if (first < 0) continue;
        columns.col[columns.count] = col;
        columns.first_after[columns.count] = first;
        columns.last[columns.count++] = -1;
    }
    return columns;
}

static void columns_free(struct columns *columns) {
    free(columns->col), free(columns->first_after), free(columns->nearest), free(columns->last);
}

/* Finds the nearest target of each column for this row; rows come in order. */
static void columns_at_row(struct columns *columns, const struct scene *scene, int64_t row) {
    for (int64_t i = 0; i < columns->count; i++) {
        if (columns->first_after[i] >= 0 && columns->first_after[i] < row) {
            columns->last[i] = columns->first_after[i];
            columns->first_after[i] = next_target(scene, columns->col[i], row);
        }
        int64_t above = columns->last[i], below = columns->first_after[i];
        columns->nearest[i] =
            above >= 0 && (below < 0 || row - above <= below - row) ? above : below;
    }
}

/* Tries columns from i in steps of way until none can beat best any more. */
static void search(const struct columns *columns, const struct scene *scene, int64_t i, int way,
                   int64_t col, int64_t row, struct sight *best) {
    for (; i >= 0 && i < columns->count; i += way) {
        int64_t dcol = columns->col[i] - col;
        if (squared(scene->shape, dcol, 0) > best->d2) return;
        struct sight seen = {squared(scene->shape, dcol, columns->nearest[i] - row),
                             columns->col[i], columns->nearest[i]};
        if (beats(seen, *best, row)) *best = seen;
    }
}

struct answer oracle_search(const struct scene *scene) {
    struct columns columns = columns_new(scene);
    struct answer answer = answer_new(scene->grid.width, scene->grid.height, 0, scene->label_type);
    for (int64_t row = 0; row < scene->grid.height; row++) {
        columns_at_row(&columns, scene, row);
        int64_t right = 0; /* first column of the list at or right of the pixel */
        for (int64_t col = 0; col < scene->grid.width; col++) {
            while (right < columns.count && columns.col[right] < col) right++;
            struct sight best = NOTHING;
            search(&columns, scene, right, 1, col, row, &best);
            search(&columns, scene, right - 1, -1, col, row, &best);
            write_pixel(&answer, scene, col, row, best);
        }
    }
    columns_free(&columns);
    return answer;
}

struct answer oracle(const struct scene *scene) {
    int64_t pixels = scene->grid.width * scene->grid.height, targets = 0;
    for (int64_t i = 0; i < pixels; i++) targets += scene->is_target[i] != 0;
    return pixels * targets <= 1000000 ? oracle_brute(scene) : oracle_search(scene);
}
