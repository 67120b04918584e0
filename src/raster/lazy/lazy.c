#include "lazy.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <stdio.h>
#include <string.h>

#include "indexes.h"
#include "read.h"
#include "stamp.h"

struct predt__lazy {
    predt__job job;
    char **texts; /* that the job points to */
    predt__product product;
    predt__question question;
    predt__work work;
    char *stamp; /* of the source when it was opened; NULL: nothing to tell it by */
    char *key;   /* of its index among the shared ones; NULL: not to be shared */
    predt__shared_index *shared;
    predt__solver solver; /* lent by the shared index */
    bool warned;          /* of pixels that the type cannot hold */
};

/* ---- Opening ---- */

static const char *copy_of(predt__lazy *lazy, const char *text) {
    if (text) lazy->texts = CSLAddString(lazy->texts, text);
    return text ? lazy->texts[CSLCount(lazy->texts) - 1] : NULL;
}

static void copy_job(predt__lazy *lazy, const predt__job *job) {
    predt__request *request = &lazy->job.request;
    lazy->job = *job;
    request->source = copy_of(lazy, job->request.source);
    request->values = copy_of(lazy, job->request.values);
    request->nodata = copy_of(lazy, job->request.nodata);
    lazy->job.machine.engine = copy_of(lazy, job->machine.engine);
}

/* The cache key: everything that decides an index's contents. That is the source with its stamp,
 * which pixels are targets, the metric with its limit, the nodata that labels must leave free, and
 * what solves. */
#define PARTS 7
#define NUMBERS 256 /* bytes */

static void write_plane(const predt__lazy *lazy, char *numbers) {
    const predt__job *job = &lazy->job;
    const predt_grid *grid = &lazy->question.measure.grid;
    CPLsnprintf(numbers, NUMBERS, "%d %d %.17g %.17g %.17g %.17g %.17g %d %d", job->request.band,
                (int)grid->metric, grid->col_step[0], grid->col_step[1], grid->row_step[0],
                grid->row_step[1], grid->max_distance, lazy->product == PREDT__ALLOCATION,
                job->machine.device);
}

/* Where its rows and columns lie is the source's; of the unit there is the length of the axis. */
static void write_globe(const predt_globe *globe, char *numbers) {
    *numbers = 0;
    if (globe)
        CPLsnprintf(numbers, NUMBERS, "%.17g %.17g", globe->semi_major_axis, globe->flattening);
}

static char *key_of(const predt__lazy *lazy) {
    const predt__job *job = &lazy->job;
    bool labels = lazy->product == PREDT__ALLOCATION;
    char numbers[NUMBERS], globe[NUMBERS];
    write_plane(lazy, numbers);
    write_globe(lazy->question.measure.grid.globe, globe);
    const char *parts[] = {numbers,
                           globe,
                           job->machine.engine ? job->machine.engine : "",
                           labels && job->request.nodata ? job->request.nodata : "",
                           job->request.values ? job->request.values : " ",
                           job->request.source,
                           lazy->stamp};
    size_t length = 0;
    for (size_t i = 0; i < PARTS; i++) length += strlen(parts[i]) + 24;
    char *key = VSIMalloc(length + 1), *end = key;
    /* with their lengths: no text of one can pass for the next */
    for (size_t i = 0; i < PARTS && key; i++)
        end += sprintf(end, "%zu:%s\n", strlen(parts[i]), parts[i]);
    return key;
}

static bool prepare(predt__lazy *lazy) {
    predt__question *question = &lazy->question;
    bool settled;
    if (!predt__check_engine(lazy->job.machine.engine) ||
        !predt__question_open(question, &lazy->job.request, 1u << lazy->product,
                              &lazy->work.complaints) ||
        !predt__question_settle(question, NULL))
        return false;
    lazy->stamp = predt__stamp(lazy->job.request.source, question->source.dataset, &settled);
    if (lazy->stamp && settled) lazy->key = key_of(lazy);
    return true;
}

predt__lazy *predt__lazy_open(const predt__job *job, predt__product product) {
    predt__lazy *lazy = VSICalloc(1, sizeof *lazy);
    if (!lazy) return CPLError(CE_Failure, CPLE_OutOfMemory, "out of memory"), NULL;
    lazy->product = product;
    copy_job(lazy, job);
    lazy->work.machine = &lazy->job.machine;
    predt__budget_open(&lazy->work.budget, &lazy->job.machine);
    predt__watch_start(&lazy->work.watch, job->progress, job->progress_user);
    predt__complaints_open(&lazy->work.complaints);
    bool good = prepare(lazy);
    predt__complaints_close(&lazy->work.complaints, !good);
    if (good) return lazy;
    predt__lazy_close(lazy);
    return NULL;
}

