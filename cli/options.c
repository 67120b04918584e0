#include <cpl_conv.h>
#include <cpl_string.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "words.h"

typedef struct parse_state {
    command_line *command;
    predt__job *job;
} parse_state;

typedef bool (*take)(parse_state *context, const char *value);

/* ---- One function for each option that takes a value; false: the value makes no sense ---- */

static bool take_src_band(parse_state *c, const char *v) {
    return predt__whole_from_text(v, 1, &c->job->request.band);
}
static bool take_dst_band(parse_state *c, const char *v) {
    return predt__whole_from_text(v, 1, &c->command->dst_band);
}
static bool take_format(parse_state *c, const char *v) {
    return (c->job->files.format = v) != NULL;
}
static bool take_values(parse_state *c, const char *v) {
    return (c->job->request.values = v) != NULL;
}
static bool take_nodata(parse_state *c, const char *v) {
    return predt__nodata_from_text(c->job->request.nodata = v);
}
static bool take_allocation(parse_state *c, const char *v) {
    return *(c->job->files.outputs[PREDT__ALLOCATION].path = v) != 0;
}
static bool take_direction(parse_state *c, const char *v) {
    return *(c->job->files.outputs[PREDT__DIRECTION].path = v) != 0;
}
static bool take_engine(parse_state *c, const char *v) {
    return (c->job->machine.engine = v) != NULL;
}
static bool take_input_nodata(parse_state *c, const char *v) {
    return predt__yes_or_no_from_text(v, &c->job->request.use_input_nodata);
}

static bool take_max(parse_state *c, const char *v) {
    return predt__length_from_text(v, &c->job->request.max_distance);
}
static bool take_min(parse_state *c, const char *v) {
    return predt__length_from_text(v, &c->job->request.min_distance);
}

static bool take_distance(parse_state *c, const char *v) {
    if (c->job->files.outputs[PREDT__DISTANCE].path &&
        strcmp(c->job->files.outputs[PREDT__DISTANCE].path, v) != 0)
        return false;
    return *(c->job->files.outputs[PREDT__DISTANCE].path = v) != 0;
}

static bool take_creation_option(parse_state *c, const char *v) {
    c->job->files.creation_options = CSLAddString(c->job->files.creation_options, v);
    return strchr(v, '=') != NULL;
}

static bool take_type(parse_state *c, const char *v) {
    return predt__type_from_text(v, &c->job->request.type);
}

static bool take_unit(parse_state *c, const char *v) {
    c->command->unit_name = v;
    return predt__unit_from_name(v, &c->job->request.unit);
}

static bool take_fixed(parse_state *c, const char *v) {
    c->job->request.fixed = true;
    return predt__number_from_text(v, &c->job->request.fixed_value);
}

static bool take_threads(parse_state *c, const char *v) {
    c->job->machine.threads = 0;
    return EQUAL(v, "ALL_CPUS") || predt__whole_from_text(v, 1, &c->job->machine.threads);
}

static bool take_device(parse_state *c, const char *v) {
    return predt__whole_from_text(v, 0, &c->job->machine.device);
}

static bool take_memory(parse_state *c, const char *v) {
    return predt__size_from_text(v, &c->job->machine.memory);
}
static bool take_gpu_memory(parse_state *c, const char *v) {
    return predt__size_from_text(v, &c->job->machine.gpu_memory);
}

static bool set_overwrite(parse_state *c, const char *v) {
    return (void)v, c->job->files.overwrite = true;
}
static bool set_overwrite_all(parse_state *c, const char *v) {
    return (void)v, c->job->files.overwrite_all = true;
}
static bool set_quiet(parse_state *c, const char *v) { return (void)v, c->command->quiet = true; }
static bool set_json(parse_state *c, const char *v) { return (void)v, c->command->json = true; }
static bool set_engines(parse_state *c, const char *v) {
    return (void)v, c->command->engines = true;
}
static bool set_help(parse_state *c, const char *v) { return (void)v, c->command->help = true; }
static bool set_version(parse_state *c, const char *v) {
    return (void)v, c->command->version = true;
}

/* ---- The table ---- */

#define TYPES "" /* refuse_value adds those of this GDAL */

typedef struct option_row {
    const char *names; /* separated by spaces, without dashes; the first one is shown first */
    const char *value; /* what it takes; NULL: nothing */
    const char *words; /* the same in full, where the value alone does not say it; NULL: any text */
    take take;
    const char *help; /* lines after the first are set in */
} option_row;

