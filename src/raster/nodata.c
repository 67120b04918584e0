/* Which values mean nodata in the outputs. */
#include <cpl_error.h>
#include <cpl_string.h>

#include "run.h"

static bool refuse(const char *why) {
    CPLError(CE_Failure, CPLE_IllegalArg, "%s", why);
    return false;
}

/* ---- Nodata of the distance ---- */

static bool no_fit(const char *what, const char *number, predt__kind kind) {
    return refuse(CPLSPrintf("%s %s does not fit an output of type %s", what, number, predt__kind_name(kind)));
}

/* Nodata of the distance: as asked for, else what an existing band has, else NaN or the type's maximum. */
static bool plan_distance_nodata(predt__run *run) {
    predt__encoding *encoding = &run->encoding;
    predt__sink *sink = &run->sinks[PREDT__DISTANCE];
    const char *asked = run->job->nodata;
    if (asked) {
        if (predt__value_parse(asked, encoding->kind, &encoding->nodata) != PREDT__FITS)
            return no_fit("nodata", asked, encoding->kind);
        return true;
    }
    if (sink->updates && predt__value_of_nodata(sink->band, encoding->kind, &encoding->nodata)) return true;
    if (predt__kind_is_real(encoding->kind)) encoding->nodata.f = NAN;
    else encoding->nodata = predt__kind_most(encoding->kind);
    return true;
}

bool predt__plan_encoding(predt__run *run) {
    predt__encoding *encoding = &run->encoding;
    if (!predt__wanted(run, PREDT__DISTANCE)) return true;
    if (!plan_distance_nodata(run)) return false;
    encoding->fixed = run->job->fixed;
    if (encoding->fixed && !predt__encoding_round(encoding->kind, run->job->fixed_value, &encoding->fixed_value))
        return no_fit("the fixed value", CPLSPrintf("%.17g", run->job->fixed_value), encoding->kind);
    return true;
}

/* ---- Nodata of the allocation ---- */

static void propose(predt__run *run, predt__value value) {
    if (run->label_candidates < PREDT__MOST_CANDIDATES) run->label_nodata[run->label_candidates++] = value;
}

/* Values tried at either end of a type that is too large to try them all. */
#define SEVERAL 8

/* The source's own nodata first, then what the user asked for, then zero, then the ends of the type. */
void predt__plan_label_nodata(predt__run *run) {
    predt__kind kind = run->source.kind;
    predt__value value;
    if (run->source.has_nodata) propose(run, run->source.nodata);
    if (run->job->nodata && predt__value_parse(run->job->nodata, kind, &value) == PREDT__FITS) propose(run, value);
    if (predt__kind_is_real(kind)) {
        propose(run, (predt__value){.f = NAN});
        return;
    }
    propose(run, (predt__value){.u = 0});
    predt__value down = predt__kind_most(kind), up = predt__kind_least(kind);
    propose(run, down);
    int most = predt__kind_size(kind) == 1 ? 256 : SEVERAL;
    for (int i = 0; i < most; i += 2) {
        propose(run, up);
        predt__value_next(kind, up, 1, &up);
        predt__value_next(kind, down, -1, &down);
        propose(run, down);
    }
}

bool predt__choose_label_nodata(predt__run *run) {
    while (run->label_chosen < run->label_candidates && run->label_taken[run->label_chosen]) run->label_chosen++;
    if (run->label_chosen == run->label_candidates)
        return refuse("no value is left to be the allocation's nodata: all that were tried are a target's");
    if (run->label_chosen > 0 && (run->source.has_nodata || run->job->nodata) && run->label_taken[0]) {
        char text[40];
        CPLError(CE_Warning, CPLE_AppDefined, "the allocation's nodata is %s, for the value asked for is a target's",
                 predt__value_text(run->source.kind, run->label_nodata[run->label_chosen], text));
    }
    return true;
}
