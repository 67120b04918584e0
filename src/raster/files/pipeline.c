/* The caller's thread asks for strip after strip and puts the answers into a ring of slots; one
 * thread for each output takes them out in file order and writes them. A slot is free again when
 * every output has written it. */
#define _GNU_SOURCE
#include "pipeline.h"

#include <cpl_error.h>
#include <time.h>

#include "../answers.h"

/* Pixels of a strip: small enough for the caches to help and for a stop to come soon, large enough
 * to forget the locks. */
#define WANTED_PIXELS (INT64_C(1) << 21)

typedef struct slot_state {
    predt__answers answers;
    int64_t row;
    int32_t rows;
    int64_t number; /* of the strip in it; -1: none yet */
    int writers_left;
} slot_state;

/* How the raster is cut. */
typedef struct strips {
    int32_t rows; /* of each but the last */
    int64_t count;
    predt__strip again; /* to read nodata of the source again */
} strips;

/* What the threads share. */
typedef struct pipeline {
    const predt__question *question;
    predt__work *work;
    predt__solver *solver;
    predt__delivery *delivery;
    strips strips;
    slot_state slots[PREDT__SLOTS];
    int writers;
    pthread_mutex_t lock;
    pthread_cond_t changed;
} pipeline;

typedef struct writer_state {
    pipeline *pipeline;
    predt__product product;
    pthread_t thread;
    double seconds;
} writer_state;

/* ---- Buffers ---- */

/* Block rows of every output, and of the source where it is read again. */
static int64_t block_rows(const pipeline *p) {
    const predt__source *source = &p->question->source;
    int64_t rows = 1;
    for (predt__product product = 0; product < PREDT__PRODUCTS; product++) {
        int block = p->delivery->sinks[product].blocks.rows;
        if (predt__asks_for(p->question, product) && block < source->height)
            rows = predt__least_common_multiple(rows, block);
    }
    if (p->question->request->use_input_nodata && source->block_rows < source->height)
        rows = predt__least_common_multiple(rows, source->block_rows);
    return rows;
}

static void plan_strips(pipeline *p) {
    const predt__question *question = p->question;
    const predt__budget *budget = &p->work->budget;
    int64_t width = question->source.width, height = question->source.height;
    int64_t bytes =
        budget->slots * predt__answers_bytes(question) + predt__answers_core_bytes(question);
    if (question->request->use_input_nodata) bytes += predt__strip_bytes(&question->source, false);
    int64_t wanted = width * PREDT_SUBBLOCK_ROWS * budget->threads;
    if (wanted < WANTED_PIXELS) wanted = WANTED_PIXELS;
    p->strips.rows =
        predt__strip_rows(width, height, block_rows(p), wanted, budget->strips / bytes);
    p->strips.count = (height + p->strips.rows - 1) / p->strips.rows;
}

static bool allocate(pipeline *p) {
    const predt__source *source = &p->question->source;
    int slots = p->work->budget.slots;
    size_t pixels = (size_t)p->strips.rows * (size_t)source->width;
    bool good = true;
    for (int i = 0; i < slots; i++) p->slots[i].number = -1;
    for (int i = 0; i < slots && i < p->strips.count && good; i++)
        good = predt__answers_allocate(&p->slots[i].answers, p->question, pixels);
    if (!good)
        CPLError(CE_Failure, CPLE_OutOfMemory, "out of memory for strips of %d rows",
                 (int)p->strips.rows);
    return good && (!p->question->request->use_input_nodata ||
                    predt__strip_allocate(&p->strips.again, source, p->strips.rows, false));
}

static void release(pipeline *p) {
    for (int i = 0; i < p->work->budget.slots; i++) predt__answers_free(&p->slots[i].answers);
    predt__strip_free(&p->strips.again);
}

/* ---- Writing ---- */

/* Waits until a strip is there; NULL if none will come. */
static slot_state *take(pipeline *p, int64_t strip) {
    slot_state *slot = &p->slots[strip % p->work->budget.slots];
    pthread_mutex_lock(&p->lock);
    while (slot->number != strip && !p->work->watch.stop) pthread_cond_wait(&p->changed, &p->lock);
    pthread_mutex_unlock(&p->lock);
    return p->work->watch.stop ? NULL : slot;
}

