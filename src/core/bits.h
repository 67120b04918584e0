/* Targets as bits: the words of a sub-block packed from a mask, counted, and their labels gathered.
 * And which instruction set does that, for all that is compiled once for each. */
#ifndef PREDT__BITS_H
#define PREDT__BITS_H

#include <stdint.h>

#include "predt.h"

#define PREDT__TILE 32 /* columns of a tile: 32 x 32 pixels, one sub-block high */

/* Packs rows (1 to 32) x width mask bytes into one word a column, bit r for row r. */
void predt__bits_pack(const uint8_t *is_target, int64_t width, int rows, uint32_t *words);

/* Counts the targets in a sub-block's words; starts, if not NULL, gets how many lie before each
 * tile. */
int64_t predt__bits_count(const uint32_t *words, int64_t width, uint32_t *starts);

/* Copies the labels (rows x width values) of a sub-block's targets to values, in the order of
 * predt__labels. */
void predt__bits_gather(const uint32_t *words, int64_t width, const void *labels,
                        predt_label_type type, void *values);

/* The rows of a tile as bits, from the words of its columns. */
void predt__bits_turn(const uint32_t columns[32], uint32_t rows[32]);

/* ---- Instruction sets ---- */

/* Best first. AVX-512 serves globes only: for all else it is AVX2. */
enum { PREDT__AVX512, PREDT__AVX2, PREDT__PORTABLE, PREDT__ISAS };

/* The set in use: the best one that this build and this machine have. */
int predt__isa(void);

/* Names of the sets that this build and this machine have, best first, by position; NULL past the
 * last. */
const char *predt__isa_name(int position);

/* Makes all that follows use the set at a position; -1: the best one again. For tests; not
 * thread-safe. */
void predt__isa_force(int position);

/* What bits_kernels.c exports, once for each set. */
typedef struct predt__bits_kernels {
    void (*pack)(const uint8_t *is_target, int64_t width, int rows, uint32_t *words);
    int64_t (*count)(const uint32_t *words, int64_t width, uint32_t *starts);
    void (*gather)(const uint32_t *words, int64_t width, const void *labels, predt_label_type type,
                   void *values);
    void (*turn)(const uint32_t columns[32], uint32_t rows[32]);
} predt__bits_kernels;

extern const predt__bits_kernels predt__bits_avx2;
extern const predt__bits_kernels predt__bits_portable;

#endif
