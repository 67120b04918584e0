/* The JSON object that -json prints. */
#include <cpl_string.h>
#include <inttypes.h>
#include <stdio.h>

#include "cli.h"

/* As a JSON string, which may hold UTF-8 as it is. */
static void print_text(const char *text) {
    putchar('"');
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\') printf("\\%c", *c);
        else if (*c < ' ') printf("\\u%04x", *c);
        else putchar(*c);
    }
    putchar('"');
}

static void print_path(const char *name, const predt__output *output, const char **separator) {
    if (!output->path) return;
    printf("%s\"%s\": ", *separator, name);
    print_text(output->path);
    *separator = ", ";
}

static void print_farthest(const predt__report *report) {
    char value[40];
    if (report->farthest < 0) {
        printf("  \"max_distance\": null,\n");
        return;
    }
    CPLsnprintf(value, sizeof value, "%.17g", report->farthest);
    printf("  \"max_distance\": {\"value\": %s, \"col\": %" PRId64 ", \"row\": %" PRId64 "},\n",
           value, report->farthest_col, report->farthest_row);
}

static void print_metric(const predt__report *report) {
    const char *ellipsoid = report->ellipsoid;
    printf("  \"metric\": \"%s\",\n", *ellipsoid ? "geodesic" : "plane");
    if (!*ellipsoid) return;
    printf("  \"ellipsoid\": ");
    print_text(ellipsoid);
    printf(",\n");
}

void print_summary(const predt__arguments *arguments, const predt__report *report) {
    const predt__job *job = &arguments->job;
    const char *separator = "";
    printf("{\n  \"version\": \"%s\",\n  \"source\": ", predt_version());
    print_text(job->request.source);
    printf(",\n  \"outputs\": {");
    for (int product = 0; product < PREDT__PRODUCTS; product++)
        print_path(predt__product_name((predt__product)product), &job->files.outputs[product],
                   &separator);
    printf("},\n  \"width\": %" PRId64 ",\n  \"height\": %" PRId64 ",\n  \"targets\": %" PRId64
           ",\n",
           report->width, report->height, report->targets);
    printf("  \"unit\": ");
    print_text(arguments->unit_name ? arguments->unit_name
                                    : predt__unit_name((int)job->request.unit));
    printf(",\n");
    print_metric(report);
    print_farthest(report);
    printf("  \"engine\": ");
    print_text(report->engine);
    printf(
        ",\n  \"seconds\": {\"index\": %.6f, \"solve\": %.6f, \"write\": %.6f, \"total\": %.6f},\n",
        report->seconds.index, report->seconds.solve, report->seconds.write, report->seconds.total);
    printf("  \"bytes\": {\"read\": %" PRId64 ", \"written\": %" PRId64 "}\n}\n",
           report->bytes_read, report->bytes_written);
}
