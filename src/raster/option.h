/* What an option is, and what all of them say together. */
#ifndef PREDT__OPTION_H
#define PREDT__OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "job.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All that options can say. Strings point to whatever text was read. */
typedef struct predt__arguments {
    predt__job job;
    predt__product product; /* the driver's: what the dataset shows */
    /* what the command itself does */
    int dst_band;          /* band to update; 0: not given */
    const char *unit_name; /* as typed; NULL: not given */
    bool help, version, engines, json, quiet;
} predt__arguments;

/* What an option takes, and as what it is kept. */
typedef enum predt__option_kind {
    PREDT__OPTION_FLAG, /* no value; a bool that becomes true */
    PREDT__OPTION_TEXT, /* any text that is not empty */
    PREDT__OPTION_LIST, /* any text; `gdal raster predt` takes several and joins them by commas */
    PREDT__OPTION_FILE, /* a path; the last one counts */
    PREDT__OPTION_ONE_FILE, /* a path; two different ones are refused */
    PREDT__OPTION_PAIR,     /* NAME=VALUE, added to a list */
    PREDT__OPTION_WHOLE,    /* an int from min on */
    PREDT__OPTION_NUMBER,   /* a double from min on */
    PREDT__OPTION_FIXED,    /* a number for a predt__request's fixed_value */
    PREDT__OPTION_NODATA,   /* a number or "nan", kept as text */
    PREDT__OPTION_YES_NO,   /* a bool */
    PREDT__OPTION_SIZE,     /* bytes, an int64_t */
    PREDT__OPTION_THREADS,  /* an int from min on, or ALL_CPUS: 0 */
    PREDT__OPTION_TYPE,     /* a GDALDataType */
    PREDT__OPTION_UNIT,     /* a predt__unit */
    PREDT__OPTION_SURFACE,  /* a predt__surface */
    PREDT__OPTION_PRODUCT   /* a predt__product */
} predt__option_kind;

/* How an option is spelt by whom; NULL where it does not exist. */
typedef struct predt__option_names {
    const char *command;   /* separated by spaces, without dashes, the preferred one first */
    const char *driver;    /* as DMD_OPENOPTIONLIST spells it */
    const char *algorithm; /* for `gdal raster predt`: the name, a letter, aliases */
} predt__option_names;

typedef struct predt__option {
    predt__option_names names;
    predt__option_kind kind;
    size_t offset;     /* where in predt__arguments it is kept */
    double min;        /* -INFINITY: none */
    const char *value; /* what stands for the value in help; NULL: it takes none */
    const char
        *preset;     /* what counts where the option is not given, as it would be typed; or NULL */
    bool is_implied; /* the preset is not kept: it matters that nothing was said */
    const char *preset_words; /* shown instead of the preset; or NULL */
    unsigned products;        /* which it concerns: 1 << PREDT__DISTANCE ... */
    const char *help;         /* one sentence, lower case, no full stop */
} predt__option;

#ifdef __cplusplus
}
#endif

#endif
