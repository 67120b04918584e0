/* What a run has done, in numbers. */
#ifndef PREDT__REPORT_H
#define PREDT__REPORT_H

#include <stdint.h>

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
    char ellipsoid[64]; /* on which distances are measured; empty: on a plane */
    predt__durations seconds;
    int64_t bytes_read, bytes_written; /* of pixels, uncompressed */
} predt__report;

#endif
