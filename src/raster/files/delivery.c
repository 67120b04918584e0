#include "delivery.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../answers.h"
#include "names.h"

static bool refuse(const char *why) {
    CPLError(CE_Failure, CPLE_IllegalArg, "%s", why);
    return false;
}

/* ---- Before any work: what can be known to be wrong ---- */

static bool check_path(const predt__job *job, predt__kin *kin, predt__product product) {
    const char *path = job->files.outputs[product].path, *harmed = predt__kin_of(kin, path);
    if (harmed && strcmp(harmed, path) != 0 && strcmp(harmed, job->request.source) != 0)
        return refuse(
            CPLSPrintf("%.1000s is the source, or a part of it (%.1000s): write to another file",
                       path, harmed));
    if (harmed)
        return refuse(
            CPLSPrintf("%.1000s is the source, or a part of it: write to another file", path));
    for (int other = 0; other < (int)product; other++)
        if (job->files.outputs[other].path &&
            predt__same_file(path, job->files.outputs[other].path))
            return refuse(CPLSPrintf("%.1000s is named for two outputs", path));
    return true;
}

static bool check_paths(const predt__job *job, const predt__question *question, predt__kin *kin) {
    for (predt__product product = 0; product < PREDT__PRODUCTS; product++)
        if (predt__asks_for(question, product) && !check_path(job, kin, product)) return false;
    return question->products != 0 || refuse("no output is named");
}

/* ---- Opening ---- */

/* A band that is there keeps its type; only distances fit every type. */
static bool check_kind(const predt__sink *sink, const predt__job *job, predt__product product) {
    const char *path = sink->plan.path, *kind = predt__kind_name(sink->kind);
    if (sink->kind == sink->plan.kind) return true;
    if (product != PREDT__DISTANCE)
        return refuse(CPLSPrintf("%s: the band there is of type %s, and %s is needed", path, kind,
                                 predt__kind_name(sink->plan.kind)));
    if (job->request.type != GDT_Unknown)
        CPLError(CE_Warning, CPLE_AppDefined, "%s is there already and its band stays of type %s",
                 path, kind);
    return true;
}

/* Where the whole raster takes more bytes than may be had at once; see pieces.h. */
static bool comes_in_columns(const predt__question *question, int64_t bytes) {
    const predt__source *source = &question->source;
    return predt__is_geodesic(question) &&
           bytes / predt__answers_bytes(question) < source->width * source->height;
}

static bool open_sink(predt__sink *sink, const predt__job *job, const predt__question *question,
                      predt__work *work, predt__product product) {
    const predt__output *output = &job->files.outputs[product];
    const predt__request *request = &job->request;
    predt__kind kind = predt__kind_of_product(question, product);
    predt__sink_plan plan = {
        .path = output->path,
        .update_band = output->update_band,
        .overwrite = job->files.overwrite,
        .overwrite_all = job->files.overwrite_all,
        .layout = {.format = job->files.format,
                   .options = job->files.creation_options,
                   .threads = job->machine.threads ? work->budget.max_threads : 0,
                   .by_columns = comes_in_columns(question, work->budget.memory / 4)},
        .kind = kind,
        .categories = product != PREDT__DISTANCE,
        .nodata = predt__wanted_nodata(request, &question->source, product, kind),
        .like = question->source.dataset,
        .own_process = job->machine.own_process};
    if (!predt__sink_open(sink, &plan)) {
        predt__add_context(&work->complaints, "cannot write", output->path);
        return false;
    }
    if (predt__updates(sink) && job->files.creation_options)
        CPLError(CE_Warning, CPLE_AppDefined, "%s is there already: creation options are ignored",
                 output->path);
    return check_kind(sink, job, product);
}

/* Formats with a nodata value of their own tag that one, whatever is asked for: pixels get it,
 * too. */
static predt__medium medium_of(const predt__sink *sink, const char *asked) {
    predt__medium medium = {.kind = sink->kind,
                            .has_only_one = sink->form.has_own_nodata,
                            .nodata = sink->form.own_nodata};
    char text[40];
    if (medium.has_only_one && asked)
        CPLError(CE_Warning, CPLE_AppDefined,
                 "%.1000s: in the format %s nodata is %s, which is used instead of %.100s",
                 sink->place.shown, GDALGetDriverShortName(sink->form.driver),
                 predt__value_text(sink->kind, sink->form.own_nodata, text), asked);
    if (!medium.has_only_one && predt__updates(sink))
        medium.is_tagged = predt__value_of_nodata(sink->band, sink->kind, &medium.nodata);
    return medium;
}

bool predt__delivery_open(predt__delivery *delivery, const predt__job *job,
                          const predt__question *question, predt__work *work,
                          predt__medium media[PREDT__PRODUCTS]) {
    delivery->kin = predt__kin_open(job->request.source, question->source.dataset);
    if (!check_paths(job, question, delivery->kin)) return false;
    for (predt__product product = 0; product < PREDT__PRODUCTS; product++) {
        predt__sink *sink = &delivery->sinks[product];
        if (!predt__asks_for(question, product)) continue;
        if (!open_sink(sink, job, question, work, product)) return false;
        media[product] = medium_of(sink, product == PREDT__DISTANCE ? job->request.nodata : NULL);
    }
    return true;
}

