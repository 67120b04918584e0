/* One block of memory for all arrays of a worker, and a list of those that are idle. */
#include "scratch.h"

#include <stdlib.h>
#include <string.h>

/* ---- Sizes ---- */

#define CACHE_LINE 64 /* bytes; each array starts one */

/* The next `bytes` of the memory, from *used on; without memory it only counts. */
static void *slice(char *memory, size_t *used, size_t bytes) {
    void *start = memory ? memory + *used : NULL;
    *used += (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    return start;
}

/* Lays the arrays out; returns how many bytes they take. */
static size_t lay_out(predt__scratch *s, char *memory, size_t width, bool labels) {
    size_t used = 0, list = list_room(width);
    s->above = slice(memory, &used, width * sizeof *s->above);
    s->below = slice(memory, &used, width * sizeof *s->below);
    s->words = slice(memory, &used, width * sizeof *s->words);
    s->insert = slice(memory, &used, width * sizeof *s->insert);
    s->far = slice(memory, &used, width / TILE + 1);
    s->counts = slice(memory, &used, (width / TILE + 1) * sizeof *s->counts);
    s->group_above = slice(memory, &used, PREDT__GROUP * width * sizeof *s->group_above);
    s->group_below = slice(memory, &used, PREDT__GROUP * width * sizeof *s->group_below);
    s->inserted = slice(memory, &used, 32 * width * sizeof *s->inserted);
    s->lower = slice(memory, &used, 64 * list * sizeof *s->lower);
    s->upper = slice(memory, &used, 4 * list * sizeof *s->upper);
    s->death = slice(memory, &used, 2 * list * sizeof *s->death);
    s->candidates = slice(memory, &used, 2 * list * sizeof *s->candidates);
    s->squares = slice(memory, &used, (width + 24) * sizeof *s->squares);
    for (int side = 0; labels && side < 2; side++)
        s->labels[side] = slice(memory, &used, width * sizeof(label_cache_uint64_t));
    if (labels) s->label_tiles = slice(memory, &used, LABEL_ROWS * LABEL_ROW * sizeof(uint64_t));
    return used;
}

/* carry_rows fills above, below and words; predt__scratch_take the label caches. */
int64_t predt__scratch_min_bytes(int64_t width, bool labels) {
    return width * (3 * (int64_t)sizeof(uint32_t) +
                    (labels ? 2 * (int64_t)sizeof(label_cache_uint64_t) : 0));
}

/* Less what the lists of rows that are not there would take, and the carry rows of a group that is
 * never worked out whole. */
int64_t predt__scratch_max_bytes(int64_t width, int rows, int64_t blocks, bool labels) {
    predt__scratch none;
    int64_t bytes = (int64_t)lay_out(&none, NULL, (size_t)width, labels),
            missing = PREDT_SUBBLOCK_ROWS - rows;
    bytes -= missing * (width + 2 * (int64_t)list_room((size_t)width)) * (int64_t)sizeof(int32_t);
    if (blocks <= MANY_PASSES) bytes -= 2 * PREDT__GROUP * width * (int64_t)sizeof(int32_t);
    return bytes;
}

/* ---- Life ---- */

/* One mapping for all arrays: lists seldom grow to their limit. */
static predt__scratch *scratch_new(int64_t width, bool labels) {
    predt__scratch *scratch = calloc(1, sizeof *scratch);
    if (!scratch) return NULL;
    scratch->width = width;
    scratch->bytes = lay_out(scratch, NULL, (size_t)width, labels);
    scratch->memory = predt__pages_sparse(scratch->bytes);
    if (scratch->memory) {
        lay_out(scratch, scratch->memory, (size_t)width, labels);
        return scratch;
    }
    free(scratch);
    return NULL;
}

static void scratch_free(predt__scratch *scratch) {
    predt__pages_free(scratch->memory, scratch->bytes);
    free(scratch);
}

/* ---- The pool ---- */

void predt__scratch_pool_open(predt__scratch_pool *pool) {
    pool->idle = NULL;
    predt__mutex_init(&pool->lock);
}

void predt__scratch_pool_close(predt__scratch_pool *pool) {
    for (predt__scratch *scratch = pool->idle, *next; scratch; scratch = next) {
        next = scratch->next;
        scratch_free(scratch);
    }
    predt__mutex_destroy(&pool->lock);
}

static bool fits(const predt__scratch *scratch, const predt_index *index, bool labels) {
    return scratch->width == index->width && (!labels || scratch->label_tiles);
}

#define ANY_GROUP (-1)

/* Takes the first idle buffers that fit, and know the group, out of the list. */
static predt__scratch *take_idle(predt__scratch_pool *pool, const predt_index *index, bool labels,
                                 int64_t group) {
    predt__scratch **link = &pool->idle, *found;
    while ((found = *link) && !(fits(found, index, labels) &&
                                (group == ANY_GROUP ||
                                 (found->group_index == index->serial && found->group == group))))
        link = &found->next;
    if (found) *link = found->next;
    return found;
}

static void forget_labels(predt__scratch *scratch) {
    size_t bytes = (size_t)scratch->width * sizeof(label_cache_uint64_t);
    for (int side = 0; side < 2; side++)
        memset(scratch->labels[side], 0xff, bytes); /* row -1: no target's */
}

predt__scratch *predt__scratch_take(predt__scratch_pool *pool, const predt_index *index,
                                    bool labels, int64_t group) {
    predt__mutex_lock(&pool->lock);
    predt__scratch *found = take_idle(pool, index, labels, group);
    if (!found) found = take_idle(pool, index, labels, ANY_GROUP);
    predt__mutex_unlock(&pool->lock);
    if (!found) found = scratch_new(index->width, labels);
    if (found && labels) forget_labels(found);
    return found;
}

void predt__scratch_give(predt__scratch_pool *pool, predt__scratch *scratch) {
    predt__mutex_lock(&pool->lock);
    while (pool->idle && pool->idle->width != scratch->width) {
        predt__scratch *other = pool->idle;
        pool->idle = other->next;
        scratch_free(other);
    }
    scratch->next = pool->idle;
    pool->idle = scratch;
    predt__mutex_unlock(&pool->lock);
}
