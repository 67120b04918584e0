// The driver without its plug-in: registered by hand, its objects linked in.
#ifndef FUZZ_DRIVER_H
#define FUZZ_DRIVER_H

#include <gdal_priv.h>

void FuzzRegisterDriver();

// Opens the name, asks it everything, reads it.
void FuzzOpen(const char *name);

#endif
