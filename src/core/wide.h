/* Queries on engines that do not encode distances, shorten labels or take pixels out themselves:
 * they are asked for plain arrays, piece by piece, which are then worked over on all threads. */
#ifndef PREDT__WIDE_H
#define PREDT__WIDE_H

#include "engine.h"

/* Whether the engine can be asked for these outputs as they are. */
bool predt__engine_encodes(const predt__engine *engine, const predt__outputs *outputs);

/* Answers a window on any engine. */
predt_status predt__solve_wide(predt_ctx *ctx, const predt__engine *engine, void *state,
                               const predt_index *index, const predt_window *window,
                               const predt__outputs *outputs);

#endif
