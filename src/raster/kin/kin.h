/* Everything that a source is made of, so that nothing of it is written over: its own files, those
 * of the rasters that it is made from in turn (VRT of VRT, vrt://, PREDT:, .predt, subdatasets),
 * the archives around them, and what GDAL reads beside them. What cannot be read is passed over,
 * and circles end. */
#ifndef PREDT__KIN_H
#define PREDT__KIN_H

#include <gdal.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct predt__kin predt__kin;

/* name: as GDALOpen takes it. opened: the dataset of that name, or NULL: then names and texts are
 * all that is looked at, and no raster is opened on the way. Never NULL. */
predt__kin *predt__kin_open(const char *name, GDALDatasetH opened);
void predt__kin_close(predt__kin **kin); /* does nothing for NULL */

/* The file of the source that writing, moving or removing `path` would harm; NULL if there is none.
 * It is the file itself under whatever name (links, other folders' names for it), the archive that
 * holds it, a folder that is a raster, or a companion that GDAL reads with it. The path need not
 * exist. */
const char *predt__kin_of(predt__kin *kin, const char *path);

/* All names, the source's own first: files and folders, names in /vsi file systems, addresses. The
 * list is the kin's. */
char **predt__kin_names(const predt__kin *kin);

/* Whether one of these names is a file or folder of this machine, or in a /vsi file system of this
 * process: known without a request to anybody. */
bool predt__kin_is_here(const char *name);

#ifdef __cplusplus
}
#endif

#endif
