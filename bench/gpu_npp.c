/* NVIDIA NPP's distance transform, distance and Voronoi output, on the raster that engine cuda
 * has. */
#include "gpu.h"

#include <nppi_filtering_functions.h>

typedef struct npp_run {
    const gpu_raster *raster;
    int16_t *voronoi;
    Npp8u *buffer;
    NppiSize size;
    NppStreamContext context;
} npp_run;

static void run_npp(const gpu_bench *bench, void *what) {
    const npp_run *npp = what;
    int width = npp->size.width;
    (void)bench;
    NppStatus status = nppiDistanceTransformPBA_8u32f_C1R_Ctx(
        npp->raster->device_mask, width, 1, 1, npp->voronoi, 4 * width, NULL, 0, NULL, 0,
        npp->raster->strip.distance, 4 * width, npp->size, npp->buffer, npp->context);
    if (status != NPP_SUCCESS) stop(npp->raster->pattern, "NPP failed");
}

static void describe_device(NppStreamContext *context, cudaStream_t stream) {
    struct cudaDeviceProp properties;
    need("properties", cudaGetDeviceProperties(&properties, 0));
    *context = (NppStreamContext){.hStream = stream};
    context->nMultiProcessorCount = properties.multiProcessorCount;
    context->nMaxThreadsPerMultiProcessor = properties.maxThreadsPerMultiProcessor;
    context->nMaxThreadsPerBlock = properties.maxThreadsPerBlock;
    context->nSharedMemPerBlock = properties.sharedMemPerBlock;
    context->nCudaDevAttrComputeCapabilityMajor = properties.major;
    context->nCudaDevAttrComputeCapabilityMinor = properties.minor;
    need("stream", cudaStreamGetFlags(stream, &context->nStreamFlags));
}

void bench_npp(gpu_bench *bench, const gpu_raster *raster) {
    double ms[MAX_REPEATS] = {0};
    size_t bytes, before = bench->allocated, pixels = (size_t)bench->width * (size_t)bench->height;
    npp_run npp = {.raster = raster, .size = {(int)bench->width, (int)bench->height}};
    describe_device(&npp.context, bench->stream);
    if (nppiDistanceTransformPBAGetBufferSize(npp.size, &bytes) != NPP_SUCCESS)
        stop("NPP", "no buffer size");
    npp.buffer = device(bench, bytes);
    npp.voronoi = device(bench, pixels * 4);
    time_work(bench, run_npp, &npp, bench->repeats, ms);
    print_line(bench, raster->pattern, "NPP", ms, bench->repeats, pixels * 5 + bytes + pixels * 4);
    need("cudaFree", cudaFree(npp.buffer));
    need("cudaFree", cudaFree(npp.voronoi));
    bench->allocated = before;
}
