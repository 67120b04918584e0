/* What follows an engine's name: NAME:KEY=VALUE,KEY=VALUE. */
#include <stdlib.h>
#include <string.h>

#include "context.h"

/* One KEY=VALUE of the text; points into it. */
typedef struct told {
    const char *key, *value;
    int key_length, value_length;
} told;

/* Takes the first one off the text; returns what follows it, NULL at the end. */
static const char *take(const char *text, told *told) {
    size_t length = strcspn(text, ","), key = strcspn(text, "=,");
    *told = (struct told){text, key < length ? text + key + 1 : text + length, (int)key, 0};
    told->value_length = (int)(text + length - told->value);
    return text[length] ? text + length + 1 : NULL;
}

static bool same(const char *word, int word_length, const char *text, int length) {
    return word_length == length && strncmp(word, text, (size_t)length) == 0;
}

/* Position of the word in the list; -1: it is not there. */
static int64_t position_of(const char *words, const told *told) {
    for (int64_t position = 0;; position++) {
        int length = (int)strcspn(words, "|");
        if (same(words, length, told->value, told->value_length)) return position;
        if (!words[length]) return -1;
        words += length + 1;
    }
}

static bool read(const predt_setting *setting, const told *told, int64_t *value) {
    char *end;
    if (setting->words) return (*value = position_of(setting->words, told)) >= 0;
    if (told->value_length == 0 || told->value_length > 18 ||
        strspn(told->value, "0123456789") < (size_t)told->value_length)
        return false;
    *value = strtoll(told->value, &end, 10);
    return *value >= setting->min && *value <= setting->max;
}

static const predt_setting *find(const predt__engine *engine, const told *told) {
    for (const predt_setting *const *at = engine->settings; at && *at; at++)
        if (same((*at)->key, (int)strlen((*at)->key), told->key, told->key_length)) return *at;
    return NULL;
}

static predt_status refuse_value(predt_ctx *ctx, const predt__engine *engine,
                                 const predt_setting *setting, const told *told) {
    if (setting->words)
        return predt__fail(ctx, PREDT_ERROR_ARGUMENT, "engine %s: %s is one of %s, not '%.*s'",
                           engine->name, setting->key, setting->words, told->value_length,
                           told->value);
    return predt__fail(ctx, PREDT_ERROR_ARGUMENT,
                       "engine %s: %s is a number from %lld to %lld, not '%.*s'", engine->name,
                       setting->key, (long long)setting->min, (long long)setting->max,
                       told->value_length, told->value);
}

predt_status predt__settings_check(predt_ctx *ctx, const predt__engine *engine, const char *text) {
    while (text) { /* "name:" has one setting, without a key */
        told told;
        int64_t unused;
        text = take(text, &told);
        const predt_setting *setting = find(engine, &told);
        if (!setting)
            return predt__fail(ctx, PREDT_ERROR_ARGUMENT, "engine %s has no setting '%.*s'",
                               engine->name, told.key_length, told.key);
        if (!read(setting, &told, &unused)) return refuse_value(ctx, engine, setting, &told);
    }
    return PREDT_OK;
}

/* The last one wins. */
int64_t predt__setting(const predt_ctx *ctx, const predt_setting *setting) {
    int64_t value = setting->default_value;
    for (const char *text = ctx->settings; text;) {
        told told;
        text = take(text, &told);
        if (same(setting->key, (int)strlen(setting->key), told.key, told.key_length))
            read(setting, &told, &value);
    }
    return value;
}
