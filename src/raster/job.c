#include "job.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_multiproc.h>
#include <cpl_string.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "files.h"
#include "run.h"

double predt__seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool predt__wait(pthread_cond_t *changed, pthread_mutex_t *lock) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    return pthread_cond_timedwait(changed, lock, &until) != ETIMEDOUT;
}

static const predt__output *output_of(const predt__job *job, predt__product product) {
    return product == PREDT__DISTANCE     ? &job->files.outputs[PREDT__DISTANCE]
           : product == PREDT__ALLOCATION ? &job->files.outputs[PREDT__ALLOCATION]
                                          : &job->files.outputs[PREDT__DIRECTION];
}

bool predt__wanted(const predt__run *run, predt__product product) {
    return output_of(run->job, product)->path != NULL;
}

bool predt__tick(predt__run *run, double complete) {
    if (complete > run->progress) run->progress = complete;
    if (run->stopped) return false;
    if (!run->job->progress || run->job->progress(run->progress, "", run->job->progress_user))
        return true;
    run->stopped = true;
    return false;
}

static bool refuse(const char *why) {
    CPLError(CE_Failure, CPLE_IllegalArg, "%s", why);
    return false;
}

/* ---- Before any work: what can be known to be wrong ---- */

static bool check_path(const predt__run *run, predt__product product) {
    const char *path = output_of(run->job, product)->path, *harmed = predt__kin_of(run->kin, path);
    if (harmed && strcmp(harmed, path) != 0 && strcmp(harmed, run->job->request.source) != 0)
        return refuse(
            CPLSPrintf("%.1000s is the source, or a part of it (%.1000s): write to another file",
                       path, harmed));
    if (harmed)
        return refuse(
            CPLSPrintf("%.1000s is the source, or a part of it: write to another file", path));
    for (int other = 0; other < (int)product; other++)
        if (predt__wanted(run, other) && predt__same_file(path, output_of(run->job, other)->path))
            return refuse(CPLSPrintf("%.1000s is named for two outputs", path));
    return true;
}

static bool check_paths(predt__run *run) {
    int wanted = 0;
    run->kin = predt__kin_open(run->job->request.source, run->source.dataset);
    for (int product = 0; product < PREDT__PRODUCTS; product++) {
        if (!predt__wanted(run, product)) continue;
        wanted++;
        if (!check_path(run, product)) return false;
    }
    return wanted > 0 || refuse("no output is named");
}

/* ---- Outputs ---- */

static bool open_sink(predt__run *run, predt__product product) {
    const predt__job *job = run->job;
    const predt__output *output = output_of(job, product);
    predt__kind kind = predt__kind_of_product(run, product);
    predt__sink_plan plan = {.path = output->path,
                             .update_band = output->update_band,
                             .overwrite = job->files.overwrite,
                             .overwrite_all = job->files.overwrite_all,
                             .format = job->files.format,
                             .options = job->files.creation_options,
                             .threads = job->machine.threads ? run->threads : 0,
                             .kind = kind,
                             .categories = product != PREDT__DISTANCE,
                             .nodata = predt__wanted_nodata(run, product, kind),
                             .like = run->source.dataset,
                             .own_process = job->machine.own_process};
    predt__sink *sink = &run->sinks[product];
    if (!predt__sink_open(sink, &plan)) {
        predt__while(&run->complaints, "cannot write", output->path);
        return false;
    }
    if (sink->updates && job->files.creation_options)
        CPLError(CE_Warning, CPLE_AppDefined, "%s is there already: creation options are ignored",
                 output->path);
    if (sink->kind == plan.kind) return true;
    if (product == PREDT__DISTANCE) {
        if (job->request.type != GDT_Unknown)
            CPLError(CE_Warning, CPLE_AppDefined,
                     "%s is there already and its band stays of type %s", output->path,
                     predt__kind_name(sink->kind));
        return true;
    }
    return refuse(CPLSPrintf("%s: the band there is of type %s, and %s is needed", output->path,
                             predt__kind_name(sink->kind), predt__kind_name(plan.kind)));
}

static bool open_sinks(predt__run *run) {
    for (int product = 0; product < PREDT__PRODUCTS; product++)
        if (predt__wanted(run, product) && !open_sink(run, product)) return false;
    run->encoding.kind =
        predt__wanted(run, PREDT__DISTANCE) ? run->sinks[PREDT__DISTANCE].kind : PREDT__F32;
    return true;
}

static bool prepare(predt__run *run) {
    if (!predt__open_source(run) || !check_paths(run) || !predt__glance_at_budget(run) ||
        !open_sinks(run))
        return false;
    return predt__plan_answers(run) && predt__plan_budget(run, false) && predt__open_core(run);
}

/* ---- After the first sweep ---- */

static bool describe_as(predt__run *run, predt__product product, predt__value nodata) {
    return predt__sink_describe(&run->sinks[product], nodata, predt__product_description(product),
                                predt__product_unit(run, product));
}

static bool describe(predt__run *run) {
    if (predt__wanted(run, PREDT__DISTANCE) &&
        !describe_as(run, PREDT__DISTANCE, run->encoding.nodata))
        return false;
    if (predt__wanted(run, PREDT__DIRECTION) &&
        !describe_as(run, PREDT__DIRECTION, run->direction_nodata))
        return false;
    if (!predt__wanted(run, PREDT__ALLOCATION)) return true;
    if (!predt__choose_label_nodata(run)) return false;
    predt__sink_copy_classes(&run->sinks[PREDT__ALLOCATION], run->source.band);
    return describe_as(run, PREDT__ALLOCATION, run->label_nodata[run->label_chosen]);
}

