/* What GDAL says during a run, kept until the run is over: the first failure, and each warning
 * once. GDAL's handlers belong to a thread, so every thread of a run listens for itself and all of
 * them share one list. */
#ifndef PREDT__COMPLAINTS_H
#define PREDT__COMPLAINTS_H

#include <pthread.h>
#include <stdbool.h>

typedef struct predt__complaints {
    pthread_mutex_t lock;
    /* what was being done when the first failure came; empty if it speaks for itself */
    char context[1024];
    char failure[2048]; /* one line */
    char **warnings;
} predt__complaints;

void predt__complaints_open(predt__complaints *complaints);

/* Says what was heard, through CPLError, and forgets it: one line for the failure, else the
 * warnings. */
void predt__complaints_close(predt__complaints *complaints, bool failed);

void predt__listen(predt__complaints *complaints);
void predt__listen_no_more(void);

/* GDAL has threads of its own, that compress for instance; what goes wrong there goes to the
 * handler of the whole process. From here on failures that no thread of ours hears are heard, too.
 * For a process that does nothing else. */
void predt__overhear(predt__complaints *complaints);
void predt__overhear_no_more(void);

/* A failure that was heard did not matter, for what was being done has worked: it becomes a
 * warning. */
void predt__demote_failure(predt__complaints *complaints);

/* As if nothing had been heard. For trials, whose failures are their results. */
void predt__complaints_forget(predt__complaints *complaints);

bool predt__has_failed(predt__complaints *complaints);

/* In what was heard, names that only we know give way to those that the user knows. */
void predt__complaints_rename(predt__complaints *complaints, const char *from, const char *to);

/* Puts "what path: " before the failure, if nobody has done so and it does not begin with the
 * path. */
void predt__add_context(predt__complaints *complaints, const char *what, const char *path);

#endif
