/* Arrays that queries answer into, and the pixels of the outputs made from them. The pipeline of a
 * command uses one set for a strip, the GDAL driver one for whatever rows are asked for. */
#ifndef PREDT__ANSWERS_H
#define PREDT__ANSWERS_H

#include "run.h"

/* Row-major, `pixels` elements each; NULL: not wanted by the run. */
typedef struct predt__answers {
    /* what the encoding takes: float distances or double squares; or whole numbers as they are
     * written */
    void *measured;
    void *labels; /* as they are written */
    float *direction;
    /* of the source, where the user wants it in the outputs; filled by the caller */
    uint8_t *is_nodata;
} predt__answers;

/* Whether the core gives distances as they are written. */
bool predt__answers_rounded(const predt__run *run);

/* Bytes of all arrays for one pixel. */
int64_t predt__answers_bytes(const predt__run *run);

/* What the core may need, at most, for a pixel of a query: its squares and its labels are not
 * narrow. */
int64_t predt__answers_core_bytes(const predt__run *run);

/* Room for what the run wants; false when memory ran out. Free it either way. */
bool predt__answers_allocate(predt__answers *answers, const predt__run *run, size_t pixels);
void predt__answers_free(predt__answers *answers);

/* The same arrays from one of their pixels on. */
predt__answers predt__answers_from(const predt__answers *answers, const predt__run *run,
                                   int64_t pixel);

/* Asks the run's index about the window. The tally is added to where the core rounds distances. */
predt_status predt__answers_query(const predt__answers *answers, const predt__run *run,
                                  const predt_window *window, predt_tally *whole_tally);

/* Where the core rounds distances, its tally takes the place of that of encoding. */
void predt__answers_adopt(const predt__run *run, const predt_tally *whole_tally,
                          predt__tally *tally);

/* Makes pixels that are nodata in the source, or nearer than the minimum, look as if no target were
 * in reach. */
void predt__answers_clear(const predt__answers *answers, const predt__run *run, int64_t pixels);

/* Encodes `cols` pixels from the first on, which lies at (col, row) of the raster, as pixels of the
 * output. */
void predt__answers_encode(const predt__answers *answers, const predt__run *run,
                           predt__product product, int64_t col, int64_t row, int64_t cols,
                           void *out, predt__tally *tally);

#endif
