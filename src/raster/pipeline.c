/* The second sweep. The caller's thread asks the index for strip after strip and puts the answers
 * into a ring of slots; one thread for each output takes them out in file order, encodes and writes
 * them. A slot is free again when every output has written it. */
#define _GNU_SOURCE
#include <cpl_error.h>
#include <time.h>

#include "answers.h"

/* Pixels of a strip: small enough for the caches to help and for a stop to come soon, large enough
 * to forget the locks. */
#define WANTED_PIXELS (INT64_C(1) << 21)

typedef struct slot {
    predt__answers answers;
    int64_t row;
    int32_t rows;
    int64_t number; /* of the strip in it; -1: none yet */
    int writers_left;
} slot;

typedef struct pipeline {
    predt__run *run;
    slot slots[PREDT__SLOTS];
    int slot_count;
    int32_t strip_rows;
    int64_t strips;
    predt__strip strip; /* to read nodata again */
    int writers;
    pthread_t closer; /* of the core */
    bool closing;
    pthread_mutex_t lock;
    pthread_cond_t changed;
} pipeline;

typedef struct writer {
    pipeline *pipeline;
    predt__product product;
    pthread_t thread;
    const slot *slot;
    double seconds;
} writer;

/* ---- Room ---- */

/* Block rows of every output, and of the source where it is read again. */
static int64_t block_rows(const predt__run *run) {
    int64_t rows = 1;
    for (int product = 0; product < PREDT__PRODUCTS; product++)
        if (predt__wanted(run, product) && run->sinks[product].block_rows < run->source.height)
            rows = predt__least_common_multiple(rows, run->sinks[product].block_rows);
    if (run->job->request.use_input_nodata && run->source.block_rows < run->source.height)
        rows = predt__least_common_multiple(rows, run->source.block_rows);
    return rows;
}

static void plan_strips(pipeline *p) {
    const predt__run *run = p->run;
    p->slot_count = run->budget.slots;
    int64_t width = run->source.width, height = run->source.height;
    /* 1: rows encoded */
    int64_t bytes =
        (run->budget.slots + 1) * predt__answers_bytes(run) + predt__answers_core_bytes(run);
    if (run->job->request.use_input_nodata) bytes += predt__strip_bytes(&run->source, false);
    int64_t room = run->budget.strips / bytes,
            wanted = width * PREDT_SUBBLOCK_ROWS * run->budget.threads;
    if (wanted < WANTED_PIXELS) wanted = WANTED_PIXELS;
    p->strip_rows = predt__strip_rows(width, height, block_rows(run), wanted, room);
    p->strips = (height + p->strip_rows - 1) / p->strip_rows;
}

static bool allocate(pipeline *p) {
    size_t pixels = (size_t)p->strip_rows * (size_t)p->run->source.width;
    bool good = true;
    for (int i = 0; i < p->slot_count; i++) p->slots[i].number = -1;
    for (int i = 0; i < p->slot_count && i < p->strips && good; i++)
        good = predt__answers_allocate(&p->slots[i].answers, p->run, pixels);
    if (!good)
        CPLError(CE_Failure, CPLE_OutOfMemory, "out of memory for strips of %d rows",
                 (int)p->strip_rows);
    return good && (!p->run->job->request.use_input_nodata ||
                    predt__strip_allocate(&p->strip, &p->run->source, p->strip_rows, false));
}

static void release(pipeline *p) {
    for (int i = 0; i < p->slot_count; i++) predt__answers_free(&p->slots[i].answers);
    predt__strip_free(&p->strip);
}

/* ---- Writing ---- */

static void fill(void *user, int64_t col, int64_t row, int64_t cols, void *out) {
    const writer *w = user;
    predt__run *run = w->pipeline->run;
    const slot *slot = w->slot;
    predt__answers from =
        predt__answers_from(&slot->answers, run, (row - slot->row) * run->source.width + col);
    predt__answers_encode(&from, run, w->product, col, row, cols, out, &run->tally);
}

/* Waits until a strip is there; NULL if none will come. */
static slot *take(pipeline *p, int64_t strip) {
    slot *slot = &p->slots[strip % p->slot_count];
    pthread_mutex_lock(&p->lock);
    while (slot->number != strip && !p->run->stop) pthread_cond_wait(&p->changed, &p->lock);
    pthread_mutex_unlock(&p->lock);
    return p->run->stop ? NULL : slot;
}

