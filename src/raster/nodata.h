/* Which values mean nodata in the outputs. */
#ifndef PREDT__NODATA_H
#define PREDT__NODATA_H

#include <stdatomic.h>

#include "job.h"
#include "source.h"

/* What the raster that holds a product can hold. */
typedef struct predt__medium {
    predt__kind kind;
    bool is_tagged;    /* it is there already, and `nodata` is its nodata value */
    bool has_only_one; /* its format knows no other nodata value than `nodata` */
    predt__value nodata;
} predt__medium;

/* Nodata of a raster that is made new, as far as it can be told before there is one. */
predt__value predt__wanted_nodata(const predt__request *request, const predt__source *source,
                                  predt__product product, predt__kind kind);

/* Nodata and fixed value of the distance, in the encoding's type; false where they do not fit
 * it. */
bool predt__plan_encoding(const predt__request *request, const predt__source *source,
                          const predt__medium *medium, predt_encoding *encoding);

/* Nodata values that an allocation may take, best first; a target that carries one rules it out.
 * All values of a byte have a place, and again: the source's own, the one that was asked for, zero
 * and the largest. */
#define PREDT__MAX_CANDIDATES 260

typedef struct predt__candidates {
    predt__value values[PREDT__MAX_CANDIDATES];
    int count;
    bool first_is_wanted; /* by the source or the user */
} predt__candidates;

void predt__list_candidates(const predt__request *request, const predt__source *source,
                            const predt__medium *medium, predt__candidates *candidates);

/* The first candidate that is no target's value. Warns where that is not the wanted one; false,
 * with a CPLError, where none is left. */
bool predt__choose_candidate(const predt__candidates *candidates, const atomic_bool *taken,
                             predt__kind kind, predt__value *chosen);

#endif
