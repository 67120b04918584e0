#include "budget.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>

#include "answers.h"

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* Enough for the blocks under work, too small to fill the memory with blocks that are done with. */
#define LARGEST_BLOCK_CACHE (INT64_C(64) << 20)

int64_t predt__block_cache(int64_t memory) { return smaller(memory / 8, LARGEST_BLOCK_CACHE); }

/* Rows of the smallest strip: the core answers whole sub-blocks. A layer of the GDAL driver asks
 * for single rows. */
static int64_t least_rows(const predt__run *run, bool layer) {
    return layer ? 1 : smaller(run->source.height, PREDT_SUBBLOCK_ROWS);
}

/* ---- Blocks of files ---- */

static int64_t block_pixels(GDALRasterBandH band) {
    int cols, rows;
    GDALGetBlockSize(band, &cols, &rows);
    return (int64_t)cols * rows;
}

/* The block as it lies in the file, and decoded; of bands that are stored pixel by pixel, all of
 * them. */
static int64_t decoding_bytes(GDALDatasetH dataset, GDALRasterBandH band) {
    const char *interleave = GDALGetMetadataItem(dataset, "INTERLEAVE", "IMAGE_STRUCTURE");
    int bands = interleave && EQUAL(interleave, "PIXEL") ? GDALGetRasterCount(dataset) : 1;
    return 2 * block_pixels(band) * GDALGetDataTypeSizeBytes(GDALGetRasterDataType(band)) * bands;
}

int64_t predt__source_block_bytes(const predt__run *run) {
    const predt__source *source = &run->source;
    int64_t bytes = decoding_bytes(source->dataset, source->band);
    if (source->mask) bytes += block_pixels(source->mask);
    return bytes;
}

/* A whole block, or whole rows where strips are no whole blocks and go through GDAL's cache, which
 * holds a block, too. Of an output that is still to be made a block is a row. */
static int64_t sink_bytes(const predt__run *run, predt__product product, int64_t rows) {
    const predt__sink *sink = &run->sinks[product];
    int64_t width = run->source.width;
    int size = predt__kind_size(sink->band ? sink->kind : predt__kind_of_product(run, product));
    int64_t block = (int64_t)sink->block_cols * sink->block_rows * size;
    if (!sink->band) return width * size;
    return sink->by_block && rows % sink->block_rows == 0 ? block : block + rows * width * size;
}

/* ---- The least ---- */

typedef struct least {
    int64_t sweep, answers; /* of either sweep, the index apart */
    int64_t index;          /* while the rest of it is in a file */
    int64_t whole_index;
} least;

static int64_t answer_strips(const predt__run *run, int slots, bool layer) {
    int64_t width = run->source.width, rows = least_rows(run, layer);
    int64_t bytes =
        slots * predt__answers_bytes(run) +
        (run->job->request.use_input_nodata ? predt__strip_bytes(&run->source, false) : 0);
    bytes *= rows * width;
    for (int product = 0; product < PREDT__PRODUCTS && !layer; product++)
        if (predt__wanted(run, product)) bytes += sink_bytes(run, product, rows);
    return bytes + (run->job->request.use_input_nodata ? predt__source_block_bytes(run) : 0);
}

/* More than one thread only where they have room whatever the targets are like. False for a grid
 * that the core refuses: it shall say why. */
static bool work_out(const predt__run *run, int threads, int slots, bool layer, least *least) {
    predt_memory needed = PREDT_MEMORY_INIT;
    bool labels = predt__wanted(run, PREDT__ALLOCATION);
    predt_label_type type = labels ? predt__source_label_type(&run->source) : PREDT_LABEL_NONE;
    if (predt_memory_needed(&run->grid, type, threads, &needed) != PREDT_OK) return false;
    int64_t strip =
        least_rows(run, false) * run->source.width * predt__strip_bytes(&run->source, labels);
    least->sweep = strip + predt__source_block_bytes(run);
    least->answers =
        answer_strips(run, slots, layer) + (threads > 1 ? needed.query_most : needed.query);
    if (predt__answers_rounded(run)) least->answers += needed.whole;
    if (labels && predt__kind_size(run->source.kind) < 4) least->answers += needed.short_labels;
    least->index = needed.index_least;
    /* nobody knows yet how many labels there will be */
    least->whole_index = labels ? INT64_MAX : needed.index;
    return true;
}

