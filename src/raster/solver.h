/* The core at work on a question: a context, and an index that build.c fills. */
#ifndef PREDT__SOLVER_H
#define PREDT__SOLVER_H

#include "question.h"

typedef struct predt__solver {
    predt_ctx *ctx;
    predt_index *index;
    predt__value label_nodata; /* once the index is filled: what the allocation has for nodata */
    /* known when it is closed */
    int64_t targets;
    char engine[32];
} predt__solver;

/* Whether the engine can be had; NULL or "auto" always can. False, with a CPLError that lists what
 * there is. Its settings are checked when it is opened. */
bool predt__check_engine(const char *name);

/* Context and empty index. threads: 0: the core's own choice. False, with a CPLError, where the
 * core refuses. Close it either way. */
bool predt__solver_open(predt__solver *solver, const predt__question *question,
                        const predt__machine *machine, int threads, int64_t index_memory);

/* Frees both; does nothing the second time. */
void predt__solver_close(predt__solver *solver);

#endif
