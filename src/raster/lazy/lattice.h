/* Rows and columns that somebody wants to see. */
#ifndef PREDT__LATTICE_H
#define PREDT__LATTICE_H

#include <stdint.h>

/* Which pixels: every listed row crossed with every listed column, both ascending. */
typedef struct predt__lattice {
    const int32_t *rows, *cols;
    int32_t row_count, col_count;
} predt__lattice;

#endif