void predt__lazy_close(predt__lazy *lazy) {
    if (!lazy) return;
    predt__indexes_give(&lazy->shared);
    predt__question_close(&lazy->question);
    CPLFree(lazy->key);
    CPLFree(lazy->stamp);
    CSLDestroy(lazy->texts);
    CPLFree(lazy);
}

/* ---- What it is ---- */

GDALDatasetH predt__lazy_source(const predt__lazy *lazy) { return lazy->question.source.dataset; }

GDALRasterBandH predt__lazy_source_band(const predt__lazy *lazy) {
    return lazy->question.source.band;
}

predt__product predt__lazy_product(const predt__lazy *lazy) { return lazy->product; }

bool predt__lazy_by_columns(const predt__lazy *lazy) { return predt__is_geodesic(&lazy->question); }

int64_t predt__lazy_memory(const predt__lazy *lazy) { return lazy->work.budget.memory; }

predt__kind predt__lazy_kind(const predt__lazy *lazy) {
    return predt__kind_of_product(&lazy->question, lazy->product);
}

const char *predt__lazy_description(const predt__lazy *lazy) {
    return predt__product_description(lazy->product);
}

const char *predt__lazy_unit(const predt__lazy *lazy) {
    return predt__product_unit(&lazy->question, lazy->product);
}

/* ---- The index ---- */

/* A source that has changed since would give pixels that its size, type and nodata do not fit. */
static bool is_unchanged(const predt__lazy *lazy) {
    bool settled;
    if (!lazy->stamp) return true;
    char *now = predt__stamp(lazy->job.request.source, lazy->question.source.dataset, &settled);
    bool same = now && strcmp(now, lazy->stamp) == 0;
    CPLFree(now);
    if (!same)
        CPLError(CE_Failure, CPLE_AppDefined, "%s has changed since it was opened: open it again",
                 lazy->job.request.source);
    return same;
}

static bool take_index(predt__lazy *lazy) {
    predt__work *work = &lazy->work;
    if (lazy->shared) return true;
    predt__complaints_open(&work->complaints);
    bool good =
        is_unchanged(lazy) && predt__budget_plan(&work->budget, &lazy->question, 0, true) &&
        (lazy->shared = predt__indexes_take(&lazy->question, work, lazy->key, &lazy->solver)) &&
        is_unchanged(lazy);
    if (!good) predt__indexes_give(&lazy->shared);
    predt__complaints_close(&work->complaints, !good);
    return good;
}

bool predt__lazy_nodata(predt__lazy *lazy, predt__value *nodata) {
    const predt__question *question = &lazy->question;
    if (lazy->product == PREDT__DISTANCE) *nodata = question->encoding.none;
    if (lazy->product == PREDT__DIRECTION) *nodata = question->direction_nodata;
    if (lazy->product != PREDT__ALLOCATION) return true;
    *nodata = question->label_nodata.values[0];
    if (!predt__selection_contains(question->selection, *nodata)) return true;
    if (!take_index(lazy)) return false;
    *nodata = lazy->solver.label_nodata;
    return true;
}

/* ---- Pixels ---- */

static void warn_of_tally(predt__lazy *lazy, const predt_tally *tally) {
    if (lazy->warned) return;
    lazy->warned = tally->clamped > 0 || tally->like_none > 0;
    if (tally->clamped > 0)
        CPLError(CE_Warning, CPLE_AppDefined,
                 "some distances are larger than type %s can hold beside nodata and were cut: use "
                 "OT=Float32, or MAXDIST",
                 predt__kind_name(predt__lazy_kind(lazy)));
    if (tally->like_none > 0)
        CPLError(CE_Warning, CPLE_AppDefined,
                 "some pixels with a target in reach have the value that means nodata: use another "
                 "NODATA");
}

bool predt__lazy_read(predt__lazy *lazy, const predt__lattice *lattice, void *out, int64_t pitch) {
    predt_tally tally = PREDT_TALLY_INIT;
    if (!take_index(lazy)) return false;
    predt__complaints_open(&lazy->work.complaints);
    bool good = predt__read_lattice(&lazy->question, &lazy->work, &lazy->solver, lattice, out,
                                    pitch, &tally);
    predt__complaints_close(&lazy->work.complaints, !good);
    if (good) warn_of_tally(lazy, &tally);
    return good;
}

void predt__lazy_forget(void) { predt__indexes_forget(); }
