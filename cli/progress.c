/* GDAL's terminal progress, but on stderr, so that stdout stays for data. */
#include <signal.h>
#include <stdio.h>

#include "cli.h"

static volatile sig_atomic_t interrupted;
static int marks = -1; /* printed so far: one each 2.5 % */
static bool line_open;

static void on_signal(int number) {
    (void)number;
    interrupted = 1;
}

void watch_signals(void) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
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
