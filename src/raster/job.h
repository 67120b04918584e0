/* What a user wants, as it was said: what is asked of a source, what it may be worked out with,
 * where the answers go. The strings belong to whoever fills it. Defaults come from the table of
 * options: start from predt__default_arguments. */
#ifndef PREDT__JOB_H
#define PREDT__JOB_H

#include <gdal.h>
#include <stdbool.h>

#include "predt.h"
#include "units.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a raster of answers holds. */
typedef enum predt__product {
    PREDT__DISTANCE,
    PREDT__ALLOCATION,
    PREDT__DIRECTION,
    PREDT__PRODUCTS
} predt__product;

/* An output raster. Nothing appears under its path before it and all other outputs of the job are
 * complete and on the disk. */
typedef struct predt__output {
    const char *path; /* NULL: not wanted. May lie in a /vsi file system */
    /* 0: make the file; n: replace band n of the file that is there, which lies on the source's
     * grid */
    int update_band;
} predt__output;

/* What is asked of a source. */
typedef struct predt__request {
    const char *source;
    int band; /* from 1 */
    /* which pixels are targets, see selection.h; NULL: non-zero, not nodata, not NaN */
    const char *values;
    bool use_input_nodata; /* nodata of the source is nodata in the outputs */
    predt__unit unit;
    predt__surface surface;
    double max_distance; /* inclusive, in unit; INFINITY: none */
    double min_distance; /* pixels nearer than this are nodata; 0: none */
    GDALDataType type;   /* of the distance; GDT_Unknown: Float32 */
    /* of the outputs, as typed; NULL: NaN, or the maximum of an integer type */
    const char *nodata;
    /* write fixed_value instead of the distance where a target is in reach */
    bool fixed;
    double fixed_value;
} predt__request;

/* What it may be worked out with. */
typedef struct predt__machine {
    const char *engine; /* NULL: auto */
    int threads;        /* 0: one a CPU */
    int device;         /* which CUDA device */
    /* bytes of its memory that may be used; 0: no limit but what is free */
    int64_t gpu_memory;
    /* bytes for the index, the strips and GDAL's block cache together; 0: a quarter of the RAM */
    int64_t memory;
    bool own_process; /* the process runs nothing else: not on that device, nor with GDAL */
    predt_log log;
    void *log_user;
} predt__machine;

/* Where the answers go. */
typedef struct predt__files {
    predt__output outputs[PREDT__PRODUCTS];
    const char *format;      /* driver name; NULL: from the path's extension, else GTiff */
    char **creation_options; /* NAME=VALUE list, NULL-ended, or NULL */
    bool overwrite;          /* an existing output may be replaced */
    bool overwrite_all;      /* even where its file holds other layers or rasters */
} predt__files;

typedef struct predt__job {
    predt__request request;
    predt__machine machine;
    predt__files files;
    GDALProgressFunc progress; /* monotone over both sweeps; NULL: none. 0 returned stops the run */
    void *progress_user;
} predt__job;

/* Shares of the whole in its progress: the index, the answers; what is left is for copies to
 * formats that need one. */
#define PREDT__INDEX_SHARE 0.25
#define PREDT__ANSWER_SHARE 0.70

#ifdef __cplusplus
}
#endif

#endif
