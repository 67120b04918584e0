/* The one table of all options: those of the command, of the driver (in a dataset's name, a .predt
 * file or an open option) and of `gdal raster predt`. Spellings, ranges, defaults and help stand
 * there and nowhere else; documents, completion scripts and the driver's XML are generated from it
 * by tests/options/generated.py. */
#ifndef PREDT__OPTIONS_H
#define PREDT__OPTIONS_H

#include "option.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The options in the order of help; NULL after the last one. */
const predt__option *predt__option_at(int i);

/* By one of the command's spellings, exactly; NULL: there is none. The name need not end in 0. */
const predt__option *predt__option_of_command(const char *name, size_t length);

/* An option of the driver, by its own or the command's spelling; case, '-' and '_' do not matter.
 * NULL: there is none. */
const predt__option *predt__option_of_driver(const char *name);

/* Arguments in which every option has its preset. Free them with predt__free_arguments. */
predt__arguments predt__default_arguments(void);
void predt__free_arguments(predt__arguments *arguments);

/* Keeps what was given for the option (nothing for a flag). False, without a message, if it makes
 * no sense. */
bool predt__option_read(const predt__option *option, const char *text, predt__arguments *arguments);

/* "distance", "allocation", "direction" */
const char *predt__product_name(predt__product product);

#ifdef __cplusplus
}
#endif

#endif
