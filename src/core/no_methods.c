/* A core without the published methods: what the library and, with PREDT_METHODS=OFF, the command
 * are linked with in place of ../methods/table.c. */
#include "engine.h"

const predt__engine *const predt__methods[] = {NULL};
