#include "options.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "option_table.h"
#include "words.h"

static const char all_cpus[] = "ALL_CPUS";

const char *predt__product_name(predt__product product) {
    static const char *const names[PREDT__PRODUCTS] = {
        [PREDT__DISTANCE] = "distance",
        [PREDT__ALLOCATION] = "allocation",
        [PREDT__DIRECTION] = "direction",
    };
    return names[product];
}

/* ---- Looking up ---- */

const predt__option *predt__option_at(int i) {
    return i < predt__option_count ? &predt__option_table[i] : NULL;
}

typedef bool equals(const char *name, size_t size, const char *wanted, size_t length);

static bool is_same(const char *name, size_t size, const char *wanted, size_t length) {
    return size == length && memcmp(name, wanted, length) == 0;
}

/* The next letter that counts, in lower case; 0 at the end. */
static int next_letter(const char **at, const char *end) {
    while (*at < end && (**at == '-' || **at == '_')) (*at)++;
    return *at < end ? tolower((unsigned char)*(*at)++) : 0;
}

/* But for case, '-' and '_'. */
static bool is_alike(const char *name, size_t size, const char *wanted, size_t length) {
    const char *end = name + size, *wanted_end = wanted + length;
    for (;;) {
        int a = next_letter(&name, end), b = next_letter(&wanted, wanted_end);
        if (a != b) return false;
        if (!a) return true;
    }
}

static bool is_among(const char *names, const char *wanted, size_t length, equals *equal) {
    for (const char *at = names; at && *at;) {
        size_t size = strcspn(at, " ");
        if (equal(at, size, wanted, length)) return true;
        at += size + (at[size] == ' ');
    }
    return false;
}

const predt__option *predt__option_of_command(const char *name, size_t length) {
    const predt__option *option;
    for (int i = 0; (option = predt__option_at(i)) != NULL; i++)
        if (is_among(option->names.command, name, length, is_same)) return option;
    return NULL;
}

const predt__option *predt__option_of_driver(const char *name) {
    const predt__option *option;
    size_t length = strlen(name);
    for (int i = 0; (option = predt__option_at(i)) != NULL; i++)
        if (option->names.driver && (is_among(option->names.driver, name, length, is_alike) ||
                                     is_among(option->names.command, name, length, is_alike)))
            return option;
    return NULL;
}

/* ---- Reading: one function for each kind ---- */

typedef bool read_function(const predt__option *option, const char *text, void *kept);

static bool read_flag(const predt__option *option, const char *text, void *kept) {
    (void)option, (void)text;
    return *(bool *)kept = true;
}

static bool read_list(const predt__option *option, const char *text, void *kept) {
    (void)option;
    *(const char **)kept = text;
    return true;
}

static bool read_text(const predt__option *option, const char *text, void *kept) {
    return read_list(option, text, kept) && *text;
}

static bool read_one_file(const predt__option *option, const char *text, void *kept) {
    const char *before = *(const char **)kept;
    return (!before || strcmp(before, text) == 0) && read_text(option, text, kept);
}

static bool read_pair(const predt__option *option, const char *text, void *kept) {
    (void)option;
    char ***list = kept;
    *list = CSLAddString(*list, text);
    return strchr(text, '=') != NULL;
}

static bool read_whole(const predt__option *option, const char *text, void *kept) {
    return predt__whole_from_text(text, (int)option->min, kept);
}

static bool read_number(const predt__option *option, const char *text, void *kept) {
    double *number = kept;
    return predt__number_from_text(text, number) && *number >= option->min;
}

static bool read_fixed(const predt__option *option, const char *text, void *kept) {
    predt__request *request = kept;
    request->fixed = true;
    return read_number(option, text, &request->fixed_value);
}

static bool read_nodata(const predt__option *option, const char *text, void *kept) {
    return read_list(option, text, kept) && predt__nodata_from_text(text);
}

static bool read_yes_no(const predt__option *option, const char *text, void *kept) {
    (void)option;
    return predt__yes_or_no_from_text(text, kept);
}

static bool read_size(const predt__option *option, const char *text, void *kept) {
    (void)option;
    return predt__size_from_text(text, kept);
}

static bool read_threads(const predt__option *option, const char *text, void *kept) {
    *(int *)kept = 0;
    return EQUAL(text, all_cpus) || read_whole(option, text, kept);
}

static bool read_type(const predt__option *option, const char *text, void *kept) {
    (void)option;
    return predt__type_from_text(text, kept);
}

static bool read_unit(const predt__option *option, const char *text, void *kept) {
    (void)option;
    return predt__unit_from_name(text, kept);
}

static bool read_surface(const predt__option *option, const char *text, void *kept) {
    (void)option;
    return predt__surface_from_name(text, kept);
}

static bool read_product(const predt__option *option, const char *text, void *kept) {
    (void)option;
    for (int product = 0; product < PREDT__PRODUCTS; product++)
        if (EQUAL(text, predt__product_name((predt__product)product)))
            return *(predt__product *)kept = (predt__product)product, true;
    return false;
}

bool predt__option_read(const predt__option *option, const char *text,
                        predt__arguments *arguments) {
    static read_function *const functions[] = {
        [PREDT__OPTION_FLAG] = read_flag,         [PREDT__OPTION_TEXT] = read_text,
        [PREDT__OPTION_LIST] = read_list,         [PREDT__OPTION_FILE] = read_text,
        [PREDT__OPTION_ONE_FILE] = read_one_file, [PREDT__OPTION_PAIR] = read_pair,
        [PREDT__OPTION_WHOLE] = read_whole,       [PREDT__OPTION_NUMBER] = read_number,
        [PREDT__OPTION_FIXED] = read_fixed,       [PREDT__OPTION_NODATA] = read_nodata,
        [PREDT__OPTION_YES_NO] = read_yes_no,     [PREDT__OPTION_SIZE] = read_size,
        [PREDT__OPTION_THREADS] = read_threads,   [PREDT__OPTION_TYPE] = read_type,
        [PREDT__OPTION_UNIT] = read_unit,         [PREDT__OPTION_SURFACE] = read_surface,
        [PREDT__OPTION_PRODUCT] = read_product,
    };
    return functions[option->kind](option, text, (char *)arguments + option->offset);
}

predt__arguments predt__default_arguments(void) {
    predt__arguments arguments = {0};
    const predt__option *option;
    for (int i = 0; (option = predt__option_at(i)) != NULL; i++)
        if (option->preset && !option->is_implied)
            predt__option_read(option, option->preset, &arguments);
    return arguments;
}

void predt__free_arguments(predt__arguments *arguments) {
    CSLDestroy(arguments->job.files.creation_options);
    arguments->job.files.creation_options = NULL;
}
