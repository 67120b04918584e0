/* When a source is still the one that was read: size, time stamps and, for local files, their place on the disk. */
#ifndef PREDT__STAMP_H
#define PREDT__STAMP_H

#include <gdal.h>
#include <stdbool.h>

/* One line for each file of the dataset; CPLFree it. NULL where it has no files, or one that cannot be looked up: then nothing
 * can be said. *settled: a later change would give another stamp. It is false where time stamps count seconds and are so young
 * that the next change might bear the same one. */
char *predt__stamp(GDALDatasetH dataset, bool *settled);

#endif
