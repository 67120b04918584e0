/* Which pixels are targets.
 *
 * Grammar: items separated by commas. An item is a number (7, -2.5, 1e6), a range 10:20 with both
 * ends taken, `nan`: the pixels that are not a number, or `notnodata`: every pixel that has data,
 * zero among them. No text at all: every pixel that has data and is not zero.
 *
 * Numbers are compared in the band's own type: 2.5 in Float32, 4000000000 in UInt32, 2^53 + 1 in
 * Int64. Nodata and NaN are no targets, with one exception: the nodata value written out as a
 * number, and `nan`, are asked for by name. A number that the band's type cannot hold gives a
 * warning; a text that selects nothing at all is an error. */
#ifndef PREDT__SELECTION_H
#define PREDT__SELECTION_H

#include <stddef.h>

#include "value.h"

typedef struct predt__selection predt__selection;

/* nodata: the band's nodata value, or NULL. hint: what messages about values that cannot occur end
 * with, or "". Returns NULL, with a CPLError, where the text cannot be understood. */
predt__selection *predt__selection_parse(const char *text, predt__kind kind,
                                         const predt__value *nodata, const char *hint);
void predt__selection_free(predt__selection *selection);

bool predt__selection_contains(const predt__selection *selection, predt__value value);

/* True where a pixel's byte is non-zero exactly where it is a target, so that nothing needs to be
 * marked. */
bool predt__selection_is_nonzero_bytes(const predt__selection *selection);

/* Writes 1 for a target, 0 for another pixel. */
void predt__selection_mark(const predt__selection *selection, const void *pixels, size_t count,
                           uint8_t *is_target);

#endif
