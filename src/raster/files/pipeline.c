/* The caller's thread asks for piece after piece and puts the answers into a ring of slots; one
 * thread for each output takes them out in that order and writes them. A slot is free again when
 * every output has written it. */
#define _GNU_SOURCE
#include "pipeline.h"

#include <cpl_error.h>
#include <time.h>

#include "../answers.h"
#include "pieces.h"

typedef struct slot_state {
    predt__answers answers;
    predt_window window;
    int64_t number; /* of the piece in it; -1: none yet */
    int writers_left;
} slot_state;

/* What the threads share. */
typedef struct pipeline {
    const predt__question *question;
    predt__work *work;
    predt__solver *solver;
    predt__delivery *delivery;
    predt__pieces pieces;
    predt__strip again; /* to read nodata of the source again */
    slot_state slots[PREDT__SLOTS];
    int writers;
    double solving; /* seconds */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_mutex_t files; /* see enter_files */
} pipeline;

typedef struct writer_state {
    pipeline *pipeline;
    predt__product product;
    pthread_t thread;
    double seconds;
} writer_state;

/* ---- Buffers ---- */

static bool allocate(pipeline *p) {
    const predt__pieces *pieces = &p->pieces;
    int slots = pieces->slots;
    int64_t pixels = pieces->rows * pieces->cols;
    bool good = true;
    for (int i = 0; i < slots; i++) p->slots[i].number = -1;
    for (int i = 0; i < slots && i < pieces->count && good; i++)
        good = predt__answers_allocate(&p->slots[i].answers, p->question, (size_t)pixels);
    if (!good)
        CPLError(CE_Failure, CPLE_OutOfMemory, "out of memory for strips of %lld pixels",
                 (long long)pixels);
    return good && (!p->question->request->use_input_nodata ||
                    predt__strip_allocate(&p->again, &p->question->source, pixels, false));
}

static void release(pipeline *p) {
    for (int i = 0; i < p->pieces.slots; i++) predt__answers_free(&p->slots[i].answers);
    predt__strip_free(&p->again);
}

/* ---- Writing ---- */

