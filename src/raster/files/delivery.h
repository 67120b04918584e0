/* All outputs of a run: made together, put in place together. */
#ifndef PREDT__DELIVERY_H
#define PREDT__DELIVERY_H

#include "../kin/kin.h"
#include "../solver.h"
#include "../work.h"
#include "sink.h"

typedef struct predt__delivery {
    predt__sink sinks[PREDT__PRODUCTS]; /* open where the product is asked for */
    predt__kin *kin;                    /* what the source is made of */
} predt__delivery;

/* Checks the paths and opens the sinks. media: gets what each of them can hold. False on failure;
 * close it either way. */
bool predt__delivery_open(predt__delivery *delivery, const predt__job *job,
                          const predt__question *question, predt__work *work,
                          predt__medium media[PREDT__PRODUCTS]);

/* What the outputs hold in memory while so many rows are written, for the budget. They need not be
 * open. */
int64_t predt__delivery_bytes(const predt__delivery *delivery, const predt__question *question,
                              int64_t rows);

/* Says in the files what the pixels mean. The index is filled. */
bool predt__delivery_describe(predt__delivery *delivery, const predt__question *question,
                              const predt__solver *solver);

/* Completes all outputs and puts them in place: all of them, or none. */
bool predt__delivery_finish(predt__delivery *delivery, predt__work *work);

/* Releases the sinks and what they made if it is not in place. */
void predt__delivery_close(predt__delivery *delivery, predt__work *work);

/* A writer hangs in GDAL after a failure: removes what was made, says why, and ends the process.
 * For a process of our own. */
void predt__delivery_abandon(predt__delivery *delivery, predt__work *work)
    __attribute__((noreturn));

#endif
