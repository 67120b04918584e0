/* The first sweep: source strips to index. Strips may be added in any order, so each reader takes
 * the next one. */
#include <cpl_error.h>

#include <string.h>

#include "run.h"

/* More handles than this decode no faster and each takes room. */
#define MOST_READERS 32

/* Pixels to read at once: a few hundredths of a second of work. */
#define WANTED_PIXELS (INT64_C(1) << 21)

typedef struct sweep {
    predt__run *run;
    int32_t strip_rows;
    _Atomic int64_t next;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int64_t rows_done;
    int readers;
} sweep;

/* ---- One reader ---- */

_Thread_local const predt__run *predt__reading;

static bool has_label(const predt__strip *strip, size_t count, predt_label_type type,
                      uint64_t bits) {
    const uint32_t *labels32 = strip->labels;
    const uint64_t *labels64 = strip->labels;
    for (size_t i = 0; i < count; i++)
        if (strip->is_target[i] && (type == PREDT_LABEL_64 ? labels64[i] : labels32[i]) == bits)
            return true;
    return false;
}

/* Equal as numbers: there are two zeros, and many NaNs. */
static bool has_number(const predt__strip *strip, size_t count, predt__kind kind, double number) {
    const float *singles = strip->pixels;
    const double *doubles = strip->pixels;
    for (size_t i = 0; i < count; i++) {
        double value = kind == PREDT__F32 ? (double)singles[i] : doubles[i];
        if (strip->is_target[i] && (value == number || (value != value && number != number)))
            return true;
    }
    return false;
}

static void see_bytes(const predt__strip *strip, size_t count, bool seen[256]) {
    const uint32_t *labels = strip->labels;
    memset(seen, 0, 256 * sizeof *seen);
    for (size_t i = 0; i < count; i++)
        if (strip->is_target[i]) seen[labels[i]] = true;
}

/* A nodata value of the allocation must not be a label. Costs nothing where the selection rules the
 * first one out. */
static void cross_out_labels(predt__run *run, const predt__strip *strip, size_t count) {
    predt__kind kind = run->source.kind;
    bool bytes = predt__kind_size(kind) == 1, real = predt__kind_is_real(kind), seen[256];
    if (!predt__selection_contains(run->selection, run->label_nodata[0])) return;
    if (bytes) see_bytes(strip, count, seen);
    for (int c = 0; c < run->label_candidates; c++) {
        uint64_t bits = predt__value_bits(kind, run->label_nodata[c]);
        if (run->label_taken[c]) continue;
        /* free for good: the rest is not needed */
        if (!predt__selection_contains(run->selection, run->label_nodata[c])) break;
        if (bytes  ? seen[bits]
            : real ? has_number(strip, count, kind, run->label_nodata[c].f)
                   : has_label(strip, count, predt__source_label_type(&run->source), bits))
            run->label_taken[c] = true;
    }
}

static bool add_strip(sweep *s, const predt__source *source, int64_t row, int32_t rows,
                      predt__strip *strip) {
    predt__run *run = s->run;
    if (!predt__source_read(source, run->selection, row, rows, strip)) {
        predt__while(&run->complaints, "cannot read", run->job->request.source);
        return false;
    }
    if (strip->labels) cross_out_labels(run, strip, (size_t)rows * (size_t)source->width);
    return predt_index_add(run->index, row, rows, strip->is_target, strip->labels) == PREDT_OK;
}

static bool read_strips(sweep *s, const predt__source *source, predt__strip *strip) {
    int64_t row;
    while (!s->run->stop && (row = atomic_fetch_add(&s->next, s->strip_rows)) < source->height) {
        int32_t rows =
            (int32_t)(source->height - row < s->strip_rows ? source->height - row : s->strip_rows);
        if (!add_strip(s, source, row, rows, strip)) return false;
        pthread_mutex_lock(&s->lock);
        s->rows_done += rows;
        pthread_mutex_unlock(&s->lock);
    }
    return true;
}

/* A reader that gets no handle of its own leaves the work to the others; the first one uses the
 * run's. */
