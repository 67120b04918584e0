/* The CPU engine, and the sweeps over masks that every engine's index needs. */
#ifndef PREDT__CPU_H
#define PREDT__CPU_H

#include "../engine.h"

const char *predt__cpu_probe(void);
predt_status predt__cpu_open(predt_ctx *ctx, void **state);
void predt__cpu_close(void *state);
predt_status predt__cpu_solve(predt_ctx *ctx, void *state, const predt_index *index,
                              const predt_window *window, const predt__outputs *outputs);

/* Bytes of a worker's buffers that every raster so wide touches, and that one of so many sub-blocks
 * of so many rows can at most. */
int64_t predt__cpu_least_bytes(int64_t width, bool labels);
int64_t predt__cpu_most_bytes(int64_t width, int rows, int64_t blocks, bool labels);

/* Packs rows (1 to 32) x width mask bytes into one word a column, bit r for row r. */
void predt__pack(const uint8_t *is_target, int64_t width, int rows, uint32_t *words);

/* Counts the targets in a sub-block's words; starts, if not NULL, gets how many lie before each
 * tile. */
int64_t predt__count_targets(const uint32_t *words, int64_t width, uint32_t *starts);

/* Copies the labels (rows x width values) of a sub-block's targets to values, in the order of
 * predt__labels. */
void predt__gather_labels(const uint32_t *words, int64_t width, const void *labels,
                          predt_label_type type, void *values);

/* The instruction sets of this build that this machine has, plainest last, by position; NULL past
 * the last. */
const char *predt__cpu_isa_name(int position);

/* Makes all that follows use the instruction set at a position; -1: the best one again. For tests;
 * not thread-safe. */
void predt__cpu_force_isa(int position);

#endif
