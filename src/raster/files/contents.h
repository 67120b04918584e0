/* Files that hold more than one raster. */
#ifndef PREDT__CONTENTS_H
#define PREDT__CONTENTS_H

#include <stdbool.h>

/* What an existing file holds beside one raster ("the layers roads, towns"); NULL: nothing. CPLFree
 * it. */
char *predt__other_contents(const char *path);

/* Whether a GeoPackage holds a raster or a layer of that name. */
bool predt__has_table(const char *path, const char *table);

#endif
