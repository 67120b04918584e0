/* The first kernels of the solver: a mask packed to words, the targets above and below each
 * sub-block, and the tables that find a target's label by its rank.
 *
 * In: the strip's words, above, below and label_starts. Out: the job's above and below (by way of
 * last and first) and its ranks. */
#ifndef PREDT__GPU_COLUMNS_CUH
#define PREDT__GPU_COLUMNS_CUH

#include <cub/warp/warp_scan.cuh>

#include "job.cuh"
#include "warp.cuh"

/* ---- Carries ---- */

/* Last and first target of each column in each chunk. */
static __global__ void __launch_bounds__(256)
    summary_kernel(const __grid_constant__ strip_job job) {
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
static __global__ void __launch_bounds__(256) carry_kernel(const __grid_constant__ strip_job job) {
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

#define RANK_THREADS 256
typedef cub::WarpScan<uint32_t> rank_scan;

/* One warp a tile: lane r gets row r. Labels lie tile by tile and in each row by row. */
static __global__ void __launch_bounds__(RANK_THREADS)
    rank_kernel(const __grid_constant__ strip_job job) {
    __shared__ rank_scan::TempStorage scans[RANK_THREADS / WARP];
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
    uint32_t before;
    rank_scan(scans[threadIdx.x / WARP]).ExclusiveSum((uint32_t)__popc(targets), before);
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

static inline cudaError_t carry(const strip_job *job, cudaStream_t stream) {
    unsigned grid = grid_of((int64_t)job->chunks * job->strip.width, 256);
    summary_kernel<<<grid, 256, 0, stream>>>(*job);
    carry_kernel<<<grid, 256, 0, stream>>>(*job);
    return cudaGetLastError();
}

static inline cudaError_t rank(const strip_job *job, cudaStream_t stream) {
    unsigned grid = grid_of((int64_t)job->blocks * job->tiles * WARP, RANK_THREADS);
    rank_kernel<<<grid, RANK_THREADS, 0, stream>>>(*job);
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
