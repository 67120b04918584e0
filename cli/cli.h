/* gdal_predt: what its files say to each other. */
#ifndef CLI_H
#define CLI_H

#include "files/run.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

/* What the command itself is to do, beside the job. */
typedef struct command_line {
    bool help, version, engines;
    bool quiet, json;
    int dst_band;          /* 0: not given */
    const char *unit_name; /* as typed */
} command_line;

/* Fills both from the arguments; strings of the job point into argv. False, with a line on stderr,
 * for a usage error. */
bool parse_options(int argc, char **argv, command_line *command, predt__job *job);
void free_options(predt__job *job);
void print_help(void);

/* SIGINT, SIGTERM and SIGHUP stop the job at its next step, a second one the process at once. */
void watch_signals(void);
int silent_progress(double complete, const char *message, void *user);
int terminal_progress(double complete, const char *message, void *user);
void end_progress_line(void);

void print_engines(void);
void print_summary(const command_line *command, const predt__job *job, const predt__report *report);

#endif
