#include "pieces.h"

#include "../answers.h"

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* The smallest multiple that is not smaller. */
static int64_t up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

/* ---- Blocks of what is read and written ---- */

typedef struct block_size {
    int64_t cols, rows;
} block_size;

/* Sides as long as the raster's make no difference. */
static void add_block(block_size *all, const predt__source *source, int64_t cols, int64_t rows) {
    all->cols =
        cols < source->width ? predt__least_common_multiple(all->cols, cols) : source->width;
    if (rows < source->height) all->rows = predt__least_common_multiple(all->rows, rows);
}

/* Whole blocks of every output, and of the source where it is read again. */
static block_size common_block(const predt__question *question, const predt__delivery *delivery) {
    const predt__source *source = &question->source;
    block_size all = {1, 1};
    for (predt__product product = 0; product < PREDT__PRODUCTS; product++) {
        const predt__blocks *blocks = &delivery->sinks[product].blocks;
        if (predt__asks_for(question, product)) add_block(&all, source, blocks->cols, blocks->rows);
    }
    if (question->request->use_input_nodata)
        add_block(&all, source, source->block_cols, source->block_rows);
    return all;
}

/* Bytes that one pixel takes while there are so many slots. */
static int64_t pixel_bytes(const predt__question *question, int slots) {
    int64_t bytes = slots * predt__answers_bytes(question) + predt__answers_core_bytes(question);
    return bytes +
           (question->request->use_input_nodata ? predt__strip_bytes(&question->source, false) : 0);
}

/* Pixels that a piece may have. The budget is for as many at least. */
static int64_t pixels_for(const predt__pieces *pieces, const predt__question *question,
                          const predt__budget *budget) {
    return larger(budget->strips / pixel_bytes(question, pieces->slots),
                  pieces->width * predt__min_strip_rows(question));
}

/* ---- Whole rows, on a plane ---- */

/* Pixels of a piece: small enough for the caches to help and for a stop to come soon, large enough
 * to forget the locks. */
#define WANTED_PIXELS (INT64_C(1) << 21)

static void cut_rows(predt__pieces *pieces, const predt__question *question,
                     const predt__budget *budget, int64_t block_rows) {
    int64_t pixels = budget->strips / pixel_bytes(question, pieces->slots),
            wanted = larger(WANTED_PIXELS, pieces->width * PREDT_SUBBLOCK_ROWS * budget->threads);
    pieces->cols = pieces->width;
    pieces->rows = predt__strip_rows(pieces->width, pieces->height, block_rows, wanted, pixels);
}

/* ---- As high as it goes, on a globe ---- */

/* Columns that keep threads busy: a thread takes 32 at a time. */
static int64_t columns_for(const predt__budget *budget) { return INT64_C(256) * budget->threads; }

/* Two slots are enough where three would make pieces lower than the raster. Returns how many pixels
 * a piece may have. */
static int64_t choose_slots(predt__pieces *pieces, const predt__question *question,
                            const predt__budget *budget, int64_t unit) {
    int64_t pixels = pixels_for(pieces, question, budget);
    if (pieces->slots <= 2 || unit * pieces->height <= pixels) return pixels;
    pieces->slots = 2;
    return pixels_for(pieces, question, budget);
}

static void cut_columns(predt__pieces *pieces, const predt__question *question,
                        const predt__budget *budget, const block_size *block) {
    int64_t unit = predt__least_common_multiple(block->cols, PREDT_SUBBLOCK_ROWS);
    if (block->cols >= pieces->width) unit = pieces->width;
    int64_t pixels = choose_slots(pieces, question, budget, unit),
            wanted = up(columns_for(budget), unit),
            cols = smaller(pixels / pieces->height, wanted) / unit * unit;
    pieces->cols = smaller(larger(cols, unit), pieces->width);
    pieces->rows = pieces->height;
    if (pieces->cols * pieces->height > pixels)
        pieces->rows = predt__strip_rows(pieces->cols, pieces->height, block->rows, pixels, pixels);
}

/* ---- Either ---- */

/* Whether a piece ends within a block of some output: if so, the first one does. */
static bool splits_blocks(const predt__pieces *pieces, const predt__question *question,
                          const predt__delivery *delivery) {
    predt_window first = predt__piece(pieces, 0);
    for (predt__product product = 0; product < PREDT__PRODUCTS; product++)
        if (predt__asks_for(question, product) &&
            !predt__sink_has_whole_blocks(&delivery->sinks[product], &first))
            return true;
    return false;
}

predt__pieces predt__pieces_plan(const predt__question *question, const predt__budget *budget,
                                 const predt__delivery *delivery) {
    const predt__source *source = &question->source;
    block_size block = common_block(question, delivery);
    predt__pieces pieces = {
        .width = source->width, .height = source->height, .slots = budget->slots};
    if (predt__is_geodesic(question)) cut_columns(&pieces, question, budget, &block);
    else cut_rows(&pieces, question, budget, block.rows);
    pieces.down = up(pieces.height, pieces.rows) / pieces.rows;
    pieces.count = pieces.down * (up(pieces.width, pieces.cols) / pieces.cols);
    pieces.query_cols =
        predt__is_geodesic(question)
            ? up(larger(columns_for(budget), WANTED_PIXELS / pieces.rows), PREDT_SUBBLOCK_ROWS)
            : pieces.width;
    pieces.splits_blocks = splits_blocks(&pieces, question, delivery);
    return pieces;
}

predt_window predt__piece(const predt__pieces *pieces, int64_t number) {
    int64_t col = number / pieces->down * pieces->cols, row = number % pieces->down * pieces->rows;
    return (predt_window)PREDT_WINDOW_INIT(col, row, smaller(pieces->cols, pieces->width - col),
                                           smaller(pieces->rows, pieces->height - row), 1);
}
