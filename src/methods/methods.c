/* What every reference method needs to be an engine. */
#include "methods.h"

#include <math.h>

struct state {
    const predt__method *method;
    predt__mutex lock;
    predt__site *nearest; /* of the whole raster with this serial; NULL: of none */
    uint64_t serial;
};

predt_status predt__reference_open(predt_ctx *ctx, void **opened) {
    struct state *state = calloc(1, sizeof *state);
    if (!state) return predt__fail(ctx, PREDT_ERROR_MEMORY, "out of memory");
    state->method = ctx->engine->method;
    predt__mutex_init(&state->lock);
    *opened = state;
    return PREDT_OK;
}

void predt__reference_close(void *opened) {
    struct state *state = opened;
    if (!state) return;
    predt__mutex_destroy(&state->lock);
    free(state->nearest);
    free(state);
}

/* ---- What a method may refuse ---- */

const char *predt__wants_squares(const predt_index *index) {
    return index->metric.wx == index->metric.wy
               ? NULL
               : "it counts steps from pixel to pixel, so pixels must be square";
}

const char *predt__wants_integers(const predt_index *index) {
    return index->metric.integer
               ? NULL
               : "the squares of the pixel's sides must stand in a ratio of small integers";
}

static predt_status check(predt_ctx *ctx, const predt__method *method, const predt_index *index) {
    const char *why = method->refuses ? method->refuses(index) : NULL;
    if (!why && index->metric.number == PREDT__INT64)
        why = "squared distances reach 2^53, which is more than it can compare";
    return why ? predt__fail(ctx, PREDT_ERROR_ARGUMENT, "engine %s: %s", ctx->engine->name, why)
               : PREDT_OK;
}

/* ---- Targets ---- */

predt__site *predt__sites(const predt_index *index) {
    predt__site *sites = malloc(((size_t)predt_index_targets(index) + 1) * sizeof *sites),
                *next = sites;
    for (int32_t col = 0; sites && col < index->width; col++)
        for (int64_t block = 0; block < index->blocks; block++)
            for (uint32_t word = predt__block_words(index, block)[col]; word; word &= word - 1)
                *next++ = (predt__site){
                    col, (int32_t)(block * PREDT_SUBBLOCK_ROWS) + __builtin_ctz(word)};
    return sites;
}

/* ---- From targets to outputs ---- */

struct place {
    int32_t col, row; /* of the pixel */
    int64_t at;       /* in the outputs */
};

static void write_label(const predt__outputs *outputs, const predt_index *index, int64_t at,
                        uint64_t label) {
    if (index->label_type == PREDT_LABEL_32) ((uint32_t *)outputs->label)[at] = (uint32_t)label;
    else ((uint64_t *)outputs->label)[at] = label;
}

static void write_nothing(const predt__outputs *outputs, const predt_index *index, int64_t at) {
    if (outputs->distance) outputs->distance[at] = INFINITY;
    if (outputs->distance2) outputs->distance2[at] = INFINITY;
    if (outputs->nearest_col) outputs->nearest_col[at] = -1;
    if (outputs->nearest_row) outputs->nearest_row[at] = -1;
    if (outputs->direction) outputs->direction[at] = NAN;
    if (outputs->label) write_label(outputs, index, at, outputs->no_label);
}

static void write_pixel(const predt__outputs *outputs, const predt_index *index,
                        const struct place *place, predt__site site) {
    const predt__metric *metric = &index->metric;
    double d2 =
        site.col < 0 ? (double)INFINITY : predt__site_d2(metric, site, place->col, place->row);
    if (site.col < 0 || d2 > metric->limit) {
        write_nothing(outputs, index, place->at);
        return;
    }
    if (outputs->distance) outputs->distance[place->at] = predt__distance(d2, metric->unit);
    if (outputs->distance2) outputs->distance2[place->at] = predt__distance2(d2, metric->unit);
    if (outputs->nearest_col) outputs->nearest_col[place->at] = site.col;
    if (outputs->nearest_row) outputs->nearest_row[place->at] = site.row;
    if (outputs->direction)
        outputs->direction[place->at] =
            predt__azimuth(metric, (double)site.col - place->col, (double)site.row - place->row);
    if (outputs->label)
        write_label(outputs, index, place->at, predt__label_at(index, site.col, site.row));
}

/* nearest: rows of the raster's width, from raster row first_row on. */
static void write_window(const predt_window *window, const predt__outputs *outputs,
                         const predt_index *index, const predt__site *nearest, int64_t first_row) {
    for (int64_t i = 0; i < window->rows; i++)
        for (int64_t j = 0; j < window->cols; j++) {
            struct place place = {(int32_t)(window->col + j * window->step),
                                  (int32_t)(window->row + i * window->step),
                                  i * outputs->stride + j};
            write_pixel(outputs, index, &place,
                        nearest[(place.row - first_row) * index->width + place.col]);
        }
}

/* ---- Solving ---- */

/* Finds the nearest targets of some rows; *nearest is the caller's to free. */
static predt_status find(predt_ctx *ctx, const predt__method *method, const predt_index *index,
                         int64_t row, int64_t rows, predt__site **nearest) {
    *nearest = malloc((size_t)rows * (size_t)index->width * sizeof **nearest);
    predt__task task = {
        ctx,          index,         &index->metric, (int32_t)index->width, (int32_t)index->height,
        (int32_t)row, (int32_t)rows, *nearest};
    predt_status status = *nearest ? method->find(&task) : PREDT_ERROR_MEMORY;
    if (status == PREDT_OK) return PREDT_OK;
    free(*nearest);
    *nearest = NULL;
    return predt__fail(ctx, status, "engine %s: out of memory: it takes 8 bytes or more a pixel",
                       ctx->engine->name);
}

static predt_status solve_rows(predt_ctx *ctx, const predt__method *method,
                               const predt_index *index, const predt_window *window,
                               const predt__outputs *outputs) {
    predt__site *nearest;
    int64_t rows = (window->rows - 1) * window->step + 1;
    predt_status status = find(ctx, method, index, window->row, rows, &nearest);
    if (status == PREDT_OK) write_window(window, outputs, index, nearest, window->row);
    free(nearest);
    return status;
}

static predt_status solve_whole(predt_ctx *ctx, struct state *state, const predt_index *index,
                                const predt_window *window, const predt__outputs *outputs) {
    predt_status status = PREDT_OK;
    if (!state->nearest || state->serial != index->serial) {
        free(state->nearest);
        status = find(ctx, state->method, index, 0, index->height, &state->nearest);
        state->serial = index->serial;
    }
    if (status == PREDT_OK) write_window(window, outputs, index, state->nearest, 0);
    return status;
}

predt_status predt__reference_solve(predt_ctx *ctx, void *opened, const predt_index *index,
                                    const predt_window *window, const predt__outputs *outputs) {
    struct state *state = opened;
    predt_status status = check(ctx, state->method, index);
    if (status != PREDT_OK) return status;
    if (state->method->rows_alone) return solve_rows(ctx, state->method, index, window, outputs);
    predt__mutex_lock(&state->lock);
    status = solve_whole(ctx, state, index, window, outputs);
    predt__mutex_unlock(&state->lock);
    return status;
}
