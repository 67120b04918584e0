/* Strips may be added to an index in any order, so each reader takes the next one. */
#include "build.h"

#include <cpl_error.h>
#include <cpl_string.h>
#include <string.h>

/* More handles than this decode no faster, and each takes memory. */
#define MAX_READERS 32

/* Pixels to read at once: a few hundredths of a second of work. */
#define WANTED_PIXELS (INT64_C(1) << 21)

typedef struct sweep_state {
    const predt__question *question;
    predt__work *work;
    predt__solver *solver;
    predt__reading reading;
    atomic_bool taken[PREDT__MAX_CANDIDATES]; /* of the question's candidates for nodata */
    int32_t strip_rows;
    _Atomic int64_t next;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int64_t rows_done;
    int readers;
} sweep_state;

/* ---- One reader ---- */

_Thread_local const predt__reading *predt__now_reading;

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
static void cross_out_labels(sweep_state *s, const predt__strip *strip, size_t count) {
    const predt__question *question = s->question;
    const predt__candidates *candidates = &question->label_nodata;
    predt__kind kind = question->source.kind;
    bool bytes = predt__kind_size(kind) == 1, real = predt__kind_is_real(kind), seen[256];
    if (!predt__selection_contains(question->selection, candidates->values[0])) return;
    if (bytes) see_bytes(strip, count, seen);
    for (int c = 0; c < candidates->count; c++) {
        predt__value value = candidates->values[c];
        uint64_t bits = predt__value_bits(kind, value);
        if (s->taken[c]) continue;
        /* free for good: the rest is not needed */
        if (!predt__selection_contains(question->selection, value)) break;
        if (bytes  ? seen[bits]
            : real ? has_number(strip, count, kind, value.f)
                   : has_label(strip, count, predt__source_label_type(&question->source), bits))
            s->taken[c] = true;
    }
}

static bool add_strip(sweep_state *s, const predt__source *source, int64_t row, int32_t rows,
                      predt__strip *strip) {
    if (!predt__source_read(source, s->question->selection, row, rows, strip)) {
        predt__add_context(&s->work->complaints, "cannot read", s->question->request->source);
        return false;
    }
    if (strip->labels) cross_out_labels(s, strip, (size_t)rows * (size_t)source->width);
    return predt_index_add(s->solver->index, row, rows, strip->is_target, strip->labels) ==
           PREDT_OK;
}

static int32_t rows_from(const sweep_state *s, int64_t row) {
    int64_t rest = s->question->source.height - row;
    return (int32_t)(rest < s->strip_rows ? rest : s->strip_rows);
}

static bool read_strips(sweep_state *s, const predt__source *source, predt__strip *strip) {
    int64_t row;
    while (!s->work->watch.stop &&
           (row = atomic_fetch_add(&s->next, s->strip_rows)) < source->height) {
        int32_t rows = rows_from(s, row);
        if (!add_strip(s, source, row, rows, strip)) return false;
        pthread_mutex_lock(&s->lock);
        s->rows_done += rows;
        pthread_mutex_unlock(&s->lock);
    }
    return true;
}

static bool labels_needed(const sweep_state *s) {
    return predt__labels_needed(s->question) != PREDT_LABEL_NONE;
}

static bool open_own(const predt__question *question, predt__source *own) {
    CPLPushErrorHandler(CPLQuietErrorHandler);
    bool good = predt__source_open(question->request->source, question->request->band, own) &&
                own->width == question->source.width && own->height == question->source.height;
    CPLPopErrorHandler();
    return good;
}

/* A reader that gets no handle of its own leaves the work to the others; the first one uses the
 * question's. */
