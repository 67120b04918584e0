/* One run of a job: what its stages share. */
#ifndef PREDT__RUN_H
#define PREDT__RUN_H

#include <pthread.h>
#include <stdatomic.h>

#include "budget.h"
#include "complaints.h"
#include "encode.h"
#include "job.h"
#include "kin.h"
#include "sink.h"
#include "source.h"

/* Nodata values that an allocation may take, best first; a target that carries one takes it out of
 * the race. All values of a byte have a place, and again: the source's own, the one that was asked
 * for, zero and the largest. */
#define PREDT__MOST_CANDIDATES 260

typedef struct predt__run {
    const predt__job *job;
    const struct predt__run *outer; /* the run whose source this one is a part of; NULL: none */
    predt__report *report;
    predt__complaints complaints;

    predt__source source;
    predt__kin *kin; /* what the source is made of; NULL for the driver, which writes nothing */
    predt__selection *selection;
    predt_grid grid;
    char unit_name[32];
    predt_ctx *ctx;
    predt_index *index;
    int threads;
    int64_t memory;
    predt__budget budget;

    predt__sink sinks[PREDT__PRODUCTS]; /* by product; those without a path are not wanted */
    predt__encoding encoding;           /* of the distance */
    predt__value direction_nodata;
    predt__tally tally;
    predt_tally whole_tally; /* the same, where the core rounds the distances */
    predt__value label_nodata[PREDT__MOST_CANDIDATES];
    _Atomic bool label_taken[PREDT__MOST_CANDIDATES];
    int label_candidates, label_chosen;

    atomic_bool stop; /* somebody failed, or the user has had enough */
    bool stopped;     /* it was the user */
    double progress;  /* the largest fraction told so far */
} predt__run;

bool predt__wanted(const predt__run *run, predt__product product);

/* Tells the user how far the run is; false if it is to stop. Called by the thread that started the
 * run only. */
bool predt__tick(predt__run *run, double complete);

/* What the band of an output is called, and the unit of its values. */
const char *predt__product_description(predt__product product);
const char *predt__product_unit(const predt__run *run, predt__product product);

/* Memory and threads, from the job or the machine. */
void predt__plan_resources(predt__run *run);

/* Checks the job's numbers, opens the source and reads which pixels are targets. */
bool predt__open_source(predt__run *run);

/* Warns where no pixel is a target; of a band with a scale it says which values count. */
void predt__warn_of_no_target(const predt__run *run, int64_t targets);

/* Says that there is no such engine, and which ones there are. */
void predt__refuse_engine(const char *name);

/* Type of an output that is made new. */
predt__kind predt__kind_of_product(const predt__run *run, predt__product product);

/* Measure, encoding and candidates for nodata, once the encoding's kind is known. */
bool predt__plan_answers(predt__run *run);

/* Context and empty index. */
bool predt__open_core(predt__run *run);

/* Frees both and keeps for the report what is to be told of them. Nothing is left to do the second
 * time. */
void predt__close_core(predt__run *run);

/* Nodata of an output that is made new, as far as it can be told before there is one. */
predt__value predt__wanted_nodata(const predt__run *run, predt__product product, predt__kind kind);

/* Nodata and fixed value of the distance, and nodata of the direction; false where they do not fit
 * the type. */
bool predt__plan_encoding(predt__run *run);

/* Lists values for the allocation's nodata; once all targets are known, chooses the first that is
 * no target's value. */
void predt__plan_label_nodata(predt__run *run);
bool predt__choose_label_nodata(predt__run *run);

/* Fills the index, on several handles of the source, and seals it. */
bool predt__sweep(predt__run *run);

/* The run whose source this thread is reading: what is opened meanwhile through GDAL is a part of
 * that source. */
extern _Thread_local const predt__run *predt__reading;

/* Answers strip by strip while earlier strips are being encoded and written, a thread for each
 * output. */
bool predt__answer(predt__run *run);

/* A writer hangs in GDAL after a failure: removes what was made, says why, and ends the process.
 * For a process of our own. */
void predt__abandon(predt__run *run) __attribute__((noreturn));

double predt__seconds(void);

/* Waits on the condition for a tenth of a second at most; whether it came. */
bool predt__wait(pthread_cond_t *changed, pthread_mutex_t *lock);

#endif
