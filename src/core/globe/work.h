/* A sub-strip being solved: up to 32 columns over all the rows that are asked for. What the steps
 * hand to each other. */
#ifndef PREDT__GLOBE_WORK_H
#define PREDT__GLOBE_WORK_H

#include "../index.h"
#include "../outputs.h"

#define LANES_MAX 32 /* columns of a sub-strip, which is one tile wide */

/* The answers of one row, or of some rows of all lanes: from lane to lane target and apart lie
 * `stride` elements apart. Target j is that of the j-th row with targets (carries.h), apart columns
 * to the east, or west of the pixel where negative. distance in units of the semi-major axis;
 * negative: nearer to the antipode than the ladder reaches, PROJ is to say. */
typedef struct found_answers {
    double *distance;
    int32_t *target, *apart;
    int64_t stride;
} found_answers;

#define BEYOND_LADDER (-1.0) /* such a distance */

#define FAR_ROWS 1024 /* rows asked for of which all lanes' distances are in hand at once */
/* and from lane to lane: vectors may end beyond the last row, and lines lie in different sets */
#define FAR_STRIDE (FAR_ROWS + 8)

/* In the column before, the border between a first owner, whose number this has, and a last one:
 * where it was expected, in rows asked for, and by how many rows it was farther. */
typedef struct predt__known_border {
    int32_t last, expected, off;
} predt__known_border;

/* What a worker has. Arrays "of targets' rows" have one element for each row with targets. They are
 * filled sub-block by sub-block, when they are first needed. */
typedef struct predt__globe_scratch {
    /* of the sub-strip, by targets' rows: its own targets as bits; columns from its first one to
     * the last target before it, and from its 32nd one to the first target after it */
    uint32_t *bits;
    int32_t *before, *after;
    uint8_t *have_bits; /* by sub-block */
    /* of the sub-strip, by targets' rows and lanes: the squared chord of the angle to the nearest
     * target of the row */
    float *near_chord2;
    uint8_t *have_near;
    /* of one column, by targets' rows */
    int32_t *apart;
    double *chord2;
    uint8_t *have_column; /* by sub-block: lane + 1 */
    /* squared chords to one pixel, and which targets' rows are left in a contest */
    double *t;
    int32_t *left;
    double *left_t, *left_distance;
    predt__known_border *borders; /* by targets' rows */
    int32_t *pending;             /* see divide.h: segments that are still to be divided */
    found_answers far;            /* lanes x rows asked for */
    predt__seen seen;
    size_t rows, asked; /* that the arrays have room for */
    void *memory;
    size_t bytes;
    struct predt__globe_scratch *next;
} predt__globe_scratch;

typedef struct predt__substrip {
    const predt_index *index;
    const predt__globe *globe;
    const predt__carries *carries;
    int64_t tile;
    int32_t first_col;       /* of the tile */
    int32_t lane[LANES_MAX]; /* columns asked for, from first_col */
    int lanes;
    int64_t first_row, row_step, rows; /* asked for */
    bool stream;
    predt__outputs outputs;          /* moved: element 0 is (first lane, first row) */
    int64_t first_out_col, col_step; /* of lane 0 in the raster, for tallies */
} predt__substrip;

/* What kernels.c exports, once for each instruction set. */
typedef void predt__substrip_solver(const predt__substrip *strip, predt__globe_scratch *scratch);
predt__substrip_solver predt__solve_substrip_portable, predt__solve_substrip_avx2,
    predt__solve_substrip_avx512;

static inline int64_t asked_row(const predt__substrip *strip, int64_t i) {
    return strip->first_row + i * strip->row_step;
}

#endif
