/* Prints the table of options as JSON, for generated.py. */
#include <math.h>
#include <stdio.h>

#include "option_words.h"
#include "options.h"

static void print_text(const char *text) {
    if (!text) {
        fputs("null", stdout);
        return;
    }
    putchar('"');
    for (; *text; text++) printf(*text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    putchar('"');
}

static void print_member(const char *name, const char *text) {
    printf(", \"%s\": ", name);
    print_text(text);
}

static const char *kind_name(predt__option_kind kind) {
    static const char *const names[] = {
        [PREDT__OPTION_FLAG] = "flag",       [PREDT__OPTION_TEXT] = "text",
        [PREDT__OPTION_LIST] = "list",       [PREDT__OPTION_FILE] = "file",
        [PREDT__OPTION_ONE_FILE] = "file",   [PREDT__OPTION_PAIR] = "pair",
        [PREDT__OPTION_WHOLE] = "whole",     [PREDT__OPTION_NUMBER] = "number",
        [PREDT__OPTION_FIXED] = "number",    [PREDT__OPTION_NODATA] = "nodata",
        [PREDT__OPTION_YES_NO] = "yes_no",   [PREDT__OPTION_SIZE] = "size",
        [PREDT__OPTION_THREADS] = "threads", [PREDT__OPTION_TYPE] = "type",
        [PREDT__OPTION_UNIT] = "choice",     [PREDT__OPTION_SURFACE] = "choice",
        [PREDT__OPTION_PRODUCT] = "choice",
    };
    return names[kind];
}

/* Types that only newer GDALs have would make the answer depend on the GDAL in use. */
static bool is_in_every_gdal(const predt__option *option, const char *choice) {
    return option->kind != PREDT__OPTION_TYPE || GDALGetDataTypeByName(choice) <= GDT_Int64;
}

static void print_choices(const predt__option *option) {
    const char *choice, *separator = "";
    printf(", \"choices\": [");
    for (int i = 0; (choice = predt__option_choice(option, i)) != NULL; i++) {
        if (!is_in_every_gdal(option, choice)) continue;
        fputs(separator, stdout);
        print_text(choice);
        separator = ", ";
    }
    putchar(']');
}

static void print_products(const predt__option *option) {
    const char *separator = "";
    printf(", \"products\": [");
    for (int product = 0; product < PREDT__PRODUCTS; product++) {
        if (!(option->products & 1U << product)) continue;
        fputs(separator, stdout);
        print_text(predt__product_name((predt__product)product));
        separator = ", ";
    }
    putchar(']');
}

static void print_option(const predt__option *option) {
    printf("{\"kind\": \"%s\"", kind_name(option->kind));
    print_member("command", option->names.command);
    print_member("driver", option->names.driver);
    print_member("algorithm", option->names.algorithm);
    print_member("value", option->value);
    print_member("preset", option->preset);
    print_member("preset_words", option->preset_words);
    print_member("help", option->help);
    if (isinf(option->min)) printf(", \"min\": null");
    else printf(", \"min\": %g", option->min);
    print_choices(option);
    print_products(option);
    printf("}");
}

int main(void) {
    const predt__option *option;
    for (int i = 0; (option = predt__option_at(i)) != NULL; i++) {
        fputs(i ? ",\n " : "[", stdout);
        print_option(option);
    }
    puts("]");
    return 0;
}
