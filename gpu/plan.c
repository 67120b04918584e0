/* The constants behind each decision are measured ones; their derivation stands with them. */
#include "plan.h"

/* ---- The rule of engine "auto" ---- */

/* What decides from end to end, as `bench/gpu.py --auto` measures it with the gdal_predt command
 * (docs/gpu.md has the table):
 *
 *     START_NS   what a process pays for a device once: driver, context, pinned memory
 *     CPU_NS     what a pixel costs a CPU thread
 *     HIDDEN_NS  what a pixel costs elsewhere meanwhile: the larger of writing it and of fetching
 *                it from the device. Solving takes no time of its own where it is faster than this.
 *
 * The device is worth it where pixels * (CPU_NS / threads - HIDDEN_NS) >= START_NS. */
#define START_NS 0.34e9
#define CPU_NS 6.0
#define HIDDEN_NS 3.3

int64_t predt__cuda_min_pixels(int threads) {
    double gain = CPU_NS / threads - HIDDEN_NS;
    return gain > 0 ? (int64_t)(START_NS / gain) : INT64_MAX;
}

bool predt__cpu_is_sooner(const predt_window *window, int threads) {
    return (double)window->cols * (double)window->rows * (CPU_NS / threads) < START_NS;
}

/* The device solves whole rows. A window that asks for fewer than one pixel in this many of them,
 * or for next to nothing, is left to the CPU, which solves only the tiles that are asked for. */
#define SOLVED_FOR_ONE 4
#define MIN_PIXELS (INT64_C(1) << 18)

bool predt__cuda_suits(const predt_index *index, const predt_window *window, int threads) {
    if (index->width * index->height < predt__cuda_min_pixels(threads))
        return false; /* below 2^62 */
    int64_t asked = window->cols * window->rows,
            step = window->step < PREDT_SUBBLOCK_ROWS ? window->step : PREDT_SUBBLOCK_ROWS;
    int64_t solved = index->width * window->rows * step;
    return asked >= MIN_PIXELS && solved / SOLVED_FOR_ONE <= asked;
}

/* ---- Layout ---- */

/* What cudaMalloc aligns to; the arrays are then as good as allocated one by one. */
#define ALIGNMENT ((size_t)256)

int32_t predt__gpu_output_size(const predt__gpu_shape *shape, predt__gpu_section output) {
    switch (output) {
    case PREDT__DISTANCE2:
        return 8;
    case PREDT__LABEL:
        return shape->label_size;
    case PREDT__NARROW_LABEL:
        return shape->label_bytes;
    case PREDT__WHOLE:
        return shape->whole_bytes;
    default:
        return 4;
    }
}

static void size_labels(const predt__gpu_shape *shape, int32_t rows, int64_t labels, size_t *size) {
    size_t width = (size_t)shape->width, each = (size_t)shape->label_size;
    size_t blocks = ((size_t)rows + PREDT_SUBBLOCK_ROWS - 1) / PREDT_SUBBLOCK_ROWS;
    size[PREDT__ABOVE_LABELS] = size[PREDT__BELOW_LABELS] = width * each;
    size[PREDT__LABEL_BLOCKS] = blocks * sizeof(uint64_t);
    size[PREDT__LABEL_STARTS] =
        blocks * ((width + PREDT__TILE - 1) / PREDT__TILE) * sizeof(uint32_t);
    size[PREDT__LABEL_VALUES] = (size_t)(labels + PREDT__LABEL_PADDING) * each;
}

