// Options of a PREDT dataset, wherever they were said: in its name, in a .predt file, or as open
// options.
#ifndef PREDT_OPTIONS_H
#define PREDT_OPTIONS_H

#include <cpl_string.h>
#include <string>

#include "job.h"

namespace predt {

// What a dataset can show, by product.
extern const char *const PRODUCTS[PREDT__PRODUCTS];

// What PREDT__JOB_INIT is in C.
predt__job DefaultJob();

// The option's name as DMD_OPENOPTIONLIST spells it, for any spelling: case, '-' and '_' do not
// matter, and gdal_predt's longer names are known. Empty if there is no such option.
std::string CanonicalName(const std::string &name);

// Sets an option, replacing what was said before. False, with a CPLError, if there is no such
// option.
bool SetOption(CPLStringList &options, const std::string &name, const std::string &value);

// Fills the job and the product from the options; strings of the job point into them. False, with a
// CPLError, for a value that makes no sense.
bool ReadOptions(const CPLStringList &options, predt__job &job, predt__product &product);

// The options as NAME=VALUE&NAME=VALUE, so that they can be said in a dataset's name.
std::string AsQuery(const CPLStringList &options);

} // namespace predt

#endif
