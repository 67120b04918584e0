/* Which values mean nodata in the outputs. */
#include <cpl_error.h>
#include <cpl_string.h>

#include "run.h"
#include "words.h"

static bool refuse(const char *why) {
    CPLError(CE_Failure, CPLE_IllegalArg, "%s", why);
    return false;
}

/* ---- Nodata of the distance ---- */

static bool no_fit(const char *what, const char *number, predt__kind kind) {
    char shown[PREDT__SHOWN];
    CPLError(CE_Failure, CPLE_IllegalArg, "%s %s does not fit an output of type %s", what,
             predt__shown(number, shown), predt__kind_name(kind));
    return false;
}

predt__value predt__wanted_nodata(const predt__run *run, predt__product product, predt__kind kind) {
    predt__value value;
    const char *asked = product == PREDT__DIRECTION ? NULL : run->job->request.nodata;
    if (product == PREDT__ALLOCATION && run->source.has_nodata) return run->source.nodata;
    if (asked && predt__value_parse(asked, kind, &value) == PREDT__FITS) return value;
    if (predt__kind_is_real(kind)) return (predt__value){.f = NAN};
    return product == PREDT__ALLOCATION ? (predt__value){.u = 0} : predt__kind_most(kind);
}

/* Formats with a nodata value of their own tag that one, whatever they are told: pixels get it,
 * too. */
static bool take_own_nodata(predt__run *run, predt__product product, predt__value *nodata) {
    const predt__sink *sink = &run->sinks[product];
    char text[40];
    if (!predt__wanted(run, product) || !sink->has_own_nodata) return false;
    *nodata = sink->own_nodata;
    if (product == PREDT__DISTANCE && run->job->request.nodata)
        CPLError(CE_Warning, CPLE_AppDefined,
                 "%.1000s: in the format %s nodata is %s, which is used instead of %.100s",
                 sink->shown, GDALGetDriverShortName(sink->driver),
                 predt__value_text(sink->kind, sink->own_nodata, text), run->job->request.nodata);
    return true;
}

/* Nodata of the distance: the format's own, as asked for, else what an existing band has, else NaN
 * or the type's maximum. */
static bool plan_distance_nodata(predt__run *run) {
    predt__encoding *encoding = &run->encoding;
    predt__sink *sink = &run->sinks[PREDT__DISTANCE];
    const char *asked = run->job->request.nodata;
    if (take_own_nodata(run, PREDT__DISTANCE, &encoding->nodata)) return true;
    if (asked) {
        if (predt__value_parse(asked, encoding->kind, &encoding->nodata) != PREDT__FITS)
            return no_fit("nodata", asked, encoding->kind);
        return true;
    }
    if (sink->updates && predt__value_of_nodata(sink->band, encoding->kind, &encoding->nodata))
        return true;
    encoding->nodata = predt__wanted_nodata(run, PREDT__DISTANCE, encoding->kind);
    return true;
}

bool predt__plan_encoding(predt__run *run) {
    predt__encoding *encoding = &run->encoding;
    run->direction_nodata.f = NAN;
    take_own_nodata(run, PREDT__DIRECTION, &run->direction_nodata);
    if (!predt__wanted(run, PREDT__DISTANCE)) return true;
    if (!plan_distance_nodata(run)) return false;
    encoding->fixed = run->job->request.fixed;
    if (encoding->fixed && !predt__encoding_round(encoding->kind, run->job->request.fixed_value,
                                                  &encoding->fixed_value))
        return no_fit("the fixed value", CPLSPrintf("%.17g", run->job->request.fixed_value),
                      encoding->kind);
    return true;
}

/* ---- Nodata of the allocation ---- */

static void propose(predt__run *run, predt__value value) {
    if (run->label_candidates < PREDT__MOST_CANDIDATES)
        run->label_nodata[run->label_candidates++] = value;
}

/* Values tried at either end of a type that is too large to try them all. */
#define SEVERAL 8

/* From both ends of the type inwards; of a real one from its largest finite numbers. */
static void propose_ends(predt__run *run) {
    predt__kind kind = run->source.kind;
    predt__value down = predt__kind_most(kind), up = predt__kind_least(kind);
    if (predt__kind_is_real(kind)) {
        predt__value_next(kind, down, -1, &down);
        predt__value_next(kind, up, 1, &up);
    }
    propose(run, down);
    int most = predt__kind_size(kind) == 1 ? 256 : SEVERAL;
    for (int i = 0; i < most; i += 2) {
        propose(run, up);
        predt__value_next(kind, up, 1, &up);
        predt__value_next(kind, down, -1, &down);
        propose(run, down);
    }
}

/* The source's own nodata first, then what the user asked for, then NaN if there is one, then zero,
 * then the ends of the type. */
void predt__plan_label_nodata(predt__run *run) {
    predt__kind kind = run->source.kind;
    predt__value value;
    if (take_own_nodata(run, PREDT__ALLOCATION, &value)) { /* the only one there can be */
        propose(run, value);
        return;
    }
    if (run->source.has_nodata) propose(run, run->source.nodata);
    if (run->job->request.nodata &&
        predt__value_parse(run->job->request.nodata, kind, &value) == PREDT__FITS)
        propose(run, value);
    if (predt__kind_is_real(kind)) propose(run, (predt__value){.f = NAN});
    propose(run, (predt__value){.u = 0});
    propose_ends(run);
}

bool predt__choose_label_nodata(predt__run *run) {
    while (run->label_chosen < run->label_candidates && run->label_taken[run->label_chosen])
        run->label_chosen++;
    if (run->label_chosen == run->label_candidates)
        return refuse(
            "no value is left to be the allocation's nodata: all that were tried are a target's");
    if (run->label_chosen > 0 && (run->source.has_nodata || run->job->request.nodata) &&
        run->label_taken[0]) {
        char text[40];
        CPLError(CE_Warning, CPLE_AppDefined,
                 "the allocation's nodata is %s, for the value asked for is a target's",
                 predt__value_text(run->source.kind, run->label_nodata[run->label_chosen], text));
    }
    return true;
}
