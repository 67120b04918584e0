/* Reads KEY=VALUE pairs where they stand: nothing is copied or kept. */
#include "settings.h"

#include <stdlib.h>
#include <string.h>

#include "context.h"

/* One KEY=VALUE of the text; points into it. */
struct pair {
    const char *key, *value;
    int key_length, value_length;
};

/* Takes the first pair off the text; returns what follows it, NULL at the end. */
static const char *take(const char *text, struct pair *pair) {
    size_t length = strcspn(text, ","), key = strcspn(text, "=,");
    const char *end = text + length, *value = key < length ? text + key + 1 : end;
    *pair = (struct pair){text, value, (int)key, (int)(end - value)};
    return *end ? end + 1 : NULL;
}

static bool same(const char *word, int word_length, const char *text, int length) {
    return word_length == length && strncmp(word, text, (size_t)length) == 0;
}

/* Position of the word in the list; -1: it is not there. */
static int64_t position_of(const char *words, const struct pair *pair) {
    for (int64_t position = 0;; position++) {
        int length = (int)strcspn(words, "|");
        if (same(words, length, pair->value, pair->value_length)) return position;
        if (!words[length]) return -1;
        words += length + 1;
    }
}

static bool read(const predt_setting *setting, const struct pair *pair, int64_t *value) {
    char *end;
    if (setting->words) return (*value = position_of(setting->words, pair)) >= 0;
    if (pair->value_length == 0 || pair->value_length > 18 ||
        strspn(pair->value, "0123456789") < (size_t)pair->value_length)
        return false;
    *value = strtoll(pair->value, &end, 10);
    return *value >= setting->min && *value <= setting->max;
}

static const predt_setting *find(const predt__engine *engine, const struct pair *pair) {
    for (const predt_setting *const *at = engine->settings; at && *at; at++)
        if (same((*at)->key, (int)strlen((*at)->key), pair->key, pair->key_length)) return *at;
    return NULL;
}

static predt_status refuse_value(predt_ctx *ctx, const predt__engine *engine,
                                 const predt_setting *setting, const struct pair *pair) {
    if (setting->words)
        return predt__fail(ctx, PREDT_ERROR_ARGUMENT, "engine %s: %s is one of %s, not '%.*s'",
                           engine->name, setting->key, setting->words, pair->value_length,
                           pair->value);
    return predt__fail(ctx, PREDT_ERROR_ARGUMENT,
                       "engine %s: %s is a number from %lld to %lld, not '%.*s'", engine->name,
                       setting->key, (long long)setting->min, (long long)setting->max,
                       pair->value_length, pair->value);
}

predt_status predt__settings_check(predt_ctx *ctx, const predt__engine *engine, const char *text) {
    while (text) { /* "name:" has one setting, without a key */
        struct pair pair;
        int64_t unused;
        text = take(text, &pair);
        const predt_setting *setting = find(engine, &pair);
        if (!setting)
            return predt__fail(ctx, PREDT_ERROR_ARGUMENT, "engine %s has no setting '%.*s'",
                               engine->name, pair.key_length, pair.key);
        if (!read(setting, &pair, &unused)) return refuse_value(ctx, engine, setting, &pair);
    }
    return PREDT_OK;
}

/* The last one wins. */
int64_t predt__setting(const predt_ctx *ctx, const predt_setting *setting) {
    int64_t value = setting->default_value;
    for (const char *text = ctx->settings; text;) {
        struct pair pair;
        text = take(text, &pair);
        if (same(setting->key, (int)strlen(setting->key), pair.key, pair.key_length))
            read(setting, &pair, &value);
    }
    return value;
}
