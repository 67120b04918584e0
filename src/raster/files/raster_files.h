/* Which files a raster consists of. */
#ifndef PREDT__RASTER_FILES_H
#define PREDT__RASTER_FILES_H

#include <gdal.h>

/* Those in its folder whose names begin as its own does, the path first: a metadata file of a whole
 * scene is not one raster's. dataset: the raster at that path; NULL: it cannot be opened.
 * CSLDestroy it. */
char **predt__files_of_raster(const char *path, GDALDatasetH dataset);

#endif
