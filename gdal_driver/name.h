// What a dataset's name says: a source and options.
#ifndef PREDT_NAME_H
#define PREDT_NAME_H

#include <cpl_string.h>
#include <string>

namespace predt {

struct Name {
    std::string source;    // as GDALOpen takes it
    CPLStringList options; // canonical names
    bool is_file = false;  // a .predt file: it belongs to the dataset's files
};

// Reads PREDT:PRODUCT:PATH, PREDT:PATH, PREDT:PATH?NAME=VALUE&..., or the .predt file of that name.
// False, with a CPLError.
bool ReadName(const char *text, Name &name);

} // namespace predt

#endif