static const option_row options[] = {
    {"srcband band b", "N", "a whole number from 1 on", take_src_band,
     "band of the source to read (default 1)"},
    {"dstband", "N", "a whole number from 1 on", take_dst_band,
     "band to update where dst exists (default 1)"},
    {"values target-values", "LIST", NULL, take_values,
     "target pixels: numbers, ranges 10:20 (both ends taken), 'nan'\nand 'notnodata', separated by "
     "commas\n"
     "(default: every pixel that is not zero, nodata or NaN)"},
    {"distunits distance-units", "UNIT", PREDT__UNIT_NAMES, take_unit,
     "PIXEL, GEO (the CRS's own unit), METRE, KM, FOOT, US_FOOT,\nMILE or NMI (default PIXEL)"},
    {"maxdist max-distance", "D", "a number from 0 on", take_max,
     "farther targets do not count; inclusive, in distance units\n(default: no limit)"},
    {"min-dist min-distance", "D", "a number from 0 on", take_min,
     "pixels nearer than this become nodata, in distance units\n(default 0)"},
    {"nodata output-nodata", "V", "a number, or nan", take_nodata,
     "nodata value of the distance (default: NaN, or the largest\nvalue of an integer type)"},
    {"use_input_nodata use-input-nodata", "YES|NO", "YES or NO", take_input_nodata,
     "nodata pixels of the source become nodata (default NO)"},
    {"fixed-buf-val fixed-value", "V", "a number", take_fixed,
     "write V where a target is in reach, instead of the distance"},
    {"distance", "FILE", "one file", take_distance, "distances; the same as dst"},
    {"allocation", "FILE", "a file", take_allocation,
     "value of the nearest target, in the source band's type"},
    {"direction", "FILE", "a file", take_direction,
     "direction to the nearest target: degrees clockwise from map\nnorth, up to 360, which is due "
     "north; 0 on a target (Float32)"},
    {"of f output-format", "NAME", NULL, take_format,
     "format of new outputs (default: by the file's extension, else\nGTiff)"},
    {"co creation-option", "NAME=VALUE", "NAME=VALUE", take_creation_option,
     "creation option of new outputs; may be repeated"},
    {"ot output-data-type", "TYPE", TYPES, take_type,
     "data type of a new distance raster (default Float32)"},
    {"overwrite", NULL, NULL, set_overwrite, "replace outputs that exist"},
    {"overwrite-all", NULL, NULL, set_overwrite_all,
     "the same, and other layers or rasters in their files go, too"},
    {"engine", "auto|NAME[:KEY=VALUE,...]", NULL, take_engine,
     "engine that solves (default auto), and its settings if it has any"},
    {"engines", NULL, NULL, set_engines, "list the engines and exit"},
    {"device", "N", "a whole number from 0 on", take_device,
     "CUDA device to use, counted from 0 (default 0)"},
    {"gpu-memory", "SIZE", "a size, as 512M or 4G", take_gpu_memory,
     "most memory to take on that device (default: what is free)"},
    {"threads", "N|ALL_CPUS", "a whole number from 1 on, or ALL_CPUS", take_threads,
     "threads (default ALL_CPUS)"},
    {"memory", "SIZE", "a size, as 512M or 4G", take_memory,
     "memory for index, strips and GDAL's block cache together, as\n512M or 4G; bytes without a "
     "suffix (default: a quarter of "
     "the\nRAM)"},
    {"json", NULL, NULL, set_json, "print a summary of the run to stdout as JSON"},
    {"q quiet", NULL, NULL, set_quiet, "no progress on stderr"},
    {"help h", NULL, NULL, set_help, "print this and exit"},
    {"version", NULL, NULL, set_version, "print the version and exit"},
};
#define OPTIONS (sizeof options / sizeof options[0])

static void print_names(const char *names, const char *value) {
    char **list = CSLTokenizeString(names), line[128] = "";
    for (int i = 0; list[i]; i++) {
        bool short_name = strlen(list[i]) <= 2 || strchr(list[i], '_') || i == 0;
        snprintf(line + strlen(line), sizeof line - strlen(line), "%s%s%s", i ? ", " : "",
                 short_name ? "-" : "--", list[i]);
    }
    printf("  %s%s%s\n", line, value ? " " : "", value ? value : "");
    CSLDestroy(list);
}

