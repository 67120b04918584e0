/* Answers to a question: pixels of its products for any window, as they are to be written. The
 * command asks strip by strip, the GDAL driver for whatever rows somebody wants to see. */
#ifndef PREDT__ANSWERS_H
#define PREDT__ANSWERS_H

#include "solver.h"

/* Buffers for some pixels, row by row. */
typedef struct predt__answers {
    void *pixels[PREDT__PRODUCTS]; /* in the products' own types; NULL: not asked for */
    /* of the source, where the request wants it in the outputs; filled by the caller before it
     * asks */
    uint8_t *is_nodata;
    /* set by the caller: the raster's column and row of the first pixel, and how many there are
     * from one row to the next */
    int64_t col, row, stride;
} predt__answers;

/* Bytes of all buffers for one pixel. */
int64_t predt__answers_bytes(const predt__question *question);

/* What the core may need, at most, for a pixel of a query: not every engine shortens distances and
 * labels itself. */
int64_t predt__answers_core_bytes(const predt__question *question);

/* False when memory ran out. Free the buffers either way. */
bool predt__answers_allocate(predt__answers *answers, const predt__question *question,
                             size_t pixels);
void predt__answers_free(predt__answers *answers);

/* Answers a window within the buffers and adds to the tally. Where its step is not 1 the buffers
 * begin at its first pixel. */
predt_status predt__answers_query(const predt__answers *answers, const predt__question *question,
                                  const predt__solver *solver, const predt_window *window,
                                  predt_tally *tally);

#endif
