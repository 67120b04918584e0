/* A private folder beside a destination, in which an output is made under its final name: no format
 * ever sees another one, no one else can lay anything into its way, and all that is in it belongs
 * to the run. In it:
 *     new/   what is to be moved to the destination
 *     raw/   a GeoTIFF to copy from, for formats that can only be copied to
 *     old/   what was replaced, until all outputs are in place
 *     try/   a few pixels, to learn what a format keeps
 * A run that dies between its moves is taken back by the next one, by the journal. */
#ifndef PREDT__STAGING_H
#define PREDT__STAGING_H

#include <stdbool.h>

typedef struct predt__staging {
    char *home;   /* the destination's folder */
    char *folder; /* the private one in it; NULL: there is none */
    bool keep;    /* what could not be put back is in it: it stays */
    /* held as long as this process lives: what is left of dead ones is removed by the next run */
    int lock;
} predt__staging;

/* Makes the folder, and removes what dead runs of this user on this host have left in `home`. */
bool predt__staging_open(predt__staging *staging, const char *home);

/* The path of a name in a part of it; CPLFree it. */
char *predt__staged(const predt__staging *staging, const char *part, const char *name);

/* What is to be moved out of new/, written before the first move: inode, name, a zero byte, the
 * main file last. */
#define PREDT__JOURNAL "moves"

/* Neither this run nor a later one removes the folder. */
void predt__staging_keep(predt__staging *staging);

/* Removes the folder with all that is in it; a warning if that fails. */
void predt__staging_close(predt__staging *staging);

#endif
