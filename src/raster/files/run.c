#include "run.h"

#include <cpl_error.h>
#include <cpl_string.h>

#include "../build.h"
#include "delivery.h"
#include "pipeline.h"

typedef struct run_state {
    const predt__job *job;
    predt__report *report;
    predt__work work;
    predt__question question;
    predt__solver solver;
    predt__delivery delivery;
    predt_tally tally;
} run_state;

/* ---- Read ---- */

static unsigned products_of(const predt__job *job) {
    unsigned products = 0;
    for (predt__product product = 0; product < PREDT__PRODUCTS; product++)
        if (job->files.outputs[product].path) products |= 1u << product;
    return products;
}

/* Some outputs take long to be made, of a size that cannot be worked on anyway. */
static bool may_fit(const run_state *run) {
    predt__budget trial = run->work.budget;
    return predt__budget_plan(&trial, &run->question,
                              predt__delivery_bytes(&run->delivery, &run->question, 0), false);
}

static bool prepare(run_state *run) {
    predt__question *question = &run->question;
    predt__medium media[PREDT__PRODUCTS] = {{0}};
    if (!predt__question_open(question, &run->job->request, products_of(run->job),
                              &run->work.complaints) ||
        !may_fit(run) ||
        !predt__delivery_open(&run->delivery, run->job, question, &run->work, media) ||
        !predt__question_settle(question, media))
        return false;
    int64_t rows = predt__min_strip_rows(question);
    return predt__budget_plan(&run->work.budget, question,
                              predt__delivery_bytes(&run->delivery, question, rows), false);
}

/* ---- Build, write, commit ---- */

static bool build(run_state *run) {
    double start = predt__seconds();
    bool good = predt__build(&run->question, &run->work, &run->solver);
    run->report->seconds.index = predt__seconds() - start;
    return good;
}

static bool write_answers(run_state *run) {
    return predt__delivery_describe(&run->delivery, &run->question, &run->solver) &&
           !predt__has_failed(&run->work.complaints) &&
           predt__pipeline(&run->question, &run->work, &run->solver, &run->delivery, &run->tally,
                           &run->report->seconds);
}

/* ---- What there is to say ---- */

static void warn_of_tally(const run_state *run) {
    const predt_tally *tally = &run->tally;
    const char *type = predt__kind_name(predt__kind_of_product(&run->question, PREDT__DISTANCE));
    predt__warn_of_no_target(&run->question, run->solver.targets);
    if (tally->clamped > 0)
        CPLError(CE_Warning, CPLE_AppDefined,
                 CPL_FRMT_GIB " distances are larger than type %s can hold beside nodata and were "
                              "cut: use -ot Float32, or -maxdist",
                 (GIntBig)tally->clamped, type);
    if (tally->like_none > 0)
        CPLError(CE_Warning, CPLE_AppDefined,
                 CPL_FRMT_GIB " pixels with a target in reach have the value that means nodata: "
                              "use another -nodata",
                 (GIntBig)tally->like_none);
}

static void fill_report(run_state *run) {
    predt__report *report = run->report;
    const predt__source *source = &run->question.source;
    report->width = source->width;
    report->height = source->height;
    report->targets = run->solver.targets;
    report->farthest = run->tally.farthest;
    report->farthest_col = run->tally.farthest_col;
    report->farthest_row = run->tally.farthest_row;
    report->bytes_read = source->width * source->height * predt__kind_size(source->kind);
    for (predt__product product = 0; product < PREDT__PRODUCTS; product++)
        report->bytes_written += run->delivery.sinks[product].bytes_written;
    CPLStrlcpy(report->engine, run->solver.engine, sizeof report->engine);
    CPLStrlcpy(report->ellipsoid, predt__question_ellipsoid(&run->question),
               sizeof report->ellipsoid);
}

/* ---- All of it ---- */

static predt__job_status work(run_state *run) {
    predt__watch *watch = &run->work.watch;
    double start = predt__seconds();
    bool good = prepare(run) && predt__watch_tick(watch, 0) && build(run) && write_answers(run) &&
                predt__delivery_finish(&run->delivery, &run->work);
    if (good) {
        predt__watch_tick(watch, 1); /* too late to stop */
        warn_of_tally(run);
        fill_report(run);
        run->report->seconds.total = predt__seconds() - start;
    }
    return good ? PREDT__JOB_DONE : watch->stopped ? PREDT__JOB_STOPPED : PREDT__JOB_FAILED;
}

static void release(run_state *run) {
    predt__delivery_close(&run->delivery, &run->work);
    predt__solver_close(&run->solver);
    predt__question_close(&run->question);
}

predt__job_status predt__job_run(const predt__job *job, predt__report *report) {
    predt__report unwanted;
    run_state run = {.job = job,
                     .report = report ? report : &unwanted,
                     .work.machine = &job->machine,
                     .tally = PREDT_TALLY_INIT};
    predt__complaints *complaints = &run.work.complaints;
    GIntBig cache = GDALGetCacheMax64();
    *run.report = (predt__report){.farthest = -1};
    predt__budget_open(&run.work.budget, &job->machine);
    predt__watch_start(&run.work.watch, job->progress, job->progress_user);
    GDALSetCacheMax64(predt__block_cache(run.work.budget.memory));
    if (job->machine.own_process) predt__overhear(complaints);
    predt__complaints_open(complaints);
    predt__job_status status = work(&run);
    release(&run);
    if (job->machine.own_process) predt__overhear_no_more();
    predt__complaints_close(complaints, status == PREDT__JOB_FAILED);
    GDALSetCacheMax64(cache);
    return status;
}
