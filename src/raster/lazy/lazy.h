/* A raster of answers whose pixels are worked out when they are asked for: what the GDAL driver
 * shows as a dataset. Failures go through CPLError, one line each. One raster belongs to one thread
 * at a time; several of the same source share an index. */
#ifndef PREDT__LAZY_H
#define PREDT__LAZY_H

#include "../job.h"
#include "../value.h"
#include "lattice.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct predt__lazy predt__lazy;

/* Opens the source and checks the job; reads no pixel. Of the job the output paths, the format and
 * progress are not used; it is copied. NULL on failure. */
predt__lazy *predt__lazy_open(const predt__job *job, predt__product product);
void predt__lazy_close(predt__lazy *lazy); /* does nothing for NULL */

/* The source, which the raster keeps; and the kind of the raster's pixels. */
GDALDatasetH predt__lazy_source(const predt__lazy *lazy);
GDALRasterBandH predt__lazy_source_band(const predt__lazy *lazy);
predt__kind predt__lazy_kind(const predt__lazy *lazy);

/* Whether pixels are worked out column by column, so that many rows of few columns cost least: on a
 * globe. Else row by row. */
bool predt__lazy_by_columns(const predt__lazy *lazy);

/* The limit for its index and its reads, in bytes. */
int64_t predt__lazy_memory(const predt__lazy *lazy);

predt__product predt__lazy_product(const predt__lazy *lazy);
const char *
predt__product_description(predt__product product); /* "distance to the nearest target" */

/* What the band says about itself, as in the command's outputs. */
const char *predt__lazy_description(const predt__lazy *lazy);
const char *predt__lazy_unit(const predt__lazy *lazy);

/* The value of pixels without a target in reach. Of an allocation it may depend on the targets'
 * values: where the selection alone does not tell, the source is read here. */
bool predt__lazy_nodata(predt__lazy *lazy, predt__value *nodata);

/* Works out the pixels of a lattice: row_count rows of col_count pixels of the raster's kind, each
 * row `pitch` bytes after the one before. The first call reads the source, unless another raster
 * has done so. */
bool predt__lazy_read(predt__lazy *lazy, const predt__lattice *lattice, void *out, int64_t pitch);

/* Frees the shared indexes that no raster uses. */
void predt__lazy_forget(void);

#ifdef __cplusplus
}
#endif

#endif
