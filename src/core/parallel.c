#define _GNU_SOURCE
#include "parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "context.h"

typedef struct team {
    predt__queue queue;
    predt__work work;
    void *shared;
    _Atomic int status;        /* a predt_status: the first failure */
    char text[PREDT__MESSAGE]; /* its message, which its thread takes with it */
} team;

int64_t predt__take(predt__queue *queue) {
    int64_t item = atomic_fetch_add(&queue->next, 1);
    return item < queue->count ? item : -1;
}

static void *run(void *argument) {
    team *team = argument;
    predt_status status = team->work(&team->queue, team->shared);
    if (status != PREDT_OK) {
        int none = PREDT_OK;
        if (atomic_compare_exchange_strong(&team->status, &none, status))
            snprintf(team->text, sizeof team->text, "%s", predt__last_text());
        atomic_store(&team->queue.next, team->queue.count);
    }
    return NULL;
}

predt_status predt__parallel(int threads, int64_t count, predt__work work, void *shared) {
    team team;
    team.queue.next = 0;
    team.queue.count = count;
    team.work = work;
    team.shared = shared;
    team.status = PREDT_OK;
    int helpers = (int)(count < threads ? count : threads) - 1, started = 0;
    pthread_t *ids = helpers > 0 ? malloc((size_t)helpers * sizeof *ids) : NULL;
    while (ids && started < helpers && pthread_create(&ids[started], NULL, run, &team) == 0)
        started++;
    run(&team); /* with no helper at all the work is done here, only later */
    for (int i = 0; i < started; i++) pthread_join(ids[i], NULL);
    free(ids);
    if (team.status != PREDT_OK) predt__fail(NULL, team.status, "%s", team.text);
    return (predt_status)team.status;
}

int predt__cpu_count(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

/* More threads than CPUs help where some wait for pages of a file; thousands only take memory. */
#define THREADS_A_CPU 4
#define ALWAYS_ALLOWED 64

int predt__threads_for(int wanted) {
    int cpus = predt__cpu_count(),
        most = cpus > ALWAYS_ALLOWED / THREADS_A_CPU ? THREADS_A_CPU * cpus : ALWAYS_ALLOWED;
    return wanted == 0 ? cpus : wanted < most ? wanted : most;
}
