/* What all kernels of the solver share, and the first of them: the targets above and below each
 * sub-block, and the tables that find a target's label by its rank. */
#ifndef PREDT__GPU_COLUMNS_CUH
#define PREDT__GPU_COLUMNS_CUH

#include "strip.h"
#include "warp.cuh"

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
struct alignas(16) entry {
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
typedef struct reach {
    int32_t first, best, last;
} reach;

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

/* All that a kernel is told: the strip, sizes that follow from it, and arrays in the workspace. */
typedef struct job {
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
    /* chunks x width: raster rows of the chunk's last and first targets */
    int32_t *last, *first;
    int32_t *above, *below; /* blocks x width: raster rows, as in the strip */
    rank_row *ranks;        /* blocks x tiles x 32 */
    /* blocks x 32 x segments: bit t: the row is far in tile t */
    uint32_t *far;
    uint32_t *far_blocks; /* blocks: not 0: some row is far in some tile */
    /* blocks x tiles: bit c: the column's candidate was not dominated */
    uint32_t *kept_above, *kept_below;
    /* the same place as kept_below, later: bit c: inside a run of full columns */
    uint32_t *runs;
    int32_t *part_counts; /* blocks x parts: columns kept */
    int32_t *count;       /* blocks: entries in its list */
    entry *lists;         /* blocks x width */
    /* rows x (segments + 1): of the segments' first pixels and of the last pixel */
    reach *ends;
} job;

__device__ static inline int32_t block_rows(const job &job, int32_t block) {
    int32_t rest = job.strip.rows - block * BLOCK_ROWS;
    return rest < BLOCK_ROWS ? rest : BLOCK_ROWS;
}

__device__ static inline int32_t block_first_row(const job &job, int32_t block) {
    return (int32_t)job.strip.first_row + block * BLOCK_ROWS;
}

/* ---- Carries ---- */

/* Last and first target of each column in each chunk. */
static __global__ void __launch_bounds__(256) summary_kernel(const __grid_constant__ job job) {
    int64_t item = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, width = job.strip.width;
    if (item >= job.chunks * width) return;
    int32_t chunk = (int32_t)(item / width), col = (int32_t)(item % width), last = -1,
            first = INT32_MAX;
    for (int32_t i = 0; i < CHUNK; i++) {
        int32_t block = chunk * CHUNK + i;
        uint32_t word = block < job.blocks ? job.strip.words[block * width + col] : 0;
        if (!word) continue;
        last = block_first_row(job, block) + 31 - __clz((int)word);
        if (first == INT32_MAX) first = block_first_row(job, block) + __ffs((int)word) - 1;
    }
    job.last[item] = last;
    job.first[item] = first;
}

/* Each thread finds what lies above and below its chunk from the chunks' summaries, and walks
 * through the chunk both ways. */
static __global__ void __launch_bounds__(256) carry_kernel(const __grid_constant__ job job) {
    int64_t item = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, width = job.strip.width;
    if (item >= job.chunks * width) return;
    int32_t chunk = (int32_t)(item / width), col = (int32_t)(item % width), above = -1,
            below = INT32_MAX;
    for (int32_t i = chunk - 1; i >= 0 && above < 0; i--) above = job.last[i * width + col];
    for (int32_t i = chunk + 1; i < job.chunks && below == INT32_MAX; i++)
        below = job.first[i * width + col];
    if (above < 0) above = job.strip.above[col];
    if (below == INT32_MAX) below = job.strip.below[col];
    uint32_t words[CHUNK];
#pragma unroll
    for (int32_t i = 0; i < CHUNK; i++) {
        int32_t block = chunk * CHUNK + i;
        words[i] = block < job.blocks ? job.strip.words[block * width + col] : 0;
    }
#pragma unroll
    for (int32_t i = 0; i < CHUNK; i++) {
        int32_t block = chunk * CHUNK + i;
        if (block < job.blocks) job.above[block * width + col] = above;
        if (words[i]) above = block_first_row(job, block) + 31 - __clz((int)words[i]);
    }
#pragma unroll
    for (int32_t i = CHUNK - 1; i >= 0; i--) {
        int32_t block = chunk * CHUNK + i;
        if (block < job.blocks) job.below[block * width + col] = below;
        if (words[i]) below = block_first_row(job, block) + __ffs((int)words[i]) - 1;
    }
}

/* ---- Ranks ---- */

/* One warp a tile: lane r gets row r. Labels lie tile by tile and in each row by row. */
static __global__ void __launch_bounds__(256) rank_kernel(const __grid_constant__ job job) {
    int64_t item = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / WARP;
    int32_t lane = threadIdx.x % WARP;
    if (item >= (int64_t)job.blocks * job.tiles) return;
    int32_t block = (int32_t)(item / job.tiles), col = (int32_t)(item % job.tiles) * TILE + lane;
    uint32_t word = col < job.strip.width ? job.strip.words[(int64_t)block * job.strip.width + col]
                                          : 0,
             targets = 0;
    for (int32_t row = 0; row < BLOCK_ROWS; row++) {
        uint32_t bits = __ballot_sync(ALL_LANES, word >> row & 1);
        if (row == lane) targets = bits;
    }
    uint32_t before = 0, count = (uint32_t)__popc(targets);
    for (int32_t step = 1; step < WARP; step *= 2) {
        uint32_t left = __shfl_up_sync(ALL_LANES, before + count, (unsigned)step);
        if (lane >= step) before += left;
    }
    job.ranks[item * BLOCK_ROWS + lane] = {targets, job.strip.label_starts[item] + before};
}

/* ---- Mask to words ---- */

/* One thread a column of a sub-block; any width and alignment. */
static __global__ void __launch_bounds__(256)
    pack_any_kernel(const uint8_t *mask, int32_t width, int32_t rows, uint32_t *words) {
    int64_t item = (int64_t)blockIdx.x * blockDim.x + threadIdx.x,
            blocks = (rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
    if (item >= blocks * width) return;
    int32_t block = (int32_t)(item / width), col = (int32_t)(item % width);
    uint32_t word = 0;
#pragma unroll 8
    for (int32_t i = 0; i < BLOCK_ROWS; i++) {
        int32_t row = block * BLOCK_ROWS + i;
        if (row < rows && mask[(int64_t)row * width + col]) word |= 1u << i;
    }
    words[item] = word;
}

/* Eight rows of four columns: byte c of the result holds column c, bit i row i. */
__device__ static inline uint32_t pack_eight(const uint32_t *mask, int32_t stride, int32_t row,
                                             int32_t rows) {
    uint32_t bytes = 0;
#pragma unroll
    for (int32_t i = 0; i < 8; i++) {
        uint32_t four = row + i < rows ? mask[(int64_t)i * stride] : 0;
        /* top bit of each byte that is not 0 */
        uint32_t targets = (((four & 0x7f7f7f7fu) + 0x7f7f7f7fu) | four) & 0x80808080u;
        bytes = (bytes >> 1 & 0x7f7f7f7fu) | targets;
    }
    return bytes;
}

/* One thread four columns of a sub-block; width a multiple of 4, mask and words aligned
 * accordingly. */
static __global__ void __launch_bounds__(256)
    pack_four_kernel(const uint32_t *mask, int32_t fours, int32_t rows, uint4 *words) {
    int64_t item = (int64_t)blockIdx.x * blockDim.x + threadIdx.x,
            blocks = (rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
    if (item >= blocks * fours) return;
    int32_t row = (int32_t)(item / fours) * BLOCK_ROWS;
    const uint32_t *from = mask + (int64_t)row * fours + item % fours;
    uint32_t bytes[4];
#pragma unroll
    for (int32_t i = 0; i < 4; i++)
        bytes[i] = pack_eight(from + (int64_t)8 * i * fours, fours, row + 8 * i, rows);
    uint32_t low = __byte_perm(bytes[0], bytes[1], 0x5140),
             high = __byte_perm(bytes[2], bytes[3], 0x5140);
    uint32_t low2 = __byte_perm(bytes[0], bytes[1], 0x7362),
             high2 = __byte_perm(bytes[2], bytes[3], 0x7362);
    words[item] = make_uint4(__byte_perm(low, high, 0x5410), __byte_perm(low, high, 0x7632),
                             __byte_perm(low2, high2, 0x5410), __byte_perm(low2, high2, 0x7632));
}

/* ---- Launchers ---- */

static inline unsigned grid_of(int64_t items, int threads) {
    return (unsigned)((items + threads - 1) / threads);
}

static inline cudaError_t carry(const job *job, cudaStream_t stream) {
    unsigned grid = grid_of((int64_t)job->chunks * job->strip.width, 256);
    summary_kernel<<<grid, 256, 0, stream>>>(*job);
    carry_kernel<<<grid, 256, 0, stream>>>(*job);
    return cudaGetLastError();
}

static inline cudaError_t rank(const job *job, cudaStream_t stream) {
    rank_kernel<<<grid_of((int64_t)job->blocks * job->tiles * WARP, 256), 256, 0, stream>>>(*job);
    return cudaGetLastError();
}

static inline cudaError_t pack(const uint8_t *mask, int32_t width, int32_t rows, uint32_t *words,
                               cudaStream_t stream) {
    int64_t blocks = (rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
    bool aligned = width % 4 == 0 && (uintptr_t)mask % 4 == 0 && (uintptr_t)words % 16 == 0;
    if (aligned)
        pack_four_kernel<<<grid_of(blocks * (width / 4), 256), 256, 0, stream>>>(
            (const uint32_t *)mask, width / 4, rows, (uint4 *)words);
    else
        pack_any_kernel<<<grid_of(blocks * width, 256), 256, 0, stream>>>(mask, width, rows, words);
    return cudaGetLastError();
}

#endif
