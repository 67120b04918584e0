/* gdal_predt: what its files say to each other. */
#ifndef CLI_H
#define CLI_H

#include "files/run.h"
#include "options.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

/* Fills them from the command line; strings point into argv. False,
 * with a line on stderr, for a usage error. */
bool parse_arguments(int argc, char **argv, predt__arguments *arguments);
void print_help(void);

/* SIGINT, SIGTERM and SIGHUP stop the job at its next step, a second one the process at once. */
void watch_signals(void);
int silent_progress(double complete, const char *message, void *user);
int terminal_progress(double complete, const char *message, void *user);
void end_progress_line(void);

void print_engines(void);
void print_summary(const predt__arguments *arguments, const predt__report *report);

#endif
