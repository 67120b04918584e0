/* From a grid to the weights in which its pixels are compared. */
#ifndef PREDT__METRIC_H
#define PREDT__METRIC_H

#include "nearer.h"
#include "predt.h"

/* Checks the grid and fills *metric. Returns NULL, or why the grid cannot be worked on (a static
 * string). */
const char *predt__metric_from_grid(predt__metric *metric, const predt_grid *grid);

#endif
