/* The second sweep. The caller's thread asks the index for strip after strip and puts the answers into a ring of slots;
 * one thread for each output takes them out in file order, encodes and writes them. A slot is free again when every
 * output has written it. */
#include <cpl_error.h>
#include <cpl_vsi.h>
#include <string.h>

#include "run.h"

/* One being solved, one being written, one to even out the two. */
#define SLOTS 3

/* Pixels of a strip: small enough for the caches to help and for a stop to come soon, large enough to forget the locks. */
#define WANTED_PIXELS (INT64_C(1) << 21)

typedef struct slot {
    void *measured; /* what the encoding takes: float distances or double squares; or whole numbers as they are written */
    void *labels;   /* as they are written */
    float *direction;
    uint8_t *is_nodata; /* of the source, where the user wants it in the outputs */
    int64_t row;
    int32_t rows;
    int64_t number; /* of the strip in it; -1: none yet */
    int writers_left;
} slot;

typedef struct pipeline {
    predt__run *run;
    slot slots[SLOTS];
    int32_t strip_rows;
    int64_t strips;
    predt__strip strip; /* to read nodata again */
    int writers;
    pthread_mutex_t lock;
    pthread_cond_t changed;
} pipeline;

typedef struct writer {
    pipeline *pipeline;
    predt__role role;
    pthread_t thread;
    const slot *slot;
    double seconds;
} writer;

/* ---- Room ---- */

static bool float_is_enough(const predt__run *run) { return run->encoding.kind == PREDT__F32; }

static bool needs_distance(const predt__run *run) { return predt__wanted(run, PREDT__DISTANCE) || run->job->min_distance > 0; }

/* Whether pixels are taken out of the answer before it is written. */
static bool clears_pixels(const predt__run *run) { return run->job->use_input_nodata || run->job->min_distance > 0; }

/* Whether the core gives distances as they are written. Where pixels are cleared it would have counted them. */
static bool core_rounds(const predt__run *run) {
    predt__kind kind = run->encoding.kind;
    return !predt__kind_is_real(kind) && predt__kind_size(kind) <= 4 && !clears_pixels(run);
}

static int measured_bytes(const predt__run *run) {
    return float_is_enough(run) ? 4 : core_rounds(run) ? predt__kind_size(run->encoding.kind) : 8;
}

static int label_bytes(const predt__run *run) { return predt__kind_size(run->source.kind); }

/* What the core may need, at most, for as many pixels as a slot has: its squares and its labels are not narrow. */
static int64_t core_bytes_a_pixel(const predt__run *run) {
    bool narrow_labels = predt__wanted(run, PREDT__ALLOCATION) && label_bytes(run) < 4;
    return (core_rounds(run) ? 8 : 0) + (narrow_labels ? 4 : 0);
}

static int64_t bytes_a_pixel(const predt__run *run) {
    int64_t bytes = run->job->use_input_nodata ? 1 : 0;
    if (needs_distance(run)) bytes += measured_bytes(run);
    if (predt__wanted(run, PREDT__ALLOCATION)) bytes += label_bytes(run);
    if (predt__wanted(run, PREDT__DIRECTION)) bytes += 4;
    return bytes;
}

/* Block rows of every output, and of the source where it is read again. */
static int64_t block_rows(const predt__run *run) {
    int64_t rows = 1;
    for (int role = 0; role < PREDT__ROLES; role++)
        if (predt__wanted(run, role) && run->sinks[role].block_rows < run->source.height)
            rows = predt__least_common_multiple(rows, run->sinks[role].block_rows);
    if (run->job->use_input_nodata && run->source.block_rows < run->source.height)
        rows = predt__least_common_multiple(rows, run->source.block_rows);
    return rows;
}

static void plan_strips(pipeline *p) {
    const predt__run *run = p->run;
    int64_t width = run->source.width, height = run->source.height;
    int64_t room = run->memory / 4 / (SLOTS * bytes_a_pixel(run) + core_bytes_a_pixel(run)), wanted = width * PREDT_SUBBLOCK_ROWS * run->threads;
    if (wanted < WANTED_PIXELS) wanted = WANTED_PIXELS;
    p->strip_rows = predt__strip_rows(width, height, block_rows(run), wanted, room);
    p->strips = (height + p->strip_rows - 1) / p->strip_rows;
}

