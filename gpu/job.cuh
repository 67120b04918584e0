/* All that the kernels of the solver are told: the strip that they answer, sizes that follow from
 * it, and where in the workspace each array lies. workspace.cuh makes a job of a strip. */
#ifndef PREDT__GPU_JOB_CUH
#define PREDT__GPU_JOB_CUH

#include "strip.h"

#define BLOCK_ROWS 32  /* of a sub-block: one bit each in a word */
#define TILE 32        /* columns of a tile, the unit in which near or far is decided */
#define SEGMENT 1024   /* columns of a segment: 32 tiles, one a lane */
#define PART_TILES 256 /* of a part, which one block of threads sieves */
#define CHUNK 16       /* sub-blocks that a thread of the carry kernels walks */

/* "Rows" of no target, relative to a sub-block: as unsigned distances both exceed that of any
 * target. */
#define NONE_ABOVE INT32_MIN
#define NONE_BELOW UINT32_MAX

/* A column of a far sub-block in which pixels may find their nearest target: its last target above,
 * its first one below (rows relative to the sub-block) and its own. */
struct alignas(16) list_entry {
    int32_t col;
    int32_t above;
    uint32_t below;
    uint32_t word;
};

/* The targets of one row of a tile as bits, and the labels of the sub-block that come before
 * them. */
struct alignas(8) rank_row {
    uint32_t targets;
    uint32_t before;
};

/* Places in a far sub-block's list: the first and the last entry that may own a pixel, and the one
 * that does. All three are the same unless rounding can hide who is nearer. */
typedef struct owner_range {
    int32_t first, best, last;
} owner_range;

/* How far the windows of the near regime reach. */
typedef struct near_plan {
    int32_t columns; /* largest k; 0: the regime does not apply */
    int32_t d2;      /* a row of a tile with a minimum beyond this is far */
    int32_t rows;    /* a target more rows away never counts */
    int32_t wx, wy;
    /* the limit lies within d2: no tile is far, a pixel beyond has no target in reach */
    bool decides;
    /* 2 * columns + 1 bits: the columns around a pixel in which its target must lie, from bit HALO
     * - columns on */
    uint64_t window;
} near_plan;

typedef struct strip_job {
    predt__gpu_strip strip;
    near_plan near;
    int32_t blocks, tiles, segments, parts; /* sub-blocks; tiles, segments and parts of a row */
    int32_t chunks;                         /* of sub-blocks */
    /* largest d2 that counts; one more means no target at all */
    double limit;
    int32_t whole_limit; /* the same for d2 of 32 bits */
    int32_t float_limit; /* up to this d2 the distance is its float32 root */
    /* rows of 4-byte outputs begin at multiples of 16 bytes */
    bool aligned;
    bool owners; /* an output needs the owner's column or row */

    /* Arrays in the workspace; each with the kernel that fills it. */

    /* summary_kernel: chunks x width: raster rows of the chunk's last and first targets */
    int32_t *last, *first;
    /* carry_kernel: blocks x width: raster rows of the nearest targets outside a sub-block, as the
     * strip has them for itself */
    int32_t *above, *below;
    rank_row *ranks; /* rank_kernel: blocks x tiles x 32 */
    /* near_kernel: blocks x 32 x segments: bit t: the row is far in tile t */
    uint32_t *far;
    uint32_t *far_blocks; /* near_kernel: blocks: not 0: some row is far in some tile */
    /* sieve_kernel: blocks x tiles: bit c: the column's candidate was not dominated; keep_kernel
     * leaves the columns of the list in kept_above */
    uint32_t *kept_above, *kept_below;
    /* keep_kernel: the place of kept_below anew: bit c: the column is inside a run of full ones */
    uint32_t *runs;
    int32_t *part_counts; /* keep_kernel: blocks x parts: columns kept */
    int32_t *count;       /* list_kernel: blocks: entries in its list */
    list_entry *lists;    /* list_kernel: blocks x width, sorted by column */
    /* ends_kernel: rows x (segments + 1): of the segments' first pixels and of the last pixel */
    owner_range *ends;
} strip_job;

__device__ static inline int32_t block_rows(const strip_job &job, int32_t block) {
    int32_t rest = job.strip.rows - block * BLOCK_ROWS;
    return rest < BLOCK_ROWS ? rest : BLOCK_ROWS;
}

__device__ static inline int32_t block_first_row(const strip_job &job, int32_t block) {
    return (int32_t)job.strip.first_row + block * BLOCK_ROWS;
}

/* Blocks of so many threads for so many items. */
static inline unsigned grid_of(int64_t items, int threads) {
    return (unsigned)((items + threads - 1) / threads);
}

#endif
