/* Both lists are cut into runs, and a window is a run of rows crossed with one of columns, from its
 * first pixel to its last. On a plane whole rows cost least: runs of rows have no gaps, and there
 * is one of columns. On a globe it is columns that are as high as what is wanted, see
 * ../files/pieces.h. */
#include "read.h"

#include <cpl_error.h>
#include <cpl_vsi.h>
#include <string.h>

#include "runs.h"

/* Pixels of one query at most, unless a single row has more: enough for the threads of a query,
 * little enough to stay in the caches. On a globe as many as it takes for a block of columns. */
#define MAX_PIXELS (INT64_C(1) << 21)
#define MAX_GLOBE_PIXELS (INT64_C(1) << 23)
#define MAX_WORKERS 64

/* On a globe a column alone takes as long as seven that are solved with their neighbours, and to
 * begin in another row takes as long as some sixty rows. */
#define MAX_COL_GAP 6
#define MAX_ROW_GAP 64

typedef struct reading {
    const predt__question *question;
    predt__work *work;
    const predt__solver *solver;
    runs rows, cols;
    char *out;
    int64_t pitch;
    predt__product product;
    int pixel_bytes;
} reading;

/* One thread's share of either list. */
typedef struct worker_state {
    const reading *reading;
    range rows, cols;
    predt__answers answers;
    predt__strip strip; /* to read nodata of the source */
    predt_tally tally;
    predt_status status;
    bool unreadable;
    pthread_t thread;
} worker_state;

/* ---- Buffers ---- */

static bool reads_nodata(const reading *r) { return r->question->request->use_input_nodata; }

static bool allocate(worker_state *w) {
    const reading *r = w->reading;
    int64_t pixels = r->rows.max_span * r->cols.max_span;
    return predt__answers_allocate(&w->answers, r->question, (size_t)pixels) &&
           (!reads_nodata(r) ||
            predt__strip_allocate(&w->strip, &r->question->source, pixels, false));
}

static void release(worker_state *w) {
    predt__answers_free(&w->answers);
    predt__strip_free(&w->strip);
}

/* ---- One window ---- */

static bool read_nodata(worker_state *w, const predt_window *window) {
    const reading *r = w->reading;
    if (reads_nodata(r))
        w->unreadable = !predt__source_read_nodata(&r->question->source, r->question->selection,
                                                   window, &w->strip, w->answers.is_nodata);
    return !w->unreadable;
}

/* A row of the window to one of the lattice. */
static void pick(const reading *r, range cols, const char *from, char *to) {
    size_t size = (size_t)r->pixel_bytes;
    if (span_of(&r->cols, cols) == cols.end - cols.begin) {
        memcpy(to, from, (size_t)(cols.end - cols.begin) * size);
        return;
    }
    for (int32_t i = cols.begin; i < cols.end; i++, to += size)
        memcpy(to, from + (size_t)between(&r->cols, cols.begin, i) * size, size);
}

static void pick_rows(const worker_state *w, range rows, range cols) {
    const reading *r = w->reading;
    const char *from = w->answers.pixels[r->product];
    char *to = r->out + cols.begin * r->pixel_bytes;
    int64_t pitch = w->answers.stride * r->pixel_bytes;
    for (int32_t i = rows.begin; i < rows.end; i++)
        pick(r, cols, from + between(&r->rows, rows.begin, i) * pitch, to + i * r->pitch);
}

static bool answer(worker_state *w, range rows, range cols) {
    const reading *r = w->reading;
    predt_window window =
        PREDT_WINDOW_INIT(r->cols.list[cols.begin], r->rows.list[rows.begin],
                          span_of(&r->cols, cols), span_of(&r->rows, rows), r->cols.step);
    w->answers.col = window.col;
    w->answers.row = window.row;
    w->answers.stride = window.cols;
    if (!read_nodata(w, &window)) return false;
    w->status = predt__answers_query(&w->answers, r->question, r->solver, &window, &w->tally);
    if (w->status == PREDT_OK) pick_rows(w, rows, cols);
    return w->status == PREDT_OK;
}

static bool answer_rows(worker_state *w, range cols) {
    const reading *r = w->reading;
    bool good = true;
    for (int32_t at = w->rows.begin; at < w->rows.end && good;) {
        range rows = run_from(&r->rows, at, w->rows.end);
        good = answer(w, rows, cols);
        at = rows.end;
    }
    return good;
}

static void *answer_share(void *argument) {
    worker_state *w = argument;
    bool good = allocate(w);
    if (!good) w->status = PREDT_ERROR_MEMORY;
    for (int32_t at = w->cols.begin; at < w->cols.end && good;) {
        range cols = run_from(&w->reading->cols, at, w->cols.end);
        good = answer_rows(w, cols);
        at = cols.end;
    }
    release(w);
    return NULL;
}

/* ---- How the lists are cut ---- */

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* Of what a worker holds, for one pixel. */
static int64_t pixel_bytes(const reading *r) {
    int64_t bytes = predt__answers_bytes(r->question) + predt__answers_core_bytes(r->question);
    return bytes + (reads_nodata(r) ? predt__strip_bytes(&r->question->source, false) : 0);
}