static bool allocate_slot(const predt__run *run, slot *slot, size_t pixels) {
    bool good = true;
    slot->number = -1;
    if (needs_distance(run)) good = (slot->measured = VSIMalloc2(pixels, (size_t)measured_bytes(run))) && good;
    if (predt__wanted(run, PREDT__ALLOCATION))
        good = (slot->labels = VSIMalloc2(pixels, (size_t)label_bytes(run))) && good;
    if (predt__wanted(run, PREDT__DIRECTION)) good = (slot->direction = VSIMalloc2(pixels, 4)) && good;
    if (run->job->use_input_nodata) good = (slot->is_nodata = VSIMalloc(pixels)) && good;
    return good;
}

static bool allocate(pipeline *p) {
    size_t pixels = (size_t)p->strip_rows * (size_t)p->run->source.width;
    bool good = true;
    for (int i = 0; i < SLOTS && i < p->strips && good; i++) good = allocate_slot(p->run, &p->slots[i], pixels);
    if (!good) CPLError(CE_Failure, CPLE_OutOfMemory, "out of memory for strips of %d rows", (int)p->strip_rows);
    return good && (!p->run->job->use_input_nodata || predt__strip_allocate(&p->strip, &p->run->source, p->strip_rows, false));
}

static void release(pipeline *p) {
    for (int i = 0; i < SLOTS; i++) {
        VSIFree(p->slots[i].measured);
        VSIFree(p->slots[i].labels);
        VSIFree(p->slots[i].direction);
        VSIFree(p->slots[i].is_nodata);
    }
    predt__strip_free(&p->strip);
}

/* ---- Writing ---- */

static void fill(void *user, int64_t col, int64_t row, int64_t cols, void *out) {
    const writer *w = user;
    predt__run *run = w->pipeline->run;
    const slot *slot = w->slot;
    int64_t pixel = (row - slot->row) * run->source.width + col, size = w->role == PREDT__DISTANCE ? measured_bytes(run) : 4;
    if (w->role == PREDT__ALLOCATION) size = label_bytes(run);
    const void *arrays[] = {slot->measured, slot->labels, slot->direction};
    const char *from = (const char *)arrays[w->role] + pixel * size;
    if (w->role == PREDT__DISTANCE && !core_rounds(run))
        predt__encode_distance(&run->encoding, from, col, row, cols, out, &run->tally);
    else memcpy(out, from, (size_t)(cols * size));
}

