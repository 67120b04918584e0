/* Many pixels at once: which of them lie in some ranges. */
#ifndef PREDT__MARK_H
#define PREDT__MARK_H

#include "ranges.h"

/* Writes 1 for a pixel in one of the ranges, which are in order, or one that is NaN where NaN is
 * looked for; 0 for another. Not for kinds of one byte. */
void predt__mark(const predt__ranges *ranges, bool nan, const void *pixels, size_t count,
                 uint8_t *marks);

#endif