/* ---- What they take of the memory ---- */

/* A whole block, or whole rows where strips are no whole blocks and go through GDAL's cache, which
 * holds a block, too. Of an output that is still to be made a block is a row. */
static int64_t sink_bytes(const predt__sink *sink, const predt__question *question,
                          predt__product product, int64_t rows) {
    const predt__blocks *blocks = &sink->blocks;
    predt__kind kind = sink->band ? sink->kind : predt__kind_of_product(question, product);
    int64_t width = question->source.width, size = predt__kind_size(kind);
    int64_t block = (int64_t)blocks->cols * blocks->rows * size;
    if (!sink->band) return width * size;
    return blocks->direct && rows % blocks->rows == 0 ? block : block + rows * width * size;
}

int64_t predt__delivery_bytes(const predt__delivery *delivery, const predt__question *question,
                              int64_t rows) {
    int64_t bytes = 0;
    for (predt__product product = 0; product < PREDT__PRODUCTS; product++)
        if (predt__asks_for(question, product))
            bytes += sink_bytes(&delivery->sinks[product], question, product, rows);
    return bytes;
}

/* ---- After the first sweep ---- */

bool predt__delivery_describe(predt__delivery *delivery, const predt__question *question,
                              const predt__solver *solver) {
    const predt__value nodata[] = {[PREDT__DISTANCE] = question->encoding.none,
                                   [PREDT__ALLOCATION] = solver->label_nodata,
                                   [PREDT__DIRECTION] = question->direction_nodata};
    for (predt__product product = 0; product < PREDT__PRODUCTS; product++) {
        predt__sink *sink = &delivery->sinks[product];
        if (!predt__asks_for(question, product)) continue;
        if (product == PREDT__ALLOCATION) predt__sink_copy_classes(sink, question->source.band);
        if (!predt__sink_describe(sink, nodata[product], predt__product_description(product),
                                  predt__product_unit(question, product)))
            return false;
    }
    return true;
}

/* ---- The end ---- */

static int CPL_STDCALL copy_progress(double complete, const char *message, void *watch) {
    double before = PREDT__INDEX_SHARE + PREDT__ANSWER_SHARE;
    (void)message;
    return predt__watch_tick(watch, before + (1 - before) * complete);
}

static bool put_in_place(predt__delivery *delivery, predt__work *work) {
    predt__commit commit = {0};
    bool good = true;
    for (predt__product product = 0; product < PREDT__PRODUCTS && good; product++) {
        predt__sink *sink = &delivery->sinks[product];
        predt__place *place = &sink->place;
        if (!sink->band) continue;
        good =
            predt__commit_plan(&commit, &place->staging, place->path, place->owned, delivery->kin);
        if (!good) predt__add_context(&work->complaints, "cannot write", place->path);
    }
    good = good && predt__commit_run(&commit);
    predt__commit_free(&commit);
    return good;
}

bool predt__delivery_finish(predt__delivery *delivery, predt__work *work) {
    predt__watch *watch = &work->watch;
    for (predt__product product = 0; product < PREDT__PRODUCTS; product++) {
        predt__sink *sink = &delivery->sinks[product];
        if (!sink->band) continue;
        if (!predt__watch_tick(watch, watch->complete) ||
            !predt__sink_finish(sink, &work->complaints, copy_progress, watch)) {
            predt__add_context(&work->complaints, "cannot write", sink->place.path);
            return false;
        }
    }
    return put_in_place(delivery, work);
}

/* GDAL names files as it was given them. */
static void name_as_user(predt__complaints *complaints, const predt__place *place) {
    static const char *const parts[] = {"new", "raw", "try"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && place->staging.folder; i++) {
        char *made = predt__staged(&place->staging, parts[i], predt__name_of(place->path)),
             *watched = predt__checked_name(made);
        predt__complaints_rename(complaints, watched, place->shown);
        predt__complaints_rename(complaints, made, place->shown);
        CPLFree(made);
        CPLFree(watched);
    }
}

void predt__delivery_abandon(predt__delivery *delivery, predt__work *work) {
    for (predt__product product = 0; product < PREDT__PRODUCTS; product++) {
        name_as_user(&work->complaints, &delivery->sinks[product].place);
        predt__staging_close(&delivery->sinks[product].place.staging);
    }
    predt__overhear_no_more();
    predt__complaints_close(&work->complaints, true);
    _exit(EXIT_FAILURE);
}

void predt__delivery_close(predt__delivery *delivery, predt__work *work) {
    for (predt__product product = 0; product < PREDT__PRODUCTS; product++)
        name_as_user(&work->complaints, &delivery->sinks[product].place);
    for (predt__product product = 0; product < PREDT__PRODUCTS; product++)
        predt__sink_close(&delivery->sinks[product]);
    predt__kin_close(&delivery->kin);
}
