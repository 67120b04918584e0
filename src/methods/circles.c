/* voronoi-circles: circle growing, one of the serial methods of the raster Voronoi paper. Circles
 * around all targets grow together, by one step of the radius at a time; each takes the empty
 * pixels that it comes to cover, until none is empty. O(T * D^2), and a little more: a ring is
 * clipped to the raster late.
 *
 * Changed: a pixel that several circles come to cover in the same step goes to the nearest centre,
 * whatever circle came first, which makes the method exact for any step. The pixels still empty are
 * counted, so that the raster is not searched for them after each step, for which the paper blames
 * the method. */
#include "methods.h"

static const predt_setting *const settings[] = {
    &(const predt_setting){sizeof(predt_setting), "step", "growth of the radius, in pixels", NULL,
                           1, 1000, 1},
    NULL,
};

/* The pixels that a circle comes to cover in one step, as seen from its centre: in the quadrant of
 * positive offsets. */
struct ring {
    predt__site *offsets;
    int64_t count, room;
};

typedef struct growth {
    const predt__task *task;
    /* d2 between neighbours along the longer side: with the shorter one, long pixels take many
     * empty steps */
    double unit;
    double *d2;    /* of each pixel to the target that it has now */
    int64_t empty; /* pixels without a target */
    struct ring ring;
} growth;

static bool add(struct ring *ring, int32_t col, int32_t row) {
    if (ring->count == ring->room) {
        int64_t room = 2 * ring->room + 64;
        predt__site *grown = realloc(ring->offsets, (size_t)room * sizeof *grown);
        if (!grown) return false;
        ring->offsets = grown;
        ring->room = room;
    }
    ring->offsets[ring->count++] = (predt__site){col, row};
    return true;
}

/* The first column offset in this row of offsets whose d2 exceeds the square of the radius, by
 * steps from a guess. */
static int32_t columns_within(const growth *g, double radius, int32_t row) {
    const predt__metric *metric = g->task->metric;
    double limit = radius * radius * g->unit, rest = limit - metric->wy * ((double)row * row);
    if (radius < 0 || rest < 0) return 0;
    int32_t col = (int32_t)fmin(sqrt(rest / metric->wx), g->task->width);
    while (col > 0 && predt__d2_real(metric->wx, metric->wy, col, row) > limit) col--;
    while (col < g->task->width && predt__d2_real(metric->wx, metric->wy, col, row) <= limit) col++;
    return col;
}

/* Offsets beyond the radius `inner` (below 0: none is), up to `outer`. */
static bool make_ring(growth *g, double inner, double outer) {
    g->ring.count = 0;
    for (int32_t row = 0; row < g->task->height; row++) {
        int32_t col = columns_within(g, inner, row), end = columns_within(g, outer, row);
        if (end == 0) break;
        for (; col < end; col++)
            if (!add(&g->ring, col, row)) return false;
    }
    return true;
}

static void cover(growth *g, predt__site centre, int32_t col, int32_t row, double inner) {
    const predt__task *task = g->task;
    if (col < 0 || col >= task->width || row < 0 || row >= task->height) return;
    int64_t at = (int64_t)row * task->width + col;
    bool empty = task->nearest[at].col < 0;
    /* covered in an earlier step */
    if (!empty && inner >= 0 && g->d2[at] <= inner * inner * g->unit) return;
    double d2 = predt__site_d2(task->metric, centre, col, row);
    if (!empty && !predt__wins(d2, centre, g->d2[at], task->nearest[at], row)) return;
    task->nearest[at] = centre;
    g->d2[at] = d2;
    g->empty -= empty;
}

static void grow(growth *g, predt__site centre, double inner) {
    for (int64_t i = 0; i < g->ring.count; i++) {
        int32_t col = g->ring.offsets[i].col, row = g->ring.offsets[i].row;
        cover(g, centre, centre.col + col, centre.row + row, inner);
        if (col) cover(g, centre, centre.col - col, centre.row + row, inner);
        if (row) cover(g, centre, centre.col + col, centre.row - row, inner);
        if (col && row) cover(g, centre, centre.col - col, centre.row - row, inner);
    }
}

static bool grow_all(growth *g, const predt__site *sites, int64_t count) {
    double step = (double)predt__setting(g->task->ctx, settings[0]), inner = -1;
    for (double outer = 0; count && g->empty; inner = outer, outer += step) {
        if (!make_ring(g, inner, outer)) return false;
        for (int64_t i = 0; i < count; i++) grow(g, sites[i], inner);
    }
    return true;
}

static predt_status find(const predt__task *task) {
    int64_t pixels = (int64_t)task->width * task->height;
    predt__site *sites = predt__sites(task->index);
    growth g = {.task = task, .unit = fmax(task->metric->wx, task->metric->wy), .empty = pixels};
    g.d2 = malloc((size_t)pixels * sizeof *g.d2);
    bool room = sites && g.d2;
    for (int64_t i = 0; room && i < pixels; i++) task->nearest[i] = PREDT__NO_SITE;
    if (room) room = grow_all(&g, sites, predt_index_targets(task->index));
    free(sites);
    free(g.d2);
    free(g.ring.offsets);
    return room ? PREDT_OK : PREDT_ERROR_MEMORY;
}

static const predt__method method = {.find = find};

const predt__engine predt__voronoi_circles = {
    .name = "voronoi-circles",
    .summary = "reference: circles around the targets grow until they cover everything",
    .exact = 1,
    .settings = settings,
    .method = &method,
    .open = predt__reference_open,
    .solve = predt__reference_solve,
    .close = predt__reference_close,
};
