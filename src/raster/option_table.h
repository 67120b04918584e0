/* The rows behind predt__option_at: options.c alone uses them. */
#ifndef PREDT__OPTION_TABLE_H
#define PREDT__OPTION_TABLE_H

#include "option.h"

extern const predt__option predt__option_table[];
extern const int predt__option_count;

#endif
