/* What the two engines of the raster Voronoi paper share: its steps 1, 3 and 6.
 *
 * The paper, in Chinese, proposes a parallel raster method for Voronoi diagrams on CUDA: every
 * empty pixel is given to the nearest growth target (here: target pixel), with one thread a pixel.
 * Step 1 decides on the number of threads, step 2 sends the raster, step 3 shares the pixels among
 * the threads (share.h), step 4 or 5 finds the target, step 6 returns the result. */
#ifndef PREDT__METHODS_VORONOI_CUH
#define PREDT__METHODS_VORONOI_CUH

#include "emit.cuh"
#include "launch.cuh"
#include "methods.h"
#include "share.h"

static int device_attribute(cudaDeviceAttr attribute, int otherwise) {
    int device, value;
    if (cudaGetDevice(&device) == cudaSuccess &&
        cudaDeviceGetAttribute(&value, attribute, device) == cudaSuccess)
        return value;
    cudaGetLastError();
    return otherwise;
}

/* Step 1: as many threads as the user chose, or as the device holds at once. */
static predt__share share_pixels(const predt__ref_strip *s) {
    int64_t threads = s->setting[1];
    if (!threads)
        threads = (int64_t)device_attribute(cudaDevAttrMultiProcessorCount, 64) *
                  device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor, 1024);
    return predt__share_out((int64_t)s->wanted_rows * s->cols, threads, (int)s->setting[0]);
}

/* Column and row of a wanted pixel in the raster. */
__device__ static inline int2 pixel_at(const predt__ref_strip &s, int64_t i) {
    return make_int2((int)(s.col + i % s.cols * s.step), (int)(s.first_row + i / s.cols * s.step));
}

/* Step 6: from targets, x -1 for none, to outputs. */
template <typename Measure>
__global__ void outputs_kernel(predt__ref_strip s, Measure m, const int2 *found, int64_t pixels) {
    int64_t i = this_thread();
    if (i >= pixels) return;
    int2 pixel = pixel_at(s, i);
    emit_nearest(s, i, seen_if(m, found[i], pixel.x, pixel.y), pixel.x, pixel.y);
}

#endif
