/* Brings the carry rows of a group on to one of its sub-blocks. */
#ifndef PREDT__CARRY_H
#define PREDT__CARRY_H

#include "../simd.h"
#include "block.h"

/* Columns without a row yet that have a target in words get the row of the last one, or of the
 * first one. `base` is the row of bit 0. Returns 0 if every column had a row before, so that the
 * search is over; else at least the number of those that had none (vectors count whole). */
static inline int32_t carry_from(int32_t *carry, int32_t none, const uint32_t *words, int32_t width,
                                 int64_t base, bool last) {
    int32_t missing = 0, col = 0;
    for (; col + LANES(v32i) <= width; col += LANES(v32i)) {
        v32i row = LOAD(v32i, carry + col), word = LOAD(v32i, words + col), open = row == none;
        if (!ANY(open)) continue;
        missing += LANES(v32i);
        if (!ANY(open & word)) continue;
        v32i found = (last ? highest_bit(word) : lowest_bit(word)) + (int32_t)base;
        STORE(carry + col, SELECT(open & (word != 0), found, row));
    }
    for (; col < width; col++) {
        if (carry[col] != none) continue;
        missing++;
        if (words[col])
            carry[col] = (int32_t)(base + (last ? 31 - __builtin_clz(words[col])
                                                : __builtin_ctz(words[col])));
    }
    return missing;
}

/* Columns without a row yet take the group's, made relative. */
static void carry_from_group(int32_t *carry, int32_t none, const int32_t *group, int32_t group_none,
                             int32_t width, int64_t first_row) {
    for (int32_t col = 0; col < width; col++) {
        int32_t row = group[col] == group_none ? none : (int32_t)(group[col] - first_row);
        carry[col] = carry[col] == none ? row : carry[col];
    }
}

/* The rows of the sub-block itself that are not solved count as above or below. */
static void carry_inside(const predt__block *block, predt__scratch *scratch) {
    const uint32_t *restrict all = block->all_words;
    int32_t *restrict above = scratch->above, *restrict below = scratch->below,
                      width = block->width, col = 0;
    uint32_t *restrict words = scratch->words;
    int skew = block->skew, last = skew + block->rows - 1;
    uint32_t before = skew ? UINT32_MAX >> (32 - skew) : 0,
             after = last < 31 ? UINT32_MAX << (last + 1) : 0;
    uint32_t own = UINT32_MAX >> (32 - block->rows);
    for (; col + LANES(v32u) <= width; col += LANES(v32u)) {
        v32u word = LOAD(v32u, all + col);
        v32i up = (v32i)(word & before), down = (v32i)(word & after), zero = {0};
        STORE(words + col, word >> skew & own);
        STORE(above + col, SELECT(up != 0, highest_bit(up) - skew, zero + NONE_ABOVE));
        STORE(below + col, SELECT(down != 0, lowest_bit(down) - skew, zero + NONE_BELOW));
    }
    for (; col < width; col++) {
        uint32_t word = all[col];
        words[col] = word >> skew & own;
        above[col] = word & before ? 31 - __builtin_clz(word & before) - skew : NONE_ABOVE;
        below[col] = word & after ? __builtin_ctz(word & after) - skew : NONE_BELOW;
    }
}

/* From the words of the group's other sub-blocks, the nearest first, so that where targets are many
 * the search is soon over. Returns how many it took. */
static int carry_from_words(const predt__block *block, predt__scratch *scratch, int64_t first,
                            int64_t end) {
    const predt_index *index = block->index;
    int32_t width = block->width, missing = width;
    int passes = 0;
    for (int64_t other = block->number - 1; other >= first && missing; other--, passes++)
        missing = carry_from(scratch->above, NONE_ABOVE, predt__block_words(index, other), width,
                             other * PREDT_SUBBLOCK_ROWS - block->first_row, true);
    missing = width;
    for (int64_t other = block->number + 1; other < end && missing; other++, passes++)
        missing = carry_from(scratch->below, NONE_BELOW, predt__block_words(index, other), width,
                             other * PREDT_SUBBLOCK_ROWS - block->first_row, false);
    return passes;
}

/* ---- All carry rows of a group at once ---- */

/* The carry row on the far side of a sub-block from the one on its near side. */
static void carry_past(int32_t *to, const int32_t *from, const uint32_t *words, int32_t width,
                       int64_t base, bool last) {
    int32_t col = 0;
    for (; col + LANES(v32i) <= width; col += LANES(v32i)) {
        v32i row = LOAD(v32i, from + col), word = LOAD(v32i, words + col);
        if (ANY(word))
            row = SELECT(word != 0, (last ? highest_bit(word) : lowest_bit(word)) + (int32_t)base,
                         row);
        STORE(to + col, row);
    }
    for (; col < width; col++)
        to[col] = !words[col] ? from[col]
                              : (int32_t)(base + (last ? 31 - __builtin_clz(words[col])
                                                       : __builtin_ctz(words[col])));
}

static void carry_all(const predt_index *index, int64_t group, predt__scratch *scratch,
                      int64_t first, int64_t end) {
    int64_t width = index->width, last = end - 1;
    memcpy(scratch->group_above, index->above + group * width,
           (size_t)width * sizeof *scratch->group_above);
    memcpy(scratch->group_below + (last - first) * width, index->below + group * width,
           (size_t)width * sizeof *scratch->group_below);
    for (int64_t block = first; block < last; block++) {
        int32_t *row = scratch->group_above + (block - first) * width;
        carry_past(row + width, row, predt__block_words(index, block), (int32_t)width,
                   block * PREDT_SUBBLOCK_ROWS, true);
    }
    for (int64_t block = last; block > first; block--) {
        int32_t *row = scratch->group_below + (block - first) * width;
        carry_past(row - width, row, predt__block_words(index, block), (int32_t)width,
                   block * PREDT_SUBBLOCK_ROWS, false);
    }
    scratch->group_state = GROUP_KNOWN;
}

/* Fills scratch->above, below and words: the carry rows, relative to the first row solved, and the
 * targets between. */
static void carry_rows(const predt__block *block, predt__scratch *scratch) {
    const predt_index *index = block->index;
    int64_t group = block->number / PREDT__GROUP, first = group * PREDT__GROUP;
    int64_t end = first + PREDT__GROUP < index->blocks ? first + PREDT__GROUP : index->blocks;
    int32_t width = block->width;
    const int32_t *above = index->above + group * width, *below = index->below + group * width;
    bool again = scratch->group_index == index->serial && scratch->group == group;
    carry_inside(block, scratch);
    if (again && scratch->group_state == GROUP_WANTED) carry_all(index, group, scratch, first, end);
    if (again && scratch->group_state == GROUP_KNOWN) {
        above = scratch->group_above + (block->number - first) * width;
        below = scratch->group_below + (block->number - first) * width;
    } else {
        scratch->group_index = index->serial;
        scratch->group = group;
        int passes = carry_from_words(block, scratch, first, end);
        scratch->group_state = passes >= MANY_PASSES ? GROUP_WANTED : GROUP_UNKNOWN;
    }
    carry_from_group(scratch->above, NONE_ABOVE, above, PREDT__NO_ROW_ABOVE, width,
                     block->first_row);
    carry_from_group(scratch->below, NONE_BELOW, below, PREDT__NO_ROW_BELOW, width,
                     block->first_row);
}

#endif
