#include "budget.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_multiproc.h>
#include <cpl_string.h>

#include "answers.h"

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* Enough for the blocks under work, too small to fill the memory with blocks that are done with. */
#define LARGEST_BLOCK_CACHE (INT64_C(64) << 20)

int64_t predt__block_cache(int64_t memory) { return smaller(memory / 8, LARGEST_BLOCK_CACHE); }

int64_t predt__min_strip_rows(const predt__question *question) {
    return smaller(question->source.height, PREDT_SUBBLOCK_ROWS);
}

#define SMALLEST_MEMORY (INT64_C(16) << 20)

void predt__budget_open(predt__budget *budget, const predt__machine *machine) {
    int64_t quarter_of_ram = (int64_t)CPLGetUsablePhysicalRAM() / 4;
    /* as in the core: thousands only take memory */
    int cpus = CPLGetNumCPUs(), max_threads = cpus > 16 ? 4 * cpus : 64;
    int threads = machine->threads > 0 ? machine->threads : cpus;
    budget->is_users = machine->memory > 0;
    budget->memory = larger(budget->is_users ? machine->memory : quarter_of_ram, SMALLEST_MEMORY);
    budget->max_threads = threads < max_threads ? threads : max_threads;
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

int64_t predt__source_block_bytes(const predt__source *source) {
    int64_t bytes = decoding_bytes(source->dataset, source->band);
    if (source->mask) bytes += block_pixels(source->mask);
    return bytes;
}

/* ---- The minimum ---- */

typedef struct memory_needs {
    int64_t sweep, answers; /* of either sweep, the index apart */
    int64_t index;          /* while the rest of it is in a file */
    int64_t whole_index;
} memory_needs;

/* What may be decided one way or the other. */
typedef struct memory_plan {
    const predt__question *question;
    int64_t output_bytes;
    bool layer; /* readers may ask for single rows */
    int threads, slots;
} memory_plan;

static int64_t strip_bytes(const memory_plan *plan) {
    const predt__question *question = plan->question;
    const predt__source *source = &question->source;
    bool reads_again = question->request->use_input_nodata;
    int64_t rows = plan->layer ? 1 : predt__min_strip_rows(question);
    int64_t bytes = plan->slots * predt__answers_bytes(question) +
                    (reads_again ? predt__strip_bytes(source, false) : 0);
    return bytes * rows * source->width + plan->output_bytes +
           (reads_again ? predt__source_block_bytes(source) : 0);
}

/* More than one thread only where they have enough whatever the targets are like. False for a grid
 * that the core refuses: it shall say why. */
static bool work_out(const memory_plan *plan, memory_needs *needs) {
    const predt__question *question = plan->question;
    const predt__source *source = &question->source;
    predt_memory core = PREDT_MEMORY_INIT;
    predt_label_type labels = predt__labels_needed(question);
    if (predt_memory_needed(&question->measure.grid, labels, plan->threads, &core) != PREDT_OK)
        return false;
    needs->sweep =
        predt__min_strip_rows(question) * source->width * predt__strip_bytes(source, labels) +
        predt__source_block_bytes(source);
    needs->answers = strip_bytes(plan) + (plan->threads > 1 ? core.query_max : core.query_min);
    needs->index = core.index_min;
    /* nobody knows yet how many labels there will be */
    needs->whole_index = labels ? INT64_MAX : core.index;
    return true;
}

static int64_t total(const memory_needs *needs) {
    return needs->index + larger(needs->sweep, needs->answers);
}

/* ---- Sharing out ---- */

/* Half of the limit for the index and a quarter for strips, as far as what both cannot do without
 * leaves that. */
static void share_out(predt__budget *budget, const memory_plan *plan, const memory_needs *needs) {
    int64_t memory = budget->memory, spare = memory - predt__block_cache(memory);
    int64_t strips = strip_bytes(plan), buffers = needs->answers - strips;
    int64_t share = larger(smaller(memory / 4, spare - needs->index - buffers), 1);
    int64_t index = spare - larger(larger(share, strips) + buffers, larger(share, needs->sweep));
    if (needs->whole_index > smaller(index, memory / 2)) index -= needs->index;
    budget->index = larger(smaller(index, memory / 2), 1);
    budget->strips = share;
    budget->threads = plan->threads;
    budget->slots = plan->slots;
}

static bool fits(predt__budget *budget, const memory_plan *plan) {
    memory_needs needs;
    if (!work_out(plan, &needs)) return false;
    if (total(&needs) + predt__block_cache(budget->memory) > budget->memory) return false;
    share_out(budget, plan, &needs);
    return true;
}

/* Threads are worth more than slots. */
static bool find_fit(predt__budget *budget, memory_plan plan) {
    for (plan.threads = budget->max_threads; plan.threads >= 1; plan.threads /= 2)
        for (plan.slots = plan.layer ? 1 : PREDT__SLOTS; plan.slots >= 1; plan.slots--)
            if (fits(budget, &plan)) return true;
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

static bool refuse(const predt__budget *budget, const memory_plan *plan, int64_t limit) {
    char needed[32], allowed[32];
    size_text(limit, needed, sizeof needed);
    CPLError(CE_Failure, CPLE_OutOfMemory,
             "%lld x %lld pixels need at least %s of memory, and %s %s: allow it with %s%s",
             (long long)plan->question->source.width, (long long)plan->question->source.height,
             needed, budget->is_users ? "the limit is" : "this machine has",
             size_text(budget->memory, allowed, sizeof allowed),
             plan->layer ? "MEMORY=" : "-memory ", needed);
    return false;
}

bool predt__budget_plan(predt__budget *budget, const predt__question *question,
                        int64_t output_bytes, bool layer) {
    memory_plan smallest = {question, output_bytes, layer, 1, 1};
    memory_needs needs;
    budget->index = budget->memory / 2;
    budget->strips = budget->memory / 4;
    budget->threads = budget->max_threads;
    budget->slots = PREDT__SLOTS;
    if (!work_out(&smallest, &needs) || find_fit(budget, smallest)) return true;
    int64_t machine = (int64_t)CPLGetUsablePhysicalRAM(), limit = limit_for(total(&needs));
    if (!budget->is_users && machine > budget->memory) {
        budget->memory = machine;
        if (find_fit(budget, smallest)) return true;
    }
    return refuse(budget, &smallest, limit);
}
