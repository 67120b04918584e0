/* The table that -engines prints: every engine, whether it can run here, and its settings. */
#include <stdio.h>
#include <string.h>

#include "cli.h"

/* The word at this position in a list that is separated by '|'. */
static void print_word(const char *words, int64_t position) {
    for (; position > 0; position--) words += strcspn(words, "|") + 1;
    printf(" (default %.*s)\n", (int)strcspn(words, "|"), words);
}

static void print_setting(const predt_setting *setting) {
    printf("    %s=", setting->key);
    if (setting->words) printf("%s", setting->words);
    else printf("%lld..%lld", (long long)setting->min, (long long)setting->max);
    printf("  %s", setting->summary);
    if (setting->words) print_word(setting->words, setting->default_value);
    else printf(" (default %lld)\n", (long long)setting->default_value);
}

void print_engines(void) {
    predt_engine_info info = PREDT_ENGINE_INFO_INIT;
    printf("%-18s %-6s %-10s %s\n", "engine", "exact", "available", "what it is");
    for (int i = 0; predt_engine_at(i, &info) == PREDT_OK; i++) {
        printf("%-18s %-6s %-10s %s", info.name, info.exact ? "yes" : "no",
               info.unavailable ? "no" : "yes", info.summary);
        if (info.unavailable) printf(" (%s)", info.unavailable);
        putchar('\n');
        for (const predt_setting *const *at = info.settings; at && *at; at++) print_setting(*at);
    }
}
