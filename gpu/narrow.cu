/* Picks the pixels asked for out of a strip's squares and labels and stores them in as few bytes as
 * the caller's arrays have. Bound by reading the squares: the roots cost less than that wherever
 * double precision is not crippled. */
#define PREDT__DEVICE static __host__ __device__ inline

#include "narrow.h"

#define THREADS PREDT__GPU_NARROW_THREADS

/* The pixel of the strip that (row, col) of those asked for is. */
__device__ static inline int64_t pixel_of(const predt__gpu_narrowing &n, int64_t row, int64_t col) {
    return (n.first_row - n.strip_row + row * n.step) * n.width + n.first_col + col * n.step;
}

/* One tally from those of all threads of the block, in thread 0's place. */
__device__ static inline void fold(predt__seen *tallies) {
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            predt__tally_add(&tallies[threadIdx.x], &tallies[threadIdx.x + half]);
    }
}

/* A thread meets its pixels row by row, as its tally wants it. */
template <typename VALUE> __global__ void whole_kernel(predt__gpu_narrowing n) {
    __shared__ predt__seen tallies[THREADS];
    predt__seen tally = PREDT__SEEN_INIT;
    VALUE *values = (VALUE *)n.encoding.values;
    for (int64_t row = blockIdx.y; row < n.rows; row += gridDim.y)
        for (int64_t col = (int64_t)blockIdx.x * THREADS + threadIdx.x; col < n.cols;
             col += (int64_t)gridDim.x * THREADS)
            values[row * n.cols + col] = (VALUE)predt__whole_value(
                &n.encoding, n.distance2[pixel_of(n, row, col)], n.first_col + col * n.step,
                n.first_row + row * n.step, &tally);
    tallies[threadIdx.x] = tally;
    fold(tallies);
    if (threadIdx.x == 0) n.tallies[blockIdx.y * gridDim.x + blockIdx.x] = tallies[0];
}

template <typename LABEL, typename VALUE> __global__ void label_kernel(predt__gpu_narrowing n) {
    const LABEL *labels = (const LABEL *)n.label;
    VALUE *values = (VALUE *)n.narrow_label;
    for (int64_t row = blockIdx.y; row < n.rows; row += gridDim.y)
        for (int64_t col = (int64_t)blockIdx.x * THREADS + threadIdx.x; col < n.cols;
             col += (int64_t)gridDim.x * THREADS)
            values[row * n.cols + col] = (VALUE)labels[pixel_of(n, row, col)];
}

/* ---- Launchers ---- */

static cudaError_t narrow_distances(const predt__gpu_narrowing *n, dim3 grid, cudaStream_t stream) {
    if (n->encoding.bytes == 1) whole_kernel<uint8_t><<<grid, THREADS, 0, stream>>>(*n);
    else if (n->encoding.bytes == 2) whole_kernel<uint16_t><<<grid, THREADS, 0, stream>>>(*n);
    else whole_kernel<uint32_t><<<grid, THREADS, 0, stream>>>(*n);
    return cudaGetLastError();
}

template <typename LABEL>
static cudaError_t narrow_labels(const predt__gpu_narrowing *n, dim3 grid, cudaStream_t stream) {
    if (n->label_bytes == 1) label_kernel<LABEL, uint8_t><<<grid, THREADS, 0, stream>>>(*n);
    else if (n->label_bytes == 2) label_kernel<LABEL, uint16_t><<<grid, THREADS, 0, stream>>>(*n);
    else label_kernel<LABEL, uint32_t><<<grid, THREADS, 0, stream>>>(*n);
    return cudaGetLastError();
}

cudaError_t predt__gpu_narrow(const predt__gpu_narrowing *n, cudaStream_t stream) {
    dim3 grid((unsigned)predt__gpu_narrow_cols(n->cols), (unsigned)predt__gpu_narrow_rows(n->rows));
    cudaError_t error = n->distance2 ? narrow_distances(n, grid, stream) : cudaSuccess;
    if (error != cudaSuccess || !n->label) return error;
    return n->label_size == 8 ? narrow_labels<uint64_t>(n, grid, stream)
                              : narrow_labels<uint32_t>(n, grid, stream);
}
