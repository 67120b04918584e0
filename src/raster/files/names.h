/* Names of files: where a path leads, what it is called, whether two names are one file. Every text
 * that is returned is the caller's, who frees it with CPLFree. */
#ifndef PREDT__FILES_H
#define PREDT__FILES_H

#include <stdbool.h>

/* Not in one of GDAL's /vsi file systems. */
bool predt__is_local(const char *path);

/* Where a path leads: a link's file is written, not the link replaced. Local paths become absolute,
 * those of files that are not there yet too, if their folder is. */
char *predt__final_path(const char *path);

/* The folder a path lies in ("." without one), and the name there, which points into the path. */
char *predt__folder_of(const char *path);
const char *predt__name_of(const char *path);

/* The part of a name before its last dot, and what follows the dot, which points into the name. */
char *predt__stem_of(const char *name);
const char *predt__extension_of(const char *name);

char *predt__join(const char *folder, const char *name);

/* The same file under whatever names, or the place of one that is not there yet. */
bool predt__same_file(const char *a, const char *b);

bool predt__exists(const char *path);

/* Names in the folder but for "." and "..", a list of strings to CSLDestroy; false, with a
 * CPLError, if it cannot be read. */
bool predt__list_folder(const char *folder, char ***names);

/* Removes a file or a folder with all that is in it. Links are removed, not followed. */
bool predt__remove(const char *path);

#endif