/* ---- The end ---- */

static int CPL_STDCALL copy_progress(double complete, const char *message, void *user) {
    predt__run *run = user;
    double before = PREDT__INDEX_SHARE + PREDT__ANSWER_SHARE;
    (void)message;
    return predt__tick(run, before + (1 - before) * complete);
}

/* All outputs, or none. */
static bool put_in_place(predt__run *run) {
    predt__commit commit = {0};
    bool good = true;
    for (int product = 0; product < PREDT__PRODUCTS && good; product++) {
        predt__sink *sink = &run->sinks[product];
        if (!predt__wanted(run, product)) continue;
        good = predt__commit_plan(&commit, &sink->staging, sink->path, sink->owned, run->kin);
        if (!good) predt__while(&run->complaints, "cannot write", sink->path);
    }
    good = good && predt__commit_run(&commit);
    predt__commit_free(&commit);
    return good;
}

static bool finish(predt__run *run) {
    for (int product = 0; product < PREDT__PRODUCTS; product++) {
        if (!predt__wanted(run, product)) continue;
        predt__sink *sink = &run->sinks[product];
        if (!predt__tick(run, run->progress) ||
            !predt__sink_finish(sink, &run->complaints, copy_progress, run)) {
            predt__while(&run->complaints, "cannot write", sink->path);
            return false;
        }
        run->report->bytes_written += sink->bytes_written;
    }
    return put_in_place(run);
}

static void warn_of_tally(const predt__run *run) {
    const predt__tally *tally = &run->tally;
    const char *type = predt__kind_name(run->encoding.kind);
    predt__warn_of_no_target(run, run->report->targets);
    if (tally->clamped > 0)
        CPLError(CE_Warning, CPLE_AppDefined,
                 CPL_FRMT_GIB " distances are larger than type %s can hold beside nodata and were "
                              "cut: use -ot Float32, or -maxdist",
                 (GIntBig)tally->clamped, type);
    if (tally->like_nodata > 0)
        CPLError(CE_Warning, CPLE_AppDefined,
                 CPL_FRMT_GIB " pixels with a target in reach have the value that means nodata: "
                              "use another -nodata",
                 (GIntBig)tally->like_nodata);
}

static void fill_report(predt__run *run, double start) {
    predt__report *report = run->report;
    double farthest = run->tally.farthest;
    report->farthest = farthest < 0 || run->encoding.kind == PREDT__F32
                           ? farthest
                           : sqrt(farthest) * run->encoding.scale;
    report->farthest_col = run->tally.farthest_col;
    report->farthest_row = run->tally.farthest_row;
    report->total_seconds = predt__seconds() - start;
}

/* GDAL names files as it was given them. */
static void name_as_user(predt__run *run, const predt__sink *sink) {
    static const char *const parts[] = {"new", "raw", "try"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && sink->staging.folder; i++) {
        char *made = predt__staged(&sink->staging, parts[i], predt__name_of(sink->path)),
             *watched = predt__checked_name(made);
        predt__complaints_rename(&run->complaints, watched, sink->shown);
        predt__complaints_rename(&run->complaints, made, sink->shown);
        CPLFree(made);
        CPLFree(watched);
    }
}

void predt__abandon(predt__run *run) {
    for (int product = 0; product < PREDT__PRODUCTS; product++) {
        name_as_user(run, &run->sinks[product]);
        predt__staging_close(&run->sinks[product].staging);
    }
    predt__overhear_no_more();
    predt__complaints_close(&run->complaints, true);
    _exit(EXIT_FAILURE);
}

static void release(predt__run *run) {
    for (int product = 0; product < PREDT__PRODUCTS; product++)
        name_as_user(run, &run->sinks[product]);
    for (int product = 0; product < PREDT__PRODUCTS; product++)
        predt__sink_close(&run->sinks[product]);
    predt__close_core(run);
    predt__selection_free(run->selection);
    predt__kin_close(&run->kin);
    predt__source_close(&run->source);
}

static predt__job_status work(predt__run *run) {
    double start = predt__seconds();
    bool good = prepare(run) && predt__tick(run, 0) && predt__sweep(run) && describe(run) &&
                !predt__has_failed(&run->complaints) && predt__answer(run) && finish(run);
    if (good) {
        predt__tick(run, 1); /* too late to stop */
        warn_of_tally(run);
        fill_report(run, start);
    }
    return good ? PREDT__JOB_DONE : run->stopped ? PREDT__JOB_STOPPED : PREDT__JOB_FAILED;
}

predt__job_status predt__job_run(const predt__job *job, predt__report *report) {
    predt__report unwanted;
    predt__run run = {.job = job,
                      .report = report ? report : &unwanted,
                      .tally = PREDT__TALLY_INIT,
                      .whole_tally = PREDT_TALLY_INIT};
    GIntBig cache = GDALGetCacheMax64();
    *run.report = (predt__report){.farthest = -1};
    predt__plan_resources(&run);
    GDALSetCacheMax64(predt__block_cache(run.memory));
    if (job->machine.own_process) predt__overhear(&run.complaints);
    predt__complaints_open(&run.complaints);
    predt__job_status status = work(&run);
    release(&run);
    if (job->machine.own_process) predt__overhear_no_more();
    predt__complaints_close(&run.complaints, status == PREDT__JOB_FAILED);
    GDALSetCacheMax64(cache);
    return status;
}
