/* What kin.c collects and kin_of.c looks up. */
#ifndef PREDT__KIN_SET_H
#define PREDT__KIN_SET_H

#include <cpl_hash_set.h>
#include <stdbool.h>
#include <sys/stat.h>

typedef struct predt__kin predt__kin;

typedef struct predt__place {
    dev_t device;
    ino_t inode;
    const char *name; /* one of the kin's */
} predt__place;

struct predt__kin {
    char **names;                /* ends with NULL */
    bool *rasters;               /* whether the name is a raster's, and not one of its files only */
    int count, capacity, looked; /* names looked into */
    const char *opened;          /* the name whose dataset is open already; NULL: none */
    CPLHashSet *known;           /* of names */
    CPLHashSet *places;          /* of files and folders that are there */
    bool opens, found;
    /* of the text that is being looked through; NULL: the working folder alone */
    const char *folder;
};

extern const char *const predt__kin_companions[]; /* suffixes; ends with NULL */

const predt__place *predt__kin_place(const predt__kin *kin, const struct stat *status);
void predt__kin_open_and_list(predt__kin *kin, const char *path);

#endif
