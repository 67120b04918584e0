/* What has failed of the files below a folder; see checked.h, whose file system tells of it. */
#ifndef PREDT__WATCHES_H
#define PREDT__WATCHES_H

#include <stdbool.h>

typedef struct predt__checked predt__checked;

/* A watch over the folder, an absolute path. NULL when memory ran out. */
predt__checked *predt__watches_add(const char *folder);
void predt__checked_close(predt__checked *checked); /* does nothing for NULL */

/* The watch over the folder that the path lies in; NULL: none. */
predt__checked *predt__watch_of(const char *path);

/* Notes what errno says of a file, if it is the watch's first failure. Does nothing for NULL. */
void predt__checked_note(predt__checked *checked, const char *what, const char *name);

/* Closes a file that was written, now or in the end; `name` is for messages. */
void predt__checked_keep(predt__checked *checked, int file, const char *name);

/* Whether anything could not be written; then *why says what, until the watch is closed. */
bool predt__checked_failed(predt__checked *checked, const char **why);

/* Waits until all that was written is on the disk; false if it is not. */
bool predt__checked_sync(predt__checked *checked);

#endif
