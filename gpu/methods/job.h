/* One solve of a published method: what it knows, and the memory that it takes on the host and on
 * the device. */
#ifndef PREDT__METHODS_JOB_H
#define PREDT__METHODS_JOB_H

#include "method.h"

/* The outputs in one order, so that they can be walked through. */
enum {
    PREDT__REF_DISTANCE,
    PREDT__REF_DISTANCE2,
    PREDT__REF_NEAREST_COL,
    PREDT__REF_NEAREST_ROW,
    PREDT__REF_DIRECTION,
    PREDT__REF_OUTPUTS
};

typedef struct predt__ref_output {
    void *host;     /* NULL: not wanted by the caller */
    size_t size;    /* of an element */
    int32_t *found; /* where only the label wants it: a strip's own copy on the host */
    bool wanted;
} predt__ref_output;

typedef struct predt__ref_job {
    predt_ctx *ctx;
    const predt__ref_method *method;
    const predt__ref_state *state;
    const predt_index *index;
    const predt_window *window;
    const predt__outputs *outputs;
    predt__ref_output output[PREDT__REF_OUTPUTS];
    int64_t targets;
    int64_t strip_rows; /* window rows of a strip */
    int64_t done;       /* window rows answered */
    int32_t *carry[2];  /* host: above and below */
    int2 *target;       /* host: the list, where the method reads it */
    char *device;       /* everything on the device: one allocation */
    size_t device_bytes;
    cudaStream_t stream;
    cudaEvent_t marks[PREDT__REF_STEPS + 1];
    int64_t strips;
    double ms[PREDT__REF_STEPS];
} predt__ref_job;

/* Where things lie in the device allocation. */
typedef struct predt__ref_layout {
    size_t words, above, below, targets, output[PREDT__REF_OUTPUTS], workspace, bytes;
} predt__ref_layout;

/* Takes the tallest strips that the device has room for. On failure predt__ref_free still is to be
 * called. */
cudaError_t predt__ref_allocate_device(predt__ref_job *job);
bool predt__ref_allocate_host(predt__ref_job *job);
void predt__ref_free(predt__ref_job *job);

/* Fills job->output from job->outputs. */
void predt__ref_list_outputs(predt__ref_job *job);

/* Where a strip of so many window rows has its arrays; and the strip that begins at job->done, with
 * pointers to them. */
predt__ref_layout predt__ref_lay_out(const predt__ref_job *job, int64_t window_rows);
predt__ref_strip predt__ref_strip_at(const predt__ref_job *job, const predt__ref_layout *layout,
                                     int64_t window_rows);

#endif
