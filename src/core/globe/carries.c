#include "carries.h"

#include <stdlib.h>
#include <string.h>

#include "../bits.h"
#include "../numbers.h"

enum { TILES = PREDT__STRIP / PREDT__TILE };

static int64_t entries(const predt__globe *globe) {
    return predt__parts(globe->cols, PREDT__STRIP) * globe->height;
}

int64_t predt__carries_bytes(const predt__globe *globe) {
    return 2 * entries(globe) * (int64_t)sizeof(int32_t);
}

void predt__carries_place(predt__carries *carries, const predt__globe *globe, void *memory) {
    carries->strips = predt__parts(globe->cols, PREDT__STRIP);
    carries->before = memory;
    carries->after = carries->before + entries(globe);
}

void predt__folded_tile(const predt__globe *globe, const uint32_t *words, int64_t width,
                        int64_t tile, uint32_t columns[32]) {
    int64_t begin = tile * PREDT__TILE, end = predt__min(begin + PREDT__TILE, globe->cols);
    memset(columns, 0, 32 * sizeof *columns);
    memcpy(columns, words + begin, (size_t)(end - begin) * sizeof *columns);
    for (int64_t col = begin; col < end && col + globe->cols < width; col++)
        columns[col - begin] |= words[col + globe->cols];
}

/* ---- Adding ---- */

/* Rows of a strip, of one sub-block: the first and the last column with a target. */
typedef struct strip_ends {
    int32_t last[32], first[32];
} strip_ends;

static void see_tile(strip_ends *ends, const uint32_t columns[32], int64_t begin) {
    uint32_t rows[32];
    predt__bits_turn(columns, rows);
    for (int row = 0; row < 32; row++) {
        if (!rows[row]) continue;
        if (ends->first[row] == PREDT__NO_COLUMN_AFTER)
            ends->first[row] = (int32_t)begin + __builtin_ctz(rows[row]);
        ends->last[row] = (int32_t)begin + 31 - __builtin_clz(rows[row]);
    }
}

static bool is_empty(const uint32_t columns[32]) {
    uint32_t any = 0;
    for (int i = 0; i < 32; i++) any |= columns[i];
    return !any;
}

static void see_strip(strip_ends *ends, const predt__globe *globe, const uint32_t *words,
                      int64_t width, int64_t strip) {
    int64_t tiles = predt__parts(globe->cols, PREDT__TILE),
            end = predt__min((strip + 1) * TILES, tiles);
    uint32_t columns[32];
    for (int row = 0; row < 32; row++)
        ends->last[row] = PREDT__NO_COLUMN_BEFORE, ends->first[row] = PREDT__NO_COLUMN_AFTER;
    for (int64_t tile = strip * TILES; tile < end; tile++) {
        predt__folded_tile(globe, words, width, tile, columns);
        if (!is_empty(columns)) see_tile(ends, columns, tile * PREDT__TILE);
    }
}

void predt__carries_add(predt__carries *carries, const predt__globe *globe, const uint32_t *words,
                        int64_t width, int64_t block, int rows) {
    strip_ends ends;
    size_t bytes = (size_t)rows * sizeof(int32_t);
    for (int64_t strip = 0; strip < carries->strips; strip++) {
        int64_t at = strip * globe->height + block * PREDT_SUBBLOCK_ROWS;
        see_strip(&ends, globe, words, width, strip);
        memcpy(carries->before + at, ends.last, bytes);
        memcpy(carries->after + at, ends.first, bytes);
    }
}

/* ---- Sealing ---- */

/* The last target of a row, one turn to the west; none where the raster is not cyclic. */
static int32_t last_of_row(const predt__carries *carries, const predt__globe *globe, int64_t row) {
    int64_t strip = carries->strips - 1;
    while (strip >= 0 && carries->before[strip * globe->height + row] == PREDT__NO_COLUMN_BEFORE)
        strip--;
    return strip < 0 ? PREDT__NO_COLUMN_BEFORE : carries->before[strip * globe->height + row];
}

static int32_t first_of_row(const predt__carries *carries, const predt__globe *globe, int64_t row) {
    int64_t strip = 0;
    while (strip < carries->strips - 1 &&
           carries->after[strip * globe->height + row] == PREDT__NO_COLUMN_AFTER)
        strip++;
    return carries->after[strip * globe->height + row];
}

static int32_t exchange(int32_t *place, int32_t value) {
    int32_t before = *place;
    *place = value;
    return before;
}

/* The row has targets. */
static void carry_row(predt__carries *carries, const predt__globe *globe, int64_t row) {
    int32_t turn = (int32_t)globe->period;
    int32_t last = turn ? last_of_row(carries, globe, row) - turn : PREDT__NO_COLUMN_BEFORE,
            first = turn ? first_of_row(carries, globe, row) + turn : PREDT__NO_COLUMN_AFTER;
    for (int64_t strip = 0; strip < carries->strips; strip++) {
        int32_t own = exchange(&carries->before[strip * globe->height + row], last);
        if (own != PREDT__NO_COLUMN_BEFORE) last = own;
    }
    for (int64_t strip = carries->strips - 1; strip >= 0; strip--) {
        int32_t own = exchange(&carries->after[strip * globe->height + row], first);
        if (own != PREDT__NO_COLUMN_AFTER) first = own;
    }
}

static bool allocate(predt__carries *carries, const predt__globe *globe) {
    size_t rows = (size_t)globe->height, entries = rows + PREDT__PAST_ROWS;
    char *memory = malloc(entries * (2 * sizeof(double)) + (2 * rows + 1) * sizeof(int32_t));
    if (!memory) return false;
    carries->memory = memory;
    carries->sin = (double *)memory;
    carries->cos = carries->sin + entries;
    carries->rows = (int32_t *)(carries->cos + entries);
    carries->rank = carries->rows + rows;
    return true;
}

static void list_row(predt__carries *carries, const predt__globe *globe, int64_t row) {
    carries->rows[carries->count] = (int32_t)row;
    carries->sin[carries->count] = globe->row.sin[row];
    carries->cos[carries->count] = globe->row.cos[row];
    carries->count++;
}

bool predt__carries_seal(predt__carries *carries, const predt__globe *globe) {
    if (!allocate(carries, globe)) return false;
    for (int64_t row = 0; row < globe->height; row++) {
        carries->rank[row] = carries->count;
        if (last_of_row(carries, globe, row) == PREDT__NO_COLUMN_BEFORE) continue;
        list_row(carries, globe, row);
        carry_row(carries, globe, row);
    }
    carries->rank[globe->height] = carries->count;
    for (int i = 0; i < PREDT__PAST_ROWS; i++) {
        carries->sin[carries->count + i] = 0;
        carries->cos[carries->count + i] = 9; /* no point of the ellipsoid is so far out */
    }
    return true;
}

void predt__carries_free(predt__carries *carries) { free(carries->memory); }
