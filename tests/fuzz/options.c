/* Option vectors of the command, and the job that they describe: arguments are the lines of the
 * input. What is accepted runs on a small raster in memory, with the paths, the threads and the
 * memory of the fuzzer's own choice. */
#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <stdlib.h>
#include <string.h>

#include "../../cli/cli.h"
#include "fuzz.h"

#define OUT "/vsimem/out/"

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    fuzz_gdal();
    fuzz_make_source();
    return 0;
}

/* The text holds the lines; nothing is copied, as in a real argv. */
static int split(char *text, char **argv, int most) {
    int argc = 0;
    argv[argc++] = "gdal_predt";
    for (char *line = text; line && argc < most;) {
        char *end = strchr(line, '\n');
        if (end) *end++ = 0;
        argv[argc++] = line;
        line = end;
    }
    argv[argc] = NULL;
    return argc;
}

static void move_output(predt__output *output, const char *path) {
    if (output->path) output->path = path;
}

static void run(predt__arguments *arguments) {
    predt__job *job = &arguments->job;
    predt__report report;
    job->request.source = "/vsimem/in.tif";
    move_output(&job->files.outputs[PREDT__DISTANCE], OUT "d.tif");
    move_output(&job->files.outputs[PREDT__ALLOCATION], OUT "a.tif");
    move_output(&job->files.outputs[PREDT__DIRECTION], OUT "r.tif");
    job->files.outputs[PREDT__DISTANCE].update_band =
        arguments->dst_band > 1 ? arguments->dst_band : 0;
    job->machine.threads = 2;
    job->machine.memory = 32 << 20;
    job->files.format =
        job->files.format && GDALGetDriverByName(job->files.format) ? job->files.format : NULL;
    CPLErrorReset();
    predt__job_status status = predt__job_run(job, &report);
    if (status == PREDT__JOB_STOPPED) fuzz_fault("nobody has stopped the job");
    if (status == PREDT__JOB_FAILED && CPLGetLastErrorType() != CE_Failure)
        fuzz_fault("a job failed without a word");
    VSIStatBufL found;
    bool is_file = !job->files.format || EQUAL(job->files.format, "GTiff");
    if (status == PREDT__JOB_DONE && is_file && job->files.outputs[PREDT__DISTANCE].path &&
        VSIStatL(OUT "d.tif", &found) != 0)
        fuzz_fault("a job is done and its output is not there");
    if (status == PREDT__JOB_FAILED && is_file && VSIStatL(OUT "d.tif", &found) == 0)
        fuzz_fault("a job failed and there is an output");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size), *argv[66];
    predt__arguments arguments = predt__default_arguments();
    int argc = split(text, argv, 64);
    bool good = parse_arguments(argc, argv, &arguments);
    if (good && arguments.job.request.source) run(&arguments);
    predt__free_arguments(&arguments);
    VSIRmdirRecursive(OUT);
    VSIMkdir("/vsimem/out", 0755);
    free(text);
    return 0;
}
