/* One run over files: a source band in; distance, allocation and direction rasters out, in one
 * pass. Errors and warnings go through CPLError, as everywhere around GDAL: one CE_Failure line
 * says why a run failed. */
#ifndef PREDT__RUN_H
#define PREDT__RUN_H

#include "../job.h"
#include "report.h"

#ifdef __cplusplus
extern "C" {
#endif

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
