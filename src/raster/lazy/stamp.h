/* When a source is still the one that was read: size, time stamps and, for local files, their place
 * on the disk. */
#ifndef PREDT__STAMP_H
#define PREDT__STAMP_H

#include <gdal.h>
#include <stdbool.h>

/* One line for each file that the dataset of this name is made of, those of its sources' sources
 * too; CPLFree it. NULL where it has no files, or one that cannot be looked up: then nothing can be
 * said. *settled: a later change would give another stamp. It is false where time stamps count
 * seconds and are so young that the next change might bear the same one, and where a source of a
 * source is not on this machine. */
char *predt__stamp(const char *name, GDALDatasetH dataset, bool *settled);

#endif
