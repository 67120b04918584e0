/* What messages and help say of an option: what it takes, its choices, its default. */
#ifndef PREDT__OPTION_WORDS_H
#define PREDT__OPTION_WORDS_H

#include "option.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The words that an option takes, by number; NULL after the last one, and for an option that takes
 * any. */
const char *predt__option_choice(const predt__option *option, int i);

#define PREDT__OPTION_SAYS 400 /* bytes that hold every text below */

/* What the option takes, as in "a whole number from 1 on"; empty where that is any text. words has
 * PREDT__OPTION_SAYS bytes; returns it. */
const char *predt__option_takes(const predt__option *option, char *words);

/* The help with the choices and what counts by default; words as above. */
const char *predt__option_help(const predt__option *option, char *words);

#ifdef __cplusplus
}
#endif

#endif
