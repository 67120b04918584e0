#include <stdio.h>

#include "cli.h"

void print_engines(void) {
    predt_engine_info info;
    printf("%-14s %-6s %-10s %s\n", "engine", "exact", "available", "what it is");
    for (int i = 0; predt_engine_at(i, &info) == PREDT_OK; i++) {
        printf("%-14s %-6s %-10s %s", info.name, info.exact ? "yes" : "no", info.unavailable ? "no" : "yes", info.summary);
        if (info.unavailable) printf(" (%s)", info.unavailable);
        putchar('\n');
    }
}
