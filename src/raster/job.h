/* One run over files: a source band in; distance, allocation and direction rasters out, in one
 * pass. Errors and warnings go through CPLError, as everywhere around GDAL: one CE_Failure line
 * says why a run failed. */
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
typedef enum predt__role {
    PREDT__DISTANCE,
    PREDT__ALLOCATION,
    PREDT__DIRECTION,
    PREDT__ROLES
} predt__role;

/* An output raster. Nothing appears under its path before it and all other outputs of the job are
 * complete and on the disk. */
typedef struct predt_output {
    const char *path; /* NULL: not wanted. May lie in a /vsi file system */
    /* 0: make the file; n: replace band n of the file that is there, which lies on the source's
     * grid */
    int update_band;
} predt_output;

typedef struct predt_job {
    /* source */
    const char *source;
    int band; /* from 1 */
    /* which pixels are targets, see selection.h; NULL: non-zero, not nodata, not NaN */
    const char *values;
    bool use_input_nodata; /* nodata of the source is nodata in the outputs */

    /* measure */
    predt_unit unit;
    double max_distance; /* inclusive, in unit; INFINITY: none */
    double min_distance; /* pixels nearer than this are nodata; 0: none */

    /* outputs */
    predt_output distance, allocation, direction;
    const char *format;      /* driver name; NULL: from the path's extension, else GTiff */
    char **creation_options; /* NAME=VALUE list, NULL-ended, or NULL */
    GDALDataType type;       /* of the distance; GDT_Unknown: Float32 */
    /* of the outputs, as typed; NULL: NaN, or the maximum of an integer type */
    const char *nodata;
    /* write fixed_value instead of the distance where a target is in reach */
    bool fixed;
    double fixed_value;
    bool overwrite;     /* an existing output may be replaced */
    bool overwrite_all; /* even where its file holds other layers or rasters */

    /* how */
    const char *engine; /* NULL: auto */
    int threads;        /* 0: one a CPU */
    int device;         /* which CUDA device */
    /* bytes of its memory that may be used; 0: no limit but what is free */
    int64_t gpu_memory;
    bool own_process; /* the process runs nothing else on that device */
    /* bytes for the index, the strips and GDAL's block cache together; 0: a quarter of the RAM */
    int64_t memory;
    predt_log log;
    void *log_user;
    GDALProgressFunc progress; /* monotone over both sweeps; NULL: none. 0 returned stops the run */
    void *progress_user;
} predt_job;

/* Shares of the whole in its progress: the index, the answers; what is left is for copies to
 * formats that need one. */
#define PREDT__INDEX_SHARE 0.25
#define PREDT__ANSWER_SHARE 0.70

#define PREDT_JOB_INIT                                                                             \
    { .band = 1, .unit = PREDT_UNIT_PIXEL, .max_distance = INFINITY, .type = GDT_Unknown }

/* What a run did. */
typedef struct predt_report {
    int64_t width, height, targets;
    /* largest distance written, in the job's unit; -1: no pixel has a target in reach */
    double farthest;
    int64_t farthest_col, farthest_row; /* the first such pixel in row order */
    char engine[32];
    /* stages overlap: they do not add up */
    double index_seconds, solve_seconds, write_seconds, total_seconds;
    int64_t bytes_read, bytes_written; /* of pixels, uncompressed */
} predt_report;

typedef enum predt_job_status {
    PREDT_JOB_DONE,
    PREDT_JOB_FAILED,
    PREDT_JOB_STOPPED
} predt_job_status;

/* Runs the job. On PREDT_JOB_FAILED and PREDT_JOB_STOPPED the outputs are as they were before.
 * *report may be NULL. */
predt_job_status predt_job_run(const predt_job *job, predt_report *report);

#ifdef __cplusplus
}
#endif

#endif
