#include "lattice.h"

#include <cpl_error.h>
#include <cpl_vsi.h>
#include <string.h>

#include "answers.h"

/* Pixels of one query at most, unless a single row has more: enough for the threads of a query,
 * little enough to stay in the caches. */
#define MOST_PIXELS (INT64_C(1) << 21)
#define MOST_WORKERS 64

typedef struct reading {
    predt__run *run;
    predt__product product;
    const predt__lattice *lattice;
    char *out;
    int64_t pitch;
    int32_t first_col, span; /* from the first column asked for to the last */
    int32_t most_rows;       /* of one query */
} reading;

/* One thread's share: rows [begin, end) of the list. */
typedef struct worker {
    const reading *reading;
    int32_t begin, end;
    predt__answers answers;
    predt__strip strip; /* to read nodata of the source */
    uint8_t *is_nodata; /* of whole rows */
    char *encoded;      /* a row, before columns are picked; NULL where all are asked for */
    predt__tally tally;
    predt_tally whole_tally;
    predt_status status;
    bool unreadable;
    pthread_t thread;
} worker;

static int pixel_size(const reading *r) {
    return predt__kind_size(r->product == PREDT__ALLOCATION ? r->run->source.kind
                                                            : r->run->encoding.kind);
}

static bool all_columns(const reading *r) { return r->span == r->lattice->col_count; }

/* ---- Room ---- */

static bool allocate(worker *w) {
    const reading *r = w->reading;
    size_t pixels = (size_t)r->most_rows * (size_t)r->span;
    bool good = predt__answers_allocate(&w->answers, r->run, pixels);
    if (good && !all_columns(r))
        good = (w->encoded = VSIMalloc2((size_t)r->span, (size_t)pixel_size(r))) != NULL;
    if (!good || !r->run->job->request.use_input_nodata) return good;
    w->is_nodata = VSIMalloc2((size_t)r->most_rows, (size_t)r->run->source.width);
    return w->is_nodata && predt__strip_allocate(&w->strip, &r->run->source, r->most_rows, false);
}

static void release(worker *w) {
    predt__answers_free(&w->answers);
    predt__strip_free(&w->strip);
    VSIFree(w->encoded);
    VSIFree(w->is_nodata);
}

/* ---- Some rows that lie together ---- */

static bool read_nodata(worker *w, int32_t row, int32_t rows) {
    const reading *r = w->reading;
    int64_t width = r->run->source.width;
    if (!w->is_nodata) return true;
    if (!predt__source_read_nodata(&r->run->source, r->run->selection, row, rows, &w->strip,
                                   w->is_nodata))
        return w->unreadable = true, false;
    for (int64_t i = 0; i < rows; i++)
        memcpy(w->answers.is_nodata + i * r->span, w->is_nodata + i * width + r->first_col,
               (size_t)r->span);
    return true;
}

static void pick(const reading *r, const char *from, char *to) {
    int size = pixel_size(r);
    for (int32_t i = 0; i < r->lattice->col_count; i++, to += size)
        memcpy(to, from + (int64_t)(r->lattice->cols[i] - r->first_col) * size, (size_t)size);
}

static void encode(worker *w, int32_t at, int32_t row, int32_t rows) {
    const reading *r = w->reading;
    for (int32_t i = 0; i < rows; i++) {
        predt__answers from = predt__answers_from(&w->answers, r->run, (int64_t)i * r->span);
        char *to = r->out + (at + i) * r->pitch;
        predt__answers_encode(&from, r->run, r->product, r->first_col, row + i, r->span,
                              w->encoded ? w->encoded : to, &w->tally);
        if (w->encoded) pick(r, w->encoded, to);
    }
}

/* The rows from list position `at` on that follow one another, as far as one query goes. */
static int32_t rows_together(const worker *w, int32_t at) {
    const int32_t *rows = w->reading->lattice->rows;
    int32_t count = 1;
    while (at + count < w->end && count < w->reading->most_rows &&
           rows[at + count] == rows[at] + count)
        count++;
    return count;
}