predt__gpu_layout predt__gpu_layout_of(const predt__gpu_shape *shape, int32_t rows,
                                       int64_t labels) {
    size_t size[PREDT__SECTIONS] = {0}, width = (size_t)shape->width;
    size_t blocks = ((size_t)rows + PREDT_SUBBLOCK_ROWS - 1) / PREDT_SUBBLOCK_ROWS;
    size[PREDT__WORDS] = blocks * width * sizeof(uint32_t);
    size[PREDT__ABOVE] = size[PREDT__BELOW] = width * sizeof(int32_t);
    if (shape->label_size) size_labels(shape, rows, labels, size);
    for (int output = PREDT__UPLOADED; output < PREDT__TALLIES; output++)
        if (shape->wanted[output - PREDT__UPLOADED])
            size[output] = (size_t)rows * width *
                           (size_t)predt__gpu_output_size(shape, (predt__gpu_section)output);
    size[PREDT__TALLIES] = shape->tally_bytes;
    size[PREDT__WORKSPACE] = shape->workspace(shape->width, rows, shape->label_size);

    predt__gpu_layout layout = {{0}};
    for (int section = 0; section < PREDT__SECTIONS; section++)
        layout.start[section + 1] =
            layout.start[section] + (size[section] + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return layout;
}

predt__gpu_layout predt__gpu_max_layout(const predt__gpu_shape *shape, int32_t rows) {
    int64_t pixels = (int64_t)rows * shape->width;
    return predt__gpu_layout_of(shape, rows, shape->targets < pixels ? shape->targets : pixels);
}

/* ---- Strips ---- */

/* A window is cut into this many strips, so that one can come down while the next is solved, but
 * not into smaller ones than 2^20 pixels (starting a strip costs some 50 us, in which 2^20 pixels
 * come down) nor larger ones than 2^25 (a few hundred megabytes of outputs; higher strips keep the
 * device no busier). */
#define STRIPS_A_WINDOW 4
#define MIN_STRIP_PIXELS (INT64_C(1) << 20)
#define MAX_STRIP_PIXELS (INT64_C(1) << 25)

static int64_t whole_blocks(int64_t rows) {
    return rows < PREDT_SUBBLOCK_ROWS ? PREDT_SUBBLOCK_ROWS
                                      : rows / PREDT_SUBBLOCK_ROWS * PREDT_SUBBLOCK_ROWS;
}

static int64_t wanted_rows(int64_t width, int64_t rows) {
    int64_t wanted = rows / STRIPS_A_WINDOW + PREDT_SUBBLOCK_ROWS - 1;
    int64_t min = MIN_STRIP_PIXELS / width + PREDT_SUBBLOCK_ROWS - 1,
            max = MAX_STRIP_PIXELS / width;
    if (wanted < min) wanted = min;
    if (wanted > rows + PREDT_SUBBLOCK_ROWS - 1) wanted = rows + PREDT_SUBBLOCK_ROWS - 1;
    return whole_blocks(wanted < max ? wanted : max);
}

/* The largest number of sub-blocks, up to `max`, whose strip fits; 0: none. Its size grows with the
 * rows. */
static int64_t blocks_that_fit(const predt__gpu_shape *shape, int64_t max, int64_t bytes) {
    int64_t fits = 0, too_many = max + 1;
    while (too_many - fits > 1) {
        int64_t middle = fits + (too_many - fits) / 2;
        predt__gpu_layout layout =
            predt__gpu_max_layout(shape, (int32_t)(middle * PREDT_SUBBLOCK_ROWS));
        if (layout.start[PREDT__SECTIONS] <= (size_t)bytes) fits = middle;
        else too_many = middle;
    }
    return fits;
}

predt__gpu_plan predt__gpu_plan_strips(const predt__gpu_shape *shape, int64_t rows, int64_t budget,
                                       int32_t max_rows) {
    int64_t wanted = wanted_rows(shape->width, rows);
    if (wanted > max_rows) wanted = whole_blocks(max_rows);
    for (int slots = PREDT__GPU_SLOTS; budget > 0 && slots > 0; slots--) {
        int64_t blocks = blocks_that_fit(shape, wanted / PREDT_SUBBLOCK_ROWS, budget / slots);
        if (!blocks) continue;
        int32_t fitting = (int32_t)(blocks * PREDT_SUBBLOCK_ROWS);
        int64_t strips = (rows + fitting - 1) / fitting;
        return (predt__gpu_plan){fitting, strips < slots ? (int)strips : slots};
    }
    return (predt__gpu_plan){0, 0};
}

bool predt__gpu_shrink(predt__gpu_plan *plan) {
    if (plan->rows > PREDT_SUBBLOCK_ROWS) plan->rows = (int32_t)whole_blocks(plan->rows / 2);
    else if (plan->slots > 1) plan->slots = 1;
    else return false;
    return true;
}

predt__gpu_cut predt__gpu_cut_at(const predt_window *window, int64_t height, int32_t strip_rows,
                                 int64_t window_row) {
    int64_t row = window->row + window_row * window->step,
            last = window->row + (window->rows - 1) * window->step;
    int64_t first = row / PREDT_SUBBLOCK_ROWS * PREDT_SUBBLOCK_ROWS;
    /* Rows that are asked for lie in other sub-blocks than the one before: no need to solve what is
     * between. */
    int64_t end = first + (window->step > PREDT_SUBBLOCK_ROWS ? PREDT_SUBBLOCK_ROWS : strip_rows);
    int64_t enough = (last / PREDT_SUBBLOCK_ROWS + 1) * PREDT_SUBBLOCK_ROWS;
    if (end > enough) end = enough;
    if (end > height) end = height;
    int64_t rows = (end - 1 - row) / window->step + 1, rest = window->rows - window_row;
    return (predt__gpu_cut){first, (int32_t)(end - first), window_row, rows < rest ? rows : rest};
}

/* The driver rounds allocations up, and the kernels' own stacks need some memory. */
#define SHARE_OF_FREE 0.9

int64_t predt__gpu_budget(int64_t free_bytes, int64_t held, int64_t limit) {
    int64_t budget = (int64_t)((double)(free_bytes + held) * SHARE_OF_FREE);
    return limit > 0 && limit < budget ? limit : budget;
}
