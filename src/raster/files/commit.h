/* Putting the finished outputs of a run in place: all of them, or none. Files that are replaced are
 * kept aside until every move is done, and come back if one fails. Nothing is moved over a file
 * that is not the old raster's own. */
#ifndef PREDT__COMMIT_H
#define PREDT__COMMIT_H

#include "../kin/kin.h"
#include "staging.h"

/* One file or folder. */
typedef struct predt__move {
    predt__staging *staging;
    char *from; /* NULL: `to` only goes away */
    char *to;
    char *aside; /* where what is replaced is kept */
    bool linked; /* `aside` is a second name of it, so `to` is never missing */
    bool kept, done;
} predt__move;

typedef struct predt__commit {
    predt__move *moves;
    int count, capacity;
} predt__commit;

/* Plans to put all that lies in the staging's new/ beside the main file's final path. owned: paths
 * of the files that the old raster there consists of, NULL-ended, or NULL; those that the new one
 * has not go away. kin: what must not be touched. False, with a CPLError, where a file of somebody
 * else would be hit. */
bool predt__commit_plan(predt__commit *commit, predt__staging *staging, const char *final,
                        char **owned, predt__kin *kin);

/* Moves everything and waits until the names are on the disk. On failure all is as it was before,
 * but for a CPLError. What cannot be put back stays in its staging, which is kept then; the
 * CPLError says where. */
bool predt__commit_run(predt__commit *commit);

void predt__commit_free(predt__commit *commit);

/* Whether a run waits for the disk at all: configuration option PREDT_SYNC. */
bool predt__waits_for_disk(void);

/* Waits until a file, or a folder with all that is in it, is on the disk. */
bool predt__sync_path(const char *path);

#endif
