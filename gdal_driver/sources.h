// Which sources a PREDT dataset may have: the configuration option PREDT_SOURCES.
#ifndef PREDT_SOURCES_H
#define PREDT_SOURCES_H

#include "name.h"

namespace predt {

// ANY, the default: whatever GDAL opens, as in a VRT. LOCAL: files of this machine, and nothing of
// another one or of a database, however deep it is buried. BESIDE: of a .predt file, files in its
// folder or below. False, with a CPLError, where the name leads to something else; nothing has been
// opened then. `text` is the dataset's name.
bool SourcesAllowed(const Name &name, const char *text);

} // namespace predt

#endif
