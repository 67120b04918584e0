/* One run over files: a source band in; distance, allocation and direction rasters out, in one
 * pass. Errors and warnings go through CPLError, as everywhere around GDAL: one CE_Failure line
 * says why a run failed. */
#ifndef PREDT__RUN_H
#define PREDT__RUN_H

#include "../job.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Stages overlap: they do not add up. */
typedef struct predt__durations {
    double index, solve, write, total;
} predt__durations;

/* What a run did. */
typedef struct predt__report {
    int64_t width, height, targets;
    /* largest distance written, in the job's unit; -1: no pixel has a target in reach */
    double farthest;
    int64_t farthest_col, farthest_row; /* the first such pixel in row order */
    char engine[32];
    predt__durations seconds;
    int64_t bytes_read, bytes_written; /* of pixels, uncompressed */
} predt__report;

typedef enum predt__job_status {
    PREDT__JOB_DONE,
    PREDT__JOB_FAILED,
    PREDT__JOB_STOPPED
} predt__job_status;

/* Runs the job. On PREDT__JOB_FAILED and PREDT__JOB_STOPPED the outputs are as they were before.
 * *report may be NULL. */
predt__job_status predt__job_run(const predt__job *job, predt__report *report);

#ifdef __cplusplus
}
#endif

#endif
