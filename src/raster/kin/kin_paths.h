/* Names as the kin of a source compares them: what they lead to, and how they are spelled. */
#ifndef PREDT__KIN_PATHS_H
#define PREDT__KIN_PATHS_H

#include <stdbool.h>

bool predt__kin_has_word(const char *text, const char *word);
bool predt__kin_is_virtual(const char *name);
/* out of this machine, or to a database, wherever in the name */
bool predt__kin_leads_out(const char *name);
bool predt__kin_is_remote(const char *name); /* a look at it would cost a request */
bool predt__kin_is_there(const char *path, bool folders);
const char *predt__kin_last_part(const char *path);
char *predt__kin_folder_of(const char *path); /* CPLFree it, and those below */
char *predt__kin_joined(const char *folder, const char *name);
char *predt__kin_spelled(const char *path);

#endif
