/* A counted loop shared among threads. */
#ifndef PREDT__PARALLEL_H
#define PREDT__PARALLEL_H

#include <stdatomic.h>

#include "predt.h"

/* Items 0 .. count - 1, each taken by one worker, in order. */
typedef struct predt__queue {
    _Atomic int64_t next;
    int64_t count;
} predt__queue;

/* The next item, or -1 when none is left. */
int64_t predt__take(predt__queue *queue);

/* Runs the work until it finds the queue empty; a failure empties the queue for everybody. */
typedef predt_status (*predt__work)(predt__queue *queue, void *shared);

/* Runs work on up to `threads` threads, the caller's among them, and returns the first failure. */
predt_status predt__parallel(int threads, int64_t count, predt__work work, void *shared);

/* Threads to start for the number that a user asks for: 0 stands for one a CPU, and very large
 * numbers are cut down. */
int predt__threads_for(int wanted);

#endif