static void give_back(pipeline *p, slot_state *slot) {
    pthread_mutex_lock(&p->lock);
    slot->writers_left--;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

static void stop_all(pipeline *p) {
    pthread_mutex_lock(&p->lock);
    p->work->watch.stop = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

static void *write_strips(void *argument) {
    writer_state *writer = argument;
    pipeline *p = writer->pipeline;
    predt__sink *sink = &p->delivery->sinks[writer->product];
    predt__listen(&p->work->complaints);
    for (int64_t strip = 0; strip < p->strips.count; strip++) {
        slot_state *slot = take(p, strip);
        if (!slot) break;
        double start = predt__seconds();
        bool good =
            predt__sink_write(sink, slot->row, slot->rows, slot->answers.pixels[writer->product]);
        writer->seconds += predt__seconds() - start;
        if (!good) {
            predt__add_context(&p->work->complaints, "cannot write", sink->place.path);
            stop_all(p);
            break;
        }
        give_back(p, slot);
    }
    predt__listen_no_more();
    return NULL;
}

/* ---- Solving ---- */

static bool read_nodata(pipeline *p, const slot_state *slot) {
    const predt__question *question = p->question;
    if (!slot->answers.is_nodata ||
        predt__source_read_nodata(&question->source, question->selection, slot->row, slot->rows,
                                  &p->strips.again, slot->answers.is_nodata))
        return true;
    predt__add_context(&p->work->complaints, "cannot read", question->request->source);
    return false;
}

static bool solve(pipeline *p, const slot_state *slot, predt_tally *tally, double *seconds) {
    predt_window window = PREDT_WINDOW_INIT(0, slot->row, p->question->source.width, slot->rows, 1);
    if (!read_nodata(p, slot)) return false;
    double start = predt__seconds();
    predt_status status =
        predt__answers_query(&slot->answers, p->question, p->solver, &window, tally);
    *seconds += predt__seconds() - start;
    if (status != PREDT_OK)
        CPLError(CE_Failure, CPLE_AppDefined, "%s", predt_message(p->solver->ctx));
    return status == PREDT_OK;
}

/* A failure that was heard on any thread ends the run, whether or not the call that met it says
 * so. */
static bool may_go_on(pipeline *p, double complete) {
    return predt__watch_tick(&p->work->watch, complete) && !predt__has_failed(&p->work->complaints);
}

/* Waits until the slot is free, and lets the user watch meanwhile. share: of the answers. */
static bool wait_for_slot(pipeline *p, const slot_state *slot, double share) {
    double complete = PREDT__INDEX_SHARE + PREDT__ANSWER_SHARE * share;
    bool going_on = may_go_on(p, complete);
    pthread_mutex_lock(&p->lock);
    while (going_on && slot->writers_left > 0 && !p->work->watch.stop) {
        if (predt__wait(&p->changed, &p->lock)) continue;
        pthread_mutex_unlock(&p->lock);
        going_on = may_go_on(p, complete);
        pthread_mutex_lock(&p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return going_on && !p->work->watch.stop;
}

static void hand_over(pipeline *p, slot_state *slot, int64_t strip) {
    pthread_mutex_lock(&p->lock);
    slot->number = strip;
    slot->writers_left = p->writers;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

static bool solve_strips(pipeline *p, predt_tally *tally, double *seconds) {
    int64_t height = p->question->source.height;
    for (int64_t strip = 0; strip < p->strips.count; strip++) {
        slot_state *slot = &p->slots[strip % p->work->budget.slots];
        if (!wait_for_slot(p, slot, (double)strip / (double)p->strips.count)) return false;
        slot->row = strip * p->strips.rows;
        slot->rows =
            (int32_t)(height - slot->row < p->strips.rows ? height - slot->row : p->strips.rows);
        if (!solve(p, slot, tally, seconds)) return false;
        hand_over(p, slot, strip);
    }
    return true;
}

static void *close_solver(void *solver) {
    predt__solver_close(solver);
    return NULL;
}

/* Waits until all is written. A GPU takes a tenth of a second to be given up, in which the last
 * strips are. */
static bool write_rest(pipeline *p) {
    pthread_t closer;
    bool closing = pthread_create(&closer, NULL, close_solver, p->solver) == 0, good = true;
    for (int i = 0; i < p->work->budget.slots && good; i++)
        good = wait_for_slot(p, &p->slots[i], 1);
    if (closing) pthread_join(closer, NULL);
    return good;
}

/* ---- All of it ---- */

/* Seconds that a writer is given to end after a failure. GDAL 3.6 waits for ever once it cannot
 * start a thread of its own. */
#define PATIENCE 30

static void join(pipeline *p, const writer_state *writer, bool good) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    if (good || !p->work->machine->own_process) pthread_join(writer->thread, NULL);
    else if (pthread_timedjoin_np(writer->thread, NULL, &until) != 0)
        predt__delivery_abandon(p->delivery, p->work);
}

static bool start_writers(pipeline *p, writer_state *writers) {
    for (predt__product product = 0; product < PREDT__PRODUCTS; product++) {
        writer_state *writer = &writers[p->writers];
        if (!predt__asks_for(p->question, product)) continue;
        *writer = (writer_state){.pipeline = p, .product = product};
        if (pthread_create(&writer->thread, NULL, write_strips, writer) != 0) {
            CPLError(CE_Failure, CPLE_AppDefined, "cannot start a thread");
            return false;
        }
        p->writers++;
    }
    return true;
}

bool predt__pipeline(const predt__question *question, predt__work *work, predt__solver *solver,
                     predt__delivery *delivery, predt_tally *tally, predt__durations *seconds) {
    pipeline p = {.question = question,
                  .work = work,
                  .solver = solver,
                  .delivery = delivery,
                  .lock = PTHREAD_MUTEX_INITIALIZER,
                  .changed = PTHREAD_COND_INITIALIZER};
    writer_state writers[PREDT__PRODUCTS];
    plan_strips(&p);
    bool good = allocate(&p) && start_writers(&p, writers) &&
                solve_strips(&p, tally, &seconds->solve) && write_rest(&p);
    if (!good) stop_all(&p);
    for (int i = 0; i < p.writers; i++) {
        join(&p, &writers[i], good);
        seconds->write += writers[i].seconds;
    }
    predt__solver_close(solver);
    release(&p);
    return good && !work->watch.stop;
}
