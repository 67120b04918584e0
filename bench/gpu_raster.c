/* The rasters of predt_gpu_bench: drawn whole, or strip by strip where they are large, and sent to
 * the device. */
#include "gpu.h"

#include "gpu/gather.h"
#include "patterns.h"

static void upload(void *to, const void *from, size_t bytes) {
    need("upload", cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}

/* A label for every pixel; those of the targets are copied. */
static uint32_t label_of(int64_t pixel) { return (uint32_t)pixel * 2654435761u; }

static int64_t fill_strip(const gpu_bench *bench, gpu_raster *raster, int64_t row) {
    int64_t rows =
        bench->height - row < raster->strip_rows ? bench->height - row : raster->strip_rows;
    int64_t first = row * bench->width, count = rows * bench->width;
    for (int64_t i = 0; i < count; i++) raster->labels[i] = label_of(first + i);
    if (raster->whole) memcpy(raster->mask, raster->whole + first, (size_t)count);
    else fill_share(raster->mask, first, count, raster->share);
    return rows;
}

static void make_index(const gpu_bench *bench, gpu_raster *raster) {
    predt_grid grid = PREDT_GRID_INIT(bench->width, bench->height);
    need_predt(bench, predt_index_create(bench->ctx, &grid, PREDT_LABEL_32, &raster->index));
    for (int64_t row = 0, rows; row < bench->height; row += rows) {
        rows = fill_strip(bench, raster, row);
        need_predt(bench, predt_index_add(raster->index, row, (int32_t)rows, raster->mask,
                                          raster->labels));
    }
    need_predt(bench, predt_index_seal(raster->index));
}

/* Mask, labels, words, carries, outputs and workspace of a strip. */
static size_t strip_bytes(int64_t width, int64_t rows) {
    return (size_t)(width * rows) * (1 + 4 + 4 + 4) + (size_t)(width * (rows / 32 + 1)) * 4 +
           (size_t)width * 16 + predt__gpu_workspace((int32_t)width, (int32_t)rows, 4);
}

static void plan_strip(const gpu_bench *bench, gpu_raster *raster) {
    raster->strip_rows = (bench->height + 31) / 32 * 32;
    while (raster->strip_rows > 32 &&
           strip_bytes(bench->width, raster->strip_rows) > (size_t)bench->memory)
        raster->strip_rows -= 32;
}

static void make_device_arrays(gpu_bench *bench, gpu_raster *raster) {
    size_t width = (size_t)bench->width, rows = (size_t)raster->strip_rows, pixels = width * rows;
    predt__gpu_strip *strip = &raster->strip;
    raster->device_mask = device(bench, pixels);
    raster->workspace = device(bench, predt__gpu_workspace((int32_t)width, (int32_t)rows, 4));
    *strip = (predt__gpu_strip){.metric = raster->index->metric,
                                .width = (int32_t)width,
                                .raster_height = bench->height,
                                .label_size = 4,
                                .no_label = 0};
    strip->words = raster->words = device(bench, width * (rows / 32) * 4);
    strip->above = raster->above = device(bench, width * 4);
    strip->below = raster->below = device(bench, width * 4);
    strip->above_labels = raster->above_labels = device(bench, width * 4);
    strip->below_labels = raster->below_labels = device(bench, width * 4);
    strip->label_raster = raster->label_raster = device(bench, pixels * 4);
    strip->distance = device(bench, pixels * 4);
    strip->label = device(bench, pixels * 4);
}

void free_raster(gpu_bench *bench, gpu_raster *raster) {
    void *all[] = {raster->device_mask,  raster->workspace,    raster->words,
                   raster->above,        raster->below,        raster->above_labels,
                   raster->below_labels, raster->label_raster, raster->strip.distance,
                   raster->strip.label};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) need("cudaFree", cudaFree(all[i]));
    predt_index_destroy(&raster->index);
    free(raster->whole);
    free(raster->mask);
    free(raster->labels);
    bench->allocated = 0;
}

void make_raster(gpu_bench *bench, gpu_raster *raster, const char *pattern) {
    *raster = (gpu_raster){.pattern = pattern};
    plan_strip(bench, raster);
    raster->mask = host((size_t)(raster->strip_rows * bench->width));
    raster->labels = host((size_t)(raster->strip_rows * bench->width) * 4);
    if (!share_of(pattern, &raster->share)) {
        if (bench->width != bench->height)
            stop(pattern, "only shares are drawn on rasters that are not square");
        raster->whole = host((size_t)(bench->width * bench->height));
        if (!pattern_fill(pattern, raster->whole, bench->width)) stop(pattern, "no such pattern");
    }
    make_index(bench, raster);
    make_device_arrays(bench, raster);
}

void send_strip(const gpu_bench *bench, gpu_raster *raster, int64_t row) {
    size_t width = (size_t)bench->width;
    int64_t rows = fill_strip(bench, raster, row), blocks = (rows + 31) / 32;
    size_t tiles = (width + 31) / 32,
           count = (size_t)predt__gather_count(raster->index, row / 32, blocks);
    predt__gather gather = {.index = raster->index, .first_block = row / 32, .blocks = blocks};
    gather.words = host((size_t)blocks * width * 4);
    gather.above = host(width * 4), gather.below = host(width * 4);
    gather.above_labels = host(width * 4), gather.below_labels = host(width * 4);
    gather.label_blocks = host((size_t)blocks * 8),
    gather.label_starts = host((size_t)blocks * tiles * 4);
    gather.label_values = host((count + PREDT__LABEL_PADDING) * 4);
    predt__gather_strip(&gather, 8);
    raster->strip.first_row = row;
    raster->strip.rows = (int32_t)rows;
    upload(raster->device_mask, raster->mask, width * (size_t)rows);
    upload(raster->label_raster, raster->labels, width * (size_t)rows * 4);
    upload(raster->above, gather.above, width * 4);
    upload(raster->below, gather.below, width * 4);
    upload(raster->above_labels, gather.above_labels, width * 4);
    upload(raster->below_labels, gather.below_labels, width * 4);
    void *all[] = {gather.words,        gather.above,        gather.below,
                   gather.above_labels, gather.below_labels, gather.label_blocks,
                   gather.label_starts, gather.label_values};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}
