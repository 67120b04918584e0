/* gdal_predt from start to exit status: GDAL's general options, the command's own, one job, and the
 * way in which messages are shown. */
#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* GDAL's error handler of the command: one line on stderr for each message. */
static void CPL_STDCALL show_message(CPLErr level, CPLErrorNum number, const char *message) {
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

static bool is_there(const char *path) {
    VSIStatBufL stat;
    return VSIStatL(path, &stat) == 0;
}

/* A file is updated in the format that it has; another one can only replace it. */
static bool check_format(const char *path, const char *format) {
    GDALDriverH driver = format ? GDALIdentifyDriver(path, NULL) : NULL;
    if (!driver || EQUAL(GDALGetDriverShortName(driver), format)) return true;
    CPLError(CE_Failure, CPLE_IllegalArg,
             "%s exists and is a %s file: use --overwrite to make it %s", path,
             GDALGetDriverShortName(driver), format);
    return false;
}

static bool is_new_file(const predt__files *files) {
    return files->overwrite || files->overwrite_all ||
           CSLFetchBoolean(files->creation_options, "APPEND_SUBDATASET", FALSE);
}

/* As in gdal_proximity, a destination that exists is updated. A band to update in a file that does
 * not exist is left for the job to refuse. */
static bool plan_update(predt__files *files, int dst_band) {
    predt__output *output = &files->outputs[PREDT__DISTANCE];
    if (!output->path || is_new_file(files)) return true;
    if (!is_there(output->path)) {
        output->update_band = dst_band > 1 ? dst_band : 0;
        return true;
    }
    output->update_band = dst_band ? dst_band : 1;
    return check_format(output->path, files->format);
}

static int exit_status(predt__job_status status) {
    if (status != PREDT__JOB_STOPPED) return status == PREDT__JOB_DONE ? EXIT_DONE : EXIT_FAILED;
    fprintf(stderr, "gdal_predt: interrupted\n");
    return EXIT_INTERRUPTED;
}

static int run(predt__arguments *arguments) {
    predt__report report;
    predt__job *job = &arguments->job;
    job->machine.log = log_line;
    job->machine.own_process = true;
    job->progress = arguments->quiet ? silent_progress : terminal_progress;
    if (!plan_update(&job->files, arguments->dst_band)) return EXIT_FAILED;
    predt__job_status status = predt__job_run(job, &report);
    end_progress_line();
    if (status != PREDT__JOB_DONE) return exit_status(status);
    if (arguments->json) print_summary(arguments, &report);
    return fflush(stdout) == 0 ? EXIT_DONE : EXIT_FAILED;
}

static int act(int argc, char **argv) {
    predt__arguments arguments = predt__default_arguments();
    int status = EXIT_DONE;
    if (!parse_arguments(argc, argv, &arguments)) status = EXIT_USAGE;
    else if (arguments.help) print_help();
    else if (arguments.version)
        printf("gdal_predt %s, %s\n", predt_version(), GDALVersionInfo("--version"));
    else if (arguments.engines) print_engines();
    else status = run(&arguments);
    predt__free_arguments(&arguments);
    return status;
}

/* GDAL would answer --version with its own. */
static bool asks_version(int argc, char **argv) {
    return argc == 2 && strcmp(argv[1], "--version") == 0;
}

/* GDAL's general options are taken out. Newer GDALs (seen in 3.10) go on without an argument that
 * there is no memory for. */
static int take_general_options(int argc, char ***arguments) {
    CPLErrorReset();
    int left = GDALGeneralCmdLineProcessor(argc, arguments, 0);
    return CPLGetLastErrorNo() == CPLE_OutOfMemory ? -1 : left;
}

int main(int argc, char **argv) {
    char **arguments = argv;
    watch_signals();
    CPLSetErrorHandler(show_message);
    GDALAllRegister();
    if (!asks_version(argc, argv)) argc = take_general_options(argc, &arguments);
    if (argc < 1) return argc == 0 ? EXIT_DONE : EXIT_USAGE;
    int status = act(argc, arguments);
    if (arguments != argv) CSLDestroy(arguments);
    GDALDestroyDriverManager();
    return status;
}
