/* Ranges of values of one kind: ascending and apart once they are put in order, so that membership
 * is a binary search. */
#ifndef PREDT__RANGES_H
#define PREDT__RANGES_H

#include "value.h"

/* Both ends belong to it. */
typedef struct predt__range {
    predt__value from, to;
} predt__range;

typedef struct predt__ranges {
    predt__kind kind;
    int count, capacity;
    predt__range *list;
} predt__ranges;

/* Adds a range; one that is empty adds nothing. False, with a CPLError, when memory ran out. */
bool predt__ranges_add(predt__ranges *ranges, predt__range range);

/* Adds a range without one value; hole: NULL: all of it. */
bool predt__ranges_add_all_but(predt__ranges *ranges, predt__range range, const predt__value *hole);

/* Sorts them, and joins those that overlap. */
void predt__ranges_order(predt__ranges *ranges);

/* They are in order. NaN is in no range. */
bool predt__ranges_contain(const predt__ranges *ranges, predt__value value);

void predt__ranges_free(predt__ranges *ranges);

#endif
