/* For the rows that are added to an index: mask bytes become words, and of the labels those of the
 * targets are kept. Compiled once for each instruction set, see CMakeLists.txt. */
#include "bits.h"
#include "simd.h"
#include "tile.h"

/* Eight rows give a byte a column: the mask's sign bits are shifted in from the top. */
static v8u pack_bytes(const uint8_t *is_target, int64_t width, int rows) {
    v8u bytes = {0};
    for (int row = 0; row < rows; row++) {
        v8u target = (v8u)(LOAD(v8u, is_target + row * width) != 0);
        bytes = (bytes >> 1) | (target & 0x80);
    }
    return bytes >> (8 - rows);
}

static void pack_columns(const uint8_t *is_target, int64_t width, int rows, uint32_t *words) {
    uint8_t bytes[4][VECTOR_BYTES] = {{0}};
    for (int row = 0; row < rows; row += 8) {
        v8u packed = pack_bytes(is_target + row * width, width, rows - row < 8 ? rows - row : 8);
        STORE(bytes[row / 8], packed);
    }
    for (int col = 0; col < VECTOR_BYTES; col++)
        words[col] = bytes[0][col] | (uint32_t)bytes[1][col] << 8 | (uint32_t)bytes[2][col] << 16 |
                     (uint32_t)bytes[3][col] << 24;
}

static void pack(const uint8_t *is_target, int64_t width, int rows, uint32_t *words) {
    int64_t col = 0;
    for (; col + VECTOR_BYTES <= width; col += VECTOR_BYTES)
        pack_columns(is_target + col, width, rows, words + col);
    for (; col < width; col++) {
        words[col] = 0;
        for (int row = 0; row < rows; row++)
            words[col] |= (uint32_t)(is_target[row * width + col] != 0) << row;
    }
}

/* Counts the targets of one sub-block; starts, if wanted, gets how many there are before each
 * tile. */
static int64_t count_targets(const uint32_t *words, int64_t width, uint32_t *starts) {
    int64_t count = 0;
    for (int64_t begin = 0; begin < width; begin += PREDT__TILE) {
        int64_t end = begin + PREDT__TILE < width ? begin + PREDT__TILE : width;
        if (starts) starts[begin / PREDT__TILE] = (uint32_t)count;
        for (int64_t col = begin; col < end; col++) count += __builtin_popcount(words[col]);
    }
    return count;
}

/* Pixels ahead: the 32 rows are more streams than the hardware follows. */
#define PREFETCH (4 * PREDT__TILE)

/* The labels of the targets in one row of a tile; returns where the next one's go. */
static inline void *gather_tile_row(void *to, const void *labels, int64_t pixel, uint32_t targets,
                                    predt_label_type type, bool whole_tile) {
    const uint32_t *from = (const uint32_t *)labels + pixel;
    __builtin_prefetch((const char *)labels + (pixel + PREFETCH) * (int64_t)type);
    if (type == PREDT_LABEL_64)
        return gather_uint64_t(to, (const uint64_t *)labels + pixel, targets);
    return whole_tile ? gather_row(to, from, targets) : gather_uint32_t(to, from, targets);
}

static void gather_labels(const uint32_t *words, int64_t width, const void *labels,
                          predt_label_type type, void *values) {
    uint32_t copy[32];
    for (int64_t begin = 0; begin < width; begin += PREDT__TILE) {
        const uint32_t *columns = tile_columns(words, width, begin / PREDT__TILE, copy);
        bool whole_tile = begin + PREDT__TILE <= width;
        for (uint32_t rest = tile_union(columns); rest; rest &= rest - 1) {
            int row = __builtin_ctz(rest);
            values = gather_tile_row(values, labels, row * width + begin, tile_row(columns, row),
                                     type, whole_tile);
        }
    }
}

static void turn(const uint32_t columns[32], uint32_t rows[32]) {
    for (int row = 0; row < 32; row++) rows[row] = tile_row(columns, row);
}

const predt__bits_kernels PREDT__BITS_ENTRY = {pack, count_targets, gather_labels, turn};
