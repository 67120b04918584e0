/* A window of a sealed index, answered: checks what is asked, has an engine chosen, and asks it. */
#ifndef PREDT__QUERY_H
#define PREDT__QUERY_H

#include "outputs.h"

/* predt_query once its structs are understood. A window that a replaceable engine has failed at is
 * answered again as a whole: nothing of it has left this call. */
predt_status predt__query(predt_ctx *ctx, const predt_index *index, const predt_window *window,
                          const predt__outputs *outputs);

#endif
