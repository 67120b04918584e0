/* What may follow an engine's name, NAME:KEY=VALUE,KEY=VALUE, and what it amounts to. */
#ifndef PREDT__SETTINGS_H
#define PREDT__SETTINGS_H

#include "engine.h"

/* Checks the settings in the text, NULL for none, against those that the engine has. */
predt_status predt__settings_check(predt_ctx *ctx, const predt__engine *engine, const char *text);

/* What the user has given for this setting of the context's engine: the number, or the position of
 * the word. An engine reads them in its open. */
int64_t predt__setting(const predt_ctx *ctx, const predt_setting *setting);

#endif