static void *work(void *argument) {
    worker *w = argument;
    const reading *r = w->reading;
    if (!allocate(w)) w->status = PREDT_ERROR_MEMORY;
    for (int32_t at = w->begin, rows; at < w->end && w->status == PREDT_OK; at += rows) {
        int32_t row = r->lattice->rows[at];
        rows = rows_together(w, at);
        predt_window window = PREDT_WINDOW_INIT(r->first_col, row, r->span, rows, 1);
        w->status = predt__answers_query(&w->answers, r->run, &window, &w->whole_tally);
        if (w->status != PREDT_OK || !read_nodata(w, row, rows)) break;
        predt__answers_clear(&w->answers, r->run, (int64_t)rows * r->span);
        encode(w, at, row, rows);
    }
    release(w);
    return NULL;
}

/* ---- All rows ---- */

static int32_t longest_run(const predt__lattice *lattice, int64_t most) {
    int32_t longest = 1, count = 1;
    for (int32_t i = 1; i < lattice->row_count && longest < most; i++) {
        count = lattice->rows[i] == lattice->rows[i - 1] + 1 ? count + 1 : 1;
        if (count > longest) longest = count;
    }
    return longest;
}

/* Of what a worker holds, for one row. */
static int64_t row_bytes(const reading *r) {
    const predt__run *run = r->run;
    int64_t bytes =
        r->span * (predt__answers_bytes(run) + predt__answers_core_bytes(run) + pixel_size(r));
    return run->job->request.use_input_nodata
               ? bytes + run->source.width * (1 + predt__strip_bytes(&run->source, false))
               : bytes;
}

static int32_t most_rows(const reading *r) {
    int64_t rows = MOST_PIXELS / r->span, room = r->run->budget.strips / row_bytes(r);
    if (room < rows) rows = room;
    return longest_run(r->lattice, rows > 1 ? rows : 1);
}

/* Queries of several sub-blocks have threads of their own; the source is read by one thread
 * only. */
static int plan_workers(const reading *r) {
    int threads = r->run->budget.threads, workers = threads < MOST_WORKERS ? threads : MOST_WORKERS;
    int64_t each = row_bytes(r) * r->most_rows;
    while (workers > 1 && each * workers > r->run->budget.strips) workers--;
    if (r->most_rows > PREDT_SUBBLOCK_ROWS || r->run->job->request.use_input_nodata) workers = 1;
    return workers < r->lattice->row_count ? workers : r->lattice->row_count;
}

/* Shares are whole stretches of the list, because neighbouring rows have work in common. */
static void work_together(worker *workers, int count) {
    int started = 1;
    while (started < count &&
           pthread_create(&workers[started].thread, NULL, work, &workers[started]) == 0)
        started++;
    work(&workers[0]);
    for (int i = started; i < count; i++) work(&workers[i]);
    for (int i = 1; i < started; i++) pthread_join(workers[i].thread, NULL);
}

static bool complain(predt__run *run, const worker *w) {
    if (w->unreadable) predt__while(&run->complaints, "cannot read", run->job->request.source);
    else if (w->status == PREDT_ERROR_MEMORY)
        CPLError(CE_Failure, CPLE_OutOfMemory, "out of memory for the rows asked for");
    else if (w->status != PREDT_OK)
        CPLError(CE_Failure, CPLE_AppDefined, "engine %s has failed", predt_engine_name(run->ctx));
    return !w->unreadable && w->status == PREDT_OK;
}

bool predt__lattice_answer(predt__run *run, predt__product product, const predt__lattice *lattice,
                           void *out, int64_t pitch, predt__tally *tally) {
    worker workers[MOST_WORKERS] = {0};
    reading r = {.run = run,
                 .product = product,
                 .lattice = lattice,
                 .out = out,
                 .pitch = pitch,
                 .first_col = lattice->cols[0]};
    r.span = lattice->cols[lattice->col_count - 1] - r.first_col + 1;
    r.most_rows = most_rows(&r);
    int count = plan_workers(&r);
    for (int i = 0; i < count; i++)
        workers[i] = (worker){.reading = &r,
                              .begin = (int32_t)((int64_t)lattice->row_count * i / count),
                              .end = (int32_t)((int64_t)lattice->row_count * (i + 1) / count),
                              .tally = PREDT__TALLY_INIT,
                              .whole_tally = PREDT_TALLY_INIT};
    work_together(workers, count);
    for (int i = 0; i < count; i++) {
        if (!complain(run, &workers[i])) return false;
        predt__answers_adopt(run, &workers[i].whole_tally, &workers[i].tally);
        tally->clamped += workers[i].tally.clamped;
        tally->like_nodata += workers[i].tally.like_nodata;
    }
    return true;
}
