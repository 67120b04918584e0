/* What a run needs before its first pixel is read, whoever asks: the command, which goes on to
 * files, or the GDAL driver, which waits for somebody to want a pixel. */
#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_multiproc.h>
#include <cpl_string.h>
#include <string.h>

#include "run.h"
#include "words.h"

#define SMALLEST_MEMORY (INT64_C(16) << 20)

static bool refuse(const char *why) {
    CPLError(CE_Failure, CPLE_IllegalArg, "%s", why);
    return false;
}

void predt__plan_resources(predt__run *run) {
    int64_t quarter_of_ram = (int64_t)CPLGetUsablePhysicalRAM() / 4;
    run->memory = run->job->machine.memory > 0 ? run->job->machine.memory : quarter_of_ram;
    if (run->memory < SMALLEST_MEMORY) run->memory = SMALLEST_MEMORY;
    /* as in the core: thousands only take memory */
    int cpus = CPLGetNumCPUs(), most = cpus > 16 ? 4 * cpus : 64;
    run->threads = run->job->machine.threads > 0 ? run->job->machine.threads : cpus;
    if (run->threads > most) run->threads = most;
}

/* ---- The source ---- */

static bool check_job(const predt__job *job) {
    predt__kind unused;
    if (job->request.type != GDT_Unknown && !predt__kind_of_type(job->request.type, &unused))
        return refuse("a distance has no complex type");
    if (!(job->request.max_distance >= 0))
        return refuse("the maximum distance is negative or not a number");
    if (!(job->request.min_distance >= 0))
        return refuse("the minimum distance is negative or not a number");
    if (job->request.min_distance > job->request.max_distance)
        return refuse("the minimum distance is larger than the maximum");
    return true;
}

/* What a user may not have thought of where values are not found; empty for a band without a
 * scale. */
static const char *raw_hint(GDALRasterBandH band, char *text, size_t size) {
    double scale = GDALGetRasterScale(band, NULL), offset = GDALGetRasterOffset(band, NULL);
    *text = 0;
    if (scale != 1 || offset != 0)
        CPLsnprintf(text, size,
                    " (raw values count, not scaled ones: the band has scale %.9g and offset %.9g)",
                    scale, offset);
    return text;
}

#define HINT 160

void predt__warn_of_no_target(const predt__run *run, int64_t targets) {
    char hint[HINT];
    if (targets == 0)
        CPLError(CE_Warning, CPLE_AppDefined, "there is no target: every pixel is nodata%s",
                 raw_hint(run->source.band, hint, sizeof hint));
}

bool predt__open_source(predt__run *run) {
    const predt__job *job = run->job;
    if (!check_job(job)) return false;
    if (!predt__source_open(job->request.source, job->request.band, &run->source)) {
        predt__while(&run->complaints, "cannot open", job->request.source);
        return false;
    }
    predt__forgive(&run->complaints);
    run->report->width = run->source.width;
    run->report->height = run->source.height;
    char hint[HINT];
    run->selection = predt__selection_parse(job->request.values, run->source.kind,
                                            run->source.has_nodata ? &run->source.nodata : NULL,
                                            raw_hint(run->source.band, hint, sizeof hint));
    return run->selection != NULL;
}

predt__kind predt__kind_of_product(const predt__run *run, predt__product product) {
    predt__kind kind = PREDT__F32;
    if (product == PREDT__ALLOCATION) return run->source.kind;
    if (product == PREDT__DISTANCE && run->job->request.type != GDT_Unknown)
        predt__kind_of_type(run->job->request.type, &kind);
    return kind;
}

/* ---- The measure ---- */

/* For outputs that take squared distances the steps are divided by one of them: squares of square
 * pixels are whole numbers then, and the distance is rounded once. */
static bool plan_measure(predt__run *run) {
    if (!predt__unit_grid(run->source.dataset, run->job->request.unit, &run->grid, run->unit_name))
        return false;
    run->grid.max_distance = run->job->request.max_distance;
    run->encoding.scale = 1;
    if (run->encoding.kind == PREDT__F32 || run->grid.metric == PREDT_METRIC_PIXEL) return true;
    double scale = hypot(run->grid.col_step[0], run->grid.col_step[1]);
    if (!(scale > 0) || !isfinite(scale)) return true; /* the core refuses it */
    for (int i = 0; i < 2; i++) run->grid.col_step[i] /= scale, run->grid.row_step[i] /= scale;
    run->grid.max_distance /= scale;
    run->encoding.scale = scale;
    return true;
}

bool predt__plan_answers(predt__run *run) {
    if (!predt__plan_encoding(run) || !plan_measure(run)) return false;
    if (predt__wanted(run, PREDT__ALLOCATION)) predt__plan_label_nodata(run);
    return true;
}

/* ---- What bands are called ---- */

const char *predt__product_description(predt__product product) {
    static const char *const descriptions[] = {
        [PREDT__DISTANCE] = "distance to the nearest target",
        [PREDT__ALLOCATION] = "value of the nearest target",
        [PREDT__DIRECTION] = "direction to the nearest target"};
    return descriptions[product];
}

const char *predt__product_unit(const predt__run *run, predt__product product) {
    if (product == PREDT__DISTANCE) return run->unit_name;
    return product == PREDT__DIRECTION ? "degree" : GDALGetRasterUnitType(run->source.band);
}

/* ---- The core ---- */

static bool is_no_engine(const char *name) {
    predt_engine_info unused = PREDT_ENGINE_INFO_INIT;
    return name && strcmp(name, "auto") != 0 && predt_engine_named(name, &unused) != PREDT_OK;
}

void predt__refuse_engine(const char *name) {
    predt_engine_info engine = PREDT_ENGINE_INFO_INIT;
    char shown[PREDT__SHOWN];
    char *names = CPLStrdup("");
    for (int i = 0; predt_engine_at(i, &engine) == PREDT_OK; i++) {
        char *longer = CPLStrdup(CPLSPrintf("%s, %s", names, engine.name));
        CPLFree(names);
        names = longer;
    }
    CPLError(CE_Failure, CPLE_IllegalArg, "engine %s: no such engine; there are auto%s",
             predt__shown(name, shown), names);
    CPLFree(names);
}

bool predt__open_core(predt__run *run) {
    const predt__job *job = run->job;
    predt_options options = PREDT_OPTIONS_INIT;
    options.engine = job->machine.engine;
    options.threads =
        job->machine.threads > 0 || run->budget.threads < run->threads ? run->budget.threads : 0;
    options.index_memory = run->budget.index;
    options.device = job->machine.device;
    options.gpu_memory = job->machine.gpu_memory;
    options.own_process = job->machine.own_process;
    options.log = job->machine.log;
    options.log_user = job->machine.log_user;
    predt_label_type labels = predt__wanted(run, PREDT__ALLOCATION)
                                  ? predt__source_label_type(&run->source)
                                  : PREDT_LABEL_NONE;
    predt_status status = predt_open(&run->ctx, &options);
    if (status == PREDT_ERROR_ENGINE && is_no_engine(job->machine.engine))
        return predt__refuse_engine(job->machine.engine), false;
    if (status != PREDT_OK ||
        predt_index_create(run->ctx, &run->grid, labels, &run->index) != PREDT_OK)
        return refuse(predt_message(run->ctx));
    return true;
}

void predt__close_core(predt__run *run) {
    if (run->index) run->report->targets = predt_index_targets(run->index);
    if (run->ctx)
        CPLStrlcpy(run->report->engine, predt_engine_name(run->ctx), sizeof run->report->engine);
    predt_index_destroy(&run->index);
    predt_close(&run->ctx);
}
