#include "question.h"

#include <cpl_error.h>
#include <cpl_string.h>

static bool refuse(const char *why) {
    CPLError(CE_Failure, CPLE_IllegalArg, "%s", why);
    return false;
}

/* ---- The source ---- */

static bool check_request(const predt__request *request) {
    predt__kind unused;
    if (request->type != GDT_Unknown && !predt__kind_of_type(request->type, &unused))
        return refuse("a distance has no complex type");
    if (!(request->max_distance >= 0))
        return refuse("the maximum distance is negative or not a number");
    if (!(request->min_distance >= 0))
        return refuse("the minimum distance is negative or not a number");
    if (request->min_distance > request->max_distance)
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

void predt__warn_of_no_target(const predt__question *question, int64_t targets) {
    char hint[HINT];
    if (targets == 0)
        CPLError(CE_Warning, CPLE_AppDefined, "there is no target: every pixel is nodata%s",
                 raw_hint(question->source.band, hint, sizeof hint));
}

static bool measure(predt__question *question) {
    const predt__request *request = question->request;
    if (!predt__measure_open(&question->measure, question->source.dataset, request->unit,
                             request->surface))
        return false;
    question->measure.grid.max_distance = request->max_distance;
    return true;
}

bool predt__question_open(predt__question *question, const predt__request *request,
                          unsigned products, predt__complaints *complaints) {
    predt__source *source = &question->source;
    char hint[HINT];
    *question = (predt__question){.request = request, .products = products};
    if (!check_request(request)) return false;
    if (!predt__source_open(request->source, request->band, source)) {
        predt__add_context(complaints, "cannot open", request->source);
        return false;
    }
    predt__demote_failure(complaints);
    predt__kind kind = PREDT__F32;
    if (predt__asks_for(question, PREDT__DISTANCE) && request->type != GDT_Unknown)
        predt__kind_of_type(request->type, &kind);
    question->encoding = (predt_encoding){.size = sizeof question->encoding, .scale = 1};
    question->encoding.type = (predt_type)kind;
    question->encoding.none.f = (double)NAN;
    question->selection = predt__selection_parse(request->values, source->kind,
                                                 source->has_nodata ? &source->nodata : NULL,
                                                 raw_hint(source->band, hint, sizeof hint));
    return question->selection != NULL && measure(question);
}

void predt__question_close(predt__question *question) {
    predt__selection_free(question->selection);
    predt__measure_close(&question->measure);
    predt__source_close(&question->source);
    *question = (predt__question){0};
}

/* ---- What it asks for ---- */

bool predt__asks_for(const predt__question *question, predt__product product) {
    return question->products >> product & 1;
}

predt__kind predt__kind_of_product(const predt__question *question, predt__product product) {
    return product == PREDT__ALLOCATION ? question->source.kind
           : product == PREDT__DISTANCE ? (predt__kind)question->encoding.type
                                        : PREDT__F32;
}

bool predt__is_geodesic(const predt__question *question) {
    return question->measure.grid.globe != NULL;
}

const char *predt__question_ellipsoid(const predt__question *question) {
    return question->measure.ground.ellipsoid;
}

predt_label_type predt__labels_needed(const predt__question *question) {
    return predt__asks_for(question, PREDT__ALLOCATION)
               ? predt__source_label_type(&question->source)
               : PREDT_LABEL_NONE;
}

bool predt__question_settle(predt__question *question, const predt__medium *media) {
    static const predt__medium any[PREDT__PRODUCTS] = {{0}};
    const predt__request *request = question->request;
    predt_encoding *encoding = &question->encoding;
    if (media && predt__asks_for(question, PREDT__DISTANCE))
        encoding->type = (predt_type)media[PREDT__DISTANCE].kind;
    if (!media) media = any;
    question->direction_nodata.f =
        media[PREDT__DIRECTION].has_only_one ? media[PREDT__DIRECTION].nodata.f : (double)NAN;
    if (predt__asks_for(question, PREDT__DISTANCE) &&
        !predt__plan_encoding(request, &question->source, &media[PREDT__DISTANCE], encoding))
        return false;
    if (encoding->type != PREDT_FLOAT32)
        encoding->scale = predt__measure_take_scale(&question->measure);
    if (predt__asks_for(question, PREDT__ALLOCATION))
        predt__list_candidates(request, &question->source, &media[PREDT__ALLOCATION],
                               &question->label_nodata);
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

const char *predt__product_unit(const predt__question *question, predt__product product) {
    if (product == PREDT__DISTANCE) return question->measure.unit;
    return product == PREDT__DIRECTION ? "degree" : GDALGetRasterUnitType(question->source.band);
}
