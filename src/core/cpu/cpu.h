/* Engine cpu: threads over the sub-blocks of a window, each solved by the kernels of the best
 * instruction set. */
#ifndef PREDT__CPU_H
#define PREDT__CPU_H

#include "../engine.h"

extern const predt__engine predt__cpu;

#endif
