/* A file system whose writes cannot fail unheard: /vsipredt/ before an absolute local path.
 *
 * GDAL 3.6 writes through stdio, whose last buffer may fail to reach the disk when the file is
 * closed, and drops that error; some of its drivers wait for ever once a write has failed. Files
 * below a watched folder are written with write(2) alone. The first failure is kept; from then on
 * GDAL is told that all is well, so that it comes to an end, and the caller, who asks, throws away
 * what was made. */
#ifndef PREDT__CHECKED_H
#define PREDT__CHECKED_H

#include "watches.h"

/* Watches what is written below the folder, an absolute path; closed by predt__checked_close. NULL
 * when memory ran out. */
predt__checked *predt__checked_open(const char *folder);

/* The name under which GDAL is to open the path. CPLFree it. */
char *predt__checked_name(const char *path);

#endif
