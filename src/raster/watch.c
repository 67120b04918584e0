#include "watch.h"

#include <errno.h>
#include <time.h>

void predt__watch_start(predt__watch *watch, GDALProgressFunc progress, void *user) {
    watch->progress = progress;
    watch->user = user;
    watch->stop = watch->stopped = false;
    watch->complete = 0;
}

bool predt__watch_tick(predt__watch *watch, double complete) {
    if (complete > watch->complete) watch->complete = complete;
    if (watch->stopped) return false;
    if (!watch->progress || watch->progress(watch->complete, "", watch->user)) return true;
    watch->stopped = true;
    return false;
}

double predt__seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool predt__wait(pthread_cond_t *changed, pthread_mutex_t *lock) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    return pthread_cond_timedwait(changed, lock, &until) != ETIMEDOUT;
}
