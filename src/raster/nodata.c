#include "nodata.h"

#include <cpl_error.h>
#include <cpl_string.h>

#include "words.h"

/* ---- Nodata of the distance ---- */

static bool no_fit(const char *what, const char *number, predt__kind kind) {
    char shown[PREDT__SHOWN];
    CPLError(CE_Failure, CPLE_IllegalArg, "%s %s does not fit an output of type %s", what,
             predt__shown(number, shown), predt__kind_name(kind));
    return false;
}

predt__value predt__wanted_nodata(const predt__request *request, const predt__source *source,
                                  predt__product product, predt__kind kind) {
    predt__value value;
    const char *asked = product == PREDT__DIRECTION ? NULL : request->nodata;
    if (product == PREDT__ALLOCATION && source->has_nodata) return source->nodata;
    if (asked && predt__value_parse(asked, kind, &value) == PREDT__FITS) return value;
    if (predt__kind_is_real(kind)) return (predt__value){.f = NAN};
    return product == PREDT__ALLOCATION ? (predt__value){.u = 0} : predt__kind_max(kind);
}

/* The format's only one, else as asked for, else what an existing band has, else NaN or the type's
 * maximum. */
static bool plan_nodata(const predt__request *request, const predt__source *source,
                        const predt__medium *medium, predt_encoding *encoding) {
    const char *asked = request->nodata;
    predt__kind kind = (predt__kind)encoding->type;
    if (medium->has_only_one || (medium->is_tagged && !asked)) encoding->none = medium->nodata;
    else if (!asked) encoding->none = predt__wanted_nodata(request, source, PREDT__DISTANCE, kind);
    else if (predt__value_parse(asked, kind, &encoding->none) != PREDT__FITS)
        return no_fit("nodata", asked, kind);
    return true;
}

bool predt__plan_encoding(const predt__request *request, const predt__source *source,
                          const predt__medium *medium, predt_encoding *encoding) {
    predt__kind kind = (predt__kind)encoding->type;
    if (!plan_nodata(request, source, medium, encoding)) return false;
    encoding->is_fixed = request->fixed;
    return !encoding->is_fixed ||
           predt__value_round(kind, request->fixed_value, &encoding->fixed) ||
           no_fit("the fixed value", CPLSPrintf("%.17g", request->fixed_value), kind);
}

/* ---- Nodata of the allocation ---- */

static void propose(predt__candidates *candidates, predt__value value) {
    if (candidates->count < PREDT__MAX_CANDIDATES) candidates->values[candidates->count++] = value;
}

/* Values tried at either end of a type that is too large to try them all. */
#define SEVERAL 8

/* From both ends of the type inwards; of a real one from its largest finite numbers. */
static void propose_ends(predt__candidates *candidates, predt__kind kind) {
    predt__value down = predt__kind_max(kind), up = predt__kind_min(kind);
    if (predt__kind_is_real(kind)) {
        predt__value_next(kind, down, -1, &down);
        predt__value_next(kind, up, 1, &up);
    }
    propose(candidates, down);
    int count = predt__kind_size(kind) == 1 ? 256 : SEVERAL;
    for (int i = 0; i < count; i += 2) {
        propose(candidates, up);
        predt__value_next(kind, up, 1, &up);
        predt__value_next(kind, down, -1, &down);
        propose(candidates, down);
    }
}

/* The source's own nodata first, then what the user asked for, then NaN if there is one, then zero,
 * then the ends of the type. */
void predt__list_candidates(const predt__request *request, const predt__source *source,
                            const predt__medium *medium, predt__candidates *candidates) {
    predt__kind kind = source->kind;
    predt__value value;
    candidates->count = 0;
    candidates->first_is_wanted = source->has_nodata || request->nodata;
    if (medium->has_only_one) {
        propose(candidates, medium->nodata);
        return;
    }
    if (source->has_nodata) propose(candidates, source->nodata);
    if (request->nodata && predt__value_parse(request->nodata, kind, &value) == PREDT__FITS)
        propose(candidates, value);
    if (predt__kind_is_real(kind)) propose(candidates, (predt__value){.f = NAN});
    propose(candidates, (predt__value){.u = 0});
    propose_ends(candidates, kind);
}

bool predt__choose_candidate(const predt__candidates *candidates, const atomic_bool *taken,
                             predt__kind kind, predt__value *chosen) {
    char text[40];
    int at = 0;
    while (at < candidates->count && taken[at]) at++;
    if (at == candidates->count) {
        CPLError(CE_Failure, CPLE_IllegalArg,
                 "no value is left to be the allocation's nodata: all that were tried are a "
                 "target's");
        return false;
    }
    *chosen = candidates->values[at];
    if (at > 0 && candidates->first_is_wanted)
        CPLError(CE_Warning, CPLE_AppDefined,
                 "the allocation's nodata is %s, for the value asked for is a target's",
                 predt__value_text(kind, *chosen, text));
    return true;
}
