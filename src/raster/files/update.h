/* Updating a band of a raster that is there: a copy of its files is written to, and takes their
 * place in the end. */
#ifndef PREDT__UPDATE_H
#define PREDT__UPDATE_H

#include "sink.h"

/* Whether the raster that is there lies on the source's grid and has such a band. */
bool predt__check_update(predt__sink *sink, GDALDatasetH old);

/* Copies the files into the sink's folder, as new ones; overviews, which show the old values,
 * apart. */
bool predt__copy_files(predt__sink *sink, char **files);

/* Opens the copy for writing, and takes the old values' statistics and overviews out of it. */
bool predt__open_copy(predt__sink *sink);

#endif
