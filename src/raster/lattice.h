/* Answers for listed rows and columns, as when a raster is shown smaller than it is: only what is
 * shown is worked out. */
#ifndef PREDT__LATTICE_H
#define PREDT__LATTICE_H

#include "lazy.h"
#include "run.h"

/* Rows that lie apart are shared out among the run's threads. The run has its index. */
bool predt__lattice_answer(predt__run *run, predt__product product, const predt__lattice *lattice,
                           void *out, int64_t pitch, predt__tally *tally);

#endif
