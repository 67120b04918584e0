/* What a question is worked on with, and who hears of it. */
#ifndef PREDT__WORK_H
#define PREDT__WORK_H

#include "budget.h"
#include "complaints.h"
#include "job.h"
#include "watch.h"

typedef struct predt__work {
    const predt__machine *machine;
    predt__budget budget;
    predt__watch watch;
    predt__complaints complaints;
} predt__work;

#endif
