#include "option_words.h"

#include <cpl_string.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "words.h"

static const char *nth_type(int n) {
    GDALDataType unused;
    for (int type = 1; type < GDT_TypeCount; type++) {
        const char *name = GDALGetDataTypeName((GDALDataType)type);
        if (name && predt__type_from_text(name, &unused) && n-- == 0) return name;
    }
    return NULL;
}

const char *predt__option_choice(const predt__option *option, int i) {
    static const char *const yes_no[] = {"YES", "NO", NULL};
    switch (option->kind) {
    case PREDT__OPTION_YES_NO:
        return yes_no[i];
    case PREDT__OPTION_TYPE:
        return nth_type(i);
    case PREDT__OPTION_UNIT:
        return predt__unit_name(i);
    case PREDT__OPTION_SURFACE:
        return predt__surface_name(i);
    case PREDT__OPTION_PRODUCT:
        return i < PREDT__PRODUCTS ? predt__product_name((predt__product)i) : NULL;
    default:
        return NULL;
    }
}

static void append(char *words, const char *text) {
    strncat(words, text, PREDT__OPTION_SAYS - strlen(words) - 1);
}

/* "A, B or C" */
static void append_choices(const predt__option *option, char *words) {
    for (int i = 0; predt__option_choice(option, i); i++) {
        bool is_last = !predt__option_choice(option, i + 1);
        append(words, i == 0 ? "" : is_last ? " or " : ", ");
        append(words, predt__option_choice(option, i));
    }
}

static const char *kind_words(predt__option_kind kind) {
    switch (kind) {
    case PREDT__OPTION_FILE:
        return "a file";
    case PREDT__OPTION_ONE_FILE:
        return "one file";
    case PREDT__OPTION_PAIR:
        return "NAME=VALUE";
    case PREDT__OPTION_WHOLE:
    case PREDT__OPTION_THREADS:
        return "a whole number";
    case PREDT__OPTION_NUMBER:
    case PREDT__OPTION_FIXED:
        return "a number";
    case PREDT__OPTION_NODATA:
        return "a number, or nan";
    case PREDT__OPTION_SIZE:
        return "a size, as 512M or 4G";
    default:
        return "";
    }
}

static bool has_min(const predt__option *option) {
    return (option->kind == PREDT__OPTION_WHOLE || option->kind == PREDT__OPTION_THREADS ||
            option->kind == PREDT__OPTION_NUMBER) &&
           !isinf(option->min);
}

const char *predt__option_takes(const predt__option *option, char *words) {
    CPLStrlcpy(words, kind_words(option->kind), PREDT__OPTION_SAYS);
    if (has_min(option)) append(words, CPLSPrintf(" from %.0f on", option->min));
    if (option->kind == PREDT__OPTION_THREADS) append(words, ", or ALL_CPUS");
    append_choices(option, words);
    return words;
}

const char *predt__option_help(const predt__option *option, char *words) {
    const char *preset = option->preset_words ? option->preset_words : option->preset;
    CPLStrlcpy(words, option->help, PREDT__OPTION_SAYS);
    if (predt__option_choice(option, 0) && option->kind != PREDT__OPTION_YES_NO) {
        append(words, ": ");
        append_choices(option, words);
    }
    if (!preset) return words;
    append(words, option->preset_words ? " (default: " : " (default ");
    append(words, preset);
    append(words, ")");
    return words;
}
