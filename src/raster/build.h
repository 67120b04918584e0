/* The first sweep: from a question to an index that can answer it. */
#ifndef PREDT__BUILD_H
#define PREDT__BUILD_H

#include "solver.h"
#include "work.h"

/* Opens the solver, fills its index from the source, on several handles, and chooses the
 * allocation's nodata. The question is settled and the budget planned. False on failure or when it
 * was stopped; close the solver either way. */
bool predt__build(const predt__question *question, predt__work *work, predt__solver *solver);

/* Whose source the calling thread is reading now: what is opened meanwhile through GDAL is a part
 * of that source. */
typedef struct predt__reading {
    const predt__question *question;
    const struct predt__reading *outer; /* the one whose source this one is a part of; NULL: none */
} predt__reading;

extern _Thread_local const predt__reading *predt__now_reading;

#endif
