/* What the index of a globe grid has in place of the carry rows of the plane: for each strip of
 * columns and each row, which target comes last before the strip and first after it, around the
 * globe. 8 bytes for 512 pixels: 0.016 byte a pixel. And which rows have targets at all. */
#ifndef PREDT__CARRIES_H
#define PREDT__CARRIES_H

#include "globe.h"

#define PREDT__STRIP 512 /* columns of a strip: 16 tiles */
#define PREDT__NO_COLUMN_BEFORE INT32_MIN
#define PREDT__NO_COLUMN_AFTER INT32_MAX

typedef struct predt__carries {
    /* strips x height: columns, those before the first one negative, those after the last one from
     * the period on. Until they are sealed: the last and the first target of the strip itself */
    int32_t *before, *after;
    int64_t strips;
    /* after sealing: the rows with targets, ascending; how many of them lie before each row, and at
     * the end of that all of them; their tables in the same order, filled up with points that are
     * nearer to nothing */
    int32_t *rows, *rank;
    double *sin, *cos;
    int32_t count;
    void *memory; /* of the last four */
} predt__carries;

/* Entries of the tables past the last one: scans in whole vectors go that far. */
#define PREDT__PAST_ROWS 16

/* Bytes of `before` and `after` together. */
int64_t predt__carries_bytes(const predt__globe *globe);

/* before and after lie in memory of so many bytes. */
void predt__carries_place(predt__carries *carries, const predt__globe *globe, void *memory);

/* The words of a tile of the columns that are solved: folded, and with zeros past the last one. */
void predt__folded_tile(const predt__globe *globe, const uint32_t *words, int64_t width,
                        int64_t tile, uint32_t columns[32]);

/* Of a sub-block, once its words are there. */
void predt__carries_add(predt__carries *carries, const predt__globe *globe, const uint32_t *words,
                        int64_t width, int64_t block, int rows);

/* Once all are. False: out of memory. */
bool predt__carries_seal(predt__carries *carries, const predt__globe *globe);

void predt__carries_free(predt__carries *carries);

#endif