static void *reader(void *argument) {
    sweep_state *s = argument;
    predt__source own;
    predt__strip strip;
    predt__now_reading = &s->reading;
    predt__listen(&s->work->complaints);
    if (open_own(s->question, &own)) {
        if (!predt__strip_allocate(&strip, &own, s->strip_rows * own.width, labels_needed(s)) ||
            !read_strips(s, &own, &strip))
            s->work->watch.stop = true;
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
static int plan_readers(sweep_state *s) {
    const predt__source *source = &s->question->source;
    const predt__budget *budget = &s->work->budget;
    int64_t pixels = budget->strips / predt__strip_bytes(source, labels_needed(s)),
            block = source->block_rows < source->height ? source->block_rows : 32;
    int64_t unit = predt__least_common_multiple(block, PREDT_SUBBLOCK_ROWS) * source->width;
    int readers = budget->max_threads < MAX_READERS ? budget->max_threads : MAX_READERS;
    if (source->block_rows >= source->height && source->height > PREDT_SUBBLOCK_ROWS) readers = 1;
    if (STARTS_WITH(s->question->request->source, "/vsistdin")) readers = 1;
    while (readers > 1 && (pixels / readers < unit ||
                           readers * predt__source_block_bytes(source) > budget->strips))
        readers--;
    s->strip_rows =
        predt__strip_rows(source->width, source->height, block, WANTED_PIXELS, pixels / readers);
    int64_t strips = (source->height + s->strip_rows - 1) / s->strip_rows;
    return (int)(readers < strips ? readers : strips);
}

static void report(sweep_state *s, int64_t rows_done) {
    predt__watch *watch = &s->work->watch;
    double share = (double)rows_done / (double)s->question->source.height;
    if (!predt__watch_tick(watch, PREDT__INDEX_SHARE * share)) watch->stop = true;
}

/* Waits for the readers and lets the user watch, ten times a second. */
static void wait_for_readers(sweep_state *s) {
    pthread_mutex_lock(&s->lock);
    while (s->readers > 0) {
        predt__wait(&s->changed, &s->lock);
        int64_t rows_done = s->rows_done;
        pthread_mutex_unlock(&s->lock);
        report(s, rows_done);
        pthread_mutex_lock(&s->lock);
    }
    pthread_mutex_unlock(&s->lock);
}

static void read_on_threads(sweep_state *s, int wanted) {
    pthread_t threads[MAX_READERS];
    int started = 0;
    s->readers = wanted;
    while (started < wanted && pthread_create(&threads[started], NULL, reader, s) == 0) started++;
    pthread_mutex_lock(&s->lock);
    s->readers -= wanted - started;
    pthread_mutex_unlock(&s->lock);
    wait_for_readers(s);
    for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
}

/* What the threads could not: a dataset that opens only once is read here. */
static bool read_here(sweep_state *s) {
    const predt__source *source = &s->question->source;
    predt__strip strip;
    bool good =
        predt__strip_allocate(&strip, source, s->strip_rows * source->width, labels_needed(s));
    while (good && !s->work->watch.stop && s->next < source->height) {
        int64_t row = atomic_fetch_add(&s->next, s->strip_rows);
        good = add_strip(s, source, row, rows_from(s, row), &strip);
        report(s, row);
    }
    predt__strip_free(&strip);
    return good && !s->work->watch.stop;
}

static bool sweep(sweep_state *s) {
    int readers = plan_readers(s);
    s->reading = (predt__reading){s->question, predt__now_reading};
    predt__now_reading = &s->reading;
    if (readers > 1) read_on_threads(s, readers);
    bool good = !s->work->watch.stop && read_here(s);
    predt__now_reading = s->reading.outer;
    good = good && predt_index_seal(s->solver->index) == PREDT_OK;
    if (!good && !s->work->watch.stopped && !predt__has_failed(&s->work->complaints))
        /* only now is nobody else using it */
        CPLError(CE_Failure, CPLE_AppDefined, "%s", predt_message(s->solver->ctx));
    return good;
}

bool predt__build(const predt__question *question, predt__work *work, predt__solver *solver) {
    const predt__budget *budget = &work->budget;
    sweep_state s = {.question = question,
                     .work = work,
                     .solver = solver,
                     .lock = PTHREAD_MUTEX_INITIALIZER,
                     .changed = PTHREAD_COND_INITIALIZER};
    bool own_choice = work->machine->threads <= 0 && budget->threads >= budget->max_threads;
    if (!predt__solver_open(solver, question, work->machine, own_choice ? 0 : budget->threads,
                            budget->index) ||
        !sweep(&s))
        return false;
    return !labels_needed(&s) ||
           predt__choose_candidate(&question->label_nodata, s.taken, question->source.kind,
                                   &solver->label_nodata);
}
