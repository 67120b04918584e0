/* Answers for listed rows and columns, as when a raster is shown smaller than it is: only what is
 * shown is worked out. */
#ifndef PREDT__READ_H
#define PREDT__READ_H

#include "../answers.h"
#include "../work.h"
#include "lattice.h"

/* Works out the pixels of the question's only product: row_count rows of col_count pixels, each row
 * `pitch` bytes after the one before. Rows that lie apart are shared out among threads. The index
 * is filled. */
bool predt__read_lattice(const predt__question *question, predt__work *work,
                         const predt__solver *solver, const predt__lattice *lattice, void *out,
                         int64_t pitch, predt_tally *tally);

#endif
