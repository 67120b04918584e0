/* Files of rasters: names to work under, companions, moving. */
#ifndef PREDT__FILES_H
#define PREDT__FILES_H

#include <gdal.h>
#include <stdbool.h>

/* The same file under whatever names, or the place of one that is not there yet. */
bool predt__same_file(const char *a, const char *b);

/* Where a path leads: a link's file is written, not the link replaced. CPLFree it. */
char *predt__final_path(const char *path);

/* A name in the same folder that no file has: the stem, a mark, the extension. CPLFree it. */
char *predt__working_name(const char *path, const char *mark, const char *extension);

/* Removes a raster that we made, with its companions. Shrugs if it is not there. */
void predt__remove_dataset(const char *path);

/* Gives a raster another name, in place of the one that may be there. */
bool predt__move_dataset(const char *from, const char *to, GDALDriverH driver);

#endif
