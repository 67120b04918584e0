/* The command's arguments: options by the table of src/raster/options.h, file names, and what does
 * not go together; and the help, which is that table in print. */
#include <cpl_conv.h>
#include <cpl_string.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "option_words.h"
#include "words.h"

/* ---- Help ---- */

#define HELP_WIDTH 64

/* Dashes as users of gdal_proximity and of `gdal raster proximity` know them: one for the preferred
 * spelling, for a letter and for a spelling with '_', two for the others. */
static const char *dashes(const char *name, bool is_first) {
    return is_first || strlen(name) <= 2 || strchr(name, '_') ? "-" : "--";
}

static void print_names(const predt__option *option) {
    char **names = CSLTokenizeString(option->names.command);
    for (int i = 0; names[i]; i++)
        printf("%s%s%s", i ? ", " : "  ", dashes(names[i], i == 0), names[i]);
    printf("%s%s\n", option->value ? " " : "", option->value ? option->value : "");
    CSLDestroy(names);
}

static void print_wrapped(const char *text) {
    char **words = CSLTokenizeString2(text, " ", 0);
    size_t width = 0;
    for (int i = 0; words[i]; i++) {
        bool fits = width && width + 1 + strlen(words[i]) <= HELP_WIDTH;
        printf("%s%s", fits ? " " : width ? "\n        " : "        ", words[i]);
        width = (fits ? width + 1 : 0) + strlen(words[i]);
    }
    putchar('\n');
    CSLDestroy(words);
}

void print_help(void) {
    char help[PREDT__OPTION_SAYS];
    const predt__option *option;
    printf("Usage: gdal_predt [options] <src> [<dst>]\n\n"
           "Exact distance from each pixel to the nearest target pixel, and which target that is.\n"
           "dst may be left out when another output is named. A dst that exists and lies on the\n"
           "source's grid is updated, unless --overwrite is given.\n\n"
           "Options (each takes one dash or two):\n");
    for (int i = 0; (option = predt__option_at(i)) != NULL; i++) {
        if (!option->names.command) continue;
        print_names(option);
        print_wrapped(predt__option_help(option, help));
    }
    printf("  --config KEY VALUE, --formats, --format NAME, --debug ON, --optfile FILE\n"
           "        as in every GDAL command\n\n"
           "Exit status: 0 done, 1 failed, 2 usage error, 130 stopped by a signal.\n");
}

/* ---- Parsing ---- */

static bool usage(const char *what, const char *which) {
    char shown[PREDT__SHOWN];
    CPLError(CE_Failure, CPLE_IllegalArg, "%s%s (try --help)", what, predt__shown(which, shown));
    return false;
}

static bool refuse_value(const predt__option *option, const char *argument, const char *value) {
    char shown[PREDT__SHOWN], name[PREDT__SHOWN], takes[PREDT__OPTION_SAYS];
    predt__option_takes(option, takes);
    CPLError(CE_Failure, CPLE_IllegalArg, "%.*s does not take '%s'%s%s (try --help)",
             (int)strcspn(argument, "="), predt__shown(argument, name), predt__shown(value, shown),
             *takes ? ": it takes " : "", takes);
    return false;
}

static bool has_two_dashes(const char *argument) { return STARTS_WITH(argument, "--"); }

static const predt__option *find_option(const char *argument) {
    const char *name = argument + (has_two_dashes(argument) ? 2 : 1);
    size_t length = has_two_dashes(argument) ? strcspn(name, "=") : strlen(name); /* --name=value */
    return predt__option_of_command(name, length);
}

static bool take_option(predt__arguments *arguments, int argc, char **argv, int *at) {
    const char *argument = argv[*at], *value = NULL;
    const predt__option *option = find_option(argument);
    if (!option) return usage("unknown option ", argument);
    const char *equals = has_two_dashes(argument) ? strchr(argument, '=') : NULL;
    if (equals && !option->value) return usage("no value is taken by ", argument);
    if (option->value) value = equals ? equals + 1 : *at + 1 < argc ? argv[++*at] : NULL;
    if (option->value && !value) return usage("a value is missing after ", argument);
    if (option->kind == PREDT__OPTION_UNIT) arguments->unit_name = value;
    return predt__option_read(option, value, arguments) || refuse_value(option, argument, value);
}

static bool take_path(predt__job *job, const char *path) {
    if (!*path) return usage("a file name is empty", "");
    if (!job->request.source) return (job->request.source = path) != NULL;
    if (!job->files.outputs[PREDT__DISTANCE].path)
        return (job->files.outputs[PREDT__DISTANCE].path = path) != NULL;
    return usage("too many file names: ", path);
}

static bool has_output(const predt__files *files) {
    for (int product = 0; product < PREDT__PRODUCTS; product++)
        if (files->outputs[product].path) return true;
    return false;
}

static bool check_together(const predt__arguments *arguments) {
    const predt__request *request = &arguments->job.request;
    const predt__files *files = &arguments->job.files;
    if (!request->source) return usage("no source is named", "");
    if (!has_output(files)) return usage("no output is named", "");
    if (request->min_distance > request->max_distance)
        return usage("-min-dist is larger than -maxdist", "");
    if (arguments->dst_band > 0 && (files->overwrite || files->overwrite_all))
        return usage("-dstband updates a file and --overwrite replaces it", "");
    return true;
}

bool parse_arguments(int argc, char **argv, predt__arguments *arguments) {
    bool only_files = false;
    for (int i = 1; i < argc; i++) {
        bool is_option = !only_files && argv[i][0] == '-' && argv[i][1];
        if (is_option && strcmp(argv[i], "--") == 0) only_files = true;
        else if (!(is_option ? take_option(arguments, argc, argv, &i)
                             : take_path(&arguments->job, argv[i])))
            return false;
    }
    return arguments->help || arguments->version || arguments->engines || check_together(arguments);
}
