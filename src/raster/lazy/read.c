/* The list of rows is a list of windows: rows that follow one another are asked for in one query,
 * from the first column wanted to the last. */
#include "read.h"

#include <cpl_error.h>
#include <cpl_vsi.h>
#include <string.h>

/* Pixels of one query at most, unless a single row has more: enough for the threads of a query,
 * little enough to stay in the caches. */
#define MAX_PIXELS (INT64_C(1) << 21)
#define MAX_WORKERS 64

typedef struct reading {
    const predt__question *question;
    predt__work *work;
    const predt__solver *solver;
    const predt__lattice *lattice;
    char *out;
    int64_t pitch;
    predt__product product;
    int pixel_bytes;
    int32_t first_col, span; /* from the first column asked for to the last */
    int32_t max_rows;        /* of one query */
} reading;

/* One thread's share: rows [begin, end) of the list. */
typedef struct worker_state {
    const reading *reading;
    int32_t begin, end;
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
    int64_t pixels = (int64_t)r->max_rows * r->span;
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
static void pick(const reading *r, const char *from, char *to) {
    const predt__lattice *lattice = r->lattice;
    size_t size = (size_t)r->pixel_bytes;
    if (r->span == lattice->col_count) {
        memcpy(to, from, (size_t)r->span * size);
        return;
    }
    for (int32_t i = 0; i < lattice->col_count; i++, to += size)
        memcpy(to, from + (size_t)(lattice->cols[i] - r->first_col) * size, size);
}

static bool answer(worker_state *w, const predt_window *window, char *to) {
    const reading *r = w->reading;
    const char *from = w->answers.pixels[r->product];
    w->answers.col = window->col;
    w->answers.row = window->row;
    w->answers.stride = window->cols;
    if (!read_nodata(w, window)) return false;
    w->status = predt__answers_query(&w->answers, r->question, r->solver, window, &w->tally);
    for (int64_t i = 0; i < window->rows && w->status == PREDT_OK; i++)
        pick(r, from + i * r->span * r->pixel_bytes, to + i * r->pitch);
    return w->status == PREDT_OK;
}

/* The rows from list position `at` on that follow one another, as far as one query goes. */
static int32_t rows_together(const worker_state *w, int32_t at) {
    const int32_t *rows = w->reading->lattice->rows;
    int32_t count = 1;
    while (at + count < w->end && count < w->reading->max_rows &&
           rows[at + count] == rows[at] + count)
        count++;
    return count;
}

static void *answer_share(void *argument) {
    worker_state *w = argument;
    const reading *r = w->reading;
    bool good = allocate(w);
    if (!good) w->status = PREDT_ERROR_MEMORY;
    for (int32_t at = w->begin, rows; at < w->end && good; at += rows) {
        rows = rows_together(w, at);
        predt_window window =
            PREDT_WINDOW_INIT(r->first_col, r->lattice->rows[at], r->span, rows, 1);
        good = answer(w, &window, r->out + at * r->pitch);
    }
    release(w);
    return NULL;
}

/* ---- All rows ---- */

static int32_t longest_run(const predt__lattice *lattice, int64_t max) {
    int32_t longest = 1, count = 1;
    for (int32_t i = 1; i < lattice->row_count && longest < max; i++) {
        count = lattice->rows[i] == lattice->rows[i - 1] + 1 ? count + 1 : 1;
        if (count > longest) longest = count;
    }
    return longest;
}

/* Of what a worker holds, for one row. */
static int64_t row_bytes(const reading *r) {
    const predt__source *source = &r->question->source;
    int64_t bytes =
        r->span * (predt__answers_bytes(r->question) + predt__answers_core_bytes(r->question));
    return bytes + (reads_nodata(r) ? r->span * predt__strip_bytes(source, false) : 0);
}

static int32_t plan_rows(const reading *r) {
    int64_t rows = MAX_PIXELS / r->span, affordable = r->work->budget.strips / row_bytes(r);
    if (affordable < rows) rows = affordable;
    return longest_run(r->lattice, rows > 1 ? rows : 1);
}

/* Queries of several sub-blocks have threads of their own; the source is read by one thread
 * only. */
static int plan_workers(const reading *r) {
    const predt__budget *budget = &r->work->budget;
    int workers = budget->threads < MAX_WORKERS ? budget->threads : MAX_WORKERS;
    int64_t each = row_bytes(r) * r->max_rows;
    while (workers > 1 && each * workers > budget->strips) workers--;
    if (r->max_rows > PREDT_SUBBLOCK_ROWS || reads_nodata(r)) workers = 1;
    return workers < r->lattice->row_count ? workers : r->lattice->row_count;
}

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

static bool read_all(const reading *r, predt_tally *tally) {
    worker_state workers[MAX_WORKERS];
    int count = plan_workers(r);
    for (int i = 0; i < count; i++)
        workers[i] =
            (worker_state){.reading = r,
                           .begin = (int32_t)((int64_t)r->lattice->row_count * i / count),
                           .end = (int32_t)((int64_t)r->lattice->row_count * (i + 1) / count),
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
                 .lattice = lattice,
                 .out = out,
                 .pitch = pitch,
                 .product = only_product(question),
                 .first_col = lattice->cols[0]};
    r.pixel_bytes = predt__kind_size(predt__kind_of_product(question, r.product));
    r.span = lattice->cols[lattice->col_count - 1] - r.first_col + 1;
    r.max_rows = plan_rows(&r);
    return read_all(&r, tally);
}