static void give_back(pipeline *p, slot *slot) {
    pthread_mutex_lock(&p->lock);
    slot->writers_left--;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

static void stop_all(pipeline *p) {
    pthread_mutex_lock(&p->lock);
    p->run->stop = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

static void *write_strips(void *argument) {
    writer *w = argument;
    pipeline *p = w->pipeline;
    predt__sink *sink = &p->run->sinks[w->product];
    predt__listen(&p->run->complaints);
    for (int64_t strip = 0; strip < p->strips; strip++) {
        slot *slot = take(p, strip);
        if (!slot) break;
        w->slot = slot;
        double start = predt__seconds();
        bool good = predt__sink_write(sink, slot->row, slot->rows, fill, w);
        w->seconds += predt__seconds() - start;
        if (!good) {
            predt__while(&p->run->complaints, "cannot write", sink->path);
            stop_all(p);
            break;
        }
        give_back(p, slot);
    }
    predt__listen_no_more();
    return NULL;
}

/* ---- Solving ---- */

static bool read_nodata(pipeline *p, slot *slot) {
    predt__run *run = p->run;
    uint8_t *is_nodata = slot->answers.is_nodata;
    if (!is_nodata) return true;
    if (predt__source_read_nodata(&run->source, run->selection, slot->row, slot->rows, &p->strip,
                                  is_nodata))
        return true;
    predt__while(&run->complaints, "cannot read", run->job->request.source);
    return false;
}

static bool solve(pipeline *p, slot *slot) {
    predt__run *run = p->run;
    predt_window window = PREDT_WINDOW_INIT(0, slot->row, run->source.width, slot->rows, 1);
    double start = predt__seconds();
    predt_status status = predt__answers_query(&slot->answers, run, &window, &run->whole_tally);
    run->report->solve_seconds += predt__seconds() - start;
    if (status != PREDT_OK) {
        CPLError(CE_Failure, CPLE_AppDefined, "%s", predt_message(run->ctx));
        return false;
    }
    if (!read_nodata(p, slot)) return false;
    predt__answers_clear(&slot->answers, run, slot->rows * run->source.width);
    return true;
}

/* A failure that was heard on any thread ends the run, whether or not the call that met it says
 * so. */
static bool may_go_on(pipeline *p, double complete) {
    return predt__tick(p->run, complete) && !predt__has_failed(&p->run->complaints);
}

/* Waits until the slot is free, and lets the user watch meanwhile. */
static bool wait_for_slot(pipeline *p, const slot *slot, double complete) {
    bool going_on = may_go_on(p, complete);
    pthread_mutex_lock(&p->lock);
    while (going_on && slot->writers_left > 0 && !p->run->stop) {
        if (predt__wait(&p->changed, &p->lock)) continue;
        pthread_mutex_unlock(&p->lock);
        going_on = may_go_on(p, complete);
        pthread_mutex_lock(&p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return going_on && !p->run->stop;
}

static void *close_core(void *run) {
    predt__close_core(run);
    return NULL;
}

/* Everything is solved: a GPU takes a tenth of a second to be given up, in which the last strips
 * are written. */
static void start_closing(pipeline *p) {
    p->closing = pthread_create(&p->closer, NULL, close_core, p->run) == 0;
}

static void finish_closing(pipeline *p) {
    if (p->closing) pthread_join(p->closer, NULL);
    else predt__close_core(p->run);
}

static bool solve_strips(pipeline *p) {
    int64_t height = p->run->source.height;
    for (int64_t strip = 0; strip < p->strips; strip++) {
        slot *slot = &p->slots[strip % p->slot_count];
        double share = (double)strip / (double)p->strips;
        if (!wait_for_slot(p, slot, PREDT__INDEX_SHARE + PREDT__ANSWER_SHARE * share)) return false;
        slot->row = strip * p->strip_rows;
        slot->rows =
            (int32_t)(height - slot->row < p->strip_rows ? height - slot->row : p->strip_rows);
        if (!solve(p, slot)) return false;
        pthread_mutex_lock(&p->lock);
        slot->number = strip;
        slot->writers_left = p->writers;
        pthread_cond_broadcast(&p->changed);
        pthread_mutex_unlock(&p->lock);
    }
    start_closing(p);
    for (int i = 0; i < p->slot_count; i++)
        if (!wait_for_slot(p, &p->slots[i], PREDT__INDEX_SHARE + PREDT__ANSWER_SHARE)) return false;
    return true;
}

/* ---- All of it ---- */

/* Seconds that a writer is given to end after a failure. GDAL 3.6 waits for ever once it cannot
 * start a thread of its own. */
#define PATIENCE 30

static void join(pipeline *p, const writer *writer, bool good) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    if (good || !p->run->job->machine.own_process) pthread_join(writer->thread, NULL);
    else if (pthread_timedjoin_np(writer->thread, NULL, &until) != 0) predt__abandon(p->run);
}

static bool start_writers(pipeline *p, writer *writers) {
    for (int product = 0; product < PREDT__PRODUCTS; product++) {
        if (!predt__wanted(p->run, product)) continue;
        writers[p->writers] = (writer){.pipeline = p, .product = product};
        if (pthread_create(&writers[p->writers].thread, NULL, write_strips, &writers[p->writers]) !=
            0) {
            CPLError(CE_Failure, CPLE_AppDefined, "cannot start a thread");
            return false;
        }
        p->writers++;
    }
    return true;
}

bool predt__answer(predt__run *run) {
    pipeline p = {
        .run = run, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    writer writers[PREDT__PRODUCTS];
    plan_strips(&p);
    bool good = allocate(&p) && start_writers(&p, writers) && solve_strips(&p);
    if (!good) stop_all(&p);
    for (int i = 0; i < p.writers; i++) {
        join(&p, &writers[i], good);
        run->report->write_seconds += writers[i].seconds;
    }
    finish_closing(&p);
    predt__answers_adopt(run, &run->whole_tally, &run->tally);
    release(&p);
    return good && !run->stop;
}