static void *reader(void *argument) {
    sweep *s = argument;
    predt__run *run = s->run;
    predt__source own;
    predt__strip strip;
    predt__reading = run;
    predt__listen(&run->complaints);
    CPLPushErrorHandler(CPLQuietErrorHandler);
    bool good = predt__source_open(run->job->request.source, run->job->request.band, &own) &&
                own.width == run->source.width && own.height == run->source.height;
    CPLPopErrorHandler();
    if (good) {
        good = predt__strip_allocate(&strip, &own, s->strip_rows,
                                     predt__wanted(run, PREDT__ALLOCATION)) &&
               read_strips(s, &own, &strip);
        if (!good) run->stop = true;
        predt__strip_free(&strip);
    }
    predt__source_close(&own);
    predt__listen_no_more();
    pthread_mutex_lock(&s->lock);
    s->readers--;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* ---- All of them ---- */

/* Whole block rows for each reader, or fewer readers. A block that is decoded by two readers is
 * decoded twice. */
static int plan_readers(const predt__run *run, int32_t *strip_rows) {
    const predt__source *source = &run->source;
    int64_t room = run->budget.strips /
                   predt__strip_bytes(source, predt__wanted(run, PREDT__ALLOCATION)),
            block = source->block_rows < source->height ? source->block_rows : 32;
    int64_t unit = predt__least_common_multiple(block, PREDT_SUBBLOCK_ROWS) * source->width;
    int readers = run->threads < MOST_READERS ? run->threads : MOST_READERS;
    if (source->block_rows >= source->height && source->height > PREDT_SUBBLOCK_ROWS) readers = 1;
    if (STARTS_WITH(run->job->request.source, "/vsistdin")) readers = 1;
    while (readers > 1 &&
           (room / readers < unit || readers * predt__source_block_bytes(run) > run->budget.strips))
        readers--;
    *strip_rows =
        predt__strip_rows(source->width, source->height, block, WANTED_PIXELS, room / readers);
    int64_t strips = (source->height + *strip_rows - 1) / *strip_rows;
    return (int)(readers < strips ? readers : strips);
}

/* Waits for the readers and lets the user watch, ten times a second. */
static void watch(sweep *s) {
    predt__run *run = s->run;
    pthread_mutex_lock(&s->lock);
    while (s->readers > 0) {
        predt__wait(&s->changed, &s->lock);
        double complete = PREDT__INDEX_SHARE * (double)s->rows_done / (double)run->source.height;
        pthread_mutex_unlock(&s->lock);
        if (!predt__tick(run, complete)) run->stop = true;
        pthread_mutex_lock(&s->lock);
    }
    pthread_mutex_unlock(&s->lock);
}

static void read_on_threads(sweep *s, int wanted) {
    pthread_t threads[MOST_READERS];
    int started = 0;
    s->readers = wanted;
    while (started < wanted && pthread_create(&threads[started], NULL, reader, s) == 0) started++;
    pthread_mutex_lock(&s->lock);
    s->readers -= wanted - started;
    pthread_mutex_unlock(&s->lock);
    watch(s);
    for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
}

/* What the threads could not: a dataset that opens only once is read here. */
static bool read_here(sweep *s) {
    predt__run *run = s->run;
    predt__strip strip;
    bool good = predt__strip_allocate(&strip, &run->source, s->strip_rows,
                                      predt__wanted(run, PREDT__ALLOCATION));
    while (good && !run->stop && s->next < run->source.height) {
        int64_t row = atomic_fetch_add(&s->next, s->strip_rows);
        int32_t rows = (int32_t)(run->source.height - row < s->strip_rows ? run->source.height - row
                                                                          : s->strip_rows);
        good = add_strip(s, &run->source, row, rows, &strip);
        if (!predt__tick(run, PREDT__INDEX_SHARE * (double)row / (double)run->source.height))
            run->stop = true;
    }
    predt__strip_free(&strip);
    return good && !run->stop;
}

bool predt__sweep(predt__run *run) {
    sweep s = {.run = run, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    double start = predt__seconds();
    int readers = plan_readers(run, &s.strip_rows);
    run->outer = predt__reading;
    predt__reading = run;
    if (readers > 1) read_on_threads(&s, readers);
    bool good = !run->stop && read_here(&s);
    predt__reading = run->outer;
    run->report->bytes_read =
        run->source.width * run->source.height * predt__kind_size(run->source.kind);
    good = good && predt_index_seal(run->index) == PREDT_OK;
    if (!good && !run->stopped && !predt__has_failed(&run->complaints))
        /* only now is nobody else using it */
        CPLError(CE_Failure, CPLE_AppDefined, "%s", predt_message(run->ctx));
    run->report->index_seconds = predt__seconds() - start;
    return good;
}
