/* Who watches a run: its user, who sees how far it is and may stop it; and its threads, which must
 * learn that one of them has failed. */
#ifndef PREDT__WATCH_H
#define PREDT__WATCH_H

#include <gdal.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct predt__watch {
    GDALProgressFunc progress; /* NULL: none */
    void *user;
    atomic_bool stop; /* somebody failed, or the user has had enough */
    bool stopped;     /* it was the user */
    double complete;  /* the largest fraction reported so far */
} predt__watch;

/* Begins again, at 0. */
void predt__watch_start(predt__watch *watch, GDALProgressFunc progress, void *user);

/* Tells the user how far the run is; false if it is to stop. Called by the thread that started the
 * run only. */
bool predt__watch_tick(predt__watch *watch, double complete);

double predt__seconds(void);

/* Waits on the condition for a tenth of a second at most; whether it came. */
bool predt__wait(pthread_cond_t *changed, pthread_mutex_t *lock);

#endif
