/* What a sink's format keeps, and whether its writes can be watched: found out with a few
 * pixels. */
#ifndef PREDT__SINK_TRIAL_H
#define PREDT__SINK_TRIAL_H

#include "sink.h"

/* Fills place.watched and the nodata of the form. The staging is open. False, with a CPLError,
 * where the format cannot hold such a raster. */
bool predt__sink_try(predt__sink *sink);

#endif
