// Options of a PREDT dataset, wherever they were said: in its name, in a .predt file, or as open
// options. Which there are, and what they take, is in the table of src/raster/options.h.
#ifndef PREDT_DRIVER_OPTIONS_H
#define PREDT_DRIVER_OPTIONS_H

#include <cpl_string.h>
#include <string>

#include "options.h"

namespace predt {

// Frees what predt__default_arguments and reading have allocated.
class Arguments : public predt__arguments {
  public:
    Arguments() : predt__arguments(predt__default_arguments()) {}
    ~Arguments() { predt__free_arguments(this); }
    Arguments(const Arguments &) = delete;
    Arguments &operator=(const Arguments &) = delete;
};

// Sets an option under the name that DMD_OPENOPTIONLIST spells, replacing what was said before. The
// name may be any spelling: case, '-' and '_' do not matter, and gdal_predt's names are known.
// False, with a CPLError, if there is no such option.
bool SetOption(CPLStringList &options, const std::string &name, const std::string &value);

// Reads one value. False, with a CPLError that calls the option by that name, if it makes no sense.
bool ReadOption(const predt__option &option, const char *name, const char *value,
                predt__arguments &arguments);

// Reads them all; the arguments' strings point into the list.
bool ReadOptions(const CPLStringList &options, predt__arguments &arguments);

// The options as NAME=VALUE&NAME=VALUE, so that they can be said in a dataset's name.
std::string AsQuery(const CPLStringList &options);

} // namespace predt

#endif
