/* One sub-block being solved: what the regimes read, and how they hand their answers over. */
#ifndef PREDT__BLOCK_H
#define PREDT__BLOCK_H

#include "../index.h"
#include "../outputs.h"

/* columns of a tile: the regime is chosen per tile, over all rows of the sub-block */
#define TILE PREDT__TILE
#define NONE_ABOVE INT32_MIN /* "row" of a column without a target above, and below */
#define NONE_BELOW INT32_MAX

/* Rows are relative to the first row that is solved: 0 to rows - 1 inside, negative above, larger
 * below. */
typedef struct predt__block {
    const predt_index *index;
    int64_t number;    /* of the sub-block in the raster */
    int64_t first_row; /* raster row of relative row 0 */
    int32_t width;
    int rows;                  /* 1 to 32 */
    uint32_t wanted;           /* bit r: row r is asked for */
    const uint32_t *words;     /* bits 0 to rows - 1 */
    const uint32_t *all_words; /* of the sub-block, in which relative row 0 is bit `skew` */
    int skew;
    bool stream;      /* the outputs are too large to stay in the caches */
    bool all_reached; /* every pixel has a target in reach */
    const int32_t *above, *below;
    int32_t col_begin, col_end; /* columns asked for: a range; every step-th of it is written */
    int32_t step;
    predt__outputs outputs; /* moved: element 0 of each is (col_begin, first row wanted) */
} predt__block;

/* The label of the target of a column that was asked for last, and its row in the raster. */
typedef struct label_cache_uint32_t {
    int32_t row;
    uint32_t label;
} label_cache_uint32_t;

typedef struct label_cache_uint64_t {
    int32_t row;
    uint64_t label;
} label_cache_uint64_t;

#define LABEL_ROW 576 /* columns of label_tiles */
/* its rows from the sub-blocks above and below, on either side of the sub-block's own */
#define LABEL_MARGIN 16
#define LABEL_ROWS (LABEL_MARGIN + PREDT_SUBBLOCK_ROWS + LABEL_MARGIN)

enum { TILE_NEAR, TILE_FAR, TILE_UNKNOWN /* not asked for: its targets may matter elsewhere */ };

/* From this many passes on, the next sub-block of the same group has them all worked out: that
 * takes two passes for each sub-block, once, and sparse rasters need one for each other sub-block,
 * each time. */
#define MANY_PASSES (PREDT__GROUP / 2)

/* Elements of a list's arrays: members have distinct columns, and vectors may be stored beyond the
 * last. */
static inline size_t list_room(size_t width) { return width + 8; }

/* Of predt__seen: a tile that turns out to be far is answered a second time. */
typedef struct tile_counts {
    int32_t clamped, like_none;
} tile_counts;

/* Buffers of one worker, kept from query to query. Sizes in elements behind each. */
typedef struct predt__scratch {
    struct predt__scratch *next; /* while idle */
    int64_t width;
    void *memory; /* all arrays lie in it */
    size_t bytes;
    int32_t *above, *below; /* width */
    uint32_t *words;        /* width */
    uint32_t *insert;       /* width */
    uint8_t *far;           /* tiles: TILE_NEAR, TILE_FAR or TILE_UNKNOWN */
    /* width label caches: of targets at or above the pixel's row, and below it */
    void *labels[2];
    /* LABEL_ROWS * LABEL_ROW: labels of the targets around a chunk of near tiles */
    void *label_tiles;
    /* GROUP * width: carry rows of all sub-blocks of a group, once several were asked for */
    int32_t *group_above, *group_below;
    uint64_t group_index; /* whose: the serial number of its index; 0: nobody's */
    int64_t group;
    enum { GROUP_UNKNOWN, GROUP_WANTED, GROUP_KNOWN } group_state;
    int32_t *inserted; /* 32 * width: columns that join the lists, row by row */
    /* 32 * 2 * (width + 8): columns and rows of the lower list of each row */
    int32_t *lower;
    /* 2 * 2 * (width + 8): of the upper list of this row and the one before */
    int32_t *upper;
    int32_t *candidates; /* 2 * (width + 8): columns and rows that a list starts from */
    float *squares;      /* width + 24: their squared heights */
    int32_t *death;      /* 2 * (width + 8): rows of death of a list and the one before */
    predt__seen seen;    /* by the query's encoding */
    /* tiles: what was counted of each while it seemed to be near; zeros between sub-blocks */
    tile_counts *counts;
    bool counted; /* some are not zero */
} predt__scratch;

/* What kernels.c exports, once for each instruction set: solves the rows that are wanted. */
typedef void predt__block_solver(const predt__block *block, predt__scratch *scratch);
predt__block_solver predt__solve_block_portable, predt__solve_block_avx2;

#endif