/* Waits until a piece is there; NULL if none will come. */
static slot_state *take(pipeline *p, int64_t piece) {
    slot_state *slot = &p->slots[piece % p->pieces.slots];
    pthread_mutex_lock(&p->lock);
    while (slot->number != piece && !p->work->watch.stop) pthread_cond_wait(&p->changed, &p->lock);
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

/* Where pieces split blocks, one thread at a time reads or writes: to make room GDAL's cache may
 * write a block of another file, and a thread that completes that block meanwhile reads it back
 * before it is there. */
static void enter_files(pipeline *p) {
    if (p->pieces.splits_blocks) pthread_mutex_lock(&p->files);
}

static void leave_files(pipeline *p) {
    if (p->pieces.splits_blocks) pthread_mutex_unlock(&p->files);
}

static bool write_piece(pipeline *p, predt__sink *sink, const slot_state *slot,
                        const void *pixels) {
    enter_files(p);
    bool good = predt__sink_write(sink, &slot->window, pixels);
    leave_files(p);
    return good;
}

static void *write_pieces(void *argument) {
    writer_state *writer = argument;
    pipeline *p = writer->pipeline;
    predt__sink *sink = &p->delivery->sinks[writer->product];
    predt__listen(&p->work->complaints);
    for (int64_t piece = 0; piece < p->pieces.count; piece++) {
        slot_state *slot = take(p, piece);
        if (!slot) break;
        double start = predt__seconds();
        bool good = write_piece(p, sink, slot, slot->answers.pixels[writer->product]);
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
    if (!slot->answers.is_nodata) return true;
    enter_files(p);
    bool good = predt__source_read_nodata(&question->source, question->selection, &slot->window,
                                          &p->again, slot->answers.is_nodata);
    leave_files(p);
    if (good) return true;
    predt__add_context(&p->work->complaints, "cannot read", question->request->source);
    return false;
}

/* A failure that was heard on any thread ends the run, whether or not the call that met it says
 * so. share: of the answers. */
static bool may_go_on(pipeline *p, double share) {
    double complete = PREDT__INDEX_SHARE + PREDT__ANSWER_SHARE * share;
    return predt__watch_tick(&p->work->watch, complete) && !predt__has_failed(&p->work->complaints);
}

static bool ask(pipeline *p, const slot_state *slot, const predt_window *window,
                predt_tally *tally) {
    double start = predt__seconds();
    predt_status status =
        predt__answers_query(&slot->answers, p->question, p->solver, window, tally);
    p->solving += predt__seconds() - start;
    if (status != PREDT_OK)
        CPLError(CE_Failure, CPLE_AppDefined, "%s", predt_message(p->solver->ctx));
    return status == PREDT_OK;
}

/* Asks for some columns after others; share: of the answers that are there. */
static bool solve(pipeline *p, slot_state *slot, predt_tally *tally, double share) {
    const predt_window *all = &slot->window;
    slot->answers.col = all->col;
    slot->answers.row = all->row;
    slot->answers.stride = all->cols;
    if (!read_nodata(p, slot)) return false;
    for (int64_t done = 0; done < all->cols; done += p->pieces.query_cols) {
        predt_window some = *all;
        double part = (double)done / (double)all->cols;
        if (done > 0 && !may_go_on(p, share + part / (double)p->pieces.count)) return false;
        some.col += done;
        some.cols = all->cols - done;
        if (some.cols > p->pieces.query_cols) some.cols = p->pieces.query_cols;
        if (!ask(p, slot, &some, tally)) return false;
    }
    return true;
}

/* Waits until the slot is free, and lets the user watch meanwhile. share: of the answers. */
static bool wait_for_slot(pipeline *p, const slot_state *slot, double share) {
    bool going_on = may_go_on(p, share);
    pthread_mutex_lock(&p->lock);
    while (going_on && slot->writers_left > 0 && !p->work->watch.stop) {
        if (predt__wait(&p->changed, &p->lock)) continue;
        pthread_mutex_unlock(&p->lock);
        going_on = may_go_on(p, share);
        pthread_mutex_lock(&p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return going_on && !p->work->watch.stop;
}

static void hand_over(pipeline *p, slot_state *slot, int64_t piece) {
    pthread_mutex_lock(&p->lock);
    slot->number = piece;
    slot->writers_left = p->writers;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

static bool solve_pieces(pipeline *p, predt_tally *tally) {
    for (int64_t piece = 0; piece < p->pieces.count; piece++) {
        slot_state *slot = &p->slots[piece % p->pieces.slots];
        double share = (double)piece / (double)p->pieces.count;
        if (!wait_for_slot(p, slot, share)) return false;
        slot->window = predt__piece(&p->pieces, piece);
        if (!solve(p, slot, tally, share)) return false;
        hand_over(p, slot, piece);
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
    for (int i = 0; i < p->pieces.slots && good; i++) good = wait_for_slot(p, &p->slots[i], 1);
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
        if (pthread_create(&writer->thread, NULL, write_pieces, writer) != 0) {
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
                  .changed = PTHREAD_COND_INITIALIZER,
                  .files = PTHREAD_MUTEX_INITIALIZER};
    writer_state writers[PREDT__PRODUCTS];
    p.pieces = predt__pieces_plan(question, &work->budget, delivery);
    bool good =
        allocate(&p) && start_writers(&p, writers) && solve_pieces(&p, tally) && write_rest(&p);
    if (!good) stop_all(&p);
    seconds->solve = p.solving;
    for (int i = 0; i < p.writers; i++) {
        join(&p, &writers[i], good);
        seconds->write += writers[i].seconds;
    }
    predt__solver_close(solver);
    release(&p);
    return good && !work->watch.stop;
}
