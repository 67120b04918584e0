/* Indexes that several rasters of this process share: a program opens a layer twice and reads it on
 * several threads, and the source is still swept once. Every function may be called from any
 * thread. */
#ifndef PREDT__INDEXES_H
#define PREDT__INDEXES_H

#include "../build.h"

typedef struct predt__shared_index predt__shared_index;

/* Fills the solver, to be used but not closed: with an index of the same key if there is one, else
 * with one that is built now. Whoever comes while it is being built waits; nothing else waits for
 * that. With a key of NULL the index is the caller's alone. NULL on failure, with CPLErrors to the
 * work's complaints. */
predt__shared_index *predt__indexes_take(const predt__question *question, predt__work *work,
                                         const char *key, predt__solver *solver);

/* The caller is done with it. An index that nobody uses is kept for a while: the least recently
 * used go first when there are many, or when they fill an eighth of the RAM. */
void predt__indexes_give(predt__shared_index **index);

/* Frees the indexes that nobody uses. */
void predt__indexes_forget(void);

#endif
