#include "ranges.h"

#include <cpl_error.h>
#include <cpl_vsi.h>
#include <stdlib.h>

bool predt__ranges_add(predt__ranges *ranges, predt__range range) {
    if (predt__compare(ranges->kind, range.from, range.to) > 0) return true;
    if (ranges->count == ranges->capacity) {
        int capacity = ranges->capacity ? 2 * ranges->capacity : 8;
        predt__range *grown = VSIRealloc(ranges->list, (size_t)capacity * sizeof *grown);
        if (!grown) return CPLError(CE_Failure, CPLE_OutOfMemory, "out of memory"), false;
        ranges->list = grown;
        ranges->capacity = capacity;
    }
    ranges->list[ranges->count++] = range;
    return true;
}

bool predt__ranges_add_all_but(predt__ranges *ranges, predt__range range,
                               const predt__value *hole) {
    predt__kind kind = ranges->kind;
    predt__range below = range, above = range;
    if (!hole || predt__compare(kind, *hole, range.from) < 0 ||
        predt__compare(kind, *hole, range.to) > 0)
        return predt__ranges_add(ranges, range);
    return (!predt__value_next(kind, *hole, -1, &below.to) || predt__ranges_add(ranges, below)) &&
           (!predt__value_next(kind, *hole, 1, &above.from) || predt__ranges_add(ranges, above));
}

/* ---- Order ---- */

static int by_real(const void *a, const void *b) {
    const predt__range *first = a, *second = b;
    return (first->from.f > second->from.f) - (first->from.f < second->from.f);
}

static int by_signed(const void *a, const void *b) {
    const predt__range *first = a, *second = b;
    return (first->from.i > second->from.i) - (first->from.i < second->from.i);
}

static int by_unsigned(const void *a, const void *b) {
    const predt__range *first = a, *second = b;
    return (first->from.u > second->from.u) - (first->from.u < second->from.u);
}

static void join(predt__ranges *ranges) {
    int kept = 0;
    for (int i = 1; i < ranges->count; i++) {
        predt__range *last = &ranges->list[kept], *next = &ranges->list[i];
        if (predt__compare(ranges->kind, next->from, last->to) > 0) ranges->list[++kept] = *next;
        else if (predt__compare(ranges->kind, next->to, last->to) > 0) last->to = next->to;
    }
    if (ranges->count) ranges->count = kept + 1;
}

void predt__ranges_order(predt__ranges *ranges) {
    predt__kind kind = ranges->kind;
    if (ranges->count)
        qsort(ranges->list, (size_t)ranges->count, sizeof *ranges->list,
              predt__kind_is_real(kind)     ? by_real
              : predt__kind_is_signed(kind) ? by_signed
                                            : by_unsigned);
    join(ranges);
}

bool predt__ranges_contain(const predt__ranges *ranges, predt__value value) {
    predt__kind kind = ranges->kind;
    int low = 0, high = ranges->count;
    if (predt__kind_is_real(kind) && value.f != value.f) return false;
    while (low < high) {
        int middle = (low + high) / 2;
        if (predt__compare(kind, value, ranges->list[middle].to) > 0) low = middle + 1;
        else high = middle;
    }
    return low < ranges->count && predt__compare(kind, value, ranges->list[low].from) >= 0 &&
           predt__compare(kind, value, ranges->list[low].to) <= 0;
}

void predt__ranges_free(predt__ranges *ranges) {
    VSIFree(ranges->list);
    *ranges = (predt__ranges){.list = NULL};
}