/* Waits until a strip is there; NULL if none will come. */
static slot *take(pipeline *p, int64_t strip) {
    slot *slot = &p->slots[strip % SLOTS];
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
    predt__sink *sink = &p->run->sinks[w->role];
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

static void store_label(void *labels, int bytes, int64_t i, uint64_t bits) {
    if (bytes == 1) ((uint8_t *)labels)[i] = (uint8_t)bits;
    else if (bytes == 2) ((uint16_t *)labels)[i] = (uint16_t)bits;
    else if (bytes == 4) ((uint32_t *)labels)[i] = (uint32_t)bits;
    else ((uint64_t *)labels)[i] = bits;
}

/* Pixels that are to be nodata look as if no target were in reach. */
static void clear_pixel(const predt__run *run, const slot *slot, int64_t i) {
    predt__value nodata = run->label_nodata[run->label_chosen];
    uint64_t bits = predt__value_bits(run->source.kind, nodata);
    if (slot->measured && float_is_enough(run)) ((float *)slot->measured)[i] = INFINITY;
    else if (slot->measured) ((double *)slot->measured)[i] = INFINITY;
    if (slot->labels) store_label(slot->labels, label_bytes(run), i, bits);
    if (slot->direction) slot->direction[i] = NAN;
}

/* A distance is compared as it is stored: 0.7 in float32 is not nearer than a minimum of 0.7. */
static bool too_near(const predt__run *run, const slot *slot, int64_t i) {
    double least = run->job->min_distance;
    if (least <= 0) return false;
    if (float_is_enough(run)) return ((const float *)slot->measured)[i] < (float)least;
    return sqrt(((const double *)slot->measured)[i]) * run->encoding.scale < least * (1 - 1e-12);
}

static bool clear_pixels(pipeline *p, slot *slot) {
    predt__run *run = p->run;
    int64_t count = slot->rows * run->source.width;
    if (!clears_pixels(run)) return true;
    if (slot->is_nodata && !predt__source_read_nodata(&run->source, slot->row, slot->rows, &p->strip, slot->is_nodata)) {
        predt__while(&run->complaints, "cannot read", run->job->source);
        return false;
    }
    for (int64_t i = 0; i < count; i++)
        if ((slot->is_nodata && slot->is_nodata[i]) || too_near(run, slot, i)) clear_pixel(run, slot, i);
    return true;
}

static void adopt_tally(predt__run *run) {
    const predt_tally *seen = &run->whole_tally;
    if (core_rounds(run))
        run->tally = (predt__tally){seen->farthest2, seen->farthest_col, seen->farthest_row,
                                    run->encoding.fixed ? 0 : seen->clamped, seen->like_none};
}

static bool solve(pipeline *p, slot *slot) {
    predt__run *run = p->run;
    predt_window window = {0, slot->row, run->source.width, slot->rows, 1};
    predt_outputs outputs = {.label = slot->labels, .direction = slot->direction};
    if (float_is_enough(run)) outputs.distance = slot->measured;
    else if (core_rounds(run)) outputs.whole = predt__encoding_whole(&run->encoding, slot->measured, &run->whole_tally);
    else outputs.distance2 = slot->measured;
    if (label_bytes(run) < 4) outputs.label_bytes = label_bytes(run);
    if (slot->labels) outputs.no_label = predt__value_bits(run->source.kind, run->label_nodata[run->label_chosen]);
    double start = predt__seconds();
    predt_status status = predt_query(run->ctx, run->index, &window, &outputs);
    run->report->solve_seconds += predt__seconds() - start;
    if (status == PREDT_OK) return clear_pixels(p, slot);
    CPLError(CE_Failure, CPLE_AppDefined, "%s", predt_message(run->ctx));
    return false;
}

/* Waits until the slot is free, and lets the user watch meanwhile. */
static bool wait_for_slot(pipeline *p, const slot *slot, double complete) {
    bool going_on = predt__tick(p->run, complete);
    pthread_mutex_lock(&p->lock);
    while (going_on && slot->writers_left > 0 && !p->run->stop) {
        if (predt__wait(&p->changed, &p->lock)) continue;
        pthread_mutex_unlock(&p->lock);
        going_on = predt__tick(p->run, complete);
        pthread_mutex_lock(&p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return going_on && !p->run->stop;
}

static bool solve_strips(pipeline *p) {
    int64_t height = p->run->source.height;
    for (int64_t strip = 0; strip < p->strips; strip++) {
        slot *slot = &p->slots[strip % SLOTS];
        double share = (double)strip / (double)p->strips;
        if (!wait_for_slot(p, slot, PREDT__INDEX_SHARE + PREDT__ANSWER_SHARE * share)) return false;
        slot->row = strip * p->strip_rows;
        slot->rows = (int32_t)(height - slot->row < p->strip_rows ? height - slot->row : p->strip_rows);
        if (!solve(p, slot)) return false;
        pthread_mutex_lock(&p->lock);
        slot->number = strip;
        slot->writers_left = p->writers;
        pthread_cond_broadcast(&p->changed);
        pthread_mutex_unlock(&p->lock);
    }
    for (int i = 0; i < SLOTS; i++)
        if (!wait_for_slot(p, &p->slots[i], PREDT__INDEX_SHARE + PREDT__ANSWER_SHARE)) return false;
    return true;
}

/* ---- All of it ---- */

static bool start_writers(pipeline *p, writer *writers) {
    for (int role = 0; role < PREDT__ROLES; role++) {
        if (!predt__wanted(p->run, role)) continue;
        writers[p->writers] = (writer){.pipeline = p, .role = role};
        if (pthread_create(&writers[p->writers].thread, NULL, write_strips, &writers[p->writers]) != 0) {
            CPLError(CE_Failure, CPLE_AppDefined, "cannot start a thread");
            return false;
        }
        p->writers++;
    }
    return true;
}

bool predt__answer(predt__run *run) {
    pipeline p = {.run = run, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    writer writers[PREDT__ROLES];
    plan_strips(&p);
    bool good = allocate(&p) && start_writers(&p, writers) && solve_strips(&p);
    if (!good) stop_all(&p);
    for (int i = 0; i < p.writers; i++) {
        pthread_join(writers[i].thread, NULL);
        run->report->write_seconds += writers[i].seconds;
    }
    adopt_tally(run);
    release(&p);
    return good && !run->stop;
}
