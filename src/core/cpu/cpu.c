#include "cpu.h"

#include <stdlib.h>
#include <string.h>

#include "../index.h"
#include "../parallel.h"

const char *predt__cpu_probe(void) { return NULL; }

void predt__pack(const uint8_t *is_target, int64_t width, int rows, uint32_t *words) {
    memset(words, 0, (size_t)width * sizeof *words);
    for (int row = 0; row < rows; row++)
        for (int64_t col = 0; col < width; col++) words[col] |= (uint32_t)(is_target[row * width + col] != 0) << row;
}

#define GATHER(type)                                                                  \
    for (int64_t col = 0; col < width; col++)                                         \
        for (uint32_t word = words[col]; word; word &= word - 1)                      \
            *((type *)values + count++) = ((const type *)labels)[__builtin_ctz(word) * width + col];

void predt__gather_labels(const uint32_t *words, int64_t width, const void *labels, predt_label_type type, void *values) {
    int64_t count = 0;
    if (type == PREDT_LABEL_32) {
        GATHER(uint32_t)
    } else {
        GATHER(uint64_t)
    }
}

/* TEMPORARY plain solver */
predt_status predt__cpu_solve(predt_ctx *ctx, void *state, const predt_index *index, const predt_window *window,
                              const predt_outputs *out) {
    (void)ctx, (void)state;
    int64_t W = index->width;
    const predt__metric *m = &index->metric;
    int32_t *above = malloc(W * 4), *below = malloc(W * 4), *cand = malloc(W * 4);
    for (int64_t i = 0; i < window->rows; i++) {
        int64_t row = window->row + i * window->step, block = row / 32;
        int bit = row % 32;
        predt__block_carries(index, block, above, below);
        const uint32_t *words = predt__block_words(index, block);
        for (int64_t c = 0; c < W; c++) {
            uint32_t up = words[c] & (0xffffffffu >> (31 - bit)), dn = bit == 31 ? 0 : words[c] >> (bit + 1) << (bit + 1);
            int64_t a = up ? block * 32 + 31 - __builtin_clz(up) : above[c], b = dn ? block * 32 + __builtin_ctz(dn) : below[c];
            int has_a = a != -1, has_b = b != INT32_MAX;
            cand[c] = has_a && (!has_b || row - a <= b - row) ? a : has_b ? b : -1;
        }
        for (int64_t j = 0; j < window->cols; j++) {
            int64_t col = window->col + j * window->step, p = i * out->stride + j, best_c = -1;
            if (m->number == PREDT__REAL) {
                double best = INFINITY;
                for (int64_t k = 0; k < W && m->wx * ((double)k * k) <= best; k++) {
                    if (col - k >= 0 && cand[col - k] >= 0) { double d = predt__d2_real(m->wx, m->wy, k, row - cand[col - k]); if (d <= best) best = d, best_c = col - k; }
                    if (k && col + k < W && cand[col + k] >= 0) { double d = predt__d2_real(m->wx, m->wy, k, row - cand[col + k]); if (d < best) best = d, best_c = col + k; }
                }
            } else {
                int64_t best = INT64_MAX;
                for (int64_t k = 0; k < W && (int64_t)m->wx * (k * k) <= best; k++) {
                    if (col - k >= 0 && cand[col - k] >= 0) { int64_t d = predt__d2_int(m->wx, m->wy, k, row - cand[col - k]); if (d <= best) best = d, best_c = col - k; }
                    if (k && col + k < W && cand[col + k] >= 0) { int64_t d = predt__d2_int(m->wx, m->wy, k, row - cand[col + k]); if (d < best) best = d, best_c = col + k; }
                }
            }
            double d2 = INFINITY;
            int64_t r = -1;
            if (best_c >= 0) {
                r = cand[best_c];
                d2 = m->number == PREDT__REAL ? predt__d2_real(m->wx, m->wy, col - best_c, row - r) : (double)predt__d2_int(m->wx, m->wy, col - best_c, row - r);
                if (d2 > m->limit) d2 = INFINITY, r = best_c = -1;
            }
            if (out->distance) out->distance[p] = predt__distance(d2, m->unit);
            if (out->distance2) out->distance2[p] = predt__distance2(d2, m->unit);
            if (out->nearest_col) out->nearest_col[p] = (int32_t)best_c;
            if (out->nearest_row) out->nearest_row[p] = (int32_t)r;
            if (out->direction) out->direction[p] = r < 0 ? NAN : predt__azimuth(m, (double)(best_c - col), (double)(r - row));
            if (out->label) {
                uint64_t l = r < 0 ? out->no_label : predt__label_at(index, best_c, r);
                if (index->label_type == PREDT_LABEL_32) ((uint32_t *)out->label)[p] = (uint32_t)l; else ((uint64_t *)out->label)[p] = l;
            }
        }
    }
    free(above), free(below), free(cand);
    return PREDT_OK;
}