/* As wide as all columns, and as high as it may be. */
static void cut_rows(reading *r) {
    range all = {0, r->cols.count};
    r->cols.max_gap = r->cols.max_span = span_of(&r->cols, all);
    int64_t rows = MAX_PIXELS / r->cols.max_span,
            affordable = r->work->budget.strips / (pixel_bytes(r) * r->cols.max_span);
    r->rows.max_gap = 1;
    r->rows.max_span = larger(smaller(affordable, rows), 1);
    r->rows.max_span = longest_span(&r->rows);
}

/* Rows and columns that are all as far apart, as those of overviews mostly are, are one window. */
static void find_step(reading *r) {
    int32_t rows = step_of(&r->rows), cols = step_of(&r->cols);
    int32_t step = !rows ? cols : !cols || rows == cols ? rows : 1;
    if (step > 1 && !reads_nodata(r)) r->rows.step = r->cols.step = step;
}

/* As high as all rows, and as wide as it may be. */
static void cut_columns(reading *r) {
    find_step(r);
    int64_t pixels = smaller(MAX_GLOBE_PIXELS, r->work->budget.strips / pixel_bytes(r));
    r->rows.max_gap = MAX_ROW_GAP;
    r->rows.max_span = larger(pixels / PREDT_SUBBLOCK_ROWS, 1);
    r->rows.max_span = longest_span(&r->rows);
    r->cols.max_gap = MAX_COL_GAP;
    r->cols.max_span = larger(pixels / r->rows.max_span, 1);
    r->cols.max_span = longest_span(&r->cols);
}

/* Queries of several sub-blocks or tiles have threads of their own; the source is read by one
 * thread only. */
static int plan_workers(const reading *r) {
    const predt__budget *budget = &r->work->budget;
    bool globe = predt__is_geodesic(r->question);
    const runs *shared = globe ? &r->cols : &r->rows;
    int workers = budget->threads < MAX_WORKERS ? budget->threads : MAX_WORKERS;
    int64_t each = pixel_bytes(r) * r->rows.max_span * r->cols.max_span;
    while (workers > 1 && each * workers > budget->strips) workers--;
    if (shared->max_span > PREDT_SUBBLOCK_ROWS || reads_nodata(r)) workers = 1;
    return workers < shared->count ? workers : shared->count;
}

/* ---- All of it ---- */

/* Shares are whole stretches of the list, because neighbouring rows have work in common. */
static void work_together(worker_state *workers, int count) {
    int started = 1;
    while (started < count &&
           pthread_create(&workers[started].thread, NULL, answer_share, &workers[started]) == 0)
        started++;
    answer_share(&workers[0]);
    for (int i = started; i < count; i++) answer_share(&workers[i]);
    for (int i = 1; i < started; i++) pthread_join(workers[i].thread, NULL);
}

static bool complain(const reading *r, const worker_state *w) {
    if (w->unreadable)
        predt__add_context(&r->work->complaints, "cannot read", r->question->request->source);
    else if (w->status == PREDT_ERROR_MEMORY)
        CPLError(CE_Failure, CPLE_OutOfMemory, "out of memory for the rows asked for");
    else if (w->status != PREDT_OK)
        CPLError(CE_Failure, CPLE_AppDefined, "engine %s has failed",
                 predt_engine_name(r->solver->ctx));
    return !w->unreadable && w->status == PREDT_OK;
}

static range share_of(const runs *along, int number, int count) {
    return (range){(int32_t)((int64_t)along->count * number / count),
                   (int32_t)((int64_t)along->count * (number + 1) / count)};
}

static bool read_all(const reading *r, predt_tally *tally) {
    worker_state workers[MAX_WORKERS];
    int count = plan_workers(r);
    bool globe = predt__is_geodesic(r->question);
    for (int i = 0; i < count; i++)
        workers[i] =
            (worker_state){.reading = r,
                           .rows = globe ? share_of(&r->rows, 0, 1) : share_of(&r->rows, i, count),
                           .cols = globe ? share_of(&r->cols, i, count) : share_of(&r->cols, 0, 1),
                           .tally = PREDT_TALLY_INIT};
    work_together(workers, count);
    for (int i = 0; i < count; i++) {
        if (!complain(r, &workers[i])) return false;
        tally->clamped += workers[i].tally.clamped;
        tally->like_none += workers[i].tally.like_none;
    }
    return true;
}

static predt__product only_product(const predt__question *question) {
    predt__product product = 0;
    while (!predt__asks_for(question, product)) product++;
    return product;
}

bool predt__read_lattice(const predt__question *question, predt__work *work,
                         const predt__solver *solver, const predt__lattice *lattice, void *out,
                         int64_t pitch, predt_tally *tally) {
    reading r = {.question = question,
                 .work = work,
                 .solver = solver,
                 .rows = {.list = lattice->rows, .count = lattice->row_count, .step = 1},
                 .cols = {.list = lattice->cols, .count = lattice->col_count, .step = 1},
                 .out = out,
                 .pitch = pitch,
                 .product = only_product(question)};
    r.pixel_bytes = predt__kind_size(predt__kind_of_product(question, r.product));
    if (predt__is_geodesic(question)) cut_columns(&r);
    else cut_rows(&r);
    return read_all(&r, tally);
}