void print_help(void) {
    printf("Usage: gdal_predt [options] <src> [<dst>]\n\n"
           "Exact distance from each pixel to the nearest target pixel, and which target that is.\n"
           "dst may be left out when another output is named. A dst that exists and lies on the\n"
           "source's grid is updated, unless --overwrite is given.\n\n"
           "Options (each takes one dash or two):\n");
    for (size_t i = 0; i < OPTIONS; i++) {
        char **lines = CSLTokenizeString2(options[i].help, "\n", 0);
        print_names(options[i].names, options[i].value);
        for (int line = 0; lines[line]; line++) printf("        %s\n", lines[line]);
        CSLDestroy(lines);
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

static void list_types(char *text, size_t size) {
    GDALDataType unused;
    *text = 0;
    for (int type = 1; type < GDT_TypeCount; type++) {
        const char *name = GDALGetDataTypeName((GDALDataType)type);
        if (!name || !predt__type_from_text(name, &unused)) continue;
        if (*text) strncat(text, ", ", size - strlen(text) - 1);
        strncat(text, name, size - strlen(text) - 1);
    }
}

static bool refuse_value(const option_row *option, const char *name, const char *value) {
    char shown[PREDT__SHOWN], types[200] = "", name_shown[PREDT__SHOWN];
    const char *words = option->words ? option->words : "";
    if (option->take == take_type) list_types(types, sizeof types);
    CPLError(CE_Failure, CPLE_IllegalArg, "%.*s does not take '%s'%s%s%s (try --help)",
             (int)strcspn(name, "="), predt__shown(name, name_shown), predt__shown(value, shown),
             option->words ? ": it takes " : "", words, types);
    return false;
}

static bool named(const option_row *option, const char *name, size_t length) {
    for (const char *at = option->names; *at;) {
        size_t size = strcspn(at, " ");
        if (size == length && strncmp(at, name, length) == 0) return true;
        at += size + (at[size] == ' ');
    }
    return false;
}

static const option_row *find_option(const char *argument) {
    const char *name = argument + 1 + (argument[1] == '-');
    size_t length = argument[1] == '-' ? strcspn(name, "=") : strlen(name); /* --name=value */
    for (size_t i = 0; i < OPTIONS; i++)
        if (named(&options[i], name, length)) return &options[i];
    return NULL;
}

static bool take_option(parse_state *context, int argc, char **argv, int *at) {
    const char *argument = argv[*at], *value = NULL;
    const option_row *option = find_option(argument);
    if (!option) return usage("unknown option ", argument);
    const char *equals = STARTS_WITH(argument, "--") ? strchr(argument, '=') : NULL;
    if (equals && !option->value) return usage("no value is taken by ", argument);
    if (option->value) value = equals ? equals + 1 : *at + 1 < argc ? argv[++*at] : NULL;
    if (option->value && !value) return usage("a value is missing after ", argument);
    if (option->take(context, value)) return true;
    return refuse_value(option, argument, value);
}

static bool take_path(predt__job *job, const char *path) {
    if (!*path) return usage("a file name is empty", "");
    if (!job->request.source) return (job->request.source = path) != NULL;
    if (!job->files.outputs[PREDT__DISTANCE].path)
        return (job->files.outputs[PREDT__DISTANCE].path = path) != NULL;
    return usage("too many file names: ", path);
}

static bool check_together(const command_line *command, const predt__job *job) {
    if (!job->request.source) return usage("no source is named", "");
    if (!job->files.outputs[PREDT__DISTANCE].path && !job->files.outputs[PREDT__ALLOCATION].path &&
        !job->files.outputs[PREDT__DIRECTION].path)
        return usage("no output is named", "");
    if (job->request.min_distance > job->request.max_distance)
        return usage("-min-dist is larger than -maxdist", "");
    if (command->dst_band > 0 && (job->files.overwrite || job->files.overwrite_all))
        return usage("-dstband updates a file and --overwrite replaces it", "");
    return true;
}

bool parse_options(int argc, char **argv, command_line *command, predt__job *job) {
    parse_state context = {command, job};
    bool only_files = false;
    for (int i = 1; i < argc; i++) {
        bool is_option = !only_files && argv[i][0] == '-' && argv[i][1];
        if (is_option && strcmp(argv[i], "--") == 0) only_files = true;
        else if (!(is_option ? take_option(&context, argc, argv, &i) : take_path(job, argv[i])))
            return false;
    }
    return command->help || command->version || command->engines || check_together(command, job);
}

void free_options(predt__job *job) {
    CSLDestroy(job->files.creation_options);
    job->files.creation_options = NULL;
}
