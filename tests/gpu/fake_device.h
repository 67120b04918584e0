/* A device made of host memory, in place of CUDA's runtime and the kernels: what the engine's host
 * side asks of them, and no more. Work on a stream is put off until somebody waits for it, so that
 * a missing wait gives a wrong answer. */
#ifndef TEST_FAKE_DEVICE_H
#define TEST_FAKE_DEVICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct fake_device {
    int driver; /* version; 0: there is none */
    int devices;
    int64_t memory;         /* bytes that cudaMalloc has */
    int64_t claimed_memory; /* bytes that it says are free */
    int64_t failing_solve;  /* the solve of this number, from 1, fails with `error`; 0: none */
    int error;
    bool no_streams;
    /* streams are not made before this is false: a device that takes its time to start */
    atomic_bool held;
    bool broken; /* every call fails from now on */

    /* counted */
    int64_t allocated, pinned, streams, events, most_allocated;
    int64_t solves, rows_solved, bytes_up, bytes_down, resets;
};

extern struct fake_device fake;

/* A working device with plenty of memory, and all counts at zero. */
void fake_reset(void);

#endif
