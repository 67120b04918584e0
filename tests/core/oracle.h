/* Right answers, found without any of predt's code. */
#ifndef TEST_ORACLE_H
#define TEST_ORACLE_H

#include "answer.h"
#include "scene.h"

/* Every target against every pixel: the one with the smallest (d2, column, distance in rows,
 * row). */
struct answer oracle_brute(const struct scene *scene);

/* The same answer for larger rasters: in each column only the target nearest in rows, columns
 * outward from the pixel until their distance along the row alone is too far. */
struct answer oracle_search(const struct scene *scene);

/* The brute one as long as it is quick. */
struct answer oracle(const struct scene *scene);

#endif
