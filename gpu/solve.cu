/* Solves one strip: columns, then what is near, then the lists of what is far, and from them what
 * is far. */
#define PREDT__DEVICE static __host__ __device__ inline

#include "strip.h"

#include "columns.cuh"
#include "far.cuh"
#include "list.cuh"
#include "near.cuh"
#include "workspace.cuh"

size_t predt__gpu_workspace(int32_t width, int32_t rows, int32_t label_size) {
    predt__gpu_strip strip = {};
    strip.width = width;
    strip.rows = rows;
    strip.label_size = label_size;
    strip_job job = job_of(&strip);
    return place_arrays(&job, NULL);
}

cudaError_t predt__gpu_pack(const uint8_t *mask, int32_t width, int32_t rows, uint32_t *words,
                            cudaStream_t stream) {
    return pack(mask, width, rows, words, stream);
}

cudaError_t predt__gpu_solve(const predt__gpu_strip *strip, void *workspace, cudaStream_t stream) {
    strip_job job = job_of(strip);
    place_arrays(&job, workspace);
    cudaError_t error = carry(&job, stream);
    if (error == cudaSuccess && strip->label && !strip->label_raster) error = rank(&job, stream);
    if (error == cudaSuccess) error = near(&job, stream);
    if (error == cudaSuccess && !job.near.decides) error = list(&job, stream);
    if (error == cudaSuccess && !job.near.decides) error = far_tiles(&job, stream);
    return error;
}
