/* Threads that live as long as the loop that they share. */
#include "parallel.h"

#include <stdio.h>
#include <stdlib.h>

#include "message.h"
#include "numbers.h"
#include "platform.h"

struct team {
    predt__queue queue;
    predt__work work;
    void *shared;
    _Atomic int status;        /* a predt_status: the first failure */
    char text[PREDT__MESSAGE]; /* its message, which its thread takes with it */
};

int64_t predt__take(predt__queue *queue) {
    int64_t item = atomic_fetch_add(&queue->next, 1);
    return item < queue->count ? item : -1;
}

/* Keeps the first failure, and ends the work of all. */
static void fail_all(struct team *team, predt_status status) {
    int none = PREDT_OK;
    if (atomic_compare_exchange_strong(&team->status, &none, status))
        snprintf(team->text, sizeof team->text, "%s", predt__last_text());
    atomic_store(&team->queue.next, team->queue.count);
}

static void *run(void *argument) {
    struct team *team = argument;
    predt_status status = team->work(&team->queue, team->shared);
    if (status != PREDT_OK) fail_all(team, status);
    return NULL;
}

predt_status predt__parallel(int threads, int64_t count, predt__work work, void *shared) {
    struct team team = {.work = work, .shared = shared};
    team.queue.count = count;
    int helpers = (int)predt__min(count, threads) - 1, started = 0;
    predt__thread *ids = helpers > 0 ? malloc((size_t)helpers * sizeof *ids) : NULL;
    while (ids && started < helpers && predt__thread_start(&ids[started], run, &team)) started++;
    run(&team); /* with no helper at all the work is done here, only later */
    for (int i = 0; i < started; i++) predt__thread_join(ids[i]);
    free(ids);
    if (team.status != PREDT_OK) predt__fail(NULL, team.status, "%s", team.text);
    return (predt_status)team.status;
}

/* More threads than CPUs help where some wait for pages of a file; thousands only take memory. */
#define THREADS_A_CPU 4
#define ALWAYS_ALLOWED 64

int predt__threads_for(int wanted) {
    int64_t cpus = predt__cpu_count();
    return (int)(wanted ? predt__min(wanted, predt__max(THREADS_A_CPU * cpus, ALWAYS_ALLOWED))
                        : cpus);
}
