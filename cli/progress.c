/* GDAL's terminal progress, but on stderr, so that stdout stays for data. */
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

static volatile sig_atomic_t interrupted;
/* When the first signal came. */
static volatile time_t when_seconds;
static volatile long when_nanoseconds;
static int marks = -1; /* how many were printed: one for each 2.5 % */
static bool line_open;

/* Signals within so many seconds count as one: a shell or `timeout` may send the same request to
 * the process and again to its group. */
#define ONE_REQUEST 0.05

static double seconds_since_first(const struct timespec *now) {
    return (double)(now->tv_sec - when_seconds) + 1e-9 * (double)(now->tv_nsec - when_nanoseconds);
}

/* A second request means that the first one had no effect because something hangs: end at once.
 * Working files stay behind; the next run removes them. */
static void on_signal(int number) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (interrupted && seconds_since_first(&now) > ONE_REQUEST) _exit(128 + number);
    if (interrupted) return;
    when_seconds = now.tv_sec;
    when_nanoseconds = now.tv_nsec;
    interrupted = 1;
}

static bool is_ignored(int number) {
    struct sigaction before;
    return sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN;
}

void watch_signals(void) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    /* ignored under nohup, whose purpose is to outlive the terminal */
    if (!is_ignored(SIGHUP)) sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN); /* the reader of our output is gone: the files are still wanted */
    signal(SIGXFSZ, SIG_IGN); /* a file size limit is a failed write, not the end of the process */
}

int silent_progress(double complete, const char *message, void *user) {
    (void)complete, (void)message, (void)user;
    return !interrupted;
}

int terminal_progress(double complete, const char *message, void *user) {
    (void)message, (void)user;
    int reached = (int)(complete * 40 + 1e-9);
    while (marks < reached && marks < 40) {
        marks++;
        if (marks % 4 == 0) fprintf(stderr, "%d", marks / 4 * 10);
        else fputc('.', stderr);
        line_open = true;
    }
    if (line_open && marks == 40) {
        fputs(" - done.\n", stderr);
        line_open = false;
    }
    fflush(stderr);
    return !interrupted;
}

void end_progress_line(void) {
    if (line_open) fputc('\n', stderr);
    line_open = false;
}
