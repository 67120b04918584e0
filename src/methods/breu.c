/* breu: H. Breu, J. Gil, D. Kirkpatrick, M. Werman, "Linear time Euclidean distance transform
 * algorithms", IEEE Transactions on Pattern Analysis and Machine Intelligence 17 (5), 1995: the
 * serial baseline of PR-EDT, its reference [27]. O(N).
 *
 * The Voronoi diagram of the targets, intersected with one row, is a list of targets in the order
 * of their columns. Going down, each column's candidate is its last target at or above the row;
 * going up, its first one at or below. A candidate is put at the end of the row's list after those
 * before it that it dominates have been taken off; then the pixels walk along the list. Of the two
 * targets that a pixel finds, going down and going up, the nearer one is its answer.
 *
 * Changed: integers decide who is dominated, so that no rounding can, and a tie is the western
 * target's. */
#include "methods.h"

typedef struct sweep {
    const predt__task *task;
    int64_t wx, wy;
    int32_t *candidate; /* row of each column's; NO_CANDIDATE: it has none */
    predt__site *list;
    int32_t length;
    int64_t listed; /* targets in the lists of all rows */
} sweep;

#define NO_CANDIDATE (-1)

/* True if b, between a and c, owns nothing on the row. With squared heights ga, gb, gc the borders
 * a|b and b|c meet when (gb - ga) * bc - (gc - gb) * ab = wx * ab * bc * (ab + bc); on equality all
 * three tie in one point, which is a's. */
static bool dominated(const sweep *s, predt__site a, predt__site b, predt__site c, int64_t row) {
    int64_t ha = row - a.row, hb = row - b.row, hc = row - c.row;
    int64_t ab = (int64_t)b.col - a.col, bc = (int64_t)c.col - b.col;
    return s->wy * ((hb - ha) * (hb + ha) * bc - (hc - hb) * (hc + hb) * ab) >=
           s->wx * ab * bc * (ab + bc);
}

static void make_list(sweep *s, int32_t row) {
    s->length = 0;
    for (int32_t col = 0; col < s->task->width; col++) {
        if (s->candidate[col] == NO_CANDIDATE) continue;
        predt__site site = {col, s->candidate[col]}, *end = s->list + s->length;
        while (s->length >= 2 && dominated(s, end[-2], end[-1], site, row)) end--, s->length--;
        *end = site;
        s->length++;
    }
    s->listed += s->length;
}

static int64_t d2_of(const sweep *s, predt__site site, int32_t col, int32_t row) {
    return predt__d2_int(s->wx, s->wy, (int64_t)col - site.col, (int64_t)row - site.row);
}

/* Gives the row's pixels what the list says, where that is nearer than what they have. */
static void walk(const sweep *s, int32_t row, predt__site *nearest) {
    const predt__site *at = s->list, *last = s->list + s->length - 1;
    for (int32_t col = 0; s->length && col < s->task->width; col++) {
        int64_t d2 = d2_of(s, *at, col, row);
        for (int64_t next; at < last && (next = d2_of(s, at[1], col, row)) < d2; at++) d2 = next;
        if (nearest[col].col < 0 ||
            predt__wins((double)d2, *at, (double)d2_of(s, nearest[col], col, row), nearest[col],
                        row))
            nearest[col] = *at;
    }
}

/* The last target of the column above the row, going up word by word. */
static int32_t last_above(const predt_index *index, int32_t col, int32_t row) {
    int64_t block = row / PREDT_SUBBLOCK_ROWS;
    uint32_t wanted = (UINT32_C(1) << row % PREDT_SUBBLOCK_ROWS) - 1;
    for (; block >= 0; block--, wanted = UINT32_MAX) {
        uint32_t word = predt__block_words(index, block)[col] & wanted;
        if (word) return (int32_t)(block * PREDT_SUBBLOCK_ROWS) + 31 - __builtin_clz(word);
    }
    return NO_CANDIDATE;
}

/* The first one in the row or below it. */
static int32_t first_from(const predt_index *index, int32_t col, int32_t row) {
    int64_t block = row / PREDT_SUBBLOCK_ROWS;
    uint32_t wanted = UINT32_MAX << row % PREDT_SUBBLOCK_ROWS;
    for (; block < index->blocks; block++, wanted = UINT32_MAX) {
        uint32_t word = predt__block_words(index, block)[col] & wanted;
        if (word) return (int32_t)(block * PREDT_SUBBLOCK_ROWS) + __builtin_ctz(word);
    }
    return NO_CANDIDATE;
}

static void solve_row(sweep *s, int32_t row) {
    const predt__task *task = s->task;
    for (int32_t col = 0; col < task->width; col++)
        if (predt__is_target(task->index, col, row)) s->candidate[col] = row;
    make_list(s, row);
    walk(s, row, task->nearest + (int64_t)(row - task->row) * task->width);
}

static void sweep_down(sweep *s) {
    const predt__task *task = s->task;
    for (int32_t col = 0; col < task->width; col++)
        s->candidate[col] = last_above(task->index, col, task->row);
    for (int32_t row = task->row; row < task->row + task->rows; row++) solve_row(s, row);
}

static void sweep_up(sweep *s) {
    const predt__task *task = s->task;
    int32_t last = task->row + task->rows - 1;
    for (int32_t col = 0; col < task->width; col++)
        s->candidate[col] = first_from(task->index, col, last);
    for (int32_t row = last; row >= task->row; row--) solve_row(s, row);
}

static predt_status find(const predt__task *task) {
    sweep s = {.task = task, .wx = (int64_t)task->metric->wx, .wy = (int64_t)task->metric->wy};
    s.candidate = malloc((size_t)task->width * sizeof *s.candidate);
    s.list = malloc((size_t)task->width * sizeof *s.list);
    bool room = s.candidate && s.list;
    for (int64_t i = 0; room && i < (int64_t)task->rows * task->width; i++)
        task->nearest[i] = PREDT__NO_SITE;
    if (room) sweep_down(&s);
    int64_t down = s.listed;
    if (room) sweep_up(&s);
    predt__log_line(task->ctx,
                    "breu: %d rows, %lld targets in their lists going down, %lld going up",
                    task->rows, (long long)down, (long long)(s.listed - down));
    free(s.candidate);
    free(s.list);
    return room ? PREDT_OK : PREDT_ERROR_MEMORY;
}

/* In `dominated` no product exceeds twice the largest d2 times the width. */
static const char *refuses(const predt_index *index) {
    const predt__metric *metric = &index->metric;
    double width = (double)index->width, height = (double)index->height;
    double largest = metric->wx * width * width + metric->wy * height * height;
    const char *why = predt__wants_integers(index);
    return why || 2 * largest * width < 0x1p63 ? why
                                               : "the raster is too large for products of 64 bits";
}

static const predt__method method = {.rows_alone = true, .refuses = refuses, .find = find};

const predt__engine predt__breu = {
    .name = "breu",
    .summary =
        "reference: Breu et al. 1995, the Voronoi diagram's intersection with each row, one thread",
    .exact = 1,
    .method = &method,
    .open = predt__reference_open,
    .solve = predt__reference_solve,
    .close = predt__reference_close,
};
