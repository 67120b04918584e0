/* The second sweep: answers piece by piece, while earlier pieces are being written, a thread for
 * each output. */
#ifndef PREDT__PIPELINE_H
#define PREDT__PIPELINE_H

#include "delivery.h"
#include "report.h"

/* Answers all rows into the delivery's sinks, adds what was seen to the tally and says how long
 * solving and writing took. The solver is closed on the way. False on failure or when it was
 * stopped. */
bool predt__pipeline(const predt__question *question, predt__work *work, predt__solver *solver,
                     predt__delivery *delivery, predt_tally *tally, predt__durations *seconds);

#endif