static int64_t total(const least *least) {
    return least->index + larger(least->sweep, least->answers);
}

/* ---- Sharing out ---- */

/* Half of the limit for the index and a quarter for strips, as far as what both cannot do without
 * leaves that. */
static void share_out(predt__run *run, int threads, int slots, bool layer, const least *least) {
    int64_t memory = run->memory, spare = memory - predt__block_cache(memory);
    int64_t strips = answer_strips(run, slots, layer), buffers = least->answers - strips;
    int64_t share = larger(smaller(memory / 4, spare - least->index - buffers), 1);
    int64_t index = spare - larger(larger(share, strips) + buffers, larger(share, least->sweep));
    if (least->whole_index > smaller(index, memory / 2)) index -= least->index;
    run->budget = (predt__budget){larger(smaller(index, memory / 2), 1), share, threads, slots};
}

static bool fits(predt__run *run, int threads, int slots, bool layer) {
    least least;
    if (!work_out(run, threads, slots, layer, &least)) return false;
    if (total(&least) + predt__block_cache(run->memory) > run->memory) return false;
    share_out(run, threads, slots, layer, &least);
    return true;
}

/* Threads are worth more than slots. */
static bool find_fit(predt__run *run, bool layer) {
    for (int threads = run->threads; threads >= 1; threads /= 2)
        for (int slots = layer ? 1 : PREDT__SLOTS; slots >= 1; slots--)
            if (fits(run, threads, slots, layer)) return true;
    return false;
}

/* As users write sizes, rounded up: a limit of this is enough. */
static const char *size_text(int64_t bytes, char *text, size_t size) {
    double megabytes = ceil((double)bytes / 0x1p20);
    if (megabytes < 1024) CPLsnprintf(text, size, "%.0fM", megabytes);
    else CPLsnprintf(text, size, "%.1fG", ceil(megabytes / 102.4) / 10);
    return text;
}

static int64_t limit_for(int64_t bytes) {
    int64_t with_share = bytes / 7 * 8 + 8;
    return predt__block_cache(with_share) == with_share / 8
               ? with_share
               : bytes + predt__block_cache(with_share);
}

static bool refuse(const predt__run *run, int64_t limit, bool layer) {
    char needed[32], allowed[32];
    size_text(limit, needed, sizeof needed);
    CPLError(CE_Failure, CPLE_OutOfMemory,
             "%lld x %lld pixels need at least %s of memory, and %s %s: allow it with %s%s",
             (long long)run->source.width, (long long)run->source.height, needed,
             run->job->machine.memory > 0 ? "the limit is" : "this machine has",
             size_text(run->memory, allowed, sizeof allowed), layer ? "MEMORY=" : "-memory ",
             needed);
    return false;
}

bool predt__plan_budget(predt__run *run, bool layer) {
    least least;
    run->budget = (predt__budget){run->memory / 2, run->memory / 4, run->threads, PREDT__SLOTS};
    if (!work_out(run, 1, 1, layer, &least)) return true;
    if (find_fit(run, layer)) return true;
    int64_t machine = (int64_t)CPLGetUsablePhysicalRAM(), limit = limit_for(total(&least));
    if (run->job->machine.memory <= 0 && machine > run->memory) {
        run->memory = machine;
        if (find_fit(run, layer)) return true;
    }
    return refuse(run, limit, layer);
}

bool predt__glance_at_budget(predt__run *run) {
    const predt__source *source = &run->source;
    int64_t memory = run->memory;
    run->grid = (predt_grid){.size = sizeof run->grid,
                             .width = source->width,
                             .height = source->height,
                             .col_step = {1, 0},
                             .row_step = {0, -1},
                             .metric = PREDT_METRIC_PIXEL,
                             .max_distance = INFINITY};
    run->encoding.kind = predt__kind_of_product(run, PREDT__DISTANCE);
    bool good = predt__plan_budget(run, false);
    run->memory = memory;
    return good;
}
