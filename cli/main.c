#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* One line for each message. */
static void CPL_STDCALL say(CPLErr level, CPLErrorNum number, const char *message) {
    if (level == CE_Debug || level == CE_Fatal) {
        CPLDefaultErrorHandler(level, number, message);
        return;
    }
    char *line = CPLStrdup(message);
    for (char *c = line; *c; c++)
        if (*c == '\n' || *c == '\r') *c = ' ';
    end_progress_line();
    fprintf(stderr, "gdal_predt: %s%s\n", level == CE_Warning ? "warning: " : "", line);
    CPLFree(line);
}

static void log_line(const char *line, void *user) {
    (void)user;
    CPLDebug("PREDT", "%s", line);
}

/* As in gdal_proximity, a destination that is there is updated. */
static bool plan_update(const command_line *command, predt__job *job) {
    VSIStatBufL stat;
    const char *path = job->files.outputs[PREDT__DISTANCE].path;
    if (!path || job->files.overwrite || job->files.overwrite_all ||
        CSLFetchBoolean(job->files.creation_options, "APPEND_SUBDATASET", FALSE))
        return true;
    if (VSIStatL(path, &stat) == 0) {
        GDALDriverH driver = job->files.format ? GDALIdentifyDriver(path, NULL) : NULL;
        job->files.outputs[PREDT__DISTANCE].update_band = command->dst_band ? command->dst_band : 1;
        if (!driver || EQUAL(GDALGetDriverShortName(driver), job->files.format)) return true;
        CPLError(CE_Failure, CPLE_IllegalArg,
                 "%s exists and is a %s file: use --overwrite to make it %s", path,
                 GDALGetDriverShortName(driver), job->files.format);
        return false;
    }
    /* fails: there is no such band */
    if (command->dst_band > 1) job->files.outputs[PREDT__DISTANCE].update_band = command->dst_band;
    return true;
}

static int run(const command_line *command, predt__job *job) {
    predt__report report;
    job->machine.log = log_line;
    job->machine.own_process = true;
    job->progress = command->quiet ? silent_progress : terminal_progress;
    if (!plan_update(command, job)) return EXIT_FAILED;
    predt__job_status status = predt__job_run(job, &report);
    end_progress_line();
    if (status == PREDT__JOB_STOPPED) fprintf(stderr, "gdal_predt: interrupted\n");
    if (status != PREDT__JOB_DONE)
        return status == PREDT__JOB_STOPPED ? EXIT_INTERRUPTED : EXIT_FAILED;
    if (command->json) print_summary(command, job, &report);
    return fflush(stdout) == 0 ? EXIT_DONE : EXIT_FAILED;
}

static int act(int argc, char **argv) {
    command_line command = {0};
    predt__job job = PREDT__JOB_INIT;
    int status = EXIT_DONE;
    if (!parse_options(argc, argv, &command, &job)) status = EXIT_USAGE;
    else if (command.help) print_help();
    else if (command.version)
        printf("gdal_predt %s, %s\n", predt_version(), GDALVersionInfo("--version"));
    else if (command.engines) print_engines();
    else status = run(&command, &job);
    free_options(&job);
    return status;
}

/* GDAL would answer --version with its own. */
static bool asks_version(int argc, char **argv) {
    return argc == 2 && strcmp(argv[1], "--version") == 0;
}

int main(int argc, char **argv) {
    char **arguments = argv;
    watch_signals();
    CPLSetErrorHandler(say);
    GDALAllRegister();
    if (!asks_version(argc, argv)) argc = GDALGeneralCmdLineProcessor(argc, &arguments, 0);
    if (argc < 1) return argc == 0 ? EXIT_DONE : EXIT_USAGE;
    int status = act(argc, arguments);
    if (arguments != argv) CSLDestroy(arguments);
    GDALDestroyDriverManager();
    return status;
}
